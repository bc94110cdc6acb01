"""A doorbell that works at once, or only remembers that it was rung."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.domain.capture import Priority


class ImmediateQueue:
    """`ring` does the work before it returns when `answer` is set, so that a test needs no waiting.

    Work that rings again (a command that follows from a capture) is done after it, not inside it. `rung` is every ring, in order;
    an error of the work is kept in `failures`, for a doorbell never raises.
    """

    def __init__(self, answer: Callable[[str], object] | None = None) -> None:
        self.answer = answer
        self.rung: list[tuple[str, Priority]] = []
        self.failures: list[Exception] = []
        self._waiting: list[str] = []
        self._working = False

    def ring(self, entry_id: str, priority: Priority) -> bool:
        self.rung.append((entry_id, priority))
        if self.answer is None:
            return False
        self._waiting.append(entry_id)
        if not self._working:
            self._working = True
            try:
                while self._waiting:
                    self.answer(self._waiting.pop(0))
            except Exception as error:  # noqa: BLE001 - whatever the work raises is the test's to look at, not the ringer's
                self.failures.append(error)
            finally:
                self._working = False
        return True
