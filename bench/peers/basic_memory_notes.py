"""basic-memory: a markdown file for each text, its own index (`basic-memory reindex`), and its tool `search_notes`.

Hybrid search is its default; the packaged model takes the place of the one it would fetch. Its lowest similarity (0.55) is meant
for that one, and is set to 0: with it most questions would find nothing. Where this Python's sqlite3 loads no extensions (it
searches vectors with one), pysqlite3 takes its place.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import io
import os
import re
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lattice_common.ports.embedder import Embedder

from bench.peers.system import Told, embedder, made, versions


class BasicMemory:
    """One project, `main`."""

    def __init__(self, folder: Path) -> None:
        self._notes = made(folder / "notes")
        os.environ |= {
            "HOME": str(folder),
            "BASIC_MEMORY_HOME": str(self._notes),
            "BASIC_MEMORY_CONFIG_DIR": str(made(folder / "config")),
            "BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED": "true",
            "BASIC_MEMORY_SEMANTIC_MIN_SIMILARITY": "0",
            "BASIC_MEMORY_LOG_LEVEL": "ERROR",
            "LOGFIRE_IGNORE_NO_CONFIG": "1",
        }
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            sys.modules["sqlite3"] = importlib.import_module("pysqlite3")
        self._loop = asyncio.new_event_loop()
        self._ids: dict[str, str] = {}
        self._give_model(embedder())

    def version(self) -> str:
        return versions("basic-memory", "sqlite-vec")

    def tell(self, texts: Sequence[Told]) -> None:
        from basic_memory.cli.commands.db import run_reindex_command

        for each in texts:
            name = file_name(each.id)
            self._ids[name] = each.id
            said_at = f"date: {each.at}\n" if each.at else ""
            (self._notes / name).write_text(f"---\ntitle: {Path(name).stem}\n{said_at}---\n\n{each.text}\n", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()):
            run_reindex_command(embeddings=True, search=True, full=False, project=None)
        if len(self._ids) != len(texts):
            raise SystemExit("Two texts have the same file name.")

    def settle(self) -> None:
        """Nothing is left."""

    def find(self, question: str, limit: int) -> list[str]:
        from basic_memory.mcp.tools import search_notes

        found = self._loop.run_until_complete(search_notes(query=question, page_size=limit, output_format="json"))
        if not isinstance(found, dict):
            raise SystemExit(f"basic-memory could not search: {found}")
        return [self._ids[Path(each["file_path"]).name] for each in found["results"]]

    def close(self) -> None:
        from basic_memory import db

        self._loop.run_until_complete(db.shutdown_db())
        self._loop.close()

    def _give_model(self, model: Embedder) -> None:
        from basic_memory.config import ConfigManager
        from basic_memory.repository import embedding_provider_factory as factory
        from loguru import logger

        logger.remove()
        key = factory._provider_cache_key(ConfigManager().config)
        factory._EMBEDDING_PROVIDER_CACHE[key] = _Packaged(model)


class _Packaged:
    """basic-memory's `EmbeddingProvider`."""

    model_name, dimensions = "all-MiniLM-L6-v2", 384

    def __init__(self, model: Embedder) -> None:
        self._model = model

    async def embed_query(self, text: str) -> list[float]:
        vector: list[float] = self._model.embed_query(text).tolist()
        return vector

    async def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self._model.embed(texts).tolist()
        return vectors

    def runtime_log_attrs(self) -> dict[str, Any]:
        return {}


def file_name(text_id: str) -> str:
    """A file name of letters, digits and hyphens, different for each id of a collection."""
    return re.sub(r"[^a-z0-9]+", "-", text_id.lower()) + ".md"
