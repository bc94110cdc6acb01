"""The process that files are read in: its limits kill, it has no network, it writes nothing, and it takes nothing along (S13)."""

from __future__ import annotations

import contextlib
import os
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.files.reading_wire import progress_of, result_line, result_of
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import Place
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.errors import Unavailable

from tests.data import documents as made

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the filter of system calls is Linux's")
SLOW_PAGES = made.pdf(*[made.lines(*["Mara lives in Lisbon and Jonas in Porto."] * 60)] * 3000)
"""Seconds of work: every test that has it read ends it before."""


@pytest.fixture
def reader() -> Iterator[Callable[[Limits], SandboxedReader]]:
    opened: list[SandboxedReader] = []

    def open_reader(limits: Limits) -> SandboxedReader:
        opened.append(SandboxedReader(limits))
        return opened[-1]

    yield open_reader
    for each in opened:
        each.close()


Open = Callable[[Limits], SandboxedReader]


def put(folder: Path, content: bytes, name: str = "original") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def refused(found: ReadResult) -> Unreadable:
    assert isinstance(found, Unreadable), found
    return found


def children_of(pid: int) -> list[int]:
    """Processes whose parent it is."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                stat = (each / "stat").read_text()
            except OSError:
                continue  # it has ended meanwhile
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(int(each.name))
    return found


def reading_child(within: float = 20.0) -> int:
    """The process that reads a file now: a grandchild of this one."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        for host in children_of(os.getpid()):
            for child in children_of(host):
                if "Seccomp:\t2" in Path(f"/proc/{child}/status").read_text():
                    return child
    raise AssertionError("no confined process was seen")


def is_dead(process: Path, within: float = 10.0) -> bool:
    """Whether it has ended; one whose end nobody has asked for yet is a zombie."""
    until = time.monotonic() + within
    while time.monotonic() < until:
        try:
            if (process / "stat").read_text().rpartition(")")[2].split()[0] in "ZX":
                return True
        except OSError:
            return True
    return False


def confined(code: str) -> subprocess.CompletedProcess[str]:
    """What becomes of Python code in a process that is shut in like one that reads."""
    before = (
        "import os, sys, socket, subprocess, ctypes\n"
        "from lattice_common.adapters.files.confinement import limit, refuse_system_calls\n"
        "limit(memory_bytes=1 << 30, cpu_seconds=20, wall_seconds=60)\n"
        "assert refuse_system_calls()\n"
    )
    return subprocess.run([sys.executable, "-c", before + code], capture_output=True, text=True, timeout=60, check=False)


@LINUX
@pytest.mark.parametrize(
    "code",
    [
        "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
        "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
        "socket.socket(socket.AF_UNIX)",
        "socket.socketpair()",
        "socket.create_connection(('127.0.0.1', 9))",
        "os.execv('/bin/true', ['true'])",
        "os.fork()",
        "subprocess.run(['/bin/true'])",
        "open(os.path.join(os.getcwd(), 'made'), 'w')",
        "os.open('/dev/null', os.O_RDWR)",
        "os.unlink(__import__('sys').executable + '.no-such-thing')",
        "os.mkdir('made')",
        "os.rename('/etc/hostname', '/etc/hostname.moved')",
        "os.chmod('/', 0o777)",
        "os.kill(os.getppid(), 0)",
        "__import__('resource').setrlimit(__import__('resource').RLIMIT_CPU, (100, 100))",
    ],
)
def test_nothing_but_reading_is_allowed(code: str, tmp_path: Path) -> None:
    done = confined(f"os.chdir({str(tmp_path)!r})\n{code}\nprint('done')")
    assert "done" not in done.stdout
    assert "PermissionError" in done.stderr or "not allowed" in done.stderr
    assert list(tmp_path.iterdir()) == []


