"""`lattice follow`: a folder is remembered as it is, and nothing of it twice."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_product import Shell, running


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shell]:
    there = Shell(tmp_path, monkeypatch)
    with running(there):
        yield there


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    (notes / "boat.md").write_text("The boat is in berth 12.\n")
    (notes / "deep" / "cat.md").write_text("The cat is called Miro.\n")
    (notes / ".hidden.md").write_text("The code is 1234.\n")
    return notes


def look(shell: Shell, folder: Path) -> tuple[int, int, int]:
    found = json.loads(shell.lattice("follow", str(folder), "--once", "--note", "--json").out)
    return found["read"], found["read_again"], found["forgotten"]


def contents(shell: Shell) -> set[str]:
    return {json.loads(line)["content"] for line in shell.lattice("atoms", "--json").out.splitlines()}


def test_what_changes_is_read_again_what_is_gone_is_forgotten_and_nothing_doubles(shell: Shell, folder: Path) -> None:
    assert look(shell, folder) == (2, 0, 0)
    before = contents(shell)
    assert len(before) == 2
    assert look(shell, folder) == (0, 0, 0)
    os.utime(folder / "boat.md", (1_700_000_000, 1_700_000_000))
    assert look(shell, folder) == (0, 0, 0)  # touched, and the same
    (folder / "boat.md").write_text("The boat is in berth 14.\n")
    assert look(shell, folder) == (0, 1, 0)
    assert any("berth 14" in each for each in contents(shell))
    assert not any("berth 12" in each for each in contents(shell))
    (folder / "boat.md").write_text("The boat is in berth 12.\n")
    assert look(shell, folder) == (0, 1, 0)
    assert contents(shell) == before
    (folder / "boat.md").unlink()
    assert look(shell, folder) == (0, 0, 1)
    assert contents(shell) == {each for each in before if "Miro" in each}


def test_a_folder_that_is_suddenly_empty_is_left_alone(shell: Shell, folder: Path) -> None:
    assert look(shell, folder) == (2, 0, 0)
    (folder / "boat.md").unlink()
    (folder / "deep" / "cat.md").unlink()
    said = shell.lattice("follow", str(folder), "--once")
    assert said.code != 0
    assert "gone at once" in said.err
    assert len(contents(shell)) == 2


def test_a_folder_of_the_same_name_elsewhere_loses_nothing(shell: Shell, folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "old" / "notes"
    other.mkdir(parents=True)
    (other / "boat.md").write_text("The rent is 900 euros.\n")
    assert (look(shell, folder), look(shell, other)) == ((2, 0, 0), (1, 0, 0))
    both = contents(shell)
    assert len(both) == 3
    (other / "boat.md").write_text("The rent is 950 euros.\n")
    (folder / "boat.md").unlink()
    assert (look(shell, other), look(shell, folder)) == ((0, 1, 0), (0, 0, 1))
    assert contents(shell) == {each.replace("900", "950") for each in both if "boat" not in each}


def test_of_two_folders_that_were_followed_under_one_name_neither_loses_what_the_other_has(
    shell: Shell, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "old" / "notes"
    other.mkdir(parents=True)
    (other / "boat.md").write_text("The rent is 900 euros.\n")
    (other / "oven.md").write_text("The oven is a Neff.\n")
    assert (look(shell, folder), look(shell, other)) == ((2, 0, 0), (2, 0, 0))
    followed = tmp_path / "state" / "lattice" / "followed"
    for state in followed.glob("*/*.json"):  # as versions before wrote it
        written = json.loads(state.read_text())
        (followed / state.name).write_text(json.dumps({"folder": written["folder"], "files": written["files"]}))
        state.unlink()
    before = contents(shell)
    (other / "boat.md").unlink()
    said = shell.lattice("follow", str(other), "--once", "--note")
    assert f"{folder / 'boat.md'} is remembered under the name of {other / 'boat.md'}" in said.err
    assert contents(shell) == before


def test_two_memories_that_follow_one_folder_know_nothing_of_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        shell = Shell(tmp_path / name, monkeypatch)
        shell.set("XDG_STATE_HOME", str(tmp_path / "state"))  # one for both
        with running(shell):
            assert look(shell, folder) == (2, 0, 0)
            assert len(contents(shell)) == 2
            assert look(shell, folder) == (0, 0, 0)


def test_what_an_earlier_version_knew_of_a_folder_is_asked_of_the_memory(shell: Shell, folder: Path, tmp_path: Path) -> None:
    assert look(shell, folder) == (2, 0, 0)
    os.utime(folder / "boat.md", (1_700_000_000, 1_700_000_000))
    assert look(shell, folder) == (0, 0, 0)
    followed = tmp_path / "state" / "lattice" / "followed"
    [state] = followed.glob("*/*.json")
    state.rename(followed / state.name)
    before = contents(shell)
    assert look(shell, folder) == (0, 0, 0)
    assert contents(shell) == before
    assert [*followed.glob("*.json")] == []
    (folder / "boat.md").unlink()
    assert look(shell, folder) == (0, 0, 1)
    state.unlink()
    (followed / state.name).write_text(json.dumps({"folder": str(folder), "files": {"deep/cat.md": {"sha256": "of another"}}}))
    assert look(shell, folder) == (0, 1, 0)
