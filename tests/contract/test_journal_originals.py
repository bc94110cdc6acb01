"""What `ports.journal` promises about files: their bytes, and what a reader made of them; on every adapter."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.files.upload import FileUpload
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryJournal, MemoryUpload
from lattice_common.domain.capture import Capture, Original, Place
from lattice_common.domain.reading import Reading
from lattice_common.errors import Conflict, InvalidInput
from lattice_common.ports.journal import Upload, WorkLog

CLOCK = FixedClock()


@pytest.fixture(params=["files", "memory"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> WorkLog:
    makers: dict[str, Callable[[], WorkLog]] = {"files": lambda: FileJournal(tmp_path), "memory": MemoryJournal}
    return makers[request.param]()


def uploaded(journal: WorkLog, *chunks: bytes) -> Upload:
    upload = journal.upload()
    assert isinstance(upload, FileUpload | MemoryUpload)
    for chunk in chunks:
        upload.write(chunk)
    return upload


def file(upload: Upload, name: str = "Report.PDF", *, key: str | None = None, note: bool = False) -> Capture:
    original = Original(name, upload.size, upload.sha256(), note=note)
    capture = Capture(CLOCK.new_id(), CLOCK.now(), "", CLOCK.now(), source="document", trust="document", original=original)
    return replace(capture, idempotency_key=key, body_hash=original.sha256)


def test_a_file_is_kept_with_its_bytes(journal: WorkLog) -> None:
    upload = uploaded(journal, b"%PDF-1.7\n", b"\x00\xff")
    assert upload.size == 11
    assert upload.sha256() == hashlib.sha256(b"%PDF-1.7\n\x00\xff").hexdigest()
    capture = file(upload)
    assert journal.append(capture, upload) == (capture.capture_id, True)
    upload.close()
    assert journal.read(capture.capture_id) == capture
    path = journal.original_path(capture.capture_id)
    assert path is not None
    assert path.read_bytes() == b"%PDF-1.7\n\x00\xff"


def test_what_is_no_file_has_no_original(journal: WorkLog) -> None:
    entry_id, _ = journal.append(Capture(CLOCK.new_id(), CLOCK.now(), "I live in Lisbon.", CLOCK.now()))
    assert journal.original_path(entry_id) is None
    assert journal.original_path("01jd00000000000000000000zz") is None
    assert journal.original_path("../../etc/passwd") is None
    assert journal.read_reading(entry_id) is None


def test_bytes_and_an_original_come_together_or_not_at_all(journal: WorkLog) -> None:
    upload = uploaded(journal, b"a")
    with pytest.raises(InvalidInput):
        journal.append(file(upload))
    with pytest.raises(InvalidInput):
        journal.append(replace(file(upload), original=None), upload)
    assert journal.open_ids() == []


def test_a_file_sent_again_with_its_key_is_kept_once(journal: WorkLog) -> None:
    first, second, other = (uploaded(journal, content) for content in (b"a", b"a", b"b"))
    capture = file(first, key="k")
    assert journal.append(capture, first) == (capture.capture_id, True)
    assert journal.append(file(second, key="k"), second) == (capture.capture_id, False)
    with pytest.raises(Conflict, match=capture.capture_id):
        journal.append(file(other, key="k"), other)
    for upload in (first, second, other):
        upload.close()
    path = journal.original_path(capture.capture_id)
    assert path is not None
    assert path.read_bytes() == b"a"


def test_what_a_file_says_is_kept_once_and_for_all(journal: WorkLog) -> None:
    upload = uploaded(journal, b"a")
    entry_id, _ = journal.append(file(upload), upload)
    assert journal.read_reading(entry_id) is None
    reading = Reading("pdf", "# Rent\nThe rent is 900 euros.", (Place(0, 29, "page 1"),), ("partial:1 of 2 pages",), "The lease")
    journal.write_reading(entry_id, reading)
    journal.write_reading(entry_id, Reading("pdf", "what a later reader would say"))
    assert journal.read_reading(entry_id) == reading
    read = journal.read(entry_id)
    assert isinstance(read, Capture)
    assert (read.text, read.places, read.source_type) == (reading.text, reading.places, "pdf")
    assert (read.title, read.notes) == ("The lease", ("partial:1 of 2 pages",))
    assert (read.source, read.trust) == ("document", "document")
    assert read.original == file(upload).original


@pytest.mark.parametrize(
    ("note", "reading", "whose"),
    [
        (True, Reading("plain", "I live in Lisbon."), ("user", "user")),
        (True, Reading("markdown", "---\ntags: [home]\n---\nI live in Lisbon."), ("user", "user")),
        (True, Reading("markdown", "---\ntitle: x\nurl: https://example.org/a\n---\nI live here."), ("document", "web")),
        (False, Reading("markdown", '---\nsource: "http://example.org"\n---\nI live here.'), ("document", "web")),
        (True, Reading("html", "I live in Lisbon."), ("document", "document")),
        (False, Reading("plain", "I live in Lisbon."), ("document", "document")),
    ],
)
def test_whose_words_a_file_holds_is_told_from_what_it_turned_out_to_be(
    journal: WorkLog, note: bool, reading: Reading, whose: tuple[str, str]
) -> None:
    upload = uploaded(journal, b"a")
    entry_id, _ = journal.append(file(upload, "notes.md", note=note), upload)
    journal.write_reading(entry_id, reading)
    read = journal.read(entry_id)
    assert isinstance(read, Capture)
    assert (read.source, read.trust) == whose
    assert read.title == "notes.md"


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("Report.PDF", ".original.pdf"),
        ("../../etc/passwd", ".original.etcpasswd"),
        ("no ending", ".original"),
        ("x." + "y" * 40, ".original." + "y" * 16),
        ("a.json", ".original.json"),
        ("a.\n", ".original"),
    ],
)
def test_of_a_name_only_letters_of_the_ending_reach_the_disk(tmp_path: Path, name: str, stored: str) -> None:
    journal = FileJournal(tmp_path)
    upload = uploaded(journal, b"a")
    entry_id, _ = journal.append(file(upload, name), upload)
    upload.close()
    path = journal.original_path(entry_id)
    assert path is not None
    assert path.name == f"{entry_id}{stored}"
    assert path.stat().st_mode & 0o077 == 0
    assert list(journal.entries()) == [entry_id]
    assert journal.recover() == []


def test_what_was_not_appended_is_gone_when_it_is_closed_or_its_process_is(tmp_path: Path) -> None:
    journal = FileJournal(tmp_path)
    spool = tmp_path / "journal" / "spool"
    closed, coming = uploaded(journal, b"a"), uploaded(journal, b"b")
    closed.close()
    closed.close()
    left = spool / "99999-0-left"
    left.write_bytes(b"of a process that died")
    journal.recover()
    assert [path.read_bytes() for path in spool.iterdir()] == [b"b"]
    coming.close()
    assert list(spool.iterdir()) == []
