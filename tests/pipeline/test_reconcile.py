"""Reconcile: what happens to known atoms when new ones arrive."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from known_atoms import KnownAtoms, statement
from labelled_pairs import fresh_pairs, life_pairs, outcome, pairs
from lattice_common.adapters.files import frontmatter
from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.judgement import Status
from lattice_common.domain.status import UNDECIDED
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


def test_a_document_never_retires_what_the_user_said() -> None:
    known = KnownAtoms()
    take_in(known, statement("The wifi password is tulip33.", START, capture=1))
    take_in(known, statement("Tom lives in Rome.", START, capture=2))
    for number, trust in enumerate(("assistant", "document", "web")):
        at = START + (number + 1) * DAY
        take_in(known, statement("The wifi password is hacked99.", at, capture=10 + number, trust=trust))
        take_in(known, statement("Tom moved from Rome to Oslo.", at, capture=20 + number, trust=trust))
    assert {"The wifi password is tulip33.", "Tom lives in Rome."} <= set(contents(known))


def test_what_the_user_says_retires_what_an_assistant_said() -> None:
    known = KnownAtoms()
    take_in(known, statement("Tom lives in Rome.", START, capture=1, trust="assistant"))
    take_in(known, statement("Tom moved to Oslo.", START + DAY, capture=2))
    assert contents(known) == ["Tom moved to Oslo."]


def test_the_users_own_word_takes_the_place_of_a_documents() -> None:
    known = KnownAtoms()
    take_in(known, statement("The gate code is 4471.", START, capture=1, trust="document"))
    take_in(known, statement("The gate code is 4471.", START + DAY, capture=2))
    assert [atom.trust for atom in known.current()] == ["user"]


def test_an_older_statement_that_arrives_late_is_stored_as_replaced() -> None:
    known = KnownAtoms()
    newer = statement("I moved to Lisbon.", START + 30 * DAY, capture=1)
    take_in(known, newer)
    decided = take_in(known, statement("I live in Berlin.", START, capture=2))
    assert contents(known) == ["I moved to Lisbon."]
    (late,) = decided.atoms
    assert (late.is_superseded, late.superseded_by) == (True, newer.atom_id)
    assert late.superseded_reason == "replaced by “I moved to Lisbon.” (residence: Berlin → Lisbon)"


def test_what_was_said_between_two_sayings_of_a_fact_does_not_retire_it() -> None:
    known = KnownAtoms()
    take_in(known, statement("I live in Berlin.", START, capture=1))
    take_in(known, statement("I live in Berlin.", START + 60 * DAY, capture=2))
    take_in(known, statement("I live in Lisbon.", START + 30 * DAY, capture=3))
    assert contents(known) == ["I live in Berlin."]


def test_two_people_who_say_the_same_are_two_facts() -> None:
    known = KnownAtoms()
    for number, speaker in enumerate(("Ana", "Ben"), start=1):
        take_in(known, statement("I love hiking.", START, capture=number, speaker=speaker))
    assert len(contents(known)) == 2


def test_the_same_event_on_another_day_is_another_event() -> None:
    known = KnownAtoms()
    for number in range(1, 4):
        at = START + number * DAY
        take_in(known, statement("I ran 5 km today.", at, capture=number, kind="event", valid_from=at, date_phrase="today"))
    assert len(contents(known)) == 3


def test_a_document_taken_in_again_later_adds_nothing() -> None:
    known = KnownAtoms()
    for number in (1, 2):
        at = START + number * DAY
        take_in(known, statement("We met today.", at, capture=number, trust="document", source_id="notes.md", valid_from=at))
    assert len(contents(known)) == 1


def similar(cosine: float, first: Atom, second: Atom) -> Reconciled:
    """What becomes of `second` when its vector has that cosine with the one of `first`, which is known."""
    known = KnownAtoms()
    take_in(known, first)
    one = np.array([1.0, 0.0], dtype=np.float32)
    other = np.array([cosine, np.sqrt(1 - cosine**2)], dtype=np.float32)
    return reconcile([second], {second.atom_id: other}, known, lambda ids: dict.fromkeys(ids, one), Thresholds())


def test_nearly_the_same_words_are_a_duplicate_unless_a_number_name_or_negation_differs() -> None:
    first = statement("The drill needs 18 volts.", START, capture=1)
    assert similar(0.97, first, statement("That drill needs 18 volts.", START, capture=2)).duplicates
    for other in ("The drill needs 12 volts.", "The drill from Bosch needs 18 volts.", "The drill does not need 18 volts."):
        assert not similar(0.97, first, statement(other, START, capture=2)).duplicates


def test_related_statements_of_a_subject_are_linked() -> None:
    first, second = statement("The garden has roses.", START, capture=1), statement("The roses are red.", START, capture=2)
    (stored,) = similar(0.8, first, second).atoms
    assert stored.relations == (Relation("extends", first.atom_id),)
    (stored,) = similar(0.6, first, second).atoms
    assert stored.relations == ()


def test_no_labelled_pair_is_retired_or_dropped_wrongly() -> None:
    labelled = [*pairs(held_out=False), *pairs(held_out=True), *fresh_pairs(), *life_pairs()]
    got = [(expected, outcome(old, new, options), old, new) for expected, old, new, options in labelled]
    assert [row for row in got if row[1] in ("retire", "duplicate") and row[1] != row[0]] == []
    found = sum(row[1] == "retire" for row in got)
    assert found / sum(row[0] == "retire" for row in got) >= 0.9


def test_two_documents_do_not_replace_what_each_other_says() -> None:
    """A contract's rent is not another contract's; a new version of the same document may change it."""
    known = KnownAtoms()
    for number, (content, title) in enumerate(
        (("The rent is 950 EUR.", "lease one"), ("The rent is 800 EUR.", "lease two"), ("The rent is 990 EUR.", "lease one"))
    ):
        said = statement(content, START + number * DAY, capture=number + 1)
        take_in(known, replace(said, source="document", trust="document", metadata={"title": title}))
    assert contents(known) == ["The rent is 800 EUR.", "The rent is 990 EUR."]


def test_a_thousand_lines_of_one_slot_fit_into_their_files() -> None:
    """As a log's do, whose every line stands at a minute of the same day."""
    lines = [
        statement(f"2025-01-01 00:{n // 60:02}:{n % 60:02} request {n} served", START, capture=1, ordinal=n, trust="document")
        for n in range(1000)
    ]
    decided = take_in(KnownAtoms(), *lines)
    assert len(decided.atoms) == 1000
    assert max(len(frontmatter.dump(atom)) for atom in decided.atoms) < frontmatter.MAX_FRONTMATTER_BYTES / 2


