"""Whatever goes wrong beside it, nothing stays at work for ever: it is tried again, and shown."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.writer_queue import WriterQueue
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.reading import Reading, ReadResult
from lattice_common.errors import Unavailable
from lattice_common.ingest.pace import Pace
from lattice_common.ports.embedder import Vectors

from tests.data import documents as made
from tests.pipeline.living import AT_ONCE, finished, send, send_file, started
from tests.working import until


class PanicException(BaseException):
    """As an engine written in Rust raises it."""


@pytest.fixture
def idle_reader() -> Iterator[SandboxedReader]:
    reader = SandboxedReader(Limits(), idle_seconds=0.2)
    yield reader
    reader.close()


def pdf(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(made.pdf(made.lines(f"Mara lives in Lisbon, says {name}.")))
    return path


def test_a_file_is_read_though_all_processes_that_read_have_ended_for_want_of_work(
    tmp_path: Path, idle_reader: SandboxedReader
) -> None:
    paths = [pdf(tmp_path, f"{number}.pdf") for number in range(4)]
    beside = [threading.Thread(target=idle_reader.read, args=(path, path.name)) for path in paths]
    for each in beside:
        each.start()
    for each in beside:
        each.join()
    assert len(idle_reader.kept) >= 2
    until("all of them to have ended", lambda: all(process.poll() is not None for process in idle_reader.kept))
    assert isinstance(idle_reader.read(paths[0], "again.pdf"), Reading)


def test_what_reads_a_file_ends_with_the_store_and_the_next_start_reads_it(tmp_path: Path, idle_reader: SandboxedReader) -> None:
    reader = SandboxedReader(Limits())
    with started(tmp_path / "store", reader=reader, pace=AT_ONCE) as store:
        first = pdf(tmp_path, "first.pdf")
        assert finished(store, send_file(store, first.name, first.read_bytes())).state == "stored"
        (process,) = reader.kept
        os.kill(process.pid, signal.SIGSTOP)  # so the next one is being read for as long as it lives
        second = pdf(tmp_path, "second.pdf")
        held = send_file(store, second.name, second.read_bytes())
        until("it to be lent", lambda: not reader.kept)
    until("it to have ended", lambda: process.returncode is not None)
    with started(tmp_path / "store", reader=idle_reader, pace=AT_ONCE) as store:
        assert finished(store, held).state == "stored"


def test_where_no_process_can_be_started_nothing_is_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_args: object, **_options: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    made_here = []
    pairs = socket.socketpair
    monkeypatch.setattr(socket, "socketpair", lambda: made_here.append(pairs()) or made_here[-1])
    monkeypatch.setattr(subprocess, "Popen", refused)
    path = pdf(tmp_path, "a.pdf")
    with pytest.raises(Unavailable, match="cannot be started"):
        SandboxedReader(Limits()).read(path, path.name)
    assert made_here
    assert all(end.fileno() == -1 for pair in made_here for end in pair)


class Gated:
    """Reads nothing before `open` is set; what is called `away…` is away at its first try, `broken…` panics there."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.read_so_far: list[str] = []

    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> ReadResult:
        assert self.open.wait(60)
        first = name not in self.read_so_far
        self.read_so_far.append(name)
        if first and name.startswith("away"):
            raise Unavailable("the reader is away")
        if first and name.startswith("broken"):
            raise PanicException
        return Reading("plain", path.read_text())


class Held(HashedEmbedder):
    """Holds the writer at the first thing it embeds."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go_on = threading.Event(), threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.reached.set()
        assert self.go_on.wait(60)
        return super().embed(texts)


def test_files_of_one_batch_are_all_read_though_the_reader_was_away_for_one_of_them(tmp_path: Path) -> None:
    reader, embedder = Gated(), Held()
    with started(tmp_path, reader=reader, embedder=embedder, pace=AT_ONCE) as store:
        names = ["away.txt", "b.txt", "c.txt"]
        ids = [send_file(store, name, f"Mara lives in {name}.".encode(), priority="bulk") for name in names]
        until("the files to be begun", lambda: all(store.lattice.capture(each).state == "working" for each in ids))
        hold = send(store, IngestRequest(text="The spare key is with Ines."))
        assert embedder.reached.wait(60)
        reader.open.set()
        until("all to have been read once", lambda: len(reader.read_so_far) == 3)
        embedder.go_on.set()
        assert {finished(store, each).state for each in (hold, *ids)} == {"stored"}


def test_a_reader_that_panics_stops_no_other_file(tmp_path: Path) -> None:
    reader = Gated()
    reader.open.set()
    with started(tmp_path, reader=reader, pace=AT_ONCE) as store:
        names = ["broken 1.txt", "broken 2.txt", "c.txt"]
        ids = [send_file(store, name, f"Mara lives in {name}.".encode()) for name in names]
        assert {finished(store, each).state for each in ids} == {"stored"}


def test_what_waits_nowhere_and_is_in_nobodys_hands_is_found_by_the_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WriterQueue, "resume", lambda *_: None)  # what a defect would do: nobody hears of what was read
    reader = Gated()
    with started(tmp_path, reader=reader, pace=Pace(sweep_seconds=0.1)) as store:
        lost = send_file(store, "note.txt", b"Mara lives in Lisbon.")
        until("it to be begun", lambda: store.writer.state().turns >= 1)
        reader.open.set()
        assert finished(store, lost).state == "stored"


def test_a_file_that_makes_no_progress_for_a_minute_is_shown_until_it_is_read(tmp_path: Path) -> None:
    reader = Gated()
    with started(tmp_path, reader=reader, pace=Pace(slow_seconds=0.0)) as store:

        def shown() -> bool:
            return any(each.startswith("files: 1 ") for each in store.lattice.status().degraded)

        slow = send_file(store, "note.txt", b"Mara lives in Lisbon.")
        until("it to be shown", shown)
        reader.open.set()
        assert finished(store, slow).state == "stored"
        until("it to be shown no more", lambda: not shown())


def test_a_panic_ends_the_writer_and_is_said(tmp_path: Path) -> None:
    class Panicking(HashedEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            raise PanicException

    told = threading.Event()
    with started(tmp_path, embedder=Panicking(), pace=AT_ONCE) as store:
        store.when_broken(told.set)
        send(store, IngestRequest(text="The spare key is with Ines."))
        assert told.wait(60)
        assert store.writer.join(60)
        ready = store.lattice.readiness()
        assert not ready.ready
        assert "it broke" in ready.parts["writer"]
        assert "it broke" in (store.trouble() or "")
        assert not store.lattice.accept(IngestRequest(text="The bins go out on Tuesday.")).status.queued
    with started(tmp_path) as store:
        until("both to be remembered", lambda: store.stores.catalogue.count() == 2)


def test_no_memory_left_makes_nothing_dead(tmp_path: Path) -> None:
    class Short(HashedEmbedder):
        failures = 0

        def embed(self, texts: Sequence[str]) -> Vectors:
            if self.failures < 10:
                self.failures += 1
                raise MemoryError
            return super().embed(texts)

    with started(tmp_path, embedder=Short(), pace=AT_ONCE) as store:
        receipt = finished(store, send(store, IngestRequest(text="The spare key is with Ines.")))
        assert (receipt.state, receipt.attempts) == ("stored", 1)
