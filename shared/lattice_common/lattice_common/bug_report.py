"""What goes with a report of a bug: numbers and words of ours, and nothing that anybody said, named or set.

Everything in it is let in by name: counts, durations, words of closed lists, versions. What may hold an address, a name, a path
or a word of its owner's is not taken at all, or only whether it is set. `tests/services/test_debug.py` puts canaries everywhere.
"""

from __future__ import annotations

import io
import os
import platform
import sqlite3
import sys
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_origin

import orjson

from lattice_common import __version__
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.domain.failure import FAILURES
from lattice_common.inspection import inspect, look_through
from lattice_common.recall.score import SIGNALS
from lattice_common.settings import Settings, setting_names
from lattice_common.upkeep.stats import distributions

PARTS = (
    "fastapi", "uvicorn", "starlette", "pydantic", "numpy", "onnxruntime", "fastembed", "tantivy", "qdrant-client",
    "qdrant-edge-py", "opensearch-py", "celery", "redis", "openai", "mcp", "python-telegram-bot", "pypdf", "orjson",
)  # fmt: skip
FOLDERS = ("journal", "atoms", "archive", "trash", "inbox", "graph", "index", "logs", "bot")
LOGS = (
    "chat", "usage", "usage-folded", "feedback", "reflections", "migrations", "intents", "traces", "rejected", "egress",
    "backups",
)  # fmt: skip
ENGINES = ("lexical", "dense", "graph", "queue", "journal", "writer", "inbox", "judge", "rerank", "memories", "files", "search")
WRITERS = ("idle", "working", "stopped", "not running", "not started")
TRACES = 200
SHAPES = ("aggregation", "temporal", "preference", "recommendation", "factual")
OTHER = "other"


def report(settings: Settings, running: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the files of a report, each as it will stand in it. `running` has `status` and `stats` of a product that runs, as
    the API gives them; None where none does. The folder is only read."""
    files: dict[str, object] = {
        "about.json": _about(settings),
        "settings.json": _settings(settings),
        "folder.json": _folder(settings.data_dir),
        "status.json": _status(running.get("status", {}) if running else {}),
        "stats.json": _stats(running.get("stats", {}) if running else _looked_at(settings)),
        "doctor.json": _doctor(settings),
        "traces.json": _traces(settings.data_dir),
    }
    return {name: orjson.dumps(content, option=orjson.OPT_INDENT_2).decode() for name, content in files.items()}


def zipped(files: Mapping[str, str]) -> bytes:
    """Return the report as one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"lattice-debug/{name}", content)
    return packed.getvalue()


