"""The bot's morning message: once a day at its hour, only where there is something to say, and only where it is wanted."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_bot.morning import hour_of
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
    soon = datetime.now(UTC) + timedelta(hours=25)
    dentist = f"I have a dentist appointment on {soon.day} {soon:%B %Y}."
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
