"""The bot asks Telegram for what is new, whatever it gets for an answer, and its heartbeat says how that goes."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from lattice_bot.app import run
from lattice_common.errors import NotConfigured
from lattice_common.healthcheck import trouble
from lattice_common.logs import configure

from tests.services.bot_life import QUICK, Life, life, settings_of
from tests.services.telegram_server import OWNER, SAID_FROM, STRANGER


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Life]:
    with life(tmp_path / "data") as made:
        yield made


@pytest.fixture
def beating(tmp_path: Path) -> Iterator[Life]:
    """The same, with a heartbeat that follows each change at once."""
    with life(tmp_path / "data", pace=replace(QUICK, heartbeat=0.1)) as made:
        yield made


def message_of(user: int, **more: Any) -> dict[str, Any]:
    person = {"id": user, "is_bot": False, "first_name": "Ada"}
    return {"message_id": 7000, "date": SAID_FROM, "from": person, "chat": {"id": user, "type": "private"}, **more}


def heartbeat(living: Life) -> dict[str, Any]:
    beat: dict[str, Any] = json.loads((living.root / "bot" / "alive.json").read_bytes())
    return beat


def test_an_update_that_cannot_be_read_ends_nothing_and_its_words_are_kept(living: Life) -> None:
    """As of a later Bot API than the library knows: from anybody, so that no stranger can end the bot either."""
    telegram, written = living.telegram, StringIO()
    configure("debug", json=True, stream=written)
    try:
        telegram.push({"message": message_of(STRANGER, text="Hello, is this on?", external_reply={"origin": 4})})
        telegram.push({"message": {"message_id": 7001, "chat": {"id": OWNER}, "text": "Tom works at Bosch."}})
        telegram.push({"message": message_of(OWNER, text="Nora works at Siemens.", external_reply={"origin": 4})})
        telegram.reply_to(7000, containing="Remembered: Nora works at Siemens.")
    finally:
        configure("error", json=True, stream=StringIO())
    status = telegram.reply_to(telegram.say("/status"))
    assert "Ignored: 1 message from others" in status.text
    assert "telegram_update_failed" in written.getvalue()
    assert not any(word in written.getvalue() for word in ("Siemens", "Bosch", "is this on"))


def test_a_message_that_is_too_old_to_be_shown_can_be_pinned(living: Life) -> None:
    """The library reads a date of 0 as one, and writes it as none that can be kept: an update is kept as it came."""
    old = {"message_id": 1, "date": 0, "chat": {"id": OWNER, "type": "private"}}
    living.telegram.say(None, pinned_message=old)
    living.telegram.reply_to(living.telegram.say("I live in Berlin."), containing="Remembered")


def test_numbers_that_begin_anew_and_lower_are_followed(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("I live in Berlin."))
    seen = len(telegram.calls)
    telegram.wait(lambda: [method for _, method, _ in telegram.calls[seen:]].count("getUpdates") >= 2, "a quiet while")
    telegram.number_from(100)
    telegram.reply_to(telegram.say("Nora works at Siemens."), containing="Remembered")


def test_a_webhook_that_was_left_behind_is_taken_away(living: Life) -> None:
    living.telegram.set_webhook()
    living.telegram.reply_to(living.telegram.say("I live in Berlin."), containing="Remembered")


def test_another_program_with_the_same_token_is_named_until_it_is_gone(beating: Life) -> None:
    living, telegram = beating, beating.telegram
    telegram.compete(15)
    telegram.wait(lambda: "same token" in str(trouble(str(living.root / "bot" / "alive.json"))), "a word on it")
    telegram.reply_to(telegram.say("I live in Berlin."), containing="Remembered")
    telegram.wait(lambda: heartbeat(living)["stuck"] is None, "an end of it")


def test_telegram_is_not_asked_before_it_wants_to_be_and_the_heartbeat_goes_on(beating: Life) -> None:
    living, telegram = beating, beating.telegram
    telegram.reply_to(telegram.say("I live in Berlin."))
    telegram.flood(1, retry_after=1, of=("getUpdates",))
    message = telegram.say("Nora works at Siemens.")
    telegram.wait(lambda: telegram.refused, "a refusal")
    before, asked = heartbeat(living)["at"], len(telegram.calls)
    telegram.wait(lambda: heartbeat(living)["at"] > before + 0.5, "beats meanwhile")
    assert "getUpdates" not in [method for _, method, _ in telegram.calls[asked:]]
    telegram.reply_to(message, containing="Remembered")


def test_a_heartbeat_that_cannot_be_written_does_not_end_the_bot(tmp_path: Path) -> None:
    (tmp_path / "data" / "bot" / f"alive.{os.getpid()}.new").mkdir(parents=True)
    with life(tmp_path / "data") as living:
        living.telegram.reply_to(living.telegram.say("I live in Berlin."), containing="Remembered")


@pytest.mark.parametrize("address", ["api.telegram.org", "", "ftp://telegram.example"])
def test_an_address_that_is_none_is_said_at_once(tmp_path: Path, address: str) -> None:
    with pytest.raises(NotConfigured, match="LATTICE_TELEGRAM_API"):
        run(settings_of(tmp_path, address), "http://127.0.0.1:1", threading.Event())
