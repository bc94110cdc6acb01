"""What the judge reads orders the best statements with all else, and never in its place."""

from __future__ import annotations

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition.models import Model
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query, Selected
from lattice_common.recall.reading import CHARACTERS, Reading
from recalled_store import atom, recall_over

QUESTION = "Where is the spare key of the shed?"
BOUGHT, KEPT = "The key of the shed is a spare one.", "A spare key of the shed hangs there."
KEYS = [atom(BOUGHT, 1), atom(KEPT, 2), *(atom(f"The door number {at} is painted green.", at) for at in range(3, 40))]


class Counting(ScriptedJudge):
    """Counts what it reads as answers."""

    def __init__(self, answering: dict[tuple[str, str], float]) -> None:
        super().__init__(answering=answering)
        self.read: list[str] = []

    def answers(self, question: str, statements: list[str]) -> list[float]:  # type: ignore[override]  # a list is a sequence
        self.read += statements
        return super().answers(question, statements)


def judged(*, answering: dict[tuple[str, str], float], atoms: list[Atom] | None = None, **asked: bool) -> tuple[Selected, ...]:
    recall = recall_over(atoms or KEYS, model=Model(HashedEmbedder(), judge=ScriptedJudge(answering=answering)))
    return recall.select(Query(QUESTION, explain=True, **asked)).atoms


def test_of_two_that_are_as_near_the_one_that_answers_comes_first() -> None:
    for first, second in ((BOUGHT, KEPT), (KEPT, BOUGHT)):
        answering = {(QUESTION, first): 0.95, (QUESTION, second): 0.01}
        assert [each.atom.content for each in judged(answering=answering, judged=True)[:2]] == [first, second]


def test_what_is_asked_for_by_its_identifier_stays_first_whatever_the_judge_makes_of_it() -> None:
    serial = atom("The boiler K584329160 is in the shed.", 90)
    recall = recall_over([*KEYS, serial], model=Model(HashedEmbedder(), judge=ScriptedJudge(answering={})))
    question = "Where is K584329160, the spare key of the shed?"
    assert recall.select(Query(question, judged=True)).atoms[0].atom.atom_id == serial.atom_id


def test_the_judges_share_of_a_score_is_shown_and_sums_with_the_others() -> None:
    answering = {(QUESTION, KEPT): 0.95}
    chosen = judged(answering=answering, judged=True)
    assert next(each for each in chosen if each.atom.content == KEPT).signals["judged"].contribution > 1.0
    for each in chosen:
        assert abs(sum(signal.contribution for signal in each.signals.values()) - each.score) < 1e-6


def test_what_is_only_selected_is_not_read_unless_it_is_asked_for() -> None:
    for first in (BOUGHT, KEPT):
        answering = {(QUESTION, first): 0.95}
        assert "judged" not in judged(answering=answering)[0].signals


def test_an_answer_reads_each_of_the_best_statements_once() -> None:
    judge = Counting({(QUESTION, KEPT): 0.95})
    recall = recall_over(KEYS, model=Model(HashedEmbedder(), judge=judge))
    recall.answer(Query(QUESTION))
    assert len(judge.read) == len(set(judge.read)) == 24


def test_talk_keeps_its_order() -> None:
    talk = [atom(each.content, each.seq, speaker="Mel", segment_id=str(each.seq)) for each in KEYS]
    chosen = judged(answering={(QUESTION, KEPT): 0.95}, atoms=talk, judged=True)
    assert all("judged" not in each.signals for each in chosen)


def test_statements_are_read_by_their_beginning_and_once() -> None:
    judge = Counting({})
    reading = Reading(judge)
    long = "x" * (CHARACTERS + 1)
    assert reading.answers("?", [long, "short", long + "y"]) == [0.5, 0.5, 0.5]
    assert reading.relations([("a", "b"), ("a", "b")]) == judge.relations([("a", "b")]) * 2
    assert judge.read == ["x" * CHARACTERS, "short"]
    assert judge.asked == [("a", "b")] * 2


def test_a_statement_is_also_read_as_what_it_replaced() -> None:
    judge = Counting({("Who is the landlord?", "The landlord is Mr Berg, 980 a month."): 0.9})
    reading = Reading(judge)
    reading.stand_for({"The rent went up to 1,020.": ("The landlord is Mr Berg, 980 a month.",)})
    read = reading.answers("Who is the landlord?", ["The rent went up to 1,020.", "The shed is green."])
    assert read[0] == 0.9
    assert read[1] < read[0]
    reading.answers("Who is the landlord?", ["The rent went up to 1,020."])
    assert len(judge.read) == 3
