"""What the doors of a writer's product show as status and readiness. Part of the composition root."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace

from lattice_common.adapters.embedded.atoms_watch import AtomsWatch
from lattice_common.adapters.embedded.inbox_watch import InboxWatch
from lattice_common.adapters.embedded.writer_thread import WriterThread
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.backup_schedule import BackupKeeper
from lattice_common.composition.jobs import Jobs
from lattice_common.composition.parts import WriterParts
from lattice_common.composition.product import status_over
from lattice_common.ingest.read import FileReading
from lattice_common.upkeep.status import Readiness, Status, slow_work, unread, unread_folders

LOOKING = "looking through what changed while Lattice was not running; answers may miss it until then"


@dataclass(frozen=True, slots=True)
class WriterHealth:
    """Computes status and readiness anew for each call."""

    parts: WriterParts
    jobs: Jobs
    reading: FileReading
    writer: WriterThread
    files: AtomsWatch
    inbox: InboxWatch
    backups: BackupKeeper
    slow_seconds: float

    def unsearched(self) -> tuple[str, ...]:
        """Return what is remembered and cannot be found yet, as far as only the writer knows; cheap enough to be called for every
        search."""
        state, missed = self.writer.state(), sorted(self.parts.stores.behind.legs)
        return (
            *(f"{leg}: what it missed while it was away is being brought to it" for leg in missed),
            *((f"search: {LOOKING}",) if state.alive and state.starting else ()),
        )

    def lacking(self) -> tuple[str, ...]:
        """Return what the owner is told to be missing for now, as far as only the writer knows."""
        state = self.writer.state()
        return (
            *unread(self.jobs.hands.broken()),
            *unread_folders(self.files.unreadable()),
            *self.unsearched(),
            *self.jobs.remaking.lacking(),
            *slow_work(state.busy_seconds, self.reading.slow(self.slow_seconds), self.slow_seconds),
            *((f"inbox: {trouble}",) if (trouble := self.inbox.trouble()) else ()),
            *self.backups.lacking(),
        )

    def status(self) -> Status:
        parts, state = self.parts, self.writer.state()
        return replace(
            status_over(parts.settings, parts.storage, parts.engines, parts.models, parts.stores.spaces.serving),
            degraded=(*parts.model.degraded, *self.lacking()),
            inbox=asdict(self.inbox.state()),
            writer=state.paused or ("working" if state.waiting else "idle" if state.alive else "stopped"),
            judging_behind=self.jobs.judging.behind(),
        )

    def readiness(self) -> Readiness:
        parts, model, state = self.parts, self.parts.model, self.writer.state()
        writing = state.paused or ("not started" if not state.alive else LOOKING if state.starting else "up")
        unkept = durable.trouble_in(parts.files.root / "journal")
        return Readiness(
            ready=state.alive and state.paused is None and unkept is None,
            parts={
                "journal": unkept or "up",
                "writer": writing,
                "inbox": self.inbox.trouble() or "up",
                "lexical": "up",
                "dense": model.missing or ("up" if parts.engines.dense else "off"),
                "judge": model.judge_missing or ("up" if model.judge else "off"),
                "language_model": parts.models.readiness(),
            },
        )
