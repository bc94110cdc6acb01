"""The product of the API of a deployment, which only reads. A part of the composition root.

The worker is `writer.open_writer`, the same writer as in the embedded product with other engines. Here is what asks: it appends
to the journal, rings, and reads what the worker wrote; nothing here could write an atom.
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
"""Without a heartbeat for this long the worker is away; it beats every five seconds."""


class Reader:
    """The product as the API has it. A context manager: leaving it lets go of the connections."""

    reads_only: str | None = None
    """It starts on a disk that takes nothing as on any other, and says so when something is told."""
    room_again = False

    def __init__(self, lattice: Lattice, close: Callable[[], None]) -> None:
        self.lattice = lattice
        self.close = close

    def when_broken(self, told: Callable[[], None]) -> None:
        """The worker's own process is ended and started again, this one goes on."""

    def trouble(self) -> str | None:
        """See `when_broken`."""
        return None

    def start(self) -> None:
        """There is nothing to start: the worker writes, in a container of its own."""

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class _Parts:
    """What is open of a deployment's folder and its servers."""

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
        """Return how the worker is, in a word or a sentence, and its last heartbeat."""
        try:
            beat: dict[str, Any] = orjson.loads((self.settings.data_dir / "index" / "writer.json").read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return "not started", {}
        if time.time() - beat["at"] > AWAY_AFTER_SECONDS:
            return "away: what is told is kept, and remembered when it is back", beat
        return str(beat["stuck"] or beat["paused"] or beat["state"]), beat

    def failures_of_the_worker(self) -> Mapping[str, int]:
        failures: Mapping[str, int] = self.writer()[1].get("failures", {})
        return failures

    def status(self) -> Status:
        state, beat = self.writer()
        away = tuple(f"{name}: {why}" for name, ping in self.engines.pings.items() if (why := _up(ping)) != "up")
        return replace(
            status_over(self.settings, self.storage, self.engines, self.models, self.serving()),
            # What only the worker knows: files that cannot be read, engines that it still brings up to date.
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
    """Open a deployment's data folder for reading, and its engines. None of them needs to be up: what is away is said, and used
    when it is there. `model` is loaded where it is not given."""
    os.umask(0o077)
    parts = _open_parts(settings, model)
    storage = parts.storage
    recall = recall_over(settings, storage, parts.engines, parts.graph, parts.model, parts.models, parts.serving)
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
    return Reader(lattice, parts.close)


def _open_parts(settings: Settings, model: Model | None) -> _Parts:
    # Celery takes a third of a second to import, which the embedded product shall not wait for.
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
