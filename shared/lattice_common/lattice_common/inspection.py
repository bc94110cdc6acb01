"""A data folder inspected without changing it, whether or not its product runs.

Opening an engine may mend it, or empty it; so derived state is copied to a temporary folder first, and the copy is opened.
Canonical files are read in place: nothing here opens them for writing. A copy taken while the writer commits may be torn, so it
is taken again when the graph's manifest or the catalogue changed meanwhile.

For a deployment a reader asks the servers instead.

The engines are imported by the doctor only: `lc status` with the server away must not wait a second for what it does not need.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from platformdirs import user_cache_path

from lattice_common import __version__
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_fields import to_fields
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.embedding_record import UNNAMED, EmbeddingRecord, EmbeddingRecordFile
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.line_log import Logs
from lattice_common.upkeep.learn import examples
from lattice_common.upkeep.status import Status, status_of

if TYPE_CHECKING:
    from lattice_common.ports.dense_index import DenseIndex
    from lattice_common.settings import Settings
    from lattice_common.upkeep.calibration import Calibrated
    from lattice_common.upkeep.doctor import Area, Examined, Finding, Patient
    from lattice_common.upkeep.rebuild import OnProgress

LOOKS = 3
"""How often a finding is checked while the writer commits: only what is found each time is reported."""
COPIES = 5
"""Tries at a copy without a commit in between; the writer is never that busy for long."""


@dataclass(frozen=True, slots=True)
class Inspection:
    """Read access to a folder from outside. `copy` is the folder of the engines' copies."""

    root: Path
    copy: Path
    catalogue: SqliteCatalogue
    journal: FileJournal

    def status(self) -> Status:
        """Return the status as it was last written; engines and model are those of a running product only."""
        found = status_of(self.catalogue, self.journal, SystemClock())
        return replace(found, versions={"lattice": __version__}, writer="not running")

    def export(self) -> Iterator[dict[str, JsonValue]]:
        """Return every atom as the fields of its file and its content, in order of writing."""
        return ({**to_fields(atom), "content": atom.content} for atom in self.catalogue.all())

    def examples(self) -> Iterator[dict[str, JsonValue]]:
        """Yield labelled examples from the owner's later corrections; see `upkeep.learn`."""
        logs = {
            name: FileLineLog(self.root, name) for name in ("chat", "usage", "feedback", "reflections", "migrations", "intents")
        }
        return examples(self.journal, self.catalogue, Logs(folded=FileLineLog(self.root, "usage-folded"), **logs))

    def examine(self, on_progress: OnProgress, *, exact_limit: int) -> Examined:
        """Examine a folder that was copied whole; see `upkeep.doctor`. `exact_limit` is the setting of the dense index."""
        from lattice_common.upkeep.doctor import examine

        with self.patient(exact_limit=exact_limit) as patient:
            return examine(patient, on_progress)

    @contextlib.contextmanager
    def patient(self, *, exact_limit: int, embeds: bool = False) -> Iterator[Patient]:
        """Open what the doctor examines, of a folder that was copied whole. Where it `embeds`, there have to be vectors
        of the model in use."""
        from lattice_common.adapters.embedded.graph import EmbeddedGraph
        from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
        from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
        from lattice_common.composition.engines import PASSAGES, dense_folder
        from lattice_common.upkeep.doctor import REBUILD, Finding, Opened, Patient, Shelved

        index = self.copy / "index"
        record = EmbeddingRecordFile(self.root).latest()
        with contextlib.ExitStack() as opened:
            lexical = opened.enter_context(contextlib.closing(TantivyLexicalIndex(index / "lexical")))
            graph = opened.enter_context(contextlib.closing(EmbeddedGraph(self.copy)))
            dense, vectors = _dense(dense_folder(self.copy, record.place if record else UNNAMED), exact_limit, "dense", record)
            if dense is None and not vectors and record is not None and embeds:
                vectors = (Finding("dense", "the index", "it is not there", REBUILD),)
            if dense is not None:
                opened.callback(dense.close)
            beside, passage_vectors = _dense(index / PASSAGES / "dense", exact_limit, "passages", None)
            if beside is not None:
                opened.callback(beside.close)
            passages = opened.enter_context(
                contextlib.closing(SqlitePassages(index / PASSAGES / "passages.sqlite", follows=True))
            )
            words = opened.enter_context(contextlib.closing(TantivyLexicalIndex(index / PASSAGES / "lexical")))
            graph.refresh()
            records, count = _records(self.root, self.root)
            yield Patient(
                AtomFiles(self.root),
                self.journal,
                self.catalogue,
                lexical,
                dense,
                graph,
                now=SystemClock().now(),
                shelf=Shelved(passages, words),
                chat=FileLineLog(self.root, "chat"),
                opened=Opened((*records, *_pages(self.root, index), *vectors, *passage_vectors), count),
                differing=self.catalogue.differing,
            )


