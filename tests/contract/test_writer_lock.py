"""The contract of `ports.writer_lock`, on every adapter, and what only files can show."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.files.writer_lock import EPOCH_NAME, LOCK_NAME, FileWriterLock, HeldAgainstWriters
from lattice_common.adapters.memory.writer_lock import MemoryLockFile, MemoryWriterLock
from lattice_common.errors import Conflict, Corrupt, NotConfigured
from lattice_common.ports.writer_lock import WriterLock

Acquire = Callable[[], WriterLock]


@pytest.fixture(params=["files", "memory"])
def acquire(request: pytest.FixtureRequest, tmp_path: Path) -> Acquire:
    file = MemoryLockFile()
    makers: dict[str, Acquire] = {
        "files": lambda: FileWriterLock.acquire(tmp_path),
        "memory": lambda: MemoryWriterLock.acquire(file),
    }
    return makers[request.param]


def test_there_is_one_writer_at_a_time(acquire: Acquire) -> None:
    held = acquire()
    with pytest.raises(Conflict):
        acquire()
    held.check()
    held.release()
    acquire().check()


def test_each_holder_has_a_larger_epoch(acquire: Acquire) -> None:
    epochs = []
    for _ in range(3):
        lock = acquire()
        epochs.append(lock.epoch)
        lock.release()
    assert epochs == sorted(set(epochs))
    assert epochs[0] >= 1


def test_a_holder_may_go_on_with_a_larger_epoch_and_those_after_it_have_larger_ones(acquire: Acquire) -> None:
    lock = acquire()
    lock.raise_above(40)
    assert lock.epoch == 41
    lock.raise_above(7)
    assert lock.epoch == 41, "never a smaller one"
    lock.check()
    lock.release()
    with pytest.raises(Conflict):
        lock.raise_above(90)
    assert acquire().epoch == 42


def test_a_released_lock_refuses_to_commit(acquire: Acquire) -> None:
    lock = acquire()
    lock.release()
    lock.release()
    with pytest.raises(Conflict):
        lock.check()


def test_the_refused_are_told_who_holds_it(tmp_path: Path) -> None:
    held = FileWriterLock.acquire(tmp_path)
    with pytest.raises(Conflict, match=f"pid {os.getpid()} .*epoch {held.epoch}"):
        FileWriterLock.acquire(tmp_path)


def test_a_writer_whose_lock_file_was_deleted_refuses_to_commit(tmp_path: Path) -> None:
    lock = FileWriterLock.acquire(tmp_path)
    (tmp_path / LOCK_NAME).unlink()
    with pytest.raises(Conflict, match="replaced"):
        lock.check()


def test_a_writer_whose_lock_file_was_made_anew_is_fenced_off_by_its_successor(tmp_path: Path) -> None:
    first = FileWriterLock.acquire(tmp_path)
    (tmp_path / LOCK_NAME).unlink()
    second = FileWriterLock.acquire(tmp_path)
    second.check()
    with pytest.raises(Conflict):
        first.check()


def test_a_writer_with_an_old_epoch_refuses_to_commit(tmp_path: Path) -> None:
    """As after a network mount that let two hosts lock: the inode is the same, the epoch is not."""
    lock = FileWriterLock.acquire(tmp_path)
    (tmp_path / EPOCH_NAME).write_text(f"{lock.epoch + 1}\n")
    with pytest.raises(Conflict, match="another writer took over"):
        lock.check()


def test_an_unreadable_epoch_is_an_error_and_leaves_the_lock_free(tmp_path: Path) -> None:
    (tmp_path / EPOCH_NAME).write_text("what?")
    with pytest.raises(Corrupt):
        FileWriterLock.acquire(tmp_path)
    (tmp_path / EPOCH_NAME).write_text("41\n")
    assert FileWriterLock.acquire(tmp_path).epoch == 42


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("elsewhere")], ids=["pipe", "folder", "link"])
def test_what_is_no_regular_file_is_neither_locked_nor_waited_for(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / LOCK_NAME)
    for lock in (FileWriterLock.acquire, HeldAgainstWriters):
        with pytest.raises(Corrupt, match="no regular file"):
            lock(tmp_path)


def test_a_file_system_whose_locks_do_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fcntl.flock", lambda descriptor, operation: None)
    with pytest.raises(NotConfigured, match="file locks do not work"):
        FileWriterLock.acquire(tmp_path)


HOLDER = """
import os, sys, time
from pathlib import Path
from lattice_common.adapters.files.writer_lock import FileWriterLock
lock = FileWriterLock.acquire(Path(sys.argv[1]))
child = os.fork() if sys.argv[2] == "fork" else 0
if child or sys.argv[2] != "fork":
    print(child, flush=True)
