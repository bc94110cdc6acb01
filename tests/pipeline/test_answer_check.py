"""Each sentence of an answer against the memories it cites: what is borne out, and what is not."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone

import pytest
from lattice_common.language.claims.numbers import numbers
from lattice_common.ports.language_model import ToolCall
from lattice_common.recall.answer_check import doubts
from lattice_common.recall.tools import ToolResult, call
from recalled_store import atom

NOW = datetime(2026, 11, 21, 9, tzinfo=timezone(timedelta(hours=1)))
CITED = [
    atom("I moved from Berlin to Lisbon yesterday (14 May 2026).", 1, "2026-05-15", supersedes=("atom0009",)),
    atom("Rent is 850 euros.", 2, "2026-02-01"),
    atom("The phone bill is 40.50 euros.", 3, "2026-02-01"),
    atom("Caroline doesn't eat meat.", 4, "2026-02-01"),
    atom("Ada has two dogs, Rex and Bello.", 5),
    atom("Bob hired Alice.", 6),
    atom("The meeting is on Tuesday at 17:30.", 7, "2026-11-20"),
    atom("Ich wohne in München.", 8),
    atom("The warranty ends on 31 March 2027.", 9, "2026-11-01"),
]
REPLACED = {"atom0009": atom("I live in Berlin.", 10, "2025-01-10")}


def reasons(answer: str, *results: ToolResult) -> list[str]:
    return [doubt.reason for doubt in doubts(answer, CITED, REPLACED, results, NOW)]


@pytest.mark.parametrize(
    "answer",
    [
        "You live in Lisbon [1].",
        "You moved to Lisbon on 14 May [1].",
        "You moved to Lisbon in May 2026. [1] Until then you lived in Berlin [1].",
        "You moved six months ago [1].",
        "You have lived in Lisbon for 6 months [1].",
        "You told me on 15 May 2026 that you moved to Lisbon [1].",
        "You live in Lisbon [1]. (Until 15 May 2026: I live in Berlin.) [1]",
        "Your rent is 850 euros [2].",
        "Your rent is eight hundred and fifty euros [2].",
        "No. You pay 850 euros [2].",
        "Caroline does not eat meat [4].",
        "Caroline never eats meat [4].",
        "Ada has 2 dogs, Rex and Bello [5].",
        "Bob hired Alice [6].",
        "Alice was hired by Bob [6].",
        "The meeting is on Tuesday at 17:30 [7].",
        "Du wohnst in München [8].",
        "Here is what I know:\n- You live in Lisbon [1]\n- Rent is 850 euros [2]",
        "The warranty ends on 31 March 2027 [9].",
        "The warranty ends in March [9].",
        "Deine Miete beträgt 850 Euro [2].",
    ],
)
def test_what_the_cited_memories_say_is_borne_out(answer: str) -> None:
    assert reasons(answer) == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Your rent is 900 euros [2].", "number"),
        ("Your rent is nine hundred euros [2].", "number"),
        ("Your rent is eight hundred and sixty euros [2].", "number"),
        ("Together you pay 890.50 euros [2][3].", "number"),
        ("Your rent is 850 euros [3].", "number"),
        ("Ada has three dogs [5].", "number"),
        ("The meeting is at 18:30 [7].", "number"),
        ("Deine Miete beträgt 900 Euro [2].", "number"),
        ("Bob hired Carol [6].", "name"),
        ("Alice hired Bob [6].", "name"),
        ("You live in Porto [1].", "name"),
        ("You moved to Lisbon on 15 May [1].", "date"),
        ("You moved to Lisbon two weeks ago [1].", "date"),
        ("You moved to Lisbon yesterday [1].", "date"),
        ("You moved to Lisbon in 2025 [1].", "date"),
        ("The warranty ends on 31 March 2028 [9].", "date"),
        ("Caroline eats meat [4].", "negation"),
        ("The rent isn't 850 euros [2].", "negation"),
        ("The sky is blue over the mountains [2].", "content"),
        ("You live in Lisbon.", "uncited"),
        ("You live in Lisbon [42].", "uncited"),
    ],
)
def test_what_they_do_not_say_is_doubted(answer: str, reason: str) -> None:
    assert reasons(answer) == [reason]


def test_a_doubt_names_the_sentence_and_the_words() -> None:
    answer = "You live in Lisbon [1]. 🎉 Your rent is 900 euros [2]. Ada has two dogs [5]."
    (doubt,) = doubts(answer, CITED, REPLACED, (), NOW)
    assert answer[doubt.start : doubt.end].endswith("Your rent is 900 euros [2].")
    assert doubt.words == "900"


def tool(name: str, arguments: str) -> ToolResult:
    return call(ToolCall("1", name, arguments))


def test_what_a_tool_made_of_the_cited_numbers_is_borne_out() -> None:
    total = tool("sum_numbers", '{"numbers": [850, 40.5]}')
    assert reasons("Together you pay 890.50 euros [2][3].", total) == []
    assert reasons("Together you pay 890.50 euros [2].", total) == ["number"]


def test_a_sum_of_sums_is_borne_out_by_what_it_is_made_of() -> None:
    first = tool("sum_numbers", '{"numbers": [850, 40.5]}')
    second = tool("sum_numbers", '{"numbers": [890.5, 850]}')
    assert reasons("In all that is 1740.50 euros [2][3].", first, second) == []
    assert reasons("In all that is 1740.50 euros [2][3].", second) == ["number"]


def test_a_span_between_the_cited_dates_is_borne_out() -> None:
    apart = tool("date_diff", '{"start": "2026-05-14", "end": "2026-11-21"}')
    assert reasons("That makes 191 days in Lisbon [1].", apart) == []
    assert reasons("That makes 191 days in Lisbon [1].") == []
    assert reasons("That makes 200 days in Lisbon [1].", apart) == ["number"]
    invented = tool("date_diff", '{"start": "2020-01-01", "end": "2020-10-01"}')
    assert reasons("That makes 274 days in Lisbon [1].", invented) == ["number"]


def test_an_answer_of_any_length_is_checked_in_linear_time() -> None:
    def seconds(sentences: int) -> float:
        answer = "Ada had 3 dogs on 4 May 2026 and two cats in Paris [1][2][3][4][5]. " * sentences
        started = time.process_time()
        assert len(doubts(answer, CITED, REPLACED, (), NOW)) == sentences
        return time.process_time() - started

    seconds(20)
    assert seconds(800) < 12 * max(seconds(200), 0.02)


@pytest.mark.parametrize(
    "answer",
    ["", " ", "[1]", "[1][2]", "...", "[1] [1] [1].", "🎉 [3]", "- [1]\n- [2]", "<<>> [0] [999]", "\x00 [1]", "Yes. [1]"],
)
def test_what_says_nothing_is_not_doubted_and_breaks_nothing(answer: str) -> None:
    assert reasons(answer) == []


def test_dates_at_the_ends_of_the_calendar_break_nothing() -> None:
    last = atom(
        "It ends then.",
        1,
        valid_until=datetime.max.replace(tzinfo=NOW.tzinfo),
        valid_from=datetime.min.replace(tzinfo=NOW.tzinfo),
    )
    assert doubts("It ends then [1].", [last], {}, (), NOW) == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("two thousand four hundred and fifty-three", 2453),
        ("a hundred and five", 105),
        ("one million two hundred thousand", 1_200_000),
        ("one hundred thousand", 100_000),
        ("eight hundred fifty", 850),
    ],
)
def test_numbers_that_are_written_out_are_read_whole(text: str, value: int) -> None:
    assert numbers(text)[0] == {value}
    assert value in numbers(f"some {text} of them")[1]
