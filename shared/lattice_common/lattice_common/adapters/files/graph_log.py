"""The graph sidecars as files, written by the one writer (format: `graph_lines`).

Data first, then the manifest that counts it: what a crash left beyond the committed lengths is cut off at the next opening, and
overwritten by none. The log does not look at what it holds: a change that is appended again (a redo) makes lines that change
nothing for a reader, because a graph is a set; `replace` drops them. So an append costs the same whatever the size of the store:
two appends and a manifest, four fsyncs.
"""

from __future__ import annotations

import os
import secrets
import zlib
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from lattice_common.adapters.files import durable, graph_migrations
from lattice_common.adapters.files.graph_lines import (
    EDGE_SET,
    EDGES,
    MANIFEST,
    NEW,
    NODES,
    SCHEMA_VERSION,
    SNAPSHOT,
    Extent,
    Manifest,
    edge_lines,
    header,
    node_lines,
    open_of_log,
    read_manifest,
    write_manifest,
)
from lattice_common.domain.graph import GraphChange
from lattice_common.errors import Corrupt, NotTheWriter

_EMPTY = Extent(0, 0, 0)


class FileGraphLog:
    """`GraphLog` over the data folder `root`. For one thread of the one writer.

    Opening never raises for what is in the files: `trouble` says what is wrong with them, `append` then raises `Corrupt`, and
    `replace` (a rebuild) begins anew.
    """

    def __init__(self, root: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._folder = root / "graph"
        self._now = now
        self._outdated: int | None = None
        self._descriptors: list[int] = []
        self._manifest: Manifest | None = None
        self.trouble: str | None = None
        try:
            self._open()
        except Corrupt as error:
            self.trouble = str(error)

    def append(self, change: GraphChange) -> None:
        manifest = self._writable()
        lines = (list(node_lines(change)), list(edge_lines(change)))
        if not any(lines):
            return
        extents = []
        for descriptor, extent, new in zip(self._descriptors, (manifest.nodes, manifest.edges), lines, strict=True):
            if os.fstat(descriptor).st_size != extent.bytes:  # an append that failed before its manifest was written
                os.ftruncate(descriptor, extent.bytes)
            if new:
                durable.append(descriptor, b"".join(new))
            extents.append(_longer(extent, new))
        durable.failpoint("graph.append.before_manifest")
        of_both, begun = (extents[0], extents[1]), manifest.built_at
        self._commit(Manifest(SCHEMA_VERSION, manifest.generation, manifest.log, *of_both, begun, EDGE_SET))

    def replace(self, change: GraphChange) -> None:
        self._refuse_newer()
        generation = self._manifest.generation + 1 if self._manifest else 1
        outdated, self._outdated = self._outdated, None
        if outdated is None:
            graph_migrations.drop_backups(self._folder)
        self._begin(generation, change)
        if outdated is not None:
            graph_migrations.note(self._folder, self._now(), outdated, "done")

    def close(self) -> None:
        for descriptor in self._descriptors:
            os.close(descriptor)
        self._descriptors = []

    def _open(self) -> None:
        durable.clean_temporary(self._folder)
        manifest = read_manifest(self._folder)
        if manifest is None:
            self._begin(1, GraphChange())
            return
        self._manifest = manifest
        if manifest.schema_version > SCHEMA_VERSION:
            return
        if manifest.schema_version < SCHEMA_VERSION or manifest.edge_set < EDGE_SET:
            self._outdated = manifest.schema_version
            graph_migrations.begin(self._folder, manifest.schema_version, self._now())
            raise Corrupt(f"graph/{MANIFEST} is of an earlier version: the graph is being made anew")
        for name, extent in ((NODES, manifest.nodes), (EDGES, manifest.edges)):
            found = open_of_log(self._folder, name, manifest.log, os.O_RDWR | os.O_APPEND)
            if found is None:
                raise Corrupt(f"graph/{name} is not the file its manifest speaks of: run `lattice rebuild`")
            descriptor, path = found
            self._descriptors.append(descriptor)
            size = os.fstat(descriptor).st_size
            if size < extent.bytes:
                raise Corrupt(
                    f"graph/{name} is {extent.bytes - size} bytes shorter than its manifest says: run `lattice rebuild`"
                )
            if size > extent.bytes:
                os.ftruncate(descriptor, extent.bytes)
            if path.name != name:
                durable.move(path, self._folder / name)
            durable.remove(self._folder / (name + NEW))  # of a log that was never committed

    def _begin(self, generation: int, change: GraphChange) -> None:
        """Begin a new log: its files under other names, then the manifest, which is the commit point, then their names."""
        log = secrets.token_hex(8)
        extents = []
        for name, lines in ((NODES, node_lines(change)), (EDGES, edge_lines(change))):
            new = [header(log, generation), *lines]
            durable.write(self._folder / (name + NEW), b"".join(new))
            extents.append(_longer(_EMPTY, new))
        durable.failpoint("graph.replace.before_manifest")
        begun = self._now().isoformat()
        self._commit(Manifest(SCHEMA_VERSION, generation, log, extents[0], extents[1], begun, EDGE_SET))
        durable.failpoint("graph.replace.before_rename")
        durable.remove(self._folder / SNAPSHOT)  # of a log that is no more
        self.close()
        self.trouble = None
        self._open()

    def _commit(self, manifest: Manifest) -> None:
        write_manifest(self._folder, manifest)
        self._manifest = manifest

    def _writable(self) -> Manifest:
        self._refuse_newer()
        if self.trouble or self._manifest is None:
            raise Corrupt(self.trouble or f"graph/{MANIFEST} is missing: run `lattice rebuild`")
        return self._manifest

    def _refuse_newer(self) -> None:
        if self._manifest and self._manifest.schema_version > SCHEMA_VERSION:
            raise NotTheWriter(
                f"{self._folder / MANIFEST} has schema {self._manifest.schema_version}, this version writes {SCHEMA_VERSION}: "
                "it is read, and not written; update Lattice"
            )


def _longer(extent: Extent, lines: Iterable[bytes]) -> Extent:
    every = list(lines)
    total = sum(map(zlib.crc32, every), extent.hash) % (1 << 64)
    return Extent(extent.bytes + sum(map(len, every)), extent.lines + len(every), total)