@contextlib.contextmanager
def inspect(root: Path, *, whole: bool = True) -> Iterator[Inspection]:
    """Copy derived state of the folder `root` (only the catalogue, unless the `whole` is asked for), and open it there."""
    with tempfile.TemporaryDirectory(prefix="lattice-") as folder:
        copy = Path(folder)
        _copy(root, copy, whole=whole)
        catalogue = SqliteCatalogue(copy / "index" / "catalogue.sqlite")
        try:
            yield Inspection(root, copy, catalogue, FileJournal(root))
        finally:
            catalogue.close()


def look_through(settings: Settings, on_progress: OnProgress, *, deep: bool = False) -> Examined:
    """Examine a folder whose product may run, in either mode; see `upkeep.doctor`, and with `deep` `upkeep.deep_doctor`."""
    from lattice_common.upkeep.deep_doctor import examine_deeply
    from lattice_common.upkeep.doctor import examine

    look = examine_deeply if deep else examine
    believed: list[Finding] | None = None
    for _ in range(LOOKS):
        before = _marks(settings.data_dir)
        with _patient(settings) as patient:
            examined = look(patient, on_progress)
        believed = [each for each in examined.findings if believed is None or each in believed]
        if not believed or _marks(settings.data_dir) == before:
            break
    return replace(examined, findings=tuple(believed or ()))


def calibrated(settings: Settings, on_progress: OnProgress) -> Calibrated:
    """Calibrate on a folder whose product may run, in either mode; see `upkeep.calibration`. Raise `Unavailable` without a
    model."""
    from lattice_common.adapters.embedded.graph import EmbeddedGraph
    from lattice_common.adapters.models import packaged_minilm
    from lattice_common.adapters.models.open_embedder import open_embedder
    from lattice_common.composition.engines import own_engines, server_engines
    from lattice_common.recall.pipeline import Recall, RecallOptions
    from lattice_common.recall.weights import load_weights
    from lattice_common.upkeep.calibration import Thresholds, calibrate

    root, cache_dir = settings.data_dir, user_cache_path("lattice") / "models"
    record = EmbeddingRecordFile(root).latest()
    in_use, place = (record.model, record.place) if record else (settings.embed_model, UNNAMED)
    embedder = open_embedder(in_use, cache_dir=cache_dir, threads=settings.embed_threads, glosses=settings.embed_glosses)
    reference = open_embedder(packaged_minilm.NAME, cache_dir=cache_dir, threads=settings.embed_threads)
    if embedder is None or reference is None:
        raise Unavailable("Without an embedding model there is nothing to calibrate: set LATTICE_EMBED_MODEL, and start Lattice.")
    with contextlib.ExitStack() as stack:
        if settings.mode == "server":
            engines = server_engines(settings, embedder, writes=False, place=place)
            followed = SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)
            catalogue: CatalogueReader = stack.enter_context(contextlib.closing(followed))
            graph = stack.enter_context(contextlib.closing(EmbeddedGraph(root)))
        else:
            copied = stack.enter_context(inspect(root))
            engines = own_engines(settings.model_copy(update={"data_dir": copied.copy}), embedder, place)
            catalogue = copied.catalogue
            graph = stack.enter_context(contextlib.closing(EmbeddedGraph(copied.copy)))
        stack.callback(engines.close)
        graph.refresh()
        recall = Recall(
            catalogue, engines.lexical, engines.dense, embedder, graph, SystemClock(), RecallOptions(), load_weights()
        )
        used = Thresholds(settings.similarity_duplicate, settings.similarity_updates, settings.similarity_related)
        fields = type(settings).model_fields
        fitted = Thresholds(*(float(fields[f"similarity_{name}"].default) for name in ("duplicate", "updates", "related")))
        return calibrate(list(catalogue.all()), recall.select, embedder, reference, used, fitted, on_progress)


