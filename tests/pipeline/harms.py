"""What may happen to the derived part of a store, done to one: its catalogue, indexes and graph lose or change something."""

from __future__ import annotations

from pathlib import Path

from lattice_common.domain.graph import GraphChange

from tests.pipeline.living import atoms_of, open_store


def flip_bits_in_the_catalogue(root: Path) -> None:
    """Where the words of a memory stand: SQLite itself sees nothing wrong with them."""
    path = root / "index" / "catalogue.sqlite"
    content = path.read_bytes()
    at = content.index(b"Krakow")
    path.write_bytes(content[:at] + b"Krakov" + content[at + 6 :])


def leave_the_catalogue(root: Path) -> None:
    with open_store(root) as store:
        store.stores.catalogue.remove(list(atoms_of(store))[:1])


def leave_the_words(root: Path) -> None:
    with open_store(root) as store:
        store.stores.lexical.delete(list(atoms_of(store))[:1])
        store.stores.lexical.commit()


def leave_the_vectors(root: Path) -> None:
    with open_store(root) as store:
        assert store.stores.dense is not None
        store.stores.dense.delete(list(atoms_of(store))[:1])
        store.stores.dense.commit()


def leave_the_graph(root: Path) -> None:
    with open_store(root) as store:
        store.stores.graph_log.append(GraphChange(removed_nodes=(f"atom:{next(iter(atoms_of(store)))}",)))
