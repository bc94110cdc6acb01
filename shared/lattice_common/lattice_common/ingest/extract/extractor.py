"""The interface between ingest and what reads segments: rules by default, a language model where there is one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.ingest.extract.rules import extract
from lattice_common.ingest.pace import Pace
from lattice_common.ingest.segment import LONGEST_SEGMENT


@dataclass(frozen=True, slots=True)
class Extracted:
    """The content of a segment. `unread` are the stretches that were not read properly (by rules in a model's place, or not at
    all), for the reason `instead` (`away`, `slow`, `unusable`, `spent`); `again` says whether reading them again is worth it."""

    candidates: tuple[Candidate, ...]
    unread: tuple[Span, ...] = ()
    instead: str | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """What is read, and for which journal entry. `urgent` tasks are read first; with `again`, nothing stands in for what cannot
    be read."""

    entry: str
    capture: Capture
    urgent: bool = True
    again: bool = False


class PartReading(Protocol):
    """Segments that are being read."""

    def ready(self) -> bool:
        """Return whether `result` would not wait."""
        ...

    def wait(self, timeout: float, /) -> bool:
        """Wait so many seconds at most until it is ready; return whether it is."""
        ...

    def result(self) -> Sequence[Extracted]:
        """Return one result for each segment, in order; waits until they are read."""
        ...

    def cancel(self) -> None:
        """Drop what was not begun."""
        ...


@dataclass(frozen=True, slots=True)
class Offer:
    """A new statement and the older ones that it may outdate, each with the time it was said."""

    new_id: str
    content: str
    said_at: datetime
    older: Mapping[str, tuple[str, datetime]]


@dataclass(frozen=True, slots=True)
class PartSize:
    """How much is planned and committed at once: at most so many `characters` and `segments`, none of those longer than `longest`
    characters."""

    characters: int = Pace().part_characters
    segments: int = 10_000
    longest: int = LONGEST_SEGMENT


class Extractor(Protocol):
    """Called by one thread: the writer's."""

    def part_size(self, capture: Capture, /) -> PartSize: ...

    def room(self, *, urgent: bool = False) -> bool:
        """Return whether it makes sense to let more be read ahead of its turn; for what is urgent there is always room."""
        ...

    def start(self, task: Task, part: Sequence[Segment], /) -> PartReading:
        """Begin to read a part of a capture."""
        ...

    def choose(self, entry: str, offers: Sequence[Offer], /) -> frozenset[tuple[str, str]]:
        """Return those of the offered pairs (new id, older id) in which the older statement is outdated."""
        ...

    def when_back(self, then: Callable[[bool], None], /) -> None:
        """Call `then`, at once or later from another thread, with whether the language model answers."""
        ...

    def read_well(self) -> int:
        """Return how many segments the language model read so that its answer could be used, since the start."""
        ...

    def ended(self, entry: str, /) -> None:
        """Drop what is kept for this entry: nothing more will be asked."""
        ...

    def close(self) -> None: ...


def by_rules(capture: Capture, piece: Segment, apart: Sequence[Span] = ()) -> tuple[Candidate, ...]:
    """Return what the rules find in a segment. `apart`: stretches that no statement spans."""
    return tuple(extract(capture, piece, apart))


@dataclass(frozen=True, slots=True)
class _ReadByRules:
    capture: Capture
    part: Sequence[Segment]

    def ready(self) -> bool:
        return True

    def wait(self, _timeout: float, /) -> bool:
        return True

    def result(self) -> Sequence[Extracted]:
        return [Extracted(by_rules(self.capture, piece)) for piece in self.part]

    def cancel(self) -> None:
        """Do nothing: nothing was begun."""


class RuleExtractor:
    """Reads by rules, in the calling thread."""

    def __init__(self, size: PartSize | None = None) -> None:
        self._size = size or PartSize()

    def part_size(self, _capture: Capture, /) -> PartSize:
        return self._size

    def room(self, *, urgent: bool = False) -> bool:  # noqa: ARG002 - the name is the Protocol's
        return False

    def start(self, task: Task, part: Sequence[Segment], /) -> PartReading:
        return _ReadByRules(task.capture, part)

    def choose(self, _entry: str, _offers: Sequence[Offer], /) -> frozenset[tuple[str, str]]:
        return frozenset()

    def when_back(self, then: Callable[[bool], None], /) -> None:
        then(False)

    def read_well(self) -> int:
        return 0

    def ended(self, _entry: str, /) -> None:
        """Do nothing: nothing is kept of an entry."""

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
