"""A log of lines: what was asked and answered, recalled, judged. Worth keeping, and never canonical."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from lattice_common.domain.capture import JsonValue


class LineLog(Protocol):
    """Each line is a JSON object. Several processes may append; what one of them appended, all of them see.

    Appending takes some 50 µs and is not fsynced: a restart loses nothing, a power cut perhaps the last lines. What is no JSON
    object (a line torn by a power cut, a hand's slip) is passed over. Reading raises `Unavailable` where the log cannot be read.
    """

    def append(self, lines: Sequence[Mapping[str, JsonValue]]) -> None:
        """Raise `Unavailable` (507) when the disk takes none."""
        ...

    def newest(self) -> Iterator[dict[str, JsonValue]]:
        """From the last line to the first; who stops early reads no more than that of it."""
        ...

    def since(self, position: int) -> tuple[list[dict[str, JsonValue]], int]:
        """Return the lines from `position` on, oldest first, and the position after them; 0 is the beginning. A position beyond
        the end is that of a log that is not there any more: it is read from its beginning."""
        ...

    def end(self) -> int:
        """Return the position after the last line."""
        ...

    def drop(self, unwanted: Callable[[Mapping[str, JsonValue]], bool]) -> int:
        """Take lines out for good; how many there were. Durable when it returns. Raise `Unavailable` (507)."""
        ...


@dataclass(frozen=True, slots=True)
class Logs:
    """Those of a store. `traces` is None where nothing is traced (the default); `folded` says how far `usage` was counted into
    the memories, `reflections` what a language model was shown to conclude from: ids only;
    `migrations` how far they are, `intents` words that their owner told or asked against the guess."""

    chat: LineLog
    usage: LineLog
    folded: LineLog
    feedback: LineLog
    reflections: LineLog
    migrations: LineLog
    intents: LineLog
    traces: LineLog | None = None
