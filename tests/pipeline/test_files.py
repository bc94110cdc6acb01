"""Files on their way through ingest: read beside the writer, kept with what they say, seen part by part, refused in words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.domain.capture import Capture, Place
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.errors import InvalidInput, NotFound, Unavailable

from tests.pipeline.living import AT_ONCE, PATIENCE, atoms_of, finished, open_store, say, send_file, started


class Script:
    """A reader that gives what a test wrote for a name, and may be made to wait, to fail, or to tell of pages."""

    def __init__(self, results: dict[str, ReadResult | Exception]) -> None:
        self.results = results
        self.go_on = threading.Event()
        self.go_on.set()
        self.begun: list[str] = []
        self.at_once = 0
        self.most_at_once = 0
        self._lock = threading.Lock()

    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _d, _t: None) -> ReadResult:
        assert path.read_bytes() == b"the bytes"
        with self._lock:
            self.begun.append(name)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        on_progress(1, 300)
        assert self.go_on.wait(PATIENCE)
        with self._lock:
            self.at_once -= 1
        result = self.results[name]
        if isinstance(result, Exception):
            raise result
        return result


def pages(*texts: str) -> Reading:
    text, places = "", []
    for number, page in enumerate(texts, start=1):
        start = len(text)
        text += page + "\n\n"
        places.append(Place(start, len(text), f"page {number}"))
    return Reading("pdf", text, tuple(places), ("partial:2 of 3 pages",), "The lease")


LEASE = pages("The rent of flat 12 is 900 euros a month.", "The deposit of flat 12 is 2,700 euros.")


def test_the_writer_sleeps_while_a_file_is_read(tmp_path: Path) -> None:
    """It would take the processor from the reading, and from whoever asks meanwhile."""
    script = Script({"lease.pdf": LEASE})
    script.go_on.clear()
    with started(tmp_path, reader=script) as store:
        sent = send_file(store, "lease.pdf")
        assert wait_for(lambda: script.begun == ["lease.pdf"])
        turns = store.writer.state().turns
        assert not wait_for(lambda: store.writer.state().turns > turns + 3, 0.3)
        script.go_on.set()
        assert finished(store, sent).state == "stored"


def wait_for(done: Callable[[], bool], patience: float = PATIENCE) -> bool:
    """Whether it came about in time."""
    deadline = time.monotonic() + patience
    while not done() and time.monotonic() < deadline:
        time.sleep(0.01)
    return done()


def test_a_document_is_remembered_with_its_pages(tmp_path: Path) -> None:
    with started(tmp_path, reader=Script({"lease.pdf": LEASE})) as store:
        receipt = finished(store, capture_id := send_file(store, "lease.pdf"))
        assert receipt.state == "stored"
        assert receipt.notes == ("partial:2 of 3 pages",)
        atoms = sorted(atoms_of(store).values(), key=lambda atom: atom.source_span.start)
        assert [atom.kind for atom in atoms].count("document") == 1, "one memory stands for the document"
        atoms = [atom for atom in atoms if atom.kind != "document"]
        assert [atom.metadata["place"] for atom in atoms] == ["page 1", "page 2"]
        assert {(atom.source, atom.trust, atom.source_type) for atom in atoms} == {("document", "document", "pdf")}
        view = store.lattice.atom(atoms[1].atom_id)
        assert view.source is not None
        assert (view.source.original, view.source.place) == ("lease.pdf", "page 2")
        assert view.source.text[view.source.start : view.source.end] == atoms[1].source_quote
        original, path = store.lattice.original(capture_id)
        assert (original.name, path.read_bytes()) == ("lease.pdf", b"the bytes")


def test_what_a_file_cannot_tell_is_refused_in_a_sentence(tmp_path: Path) -> None:
    sentence = "It needs a password. Save it without one, and give it again."
    with started(tmp_path, reader=Script({"locked.pdf": Unreadable("encrypted", sentence)})) as store:
        receipt = finished(store, send_file(store, "locked.pdf"))
        assert (receipt.state, receipt.reason, receipt.notes) == ("rejected", sentence, ("unreadable:encrypted",))
        assert receipt.attempts == 1


def test_a_reader_that_fails_counts_attempts_like_all_else(tmp_path: Path) -> None:
    with started(tmp_path, reader=Script({"poison.pdf": RuntimeError("a defect"), "lease.pdf": LEASE})) as store:
        poison, sound = send_file(store, "poison.pdf"), send_file(store, "lease.pdf")
        assert finished(store, sound).state == "stored"
        dead = finished(store, poison)
        assert (dead.state, dead.attempts) == ("dead", 3)


def test_a_reader_that_is_away_makes_the_writer_wait_and_nothing_dead(tmp_path: Path) -> None:
    reader = Script({"lease.pdf": Unavailable("no process can be started")})
    with started(tmp_path, reader=reader, pace=AT_ONCE) as store:
        capture_id = send_file(store, "lease.pdf")
        for _ in range(8):
            say(store, "ok")
        reader.results["lease.pdf"] = LEASE
        receipt = finished(store, capture_id)
        assert (receipt.state, receipt.attempts) == ("stored", 1)


@pytest.mark.parametrize("priority", ["interactive", "bulk"])
def test_nobody_waits_for_a_file_that_is_being_read(tmp_path: Path, priority: str) -> None:
    reader = Script({f"{n}.pdf": pages(f"Flat {n} has {n + 2} rooms and a cellar.") for n in range(5)})
    reader.go_on.clear()
    with started(tmp_path, reader=reader) as store:
        files = [send_file(store, f"{n}.pdf", priority=priority) for n in range(5)]
        assert say(store, "My sister lives in Turin.").state == "stored"
        assert store.lattice.progress(files[0], None, PATIENCE) is not None
        assert all(store.lattice.capture(capture_id).receipt is None for capture_id in files)
        reader.go_on.set()
        assert {finished(store, capture_id).state for capture_id in files} == {"stored"}
        assert reader.most_at_once <= 2
        assert len(atoms_of(store)) == 1 + 2 * 5, "a fact of each file, and a memory that stands for it"


def test_pages_that_are_read_are_told(tmp_path: Path) -> None:
    reader = Script({"lease.pdf": LEASE})
    reader.go_on.clear()
    with started(tmp_path, reader=reader) as store:
        capture_id = send_file(store, "lease.pdf")
        seen = store.lattice.progress(capture_id, None, PATIENCE)
        while seen is not None and seen.total != 300:
            seen = store.lattice.progress(capture_id, seen, PATIENCE)
        assert seen is not None
        assert (seen.stage, seen.done, seen.total) == ("read", 1, 300)
        reader.go_on.set()
        finished(store, capture_id)


def test_the_first_pages_of_a_long_document_are_there_before_its_last(tmp_path: Path) -> None:
    long = pages(*(f"Flat {n} is let to tenant number {n} for {n + 300} euros a month. " * 40 for n in range(60)))
    visible: list[int] = []
    with open_store(tmp_path, reader=Script({"long.pdf": long})) as store:

        def look(step: str) -> None:
            if step == "durable.write.done" and threading.current_thread().name == "lattice-writer":
                status = store.lattice.captures(state=None, limit=1, cursor=None)[0]
                if status and status[0].receipt is None:
                    visible.append(store.stores.catalogue.count())

        durable.set_failpoint(look)
        try:
            capture_id = send_file(store, "long.pdf")
            store.start()
            assert finished(store, capture_id).state == "stored"
        finally:
            durable.set_failpoint(None)
        assert any(0 < seen < store.stores.catalogue.count() for seen in visible)


def test_a_start_after_a_crash_goes_on_with_what_was_read(tmp_path: Path) -> None:
    reader = Script({"lease.pdf": LEASE})
    with open_store(tmp_path, reader=reader) as store:
        capture_id = send_file(store, "lease.pdf")
        store.stores.worklog.write_reading(capture_id, LEASE)
    with started(tmp_path, reader=reader) as store:
        assert finished(store, capture_id).state == "stored"
    assert reader.begun == []


def test_a_stop_does_not_wait_for_a_reading_and_the_next_start_begins_it_anew(tmp_path: Path) -> None:
    reader = Script({"lease.pdf": LEASE})
    reader.go_on.clear()
    with started(tmp_path, reader=reader) as store:
        capture_id = send_file(store, "lease.pdf")
        say(store, "My sister lives in Turin.")
    again = Script({"lease.pdf": LEASE})
    with started(tmp_path, reader=again) as store:
        assert finished(store, capture_id).state == "stored"
    reader.go_on.set()


@pytest.mark.parametrize(
    ("name", "content", "request_", "text_files", "whose"),
    [
        ("notes.md", b"# Home\n\nI live in Lisbon.", {}, None, ("document", "document")),
        ("notes.md", b"# Home\n\nI live in Lisbon.", {}, "notes", ("user", "user")),
        ("notes.txt", b"I live in Lisbon.", {}, "notes", ("user", "user")),
        ("notes.txt", b"I live in Lisbon.", {}, "documents", ("document", "document")),
        ("notes.txt", b"I live in Lisbon.", {"source": "document"}, "notes", ("document", "document")),
        ("notes.txt", b"I live in Lisbon.", {"source": "user"}, "documents", ("user", "user")),
        ("clip.md", b"---\nurl: https://example.org\n---\nTom lives in Lisbon.", {}, "notes", ("document", "web")),
        ("notes.log", b"Tom lives in Lisbon.", {}, "notes", ("document", "document")),
    ],
)
def test_text_is_the_owners_unless_something_says_otherwise(
    tmp_path: Path, name: str, content: bytes, request_: dict[str, str], text_files: str | None, whose: tuple[str, str]
) -> None:
    with started(tmp_path, **({"text_files": text_files} if text_files else {})) as store:
        finished(store, send_file(store, name, content, **request_))
        assert {(atom.source, atom.trust) for atom in atoms_of(store).values()} == {whose}


def test_the_same_file_with_the_same_key_is_kept_once(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        first = send_file(store, "a.txt", b"I live in Lisbon.", key="k")
        assert send_file(store, "a.txt", b"I live in Lisbon.", key="k") == first
        with pytest.raises(Exception, match=first):
            send_file(store, "a.txt", b"I live in Porto.", key="k")
        finished(store, first)
        assert not list((tmp_path / "journal" / "spool").iterdir())


def test_a_file_beyond_the_limit_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    with started(tmp_path, max_file_bytes=1000) as store:
        with pytest.raises(InvalidInput, match="LATTICE_MAX_FILE_BYTES") as refused:
            send_file(store, "a.txt", b"a" * 1001)
        assert refused.value.status == 413
        assert not list((tmp_path / "journal" / "spool").iterdir())
        assert store.lattice.captures(state=None, limit=10, cursor=None)[0] == []
        assert finished(store, send_file(store, "b.txt", b"I live in Lisbon. " * 55)).state == "stored"


def test_an_empty_file_is_kept_with_a_note(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        receipt = finished(store, send_file(store, "empty.txt", b""))
        assert (receipt.state, receipt.atoms_new, receipt.notes) == ("stored", 0, ("empty",))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../etc/passwd", "passwd"),
        ("..\\..\\boot.ini", "boot.ini"),
        ("C:\\x", "x"),
        ("/absolute/lease.pdf", "lease.pdf"),
        ("a\x00b\nc.txt", "a\ufffdb\ufffdc.txt"),
        ("-rf", "-rf"),
        (".hidden", ".hidden"),
        ("", "file without a name"),
        ("x" * 4096, "x" * 100 + "…" + "x" * 100),
        ("\u202egpj.exe", "\ufffdgpj.exe"),
    ],
)
def test_a_name_is_for_showing_only(tmp_path: Path, name: str, shown: str) -> None:
    with started(tmp_path) as store:
        capture_id = send_file(store, name, b"I live in Lisbon.", source="document")
        finished(store, capture_id)
        said = store.stores.worklog.read(capture_id)
        assert isinstance(said, Capture)
        assert said.original is not None
        assert said.original.name == shown
        assert store.lattice.original(capture_id)[1].parent.parent.parent.parent.name == "journal"


def test_what_did_not_come_as_a_file_has_no_original(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        receipt = say(store, "I live in Lisbon.")
        with pytest.raises(NotFound, match="did not come as a file"):
            store.lattice.original(receipt.capture_id)
        view = store.lattice.atom(receipt.atom_ids[0])
        assert view.source is not None
        assert (view.source.original, view.source.place) == (None, None)


@pytest.mark.parametrize("name", ["chat.txt", "chat.md"])
def test_what_an_assistant_says_in_a_conversation_kept_as_a_file_is_not_the_owners_word(tmp_path: Path, name: str) -> None:
    chat = b"You said:\nI adopted a cat called Mimi.\nChatGPT said:\nI recommend the book Cat Days.\n\nYou love cats.\n"
    with started(tmp_path, text_files="notes") as store:
        assert finished(store, send_file(store, name, chat)).state == "stored"
        whose = {atom.content: atom.trust for atom in atoms_of(store).values()}
    assert whose == {"I adopted a cat called Mimi.": "user", "I recommend the book Cat Days.": "assistant"}
