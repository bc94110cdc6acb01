"""The model's two tools: exact, without effects, and deaf to nonsense."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.ports.language_model import ToolCall
from lattice_common.recall.tools import call, date_diff, plain, sum_numbers

MONEY = st.decimals(min_value=-(10**9), max_value=10**9, places=2)


@given(st.lists(MONEY, min_size=1, max_size=50))
def test_sums_are_exact(numbers: list[Decimal]) -> None:
    cents = sum(int(number * 100) for number in numbers)
    assert sum_numbers(numbers) * 100 == cents
    said = json.loads(call(ToolCall("1", "sum_numbers", json.dumps({"numbers": [str(number) for number in numbers]}))).said)
    assert round(said["sum"] * 100) == cents


def test_tenths_add_up() -> None:
    assert call(ToolCall("1", "sum_numbers", '{"numbers": [0.1, 0.2]}')).said == '{"sum": 0.3}'


@pytest.mark.parametrize(
    ("number", "text"), [("850.00", "850"), ("0.10", "0.1"), ("1E+3", "1000"), ("0", "0"), ("-0.0", "0"), ("1200", "1200")]
)
def test_results_are_written_as_by_hand(number: str, text: str) -> None:
    assert plain(Decimal(number)) == text


@given(st.dates(), st.dates())
def test_the_time_between_two_dates_turns_its_sign_with_their_order(start: date, end: date) -> None:
    there, back = date_diff(start, end), date_diff(end, start)
    assert there == {unit: -count for unit, count in back.items()}
    assert there["days"] == (end - start).days


@pytest.mark.parametrize(
    ("start", "end", "months", "years"),
    [
        ("2026-05-14", "2026-11-21", 6, 0),
        ("2026-05-22", "2026-11-21", 5, 0),
        ("2024-02-29", "2025-02-28", 11, 0),
        ("2024-02-29", "2025-03-01", 12, 1),
        ("2026-01-31", "2026-02-28", 0, 0),
    ],
)
def test_months_and_years_are_whole_ones(start: str, end: str, months: int, years: int) -> None:
    apart = date_diff(date.fromisoformat(start), date.fromisoformat(end))
    assert (apart["months"], apart["years"]) == (months, years)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("sum_numbers", '{"numbers": ["a"]}'),
        ("sum_numbers", '{"numbers": [NaN]}'),
        ("sum_numbers", '{"numbers": [Infinity]}'),
        ("sum_numbers", '{"numbers": [true]}'),
        ("sum_numbers", '{"numbers": [1e400]}'),
        ("sum_numbers", '{"numbers": []}'),
        ("sum_numbers", '{"numbers": "1, 2"}'),
        ("sum_numbers", "["),
        ("sum_numbers", "[" * 5000),
        ("sum_numbers", '{"numbers": [' + "1," * 300 + "1]}"),
        ("sum_numbers", "x" * 10_000),
        ("sum_numbers", ""),
        ("date_diff", '{"start": "2026-02-30", "end": "2026-03-01"}'),
        ("date_diff", '{"start": "2026-02-01"}'),
        ("date_diff", '{"start": 20260201, "end": 20260202}'),
        ("delete", "{}"),
    ],
)
def test_nonsense_is_answered_in_words_and_bears_nothing_out(name: str, arguments: str) -> None:
    result = call(ToolCall("1", name, arguments))
    assert set(json.loads(result.said)) == {"error"}
    assert not result.outcomes


@given(st.sampled_from(["sum_numbers", "date_diff", "x"]), st.text(max_size=80))
def test_no_arguments_break_it(name: str, arguments: str) -> None:
    json.loads(call(ToolCall("1", name, arguments)).said)
