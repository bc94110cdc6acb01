"""What an assistant said is told as that, and is no word of the owner's."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from known_atoms import statement
from lattice_common.recall.synthesize.meant import as_meant

SAID = replace(
    statement("You may have a strained tendon.", datetime(2026, 3, 2, tzinfo=UTC), capture=1),
    kind="recommendation",
    trust="assistant",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Do I have a strained tendon?", "An assistant said: “You may have a strained tendon”."),
        ("Habe ich eine gezerrte Sehne?", "Ein Assistent hat gesagt: “You may have a strained tendon”."),
        ("What did the assistant say about my wrist?", "You may have a strained tendon."),
    ],
)
def test_what_an_assistant_advised_is_told_as_that_unless_it_is_asked_for(question: str, told: str) -> None:
    assert as_meant(question, SAID, SAID.content) == told


def test_what_an_assistant_passed_on_of_its_owner_is_the_owners() -> None:
    fact = replace(SAID, kind="fact")
    assert as_meant("Do I have a strained tendon?", fact, fact.content) == fact.content


def test_a_term_of_a_contract_is_quoted_and_nobodys_musing() -> None:
    term = replace(SAID, content="If you pay late, a summons costs £64.50.", trust="document", kind="fact", status="supposed")
    assert as_meant("What does a summons cost?", term, term.content) == "“If you pay late, a summons costs £64.50”."
