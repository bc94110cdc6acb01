"""The known atoms, corrected for a clock that was ahead once and is right now.

Atoms taken in while the clock was ahead are dated in the future: everything said since would be older, and superseded at once by
what it corrects. Nobody says anything in the future, so such a date is known to be wrong: the atom counts as said two days ago,
before all that is said now, and after what is deliberately dated earlier. Its file is not changed; the doctor names it. What is
decided only when that time has been reached is told by a note at intake which atoms were there before it (`Capture.came_after`).
What itself waited since the clock was ahead counts as said before all that has such a note of it, though that is decided already.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, Entry
from lattice_common.domain.last_said import LAST_SAID, said_at
from lattice_common.logs import logger
from lattice_common.ports.catalogue import KnownAtoms

log = logger(__name__)

AHEAD = timedelta(days=2)
"""How far ahead a caller's date may be (`capture.accept.CLOCK_SLACK`): a right clock gives no later one."""
_NEXT = timedelta(milliseconds=1)


def is_ahead(atom: Atom, now: datetime) -> bool:
    """Return whether a wrong clock dated the atom. `now` never goes back by less than two days (`adapters.steady_time`), so an
    atom taken in later than `now` was dated by a clock that has been corrected since."""
    return said_at(atom) > now and (atom.ingested_at > now or said_at(atom) > now + AHEAD)


class DatedAhead:
    """Implements `ports.catalogue.KnownAtoms`; atoms that were dated in the future when `capture` was told, or are `now`, are
    returned as said `AHEAD` before that. Where a clock that was ahead dated `capture` itself, what was told since it was put back
    is returned as said after it; `entry` gives what was told, by id, and is asked then only."""

    def __init__(self, known: KnownAtoms, capture: Capture, now: datetime, entry: Callable[[str], Entry | None]) -> None:
        self._known = known
        self._capture = capture
        self._now = now
        self._entry = entry
        self._told = False

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        return self._dated(self._known.get(atom_ids))

    def with_hash(self, *, exact: str | None = None, normalized: str | None = None) -> list[str]:
        return self._known.with_hash(exact=exact, normalized=normalized)

    def with_subject(self, subject: str, *, limit: int) -> list[Atom]:
        return self._dated(self._known.with_subject(subject, limit=limit))

    def similar_subjects(self, subject: str, *, ratio: float, limit: int) -> list[str]:
        return self._known.similar_subjects(subject, ratio=ratio, limit=limit)

    def with_slot(self, key: str, *, limit: int) -> list[Atom]:
        return self._dated(self._known.with_slot(key, limit=limit))

    def referrers(self, atom_id: str) -> list[str]:
        return self._known.referrers(atom_id)

    def _dated(self, atoms: Iterable[Atom]) -> list[Atom]:
        return [self._corrected(atom) for atom in atoms]

    def _corrected(self, atom: Atom) -> Atom:
        if (at := self._wrong_at(atom)) is not None:
            return self._as_said(atom, min(atom.observed_at, at - AHEAD))
        if self._told_since(atom):
            return self._as_said(atom, max(atom.observed_at, self._capture.observed_at + _NEXT))
        return atom

    def _told_since(self, atom: Atom) -> bool:
        if self._capture.received_at <= self._now or atom.capture_id is None:
            return False
        told = self._entry(atom.capture_id)
        return isinstance(told, Capture) and told.came_after(self._capture.received_at)

    def _wrong_at(self, atom: Atom) -> datetime | None:
        """Return a time at which the atom was there and dated in the future; None where its date is believed."""
        if self._capture.came_after(atom.ingested_at):
            return self._capture.received_at
        return self._now if is_ahead(atom, self._now) else None

    def _as_said(self, atom: Atom, at: datetime) -> Atom:
        if not self._told:
            self._told = True
            log.warning("clock_was_ahead", atom_id=atom.atom_id)
        metadata = {name: value for name, value in atom.metadata.items() if name != LAST_SAID}
        return replace(atom, observed_at=at, metadata=metadata)
