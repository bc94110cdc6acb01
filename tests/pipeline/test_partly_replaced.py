"""News about one thing in a statement leaves the rest of it as it was, and the rest answers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Answer, Filter, Query, Selected
from lattice_common.language.sentences.parts import parts_of_statement
from lattice_common.language.sentences.wording import with_capital
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.extractive import Judgements, extractive_answer
from recalled_store import atom, day, recall_over

OLD, NEW = "The boat is a Skiff, named Second Wind, kept at slip 27.", "The marina moved us to slip 41."
KIND, NAME, PLACE = "The boat is a Skiff", "named Second Wind", "kept at slip 27"
CALLED, WHERE = "What is the boat called?", "Which slip is the boat kept at?"
ENDS, LEAVES = 0.9, 0.05


def replaced(old: str = OLD, new: str = NEW) -> list[Atom]:
    return [
        atom(old, 1, "2025-01-10", is_superseded=True, superseded_by="atom0002"),
        atom(new, 2, "2026-05-20", supersedes=("atom0001",)),
    ]


def answered(question: str, answering: dict[tuple[str, str], float], atoms: list[Atom] | None = None) -> Answer:
    related = {(KIND, NEW): LEAVES, (NAME, NEW): LEAVES, (PLACE, NEW): ENDS, (OLD, NEW): ENDS}
    judge = ScriptedJudge(related, answering=answering)
    return recall_over(atoms or replaced(), model=Model(HashedEmbedder(), judge=judge)).answer(Query(question))


def test_what_nothing_replaced_is_told_with_what_changed_beside_it() -> None:
    answer = answered(
        CALLED, {(CALLED, OLD): 0.9, (CALLED, NEW): 0.01, (CALLED, NAME): 0.9, (CALLED, KIND): 0.1, (CALLED, PLACE): 0.1}
    )
    assert answer.answer == f"{OLD} [1] In part changed on 20 May 2026: {NEW.replace('us', 'you')} [2]"
    assert answer.answered
    assert [each.atom_id for each in answer.citations] == ["atom0001", "atom0002"]


def test_what_was_replaced_is_not_told_as_it_was() -> None:
    answer = answered(WHERE, {(WHERE, OLD): 0.9, (WHERE, NEW): 0.5, (WHERE, PLACE): 0.9, (WHERE, KIND): 0.1, (WHERE, NAME): 0.1})
    assert answer.answer.startswith(NEW.replace("us", "you"))
    # Nor where the judge does not see that the newer one answers: it ends the very part that does.
    answer = answered(WHERE, {(WHERE, OLD): 0.9, (WHERE, NEW): 0.05, (WHERE, PLACE): 0.9, (WHERE, KIND): 0.1, (WHERE, NAME): 0.1})
    assert answer.answer.startswith(NEW.replace("us", "you"))


def test_news_of_the_same_thing_does_not_answer_what_it_has_no_word_of() -> None:
    which, old, new = (
        "What toner does the printer take?",
        "The printer is a Brother, toner TN-2410, on .40.",
        "The printer moved to .45.",
    )
    kind, toner, where = "The printer is a Brother", "toner TN-2410", "on .40"
    related = {(kind, new): LEAVES, (toner, new): LEAVES, (where, new): ENDS}
    answering = {(which, old): 0.9, (which, new): 0.8, (which, toner): 0.1, (which, kind): 0.3}
    recall = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=ScriptedJudge(related, answering=answering)))
    answer = recall.answer(Query(which)).answer
    assert answer == f"{old} [1] In part changed on 20 May 2026: {new} [2]"
    # Of a part that the news ends, the news is told, whatever its words.
    answering[which.replace("toner", "address"), old] = 0.9
    assert "In part changed" not in recall.answer(Query("Where is the printer now?")).answer


def test_news_with_the_value_that_is_asked_for_is_told_and_not_the_one_that_it_replaced() -> None:
    which, old, new = (
        "What is the alarm code at the Foundry?",
        "The alarm at the Foundry, desk 14, is 7719# and the wifi is FoundryGuest.",
        "They changed the alarm: 3304#",
    )
    first, *further = parts_of_statement(old)
    related = {(first, new): LEAVES, **{(each, new): ENDS for each in further}}
    answering = {(which, old): 0.9, (which, new): 0.4, (which, first): 0.9}
    recall = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=ScriptedJudge(related, answering=answering)))
    answer = recall.answer(Query(which)).answer
    assert answer.startswith("They changed the alarm: 3304#")
    assert "In part changed" not in answer


def test_news_of_another_place_leaves_the_day_as_it_was() -> None:
    when, old, new = "When is the party?", "The party is at the Rodney on 27 June 2026.", "The party is at the allotment now."
    answer = answered(when, {(when, old): 0.9, (when, new): 0.8}, replaced(old, new))
    assert answer.answered
    assert "27 June 2026" in answer.answer


def test_where_the_newer_names_a_time_it_answers_when() -> None:
    when, old, new = "What day is choir?", "Choir is on Monday, half past seven.", "Choir has moved to Thursdays."
    answering = {(when, old): 0.9, (when, new): 0.01, (when, "half past seven"): 0.9, (when, "Choir is on Monday"): 0.1}
    assert "In part changed" not in answered(when, answering, replaced(old, new)).answer


def test_how_old_somebody_is_and_who_is_told_by_the_part_that_names_them() -> None:
    old, new = "I live in Ghent with my husband Piet and our daughter Fien (4).", "We moved to Drongen."
    related = {("I live in Ghent", new): ENDS, ("my husband Piet", new): LEAVES, ("our daughter Fien (4)", new): LEAVES}
    recall = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=ScriptedJudge(related)))
    for question in ("How old is Fien?", "Who is Piet?"):
        answer = recall.answer(Query(question)).answer
        assert answer.startswith("You live in Ghent with your husband Piet and your daughter Fien (4). [1] In part changed"), (
            question
        )


@pytest.mark.parametrize("hidden", [{"source_id": "others.md"}, {"archived": True}])
def test_what_a_question_may_not_see_is_not_told_for_having_been_replaced(hidden: dict[str, object]) -> None:
    old, new = replaced()
    atoms = [replace(old, **hidden), replace(new, source_id="own.md")]  # type: ignore[arg-type]  # fields of an atom
    answering = {(CALLED, OLD): 0.9, (CALLED, NEW): 0.01, (CALLED, NAME): 0.9, (CALLED, KIND): 0.1, (CALLED, PLACE): 0.1}
    judge = ScriptedJudge({(KIND, NEW): LEAVES, (NAME, NEW): LEAVES, (PLACE, NEW): ENDS}, answering=answering)
    recall = recall_over(atoms, model=Model(HashedEmbedder(), judge=judge))
    asked = Query(CALLED, filter=Filter(source_id=("own.md",) if "source_id" in hidden else ()))
    assert "In part changed" not in recall.answer(asked).answer


INSURED, AXA = "Who insures the car?", "The car is a Skoda, insured with Axa."
WORKS, LLOYDS = "Where does Ann work?", "I live in Bristol, and Ann works at Lloyds as an analyst."


@pytest.mark.parametrize(
    ("question", "old", "part", "new"),
    [
        (INSURED, AXA, "insured", "Axa was too dear, so it's with Aviva now."),
        (WORKS, LLOYDS, "and Ann works at Lloyds as an analyst", "Ann started a new job at the museum."),
    ],
)
def test_news_of_the_same_thing_that_answers_is_told_first(question: str, old: str, part: str, new: str) -> None:
    assert part in parts_of_statement(old)
    answering = {(question, old): 0.9, (question, new): 0.95, (question, part): 0.9}
    others = {(each, new): ENDS for each in parts_of_statement(old) if each != part}
    judge = ScriptedJudge({**others, (part, new): LEAVES}, answering=answering)
    answer = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=judge)).answer(Query(question)).answer
    assert answer.startswith(f"{with_capital(new)} [1] (Until 20 May 2026: ")


def test_who_is_asked_for_by_a_role_is_told_by_the_part_that_answers() -> None:
    who, old, new = "Who is Kate's husband?", "Kate lives in Leeds with her husband Tom.", "Kate moved to York."
    related = {("Kate lives in Leeds", new): ENDS, ("her husband Tom", new): LEAVES}
    answering = {(who, old): 0.9, (who, new): 0.01, (who, "her husband Tom"): 0.4, (who, "Kate lives in Leeds"): 0.1}
    judge = ScriptedJudge(related, answering=answering)
    answer = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=judge)).answer(Query(who)).answer
    assert answer == f"{old} [1] In part changed on 20 May 2026: {new} [2]"


def test_what_says_one_thing_is_replaced_whole() -> None:
    where = "Where do I live?"
    answer = answered(where, {(where, "I live in Leeds."): 0.9}, replaced("I live in Leeds.", "Unpacked the last box in York."))
    assert answer.answer.startswith("Unpacked the last box in York")


def test_who_asks_how_it_was_is_told_that_it_is_no_longer_so() -> None:
    before = "What was the boat called before?"
    assert "(no longer so)" in answered(before, {(before, OLD): 0.9, (before, NEW): 0.01, (before, NAME): 0.9}).answer


@pytest.mark.parametrize(("chance", "newer_answers"), [(0.8, True), (0.3, True), (0.15, False), (0.01, False)])
def test_of_two_of_which_the_newer_may_have_ended_the_older_the_one_that_answers_comes_first(
    chance: float, newer_answers: bool
) -> None:
    asked = "Who has our spare key?"
    newer = Selected(atom("Joke moved away.", 2, "2026-05-20"), 8.0)
    older = Selected(atom("Joke has our spare key.", 1, "2025-01-10"), 8.0, outdated_by=newer.atom.atom_id)
    chances = {older.atom.atom_id: 0.9, newer.atom.atom_id: chance}
    answer = extractive_answer(
        Question(Query(asked), asked, tokens=("spare", "key")),
        [newer, older],
        {},
        answerable=True,
        trace_id="trace",
        now=day("2026-06-01"),
        judgements=Judgements(chances=chances),
    )
    if newer_answers:
        assert answer.answer == "Since 20 May 2026: Joke moved away. [1] Before: Joke has your spare key. [2]"
    else:
        assert answer.answer == "Joke has your spare key. [1] This may have changed since 20 May 2026: Joke moved away. [2]"


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("I live in Leeds.", ["I live in Leeds"]),
        (
            "I live in Ghent with my husband Piet and our daughter Fien (4).",
            ["I live in Ghent", "my husband Piet", "our daughter Fien (4)"],
        ),
        (
            "Client: Lumo (contact: Jasper), they pay 40 usd/hr",
            ["Client", "Lumo", "contact", "Jasper", "they pay 40 usd/hr"],
        ),
        ("Die Miete ist 890 Euro und am 3. fällig.", ["Die Miete ist 890 Euro", "am 3. fällig"]),
    ],
)
def test_the_parts_of_a_statement(content: str, parts: list[str]) -> None:
    assert parts_of_statement(content) == parts


GYM, LEFT = "I go to FitPoint, 30 a month.", "I left FitPoint."
MONTHLY, WHO_RUNS = "What did FitPoint cost?", "Who runs FitPoint?"


def test_what_no_longer_holds_answers_where_nothing_else_does_and_says_so() -> None:
    answer = answered(MONTHLY, {(MONTHLY, GYM): 0.95, (MONTHLY, LEFT): 0.01}, replaced(GYM, LEFT))
    assert answer.answered
    assert answer.answer == "You left FitPoint. [1] (Until 20 May 2026: You go to FitPoint, 30 a month.) [2]"


def test_what_no_longer_holds_is_not_told_where_it_does_not_answer_either() -> None:
    answer = answered(WHO_RUNS, {(WHO_RUNS, GYM): 0.02, (WHO_RUNS, LEFT): 0.02}, replaced(GYM, LEFT))
    assert not answer.answered
    assert "no longer so" not in answer.answer


def test_in_another_language_news_that_answers_comes_before_what_it_replaced_in_part() -> None:
    who, old, new = (
        "quién es mi médico?",
        "mi doctora es la dra. Pallarés, en San Pablo",
        "Pallarés se jubila, ahora me lleva Gascón",
    )
    part = "en San Pablo"
    assert part in parts_of_statement(old)
    answering = {(who, old): 0.9, (who, new): 0.8, (who, part): 0.9}
    judge = ScriptedJudge({(part, new): LEAVES, (old, new): ENDS}, answering=answering)
    answer = recall_over(replaced(old, new), model=Model(HashedEmbedder(), judge=judge)).answer(Query(who)).answer
    assert answer.startswith("Desde el 20 de mayo de 2026: “Pallarés se jubila")
    assert "Antes, y en parte todavía: mi doctora" in answer
