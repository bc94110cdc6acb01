"""A statement of which one half is so and the other is not becomes two; nothing else is cut."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.capture import Capture, Priority, Trust
from lattice_common.domain.judgement import Status
from lattice_common.ingest.extract.meant_apart import MOST_PIECES, MOST_READ
from lattice_common.ingest.parts import parts_of
from lattice_common.ingest.prove import prove

SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def statements(
    text: str, meant: dict[str, Status], *, trust: Trust = "user", priority: Priority = "interactive"
) -> list[tuple[str, Status | None]]:
    """The quotes of what is stored, and how they are meant."""
    capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID, text, SAID, trust=trust, priority=priority)
    judge = ScriptedJudge(meant={words + end: ("tell", status) for words, status in meant.items() for end in ("", ".")})
    return [
        (each.quote, each.status)
        for part in parts_of(capture)
        for _, found in prove(capture, part, judge=judge).grounded
        for each in found
    ]


INTERVIEW = "Had the interview at the aquarium. It went about as well as the Titanic. They offered me weekend work."


def test_a_joke_between_two_facts_is_one_statement_among_three() -> None:
    assert len(statements(INTERVIEW, {})) == 1, "the sentences lean on one another"
    assert statements(INTERVIEW, {"It went about as well as the Titanic": "joked"}) == [
        ("Had the interview at the aquarium.", "asserted"),
        ("It went about as well as the Titanic.", "joked"),
        ("They offered me weekend work.", "asserted"),
    ]


def test_two_halves_of_a_sentence_are_meant_apart() -> None:
    text = "Washing machine died on Monday, so I am thrilled to wring towels."
    assert statements(text, {"so I am thrilled to wring towels": "joked"}) == [
        ("Washing machine died on Monday", "asserted"),
        ("so I am thrilled to wring towels.", "joked"),
    ]


def test_pieces_that_are_all_so_or_all_not_so_stay_together() -> None:
    quoted: dict[str, Status] = {
        "Had the interview at the aquarium": "quoted",
        "It went about as well as the Titanic": "joked",
        "They offered me weekend work": "quoted",
    }
    assert [quote for quote, _ in statements(INTERVIEW, quoted)] == [INTERVIEW]
    assert [quote for quote, _ in statements(INTERVIEW, {"They offered me weekend work": "planned"})] == [INTERVIEW]


def test_a_certain_rule_is_as_good_as_the_judge() -> None:
    text = "It went badly at the aquarium. They offered me weekend work. I wish it were longer."
    assert statements(text, {})[-1] == ("I wish it were longer.", "wished")


@pytest.mark.parametrize("trust", ["document", "web"])
def test_what_a_document_says_is_not_cut(trust: Trust) -> None:
    whole = statements(INTERVIEW, {}, trust=trust)
    assert statements(INTERVIEW, {"It went about as well as the Titanic": "joked"}, trust=trust) == whole


def test_of_an_import_only_what_has_a_word_that_could_change_its_meaning_is_read_for_it() -> None:
    meant: dict[str, Status] = {"It sank like a stone": "joked"}
    text = "The interview is over. It sank like a stone. They offered me weekend work."
    assert len(statements(text, meant)) == 3
    assert len(statements(text, meant, priority="bulk")) == 2


def test_a_list_of_very_many_pieces_is_left_as_it_is() -> None:
    text = "Things here: " + ", ".join(f"the box number {number}" for number in range(MOST_PIECES + 2)) + "."
    meant: dict[str, Status] = {f"the box number {number}": "joked" for number in range(5)}
    assert statements(text, meant)[0][0] == text


def test_of_a_very_long_note_the_beginning_is_read_for_it() -> None:
    other = " ".join(f"Met the people of hall {number}. They offered me work {number}." for number in range(MOST_READ))
    meant: dict[str, Status] = {"It went about as well as the Titanic": "joked"}
    assert len(statements(f"{INTERVIEW} {other}", meant)) == len(statements(f"{INTERVIEW} {other}", {})) + 2
    assert len(statements(f"{other} {INTERVIEW}", meant)) == len(statements(f"{other} {INTERVIEW}", {}))
