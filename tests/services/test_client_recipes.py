"""The recipes of docs/clients.md for scripts, run as they stand there: by a real curl, against the real product."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_product import Shell, running

from tests.services.test_api_imports import TALKS

PAGE = (Path(__file__).parents[2] / "docs" / "clients.md").read_text(encoding="utf-8")
CURL = [line.strip() for line in PAGE.splitlines() if line.startswith("    curl ")]
CODES = (
    "0 done, 1 found nothing or was refused, 2 not understood, 3 Lattice is not running, "
    "130 stopped by Ctrl-C, 141 nobody read on"
)


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    shell = Shell(tmp_path, monkeypatch)
    (tmp_path / "notes.md").write_text("My dentist is Dr. Okafor.\n")
    (tmp_path / "conversations.json").write_bytes(TALKS)
    with running(shell) as _:
        yield shell


def curl(command: str, shell: Shell, scopes: tuple[str, ...] = ("read", "capture")) -> str:
    """What it printed; it must not fail."""
    if shutil.which("curl") is None:
        pytest.skip("needs curl")
    import os

    added = shell.lattice(
        "token", "add", f"{len(command)}-{scopes[0]}", *(word for scope in scopes for word in ("--scope", scope))
    )
    token = added.out.split()[-1]
    environ = {"LATTICE": f"http://localhost:{os.environ['LATTICE_WEB_PORT']}", "TOKEN": token, "PATH": os.environ["PATH"]}
    done = subprocess.run(["sh", "-c", command], env=environ, capture_output=True, text=True, check=False, timeout=30)
    assert done.returncode == 0, (command, done.stdout, done.stderr)
    return done.stdout


def test_every_curl_command_does_what_it_says(shell: Shell) -> None:
    assert len(CURL) == 12
    told, once, sent, imported, answer, select, export = (curl(command, shell) for command in CURL[:7])
    assert json.loads(told)["state"] in ("waiting", "working", "stored")
    assert json.loads(once)["atoms_new"] == 1
    assert json.loads(sent)["atoms_new"] == 1
    account = json.loads(imported)
    assert (account["found"], account["stored"], account["skipped"]) == (3, 2, 1)
    assert json.loads(answer)["citations"][0]["quote"] == "The spare key is with Ines."
    assert json.loads(select)["atoms"][0]["content"] == "The spare key is with Ines."
    assert len(export.splitlines()) == 5
    browsed, changed, text = (
        json.loads(curl(each.replace("$CAPTURE", json.loads(told)["capture_id"]), shell)) for each in CURL[7:10]
    )
    assert [atom["content"] for atom in browsed["atoms"]] == ["The spare key is with Ines."]
    assert changed["replaced"] == []
    assert [text["text"][each["start"] : each["end"]] for each in text["remembered"]] == ["The spare key is with Ines."]
    shell.lc("My brother Ilya lives in Lisbon.")
    everybody, brother = (json.loads(curl(command, shell)) for command in CURL[10:])
    assert "Ilya" in [each["name"] for each in everybody["entities"]]
    assert brother["name"] == "Ilya"


def test_what_is_sent_again_under_its_key_is_kept_once(shell: Shell) -> None:
    first, second = (json.loads(curl(CURL[1], shell, (scope, "capture"))) for scope in ("read", "admin"))
    assert first["capture_id"] == second["capture_id"]


def test_a_phone_needs_a_token_that_may_only_tell(shell: Shell) -> None:
    assert json.loads(curl(CURL[0], shell, ("capture",)))["capture_id"]


def test_the_pipes_on_the_page_are_commands_that_exist(shell: Shell) -> None:
    piped = re.findall(r"^    (lattice \w+)", PAGE, re.MULTILINE)
    assert {"lattice atoms", "lattice captures"} <= set(piped)
    shell.lc("The spare key is with Ines.")
    assert shell.lattice("atoms", "spare", "key", "--json").out.count("\n") == 1
    assert shell.lattice("captures", "--state", "dead", "--json").code == 1
    assert shell.lc(piped=b"Read the meter in June.\n").code == 0


def test_the_exit_codes_on_the_page_are_those_of_the_commands() -> None:
    from lattice_cli import exits

    told = dict.fromkeys(int(code) for code in re.findall(r"\d+(?= \w)", CODES))
    assert CODES.replace(", ", " ") in PAGE.replace("\n", " ").replace(", ", " ")
    assert list(told) == [exits.OK, exits.FAILED, exits.USAGE, exits.NOT_RUNNING, exits.INTERRUPTED, exits.UNREAD]
