"""Reconcile's invariants: the order captures arrive in does not matter, and every change undoes exactly."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st
from known_atoms import KnownAtoms, statement
from lattice_common.domain.atom import Atom
from lattice_common.ingest.reconcile import Thresholds, reconcile

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SENTENCES = [
    "I live in Berlin.",
    "I live in Lisbon.",
    "I moved from Berlin to Lisbon.",
    "I don't live in Berlin any more.",
    "I live in Porto.",
    "I have a dog.",
    "I no longer have a dog.",
    "My e-mail is ann@old.example.",
    "My e-mail is ann@new.example now.",
    "The gate code is 4471.",
    "The gate code is 9920.",
    "I eat meat.",
    "I quit smoking.",
    "I smoke.",
]

said = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=7)


def captures(sayings: list[str]) -> list[Atom]:
    return [statement(content, START + n * timedelta(days=1), capture=n + 1) for n, content in enumerate(sayings)]


def ingest(atoms: list[Atom]) -> KnownAtoms:
    known = KnownAtoms()
    for atom in atoms:
        known.take(reconcile([atom], {}, known, lambda ids: {}, Thresholds()))
    return known


def current(known: KnownAtoms) -> set[str]:
    return {atom.content for atom in known.current()}


@given(said.flatmap(lambda sayings: st.tuples(st.just(captures(sayings)), st.permutations(captures(sayings)))))
def test_the_order_of_arrival_does_not_change_what_is_current(orders: tuple[list[Atom], list[Atom]]) -> None:
    in_order, shuffled = orders
    assert current(ingest(shuffled)) == current(ingest(in_order))


@given(said)
def test_one_capture_of_a_whole_talk_gives_what_its_sentences_give_one_by_one(sayings: list[str]) -> None:
    atoms = captures(sayings)
    known = KnownAtoms()
    known.take(reconcile(atoms, {}, known, lambda ids: {}, Thresholds()))
    assert current(known) == current(ingest(atoms))


@given(said, said)
def test_undo_restores_every_atom_exactly(before: list[str], after: list[str]) -> None:
    known = ingest(captures(before))
    untouched = dict(known.atoms)
    new = [statement(content, START + timedelta(days=40, hours=n), capture=99, ordinal=n) for n, content in enumerate(after)]
    decided = reconcile(new, {}, known, lambda ids: {}, Thresholds())
    assert len({change.atom_id for change in decided.changes}) == len(decided.changes)
    known.take(decided)
    known.undo(decided.changes)
    assert {atom_id: known.atoms[atom_id] for atom_id in untouched} == untouched


@given(said)
def test_repeating_a_capture_adds_nothing_and_soon_changes_nothing(sayings: list[str]) -> None:
    atoms = captures(sayings)
    known = ingest(atoms)
    for round_ in range(5):
        again = [replace(atom, atom_id=f"{atom.atom_id}-{round_}", capture_id=f"again{round_}") for atom in known.current()]
        decided = reconcile(again, {}, known, lambda ids: {}, Thresholds())
        assert decided.atoms == ()
        known.take(decided)
    assert decided.changes == ()
