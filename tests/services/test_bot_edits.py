"""Edits: of what was told, asked and put beside a file; also with the bot stopped in the middle of one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.bot_life import Life, life

FOREVER = 600
"""Seconds that Telegram wants no edit for, as far as a test goes."""


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Life]:
    with life(tmp_path / "data") as made:
        yield made


def restart(living: Life) -> None:
    living.stop_bot()
    living.telegram.flood(0, 0)
    living.start_bot()


def test_a_question_that_is_edited_into_a_statement_is_remembered(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("I live in Berlin?")
    reply = telegram.reply_to(message)
    telegram.edit(message, "I live in Berlin.")
    telegram.wait(lambda: "Remembered: I live in Berlin." in reply.text, "a receipt in the place of the answer")
    assert living.contents() == ["I live in Berlin."]


def test_a_statement_that_is_edited_into_a_question_is_answered_and_forgotten(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("The spare key is with Ines."))
    message = telegram.say("My sister lives in Leipzig.")
    reply = telegram.reply_to(message)
    telegram.edit(message, "where is the spare key")
    telegram.wait(lambda: "The spare key is with Ines. [1]" in reply.text, "an answer in the place of the receipt")
    assert living.contents() == ["The spare key is with Ines."]


def test_a_command_that_is_edited_into_a_statement_is_remembered(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("/status")
    telegram.reply_to(message)
    telegram.edit(message, "My sister lives in Leipzig.")
    telegram.message_with("Remembered: My sister lives in Leipzig.")


def test_a_correction_is_answered_by_a_bot_that_was_stopped_before_it_could(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("My sister lives in Leipzig.")
    reply = telegram.reply_to(message)
    telegram.flood(FOREVER, FOREVER, of=("editMessageText",))
    telegram.edit(message, "My sister lives in Dresden.")
    telegram.wait(lambda: telegram.refused, "a correction")
    restart(living)
    telegram.wait(lambda: reply.text == "Corrected. Remembered: My sister lives in Dresden.", "the word on it")
    assert living.contents() == ["My sister lives in Dresden."]


def test_an_edited_question_is_answered_by_a_bot_that_was_stopped_before_it_could(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Nora works at Siemens. Tom works at Bosch."))
    message = telegram.say("where does Nora work?")
    reply = telegram.reply_to(message, containing="Siemens")
    telegram.flood(FOREVER, FOREVER, of=("editMessageText",))
    telegram.edit(message, "where does Tom work?")
    telegram.wait(lambda: telegram.refused, "an answer")
    restart(living)
    telegram.wait(lambda: "Bosch" in reply.text, "the new answer")


def test_an_edit_of_what_still_waits_in_the_inbox_corrects_it(living: Life) -> None:
    telegram = living.telegram
    living.stop_api()
    message = telegram.say("My sister lives in Leipzig.")
    telegram.message_with("Lattice is away")
    telegram.edit(message, "My sister lives in Dresden.")
    living.stop_bot()
    telegram.edit(message, "My sister lives in Halle.")
    living.start_api()
    living.start_bot()
    telegram.message_with("Corrected. Remembered: My sister lives in Halle.")
    assert living.contents() == ["My sister lives in Halle."]


def test_an_edit_of_what_was_taken_out_of_the_inbox_is_remembered(living: Life) -> None:
    telegram = living.telegram
    living.stop_api()
    message = telegram.say("My sister lives in Leipzig.")
    telegram.message_with("Lattice is away")
    (left,) = (living.root / "inbox").iterdir()
    left.unlink()
    telegram.edit(message, "My sister lives in Dresden.")
    living.start_api()
    telegram.message_with("Remembered: My sister lives in Dresden.")


def test_a_caption_that_is_taken_away_is_taken_back(living: Life) -> None:
    telegram = living.telegram
    message = telegram.give("page.html", b"<p>Tom lives in Ghent.</p>", caption="Tom is my brother.")
    reply = telegram.reply_to(message, containing="brother")
    telegram.reply_to(message, containing="Ghent")
    telegram.take_caption(message)
    telegram.wait(lambda: reply.text == "Taken back.", "a word on it")
    assert living.contents() == ["Tom lives in Ghent."]
