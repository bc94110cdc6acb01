"""The contract of ports/judge.py, on the shipped model and on the scripted one."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.onnx_judge import OnnxJudge
from lattice_common.domain.judgement import STATUSES, UTTERANCE_INTENTS
from lattice_common.domain.status import TRUE_OF_WHAT_THEY_SAY
from lattice_common.ingest.extract.status import TRUE_FROM
from lattice_common.ports.judge import Judge

OLD, NEW = "I live in Leeds.", "I moved to York last week."
ASKED, RENT = "What do we pay our landlord every month?", "Lease › Costs: Rent: 985 euros a month"
PAIRS = [
    (OLD, NEW),
    ("The burglar alarm code at home is 4471.", "Funny, my luggage lock is 4471 as well."),
    ("", ""),
    ("Ich wohne in Köln.", "東京に住んでいます"),
    ("word " * 500, "🙂 naïve café\x00\ud800"),
    ("ok", "word " * 500),
] + [(f"Note {number}: {'the garden needs water ' * (number % 7)}", "It rained.") for number in range(30)]


@pytest.fixture(scope="session")
def shipped() -> OnnxJudge:
    return OnnxJudge()


@pytest.fixture(params=["shipped", "scripted"])
def judge(request: pytest.FixtureRequest) -> Judge:
    if request.param == "shipped":
        shipped: Judge = request.getfixturevalue("shipped")
        return shipped
    return ScriptedJudge({(OLD, NEW): 0.95}, {("Where do I live?", OLD): 0.9, (ASKED, RENT): 0.9})


def test_the_four_relations_add_up_to_one(judge: Judge) -> None:
    for each in judge.relations(PAIRS):
        shares = (each.updates, each.adds, each.same, each.unrelated)
        assert all(0 <= share <= 1 for share in shares)
        assert sum(shares) == pytest.approx(1, abs=1e-6)


def test_a_plain_move_updates_where_one_lives(judge: Judge) -> None:
    (found,) = judge.relations([(OLD, NEW)])
    assert found.label == "updates"
    assert found.updates > 0.5


def test_nothing_asked_is_nothing_said(judge: Judge) -> None:
    assert judge.relations([]) == []
    assert judge.ends([], []) == []
    assert judge.answers("Where do I live?", []) == []
    assert judge.utterances([]) == []


def test_what_news_ends_is_read_from_all_that_it_was_compared_with(judge: Judge) -> None:
    olds = [OLD, "Our cat is called Miso.", "I take two sugars in my tea."]
    ended = judge.ends(judge.relations([(old, NEW) for old in olds]), [0.5, 0.1, 0.0])
    assert all(0 <= each <= 1 for each in ended)
    assert ended[0] == max(ended) > 0.5
    assert judge.boundaries["likely"] <= judge.boundaries["certain"]


def test_a_judgement_does_not_depend_on_what_stands_beside_it(judge: Judge) -> None:
    together = [each.updates for each in judge.relations(PAIRS)]
    alone = [judge.relations([pair])[0].updates for pair in PAIRS]
    backwards = [each.updates for each in judge.relations(PAIRS[::-1])][::-1]
    assert together == pytest.approx(alone, abs=1e-3)
    assert together == pytest.approx(backwards, abs=1e-3)


def test_the_statement_that_answers_is_surer_than_one_that_does_not(judge: Judge) -> None:
    given = judge.answers("Where do I live?", [OLD, "The spare key is with Ines."])
    assert len(given) == 2
    assert all(0 <= share <= 1 for share in given)
    assert given[0] > given[1]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is Wendy's bakery called?", "Daughter Wendy runs a bakery in Bend called Flour Street."),
        ("What does Mahsa do?", "Sister Mahsa, Toronto, pharmacist."),
        ("Where do I work?", "I work at Halden Shipping as a bookkeeper."),
    ],
)
def test_of_notes_in_the_questions_own_words_the_one_that_answers_is_the_surest(
    shipped: OnnxJudge, question: str, told: str
) -> None:
    others = ["Hospital called.", "Wendy is 41.", "Mahsa turned 30.", "Work on the roof starts in May."]
    first, *rest = shipped.answers(question, [told, *others])
    assert first > max(rest)


def test_of_near_twins_in_a_document_the_line_that_answers_is_the_surest(judge: Judge) -> None:
    given = judge.lines_answer(
        ASKED, [RENT, "Lease › Costs: Deposit: 2,955 euros", "Lease › Costs: Parking space: 60 euros a month"]
    )
    assert len(given) == 3
    assert all(0 <= share <= 1 for share in given)
    assert given[0] == max(given)
    assert judge.lines_answer(ASKED, []) == []


def test_an_utterance_has_an_intent_a_status_and_a_kind(judge: Judge) -> None:
    asked, told = judge.utterances(["Where is the spare key?", "The spare key is with Ines."])
    for each in (asked, told):
        assert set(each.intent) == set(UTTERANCE_INTENTS)
        assert set(each.status) == set(STATUSES)
        for shares in (each.intent, each.status, each.kind):
            assert sum(shares.values()) == pytest.approx(1, abs=1e-6)
    assert max(asked.intent, key=lambda name: asked.intent[name]) == "ask"
    assert max(told.intent, key=lambda name: told.intent[name]) == "tell"


def test_a_part_is_read_within_its_text_and_all_of_it_as_by_itself(judge: Judge) -> None:
    text = "My sister wants to move to Skye one day. The spare key is with Ines."
    parts = [(text, "The spare key is with Ines"), (text, text), ("The spare key is with Ines.", "The spare key is with Ines")]
    given = judge.meant(parts)
    alone = [judge.meant([part])[0] for part in parts]
    whole = judge.utterances([text, "The spare key is with Ines."])
    for found, other in zip([*given, *given[1:]], [*alone, *whole], strict=True):
        assert found.status == pytest.approx(other.status, abs=1e-3)
    assert judge.meant([]) == []


@pytest.mark.parametrize(
    "text",
    [
        "If I won the lottery I would buy a boat",
        "I wish we had a garden",
        "My brother says the bakery closes in June",
        "We nearly got a dog but in the end we did not",
        "I would love to learn the cello one day",
    ],
)
def test_a_full_stop_does_not_make_it_so(shipped: OnnxJudge, text: str) -> None:
    with_stop, without = (
        sum(each.status[name] for name in TRUE_OF_WHAT_THEY_SAY) for each in shipped.utterances([text + ".", text])
    )
    assert with_stop == pytest.approx(without, abs=0.2)
    assert with_stop < TRUE_FROM


def test_many_threads_get_what_one_gets(judge: Judge) -> None:
    alone = [each.updates for each in judge.relations(PAIRS)]
    with ThreadPoolExecutor(4) as pool:
        for given in pool.map(lambda _: [each.updates for each in judge.relations(PAIRS)], range(8)):
            assert given == pytest.approx(alone, abs=1e-3)


def test_it_is_named_by_its_weights(judge: Judge) -> None:
    assert judge.model_id


def test_a_second_judge_counts_where_the_first_one_is_in_doubt_and_nowhere_else(shipped: OnnxJudge) -> None:
    alone = OnnxJudge(second=False)
    doubted = ("Our dentist is Dr. Roth.", "Dr. Adeyemi took over the practice.")
    sure = ("The spare key is with Ines.", "Our cat is called Miso.")
    assert shipped.relations([sure]) == alone.relations([sure])
    assert shipped.relations([doubted])[0].updates > 1.2 * alone.relations([doubted])[0].updates
    assert shipped.relations([sure, doubted]) == [shipped.relations([each])[0] for each in (sure, doubted)]


def test_it_needs_no_more_than_the_converted_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an image, which holds the converted embedder without the package that it was made of."""
    cache = tmp_path / "models"
    packaged_minilm.converted_model(cache)
    monkeypatch.setitem(sys.modules, packaged_minilm.PACKAGE.replace("-", "_"), None)  # as if it were not installed
    (found,) = OnnxJudge(cache_dir=cache).relations([(OLD, NEW)])
    assert found.label == "updates"
