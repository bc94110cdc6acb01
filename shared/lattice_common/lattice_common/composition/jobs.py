"""What the writer's thread does besides journal entries: at its start, after each commit, and when there is nothing left to do.
Part of the composition root."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import partial

from lattice_common.adapters.embedded.garbage import LongLived
from lattice_common.adapters.embedded.spare_memory import SpareMemory
from lattice_common.adapters.files.backup_schedule import BackupKeeper
from lattice_common.adapters.files.embedding_record import EmbeddingRecord, EmbeddingRecordFile, place_of
from lattice_common.adapters.files.erasing import FileEraser
from lattice_common.adapters.files.summary_file import SummaryFile
from lattice_common.composition.backups import backup_folder, backup_passphrase
from lattice_common.composition.models import reflection_wanted
from lattice_common.composition.parts import WriterParts
from lattice_common.composition.product import records_of
from lattice_common.composition.storage import WriterFiles
from lattice_common.domain.capture import Command, ForgetAtoms
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.ingest.extract.extractor import Extractor
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.logs import logger
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import DenseIndex, VectorSpace
from lattice_common.ports.journal import Journal
from lattice_common.recall.journey import Journey
from lattice_common.recall.timings import Timings
from lattice_common.upkeep.catch_up import CatchUp
from lattice_common.upkeep.count_recalls import RecallCounting
from lattice_common.upkeep.days_come import DaysCome
from lattice_common.upkeep.forget import Forgetting
from lattice_common.upkeep.glossing_anew import GlossingAnew
from lattice_common.upkeep.hand_edits import HandEdits
from lattice_common.upkeep.late_judging import LateJudging
from lattice_common.upkeep.read_again import ReadAgain
from lattice_common.upkeep.rebuild import OnProgress, repair
from lattice_common.upkeep.records import Records
from lattice_common.upkeep.reflection.schedule import Commands, Material, Reflection
from lattice_common.upkeep.remake_vectors import RemakeVectors
from lattice_common.upkeep.stats import stats_of
from lattice_common.upkeep.status_pass import StatusPass
from lattice_common.upkeep.trash import TRASH, TrashEmptying

log = logger(__name__)


@dataclass(frozen=True, slots=True)
class Jobs:
    """The jobs; their order is in `Rounds`."""

    eraser: FileEraser
    forgetting: Forgetting
    catch_up: CatchUp
    glossing: GlossingAnew
    remaking: RemakeVectors
    trash: TrashEmptying
    statuses: StatusPass
    judging: LateJudging
    again: ReadAgain
    counting: RecallCounting
    reflection: Reflection
    hands: HandEdits


@dataclass(frozen=True, slots=True)
class Rounds:
    """The jobs by occasion, in order. Each of `while_idle` returns whether it has more to do; those of `when_idle` are quick
    checks."""

    at_start: Sequence[Callable[[], object]]
    after_commit: Sequence[Callable[[], object]]
    when_idle: Sequence[Callable[[], object]]
    while_idle: Sequence[Callable[[], bool]]

    def start(self) -> None:
        for each in self.at_start:
            each()

    def commit(self) -> None:
        for each in self.after_commit:
            each()

    def idle(self) -> bool:
        """Run the jobs for idle time; return whether there is more to do at once."""
        for each in self.when_idle:
            each()
        left = [more() for more in self.while_idle]
        return any(left)


def open_forgetting(parts: WriterParts, journey: Journey) -> tuple[FileEraser, Forgetting]:
    """Return what erases words from files, and what erases memories everywhere."""
    files, settings = parts.files, parts.settings
    eraser = FileEraser(
        files.root, settings.inbox, files.rejections, files.journal, backup_folder(settings), backup_passphrase(settings)
    )
    return eraser, Forgetting(parts.stores, eraser, parts.next_index_seq, partial(_rewrite, files, journey))


def open_jobs(parts: WriterParts, eraser: FileEraser, forgetting: Forgetting, extractor: Extractor) -> Jobs:
    """Return all jobs. What they decide goes through the journal, and rings like everything else."""
    settings, files, stores, next_index_seq = parts.settings, parts.files, parts.stores, parts.next_index_seq
    journal, catalogue, clock, logs, judge = files.journal, files.catalogue, stores.clock, parts.storage.logs, parts.model.judge
    ring, index = parts.queue.ring_bulk, files.root / "index"
    changed_over = partial(
        _changed_over, settings.embed_model, stores.spaces, files.embeddings, parts.engines.drop_dense, parts.place
    )
    return Jobs(
        eraser=eraser,
        forgetting=forgetting,
        catch_up=CatchUp(stores, next_index_seq),
        glossing=GlossingAnew(index / "glosses.json", stores, next_index_seq, settings.embed_glosses),
        remaking=RemakeVectors(stores, next_index_seq, changed_over),
        trash=TrashEmptying(
            files.atoms, journal, clock, timedelta(days=settings.trash_days), partial(_forget_expired, journal, clock, ring)
        ),
        statuses=StatusPass(catalogue, journal, logs.migrations, clock, judge, ring, at_once=parts.pace.migrated_at_once),
        judging=LateJudging(index / "judged.json", stores, judge, clock, ring),
        again=ReadAgain(journal, extractor, clock, ring),
        counting=RecallCounting(journal, logs, clock, ring),
        reflection=Reflection(
            reflection_wanted(settings),
            parts.models.synthesis,
            Material(catalogue, stores.lexical, stores.spaces, files.graph),
            Commands(journal, clock, ring),
            logs.reflections,
        ),
        hands=HandEdits(stores, files.graph, next_index_seq),
    )


def rounds_of(
    parts: WriterParts,
    jobs: Jobs,
    backups: BackupKeeper,
    long_lived: LongLived,
    summary: SummaryFile | None,
    on_progress: OnProgress,
) -> Rounds:
    """Return the jobs in their order."""
    files, shelf, next_index_seq = parts.files, parts.shelf, parts.next_index_seq
    days = DaysCome(
        files.root / "index" / "days.json", parts.stores, parts.model.judge, parts.stores.clock, parts.queue.ring_bulk
    )
    return Rounds(
        at_start=(
            jobs.eraser.again,
            jobs.glossing.begin,
            lambda: repair(parts.stores, files.graph, on_progress),
            jobs.judging.begin,
            days.begin,
            jobs.trash.empty,
            files.graph.refresh,
            jobs.statuses.begin,
            long_lived.loaded,
        ),
        after_commit=(long_lived.committed, jobs.catch_up.if_behind),
        when_idle=(
            jobs.trash.now_and_then,
            jobs.forgetting.now_and_then,
            jobs.catch_up.now_and_then,
            lambda: files.write_subjects(only_if_due=True),
            jobs.again.look,
            days.look,
            jobs.counting.look,
            jobs.reflection.look,
            backups.look,
            SpareMemory(time.monotonic, parts.stores.catalogue.trim_memory).now_and_then,
            *((partial(_write_summary, summary),) if summary else ()),
        ),
        while_idle=(
            jobs.judging.look,
            jobs.glossing.look,
            lambda: shelf.make_more(next_index_seq()),
            lambda: shelf.embed(next_index_seq()),
            jobs.remaking.look,
            jobs.statuses.look,
        ),
    )


def open_summary(parts: WriterParts, timings: Timings, failures: Failures) -> SummaryFile | None:
    """Return the file of counts that the owner may show to others; None where the settings do not ask for it."""
    if not parts.settings.telemetry:
        return None
    counted = partial(_counted, parts, records_of(parts.storage), timings, failures, parts.stores.clock.now())
    return SummaryFile(parts.files.root, parts.stores.clock, counted)


def _counted(parts: WriterParts, records: Records, timings: Timings, failures: Failures, since: datetime) -> dict[str, object]:
    stats = stats_of(since, parts.stores.clock.now(), timings, failures.counts(), parts.files.catalogue.columns())
    return {**asdict(records.summary()), **asdict(stats)}


def _rewrite(files: WriterFiles, journey: Journey) -> None:
    """Write anew what names memories that were erased."""
    files.write_subjects()
    journey.forget_conversations()


def _write_summary(summary: SummaryFile) -> None:
    """Write the summary; an error here is logged and stops nothing else."""
    try:
        summary.write_if_due()
    except Unavailable:
        log.warning("log_not_written", log="telemetry")


def _forget_expired(journal: Journal, clock: Clock, ring: Callable[[str], None], action: ForgetAtoms) -> None:
    command_id, _ = journal.append(Command(clock.new_id(), clock.now(), action, TRASH))
    ring(command_id)


def _changed_over(
    model: str,
    spaces: VectorSpaces,
    record: EmbeddingRecordFile,
    drop: Callable[[DenseIndex, str], None],
    place: str,
    former: VectorSpace | None,
) -> None:
    """Record which vectors are searched now, and remove those of `place`, which were searched before."""
    now = spaces.serving
    if now is not None:
        made_by = now.embedder
        record.write(EmbeddingRecord(model, made_by.model_id, made_by.dimension, place_of(made_by.model_id)))
    if former is not None:
        drop(former.dense, place)