def _about(settings: Settings) -> dict[str, object]:
    return {
        "lattice": __version__,
        "mode": settings.mode,
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "sqlite": sqlite3.sqlite_version,
        "frozen": bool(getattr(sys, "frozen", False)),
        "parts": {name: _version(name) for name in PARTS},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _settings(settings: Settings) -> dict[str, object]:
    """Return values of settings that are numbers, switches or words of a list; of all others whether they were set."""
    told: dict[str, object] = {}
    for name, (field, about) in zip(setting_names(), Settings.model_fields.items(), strict=True):
        value = getattr(settings, field)
        closed = isinstance(value, (bool, int, float)) or get_origin(about.annotation) is Literal
        told[name] = value if closed else "default" if value == about.default else "set"
    return told


def _folder(root: Path) -> dict[str, object]:
    """Return how many files there are in each of our own folders, and how large they are; lines of the logs."""
    sizes: dict[str, object] = {}
    for name in FOLDERS:
        files = [Path(parent, each) for parent, _, names in os.walk(root / name) for each in names]
        there = [path.lstat().st_size for path in files if path.exists()]
        sizes[name] = {"files": len(there), "bytes": sum(there)}
    lines = {name: _lines(root / "logs" / f"{name}.jsonl") for name in LOGS}
    return {"folders": sizes, "log_lines": lines}


def _lines(path: Path) -> int:
    try:
        return path.read_bytes().count(b"\n")
    except OSError:
        return 0


def _status(status: Mapping[str, Any]) -> dict[str, object]:
    if not status:
        return {"running": False}
    numbers = {name: status.get(name) for name in ("atoms", "streak", "in_review", "judging_behind")}
    model = status.get("language_model", {})
    return {
        "running": True,
        **{name: value for name, value in numbers.items() if isinstance(value, int)},
        "captures": _counts(status.get("captures", {}), ("waiting", "working", "dead")),
        "inbox": _counts(status.get("inbox", {}), ("waiting", "reading", "unreadable", "strange", "taken", "failed")),
        "migration": _counts(status.get("migration", {}), ("number", "looked_at", "of")),
        "writer": _among(status.get("writer"), WRITERS),
        "without": sorted(_among(str(each).partition(":")[0], ENGINES) for each in status.get("degraded", ())),
        "language_model": {name: value for name in ("available",) if isinstance(value := model.get(name), bool)},
        "reflection": _counts(status.get("reflection", {}), ("consolidate", "serendipity", "calls", "limit")),
    }


def _stats(stats: Mapping[str, Any]) -> dict[str, object]:
    """Return the counts. Kinds, stages and failures are words of ours; what else there may be is left out."""
    stages = frozenset(("answer", "select", "passages", "understand", "seed", "expand", "period", "score", "rerank"))
    stages |= {"diversify", "currency", "heirs", "parts"}
    latencies = {
        kind: {name: value for name, value in each.items() if isinstance(value, (int, float))}
        for kind, each in stats.get("latencies", {}).items()
        if kind in stages
    }
    spread = stats.get("distributions", {})
    return {
        "latencies_ms": latencies,
        "failures": _counts(stats.get("failures", {}), FAILURES),
        "distributions": {name: dict(spread[name]) for name in sorted(spread)},
    }


def _looked_at(settings: Settings) -> dict[str, object]:
    with inspect(settings.data_dir, whole=False) as inspection:
        return {"distributions": distributions(inspection.catalogue.columns(), SystemClock().now())}


def _doctor(settings: Settings) -> dict[str, object]:
    """Return how many things are wrong, and where; neither what nor with which file."""
    examined = look_through(settings, lambda *_: None)
    areas = Counter(each.area for each in examined.findings)
    return {"atoms": examined.atoms, "captures": examined.captures, "findings": dict(areas)}


def _traces(root: Path) -> list[dict[str, object]]:
    """Return how the latest questions were found: numbers, and the names of signals. No ids, and no hashes of questions."""
    log = FileLineLog(root, "traces")
    if not (root / "logs" / "traces.jsonl").exists():
        return []
    return [_trace(line) for line in islice(log.newest(), TRACES)]


def _trace(line: Mapping[str, Any]) -> dict[str, object]:
    atoms = [each for each in line.get("atoms", ()) if isinstance(each, dict)]
    return {
        "kind": _among(line.get("kind"), ("select", "answer")),
        "shape": _among(line.get("shape"), SHAPES),
        **{name: line[name] for name in ("answerable", "answered", "used_llm", "fell_back") if isinstance(line.get(name), bool)},
        **{name: line[name] for name in ("confidence", "took_ms") if isinstance(line.get(name), float)},
        "counts": _numbers(line.get("counts")),
        "stages_ms": _numbers(line.get("stages_ms")),
        "cited": len(line["cited"]) if isinstance(line.get("cited"), list) else 0,
        "atoms": [_signals(each) for each in atoms],
    }


def _signals(each: Mapping[str, Any]) -> dict[str, object]:
    signals = each.get("signals")
    known = signals if isinstance(signals, dict) else {}
    return {
        name: known[name].get("contribution")
        for name in SIGNALS
        if isinstance(known.get(name), dict) and isinstance(known[name].get("contribution"), (int, float))
    }


def _counts(found: object, names: Sequence[str]) -> dict[str, int]:
    there = found if isinstance(found, Mapping) else {}
    return {name: int(there[name]) for name in names if isinstance(there.get(name), (int, bool))}


def _numbers(found: object) -> dict[str, float]:
    """Return the numbers of a trace of ours: the names are those of stages and of what was counted."""
    there = found if isinstance(found, Mapping) else {}
    known = ("candidates", "by_words", "by_meaning", "by_graph", "found", "understand", "seed", "expand", "period", "score")
    names = (*known, "rerank", "diversify", "currency", "heirs", "passages", "parts")
    return {name: there[name] for name in names if isinstance(there.get(name), (int, float))}


def _among(word: object, known: Sequence[str]) -> str:
    return str(word) if word in known else OTHER
