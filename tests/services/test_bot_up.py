"""`lattice up` with a token for Telegram: the bot lives in the same process, and as `python -m lattice_bot` in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from lattice_api.local_token import keep_local_token
from lattice_api.token_file import TokenFile
from lattice_bot.product import token_of
from lattice_common.healthcheck import trouble

from tests.services.bot_life import API_TOKEN, Life, settings_of
from tests.services.telegram_server import OWNER, TOKEN, TelegramServer, telegram_server


def environment(root: Path, telegram: TelegramServer, **more: str) -> dict[str, str]:
    """Of a process, without what this one was told."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("LATTICE_", "LLM_"))}
    known = {"LATTICE_DIR": str(root), "LATTICE_EMBED_MODEL": "none", "LLM_PROVIDER": "none", "LATTICE_TELEGRAM_TOKEN": TOKEN}
    return {**own, **known, "LATTICE_TELEGRAM_API": telegram.url, "LATTICE_TELEGRAM_USERS": str(OWNER), **more}


@pytest.mark.slow
def test_the_product_starts_its_bot_and_ends_it(tmp_path: Path) -> None:
    with telegram_server() as telegram:
        command = [sys.executable, "-m", "lattice_cli.app", "up", "--no-browser", "--port", "0"]
        started = subprocess.Popen(
            command, env=environment(tmp_path / "data", telegram), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        try:
            telegram.reply_to(telegram.say("I live in Berlin."), containing="Remembered: I live in Berlin.")
        finally:
            started.send_signal(signal.SIGTERM)
            out, err = started.communicate(timeout=30)
        assert started.returncode == 0, err
        assert TOKEN.partition(":")[2].encode() not in out + err


@pytest.mark.parametrize("chosen", [None, "", " "])
def test_without_a_chosen_token_the_bot_takes_the_one_that_the_api_left(tmp_path: Path, chosen: str | None) -> None:
    settings = settings_of(tmp_path / "data", "http://127.0.0.1:1", api_token=chosen, access_dir=tmp_path / "access")
    assert token_of(settings) is None, "the API has not been started yet"
    store = TokenFile(tmp_path / "access")
    keep_local_token(store, tmp_path / "access")
    left = token_of(settings)
    assert left is not None
    assert store.scopes_of_token(left)
    assert token_of(settings_of(tmp_path / "data", "http://127.0.0.1:1", api_token=API_TOKEN)) == API_TOKEN


@pytest.mark.slow
def test_the_bot_runs_in_a_process_of_its_own_with_a_heartbeat(tmp_path: Path) -> None:
    with telegram_server() as telegram:
        living = Life(tmp_path / "data", telegram)
        living.start_api()
        given = environment(living.root, telegram, LATTICE_API_URL=living.url, LATTICE_API_TOKEN=API_TOKEN)
        bot = subprocess.Popen([sys.executable, "-m", "lattice_bot"], env=given, cwd=tmp_path, stderr=subprocess.PIPE)
        try:
            telegram.reply_to(telegram.say("I live in Berlin."), containing="Remembered: I live in Berlin.")
            assert trouble(str(living.root / "bot" / "alive.json")) is None
        finally:
            bot.send_signal(signal.SIGTERM)
            _, err = bot.communicate(timeout=30)
            living.stop_api()
        assert bot.returncode == 0, err
        assert TOKEN.partition(":")[2].encode() not in err


def test_without_a_token_it_says_what_is_missing(tmp_path: Path) -> None:
    with telegram_server() as telegram:
        given = environment(tmp_path, telegram, LATTICE_TELEGRAM_TOKEN="")
        ended = subprocess.run([sys.executable, "-m", "lattice_bot"], env=given, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 1
    assert "LATTICE_TELEGRAM_TOKEN=" in ended.stderr
