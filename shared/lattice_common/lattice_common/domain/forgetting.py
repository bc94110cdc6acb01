"""What is to be forgotten, where words of it occur in a text, and how they are erased.

A redaction keeps the length of a text in characters: each erased character except line breaks becomes `MARK`, so that the spans
of what stays are as valid as before, and can be checked.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import RELAYING, Capture, JsonValue
from lattice_common.domain.sentences import sentences

MARK = "\u2588"
"""FULL BLOCK: nobody types it, and every reader shows it as erased."""

FEWEST_WORDS = 2
"""A statement of fewer words ("Ok.") is looked for in its own capture only: it would be found everywhere."""

_WORD = re.compile(r"\w+")
_STRETCH = re.compile(r"([0-9a-z]{26}):(\d{1,12})-(\d{1,12})")
_TAKEN = re.compile(r"[^\r\n]")


@dataclass(frozen=True, slots=True)
class Passage:
    """`[start, end)` in characters of a capture's text."""

    capture_id: str
    start: int
    end: int

    def __str__(self) -> str:
        """Return the form in which a command names it."""
        return f"{self.capture_id}:{self.start}-{self.end}"

    @staticmethod
    def read(named: str) -> Passage | None:
        """Return the stretch that a command names; None for what names none."""
        found = _STRETCH.fullmatch(named)
        return Passage(found[1], int(found[2]), int(found[3])) if found else None


@dataclass(frozen=True, slots=True)
class Erasure:
    """What one forgetting erases. `passages` are where the memories were said; `statements` are their words, looked for wherever
    else they were written down; `names` are words of theirs that no other memory contains. With `barred`, only the owner's own
    new telling brings it back."""

    atom_ids: tuple[str, ...]
    passages: tuple[Passage, ...] = ()
    statements: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    barred: bool = True

    @property
    def captures(self) -> tuple[str, ...]:
        """The captures in which it was told."""
        return tuple(dict.fromkeys(each.capture_id for each in self.passages))


@dataclass(frozen=True, slots=True)
class Forgettable:
    """What the owner names to be forgotten: exactly one of the fields. `about` is a name or words that a memory must all contain;
    `source` the id of a source or of a capture; `search` a question, of which those results go that contain all its words;
    `after` and `before` bound when it was said."""

    atom_ids: tuple[str, ...] = ()
    subject: str | None = None
    about: str | None = None
    source: str | None = None
    search: str | None = None
    after: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class ForgetPreview:
    """What would be forgotten. `confirm` carries it out, as long as nothing has changed. `until` is when it leaves the trash;
    None where it is erased at once. `atoms` are shown, `atom_ids` are all; `in_trash` are there already; `conclusions` were drawn
    from what goes, and are among `atom_ids`; `captures` are redacted, `files` are those of them that came as a file; `backups`
    are those by `lattice backup` that it is erased from, too; `backups_out_of_reach` are not where they were written, and are
    left to the owner to remove; `passages` counts sentences of documents that say it and have no memory of their own: they are
    erased too where it is forgotten at once, and stay where it goes to the trash, because there is none for them."""

    confirm: str
    atom_ids: tuple[str, ...]
    atoms: tuple[Atom, ...]
    in_trash: int
    conclusions: tuple[str, ...]
    captures: tuple[str, ...]
    files: tuple[str, ...]
    chat_turns: int
    backups: tuple[str, ...]
    backups_out_of_reach: tuple[str, ...]
    until: datetime | None
    passages: int = 0


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text as they are compared: in lower case, without punctuation and white space."""
    return tuple(match.group().casefold() for match in _WORD.finditer(text))


def sealed(statement: str, salt: bytes) -> str:
    """Return the HMAC-SHA-256 (RFC 2104) of a forgotten statement's words: enough to recognise it, not to read it."""
    return hmac.new(salt, " ".join(words_of(statement)).encode(), "sha256").hexdigest()


def is_deliberate(capture: Capture) -> bool:
    """Return whether the owner tells it themselves, now: a new telling overrides a forgetting. A file, an import, and what an
    assistant or a program passes on do not."""
    told = capture.source == "user" and capture.priority == "interactive" and capture.channel not in ("inbox", *RELAYING)
    return told and capture.original is None and not capture.turns


