"""On which day what repeats takes place next, or in the time asked about: told before an entry of a calendar."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta

from lattice_common.language.answer_words import say, weekday_in
from lattice_common.language.dates.recurring import days_of, next_day
from lattice_common.language.questions.answer_type import answer_type
from lattice_common.recall.question import Question

MOST_DAYS = 7
"""Days of a time asked about that are told of one entry."""


def leads_of_occurrences(question: Question, told: Mapping[str, str], now: datetime) -> dict[str, str]:
    """Return what is told before those that repeat, by their ids: "On Tuesday 1 December 2026: ", or "Next on …: " where it is
    asked when, and for no time. Nothing before others, and of a question for something else. `told`: id → words."""
    period = question.period
    if period is None and answer_type(question.text) != "time":
        return {}
    leads = {}
    for atom_id, content in told.items():
        if period is not None and math.isfinite(period.first) and math.isfinite(period.last):
            days = days_of(content, _day(period.first), _day(period.last - 1) + timedelta(days=1))[:MOST_DAYS]
            lead = say(question.text, "on", ", ".join(weekday_in(question.text, day) for day in days)) if days else ""
        else:
            day = next_day(content, (question.query.as_of or now).date())
            lead = say(question.text, "next on", weekday_in(question.text, day)) if day else ""
        if lead:
            leads[atom_id] = lead
    return leads


def _day(seconds: float) -> date:
    return datetime.fromtimestamp(seconds, UTC).date()
