"""The embedded product on a disk that cannot be written: it reads, and becomes the writer when there is room. Part of the
composition root.

Whoever finds the disk full wants to know what to throw away, and whoever mounted a copy read-only wants to look something up. So
questions are answered and browsers signed in, new captures are refused with the reason, and every few seconds the disk is tried.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.embedded.shadow import Shadow, make_shadow
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.upload import FileUpload
from lattice_common.adapters.files.writer_lock import HeldAgainstWriters
from lattice_common.adapters.models.open_language_model import ModelsInUse, open_language_model
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition.engines import Engines, own_engines
from lattice_common.composition.models import Model, load_model, place_in_use
from lattice_common.composition.product import Surroundings, lattice_over, recall_over, status_over
from lattice_common.composition.storage import Storage, passages_path, storage_on_files
from lattice_common.composition.writer import Embedded, open_embedded
from lattice_common.domain.capture import Entry, Priority
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.lattice import Lattice
from lattice_common.logs import carried, logger
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.journal import Upload
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings
from lattice_common.upkeep.rebuild import OnProgress
from lattice_common.upkeep.status import Readiness, Status

log = logger(__name__)

LOOK_SECONDS = 5.0
"""Seconds between two tries of the disk."""
STORAGE = 507
"""The HTTP status for a disk that cannot be written."""
_PROBE = bytes(64 * 1024)


class ReadingOnly:
    """The product without a writer. A context manager, as `Embedded` is."""

    def __init__(self, lattice: Lattice, root: Path, why: str, close: Callable[[], None]) -> None:
        self.lattice = lattice
        self.reads_only: str | None = why
        self.room_again = False
        """Whether it ended because the disk can be written now: its server then opens the folder anew."""
        self._root = root
        self._close = close
        self._told: Callable[[], None] = lambda: None
        self._closing = threading.Event()
        self._looking = threading.Thread(target=carried(self._look), name="lattice-room", daemon=True)

    def when_broken(self, told: Callable[[], None]) -> None:
        """Call `told` when the folder has to be opened anew."""
        self._told = told

    def trouble(self) -> str | None:
        """Return None: what a reader lacks it said at its start."""
        return None

    def start(self) -> None:
        self._looking.start()

    def close(self) -> None:
        self._closing.set()
        if self._looking.is_alive():
            self._looking.join()
        self._close()

    def __enter__(self) -> ReadingOnly:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _look(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            if can_be_written(self._root):
                log.info("store_writable_again")
                self.room_again = True
                self._told()
                return


def open_as_it_can(
    settings: Settings, *, model: Model | None = None, on_progress: OnProgress = lambda *_: None
) -> Embedded | ReadingOnly:
    """Return what `open_embedded` returns; or, where the disk cannot be written and the folder holds a memory, a reader of it.
    Raise as `open_embedded` does."""
    why = durable.trouble_in(settings.data_dir) if _is_there(settings) else None
    if why is None:
        try:
            return open_embedded(settings, model=model, on_progress=on_progress)
        except Unavailable as error:
            if error.status != STORAGE or not _is_there(settings):
                raise
            why = str(error.__cause__ or error)
    return open_reading_only(settings, why, model=model)


def can_be_written(root: Path) -> bool:
    """Return whether 64 KB can be written: quotas and failing disks show only when something is written."""
    probe = root / f".room{durable.TEMPORARY_MARK}probe"
    try:
        if durable.trouble_in(root) is not None:
            return False
        durable.write(probe, _PROBE)
        durable.remove(probe)
    except Unavailable:
        return False
    return True


def _is_there(settings: Settings) -> bool:
    try:
        return (settings.data_dir / "index" / "catalogue.sqlite").is_file()
    except PermissionError:  # a folder of somebody else: opening it says so
        return False


class RefusingJournal(FileJournal):
    """A journal that takes nothing, not even what an almost full disk would take: nobody would process it, and its sender would
    wait in vain."""

    def __init__(self, root: Path, why: str) -> None:
        super().__init__(root)
        self._why = why

    def append(self, entry: Entry, upload: Upload | None = None) -> tuple[str, bool]:  # noqa: ARG002 - as the port has it
        raise Unavailable(f"Nothing can be kept now: {self._why}.", status=STORAGE)

    def upload(self) -> FileUpload:
        raise Unavailable(f"Nothing can be kept now: {self._why}.", status=STORAGE)


class NobodyToRing:
    """A queue for a product without a writer. New captures are refused before they ring; earlier ones are found by the next
    writer."""

    def ring(self, entry_id: str, priority: Priority) -> bool:  # noqa: ARG002 - as the port has it
        return False


def open_reading_only(settings: Settings, why: str, *, model: Model | None = None) -> ReadingOnly:
    """Open the data folder for reading. Raise `Conflict` when a writer has the folder, `Unavailable` where nothing can be
    searched."""
    os.umask(0o077)
    held = HeldAgainstWriters(settings.data_dir)
    try:
        parts = _open_parts(settings, why, model or load_model(settings), held)
        return _over(parts)
    except BaseException:
        held.release()
        raise


@dataclass(frozen=True, slots=True)
class _Parts:
    """The open parts of a folder that cannot be written; `why` says the reason, `shadow` holds the engines."""

    settings: Settings
    why: str
    storage: Storage
    catalogue: SqliteCatalogue
    passages: SqlitePassages
    graph: EmbeddedGraph
    engines: Engines
    serving: VectorSpace | None
    model: Model
    models: ModelsInUse
    shadow: Shadow
    held: HeldAgainstWriters

    def status(self) -> Status:
        return replace(
            status_over(self.settings, self.storage, self.engines, self.models, self.serving),
            degraded=(f"writing: {self.why}; what was changed since the last start is not seen", *self.model.degraded),
            writer=f"reads only: {self.why}",
        )

    def readiness(self) -> Readiness:
        model = self.model
        parts = {
            "journal": durable.trouble_in(self.settings.data_dir / "journal") or self.why,
            "writer": f"reads only: {self.why}",
            "inbox": "nothing is taken: the disk cannot be written",
            "lexical": "up",
            "dense": model.missing or ("up" if self.engines.dense else "off"),
            "judge": model.judge_missing or ("up" if model.judge else "off"),
            "language_model": self.models.readiness(),
        }
        return Readiness(ready=False, parts=parts)

    def close(self) -> None:
        self.models.close()
        self.catalogue.close()
        self.passages.close()
        self.engines.close()
        self.graph.close()
        self.shadow.remove()
        self.held.release()


def _open_parts(settings: Settings, why: str, model: Model, held: HeldAgainstWriters) -> _Parts:
    root = settings.data_dir
    journal = RefusingJournal(root, why)
    clock = SystemClock(after=journal.newest())
    with loading():
        catalogue = SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)
        catalogue.count()  # reads all of it
        graph = EmbeddedGraph(root)
    shadow = make_shadow(root)
    embedder, place = place_in_use(settings, model)
    if shadow.without is not None:
        embedder, model = None, replace(model, embedder=None, missing=shadow.without)
    engines = own_engines(settings.model_copy(update={"data_dir": shadow.folder}), embedder, place)
    serving = VectorSpace(embedder, engines.dense) if embedder and engines.dense else None
    passages = SqlitePassages(passages_path(root), follows=True)
    storage = storage_on_files(settings, clock, journal=journal, catalogue=catalogue, passages=passages)
    models = open_language_model(settings, clock)
    return _Parts(settings, why, storage, catalogue, passages, graph, engines, serving, model, models, shadow, held)


def _over(parts: _Parts) -> ReadingOnly:
    settings, storage = parts.settings, parts.storage
    recall = recall_over(settings, storage, parts.engines, parts.graph, parts.model, parts.models, lambda: parts.serving)
    journey = Journey(storage.logs.chat, storage.clock)
    around = Surroundings(NobodyToRing(), parts.graph, journey, Failures(), parts.status, parts.readiness)
    lattice = lattice_over(settings, storage, parts.engines, recall, around)
    LongLived().loaded()
    log.warning("store_read_only", atoms=parts.catalogue.count())
    return ReadingOnly(lattice, settings.data_dir, parts.why, parts.close)
