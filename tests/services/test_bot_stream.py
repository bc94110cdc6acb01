"""An answer that a model writes grows in one message, at Telegram's pace, and ends whole; a long one becomes several messages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lattice_bot.telegram_chats import Pace

from tests.services.bot_life import API_TOKEN, Life
from tests.services.model_behaviours import answer, drip
from tests.services.model_server import Behaviour, model_server
from tests.services.telegram_server import telegram_server
from tests.services.test_api_query_model import writes

PACE = Pace(chat=0.25, burst=1, poll=1, retry=0.02, longest=0.1)
WRITTEN = "Ingrid in flat 12 has your spare key [1]."


@contextmanager
def writing(root: Path, behaviour: Behaviour) -> Iterator[Life]:
    """A life whose answers are written so; it knows who has the key."""
    with model_server(writes(behaviour)) as model, telegram_server() as telegram:
        living = Life(root, telegram, pace=PACE)
        living.start_api(llm_provider="none")
        living.there.http.headers["authorization"] = f"Bearer {API_TOKEN}"
        living.there.tell("Ingrid in flat 12 has my spare key.")
        living.stop_api()
        living.start_api(llm_provider="openai", llm_base_url=model.base_url, llm_model="scripted")
        living.start_bot()
        try:
            yield living
        finally:
            living.stop_bot()
            living.stop_api()


@pytest.mark.slow
def test_an_answer_grows_in_one_message_at_telegrams_pace(tmp_path: Path) -> None:
    words = f"{WRITTEN} {'She waters your plants on Sundays. ' * 12}"
    with writing(tmp_path / "data", drip(words, every=0.04)) as living:
        telegram = living.telegram
        asked = time.monotonic()
        reply = telegram.reply_to(telegram.say("Who has my spare key?"))
        telegram.wait(lambda: reply.buttons, "the end of the answer")
        assert reply.text.startswith("Ingrid in flat 12 has your spare key. [1]") or reply.text.startswith(WRITTEN)
        assert len(reply.versions) >= 3, "it grew"
        assert all(text.endswith("▍") for _, text in reply.versions[:-1])
        assert "written by scripted" in reply.text
        # From the question on: one that a busy machine delivers late comes nearer to the next, and breaks no pace.
        assert all(at - asked >= number * PACE.chat * 0.99 for number, (at, _) in enumerate(reply.versions))


@pytest.mark.slow
def test_a_flood_in_the_middle_of_an_answer_only_delays_it(tmp_path: Path) -> None:
    with writing(tmp_path / "data", drip(WRITTEN, every=0.15)) as living:
        telegram = living.telegram
        message = telegram.say("Who has my spare key?")
        reply = telegram.reply_to(message)
        telegram.flood(1, retry_after=1)
        telegram.wait(lambda: reply.buttons, "the end of the answer")
        assert telegram.refused == 1
        assert len([each for each in telegram.sent if each.reply_to == message]) == 1


@pytest.mark.slow
def test_a_bot_that_is_stopped_in_the_middle_of_an_answer_ends_it_in_the_same_message(tmp_path: Path) -> None:
    with writing(tmp_path / "data", drip(WRITTEN, every=0.15)) as living:
        telegram = living.telegram
        message = telegram.say("Who has my spare key?")
        reply = telegram.reply_to(message)
        assert reply.text.endswith("▍")
        living.stop_bot()
        living.start_bot()
        telegram.wait(lambda: reply.buttons, "the end of the answer")
        assert "written by scripted" in reply.text
        assert len([each for each in telegram.sent if each.reply_to == message]) == 1


@pytest.mark.slow
def test_an_answer_whose_beginning_was_deleted_comes_whole(tmp_path: Path) -> None:
    with writing(tmp_path / "data", drip(WRITTEN, every=0.15)) as living:
        telegram = living.telegram
        message = telegram.say("Who has my spare key?")
        telegram.reply_to(message).deleted = True
        last = telegram.wait(lambda: next((each for each in telegram.sent if each.buttons), None), "the end of the answer")
        assert last.reply_to == message
        assert "written by scripted" in last.text


def test_an_answer_that_is_written_at_once_comes_whole(tmp_path: Path) -> None:
    with writing(tmp_path / "data", answer(WRITTEN)) as living:
        telegram = living.telegram
        reply = telegram.reply_to(telegram.say("Who has my spare key?"))
        telegram.wait(lambda: reply.buttons, "the whole answer")
        assert list(reply.buttons) == ["👍", "👎"]
        assert len(reply.versions) <= 2, "one message; on a busy machine it was edited once"


def test_a_long_answer_becomes_several_messages_cut_at_sentences(tmp_path: Path) -> None:
    long = " ".join(f"Ingrid in flat 12 has your spare key, says line {number} [1]." for number in range(140))
    with writing(tmp_path / "data", answer(long)) as living:
        telegram = living.telegram
        first = telegram.reply_to(telegram.say("Who has my spare key?"))
        last = telegram.wait(lambda: next((each for each in telegram.sent if each.buttons), None), "the end")
        pieces = telegram.sent[telegram.sent.index(first) : telegram.sent.index(last) + 1]
        assert len(pieces) >= 2
        assert all(piece.text.rstrip().endswith(("[1].", "[1]")) for piece in pieces[:-1])
