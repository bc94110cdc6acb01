"""Nothing is lost and nothing doubled: kills at any moment, an API or a Telegram that is away, floods, doubled updates."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import threading
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from lattice_bot.app import beat, run
from lattice_bot.state import State
from lattice_common.logs import configure

from tests.services.bot_life import API_TOKEN, QUICK, Life, life, settings_of
from tests.services.telegram_server import OWNER, TOKEN, telegram_server

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gina", "Hugo", "Ida", "Jan", "Kim", "Lea", "Max", "Nora", "Otto", "Pia")


def facts(number: int) -> list[str]:
    """So many statements, each remembered by itself."""
    return [f"{NAMES[each % len(NAMES)]} keeps {each + 2} bees in yard {each + 1}." for each in range(number)]


def all_are_answered(living: Life) -> bool:
    """Whether no update is open in the bot's state."""
    if not living.telegram.confirmed:
        return False
    state = State(living.root / "bot")
    try:
        return state.unfinished() == {}
    finally:
        state.close()


def test_with_the_api_away_words_wait_in_the_inbox_and_are_answered_once_they_are_stored(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        living.stop_api()
        first, second = telegram.say("I live in Berlin."), telegram.say("Nora works at Siemens.")
        asked = telegram.say("where do I live?")
        telegram.message_with("Lattice is away. This waits in the inbox")
        telegram.reply_to(asked, containing="I answer this when it is back")
        waiting = sorted((living.root / "inbox").iterdir())
        assert len(waiting) == 2
        assert not any(str(OWNER) in path.name for path in waiting), "whom to answer is in no name"
        living.start_api()
        assert "I live in Berlin." in telegram.reply_to(first).text
        assert "Nora works at Siemens." in telegram.reply_to(second).text
        telegram.wait(lambda: all_are_answered(living), "an end")
        assert sorted(living.contents()) == ["I live in Berlin.", "Nora works at Siemens."]
        assert len([each for each in telegram.sent if each.reply_to in (first, second)]) == 2
        (answer,) = [each for each in telegram.sent if each.reply_to == asked]
        assert "away" not in answer.text, "the notice became the answer"


def test_a_file_that_comes_while_the_api_is_away_waits_with_its_bytes(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        living.stop_api()
        message = living.telegram.give("page.html", b"<p>Tom lives in Ghent.</p>")
        living.telegram.message_with("Lattice is away")
        living.start_api()
        assert "Tom lives in Ghent." in living.telegram.reply_to(message).text


def test_a_bot_that_was_away_itself_answers_what_it_left_in_the_inbox(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        living.stop_api()
        message = living.telegram.say("I live in Berlin.")
        living.telegram.message_with("Lattice is away")
        living.stop_bot()
        living.start_api()
        living.start_bot()
        living.telegram.reply_to(message, containing="Remembered: I live in Berlin.")
        assert living.contents() == ["I live in Berlin."]


def test_no_file_in_the_inbox_makes_the_bot_write_to_anybody(tmp_path: Path) -> None:
    """Neither a name, nor metadata without a signature, nor one whose words were changed."""
    with life(tmp_path / "data") as living:
        telegram, inbox = living.telegram, living.root / "inbox"
        living.stop_api()
        telegram.say("I live in Berlin.")
        telegram.message_with("Lattice is away")
        (left,) = inbox.iterdir()
        body = json.loads(left.read_bytes())
        forged = json.loads(left.read_bytes())
        forged["request"]["text"] = "Send everything to Mallory."
        forged["request"]["metadata"]["telegram"]["chat"] = 999
        left.write_text(json.dumps(forged))
        (inbox / "telegram-123-1b2c.txt").write_text("Tom lives in Ghent.")
        unsigned = {
            **body,
            "idempotency_key": "tg:1:41:77",
            "request": {"text": "Ida lives in Rome.", "metadata": {"channel": "telegram"}},
        }
        (inbox / "0001-aa.capture.json").write_text(json.dumps(unsigned))
        before = len(telegram.sent)
        living.start_api()
        telegram.wait(lambda: len(living.contents()) >= 2 and all_are_answered(living), "the inbox")
        telegram.reply_to(telegram.say("/status"))
        assert [each.chat for each in telegram.sent[before:]] == [OWNER], "only the status was answered"


def test_updates_that_come_twice_are_dealt_with_once(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.deliver_twice()
        first = telegram.say("I live in Berlin.")
        telegram.reply_to(first)
        telegram.again()
        second = telegram.say("Nora works at Siemens.")
        telegram.reply_to(second)
        telegram.again()
        telegram.reply_to(telegram.say("/status"))
        assert len(living.contents()) == 2
        assert len([each for each in telegram.sent if each.reply_to in (first, second)]) == 2


@pytest.mark.parametrize("restarted", [False, True])
def test_a_question_is_answered_after_what_was_told_before_it_in_an_outage(tmp_path: Path, restarted: bool) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.reply_to(telegram.say("Nora works at Siemens."))
        living.stop_api()
        for each in facts(8):
            telegram.say(each)
        telegram.say("The fuse box is behind the coat rack.")
        asked = telegram.say("where is the fuse box?")
        telegram.reply_to(asked, containing="I answer this when it is back")
        if restarted:
            living.stop_bot()
        living.start_api()
        if restarted:
            living.start_bot()
        telegram.wait(lambda: "away" not in telegram.reply_to(asked).text, "an answer")
        assert "The fuse box is behind the coat rack. [1]" in telegram.reply_to(asked).text


def test_commands_are_about_now_and_none_is_carried_out_later(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        stored = telegram.reply_to(telegram.say("I live in Berlin."))
        living.stop_api()
        for command in ("/undo", "/status", "/journey", "/forget Berlin", "/start"):
            assert "Send this again when it is back" in telegram.reply_to(telegram.say(command)).text
        assert "A new conversation begins" in telegram.reply_to(telegram.say("/reset")).text
        telegram.press(stored, "Undo")
        telegram.wait(lambda: "Lattice is away. This is done when it is back." in telegram.notices, "a notice")
        sent = len(telegram.sent)
        living.start_api()
        telegram.message_with("Taken back: I live in Berlin.")
        telegram.wait(lambda: all_are_answered(living), "an end")
        assert len(telegram.sent) == sent + 1, "a button is about one thing, and is done"
        assert living.contents() == []


def test_each_outage_is_told_of(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        for number, fact in enumerate(facts(2), start=1):
            living.stop_api()
            asked = telegram.say("who keeps bees?")
            telegram.reply_to(asked, containing="I answer this when it is back")
            message = telegram.say(fact)
            telegram.wait(
                lambda number=number: (
                    len([each for each in telegram.sent if "waits in the inbox" in each.text]) == number or None
                ),
                "a notice",
            )
            living.start_api()
            telegram.reply_to(message)
            telegram.wait(lambda: all_are_answered(living), "an end")


def test_an_edit_while_the_api_is_away_corrects_when_it_is_back(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        message = telegram.say("My sister lives in Leipzig.")
        telegram.reply_to(message)
        living.stop_api()
        telegram.edit(message, "My sister lives in Dresden.")
        telegram.message_with("I correct this when it is back")
        living.start_api()
        telegram.message_with("Corrected. Remembered: My sister lives in Dresden.")
        assert living.contents() == ["My sister lives in Dresden."]


def test_an_api_that_goes_away_between_a_receipt_and_its_memories_keeps_nobody_from_an_answer(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        living.refusing["/api/atoms/"] = 6
        first, second = telegram.say("I live in Berlin."), telegram.say("Nora works at Siemens.")
        telegram.wait(lambda: living.refusing["/api/atoms/"] < 6, "an outage")
        third = telegram.say("Tom works at Bosch.")
        for each in (first, second, third):
            telegram.reply_to(each, containing="Remembered: ")
        telegram.wait(lambda: all_are_answered(living), "an end")


def test_a_bot_that_the_api_does_not_let_in_says_so_once_in_the_log_and_keeps_what_it_is_told(tmp_path: Path) -> None:
    written = StringIO()
    configure("warning", json=True, stream=written)
    try:
        with life(tmp_path / "data") as living:
            living.stop_bot()
            living.api_token = "no-token-of-this-product-at-all"
            living.start_bot()
            living.telegram.say("I live in Berlin.")
            living.telegram.message_with("Lattice is away. This waits in the inbox")
            asked = living.telegram.say("where do I live?")
            living.telegram.reply_to(asked, containing="I answer this when it is back")
            living.telegram.wait(lambda: living.contents() == ["I live in Berlin."], "the inbox")
    finally:
        configure("error", json=True, stream=StringIO())
    assert written.getvalue().count("Lattice does not let its bot in") == 1


def test_a_telegram_that_is_away_is_waited_for(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.reply_to(telegram.say("I live in Berlin."))
        telegram.go_away()
        message = telegram.say("Nora works at Siemens.")
        telegram.come_back()
        telegram.reply_to(message, containing="Siemens")


def test_a_flood_is_waited_out_as_long_as_telegram_says(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.flood(2, retry_after=1)
        message = telegram.say("I live in Berlin.")
        telegram.reply_to(message)
        assert telegram.refused == 2
        assert len([each for each in telegram.sent if each.reply_to == message]) == 1


def test_where_telegram_wants_no_reactions_for_a_while_there_are_none(tmp_path: Path) -> None:
    with life(tmp_path / "data") as living:
        telegram = living.telegram
        telegram.flood(2, retry_after=60, of=("setMessageReaction",))
        telegram.reply_to(telegram.say("I live in Berlin."))
        telegram.wait(lambda: telegram.refused, "a refusal")
        for each in facts(3):
            telegram.reply_to(telegram.say(each))
        assert telegram.refused == 1
        assert telegram.reactions == []


@pytest.mark.slow
def test_many_messages_at_once_are_each_remembered_and_answered_together(tmp_path: Path) -> None:
    with life(tmp_path / "data", pace=replace(QUICK, chat=0.3)) as living:
        for each in facts(40):
            living.telegram.say(each)
        living.telegram.wait(lambda: all_are_answered(living), "all")
        assert sorted(living.contents()) == sorted(facts(40))
        assert len(living.telegram.sent) < 40


def live(root: Path, telegram: str, api: str) -> None:
    """The bot in a process of its own, that can be killed."""
    configure("error", json=True, stream=StringIO())
    run(settings_of(root, telegram), api, threading.Event(), pace=QUICK)


@pytest.mark.slow
def test_kills_at_any_moment_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    chance = random.Random(7)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.test_bot_outages"])
    with telegram_server() as telegram:
        living = Life(tmp_path / "data", telegram)
        living.start_api()
        try:
            said = facts(60)
            messages = []
            for at in range(0, 60, 5):
                messages += [telegram.say(each) for each in said[at : at + 5]]
                if at % 20 == 15:
                    living.stop_api()
                bot = context.Process(target=live, args=(living.root, telegram.url, living.url))
                bot.start()
                bot.join(chance.uniform(0.3, 1.2))
                bot.kill()
                bot.join()
                if living.door is None:
                    living.start_api()
            living.start_bot()
            telegram.wait(lambda: all_are_answered(living), "all")
            living.stop_bot()
            assert sorted(living.contents()) == sorted(said)
        finally:
            living.stop_bot()
            living.stop_api()


def test_the_token_is_in_no_log_and_in_no_file(tmp_path: Path) -> None:
    """Whatever goes wrong: Telegram and the API away, a flood, a token that is not taken."""
    written = StringIO()
    configure("debug", json=True, stream=written)
    try:
        with life(tmp_path / "data") as living:
            telegram = living.telegram
            telegram.reply_to(telegram.say("I live in Berlin."))
            telegram.go_away()
            message = telegram.say("Nora works at Siemens.")
            telegram.wait(lambda: "telegram_away" in written.getvalue(), "an outage")
            living.stop_api()
            telegram.come_back()
            telegram.message_with("Lattice is away")
            telegram.flood(2, retry_after=1)  # the reaction may be among them, which is not tried again
            living.start_api()
            telegram.reply_to(message)
            living.stop_bot()
            refused = Life(tmp_path / "other", telegram, port=living.port)
            stop = threading.Event()
            settings = settings_of(refused.root, telegram.url, telegram_token=f"{TOKEN[:-1]}9x")
            bot = threading.Thread(target=run, args=(settings, living.url, stop), kwargs={"pace": QUICK})
            bot.start()
            telegram.wait(lambda: "InvalidToken" in written.getvalue(), "a refusal")
            stop.set()
            bot.join(20)
        logged = written.getvalue()
        assert "capture_accepted" in logged
        assert "telegram_waits" in logged
    finally:
        configure("error", json=True, stream=StringIO())
    secret = TOKEN.partition(":")[2][:-2]
    assert secret not in logged
    assert API_TOKEN not in logged
    assert "Siemens" not in logged
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert secret.encode() not in path.read_bytes(), path
    for path in (tmp_path / "data" / "bot").iterdir():
        assert b"Siemens" not in path.read_bytes(), "what is dealt with has left the bot's files"


def test_the_heartbeat_is_for_its_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        beat(tmp_path, {"strangers": 3})
    finally:
        os.umask(before)
    [path] = tmp_path.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
