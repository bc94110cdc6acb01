"""Once the language model is back, what it missed is read again: each capture by a command of its own, which can be undone.

Called by the writer in idle time. The model is not asked while nothing is to be read again, nor while its answers could not be
used and it has read nothing else well since.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from lattice_common.domain.capture import Command, ExtractAgain
from lattice_common.ingest.extract.extractor import Extractor
from lattice_common.ingest.reextraction import was_rubbish
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import AgainMark, WorkLog

log = logger(__name__)

AT_ONCE = 32
"""Commands given at once: as many as are processed together. The next ones follow when these are done."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A mark, and how much the model had read well when it was first seen."""

    mark: AgainMark
    read_well: int


class ReadAgain:
    """`ring` is called with each command's id."""

    def __init__(self, worklog: WorkLog, extractor: Extractor, clock: Clock, ring: Callable[[str], object]) -> None:
        self._worklog = worklog
        self._extractor = extractor
        self._clock = clock
        self._ring = ring
        self._asking = threading.Lock()
        # A mark's file is read once, and again after a round.
        self._waiting: dict[str, _Waiting] = {}
        # The mark stays until the command is done: until then no other one is given.
        self._given: dict[str, str] = {}

    def look(self) -> None:
        """Ask the model whether it is back, if anything is due; the rest is done when it answers."""
        if not self._asking.acquire(blocking=False):
            return
        try:
            due = self._due()
        except BaseException:
            self._asking.release()
            raise
        if due:
            self._extractor.when_back(lambda back: self._answered(due, back=back))
        else:
            self._asking.release()

    def _answered(self, due: list[str], *, back: bool) -> None:
        try:
            for capture_id in due if back else ():
                self._waiting.pop(capture_id, None)
                command = Command(self._clock.new_id(), self._clock.now(), ExtractAgain(capture_id))
                self._worklog.append(command)
                self._given[capture_id] = command.command_id
                self._ring(command.command_id)
            if back:
                log.info("reading_again", captures=len(due))
        finally:
            self._asking.release()

    def _due(self) -> list[str]:
        due: list[str] = []
        now, read_well = self._clock.now(), self._extractor.read_well()
        marked = self._worklog.again_ids()
        self._given = {each: self._given[each] for each in marked if each in self._given}
        for capture_id in marked:
            given = self._given.get(capture_id)
            if given is not None and self._worklog.receipt(given) is None:
                continue
            waiting = self._waiting.get(capture_id)
            if waiting is None:
                mark = self._worklog.again(capture_id)
                if mark is None:
                    continue
                waiting = self._waiting[capture_id] = _Waiting(mark, read_well)
            at = waiting.mark.not_before
            if (at is None or at <= now) and (not was_rubbish(waiting.mark) or read_well > waiting.read_well):
                due.append(capture_id)
            if len(due) == AT_ONCE:
                break
        return due