@pytest.mark.parametrize("status", sorted(UNDECIDED))
def test_what_is_only_wished_heard_or_doubted_retires_nothing_and_repeats_nothing(status: Status) -> None:
    known = KnownAtoms()
    take_in(known, statement("I live in Berlin.", START, capture=1))
    moved = replace(statement("I moved from Berlin to Lisbon.", START + DAY, capture=2), status=status)
    same = replace(statement("I live in Berlin.", START + DAY, capture=3), status=status)
    assert take_in(known, moved).changes == ()
    assert take_in(known, same).duplicates == ()
    assert len(contents(known)) == 3


def test_what_was_only_heard_is_not_retired_by_what_is_so() -> None:
    known = KnownAtoms()
    take_in(known, replace(statement("I live in Berlin.", START, capture=1), status="quoted"))
    take_in(known, statement("I moved from Berlin to Lisbon.", START + DAY, capture=2))
    assert len(contents(known)) == 2


def test_what_is_planned_still_moves_what_was_planned_before() -> None:
    known = KnownAtoms()
    take_in(known, replace(statement("My dentist appointment is on 4 March.", START, capture=1), status="planned"))
    later = statement("My dentist appointment was moved to 6 March.", START + DAY / 2, capture=2)
    take_in(known, replace(later, status="planned"))
    assert contents(known) == ["My dentist appointment was moved to 6 March."]
