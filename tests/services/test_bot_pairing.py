"""Who the bot belongs to: a code makes an account its owner's, once, for ten minutes, and guessing is in vain."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from cli_product import Shell
from lattice_bot.app import run
from lattice_bot.pairing import named_users, new_code, pair
from lattice_bot.state import FILE_NAME, TRIES_IN_ALL, TRIES_PER_PERSON, State
from lattice_common.errors import NotConfigured

from tests.services.bot_life import Life, settings_of
from tests.services.telegram_server import OWNER, STRANGER, telegram_server


def test_a_file_that_another_process_opens_or_closes_meanwhile_is_waited_for(tmp_path: Path) -> None:
    State(tmp_path).close()
    other = sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None, check_same_thread=False)
    other.execute("PRAGMA journal_mode=DELETE")
    other.execute("BEGIN IMMEDIATE")
    released = threading.Timer(0.3, other.execute, ["COMMIT"])
    released.start()
    assert State(tmp_path).people() == {}
    released.join()
    other.close()


@pytest.fixture
def state(tmp_path: Path) -> State:
    return State(tmp_path)


def test_a_code_makes_its_sender_an_owner_and_is_spent(tmp_path: Path, state: State) -> None:
    code = new_code(tmp_path)
    assert pair(state, STRANGER, f"/start {code.lower()}")
    assert state.people() == {STRANGER: ""}
    assert not pair(state, 7, code)
    assert State(tmp_path).people() == {STRANGER: ""}, "also after a restart"


def test_a_code_lasts_ten_minutes_and_a_new_one_voids_it(tmp_path: Path, state: State) -> None:
    code = new_code(tmp_path, now=1000.0)
    assert not pair(state, 1, code, now=1601.0)
    first, second = new_code(tmp_path, now=2000.0), new_code(tmp_path, now=2000.0)
    assert not pair(state, 1, first, now=2001.0)
    assert pair(state, 1, second, now=2001.0)


def test_whoever_guesses_is_not_heard_any_more_for_a_while(tmp_path: Path, state: State) -> None:
    code = new_code(tmp_path, now=1000.0)
    for _ in range(TRIES_PER_PERSON):
        assert not pair(state, STRANGER, "AAAA-AAAA", now=1001.0)
    assert not pair(state, STRANGER, code, now=1002.0)
    assert pair(state, OWNER, code, now=1003.0)


def test_many_who_guess_void_the_code(tmp_path: Path, state: State) -> None:
    code = new_code(tmp_path, now=1000.0)
    for person in range(TRIES_IN_ALL + 1):
        assert not pair(state, person, "AAAA-AAAA", now=1001.0)
    assert not pair(state, OWNER, code, now=1002.0)


def test_other_words_are_no_attempt(tmp_path: Path, state: State) -> None:
    code = new_code(tmp_path)
    for _ in range(TRIES_IN_ALL + 1):
        assert not pair(state, STRANGER, "hello there, is this the bot?")
    assert pair(state, STRANGER, code)


def test_no_code_is_in_the_bots_file(tmp_path: Path) -> None:
    code = new_code(tmp_path).replace("-", "")
    assert code.encode() not in (tmp_path / "telegram.sqlite").read_bytes()


def test_names_are_no_ids() -> None:
    assert named_users(" 41, 7 ,") == {41: "", 7: ""}
    with pytest.raises(NotConfigured, match="'@ada'"):
        named_users("41,@ada")


@pytest.mark.parametrize("token", [None, "", "abc", "123"])
def test_a_bot_without_a_token_says_what_to_put_where(tmp_path: Path, token: str | None) -> None:
    settings = settings_of(tmp_path, "http://127.0.0.1:1", telegram_token=token)
    with pytest.raises(NotConfigured) as raised:
        run(settings, "http://127.0.0.1:1", threading.Event())
    assert raised.value.env_line.startswith("LATTICE_TELEGRAM_TOKEN=")


def test_a_code_without_a_bot_to_send_it_to_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    assert "LATTICE_TELEGRAM_TOKEN=" in shell.lattice("pair", "telegram").err
    shell.set("LATTICE_TELEGRAM_TOKEN", "123:abc")
    assert shell.lattice("pair", "telegram").err == ""


def test_the_command_line_shows_a_code_that_the_running_bot_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with telegram_server() as telegram:
        living = Life(shell.data_dir, telegram, users="")
        living.start_api()
        living.start_bot()
        try:
            telegram.say("I live in Berlin.")
            said = shell.lattice("pair", "telegram")
            assert said.code == 0
            telegram.say(f"/start {said.out.split()[0]}")
            telegram.again()
            telegram.message_with("This is your Lattice.")
            telegram.wait(lambda: OWNER in telegram.offered, "the commands")
            telegram.reply_to(telegram.say("Nora works at Siemens."))
            assert living.contents() == ["Nora works at Siemens."], "what a stranger said before is not taken up later"
            telegram.say(shell.lattice("pair", "telegram").out.split()[0])
            telegram.message_with("This is your Lattice already.")
            telegram.again()
            telegram.reply_to(telegram.say("/status"), containing="1 memory")
            assert len(living.contents()) == 1, "a code is nothing to remember, also when it comes twice"
        finally:
            living.stop_bot()
            living.stop_api()
