"""What is to be forgotten, and how stretches of a text are erased.

A redaction keeps the length of a text in characters: each erased character except line breaks becomes `MARK`, so that the spans
of what stays are as valid as before, and can be checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.capture import RELAYING, Capture

MARK = "\u2588"
"""FULL BLOCK: nobody types it, and every reader shows it as erased."""

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
        """Return the captures in which it was told."""
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


def is_deliberate(capture: Capture) -> bool:
    """Return whether the owner tells it themselves, now: a new telling overrides a forgetting. A file, an import, and what an
    assistant or a program passes on do not."""
    told = capture.source == "user" and capture.priority == "interactive" and capture.channel not in ("inbox", *RELAYING)
    return told and capture.original is None and not capture.turns


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


def is_masked(text: str, spans: Iterable[Span]) -> bool:
    """Return whether nothing but marks and line breaks is left of these stretches."""
    return all(not text[span.start : span.end].strip(f"{MARK}\r\n") for span in spans)


def _joined(spans: Iterable[Span]) -> list[Span]:
    joined: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        elif span.start < span.end:
            joined.append(span)
    return joined
