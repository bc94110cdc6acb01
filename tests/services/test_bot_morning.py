"""The bot's morning message: once a day at its hour, only where there is something to say, and only where it is wanted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from lattice_bot.context import Context
from lattice_bot.morning import Mornings, hour_of
from lattice_bot.state import State
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.recall import Query
from lattice_common.errors import NotConfigured

from tests.services.bot_life import Life, life


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Life]:
    with life(tmp_path / "data") as made:
        made.stop_bot()
        yield made


def tell(living: Life, text: str) -> None:
    lattice = living.there.embedded.lattice
    assert lattice.wait_for(lattice.accept(IngestRequest(text=text)).status.capture_id, 20).receipt is not None


def tell_something_due(living: Life) -> str:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    dentist = f"I have a dentist appointment on {tomorrow.day} {tomorrow:%B %Y}."
    tell(living, dentist)
    return dentist


def begin(living: Life, at: datetime) -> None:
    living.morning = f"{at:%H:%M}"
    living.start_bot()


def test_at_its_hour_it_says_once_what_is_due(living: Life) -> None:
    dentist = tell_something_due(living)
    begin(living, datetime.now().astimezone())
    message = living.telegram.message_with("Good morning.")
    assert dentist in message.text
    living.stop_bot()
    living.start_bot()
    living.telegram.reply_to(living.telegram.say("My bike is blue."))  # it has looked again by now
    assert [each.text for each in living.telegram.sent].count(message.text) == 1


def test_it_says_which_open_question_can_be_answered_now(living: Life) -> None:
    living.there.embedded.lattice.answer(Query("Who has the spare key?"))
    tell(living, "The spare key is with Ines.")
    begin(living, datetime.now().astimezone())
    assert (
        "You asked: Who has the spare key? Now: The spare key is with Ines." in living.telegram.message_with("Good morning.").text
    )


@pytest.mark.parametrize("wanted", [False, True])
def test_it_says_nothing_unless_it_is_wanted_and_there_is_something(living: Life, wanted: bool) -> None:
    if wanted:
        begin(living, datetime.now().astimezone())
    else:
        tell_something_due(living)
        living.start_bot()
    living.telegram.reply_to(living.telegram.say("My bike is blue."))
    assert not any("Good morning" in each.text for each in living.telegram.sent)


def test_while_lattice_is_away_it_waits(living: Life) -> None:
    dentist = tell_something_due(living)
    living.refusing["/api/today"] = 3
    begin(living, datetime.now().astimezone())
    assert dentist in living.telegram.message_with("Good morning.").text


def test_what_is_no_time_of_day_is_refused() -> None:
    assert hour_of("") is None
    with pytest.raises(NotConfigured, match="time of day"):
        hour_of("half past seven")


@pytest.mark.parametrize(("late_by", "said"), [(timedelta(0), 1), (timedelta(hours=2), 1), (timedelta(hours=13), 0)])
def test_an_hour_late_in_the_evening_is_still_told_after_midnight(tmp_path: Path, late_by: timedelta, said: int) -> None:
    asked: list[int] = []

    async def ask(_: object) -> dict[str, object]:
        asked.append(1)
        return {"due": [], "answerable": [], "on_this_day": [], "idea": None, "in_review": 0, "disagreeing": 0, "to_correct": 0}

    state = State(tmp_path)
    context = cast(Context, SimpleNamespace(state=state, product=SimpleNamespace(ask=ask)))
    hour = datetime(2026, 3, 1, 23, 0).astimezone()
    mornings = Mornings(context, hour.time(), lambda: frozenset({7}), lambda: hour + late_by)
    asyncio.run(mornings.look())
    asyncio.run(mornings.look())
    assert len(asked) == said