sys.stdin.read()
"""


def hold(root: Path, how: str) -> tuple[subprocess.Popen[str], int]:
    """A process that holds the lock until its input ends, and the pid of its forked child (0: none)."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(root), how], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    return holder, int(holder.stdout.readline())


def end(holder: subprocess.Popen[str]) -> None:
    holder.kill()
    assert holder.stdin is not None
    assert holder.stdout is not None
    holder.stdin.close()
    holder.stdout.read()  # until all that inherited it are gone
    holder.stdout.close()
    holder.wait()


def test_another_process_is_refused_until_the_holder_was_killed(tmp_path: Path) -> None:
    holder, _ = hold(tmp_path, "alone")
    with pytest.raises(Conflict, match=f"pid {holder.pid}"):
        FileWriterLock.acquire(tmp_path)
    end(holder)
    assert FileWriterLock.acquire(tmp_path).epoch == 2


def test_of_ten_processes_that_start_at_once_one_gets_it_and_keeps_it_though_it_is_stopped(tmp_path: Path) -> None:
    """docs/guarantees.md, G11. A stopped process is no dead one: it may go on at any moment."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path), "alone"]
    started = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for _ in range(10)
    ]
    try:
        said = [process.stdout.readline() for process in started if process.stdout]
        [holder] = [process for process, line in zip(started, said, strict=True) if line]
        assert sorted(process.wait() for process in started if process is not holder) == [1] * 9
        holder.send_signal(signal.SIGSTOP)
        with pytest.raises(Conflict, match=f"pid {holder.pid} "):
            FileWriterLock.acquire(tmp_path)
    finally:
        for process in started:
            end(process)
    assert FileWriterLock.acquire(tmp_path).epoch == 2


def test_an_orphan_of_a_killed_writer_still_holds_the_lock(tmp_path: Path) -> None:
    holder, child = hold(tmp_path, "fork")
    holder.kill()
    holder.wait()
    with pytest.raises(Conflict):
        FileWriterLock.acquire(tmp_path)
    os.kill(child, signal.SIGKILL)
    end(holder)
    FileWriterLock.acquire(tmp_path).check()


def test_a_child_that_goes_on_in_place_of_another_has_an_epoch_of_its_own(tmp_path: Path) -> None:
    lock = FileWriterLock.acquire(tmp_path)
    before = lock.epoch
    lock.renew()
    assert lock.epoch == before + 1
    lock.check()
    with pytest.raises(Conflict, match=f"pid {os.getpid()} .*epoch {lock.epoch}"):
        FileWriterLock.acquire(tmp_path)
    lock.release()
    assert FileWriterLock.acquire(tmp_path).epoch == before + 2


CHILDREN = """
import os, signal, sys
from pathlib import Path
from lattice_common.adapters.files.writer_lock import FileWriterLock
from lattice_common.errors import Conflict
lock = FileWriterLock.acquire(Path(sys.argv[1]))
said, says = os.pipe()
first = os.fork()
if first == 0:  # the writer, which is about to commit when it is stopped
    lock.renew()
    os.write(says, b"%d " % lock.epoch)
    os.kill(os.getpid(), signal.SIGSTOP)
    try:
        lock.check()
        os.write(says, b"committed ")
    except Conflict:
        os.write(says, b"refused ")
    os._exit(0)
os.waitpid(first, os.WUNTRACED)
second = os.fork()
if second == 0:  # the one that was started in its place
    lock.renew()
    lock.check()
    os.write(says, b"%d " % lock.epoch)
    os._exit(0)
os.waitpid(second, 0)
os.kill(first, signal.SIGCONT)
os.waitpid(first, 0)
print(os.read(said, 100).decode())
"""


def test_a_child_that_was_given_up_cannot_commit_once_another_is_in_its_place(tmp_path: Path) -> None:
    """docs/guarantees.md, G11: as after a pool gave up on a child that hung, and which wakes up again."""
    done = subprocess.run([sys.executable, "-c", CHILDREN, str(tmp_path)], capture_output=True, text=True, check=True, timeout=60)
    first, second, outcome = done.stdout.split()
    assert (int(second), outcome) == (int(first) + 1, "refused")


def test_a_lock_that_was_lost_is_not_renewed(tmp_path: Path) -> None:
    lock = FileWriterLock.acquire(tmp_path)
    (tmp_path / LOCK_NAME).unlink()
    other = FileWriterLock.acquire(tmp_path)
    with pytest.raises(Conflict, match="replaced"):
        lock.renew()
    other.check()
    lock.release()
    with pytest.raises(Conflict):
        lock.renew()