class ForgottenWords:
    """Finds forgotten statements in texts. One pass over the words of a text, however much is looked for."""

    def __init__(self, statements: Iterable[str], names: Iterable[str] = ()) -> None:
        self._names = frozenset(name.casefold() for name in names)
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for statement in dict.fromkeys(words_of(each) for each in statements):
            if len(statement) >= FEWEST_WORDS:
                self._by_first.setdefault(statement[0], []).append(statement)

    def spans(self, text: str) -> list[Span]:
        """Return the spans of forgotten content in a text: whole statements, or sentences with one of the names."""
        words = [(match.start(), match.end(), match.group().casefold()) for match in _WORD.finditer(text)]
        found: list[Span] = []
        named: list[Span] = []
        for at, (start, end, word) in enumerate(words):
            if word in self._names:
                named.append(Span(start, end))
            for statement in self._by_first.get(word, ()):
                last = at + len(statement) - 1
                if last < len(words) and all(words[at + n][2] == each for n, each in enumerate(statement)):
                    found.append(Span(start, words[last][1]))
        return found + (list(_whole_sentences(text, named)) if named else [])

    def are_in(self, text: str) -> bool:
        """Return whether any of it stands in a text."""
        return bool(self.spans(text))

    def are_in_any(self, value: JsonValue) -> bool:
        """Return whether any of it stands in a text of a JSON value."""
        return any(self.are_in(text) for text in _texts(value))

    def taken_out(self, text: str) -> str:
        """Return a text without it: the sentences that it stands in are redacted."""
        spans = self.spans(text)
        return masked(text, _whole_sentences(text, spans)) if spans else text

    def taken_out_of(self, value: JsonValue) -> JsonValue:
        """Return a JSON value with its texts redacted."""
        return _mapped(value, self.taken_out)


def masked(text: str, spans: Iterable[Span], kept: Iterable[Span] = ()) -> str:
    """Return a text in which the characters of `spans` that are in none of `kept` are `MARK`, but for line breaks."""
    parts: list[str] = []
    at = 0
    for span in without(spans, kept):
        parts += [text[at : span.start], _TAKEN.sub(MARK, text[span.start : span.end])]
        at = span.end
    return "".join((*parts, text[at:]))


def without(spans: Iterable[Span], kept: Iterable[Span]) -> list[Span]:
    """Return the stretches of `spans` that are in none of `kept`, in order, joined where they touch."""
    stay = _joined(kept)
    left: list[Span] = []
    for span in _joined(spans):
        start = span.start
        for each in stay:
            if each.end <= start or each.start >= span.end:
                continue
            if each.start > start:
                left.append(Span(start, each.start))
            start = max(start, each.end)
        if start < span.end:
            left.append(Span(start, span.end))
    return left


def widened(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the sentences that spans stand in, and what the spans cover beside."""
    return _joined([*spans, *_whole_sentences(text, spans)])


def is_masked(text: str, spans: Iterable[Span]) -> bool:
    """Return whether nothing but marks and line breaks is left of these stretches."""
    return all(not text[span.start : span.end].strip(f"{MARK}\r\n") for span in spans)


def _whole_sentences(text: str, spans: Sequence[Span]) -> Iterator[Span]:
    # A sentence ends with its line at the latest, so the lines around a span contain it: a long document is not split for one.
    for span in spans:
        first = text.rfind("\n", 0, span.start) + 1
        last = text.find("\n", span.end)
        around = sentences(text, first, len(text) if last < 0 else last)
        yield from (each for each in around if each.start < span.end and span.start < each.end)


def _joined(spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        elif span.start < span.end:
            joined.append(span)
    return joined


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, each in value.items():
            yield name
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _mapped(value: JsonValue, change: Callable[[str], str]) -> JsonValue:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {change(name): _mapped(each, change) for name, each in value.items()}
    if isinstance(value, list):
        return [_mapped(each, change) for each in value]
    return value
