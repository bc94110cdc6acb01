"""Hands at work while the whole product runs: what editors, git and file managers do to the files of atoms is live by itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.embedded import folder_notices
from lattice_common.adapters.embedded.atoms_listing import MOST_TOLD, TOLD_SECONDS, AtomsListing
from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.domain.atom import Atom
from lattice_common.ingest.pace import Pace

from tests.pipeline.living import rebuilt
from tests.services.door import Door, opened

PATIENCE = 30.0
"""Seconds: twice what docs/guarantees.md, G14 allows, for a machine that many tests share; `bench/hand_edits.py` measures it."""


@pytest.fixture
def known(door: Door) -> Door:
    door.tell("Ada has a red bicycle. Bruno works as a nurse in Ghent.")
    return door


def until(holds: Callable[[], bool], what: str, *, patience: float = PATIENCE, pause: float = 0.05) -> None:
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, f"not within {patience:.0f} s: {what}"
        time.sleep(pause)


def contents(door: Door) -> set[str]:
    return {atom.content for atom in door.embedded.stores.catalogue.all()}


def atom_of(door: Door, words: str) -> Atom:
    [atom] = [atom for atom in door.embedded.stores.catalogue.all() if words in atom.content]
    return atom


def file_of(door: Door, words: str) -> Path:
    atom_id = atom_of(door, words).atom_id
    return door.root / door.embedded.stores.catalogue.marks([atom_id])[atom_id][0].path


def reworded(path: Path, content: str) -> bytes:
    head, _, _ = path.read_bytes().rpartition(b"---\n")
    return head + f"---\n\n{content}\n".encode()


def test_what_is_written_in_place_is_found(known: Door) -> None:
    path = file_of(known, "bicycle")
    left = reworded(path, "Ada has a yellow tandem.")
    path.write_bytes(left)
    until(lambda: known.found("What does Ada have?")[:1] == ["Ada has a yellow tandem."], "the edit is found")
    assert path.read_bytes() == left


def test_a_save_as_vim_makes_it_is_one_edit(known: Door) -> None:
    """Write 4913 to see whether it can, move the file to a backup, write a new one, remove the backup."""
    path = file_of(known, "bicycle")
    left = reworded(path, "Ada has a yellow tandem.")
    probe = path.with_name("4913")
    probe.touch()
    probe.unlink()
    swap = path.with_name(f".{path.name}.swp")
    swap.write_bytes(b"b0VIM")
    backup = path.with_name(f"{path.name}~")
    path.rename(backup)
    path.write_bytes(left[:40])
    path.write_bytes(left)
    backup.unlink()
    swap.unlink()
    until(lambda: "Ada has a yellow tandem." in contents(known), "the edit is followed")
    assert path.read_bytes() == left
    assert not any("memories" in each for each in known.embedded.lattice.status().degraded)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("vim") is None, reason="vim is not installed here")
def test_vim_itself(known: Door) -> None:
    path = file_of(known, "bicycle")
    command = [
        "vim",
        "-u",
        "NONE",
        "-N",
        "-es",
        "-c",
        "set backup writebackup backupcopy=no",
        "-c",
        "%s/bicycle/tandem/g",
        "-c",
        "wq",
    ]
    subprocess.run([*command, str(path)], check=False, timeout=20, stdin=subprocess.DEVNULL)
    assert b"tandem" in path.read_bytes()
    until(lambda: any("tandem" in each for each in contents(known)), "the edit is followed")


def test_a_file_that_comes_goes_and_comes_back(known: Door, tmp_path: Path) -> None:
    path = file_of(known, "bicycle")
    away = tmp_path / path.name
    path.rename(away)
    until(lambda: not any("bicycle" in each for each in contents(known)), "it is gone")
    away.rename(path)
    until(lambda: any("bicycle" in each for each in contents(known)), "it is back")


def test_a_folder_that_is_renamed_or_deleted_takes_its_memories_along(known: Door) -> None:
    path = file_of(known, "bicycle")
    before = contents(known)
    path.parent.rename(known.root / "atoms" / "my month")
    marks = known.embedded.stores.catalogue.marks
    until(lambda: {mark.path.split("/")[-2] for mark, _ in marks().values()} == {"my month"}, "they are known where they are")
    assert contents(known) == before
    shutil.rmtree(known.root / "atoms" / "my month")
    until(lambda: contents(known) == set(), "all are gone")


def test_a_broken_file_is_named_over_http_and_mended_it_is_found(known: Door) -> None:
    path = file_of(known, "bicycle")
    good = path.read_bytes()
    path.write_bytes(good[:60])
    degraded = lambda: known.http.get("/api/status").json()["degraded"]  # noqa: E731 - asked again and again
    until(lambda: any(path.name in each for each in degraded()), "it is named")
    assert known.found("Where does Bruno work?")[0].startswith("Bruno works as a nurse")
    path.write_bytes(good)
    until(lambda: degraded() == [] or not any("memories" in each for each in degraded()), "it is named no more")


def test_an_edit_that_the_system_did_not_announce_is_found_by_looking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device (inotify watches)")

    monkeypatch.setattr(folder_notices, "watch", none_left)
    with opened(tmp_path / "data", pace=Pace(poll_seconds=0.5)) as door:
        door.tell("Ada has a red bicycle. Bruno works as a nurse in Ghent.")
        path = file_of(door, "bicycle")
        path.write_bytes(reworded(path, "Ada has a yellow tandem."))
        until(lambda: "Ada has a yellow tandem." in contents(door), "what was written in place is followed")
        other = file_of(door, "nurse")
        beside = other.with_name("beside")
        beside.write_bytes(reworded(other, "Bruno works as a pilot in Oslo."))
        beside.replace(other)
        until(lambda: "Bruno works as a pilot in Oslo." in contents(door), "what was replaced is followed")
        path.unlink()
        until(lambda: contents(door) == {"Bruno works as a pilot in Oslo."}, "what was deleted is gone")


def test_files_changed_before_the_watch_looked_for_the_first_time_are_found(tmp_path: Path) -> None:
    """Between the start-up repair and the first look."""
    with opened(tmp_path / "data") as door:
        door.tell("Ada has a red bicycle. Bruno works as a nurse in Ghent.")
        path = file_of(door, "bicycle")
        stranger = path.with_name("01m7vvvvvvvvvvvvvvvvvvvv01.md")
        shutil.copyfile(path, stranger)
        path.unlink()
        listing = AtomsListing(door.root, door.embedded.stores.catalogue)
        assert {place.rpartition("/")[2] for place in listing.look()} == {path.name, stranger.name}


NEVER_RECENT = -(1 << 62)
TICK_SECONDS = 0.02
"""Two changes of a folder within a tick of the system's clock leave it with one time, where it is in memory."""
"""For tests that look twice within the two seconds that times may be coarse."""


