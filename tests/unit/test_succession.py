"""Who holds in the end where memories replaced each other in turn, and some of them go."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st
from lattice_common.domain.atom import Atom
from lattice_common.domain.succession import predecessors, successor

from tests.pipeline.known_atoms import statement

AT = datetime(2026, 3, 1, tzinfo=UTC)


def chain(length: int) -> list[Atom]:
    """Each replaced by the next."""
    atoms = [statement(f"I live in house {number}.", AT, capture=number + 1) for number in range(length)]
    ids = [atom.atom_id for atom in atoms]
    return [
        replace(
            atom,
            superseded_by=ids[number + 1] if number + 1 < length else None,
            supersedes=(ids[number - 1],) if number else (),
        )
        for number, atom in enumerate(atoms)
    ]


@given(st.integers(2, 8), st.data())
def test_the_next_that_stays_replaces_it_and_both_say_so(length: int, data: st.DataObject) -> None:
    atoms = chain(length)
    gone = {atoms[number].atom_id: atoms[number] for number in data.draw(st.sets(st.sampled_from(range(length))))}
    left = [atom for atom in atoms if atom.atom_id not in gone]
    for old, new in zip(left, [*left[1:], None], strict=False):
        assert successor(old, gone) == (new.atom_id if new else None)
        if new:
            assert predecessors(new.supersedes, gone) == [old.atom_id]


def test_a_circle_ends() -> None:
    first, second = chain(2)
    second = replace(second, superseded_by=first.atom_id)
    first = replace(first, supersedes=(second.atom_id,))
    gone = {second.atom_id: second}
    assert successor(first, gone) is None
    assert predecessors(first.supersedes, gone) == [first.atom_id]
    assert predecessors(second.supersedes, {first.atom_id: first, second.atom_id: second}) == []
