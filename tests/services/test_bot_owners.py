"""One bot for several owners: each account tells and asks the memory of whose it is, and nobody else's."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cli_product import Shell
from lattice_bot.app import run
from lattice_bot.pairing import folder_of, named_users, new_code, pair
from lattice_bot.state import FILE_NAME, State
from lattice_common.errors import NotConfigured
from lattice_common.settings import Settings

from tests.services.bot_life import QUICK
from tests.services.household import House, chosen, found, opened
from tests.services.telegram_server import OWNER, STRANGER, TOKEN, TelegramServer, telegram_server
from tests.serving import serving

BEN = 41_000


@dataclass
class Life:
    """`OWNER` is Ada; `bot` starts it with these users named in the settings."""

    house: House
    telegram: TelegramServer
    url: str
    _stop: threading.Event = field(default_factory=threading.Event)
    _bot: threading.Thread | None = None
    failed: list[BaseException] = field(default_factory=list)

    def settings(self, users: str, owners: str = "ada, ben") -> Settings:
        given = {"telegram_token": TOKEN, "telegram_api": self.telegram.url, "telegram_users": users, "owners": owners}
        return chosen(self.house.root, **given)

    def start(self, users: str, owners: str = "ada, ben") -> None:
        settings, self._stop = self.settings(users, owners), threading.Event()

        def live() -> None:
            try:
                run(settings, self.url, self._stop, pace=QUICK)
            except Exception as error:  # noqa: BLE001 - shown by the test that stops it
                self.failed.append(error)

        self._bot = threading.Thread(target=live, name="bot")
        self._bot.start()

    def stop(self) -> None:
        self._stop.set()
        if self._bot is not None:
            self._bot.join(20)
            assert not self._bot.is_alive()
        self._bot = None
        assert self.failed == []


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    with ExitStack() as stack:
        house = stack.enter_context(opened(tmp_path / "data"))
        telegram = stack.enter_context(telegram_server())
        living = Life(house, telegram, stack.enter_context(serving(house.router)))
        stack.callback(living.stop)
        yield living


def test_what_each_says_is_in_their_own_memory_and_they_are_answered_from_it(life: Life) -> None:
    life.start(f"{OWNER}, {BEN}=ben")
    life.telegram.reply_to(life.telegram.say("I keep the spare key under the blue pot."))
    life.telegram.reply_to(life.telegram.say("I keep the spare key with Ingrid.", user=BEN))
    assert found(life.house.ada, "Where is the spare key?") == ["I keep the spare key under the blue pot."]
    assert found(life.house.ben, "Where is the spare key?") == ["I keep the spare key with Ingrid."]
    asked = life.telegram.reply_to(life.telegram.say("Where is the spare key?", user=BEN), containing="Ingrid")
    assert "blue pot" not in asked.text
    assert asked.chat == BEN


def test_who_is_paired_by_one_owners_code_is_theirs(life: Life) -> None:
    life.start("")
    code = new_code(folder_of(life.house.root), owner="ben")
    life.telegram.say(code, user=BEN)
    life.telegram.message_with("This is your Lattice")
    life.telegram.reply_to(life.telegram.say("My bike is blue.", user=BEN))
    assert found(life.house.ben, "What colour is my bike?") == ["My bike is blue."]
    assert found(life.house.ada, "What colour is my bike?") == []


def test_who_belongs_to_an_owner_that_is_gone_is_a_stranger(life: Life) -> None:
    """Also when there is one memory again, which is Ada's."""
    State(folder_of(life.house.root)).keep_code("x", 0.0)
    assert pair(State(folder_of(life.house.root)), BEN, new_code(folder_of(life.house.root), owner="ben"))
    life.start(str(OWNER), owners="")
    life.telegram.say("My bike is blue.", user=BEN)
    life.telegram.reply_to(life.telegram.say("I keep the spare key under the blue pot."))
    life.stop()
    assert {each.chat for each in life.telegram.sent} == {OWNER}
    assert State(folder_of(life.house.root)).counted("strangers") == 1
    assert found(life.house.ada, "What colour is my bike?") != ["My bike is blue."]


def test_what_is_told_while_the_product_is_away_waits_in_the_inbox_of_whose_it_is(life: Life) -> None:
    life.url = "http://127.0.0.1:9"
    life.start(f"{OWNER}, {BEN}=ben")
    life.telegram.say("I keep the spare key with Ingrid.", user=BEN)
    life.telegram.message_with("Lattice is away")
    until_found = threading.Event()
    for _ in range(200):
        if found(life.house.ben, "Where is the spare key?"):
            until_found.set()
            break
        until_found.wait(0.1)
    assert until_found.is_set()
    assert found(life.house.ada, "Where is the spare key?") == []


@pytest.mark.parametrize(
    ("users", "owners", "said"),
    [("7=cem", "ada,ben", "names no 'cem': it has ada, ben"), ("7=ben", "", "one memory"), ("@ben=ben", "ben", "no numeric id")],
)
def test_a_user_of_nobody_is_refused(users: str, owners: str, said: str) -> None:
    with pytest.raises(NotConfigured, match=said):
        named_users(users, owners.split(",") if owners else ())


def test_a_code_of_an_owner_is_made_where_the_bot_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_OWNERS", "ada,ben")
    said = shell.as_owner("ben", "pair", "telegram", "--json")
    state = State(folder_of(shell.data_dir))
    assert pair(state, STRANGER, json.loads(said.out)["code"])
    assert state.people() == {STRANGER: "ben"}


def test_the_shared_space_has_no_account(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    shell.set("LATTICE_OWNERS", "ada,ben")
    said = shell.as_owner("shared", "pair", "telegram")
    assert said.code != 0
    assert "say whose" in said.err


def test_people_who_were_paired_before_there_were_owners_stay_the_first_ones(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / FILE_NAME)
    base.executescript(
        "CREATE TABLE person (id INTEGER PRIMARY KEY, since REAL NOT NULL); INSERT INTO person VALUES (7, 1.0);"
        "CREATE TABLE code (digest TEXT PRIMARY KEY, expires REAL NOT NULL);"
    )
    base.close()
    state = State(tmp_path)
    assert state.people() == {7: ""}
    assert pair(state, 8, new_code(tmp_path, owner="ben"))
    assert state.people() == {7: "", 8: "ben"}
