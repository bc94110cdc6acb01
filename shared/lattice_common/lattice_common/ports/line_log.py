"""A log of lines: what was asked and answered, recalled, rated. Worth keeping, and never canonical."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.capture import JsonValue


class LineLog(Protocol):
    """Each line is a JSON object. Several processes may append; each sees what the others appended.

    Appending takes some 50 µs and is not fsynced: a restart loses nothing, a power cut may lose the last lines. Lines that are no
    JSON object (torn by a power cut, or edited by hand) are skipped. Reading raises `Unavailable` where the log cannot be read.
    """

    def append(self, lines: Sequence[Mapping[str, JsonValue]]) -> None:
        """Append lines. Raise `Unavailable` (507) when the disk is full."""
        ...

    def newest(self) -> Iterator[dict[str, JsonValue]]:
        """Yield the lines from the last to the first; reads no more than is consumed."""
        ...

    def since(self, position: int) -> tuple[list[dict[str, JsonValue]], int]:
        """Return the lines from `position` on, oldest first, and the position after them; 0 is the beginning. A position beyond
        the end belongs to a log that was replaced: the log is then read from its beginning."""
        ...

    def end(self) -> int:
        """Return the position after the last line."""
        ...

    def drop(self, unwanted: Callable[[Mapping[str, JsonValue]], bool]) -> int:
        """Erase lines; return how many there were. Durable when it returns. Raise `Unavailable` (507)."""
        ...


@dataclass(frozen=True, slots=True)
class Logs:
    """The logs of a store. `traces` is None where tracing is off (the default); `folded` records how far `usage` was counted into
    the memories, `reflections` which ids a language model was shown to conclude from, `migrations` how far they are, `intents`
    which words the owner told or asked against the guess."""

    chat: LineLog
    usage: LineLog
    folded: LineLog
    feedback: LineLog
    reflections: LineLog
    migrations: LineLog
    intents: LineLog
    traces: LineLog | None = None
