"""The two tools of the model that writes answers: the distance between two dates, and the sum of numbers.

Pure functions without any effect. Arguments come from a model, so they are checked, and it is told in words what is wrong with
them. Results are exact: decimals, not floats.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal, InvalidOperation
from typing import cast

from lattice_common.domain.capture import JsonValue
from lattice_common.ports.language_model import Tool, ToolCall

MOST_NUMBERS = 200
LARGEST = Decimal(10) ** 15
"""Far above any amount of money; beyond it a float, which the check of the answer compares, is no longer exact to a cent."""
LONGEST_ARGUMENTS = 8_000
_EXACT = Context(prec=60)

TOOLS: tuple[Tool, ...] = (
    Tool(
        "date_diff",
        "The time from one date to another.",
        {
            "type": "object",
            "properties": {
                "start": {"type": "string", "description": "YYYY-MM-DD"},
                "end": {"type": "string", "description": "YYYY-MM-DD"},
            },
            "required": ["start", "end"],
            "additionalProperties": False,
        },
    ),
    Tool(
        "sum_numbers",
        "The exact sum of numbers.",
        {
            "type": "object",
            "properties": {"numbers": {"type": "array", "items": {"type": "number"}, "maxItems": MOST_NUMBERS}},
            "required": ["numbers"],
            "additionalProperties": False,
        },
    ),
)


@dataclass(frozen=True, slots=True)
class ToolResult:
    """`said` is what the model is told, as JSON. `numbers` and `dates` are the arguments, `outcomes` the results; a call that
    could not be carried out has none."""

    said: str
    numbers: tuple[Decimal, ...] = ()
    dates: tuple[date, ...] = ()
    outcomes: tuple[Decimal, ...] = ()


class _Unfit(ValueError):
    """Invalid arguments; the message is for the model."""


def call(asked: ToolCall) -> ToolResult:
    """Carry out a call. Never raises: an invalid call has a result that says why."""
    try:
        return _called(asked)
    except _Unfit as error:
        return ToolResult(json.dumps({"error": str(error)}))


def _called(asked: ToolCall) -> ToolResult:
    arguments = _arguments(asked.arguments)
    match asked.name:
        case "date_diff":
            start, end = _date(arguments, "start"), _date(arguments, "end")
            apart = date_diff(start, end)
            return ToolResult(json.dumps(apart), dates=(start, end), outcomes=tuple({Decimal(abs(n)) for n in apart.values()}))
        case "sum_numbers":
            numbers = _numbers(arguments)
            total = sum_numbers(numbers)
            return ToolResult(f'{{"sum": {plain(total)}}}', numbers=tuple(numbers), outcomes=(total,))
        case _:
            raise _Unfit("there is no such tool: use date_diff or sum_numbers")


def date_diff(start: date, end: date) -> dict[str, int]:
    """Return the days from `start` to `end`, and how many whole weeks, months and years that is; all negative where `end` comes
    first.

    A month is complete on the same day of a later month; from the 31st to the 30th of April is none.
    """
    early, late = sorted((start, end))
    sign = 1 if end >= start else -1
    months = (late.year - early.year) * 12 + late.month - early.month - (late.day < early.day)
    days = (late - early).days
    return {"days": sign * days, "weeks": sign * (days // 7), "months": sign * months, "years": sign * (months // 12)}


def sum_numbers(numbers: Sequence[Decimal]) -> Decimal:
    """Return the exact sum: 0.1 and 0.2 are 0.3."""
    total = Decimal(0)
    for number in numbers:
        total = _EXACT.add(total, number)
    return total


def plain(number: Decimal) -> str:
    """Return a number as people write it: no exponent, no zeros at the end."""
    if not number:
        return "0"
    text = f"{number:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def _arguments(text: str) -> Mapping[str, JsonValue]:
    if len(text) > LONGEST_ARGUMENTS:
        raise _Unfit(f"the arguments are longer than {LONGEST_ARGUMENTS} characters")
    try:
        given = json.loads(text or "{}", parse_float=Decimal, parse_int=Decimal, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise _Unfit("the arguments are no JSON object") from error
    if not isinstance(given, dict):
        raise _Unfit("the arguments are no JSON object")
    return cast(Mapping[str, JsonValue], given)


def _no_number(name: str) -> Decimal:
    raise _Unfit(f"{name} is no number")


def _date(arguments: Mapping[str, JsonValue], name: str) -> date:
    given = arguments.get(name)
    if not isinstance(given, str):
        raise _Unfit(f"`{name}` is missing: give it as YYYY-MM-DD")
    try:
        return date.fromisoformat(given.strip()[:10])
    except ValueError as error:
        raise _Unfit(f"`{name}` is no date: give it as YYYY-MM-DD") from error


def _numbers(arguments: Mapping[str, JsonValue]) -> list[Decimal]:
    given = arguments.get("numbers")
    if not isinstance(given, list) or not given:
        raise _Unfit("`numbers` is missing: give a list of numbers")
    if len(given) > MOST_NUMBERS:
        raise _Unfit(f"`numbers` has more than {MOST_NUMBERS} numbers")
    return [_number(each) for each in given]


def _number(given: object) -> Decimal:
    """Return a JSON number, or a string that is one: small models quote them."""
    try:
        number = given if isinstance(given, Decimal) else Decimal(given) if isinstance(given, str) and len(given) < 40 else None
    except InvalidOperation:
        number = None
    if number is None or not number.is_finite() or abs(number) > LARGEST or abs(number.adjusted()) > 30:
        raise _Unfit("`numbers` has something that is no number, or one beyond 10^15")
    return number
