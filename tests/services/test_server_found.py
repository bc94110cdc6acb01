"""The command line finds the server of its folder by what that left there, whatever port it listens on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lattice_cli.target import find_target
from lattice_common.adapters.files.server_address import ADDRESS_NAME, server_address, server_address_kept

from tests.services.cli_product import Shell

ENDS_WITHIN = 30.0


@contextmanager
def _up(root: Path) -> Iterator[str]:
    """The address of a product on a free port, as `lattice up --port 0` says it."""
    environment = {name: value for name, value in os.environ.items() if name not in ("LATTICE_WEB_PORT", "LATTICE_HOST")}
    with subprocess.Popen(
        [sys.executable, "-m", "lattice_cli.app", "up", "--no-browser", "--port", "0"],
        env=environment | {"LATTICE_DIR": str(root), "LATTICE_EMBED_MODEL": "none", "LLM_PROVIDER": "none"},
        cwd=root.parent,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().removeprefix("Lattice is at ").strip()
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(ENDS_WITHIN)


def test_commands_of_a_folder_reach_its_server_on_whatever_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    monkeypatch.delenv("LATTICE_WEB_PORT")
    (tmp_path / "loft.txt").write_text("The loft ladder is behind the wardrobe.\n")
    with _up(shell.data_dir) as url:
        assert find_target().base_url == url.replace("localhost", "127.0.0.1")
        assert json.loads(shell.lattice("status", "--json").out)["running"] is True
        read = shell.lattice("import", "export", str(tmp_path / "loft.txt"))
        assert (read.code, read.err) == (0, "")
        assert "loft.txt" in shell.lattice("import", "list").out
        assert "Lattice runs already" in shell.lattice("up", "--no-browser", "--port", "0").err
        assert server_address(shell.data_dir) is not None, "a second one that was refused leaves it as it is"
        shell.set("LATTICE_WEB_PORT", "1")
        assert find_target().base_url == "http://127.0.0.1:1", "what is set by hand goes first"
        monkeypatch.delenv("LATTICE_WEB_PORT")
    assert not (shell.data_dir / ADDRESS_NAME).exists()
    assert json.loads(shell.lattice("status", "--json").out)["running"] is False


def test_an_address_counts_while_its_process_is_there(tmp_path: Path) -> None:
    with server_address_kept([tmp_path, tmp_path], "http://127.0.0.1:8123"):
        assert server_address(tmp_path) == "http://127.0.0.1:8123"
        content = (tmp_path / ADDRESS_NAME).read_text()
        gone = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, check=True)
        for stale in (
            content.replace(f"pid {os.getpid()}", f"pid {gone.stdout.strip()}"),
            content.replace(" on ", " on not-"),
            "?",
        ):
            (tmp_path / ADDRESS_NAME).write_text(stale)
            assert server_address(tmp_path) is None
        (tmp_path / ADDRESS_NAME).write_text(content)
    assert server_address(tmp_path) is None
    assert server_address(tmp_path / "nowhere") is None
