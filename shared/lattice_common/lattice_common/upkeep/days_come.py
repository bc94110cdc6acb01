"""What was only going to hold, once its day has come: what it then replaces for certain is retired.

"From December on I work at Contoso." leaves "I work at Fabrikam." as it is until December; the pair is in doubt, and its owner
may settle it at any time. Looked at in idle time: where the rules say, by the words of a plan that was carried out, that the
older one has ended, and the judge does not refute it, a command of the product's own retires it. That is journaled, and can be
undone. What they are unsure of is asked about from then on (`recall.in_review`). A clock that is ahead would bring days too
early, so a day counts once a look a day later has confirmed the one that saw it. `index/days.json` holds the time up to which
days were looked at, and that of the last look; a store without that file is looked at from now on, so that what its owner has
settled or undone stays so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from lattice_common.domain.atom import Atom, is_ahead
from lattice_common.domain.capture import Command, SettleJudged
from lattice_common.ingest.neighbours import judging_beside
from lattice_common.ingest.reconcile.supersession import rule
from lattice_common.ingest.stores import Stores
from lattice_common.language.claims.carried_out import carried_out
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.judge import Judge
from lattice_common.recall.in_review import MOST
from lattice_common.upkeep.progress_note import read_note, write_note

log = logger(__name__)

EVERY = timedelta(days=1)
"""How far looks are apart: the later one confirms what the clock said at the earlier one, as for the trash."""


class DaysCome:
    """One thread, the writer's, calls `begin` and `look`."""

    def __init__(self, path: Path, stores: Stores, judge: Judge | None, clock: Clock, ring: Callable[[str], object]) -> None:
        self._path = path
        self._stores = stores
        self._judge = judge
        self._clock = clock
        self._ring = ring
        self._up_to = self._looked = clock.machine()

    def begin(self) -> None:
        """Read up to when days were looked at."""
        self._read()

    def look(self) -> None:
        """Retire what is replaced by something whose day has come since; at most once in `EVERY`."""
        now = self._clock.machine()
        if self._looked <= now < self._looked + EVERY:
            return
        since, through = self._up_to, self._looked
        if now < through:  # the clock was ahead at the look before, or is behind now
            self._note(min(since, now), now)
            return
        pairs = self._come(since, through)
        retired = {older.atom_id: newer.atom_id for newer, older in pairs if self._is_certain(newer, older)}
        if retired:
            command = Command(self._clock.new_id(), self._clock.now(), SettleJudged(dict(retired), {}, 0))
            self._stores.worklog.append(command)
            self._ring(command.command_id)
        self._note(through, now)

    def _come(self, since: datetime, through: datetime) -> Iterator[tuple[Atom, Atom]]:
        """Yield the pairs in doubt of which the newer was ahead when it was told, and its day came after `since`."""
        catalogue = self._stores.catalogue
        columns = catalogue.columns()
        dates = columns.valid_from[: columns.count]
        come = (dates > columns.observed_at[: columns.count]) & (dates <= through.timestamp())
        rows = {columns.atom_ids[row] for row in np.flatnonzero(come)}
        pairs = [(newer, older) for newer, older in catalogue.in_review(MOST) if newer in rows] if rows else []
        known = {atom.atom_id: atom for atom in catalogue.get(list(dict.fromkeys(each for pair in pairs for each in pair)))}
        for newer_id, older_id in pairs:
            newer, older = known.get(newer_id), known.get(older_id)
            if newer is None or older is None or newer.valid_from is None:
                continue
            if since < max(newer.valid_from, newer.ingested_at) <= through and is_ahead(newer, older, newer.observed_at):
                yield newer, older

    def _is_certain(self, newer: Atom, older: Atom) -> bool:
        """Return whether the rules say that the older one has ended, and the judge, where there is one, does not refute it."""
        done = replace(newer, content=carried_out(newer.content) or newer.content, status="asserted")
        ruling = rule(done, older)
        if ruling is None or ruling.verdict != "retire":
            return False
        judging = judging_beside(self._stores, self._judge, {})
        return judging is None or not judging.refuted([(done, older)])

    def _read(self) -> None:
        try:
            noted = read_note(self._path)
            self._up_to, self._looked = (datetime.fromisoformat(noted[each]) for each in ("up_to", "looked"))
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            now = self._clock.machine()
            self._note(now, now)

    def _note(self, up_to: datetime, looked: datetime) -> None:
        self._up_to, self._looked = up_to, looked
        try:
            write_note(self._path, {"up_to": up_to.isoformat(), "looked": looked.isoformat()})
        except OSError:
            log.warning("log_not_written", log="days")  # derived: at worst some are looked at once more
