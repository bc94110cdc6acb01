"""`lattice backup` and `lattice restore`: what is backed up comes back, and nothing is ever put over anything."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest
from cli_product import Shell, after, running
from lattice_common.adapters.files.backup_archive import LABEL
from lattice_common.inspection import inspect

from tests.rights import of_a_user


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


@pytest.fixture
def told(shell: Shell) -> Shell:
    with running(shell):
        shell.lc("The spare key is with Ines. I live in Lisbon.")
        shell.lc("My rent is 900 euros.")
        shell.lc("My rent is 950 euros now.")
        assert shell.lattice("backup", "one.tar.gz").code == 0
        shell.lc("This came later.")
    return shell


def contents(folder: Path) -> list[str]:
    with inspect(folder, whole=False) as inspection:
        return sorted(str(each["content"]) for each in inspection.export())


def archive(path: Path, *members: tuple[str, bytes], label: bytes | None = None) -> None:
    made = label or b'{"format": 1, "lattice": "0.1.0", "made_at": "2026-11-20T09:00:00+00:00"}'
    with tarfile.open(path, "w:gz") as packed:
        for name, content in ((LABEL, made), *members):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            packed.addfile(member, io.BytesIO(content))


def test_a_backup_made_while_it_runs_comes_back_as_it_was_then(told: Shell) -> None:
    told.data_dir.rename(told.data_dir.with_name("data.old"))
    said = told.lattice("restore", "one.tar.gz")
    assert (said.code, "Restored 4 memories" in said.out) == (0, True)
    with running(told):
        after(
            20.0, lambda: [] if json.loads(told.lattice("status", "--json").out)["degraded"] else [True]
        )  # what is derived is made anew
        assert "950 euros" in told.lattice("ask", "how much is my rent?").out
        assert "Ines" in told.lattice("ask", "who has the spare key?").out
        assert "later" not in told.lattice("atoms").out
        assert told.lattice("doctor").code == 0


def test_what_it_says_of_itself_is_for_scripts_too(told: Shell) -> None:
    said = json.loads(told.lattice("backup", "two.tar.gz", "--json").out)
    assert said["atoms"] == 5
    assert (Path("two.tar.gz").stat().st_mode & 0o777) == 0o600


def test_nothing_derived_and_no_lock_is_in_it(told: Shell) -> None:
    with tarfile.open("one.tar.gz") as packed:
        names = packed.getnames()
    assert names[0] == LABEL
    assert names[1].startswith("journal/")
    assert not [name for name in names if name.startswith(("index/", "graph/", ".writer", "subjects"))]
    assert {name.partition("/")[0] for name in names} >= {"journal", "atoms", "logs"}


def test_nothing_is_put_over_anything(told: Shell) -> None:
    before = contents(told.data_dir)
    again = told.lattice("backup", "one.tar.gz")
    assert (again.code, "is there already" in again.err) == (1, True)
    over = told.lattice("restore", "one.tar.gz")
    assert (over.code, "move it aside first" in over.err) == (1, True)
    assert contents(told.data_dir) == before
    inside = told.lattice("backup", str(told.data_dir / "b.tar.gz"))
    assert (inside.code, "in the data folder itself" in inside.err) == (1, True)


def test_half_a_backup_is_none_and_leaves_nothing_behind(told: Shell) -> None:
    whole = Path("one.tar.gz").read_bytes()
    told.set("LATTICE_DIR", str(told.data_dir.with_name("elsewhere")))
    flipped = whole[: len(whole) // 3] + bytes([whole[len(whole) // 3] ^ 1]) + whole[len(whole) // 3 + 1 :]
    for broken in (b"", whole[:10], whole[: len(whole) // 2], whole[:-9], flipped):
        Path("half.tar.gz").write_bytes(broken)
        said = told.lattice("restore", "half.tar.gz")
        assert (said.code, "cannot be restored" in said.err) == (1, True), len(broken)
        assert not told.data_dir.with_name("elsewhere").exists()
        assert not list(told.data_dir.parent.glob(".elsewhere*"))


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "journal/../../evil"])
def test_an_archive_that_leads_out_of_the_folder_is_refused(shell: Shell, name: str) -> None:
    archive(Path("evil.tar.gz"), (name, b"evil"))
    said = shell.lattice("restore", "evil.tar.gz")
    assert (said.code, "in no backup of Lattice" in said.err) == (1, True)
    assert not shell.data_dir.exists()
    assert not Path("evil").exists()


def test_an_archive_with_a_link_in_it_is_refused(shell: Shell) -> None:
    with tarfile.open("linked.tar.gz", "w:gz") as packed:
        label = tarfile.TarInfo(LABEL)
        content = b'{"format": 1, "lattice": "0.1.0", "made_at": "2026-11-20T09:00:00+00:00"}'
        label.size = len(content)
        packed.addfile(label, io.BytesIO(content))
        link = tarfile.TarInfo("journal")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        packed.addfile(link)
    said = shell.lattice("restore", "linked.tar.gz")
    assert (said.code, shell.data_dir.exists()) == (1, False)


def test_what_is_no_backup_or_of_a_later_version_is_said_to_be(shell: Shell) -> None:
    archive(Path("later.tar.gz"), label=b'{"format": 2, "lattice": "9.0.0", "made_at": "2030-01-01T00:00:00+00:00"}')
    assert "was made by Lattice 9.0.0" in shell.lattice("restore", "later.tar.gz").err
    with tarfile.open("other.tar.gz", "w:gz") as packed:
        packed.addfile(tarfile.TarInfo("something"))
    assert "is no backup that `lattice backup` made" in shell.lattice("restore", "other.tar.gz").err
    assert "is no file" in shell.lattice("restore", "missing.tar.gz").err
    assert "nothing to back up" in shell.lattice("backup", "empty.tar.gz").err
    assert not Path("empty.tar.gz").exists()
    assert not list(Path().glob(".empty*"))


def test_links_in_the_folder_are_not_followed(told: Shell) -> None:
    Path("secret.txt").write_text("outside")
    (told.data_dir / "atoms" / "link.md").symlink_to(Path("secret.txt").resolve())
    assert told.lattice("backup", "three.tar.gz").code == 0
    with tarfile.open("three.tar.gz") as packed:
        assert "atoms/link.md" not in packed.getnames()


def test_a_file_that_cannot_be_read_is_named_and_the_rest_is_backed_up(told: Shell) -> None:
    locked, folder = sorted((told.data_dir / "atoms").rglob("*.md"))[0], told.data_dir / "mine"
    folder.mkdir()
    with of_a_user():
        locked.chmod(0)
        folder.chmod(0)
        said = told.lattice("backup", "two.tar.gz")
        locked.chmod(0o600)
        folder.chmod(0o700)
    assert said.code == 1
    assert f"{locked.relative_to(told.data_dir)}: Permission denied" in said.err
    assert "mine: Permission denied" in said.err
    there = len(list((told.data_dir / "atoms").rglob("*.md")))
    told.data_dir.rename(told.data_dir.with_name("data.old"))
    assert told.lattice("restore", "two.tar.gz").code == 0
    assert len(list((told.data_dir / "atoms").rglob("*.md"))) == there - 1


def test_a_backup_holds_no_key(told: Shell) -> None:
    assert (told.data_dir / "cli-token").exists()
    with tarfile.open("one.tar.gz") as packed:
        assert "cli-token" not in packed.getnames()


def test_nor_does_that_of_a_deployment_whose_tokens_have_a_folder_of_their_own(told: Shell) -> None:
    for folder in ("access", "access/spaces/ben"):
        (told.data_dir / folder).mkdir(parents=True)
        for name in ("access.json", "cli-token"):
            (told.data_dir / folder / name).write_text("{}")
    assert told.lattice("backup", "two.tar.gz").code == 0
    with tarfile.open("two.tar.gz") as packed:
        names = set(packed.getnames())
    assert {"access/access.json", "access/spaces/ben/access.json"} <= names
    assert not [name for name in names if name.endswith("cli-token")]


def test_a_backup_that_unfolds_to_a_thousand_times_its_size_is_refused(tmp_path: Path, shell: Shell) -> None:
    bomb = tmp_path / "bomb.tar.gz"
    archive(bomb, ("journal/a", bytes(200_000_000)))
    assert bomb.stat().st_size < 300_000
    said = shell.lattice("restore", str(bomb))
    assert said.code == 1
    assert "unfolds to more than" in said.err
    assert not shell.data_dir.exists()
