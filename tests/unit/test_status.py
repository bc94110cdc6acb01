"""How what is said is meant: certain rules, the judge, and both over the sentence that a quote stands in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.capture import Capture, Source, Trust, Turn
from lattice_common.domain.judgement import STATUSES, UTTERANCE_INTENTS, Status, UtteranceReading
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract.status import certain, judged, with_status
from lattice_common.ingest.segment import segment
from lattice_common.language.facts.status_rules import RULES, Rule

SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def status_in(
    text: str,
    quote: str,
    judge: ScriptedJudge | None = None,
    *,
    trust: Trust = "user",
    source: Source = "user",
    kind: str = "fact",
    turns: tuple[Turn, ...] = (),
) -> Status | None:
    """That of what one quote of a text says."""
    capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID, text, SAID, trust=trust, source=source, turns=turns)
    start = text.index(quote)
    candidate = Candidate(quote, quote, kind, "", "0", start, start + len(quote))
    piece = next(piece for piece in segment(capture) if piece.start <= start < piece.end)
    ((_, (found,)),) = with_status(capture, [(piece, (candidate,))], judge)
    return found.status


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.example)
def test_each_rule_reads_its_example(rule: Rule) -> None:
    assert certain(rule.example, rule.example) == rule.status


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leeds.",
        "Anna's birthday is the 12th of June.",
        "The dishwasher flooded the kitchen again.",
        "I told Anna that we are moving.",
        "Gate code 4471#.",
        "I am used to the noise.",
        "Kemal said yes.",
        "I like tea.",
        "The book is nearly finished.",
        "She would not eat it.",
        "I always say what I think.",
        "Ich wohne in Köln.",
    ],
)
def test_what_is_simply_so_is_asserted(text: str) -> None:
    assert certain(text, text) is None
    assert status_in(text, text) == "asserted"


@pytest.mark.parametrize(
    ("text", "quote", "status"),
    [
        ("If I won the lottery. I'd buy a boat.", "I'd buy a boat.", "supposed"),
        ("I've stopped believing in alarm clocks. Kidding.", "I've stopped believing in alarm clocks.", "joked"),
        ("Almost rang Bartosz to make up. Didn't.", "Almost rang Bartosz to make up.", "rejected"),
        ("I used to swim at the Lido, but now I cycle.", "I cycle", "asserted"),
        ("Nurse said the next jab is in six weeks. Left arm was sore.", "Left arm was sore.", "asserted"),
        ("Nurse said the next jab is in six weeks. Left arm was sore.", "Nurse said the next jab is in six weeks.", "quoted"),
        ("My tutor says that the exam is oral.", "the exam is oral", "quoted"),
    ],
)
def test_a_quote_is_meant_as_its_sentence_says(text: str, quote: str, status: Status) -> None:
    assert status_in(text, quote) == status


def test_what_no_rule_knows_the_judge_says() -> None:
    judge = ScriptedJudge(meant={"This queue has outlived two of my marriages.": ("tell", "joked")})
    assert (
        status_in("This queue has outlived two of my marriages.", "This queue has outlived two of my marriages.", judge)
        == "joked"
    )
    assert status_in("This queue is long.", "This queue is long.", judge) == "asserted"


def test_a_certain_rule_is_not_overruled() -> None:
    judge = ScriptedJudge(meant={"I wish I'd kept the letters.": ("tell", "asserted")})
    assert status_in("I wish I'd kept the letters.", "I wish I'd kept the letters.", judge) == "wished"


@pytest.mark.parametrize("trust", ["document", "web"])
def test_a_document_is_not_judged(trust: Trust) -> None:
    judge = ScriptedJudge(meant={"The tenant is a saint.": ("tell", "joked")})
    assert status_in("The tenant is a saint.", "The tenant is a saint.", judge, trust=trust, source="document") == "asserted"


def test_what_an_assistant_says_is_not_judged_and_what_somebody_says_to_it_is() -> None:
    judge = ScriptedJudge(meant={"Try Faro.": ("tell", "wished"), "Off to Faro.": ("tell", "planned")})
    text = "AI: Try Faro.\nMe: Off to Faro."
    turns = (Turn(4, 13, "assistant", "AI"), Turn(18, 30, "user", "Me"))
    assert status_in(text, "Try Faro.", judge, turns=turns) == "asserted"
    assert status_in(text, "Off to Faro.", judge, turns=turns) == "planned"


def test_a_question_is_not_judged() -> None:
    judge = ScriptedJudge(meant={"Who has the key?": ("tell", "joked")})
    assert status_in("Who has the key?", "Who has the key?", judge, kind="question") == "asserted"


def reading(**shares: float) -> UtteranceReading:
    return UtteranceReading(dict.fromkeys(UTTERANCE_INTENTS, 0.0), {name: shares.get(name, 0.0) for name in STATUSES}, {})


def test_a_judge_that_is_not_sure_leaves_it_asserted() -> None:
    assert judged(reading(asserted=0.45, wished=0.55), text="Ilya lives in Lisbon.") == "asserted"
    assert judged(reading(asserted=0.1, wished=0.9), text="Ilya lives in Lisbon.") == "wished"
    assert judged(reading(asserted=0.2, past=0.5, joked=0.3), text="Ilya lives in Lisbon.") == "past"


def test_a_part_of_a_sentence_is_read_by_itself_as_well() -> None:
    assert judged(reading(joked=1.0), reading(asserted=1.0), text="Ilya lives in Lisbon.") == "asserted"
    assert judged(reading(joked=1.0), reading(asserted=0.3, joked=0.7), text="Ilya lives in Lisbon.") == "joked"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("My brother Ilya lives in Lisbon.", "asserted"),
        ("Kasia says Ilya lives in Lisbon.", "quoted"),
        ("“Ilya lives in Lisbon.”", "quoted"),
        ("Mój brat twierdzi, że Ilya mieszka w Lizbonie.", "quoted"),
    ],
)
def test_in_english_nothing_is_quoted_of_which_nobody_is_said_to_have_said_it(text: str, status: Status) -> None:
    assert judged(reading(quoted=0.8, asserted=0.1, uncertain=0.1), text=text) == status
