"""What was deleted leaves the trash for good after the days that the owner set, also where Lattice is never restarted.

What the owner deleted is forgotten then (`upkeep.forget`), by a command of the product's own; what lies there for another reason
(a reading that was replaced, an import that was taken back) leaves the trash, and its words stay in the journal."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import ForgetAtoms
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader, AtomWriter, Unreadable
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import WorkLog

log = logger(__name__)

TRASH = "trash"
"""The channel of what is forgotten because its days in the trash are over."""

LOOK_SECONDS = 3600.0
"""Between two looks into the trash, in quiet moments."""


class TrashEmptying:
    """For the writer's thread. `keep` is how long what was deleted can be brought back; `forget` journals a command."""

    def __init__(
        self, atoms: AtomWriter, worklog: WorkLog, clock: Clock, keep: timedelta, forget: Callable[[ForgetAtoms], None],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        self._atoms = atoms
        self._worklog = worklog
        self._forget = forget
        self._clock = clock
        self._keep = keep
        self._monotonic = monotonic
        self._looked_at: float | None = None

    def now_and_then(self) -> None:
        """Empty it, unless that was less than `LOOK_SECONDS` ago."""
        if self._looked_at is None or self._monotonic() - self._looked_at >= LOOK_SECONDS:
            self.empty()

    def empty(self) -> None:
        """Remove what has lain there for too long. See `ports.atoms.AtomWriter.expired`."""
        self._looked_at = self._monotonic()
        expired = set(self._atoms.expired(self._clock.now(), self._keep))
        for command_id, barred in self._worklog.deleted().items():
            receipt = self._worklog.receipt(command_id)
            trashed = set(receipt.trashed) if receipt is not None else set()
            if due := trashed & expired:
                self._forget(ForgetAtoms(tuple(sorted(due)), now=True, barred=barred))
                expired -= due
            elif receipt is not None and not self._atoms.in_trash(trashed):
                self._worklog.clear_deleted(command_id)  # brought back, or forgotten by now
        emptied = self._atoms.empty_trash(sorted(expired)) if expired else 0
        if emptied:
            log.info("trash_emptied", atoms=emptied)


@dataclass(frozen=True, slots=True)
class Trashed:
    """What one deletion moved to the trash and still lies there. An undo of `change_id` brings it back, until `until`."""

    change_id: str
    deleted_at: datetime
    until: datetime
    atoms: tuple[Atom, ...]
    count: int


def in_trash(atoms: AtomReader, worklog: WorkLog, keep: timedelta, *, limit: int, shown: int) -> list[Trashed]:
    """What the owner deleted, newest deletion first; at most `limit` deletions, with the first `shown` memories of each. Looks
    through the folder of the trash once."""
    marks = dict(atoms.trashed())
    found: list[Trashed] = []
    for command_id in reversed(worklog.deleted()):
        receipt = worklog.receipt(command_id)
        lying = [each for each in receipt.trashed if each in marks] if receipt is not None else []
        if receipt is None or not lying:
            continue
        read = [atoms.read_file(marks[each]) for each in lying[:shown]]
        known = tuple(each for each in read if not isinstance(each, Unreadable))
        found.append(Trashed(command_id, receipt.finished_at, receipt.finished_at + keep, known, len(lying)))
        if len(found) == limit:
            break
    return found