@LINUX
def test_threads_and_other_processes_cannot_be_looked_into_either() -> None:
    done = confined(
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "print(libc.ptrace(16, os.getppid(), 0, 0), ctypes.get_errno())\n"
        "print(libc.syscall(425, 8, 0), ctypes.get_errno())"  # io_uring_setup: it would open sockets past the filter
    )
    assert done.stdout.split() == ["-1", "1", "-1", "1"], done.stderr


@LINUX
def open_files(process: Path) -> list[str]:
    """Return what a process has open; it may close some of it meanwhile."""
    found = []
    for each in (process / "fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            found.append(str(each.readlink()))
    return found


def test_what_reads_a_file_is_confined_limited_and_has_none_of_our_environment(
    reader: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "canary-secret")
    sandboxed = reader(Limits(cpu_seconds=33, memory_bytes=700 << 20))
    path = put(tmp_path, SLOW_PAGES)
    outcome: list[object] = []

    def read() -> None:
        try:
            outcome.append(sandboxed.read(path, "book.pdf"))
        except Unavailable as error:
            outcome.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    child = Path(f"/proc/{reading_child()}")
    status, limits = (child / "status").read_text(), (child / "limits").read_text()
    environment = (child / "environ").read_bytes()
    files = open_files(child)
    folder = (child / "cwd").readlink()
    sandboxed.close()
    thread.join(20)
    assert "NoNewPrivs:\t1" in status
    words = {line[:25].strip(): line[25:].split()[0] for line in limits.splitlines()}
    assert words["Max cpu time"] == "33"
    assert words["Max address space"] == str(700 << 20)
    assert (words["Max file size"], words["Max core file size"], words["Max processes"]) == ("0", "0", "0")
    assert b"canary-secret" not in environment
    assert not any(file.startswith("socket:") for file in files)
    assert str(path) in files
    assert str(folder).endswith("(deleted)"), "it stands where nothing is, and nothing can be put"
    assert isinstance(outcome[0], Unavailable)
    assert is_dead(child)


def test_the_limit_of_processor_time_ends_a_reading(reader: Open, tmp_path: Path) -> None:
    content = made.many_operators(150_000)
    found = refused(reader(Limits(cpu_seconds=1, operations=10**9)).read(put(tmp_path, content), "a.pdf"))
    assert found.code == "too-large"
    assert "LATTICE_READ_SECONDS" in found.reason


def test_the_limit_of_wall_time_ends_a_reading(reader: Open, tmp_path: Path) -> None:
    content = made.many_operators(150_000)
    found = refused(reader(Limits(wall_seconds=0.7, operations=10**9)).read(put(tmp_path, content), "a.pdf"))
    assert found.code == "too-large"


def test_the_limit_of_memory_ends_a_reading(reader: Open, tmp_path: Path) -> None:
    page = b"<html><p>" + b"word " * 4_000_000
    found = refused(reader(Limits(memory_bytes=96 << 20)).read(put(tmp_path, page), "a.html"))
    assert found.code == "too-large"


def test_after_a_reading_was_ended_the_next_file_is_read(reader: Open, tmp_path: Path) -> None:
    sandboxed = reader(Limits(wall_seconds=0.7, operations=10**9))
    refused(sandboxed.read(put(tmp_path, made.many_operators(150_000)), "a.pdf"))
    found = sandboxed.read(put(tmp_path, made.PAGE.encode()), "a.html")
    assert isinstance(found, Reading)


@LINUX
def test_a_process_that_went_away_is_started_again(reader: Open, tmp_path: Path) -> None:
    sandboxed = reader(Limits())
    path = put(tmp_path, made.PAGE.encode())
    assert isinstance(sandboxed.read(path, "a.html"), Reading)
    (host,) = children_of(os.getpid())
    os.kill(host, 9)
    assert isinstance(sandboxed.read(path, "a.html"), Reading)


def test_a_file_is_read_beside_more_than_a_thousand_connections(reader: Open, tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(2048, hard)), hard))
    connections = [socket.socket() for _ in range(1100)]
    try:
        result = reader(Limits()).read(put(tmp_path, made.PAGE.encode()), "a.html")
    finally:
        for each in connections:
            each.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert isinstance(result, Reading)


