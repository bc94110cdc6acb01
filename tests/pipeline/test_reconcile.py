"""Reconcile: what happens to known atoms when new ones arrive."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from known_atoms import KnownAtoms, statement
from lattice_common.domain.atom import Atom
from lattice_common.ingest.reconcile import Reconciled, Thresholds, reconcile

DAY = timedelta(days=1)
START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def take_in(known: KnownAtoms, *atoms: Atom) -> Reconciled:
    decided = reconcile(atoms, {}, known, lambda ids: {}, Thresholds())
    known.take(decided)
    return decided


def contents(known: KnownAtoms) -> list[str]:
    return [atom.content for atom in known.current()]


def test_a_moved_city_retires_all_that_said_the_old_one() -> None:
    known = KnownAtoms()
    take_in(known, statement("I live in Berlin.", START, capture=1))
    take_in(known, statement("My home is in Berlin.", START + DAY, capture=2))
    decided = take_in(known, statement("I moved from Berlin to Lisbon.", START + 30 * DAY, capture=3))
    assert contents(known) == ["I moved from Berlin to Lisbon."]
    assert len(decided.atoms[0].supersedes) == 2
    assert [change.after["superseded_reason"] for change in decided.changes] == [
        "replaced by “I moved from Berlin to Lisbon.” (residence: Berlin → Lisbon)"
    ] * 2


def test_what_adds_retires_nothing() -> None:
    known = KnownAtoms()
    take_in(known, statement("I play the guitar.", START, capture=1))
    take_in(known, statement("I also play the piano.", START + DAY, capture=2))
    assert len(contents(known)) == 2


def test_saying_it_again_reinforces_what_is_known() -> None:
    known = KnownAtoms()
    first = statement("The museum has a roof garden.", START, capture=1)
    take_in(known, first)
    decided = take_in(known, statement("the museum has a roof garden!", START + DAY, capture=2))
    assert [duplicate.of for duplicate in decided.duplicates] == [first.atom_id]
    assert decided.atoms == ()
    assert known.atoms[first.atom_id].confidence > first.confidence
