"""The stored data of a data folder: its files and logs. Part of the composition root."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.sqlite_passages import SqlitePassages
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.backup_archive import BACKUPS
from lattice_common.adapters.files.embedding_record import EmbeddingRecordFile
from lattice_common.adapters.files.graph_lines import read_manifest
from lattice_common.adapters.files.graph_log import FileGraphLog
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.adapters.files.subjects_file import SubjectsFile
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.logs import logger
from lattice_common.ports.atoms import AtomReader
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.journal import WorkLog
from lattice_common.ports.line_log import LineLog, Logs
from lattice_common.ports.passages import PassageReader
from lattice_common.ports.rejection_log import RejectionLog
from lattice_common.recall.traces import says_words
from lattice_common.settings import Settings

log = logger(__name__)

TRACES_KEY = "traces.key"
"""File beside the traces. Only with this key can the hash of a question be compared with a known question."""


@dataclass(frozen=True, slots=True)
class Storage:
    """What a `Lattice` reads, and the journal that it appends to. `spent_on` returns the tokens used on a day, `graph_files` the
    manifest of the graph's sidecars."""

    journal: WorkLog
    atoms: AtomReader
    catalogue: CatalogueReader
    passages: PassageReader
    rejections: RejectionLog
    logs: Logs
    backups: LineLog
    clock: Clock
    spent_on: Callable[[date], int]
    graph_files: Callable[[], dict[str, JsonValue]]
    traces_key: bytes = b""


def storage_on_files(
    settings: Settings,
    clock: Clock,
    *,
    journal: FileJournal,
    catalogue: CatalogueReader,
    passages: PassageReader,
    atoms: AtomReader | None = None,
    rejections: RejectionLog | None = None,
) -> Storage:
    """Return the storage over a data folder of which these parts are open, with its logs. A reader leaves the last two to be
    opened here."""
    root = settings.data_dir
    logs = _open_logs(settings)
    return Storage(
        journal=journal,
        atoms=atoms or AtomFiles(root),
        catalogue=catalogue,
        passages=passages,
        rejections=rejections or FileRejectionLog(root),
        logs=logs,
        backups=FileLineLog(root, BACKUPS),
        clock=clock,
        spent_on=TokenLedger(root, clock, daily_limit=0).spent_on,
        graph_files=lambda: _graph_files(root),
        traces_key=_traces_key(root, logs),
    )


@dataclass(frozen=True, slots=True)
class WriterFiles:
    """The files that the one writer of a data folder has open, beside the engines."""

    root: Path
    journal: FileJournal
    atoms: AtomFiles
    catalogue: SqliteCatalogue
    passages: SqlitePassages
    graph_log: FileGraphLog
    graph: EmbeddedGraph
    rejections: FileRejectionLog
    subjects: SubjectsFile
    embeddings: EmbeddingRecordFile

    def write_subjects(self, *, only_if_due: bool = False) -> None:
        """Write a snapshot of the subjects for people to read; the product does not need it, so an error here is logged and stops
        nothing else."""
        write = self.subjects.write_if_due if only_if_due else self.subjects.write
        try:
            write(self.catalogue)
        except (OSError, Unavailable):
            log.warning("subjects_not_written")


def open_writer_files(root: Path) -> WriterFiles:
    """Open the canonical files and the state kept of them in memory; at 100,000 atoms the catalogue takes a second."""
    journal = FileJournal(root)
    journal.recover()
    return WriterFiles(
        root,
        journal,
        AtomFiles(root),
        SqliteCatalogue(root / "index" / "catalogue.sqlite"),
        SqlitePassages(passages_path(root)),
        FileGraphLog(root),
        EmbeddedGraph(root, keep_snapshot=True),
        FileRejectionLog(root),
        SubjectsFile(root),
        EmbeddingRecordFile(root),
    )


def passages_path(root: Path) -> Path:
    return root / "index" / "passages" / "passages.sqlite"


def _open_logs(settings: Settings) -> Logs:
    """Return the logs; that of traces only where the settings ask for it."""
    root = settings.data_dir
    return Logs(
        chat=FileLineLog(root, "chat"),
        usage=FileLineLog(root, "usage"),
        folded=FileLineLog(root, "usage-folded"),
        feedback=FileLineLog(root, "feedback"),
        reflections=FileLineLog(root, "reflections"),
        migrations=FileLineLog(root, "migrations"),
        intents=FileLineLog(root, "intents"),
        traces=FileLineLog(root, "traces") if settings.trace else None,
    )


def _traces_key(root: Path, logs: Logs) -> bytes:
    """Return the key of the questions' hashes, where answers are traced. Traces from when they held the question are removed."""
    if logs.traces is None:
        return b""
    path = root / "logs" / TRACES_KEY
    try:
        if next((line for line in logs.traces.newest() if says_words(line)), None) is not None:
            logs.traces.drop(says_words)
        key = durable.read(path) if path.exists() else b""
        if not key:
            key = secrets.token_bytes(32)
            durable.make_folder(path.parent)
            durable.write(path, key)
    except (Corrupt, Unavailable):
        log.warning("log_not_written", log="traces")
        key = secrets.token_bytes(32)
    return key


def _graph_files(root: Path) -> dict[str, JsonValue]:
    """Return the graph's manifest; empty where there is none, or it cannot be read."""
    try:
        manifest = read_manifest(root / "graph")
    except (Corrupt, Unavailable):
        return {}
    if manifest is None:
        return {}
    return {
        "schema_version": manifest.schema_version,
        "generation": manifest.generation,
        "built_at": manifest.built_at or None,
        "bytes": manifest.nodes.bytes + manifest.edges.bytes,
    }
