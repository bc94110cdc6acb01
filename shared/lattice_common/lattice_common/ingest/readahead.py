"""Reading ahead: while one part is committed, a language model reads the next ones, of this capture and of those after it.

Only what needs no counted attempt runs ahead of its turn: the text is cut into segments, and the model is asked. The result of a
part is kept until its plan is written, so that a full disk costs no second call. An entry that was tried before is not read
ahead: should it stop the process, it must not stop the turns of others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from lattice_common.domain.capture import Capture, Command, ExtractAgain
from lattice_common.ingest.extract.extractor import Extractor, PartReading, Task
from lattice_common.ingest.parts import Work, first_work, work_again
from lattice_common.ingest.read import is_unread
from lattice_common.ports.journal import Plan, WorkLog

LOOK_SECONDS = 0.02
"""Seconds after which entries that arrive while a part is waited for are begun."""


class Readahead:
    """The captures that were begun, those opened before their turn, and the readings of parts whose plan is not written yet."""

    def __init__(self, extractor: Extractor, worklog: WorkLog) -> None:
        self._extractor = extractor
        self._worklog = worklog
        self._readings: dict[tuple[str, int], PartReading] = {}
        self._works: dict[str, Work] = {}
        self.begun: dict[str, Work] = {}
        """Captures of which some parts may be done, and others are left."""
        self._passed: set[str] = set()
        self._coming: Callable[[], Iterable[str]] = lambda: ()
        self._waited_for: Callable[[], Iterable[str]] = lambda: ()

    def work_for(self, said: Capture | Command, attempt: int, plan: Plan | None) -> Work | None:
        """Return the work to read for an entry; None for a command that has nothing to read."""
        looked_at = self._works.pop(said.capture_id if isinstance(said, Capture) else said.command_id, None)
        if looked_at is not None and plan is None:
            looked_at.attempt = attempt
            return looked_at
        return self._made(said, attempt, plan)

    def goes_at_once(self, said: Capture) -> bool:
        """Return whether a capture has one part only, and nothing has to be waited for to prove it."""
        work = self._works.get(said.capture_id) or self._made(said, 0, None)
        if work is None or len(work.parts) > 1:
            return False
        self._works[said.capture_id] = work
        return self._begin(work, 0).ready()

    def reading(self, work: Work) -> PartReading:
        """Return the reading of the next part to be proved, starting it where it was not."""
        return self._begin(work, work.proved)

    def is_ready(self, entry: str) -> bool:
        """Return whether the next part of an entry can be proved without waiting; true where that is not known."""
        work = self.begun.get(entry) or self._works.get(entry)
        return work is None or work.proved >= len(work.parts) or self.reading(work).ready()

    def expect(self, coming: Callable[[], Iterable[str]], waited_for: Callable[[], Iterable[str]]) -> None:
        """Set the functions that return the entries whose turn comes after those in hand, and those of them that somebody waits
        for."""
        self._coming, self._waited_for = coming, waited_for

    def is_read(self, work: Work, following: Sequence[str]) -> bool:
        """Wait until the next part of a capture is read, and start to read what follows whenever there is room. Return false when
        an entry that somebody waits for can go first: an import must not delay it for as long as its calls take."""
        reading, entries = self.reading(work), [work.entry, *following]
        self.go_on(entries, work)
        while not reading.wait(LOOK_SECONDS):
            self.go_on(entries, work)
            waited_for = (entry for entry in self._waited_for() if entry != work.entry)
            if not _is_urgent(work) and any(map(self.is_ready, waited_for)):
                return False
        return True

    def go_on(self, entries: Sequence[str], in_hand: Work) -> None:
        """Start to read what is urgent among the expected entries; with room left, parts of `entries` and of all expected ones.
        `in_hand` is the work of the entry whose turn it is."""
        if not self._extractor.room(urgent=True):
            return
        coming = list(self._coming())
        for entry in coming:
            work = in_hand if entry == in_hand.entry else self._known(entry)
            if work is not None and not _is_urgent(work):
                break
            if work is not None and work.proved < len(work.parts):
                self._begin(work, work.proved)
        for entry in chain(entries, coming):
            if not self._extractor.room():
                return
            work = in_hand if entry == in_hand.entry else self._known(entry)
            if work is None:
                continue
            for part in range(work.proved, len(work.parts)):
                if not self._extractor.room():
                    return
                self._begin(work, part)

    def decided(self, work: Work) -> None:
        """Drop the reading of the part done next: its plan is written."""
        self._readings.pop((work.entry, work.done), None)

    def forget(self, entry: str) -> None:
        """Drop everything kept for an entry: it has its receipt."""
        self._works.pop(entry, None)
        self._passed.discard(entry)
        for key in [key for key in self._readings if key[0] == entry]:
            self._readings.pop(key).cancel()
        self._extractor.ended(entry)

    def _begin(self, work: Work, part: int) -> PartReading:
        key = (work.entry, part)
        if key not in self._readings:
            task = Task(work.entry, work.capture, urgent=_is_urgent(work), again=work.again)
            self._readings[key] = self._extractor.start(task, work.parts[part])
        return self._readings[key]

    def _known(self, entry: str) -> Work | None:
        return self.begun.get(entry) or self._works.get(entry) or self._look_at(entry)

    def _look_at(self, entry: str) -> Work | None:
        if entry in self._passed:
            return None
        self._passed.add(entry)
        try:
            status = self._worklog.status(entry)
            if status is None or status.receipt is not None or status.attempts:
                return None
            said = self._worklog.read(entry)
            work = self._made(said, 0, None) if said is not None else None
        except Exception:  # noqa: BLE001 - what stops a look ahead stops its own turn too, and says there what is the matter
            return None
        if work is not None:
            self._works[entry] = work
        return work

    def _made(self, said: Capture | Command, attempt: int, plan: Plan | None) -> Work | None:
        if isinstance(said, Capture):
            return None if is_unread(said) else first_work(said, attempt, plan, self._extractor.part_size(said))
        if not isinstance(said.action, ExtractAgain):
            return None
        capture = self._worklog.read(said.action.capture_id)
        receipt = self._worklog.receipt(said.action.capture_id)
        mark = self._worklog.again(said.action.capture_id)
        if not isinstance(capture, Capture) or receipt is None or mark is None:
            return None
        size = self._extractor.part_size(capture)
        return work_again(said, capture, mark, receipt.atom_ids, attempt, plan, size)


def _is_urgent(work: Work) -> bool:
    return work.capture.priority == "interactive" and not work.again
