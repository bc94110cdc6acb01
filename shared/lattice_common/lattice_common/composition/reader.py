"""The product of a deployment's API, which only reads. Part of the composition root.

The worker runs `writer.open_writer`, the same writer as the embedded product's with other engines. The reader appends to the
journal, rings, and reads what the worker wrote; it has nothing that could write an atom.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import orjson

from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.embedding_record import EmbeddingRecordFile
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.per_day import note_start
from lattice_common.adapters.models.open_language_model import ModelsInUse, open_language_model
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition.engines import Engines, server_engines, vector_spaces
from lattice_common.composition.models import Model, load_model, place_in_use
from lattice_common.composition.product import Surroundings, lattice_over, recall_over, status_over
from lattice_common.composition.storage import Storage, passages_path, storage_on_files
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.language.glosses.lexicon import read_lexicons
from lattice_common.lattice import Lattice
from lattice_common.logs import logger
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.ports.graph import Graph
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings
from lattice_common.upkeep.status import Readiness, Status

if TYPE_CHECKING:
    from lattice_common.adapters.server.celery_app import CeleryQueue

log = logger(__name__)

AWAY_AFTER_SECONDS = 30.0
"""The worker counts as away after this many seconds without a heartbeat; it sends one every five seconds."""


class Reader:
    """The product of the API. A context manager: leaving it closes the connections."""

    reads_only: str | None = None
    """Always None: on a disk that cannot be written it starts as usual, and refuses captures when they come."""
    room_again = False

    def __init__(self, lattice: Lattice, close: Callable[[], None]) -> None:
        self.lattice = lattice
        self.close = close

    def when_broken(self, told: Callable[[], None]) -> None:
        """Do nothing: only the worker's process is restarted when its writer breaks."""

    def trouble(self) -> str | None:
        """Return None; see `when_broken`."""
        return None

    def start(self) -> None:
        """Do nothing: the worker writes, in its own container."""

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Parts:
    """The open parts of a deployment's folder, and the clients of its servers."""

    settings: Settings
    storage: Storage
    catalogue: SqliteCatalogue
    passages: SqlitePassages
    engines: Engines
    graph: Graph
    spaces: VectorSpaces
    embeddings: EmbeddingRecordFile
    model: Model
    models: ModelsInUse
    queue: CeleryQueue
    long_lived: LongLived

    def serving(self) -> VectorSpace | None:
        """Return the vectors that are searched, after changing over to those of another model where the worker says that they are
        whole."""
        spaces = self.spaces
        if spaces.coming is not None:
            record = self.embeddings.latest()
            if record is not None and record.model_id == spaces.coming.embedder.model_id:
                spaces.change_over()
        return spaces.serving

    def writer(self) -> tuple[str, Mapping[str, Any]]:
        """Return the state of the worker, as a word or a sentence, and its last heartbeat."""
        try:
            beat: dict[str, Any] = orjson.loads(durable.read_derived(self.settings.data_dir / "index" / "writer.json"))
            age, state = time.time() - float(beat["at"]), str(beat["stuck"] or beat["paused"] or beat["state"])
        except (OSError, ValueError, KeyError, TypeError):  # there is none yet, or the disk changed it: the next one comes soon
            return "not started", {}
        if age > AWAY_AFTER_SECONDS:
            return "away: what is told is kept, and remembered when it is back", beat
        return state, beat

    def unsearched(self) -> tuple[str, ...]:
        """Return what the worker says cannot be found yet."""
        return tuple(self.writer()[1].get("unsearched", ()))

    def failures_of_the_worker(self) -> Mapping[str, int]:
        failures: Mapping[str, int] = self.writer()[1].get("failures", {})
        return failures

    def status(self) -> Status:
        state, beat = self.writer()
        away = tuple(f"{name}: {why}" for name, ping in self.engines.pings.items() if (why := _up(ping)) != "up")
        return replace(
            status_over(self.settings, self.storage, self.engines, self.models, self.serving()),
            # Known to the worker only: files that cannot be read, and engines that are being brought up to date.
            degraded=(*away, *beat.get("lacking", ())),
            inbox=beat.get("inbox", {}),
            writer=state,
            judging_behind=beat.get("judging_behind", 0),
        )

    def readiness(self) -> Readiness:
        state, beat = self.writer()
        inbox = [each.removeprefix("inbox: ") for each in beat.get("lacking", ()) if each.startswith("inbox: ")]
        found = {
            "journal": durable.trouble_in(self.settings.data_dir / "journal") or "up",
            "writer": "up" if state in ("idle", "working") else state,
            "inbox": inbox[0] if inbox else "up",
        }
        found |= {name: _up(ping) for name, ping in self.engines.pings.items()}
        found["dense"] = self.model.missing or found.get("dense", "off")
        found["judge"] = self.model.judge_missing or ("up" if self.model.judge else "off")
        found["queue"] = "up" if self.queue.reached else "away: the worker looks for work every half minute"
        found["language_model"] = self.models.readiness()
        return Readiness(ready=found["writer"] == found["journal"] == "up", parts=found)

    def close(self) -> None:
        self.long_lived.closed()
        self.queue.close()
        self.engines.close()
        self.models.close()
        self.catalogue.close()
        self.passages.close()


def open_reader(settings: Settings, *, model: Model | None = None) -> Reader:
    """Open a deployment's data folder for reading, and its engines. No engine needs to be up: one that is away is reported, and
    used once it is back. The models are loaded where `model` is not given."""
    os.umask(0o077)
    parts = _open_parts(settings, model)
    storage = parts.storage
    recall = recall_over(
        settings,
        storage,
        parts.engines,
        parts.graph,
        parts.model,
        parts.models,
        parts.serving,
        unsearched=parts.unsearched,
    )
    around = Surroundings(
        parts.queue,
        parts.graph,
        Journey(storage.logs.chat, storage.clock),
        Failures(),
        parts.status,
        parts.readiness,
        parts.failures_of_the_worker,
    )
    lattice = lattice_over(settings, storage, parts.engines, recall, around)
    parts.long_lived.loaded()
    log.info("store_opened", atoms=parts.catalogue.count(), epoch=0)
    note_start(settings.data_dir, storage.clock.now())
    return Reader(lattice, parts.close)


def _open_parts(settings: Settings, model: Model | None) -> _Parts:
    # Importing Celery takes a third of a second, which the embedded product must not pay.
    from lattice_common.adapters.server.celery_app import CeleryQueue, celery_app

    root = settings.data_dir
    journal = FileJournal(root)
    clock = SystemClock(after=journal.newest())
    with loading():
        catalogue = SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)
        catalogue.count()  # reads all of it, where it is there
        model = model or load_model(settings)
        read_lexicons()
    embedder, place = place_in_use(settings, model)
    engines = server_engines(settings, embedder, writes=False, place=place, wanted=model.embedder)
    if engines.graph is None:
        raise AssertionError("server engines have a graph")
    passages = SqlitePassages(passages_path(root), follows=True)
    storage = storage_on_files(settings, clock, journal=journal, catalogue=catalogue, passages=passages)
    return _Parts(
        settings,
        storage,
        catalogue,
        passages,
        engines,
        engines.graph,
        vector_spaces(engines, model),
        EmbeddingRecordFile(root),
        model,
        open_language_model(settings, clock),
        CeleryQueue(celery_app(settings.redis_address()), settings.index_name),
        LongLived(),
    )


def _up(ask: Callable[[], None]) -> str:
    try:
        ask()
    except Unavailable as error:
        return str(error)
    return "up"
