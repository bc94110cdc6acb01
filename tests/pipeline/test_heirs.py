"""What replaced a statement is found by the words of what it replaced; through the running product."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition import Embedded
from lattice_common.domain.recall import Query

from tests.pipeline.living import say, started

LEEDS, YORK, BATH = "I live in Leeds.", "Finally unpacked the last box here in York.", "The keys for the house in Bath are ours!"
ASKED = "Which place do I live in?"
OTHERS = [
    "Nele will live in Ghent from May.",
    "The place next door sells ferns.",
    "I live on coffee in exam weeks.",
    "My place at the table is by the window.",
]


def lived(root: Path, *news: str) -> Embedded:
    """A life in which each piece of news retires what was said of home before."""
    line = (LEEDS, *news)
    store = started(root, judge=ScriptedJudge({(old, new): 0.99 for at, old in enumerate(line) for new in line[at + 1 :]}))
    for number, text in enumerate([*OTHERS, *line]):
        say(store, text, observed_at=f"2026-0{number + 1}-05T10:00:00Z")
    return store


def found(store: Embedded, text: str, **asked: object) -> list[str]:
    return [each.atom.content for each in store.lattice.select(Query(text, **asked)).atoms]  # type: ignore[arg-type]


def test_the_newer_statement_is_found_by_the_words_of_what_it_replaced(tmp_path: Path) -> None:
    with lived(tmp_path, YORK) as store:
        assert found(store, ASKED)[0] == YORK
        assert LEEDS not in found(store, ASKED)


def test_a_line_of_replacements_leads_to_the_statement_that_holds(tmp_path: Path) -> None:
    with lived(tmp_path, YORK, BATH) as store:
        answers = found(store, ASKED)
        assert answers[0] == BATH
        assert not {LEEDS, YORK} & set(answers)


def test_questions_about_before_and_as_of_a_day_find_the_retired_statement_itself(tmp_path: Path) -> None:
    with lived(tmp_path, YORK) as store:
        assert LEEDS in found(store, "Where did I live before?")
        assert found(store, ASKED, as_of=datetime(2026, 5, 20, tzinfo=UTC))[0] == LEEDS


def test_a_statement_that_was_found_before_keeps_its_place_without_replacements(tmp_path: Path) -> None:
    with lived(tmp_path) as store:
        assert found(store, ASKED)[0] == LEEDS


def test_what_was_said_in_one_go_with_the_newer_statement_is_found_too(tmp_path: Path) -> None:
    retired, nephew = "Kowalczyk has retired.", "Adam took over, 0171 5540 299."
    engineer = "My heating engineer is Kowalczyk."
    judge = ScriptedJudge({(engineer, f"{retired} {nephew}"): 0.99, (engineer, retired): 0.8})
    with started(tmp_path, judge=judge) as store:
        for number, text in enumerate([*OTHERS, engineer, f"{retired} {nephew}"]):
            say(store, text, observed_at=f"2026-0{number + 1}-05T10:00:00Z")
        assert set(found(store, "Who looks after the heating?", limit=2)) == {retired, nephew}