def test_notes_start_no_process(reader: Open, tmp_path: Path) -> None:
    sandboxed = reader(Limits())
    before = children_of(os.getpid()) if sys.platform == "linux" else []
    for name in ("a.md", "a.txt", "a.py", "a.log"):
        assert isinstance(sandboxed.read(put(tmp_path, "Grüße aus Köln.\n".encode()), name), Reading)
    assert (children_of(os.getpid()) if sys.platform == "linux" else []) == before


def test_progress_comes_page_by_page(reader: Open, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = put(tmp_path, made.pdf(*[made.lines("Words.")] * 4))
    reader(Limits()).read(path, "a.pdf", lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


def test_row_47_links_pipes_folders_and_sockets_are_never_opened(reader: Open, tmp_path: Path) -> None:
    secret = put(tmp_path, b"secret words", "secret")
    (tmp_path / "link").symlink_to(secret)
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for name in ("link", "pipe", "folder", "socket"):
            assert refused(reader(Limits()).read(tmp_path / name, f"{name}.txt")).code == "unsupported"


def test_a_file_beyond_the_limit_is_refused_before_it_is_read(reader: Open, tmp_path: Path) -> None:
    found = refused(reader(Limits(file_bytes=1000)).read(put(tmp_path, b"w" * 1001), "a.txt"))
    assert found.code == "too-large"
    assert "LATTICE_MAX_FILE_BYTES" in found.reason


def test_files_are_read_at_the_same_time(reader: Open, tmp_path: Path) -> None:
    sandboxed = reader(Limits())
    path = put(tmp_path, made.PAGE.encode())
    found: list[ReadResult] = []
    threads = [threading.Thread(target=lambda: found.append(sandboxed.read(path, "a.html"))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(set(found)) == 1
    assert len(found) == 4


@LINUX
@pytest.mark.slow
def test_the_memory_of_who_asks_stays_flat(reader: Open, tmp_path: Path) -> None:
    sandboxed = reader(Limits(stream_bytes=5_000_000))
    latin = put(tmp_path, "Grüße aus Köln und Porto. ".encode("cp1252") * 40_000, "latin")
    bomb = put(tmp_path, made.flate_bomb(20_000_000), "bomb")

    def pages_after(times: int) -> int:
        for _ in range(times):
            assert isinstance(sandboxed.read(latin, "a.txt"), Reading)
            assert refused(sandboxed.read(bomb, "a.pdf")).code == "too-large"
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    warm = pages_after(2)
    assert pages_after(5) - warm < 4_000_000


def test_what_comes_back_is_believed_only_where_it_has_the_shape_of_a_reading() -> None:
    reading = Reading("pdf", "Grüße\n“x”", (Place(0, 3, "page 1"), Place(4, 9, "page 2")), ("javascript",), "T")
    assert result_of(result_line(reading), text_bytes=100) == reading
    assert result_of(result_line(reading), text_bytes=5) is None
    unreadable = Unreadable("broken", "It is damaged.")
    assert result_of(result_line(unreadable), text_bytes=100) == unreadable
    assert result_of(result_line(Unreadable("made-up", "x")), text_bytes=100) is None
    for places in ((Place(0, 30, "x"),), (Place(5, 3, "x"),), (Place(0, 4, "x"), Place(2, 5, "y"))):
        assert result_of(result_line(Reading("pdf", "123456789", places)), text_bytes=100) is None
    for line in (b"", b"{", b"[]", b'{"result": 3}', b'{"result": {"code": []}}', b'{"result": {"text": 1}}', b"\xff" * 50):
        assert result_of(line, text_bytes=100) is None
    assert progress_of(b'{"progress": [3, 300]}') == (3, 300)
    for line in (b'{"progress": [-1, 3]}', b'{"progress": ["a", 3]}', b'{"progress": 3}', b"{}", b"x"):
        assert progress_of(line) is None
