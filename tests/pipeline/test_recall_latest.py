"""Of what was found together, the newer comes before what it makes untrue, though nothing was said of that when it was told."""

from __future__ import annotations

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom, Relation
from lattice_common.domain.recall import Query, Selected
from lattice_common.language.questions.asked_now import asks_for_now
from recalled_store import atom, recall_over

QUESTION = "Where is my mother's room now?"
OLD, NEW = "My mother's room is number 14 at Elmcroft.", "My mother's room is number 3, on the ground floor."
ROOMS = [atom(f"The bus number {at} stops where the market is.", at, "2026-02-01") for at in range(20, 32)]
OLDER, NEWER = atom(OLD, 1, "2026-01-10"), atom(NEW, 2, "2026-06-10")


def found(*atoms: Atom, related: bool = True, question: str = QUESTION, judged: bool = True) -> tuple[Selected, ...]:
    answering = {(question, OLD): 0.95, (question, NEW): 0.9, **{(question, each.content): 0.001 for each in ROOMS}}
    judge = ScriptedJudge({(OLD, NEW): 0.95} if related else {}, answering)
    recall = recall_over(atoms, model=Model(HashedEmbedder(), judge=judge))
    return recall.select(Query(question, judged=judged)).atoms


def places(chosen: tuple[Selected, ...]) -> tuple[int, int]:
    """Of the older and the newer one."""
    contents = [each.atom.content for each in chosen]
    return contents.index(OLD), contents.index(NEW)


def test_what_no_longer_holds_stands_behind_the_first_five_and_the_newer_in_its_place() -> None:
    chosen = found(OLDER, NEWER, *ROOMS)
    old, new = places(chosen)
    assert new < 2
    assert old == 5
    assert chosen[old].outdated_by is None  # it is too unsure to be said


def test_what_a_newer_one_has_nothing_to_do_with_keeps_its_place() -> None:
    assert places(found(OLDER, NEWER, *ROOMS, related=False))[0] < 2


def test_the_older_one_is_not_made_untrue_by_what_came_before_it() -> None:
    newer_said_first = atom(NEW, 2, "2025-12-01")
    assert places(found(OLDER, newer_said_first, *ROOMS))[0] < 2


def test_two_sentences_of_one_text_make_nothing_of_each_other_untrue() -> None:
    same = atom(OLD, 1, "2026-01-10", capture_id="one"), atom(NEW, 2, "2026-06-10", capture_id="one")
    assert places(found(*same, *ROOMS))[0] < 2


def test_how_it_was_keeps_its_order_and_so_does_what_no_judge_reads() -> None:
    assert places(found(OLDER, NEWER, *ROOMS, question="Which room did my mother use to have?"))[0] < 2
    assert places(found(OLDER, NEWER, *ROOMS, judged=False))[0] < 2


def test_none_falls_out_for_it() -> None:
    few = found(OLDER, NEWER, *ROOMS[:2])
    assert {each.atom.content for each in few} >= {OLD, NEW}
    assert places(few)[0] == len(few) - 1


@pytest.mark.parametrize(
    "question", ["where do I live these days?", "who is my boss at present", "Wo wohne ich jetzt?", "is he still ill?"]
)
def test_what_holds_now_is_asked_for_in_so_many_words(question: str) -> None:
    assert asks_for_now(question)


@pytest.mark.parametrize("question", ["where did I live?", "I know the owner of the house, who is it?", "was kostet der Schnee?"])
def test_other_questions_do_not_ask_for_it(question: str) -> None:
    assert not asks_for_now(question)


CHAIR = atom("The chair of governors is Mrs Siddiqui.", 40, "2026-03-01")
ASKED = "Who is the chair of governors?"


@pytest.mark.parametrize(("surely", "first"), [(0.4, "later"), (0.01, "CHAIR")])
def test_what_perhaps_ended_something_comes_before_it_unless_it_surely_does_not_answer(surely: float, first: str) -> None:
    later = atom(
        "Told Siddiqui only, the announcement comes later.", 41, "2026-04-01", relations=(Relation("updates", CHAIR.atom_id),)
    )
    answering = {(ASKED, CHAIR.content): 0.9, (ASKED, later.content): surely, **{(ASKED, each.content): 0.001 for each in ROOMS}}
    recall = recall_over([CHAIR, later, *ROOMS], model=Model(HashedEmbedder(), judge=ScriptedJudge({}, answering)))
    assert recall.select(Query(ASKED, judged=True)).atoms[0].atom == {"later": later, "CHAIR": CHAIR}[first]


BOUGHT = atom("Bought a second-hand cello for 640.", 50, "2026-03-01")
SOLD = atom("Sold the cello for 700.", 51, "2026-06-01", relations=(Relation("may_update", BOUGHT.atom_id),))


@pytest.mark.parametrize(
    ("question", "first"),
    [("How much did I pay for the second-hand cello that I bought?", BOUGHT), ("Do I have a cello, for what price?", SOLD)],
)
def test_who_asks_what_happened_once_is_told_that_first(question: str, first: Atom) -> None:
    answering = {
        (question, BOUGHT.content): 0.9,
        (question, SOLD.content): 0.3,
        **{(question, each.content): 0.001 for each in ROOMS},
    }
    recall = recall_over([BOUGHT, SOLD, *ROOMS], model=Model(HashedEmbedder(), judge=ScriptedJudge({}, answering)))
    assert recall.select(Query(question, judged=True)).atoms[0].atom == first


def test_what_the_judge_doubts_and_memory_doubted_already_is_not_yet_to_come() -> None:
    moved = atom("Elmcroft has been sold to a trust.", 60, "2026-07-01", relations=(Relation("may_update", OLDER.atom_id),))
    chosen = found(OLDER, NEWER, moved, *ROOMS)
    assert moved in [each.atom for each in chosen]
    assert all(each.after is None for each in chosen)
