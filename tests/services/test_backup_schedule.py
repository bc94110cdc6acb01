"""Scheduled backups: made when due, tried by restoring them, rotated; sealed where there is a passphrase."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cli_product import Shell, running
from lattice_common.adapters.files import backup_archive, backup_schedule
from lattice_common.adapters.files.backup_archive import restore, write_whole
from lattice_common.adapters.files.backup_schedule import AGAIN_SECONDS, BackupKeeper, Schedule, is_due, keep_one, made_so_far
from lattice_common.adapters.files.durable import TEMPORARY_MARK
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.errors import Corrupt, InvalidInput
from lattice_common.inspection import inspect

from tests.pipeline.living import open_store, say, started
from tests.working import until

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    with started(tmp_path / "data") as store:
        say(store, "The spare key is with Ines.")
        say(store, "I live in Lisbon.")
    return tmp_path / "data"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> list[str]:
    with open_store(folder) as store:
        store.rebuild(lambda *_: None)
    with inspect(folder, whole=False) as inspection:
        return sorted(str(each["content"]) for each in inspection.export())


def test_one_is_due_when_the_newest_is_old_enough(root: Path, tmp_path: Path) -> None:
    schedule = Schedule(tmp_path / "kept", "day", 7)
    assert is_due(schedule, NOON)
    keep_one(root, schedule, NOON)
    assert [is_due(schedule, NOON + wait) for wait in (timedelta(), DAY - timedelta(seconds=1), DAY)] == [False, False, True]
    assert is_due(schedule, NOON - DAY), "a clock that was ahead must not stop backups until it is there"


def test_the_newest_stay_and_nothing_else_is_removed(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for mine in ("lattice-2026-11-20.tar.gz", "lattice-20260101T000000Z.tar.gz.old", "diary.md"):
        (folder / mine).write_text("mine")
    removed = [len(keep_one(root, Schedule(folder, "day", 3), NOON + n * DAY).removed) for n in range(5)]
    assert removed == [0, 0, 0, 1, 1]
    assert [at for at, _ in made_so_far(folder)] == [NOON + n * DAY for n in (2, 3, 4)]
    assert {"lattice-2026-11-20.tar.gz", "lattice-20260101T000000Z.tar.gz.old", "diary.md"} < set(names(folder))
    noted = {str(line["file"]) for line in FileLineLog(root, "backups").newest()}
    assert noted == {str(path.resolve()) for _, path in made_so_far(folder)}, "what was removed is not out of reach"


def test_those_of_a_clock_that_was_ahead_take_no_place_of_the_others(root: Path, tmp_path: Path) -> None:
    schedule = Schedule(tmp_path / "kept", "day", 2)
    for ahead in (40, 50, 60):
        keep_one(root, schedule, NOON + ahead * DAY)
    for n in range(3):
        keep_one(root, schedule, NOON + n * DAY)
    assert [(at - NOON).days for at, _ in made_so_far(schedule.folder)] == [1, 2, 50, 60]


def test_what_a_kill_left_beside_the_folders_is_in_no_backup_and_keeps_none_from_being_restored(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = root / f"..writer.epoch{TEMPORARY_MARK}123-45"
    left.touch()
    schedule = Schedule(tmp_path / "kept", "day", 3)
    assert keep_one(root, schedule, NOON).made.files
    # As versions before backed it up.
    names_of = backup_archive._names
    monkeypatch.setattr(backup_archive, "_names", lambda *given: [left.name, *names_of(*given)])  # type: ignore[arg-type]
    left.touch()
    old = tmp_path / "old.tar.gz"
    write_whole(root, old, lambda *_: None)
    restore(old, tmp_path / "restored", lambda *_: None)
    assert contents(tmp_path / "restored") == contents(root)
    assert not (tmp_path / "restored" / left.name).exists()
    left.touch()
    with started(root):
        assert not left.exists(), "the next start does not clear it away"


def test_files_are_their_owners_alone_and_nothing_is_left_beside_them(root: Path, tmp_path: Path) -> None:
    kept = keep_one(root, Schedule(tmp_path / "kept", "day", 3), NOON)
    assert kept.file.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "kept").stat().st_mode & 0o777 == 0o700
    assert names(tmp_path / "kept") == [kept.file.name]


def test_one_that_does_not_give_everything_back_is_not_kept_and_none_goes_for_it(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    schedule = Schedule(tmp_path / "kept", "day", 1)
    first = keep_one(root, schedule, NOON)
    whole = backup_schedule.write_whole

    def torn(root: Path, file: Path, *args: object, **more: object) -> object:
        made = whole(root, file, *args, **more)  # type: ignore[arg-type]
        content = file.read_bytes()
        half = len(content) // 2
        file.write_bytes(content[:half] + bytes(64) + content[half + 64 :])
        return made

    monkeypatch.setattr(backup_schedule, "write_whole", torn)
    with pytest.raises((InvalidInput, Corrupt)):
        keep_one(root, schedule, NOON + DAY)
    assert names(tmp_path / "kept") == [first.file.name]


def test_a_bit_that_the_disk_turned_round_is_noticed_or_changes_nothing(root: Path, tmp_path: Path) -> None:
    """What stands before the checksum at the end is read before it is known to be wrong: the label, names, sizes and times. Some
    bits change nothing: the time in the head of gzip, or from how far before a run of zeros is copied."""
    archive, back = tmp_path / "one.tar.gz", tmp_path / "back"
    write_whole(root, archive, lambda *_: None)
    content = archive.read_bytes()
    restore(archive, back, lambda *_: None, to_stay=False)
    whole = files_in(back)
    shutil.rmtree(back)
    for place in range(0, len(content), 11):
        archive.write_bytes(content[:place] + bytes([content[place] ^ 1 << place % 8]) + content[place + 1 :])
        try:
            restore(archive, back, lambda *_: None, to_stay=False)
        except InvalidInput:
            assert not back.exists()
        else:
            assert files_in(back) == whole
            shutil.rmtree(back)


def test_a_memory_that_the_disk_tore_in_the_backup_alone_is_noticed(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It unpacks, and its checksums are right: what was read for it was not."""
    whole = backup_schedule.restore

    def torn(archive: Path, folder: Path, *args: object, **more: object) -> object:
        made = whole(archive, folder, *args, **more)  # type: ignore[arg-type]
        next((folder / "atoms").rglob("*.md")).write_bytes(b"---\nhalf")
        return made

    monkeypatch.setattr(backup_schedule, "restore", torn)
    with pytest.raises(Corrupt, match="not kept"):
        keep_one(root, Schedule(tmp_path / "kept", "day", 1), NOON)
    assert names(tmp_path / "kept") == []


