"""The composition root of server mode, for those who read: the API's side of a deployment.

The worker is `wiring.open_writer`, the same writer as in the embedded product with other engines. Here is what asks: it appends
to the journal, rings, and reads what the worker wrote; nothing here could write an atom.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import orjson

from lattice_common import __version__
from lattice_common.adapters.embedded.garbage import LongLived, loading
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_fields import to_fields
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.embedding_record import EmbeddingRecordFile
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.adapters.models.open_language_model import open_language_model
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.building import (
    graph_files,
    load_model,
    open_forgettable,
    open_logs,
    open_records,
    open_traces,
    open_trash,
    place_in_use,
    recall_of,
    reflection_wanted,
    vector_spaces,
)
from lattice_common.engines import server_engines
from lattice_common.errors import Unavailable
from lattice_common.failures import Failures
from lattice_common.language.glosses.lexicon import read_lexicons
from lattice_common.lattice import Lattice, Parts
from lattice_common.logs import logger
from lattice_common.ports.dense_index import VectorSpace
from lattice_common.recall.journey import Journey
from lattice_common.settings import Settings
from lattice_common.upkeep.reflection import reflection_state
from lattice_common.upkeep.status import Readiness, Status, status_of
from lattice_common.upkeep.status_pass import progress_of

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


def open_reader(settings: Settings) -> Reader:
    """Open a deployment's data folder for reading, and its engines. None of them needs to be up: what is away is said, and used
    when it is there."""
    # Celery takes a third of a second to import, which the embedded product shall not wait for.
    from lattice_common.adapters.server.celery_app import CeleryQueue, celery_app

    root = settings.data_dir
    os.umask(0o077)
    journal = FileJournal(root)
    clock = SystemClock(after=journal.newest())
    with loading():
        catalogue = SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)
        known = catalogue.count()  # reads all of it, where it is there
        model = load_model(settings)
        read_lexicons()
    rejections = FileRejectionLog(root)
    embedder, place = place_in_use(settings, model)
    engines = server_engines(settings, embedder, writes=False, place=place, wanted=model.embedder)
    passages = SqlitePassages(root / "index" / "passages" / "passages.sqlite", follows=True)
    spaces = vector_spaces(engines, model)
    embeddings = EmbeddingRecordFile(root)

    def serving() -> VectorSpace | None:
        """The worker says when the vectors of another model are whole."""
        if spaces.coming is not None:
            record = embeddings.latest()
            if record is not None and record.model_id == spaces.coming.embedder.model_id:
                spaces.change_over()
        return spaces.serving

    if engines.graph is None:
        raise AssertionError("server engines have a graph")
    models = open_language_model(settings, clock)
    queue = CeleryQueue(celery_app(settings.redis_address()))
    recall = recall_of(settings, catalogue, engines, engines.graph, model, models, clock, serving, passages)
    logs = open_logs(settings)
    heartbeat = root / "index" / "writer.json"

    def writer() -> tuple[str, Mapping[str, Any]]:
        """How the worker is, in a word or a sentence, and its last heartbeat."""
        try:
            beat: dict[str, Any] = orjson.loads(heartbeat.read_bytes())
        except (OSError, orjson.JSONDecodeError):
            return "not started", {}
        if time.time() - beat["at"] > AWAY_AFTER_SECONDS:
            return "away: what is told is kept, and remembered when it is back", beat
        return str(beat["stuck"] or beat["paused"] or beat["state"]), beat

    def parts() -> dict[str, str]:
        state, beat = writer()
        inbox = [each.removeprefix("inbox: ") for each in beat.get("lacking", ()) if each.startswith("inbox: ")]
        found = {
            "journal": durable.trouble_in(root / "journal") or "up",
            "writer": "up" if state in ("idle", "working") else state,
            "inbox": inbox[0] if inbox else "up",
        }
        found |= {name: _up(ping) for name, ping in engines.pings.items()}
        found["dense"] = model.missing or found.get("dense", "off")
        found["judge"] = model.judge_missing or ("up" if model.judge else "off")
        found["queue"] = "up" if queue.reached else "away: the worker looks for work every half minute"
        found["language_model"] = models.readiness()
        return found

    def status() -> Status:
        state, beat = writer()
        away = tuple(f"{name}: {why}" for name, ping in engines.pings.items() if (why := _up(ping)) != "up")
        return replace(
            status_of(catalogue, journal, clock),
            engines=dict(engines.names),
            model=space.embedder.model_id if (space := serving()) else None,
            versions={"lattice": __version__},
            # What only the worker knows: files that cannot be read, engines that it still brings up to date.
            degraded=(*away, *beat.get("lacking", ())),
            inbox=beat.get("inbox", {}),
            writer=state,
            language_model=models.state(),
            reflection=reflection_state(reflection_wanted(settings), logs.reflections, clock.now()),
            migration=progress_of(logs.migrations),
            judging_behind=beat.get("judging_behind", 0),
        )

    def readiness() -> Readiness:
        found = parts()
        return Readiness(ready=found["writer"] == found["journal"] == "up", parts=found)

    long_lived = LongLived()

    def close() -> None:
        long_lived.closed()
        queue.close()
        engines.close()
        models.close()
        catalogue.close()
        passages.close()

    lattice = Lattice(
        Parts(
            journal=journal,
            queue=queue,
            progress=engines.progress,
            catalogue=catalogue,
            graph=engines.graph,
            rejections=rejections,
            recall=recall,
            passages=passages,
            journey=Journey(logs.chat, clock),
            traces=open_traces(settings, logs, clock, recall.timings),
            failures=Failures(),
            graph_files=lambda: graph_files(root),
            failed_elsewhere=lambda: writer()[1].get("failures", {}),
            records=open_records(settings, logs, catalogue, clock),
            clock=clock,
            status=status,
            readiness=readiness,
            forgettable=open_forgettable(settings, catalogue, journal, logs, clock, recall, passages),
            in_trash=open_trash(settings, AtomFiles(root), journal),
            atom_fields=to_fields,
            max_text_bytes=settings.max_text_bytes,
            max_file_bytes=settings.max_file_bytes,
            text_files_are_notes=settings.text_files == "notes",
        )
    )
    long_lived.loaded()
    log.info("store_opened", atoms=known, epoch=0)
    return Reader(lattice, close)


def _up(ask: Callable[[], None]) -> str:
    try:
        ask()
    except Unavailable as error:
        return str(error)
    return "up"
