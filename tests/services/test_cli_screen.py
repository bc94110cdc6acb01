"""On a terminal what was said is text, never an order to the terminal; a pipe gets it as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.services.cli_product import Screen, Shell, running

ORDERS = "\x1b]52;c;ZXZpbA==\x07\x1b[31m\x9b2J\u202e\u061c\r"
"""Write to the clipboard, colour, erase, turn the direction, and write over the line."""
ORDER = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e]")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_no_command_hands_escape_sequences_of_what_was_said_to_a_terminal(shell: Shell, tmp_path: Path) -> None:
    letter = tmp_path / f"letter{ORDERS}.txt"
    letter.write_text(f"My plumber is{ORDERS} called Hugo Brandt. His van is green.", encoding="utf-8")
    with running(shell):
        assert shell.lc("--note", str(letter)).code == 0
        atom_id = shell.lattice("atoms", "plumber").out.split()[0]
        assert shell.lattice("edit", atom_id, "--content", f"My plumber{ORDERS} is called Hugo.").code == 0
        for command in (
            ("atoms",),
            ("show", atom_id),
            ("history", atom_id),
            ("timeline",),
            ("captures",),
            ("import", "list"),
            ("profile",),
            ("ask", f"who is my {ORDERS} plumber?"),
            ("status",),
            ("export",),
            ("show", f"x{ORDERS}"),
        ):
            said = shell.lattice(*command, screen=Screen)
            assert not ORDER.search(said.out), command
            assert not ORDER.search(said.err), command
        assert "Hugo" in shell.lattice("show", atom_id, screen=Screen).out
        assert ORDER.search(shell.lattice("show", atom_id).out), "a pipe gets what is there"
