"""The stores that the one writer writes, and the changes that the engines have to follow."""

from __future__ import annotations

from dataclasses import dataclass, field

from lattice_common.domain.atom import Atom
from lattice_common.ingest.index_lag import IndexLag
from lattice_common.ingest.passages.shelve import Shelf
from lattice_common.ingest.vector_spaces import VectorSpaces
from lattice_common.ports.atoms import AtomWriter
from lattice_common.ports.catalogue import Catalogue
from lattice_common.ports.clock import Clock
from lattice_common.ports.dense_index import DenseIndex
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.graph import GraphLog, WrittenGraph
from lattice_common.ports.journal import WorkLog
from lattice_common.ports.lexical_index import LexicalIndex
from lattice_common.ports.rejection_log import RejectionLog
from lattice_common.ports.writer_lock import WriterLock


@dataclass(frozen=True, slots=True)
class Stores:
    """Everything that the one writer writes. `dense` and `embedder` are those of the vectors that are searched: both set, or both
    None."""

    worklog: WorkLog
    atoms: AtomWriter
    catalogue: Catalogue
    graph_log: GraphLog
    graph: WrittenGraph
    lexical: LexicalIndex
    spaces: VectorSpaces
    rejections: RejectionLog
    lock: WriterLock
    clock: Clock
    behind: IndexLag = field(default_factory=IndexLag)
    shelf: Shelf | None = None
    """Passages of documents; None where none are kept (a store in memory)."""

    @property
    def dense(self) -> DenseIndex | None:
        return self.spaces.serving.dense if self.spaces.serving else None

    @property
    def embedder(self) -> Embedder | None:
        return self.spaces.serving.embedder if self.spaces.serving else None


@dataclass(slots=True)
class Written:
    """What plans changed in the files, for the graph and the engines to follow."""

    new: list[Atom] = field(default_factory=list)
    reindex: list[Atom] = field(default_factory=list)
    """Known atoms with a changed field that the engines hold."""
    gone: list[Atom] = field(default_factory=list)
    """Known atoms whose place in the graph changed, as they were before."""
    moved: list[Atom] = field(default_factory=list)
    """The same atoms as they are now, and those that came back."""
    trashed: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    """Those of `trashed` that the owner deleted; no passage shows them any more."""
    restored: list[Atom] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    """What the atoms in `gone` were linked to before."""
