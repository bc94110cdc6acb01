"""Which passages of a mail repeat what another mail holds: a thread is kept once, whichever of its mails came first.

A passage that only quotes is left out where its words stand in another mail that is kept: as that one's own, or quoted there as
well, if it came before. Mail programs break lines anew and cut signatures, so runs of words are compared, not lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.passage import Passage
from lattice_common.errors import Unavailable
from lattice_common.ingest.extract.quoted import quoted_in
from lattice_common.language.letters.letter import QUOTED
from lattice_common.language.letters.quoted import HEAD
from lattice_common.language.text import analyze
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery
from lattice_common.ports.passages import PassageReader

RUN = 4
"""Words in a row that are compared."""
HELD = 0.85
"""Share of a quotation's runs that the other mail has: a signature may be cut, and a name put in."""
LOOKED_UP, HITS = 24, 8
"""Words of a passage by which others with the same words are found, and how many of these are compared."""

_ABOVE = re.compile(rf"(?:(?:From|Von|De|Da|Van|Od|{HEAD[3:]} ?:|-{{3,}}|#)")
"""Lines of the head above what is quoted."""

Read = Callable[[str], Capture | None]


@dataclass(slots=True)
class Quotations:
    """For one round of shelving. `wanted` are the passages of the captures in hand, which the store does not know yet."""

    store: PassageReader
    lexical: LexicalIndex
    read: Read
    wanted: Mapping[str, Sequence[Passage]]
    _spans: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    _runs: dict[str, tuple[frozenset[str], frozenset[str]]] = field(default_factory=dict)

    def left(self, capture: Capture, passages: Sequence[Passage]) -> list[Passage]:
        """Return the passages of a capture without those that another mail holds."""
        self._spans[capture.capture_id] = quoted_in(capture)
        return [each for each in passages if not (self._is_quoted(each) and self._is_held(each))]

    def quoting(self, capture: Capture, passages: Sequence[Passage]) -> Iterator[str]:
        """Yield the captures in the store that may quote this one."""
        if capture.source_type != "eml":
            return
        runs = frozenset[str]().union(*(_runs(each.content) for each in passages))
        found: dict[str, None] = {}
        for each in passages:
            for hit in self._alike(each):
                if hit.capture_id not in self.wanted and _share(_runs(hit.content), runs) >= HELD:
                    found[hit.capture_id] = None
        yield from found

    def _is_held(self, passage: Passage) -> bool:
        runs = _runs(passage.content)
        others = [*(hit.capture_id for hit in self._alike(passage)), *self.wanted]
        for other in dict.fromkeys(others):
            if other == passage.capture_id:
                continue
            own, quoted = self._runs_of(other)
            if _share(runs, own) >= HELD or (other < passage.capture_id and _share(runs, own | quoted) >= HELD):
                return True
        return False

    def _is_quoted(self, passage: Passage) -> bool:
        spans = self._spans_of(passage.capture_id)
        return any(span.start <= passage.start and passage.end <= span.end for span in spans)

    def _spans_of(self, capture_id: str) -> tuple[Span, ...]:
        if capture_id not in self._spans:
            capture = self.read(capture_id)
            self._spans[capture_id] = quoted_in(capture) if capture is not None else ()
        return self._spans[capture_id]

    def _runs_of(self, capture_id: str) -> tuple[frozenset[str], frozenset[str]]:
        """Return the runs of words that a mail says itself, and those that it quotes."""
        if capture_id not in self._runs:
            passages = self.wanted.get(capture_id) or self.store.of_capture(capture_id)
            parts: tuple[set[str], set[str]] = set(), set()
            for each in passages:
                if each.source_type == "eml":
                    parts[self._is_quoted(each)].update(_runs(each.content))
            self._runs[capture_id] = frozenset(parts[0]), frozenset(parts[1])
        return self._runs[capture_id]

    def _alike(self, passage: Passage) -> list[Passage]:
        """Return passages of other captures with the same words; none while the index is away."""
        tokens = list(islice(dict.fromkeys(sorted(analyze(passage.content), key=len, reverse=True)), LOOKED_UP))
        if not tokens:
            return []
        try:
            hits = self.lexical.search(LexicalQuery({"text": tokens}), HITS, None)
        except Unavailable:
            return []  # kept twice: better than not at all
        found = self.store.passages([hit.atom_id for hit in hits])
        return [each for each in found if each.capture_id != passage.capture_id and each.source_type == "eml"]


def _runs(text: str) -> frozenset[str]:
    """Return the runs of words of what is written, or quoted, without its head."""
    lines = (line.lstrip("> \t") for line in text.splitlines())
    body = " ".join(line for line in lines if not _ABOVE.match(line.lstrip("*")) and not QUOTED.match(line))
    words = [word for word in body.casefold().split() if any(map(str.isalnum, word))]
    return frozenset(" ".join(words[at : at + RUN]) for at in range(max(1, len(words) - RUN + 1)))


def _share(runs: frozenset[str], others: frozenset[str]) -> float:
    return len(runs & others) / len(runs) if runs else 0.0
