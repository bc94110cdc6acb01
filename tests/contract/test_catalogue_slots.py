"""The part of the catalogue's contract that reconcile lives on: atoms are found by the slots they fill, at any size."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.domain.atom import Atom, Span, atom_id_for, content_hash, normalized_content_hash
from lattice_common.language.slots import slot_keys
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.catalogue import Catalogue

MADE: dict[str, Callable[[Path], Catalogue]] = {
    "sqlite": lambda folder: SqliteCatalogue(folder / "catalogue.db"),
    "memory": lambda folder: MemoryCatalogue(),
}
NOW = datetime(2026, 3, 2, tzinfo=UTC)


@pytest.fixture(params=list(MADE))
def catalogue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogue]:
    made = MADE[request.param](tmp_path)
    yield made
    made.close()


def said(content: str, seq: int) -> Atom:
    capture_id = f"{seq:026d}"
    return Atom(
        atom_id=atom_id_for(capture_id, 0),
        content=content,
        kind="fact",
        subject="me",
        capture_id=capture_id,
        source_quote=content,
        source_span=Span(0, len(content)),
        observed_at=NOW,
        ingested_at=NOW,
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        seq=seq,
    )


def put(catalogue: Catalogue, *atoms: Atom) -> None:
    catalogue.put([(atom, FileMark(f"{atom.atom_id}.md", 1, 1)) for atom in atoms])


def test_atoms_of_a_slot_are_found_newest_first_superseded_ones_too(catalogue: Catalogue) -> None:
    first, second, other = said("I live in Berlin.", 1), said("I live in Lisbon.", 2), said("I have a dog.", 3)
    put(catalogue, replace(first, is_superseded=True, superseded_by=second.atom_id), second, other)
    (key,) = slot_keys(first)
    assert [atom.content for atom in catalogue.with_slot(key, limit=10)] == ["I live in Lisbon.", "I live in Berlin."]
    assert [atom.content for atom in catalogue.with_slot(key, limit=1)] == ["I live in Lisbon."]
    assert catalogue.with_slot("no such slot", limit=10) == []


def test_a_changed_or_removed_atom_leaves_its_old_slot(catalogue: Catalogue) -> None:
    atom = said("I live in Berlin.", 1)
    put(catalogue, atom)
    (key,) = slot_keys(atom)
    put(catalogue, replace(atom, content="I have a dog."))
    assert catalogue.with_slot(key, limit=10) == []
    (dog,) = slot_keys(replace(atom, content="I have a dog."))
    assert len(catalogue.with_slot(dog, limit=10)) == 1
    catalogue.remove([atom.atom_id])
    assert catalogue.with_slot(dog, limit=10) == []