def test_only_folders_that_changed_are_listed_and_all_files_are_compared_in_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(10):
        path = tmp_path / "atoms" / f"{number % 2}" / f"01m7vvvvvvvvvvvvvvvvvvvv{number:02d}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "atoms" / ".git").mkdir()
    listing = AtomsListing(tmp_path, MemoryCatalogue(), files_per_look=4, recent_ns=NEVER_RECENT)
    assert len(set(listing.look())) == 10
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda place: (listed.append(str(place)), scandir(place))[1])
    compared = [place for _ in range(5) for place in listing.look()]
    assert listed == []
    assert len(compared) == 20
    assert len(set(compared)) == 10
    (tmp_path / "atoms" / "1" / "01m7vvvvvvvvvvvvvvvvvvvv99.md").touch()
    assert "atoms/1/01m7vvvvvvvvvvvvvvvvvvvv99.md" in listing.look()
    assert listed == [str(tmp_path / "atoms" / "1")]


def test_a_folder_of_which_the_system_told_is_compared_a_minute_later_by_its_names_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "atoms" / "2026"
    folder.mkdir(parents=True)
    names = [f"01m7vvvvvvvvvvvvvvvvvvvv{number:02d}.md" for number in range(10)]
    for name in names:
        (folder / name).touch()
    ahead = 0.0
    listing = AtomsListing(
        tmp_path,
        MemoryCatalogue(),
        files_per_look=0,
        recent_ns=NEVER_RECENT,
        monotonic=lambda: time.monotonic() + ahead,
    )
    listing.look()
    scandir, listed = os.scandir, list[str]()
    monkeypatch.setattr(os, "scandir", lambda place: (listed.append(str(place)), scandir(place))[1])
    beside = folder / ".new"
    beside.touch()
    beside.replace(folder / names[3])
    (folder / names[4]).unlink()
    (folder / "01m7vvvvvvvvvvvvvvvvvvvv77.md").touch()
    (folder / "deeper").mkdir()
    (folder / "deeper" / "01m7vvvvvvvvvvvvvvvvvvvv88.md").touch()
    assert listing.look({"atoms/2026": {names[3]}}) == [], "whoever was told looks at it"
    ahead = TOLD_SECONDS
    found = {place.removeprefix("atoms/2026/") for place in listing.look()}
    assert found == {names[3], names[4], "01m7vvvvvvvvvvvvvvvvvvvv77.md", "deeper/01m7vvvvvvvvvvvvvvvvvvvv88.md"}
    assert str(folder) not in listed, "its hundred thousand files were looked at one by one"
    assert listing.look() == []
    time.sleep(TICK_SECONDS)
    (folder / names[6]).unlink()
    assert listing.look() == [f"atoms/2026/{names[6]}"], "of what nobody told, it is known at once"
    beside.touch()
    beside.replace(folder / names[5])
    assert listing.look({"atoms/2026": {f"{number}" for number in range(MOST_TOLD + 1)}}) == [f"atoms/2026/{names[5]}"], (
        "of so many notices some may be lost"
    )
    assert str(folder) in listed


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed here")
def test_a_checkout_of_two_thousand_memories_is_followed_while_something_is_said(tmp_path: Path) -> None:
    root = tmp_path / "data"
    folder = root / "atoms" / "2026" / "07"

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(root / "atoms"), *words], check=True, capture_output=True, timeout=60)

    def write(colour: str, numbers: range) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for number in numbers:
            path = folder / f"01m7vvvvvvvvvvvvvvvvvv{number:04d}.md"
            path.write_text(f"---\nkind: fact\nsubject: house {number % 90}\n---\nHouse {number} is {colour}.\n")

    with opened(root) as door:
        write("red", range(2000))
        git("init", "-q", "-b", "red")
        git("config", "user.email", "owner@example.com")
        git("config", "user.name", "Owner")
        git("add", ".")
        git("commit", "-qm", "red")
        until(lambda: door.embedded.stores.catalogue.count() == 2000, "2,000 new files are followed")
        git("checkout", "-qb", "blue")
        write("blue", range(1500))
        for number in range(1900, 2000):
            (folder / f"01m7vvvvvvvvvvvvvvvvvv{number:04d}.md").unlink()
        git("add", "-A")
        git("commit", "-qm", "blue")
        git("checkout", "-q", "red")
        git("checkout", "-q", "blue")
        said = door.tell("Ada has a red bicycle.")
        assert said["state"] == "stored"
        expected = {f"House {number} is {'blue' if number < 1500 else 'red'}." for number in range(1900)}
        followed = lambda: {each for each in contents(door) if each.startswith("House")} == expected  # noqa: E731 - as above
        until(followed, "the checkout is followed", patience=120, pause=1)
        assert door.found("What colour is house 17?")[0] == "House 17 is blue."
        door.embedded.writer.queue.caught_up(PATIENCE)
        lived = door.embedded.state_hash()
    assert rebuilt(root)[0] == lived
