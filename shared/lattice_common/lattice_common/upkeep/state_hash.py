"""One number for the whole state of a store: equal before and after a rebuild, and after any crash that was recovered from.

It covers every atom with all its fields but usage counters, the order in which they were written, the subjects, who is
who, the graph, and which version of which atom each engine holds. It does not cover when something was done, or by which writer.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from lattice_common.domain.atom import etag_of
from lattice_common.ingest.stores import Stores
from lattice_common.language.people.tie import ties_text
from lattice_common.ports.graph import Graph


def state_hash(stores: Stores, graph: Graph) -> str:
    """Return the SHA-256 of the state, in hex. Reads everything: seconds at 100,000 atoms."""
    graph.refresh()
    digest = hashlib.sha256()
    for name, lines in (
        ("atoms", (f"{atom.atom_id} {place} {etag_of(atom)}" for place, atom in enumerate(stores.catalogue.all()))),
        ("subjects", (f"{subject} {count}" for subject, count in stores.catalogue.subjects().items())),
        ("who", (f"{atom_id} {ties_text(ties)}" for atom_id, ties in stores.catalogue.register().all())),
        ("graph", [graph.stats().state_hash]),
        ("lexical", (f"{atom_id} {content}" for atom_id, content, _ in stores.lexical.entries())),
        ("dense", (f"{atom_id} {content}" for atom_id, content, _ in (stores.dense.entries() if stores.dense else ()))),
    ):
        digest.update(f"{name} {_set_hash(lines)}\n".encode())
    return digest.hexdigest()


def _set_hash(lines: Iterable[str]) -> str:
    """Return the hash of a set of lines, whatever their order."""
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()