def test_what_is_forgotten_meanwhile_makes_it_anew(root: Path, tmp_path: Path) -> None:
    written: list[int] = []

    def forgetting(step: str, done: int, of: int) -> None:
        if step != "backing up" or done != of:
            return
        written.append(done)
        if len(written) == 1:
            (root / "journal" / "forgotten.jsonl").write_text(json.dumps({"schema": 1, "salt": "00" * 32}) + "\n")

    keep_one(root, Schedule(tmp_path / "kept", "day", 1), NOON, forgetting)
    assert len(written) == 2


def test_a_sealed_one_shows_nothing_and_opens_with_its_passphrase_alone(root: Path, tmp_path: Path) -> None:
    kept = keep_one(root, Schedule(tmp_path / "kept", "day", 3, "correct horse"), NOON)
    assert kept.file.name.endswith(".sealed")
    for passphrase, said in ((None, "is encrypted"), ("wrong", "another passphrase")):
        with pytest.raises(InvalidInput, match=said):
            restore(kept.file, tmp_path / "back", lambda *_: None, passphrase=passphrase)
        assert not (tmp_path / "back").exists()
    restore(kept.file, tmp_path / "back", lambda *_: None, passphrase="correct horse")
    assert contents(tmp_path / "back") == contents(root)


def test_where_the_passphrase_is_lost_none_is_made_in_plain_and_none_goes(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    keep_one(root, Schedule(folder, "day", 1, "correct horse"), NOON)
    before = sorted(folder.iterdir())
    with pytest.raises(InvalidInput, match=r"no passphrase is set now.*another folder"):
        keep_one(root, Schedule(folder, "day", 1), NOON + timedelta(days=1))
    assert sorted(folder.iterdir()) == before
    anew = keep_one(root, Schedule(folder, "day", 1, "battery staple"), NOON + timedelta(days=2))
    assert (sorted(folder.iterdir()), anew.removed) == ([anew.file], tuple(before))
    restore(anew.file, tmp_path / "back", lambda *_: None, passphrase="battery staple")


@pytest.mark.parametrize("content", ["", "\n", "  \r\n"])
def test_a_file_of_the_passphrase_with_nothing_in_it_makes_no_plain_backup(shell: Shell, tmp_path: Path, content: str) -> None:
    (tmp_path / "secret").write_text(content)
    shell.set("LATTICE_BACKUP_PASSPHRASE_FILE", str(tmp_path / "secret"))
    said = shell.lattice("backup", "one.tar.gz")
    assert (said.code, "it is empty" in said.err) == (1, True)
    assert not (tmp_path / "one.tar.gz").exists()


@pytest.mark.slow
def test_a_sealed_one_that_was_cut_off_is_said_to_be_and_leaves_nothing(root: Path, tmp_path: Path) -> None:
    kept = keep_one(root, Schedule(tmp_path / "kept", "day", 3, "correct horse"), NOON)
    kept.file.write_bytes(kept.file.read_bytes()[:-10])
    with pytest.raises(InvalidInput, match="cut off"):
        restore(kept.file, tmp_path / "back", lambda *_: None, passphrase="correct horse")
    assert not (tmp_path / "back").exists()


def test_the_running_product_keeps_to_the_schedule(tmp_path: Path) -> None:
    settings = {"backup_every": "day", "backup_keep": 2, "backup_dir": tmp_path / "kept", "backup_passphrase": "correct horse"}
    with started(tmp_path / "data", **settings) as store:
        say(store, "The spare key is with Ines.")
        until("a backup", lambda: bool(made_so_far(tmp_path / "kept")))
        until("its trial", lambda: not [name for name in names(tmp_path / "kept") if name.startswith(".")])
        assert store.lacking() == ()
    [(_, file)] = made_so_far(tmp_path / "kept")
    assert file.name.endswith(".sealed")


def test_before_anything_is_told_none_is_due_and_none_is_missing(root: Path, tmp_path: Path) -> None:
    """A try would fail, and the next one come an hour later."""
    empty = tmp_path / "empty"
    empty.mkdir()
    keeper = BackupKeeper(empty, Schedule(tmp_path / "kept", "day", 2), FixedClock(NOON))
    keeper.look()
    assert keeper.lacking() == ()
    shutil.copytree(root, empty, dirs_exist_ok=True)
    keeper.look()
    until("a backup", lambda: bool(made_so_far(tmp_path / "kept")))
    keeper.close()


def test_where_none_can_be_made_the_status_says_why_and_it_is_tried_again_later(root: Path, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("a file, and no folder")
    seconds = [0.0]
    clock = FixedClock(NOON)
    keeper = BackupKeeper(root, Schedule(tmp_path / "kept", "day", 2), clock, lambda: seconds[0])
    keeper.look()
    until("its failure", lambda: bool(keeper.lacking()))
    assert "kept" in keeper.lacking()[0]
    (tmp_path / "kept").unlink()
    keeper.look()
    assert not (tmp_path / "kept").exists(), "it is not tried in a hurry"
    seconds[0] = AGAIN_SECONDS

    def is_well() -> bool:
        keeper.look()  # as the writer does again and again: the first may still find the thread that failed
        return not keeper.lacking()

    until("another try", is_well)
    keeper.close()
    assert len(made_so_far(tmp_path / "kept")) == 1


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_by_hand_and_from_cron(shell: Shell, tmp_path: Path) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        said = shell.lattice("backup", "--every", "day", "--keep", "2", str(tmp_path / "kept"))
        assert (said.code, "restored them from it" in said.out) == (0, True)
        assert "none was made" in shell.lattice("backup", "--every", "day", str(tmp_path / "kept")).out
        assert json.loads(shell.lattice("backup", "--every", "day", str(tmp_path / "kept"), "--json").out) == {"made": None}
        shell.set("LATTICE_BACKUP_DIR", str(tmp_path / "elsewhere"))
        made = json.loads(shell.lattice("backup", "--every", "week", "--json").out)["made"]
        assert (made["atoms"], made["restored"]) == (1, True)
        assert Path(made["file"]).parent == tmp_path / "elsewhere"
        assert shell.lattice("backup", "--every", "fortnight").code == 2
        assert shell.lattice("backup", "--every", "day", str(shell.data_dir / "inside")).code == 1


def test_with_a_passphrase_set_a_backup_is_sealed_and_comes_back(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("correct horse\n")
    shell.set("LATTICE_BACKUP_PASSPHRASE_FILE", str(tmp_path / "secret"))
    with running(shell):
        shell.lc("The spare key is with Ines.")
        assert "encrypted" in shell.lattice("backup", "one.sealed").out
    assert b"Ines" not in (tmp_path / "one.sealed").read_bytes()
    shell.data_dir.rename(tmp_path / "data.old")
    assert shell.lattice("restore", "one.sealed").code == 0
    assert contents(shell.data_dir) == ["The spare key is with Ines."]


def test_without_its_passphrase_a_sealed_one_is_not_restored(shell: Shell, tmp_path: Path) -> None:
    with running(shell):
        shell.lc("The spare key is with Ines.")
        said = shell.lattice("backup", "--encrypt", "one.sealed")
        assert (said.code, "nobody to ask" in said.err) == (1, True)
        shell.set("LATTICE_BACKUP_PASSPHRASE", "correct horse")
        shell.lattice("backup", "one.sealed")
    shell.data_dir.rename(tmp_path / "data.old")
    shell.set("LATTICE_BACKUP_PASSPHRASE", "wrong")
    said = shell.lattice("restore", "one.sealed")
    assert (said.code, "another passphrase" in said.err) == (1, True)
    assert not shell.data_dir.exists()