@contextlib.contextmanager
def _patient(settings: Settings) -> Iterator[Patient]:
    if settings.mode == "server":
        with _on_servers(settings) as patient:
            yield patient
        return
    from lattice_common.adapters.models.open_embedder import NO_MODEL

    limit, embeds = settings.dense_exact_limit, settings.embed_model != NO_MODEL
    with inspect(settings.data_dir) as inspection, inspection.patient(exact_limit=limit, embeds=embeds) as patient:
        yield patient


@contextlib.contextmanager
def _on_servers(settings: Settings) -> Iterator[Patient]:
    """Open what the doctor examines through a reader: it can change nothing on the servers and writes nothing in the folder, so
    no copy is needed."""
    from lattice_common.adapters.embedded.graph import EmbeddedGraph
    from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
    from lattice_common.adapters.models.open_embedder import open_embedder
    from lattice_common.composition.engines import PASSAGES, server_engines
    from lattice_common.upkeep.doctor import Opened, Patient, Shelved

    root = settings.data_dir
    record = EmbeddingRecordFile(root).latest()
    try:
        # Qdrant's collections are of one model each; one that is not here cannot be asked for.
        in_use = record.model if record else settings.embed_model
        embedder = open_embedder(in_use, cache_dir=user_cache_path("lattice") / "models", threads=1)
    except (Unavailable, Corrupt):
        embedder = None
    with contextlib.ExitStack() as stack:
        engines = server_engines(settings, embedder, writes=False, place=record.place if record else UNNAMED)
        stack.callback(engines.close)
        catalogue = stack.enter_context(contextlib.closing(SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)))
        graph = stack.enter_context(contextlib.closing(EmbeddedGraph(root)))
        passages = SqlitePassages(root / "index" / PASSAGES / "passages.sqlite", follows=True)
        stack.callback(passages.close)
        records, count = _records(root, settings.access_dir or root)
        yield Patient(
            AtomFiles(root),
            FileJournal(root),
            catalogue,
            engines.lexical,
            engines.dense,
            graph,
            service=engines.graph,
            now=SystemClock().now(),
            shelf=Shelved(passages, engines.passages.lexical if engines.passages else None),
            chat=FileLineLog(root, "chat"),
            opened=Opened((*records, *_pages(root, root / "index")), count),
            differing=catalogue.differing,
        )


def _copy(root: Path, copy: Path, *, whole: bool) -> None:
    for _ in range(COPIES):
        before = _marks(root)
        for name in ("index", "graph"):
            shutil.rmtree(copy / name, ignore_errors=True)
        (copy / "index").mkdir()
        with contextlib.suppress(
            FileNotFoundError, shutil.Error
        ):  # a file that a commit removed meanwhile: the marks differ then
            if whole:
                for name in ("index", "graph"):
                    if (root / name).is_dir():
                        shutil.copytree(root / name, copy / name, dirs_exist_ok=True)
            else:
                for path in (root / "index").glob("catalogue.sqlite*"):
                    shutil.copy2(path, copy / "index" / path.name)
        if _marks(root) == before:
            return


def _marks(root: Path) -> list[tuple[str, int, int]]:
    """Return values that change with every commit."""
    seen = []
    for path in (root / "graph" / "manifest.json", root / "index" / "catalogue.sqlite", root / "index" / "catalogue.sqlite-wal"):
        with contextlib.suppress(FileNotFoundError):
            found = path.stat()
            seen.append((path.name, found.st_mtime_ns, found.st_size))
    return seen


def _records(root: Path, access: Path) -> tuple[list[Finding], int]:
    """Return what is not what was written, of the records that are sealed, and how many there are."""
    from lattice_common.adapters.files.sealed_records import records_in, records_of_access
    from lattice_common.upkeep.doctor import Finding

    steps = {
        "index": "the next start makes it anew",
        "access": "it opens nothing any more: make a new token, or sign in again",
        "writer": "write a number into it that is larger than every `epoch` in the journal",
    }
    found = []
    every = [*records_in(root), *records_of_access(access)]
    for each in every:
        if each.is_damaged:
            thing = each.path if each.line is None else f"{each.path}, line {each.line}"
            step = steps.get(each.of, "restore it from a backup")
            area: Area = "journal" if each.of == "journal" else "log"
            problem = "cannot be read: look at its disk" if each.is_unread else "is not what was written: its disk changed it"
            found.append(Finding(area, thing, problem, step))
    return found, len(every)


def _pages(root: Path, index: Path) -> Iterator[Finding]:
    """Yield what SQLite finds wrong with its files. Where there is a catalogue, a start made the one of passages, too."""
    from lattice_common.adapters.embedded.sqlite_file import damage_in
    from lattice_common.adapters.embedded.tantivy_files import damaged_files
    from lattice_common.composition.engines import PASSAGES
    from lattice_common.upkeep.doctor import REBUILD, Finding

    step = "stop the bot, and restore it from a backup, or remove it: pair your account again"
    files: list[tuple[Area, str, Path, str]] = [
        ("catalogue", "the file", index / "catalogue.sqlite", REBUILD),
        ("passages", "the file", index / PASSAGES / "passages.sqlite", REBUILD),
        ("log", "bot/telegram.sqlite", root / "bot" / "telegram.sqlite", step),
    ]
    for area, thing, path, next_step in files:
        if (found := damage_in(path)) is not None:
            yield Finding(area, thing, f"its pages are damaged: {found}", next_step)
        elif area == "passages" and not path.exists() and (index / "catalogue.sqlite").exists():
            yield Finding(area, thing, "it is not there", next_step)
    engines: list[tuple[Area, Path]] = [("lexical", index / "lexical"), ("passages", index / PASSAGES / "lexical")]
    for area, folder in engines:
        if names := list(damaged_files(folder / "engine")):
            yield Finding(area, "the files", f"not what was written: {', '.join(names)}", REBUILD)


def _dense(
    folder: Path, exact_limit: int, area: Area, record: EmbeddingRecord | None
) -> tuple[DenseIndex | None, tuple[Finding, ...]]:
    """Return the dense index that is there, opened as what it was made by; None where there is none, or that cannot be read. And
    what is wrong with it: of `area`, beside the `record` of the model in use."""
    from lattice_common.adapters.embedded.dense_by_size import DenseIndexBySize
    from lattice_common.upkeep.doctor import REBUILD, Finding

    damaged: list[Finding] = []
    for name in ("exact", "edge"):
        try:
            made_by = orjson.loads(durable.read_derived(folder / name / "made-by.json"))
            model_id, dimension = str(made_by["model_id"]), int(made_by["dimension"])
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError):
            damaged.append(Finding(area, "the index", f"{name}/made-by.json cannot be read: its disk changed it", REBUILD))
            continue
        if record is not None and (model_id, dimension) != (record.model_id, record.dimension):
            damaged.append(Finding(area, "the index", f"it was made by {model_id}, and {record.model_id} is in use", REBUILD))
            continue
        opened = DenseIndexBySize(folder, model_id, dimension, exact_limit)
        if opened.emptied:
            damaged.append(Finding(area, "the index", opened.emptied, REBUILD))
        problem = "its vector, or what stands beside it, is not what was written"
        damaged += [Finding(area, each, problem, REBUILD) for each in opened.damaged()]
        return opened, tuple(damaged)
    return None, tuple(damaged)
