"""The inbox: what is dropped is taken once it has come to rest, exactly once, and what is no file is never opened."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.inbox_folder import InMemoryInboxFolder
from lattice_common.capture import dropped
from lattice_common.capture.inbox import BATCH, Inbox, InboxState, Looked
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.domain.receipt import FinalState
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.ports.inbox_folder import Seen

from tests.pipeline.inbox_harness import SETTLE, File, InboxHarness, Journal


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[InboxHarness]:
    harness = InboxHarness(tmp_path / "inbox")
    yield harness
    harness.inbox.close()


def test_a_dropped_note_is_journaled_and_then_moved_to_the_day_it_was_taken(harness: InboxHarness) -> None:
    path = harness.drop("note.md", "# Home\n\nThe spare key is with Ines.\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    harness.settle()
    (file,) = harness.journal.files
    assert file.content == b"# Home\n\nThe spare key is with Ines.\n"
    assert (file.name, file.request.source, file.request.source_id, file.request.channel) == ("note.md", None, "note.md", "inbox")
    assert file.request.observed_at is not None
    assert datetime.fromisoformat(file.request.observed_at) == datetime.fromtimestamp(1_700_000_000, UTC)
    assert harness.files() == {"processed/2026-01-05/note.md"}
    assert harness.inbox.state().taken == 1


def test_files_are_the_owners_only_in_a_folder_that_the_owner_named(harness: InboxHarness) -> None:
    for name in ("downloaded.md", "mine/a.md", "mine/sub/b.txt", "diary/2026/c.md", "diary/d.md", "mine.md", "sub/mine/e.md"):
        harness.drop(name)
    harness.settle()
    assert {file.name for file in harness.journal.files if file.own} == {"mine/a.md", "mine/sub/b.txt", "diary/2026/c.md"}


def test_a_file_that_grows_is_taken_only_when_it_has_stopped(harness: InboxHarness) -> None:
    harness.drop("note.txt", "The key ")
    harness.look()
    for words in ("The key is ", "The key is with ", "The key is with Ines."):
        harness.drop("note.txt", words)
        assert harness.look() == Looked(more=False, pending=True)
    harness.look(SETTLE / 2)
    assert harness.journal.texts == []
    harness.look(SETTLE / 2)
    assert harness.journal.texts == ["The key is with Ines."]


@pytest.mark.parametrize(
    "name",
    ["a.txt.part", "a.crdownload", "~$a.md", "a.tmp", ".DS_Store", "Thumbs.db", ".hidden.md", "~syncthing~a.md.tmp", "a.md~",
     "a.swp", ".a.md.~1f", ".sub/a.md"],
)  # fmt: skip
def test_what_is_being_written_or_hidden_is_left_alone(harness: InboxHarness, name: str) -> None:
    harness.drop(name)
    harness.settle()
    assert harness.journal.kept == {}
    assert harness.files() == {name}
    assert harness.inbox.state().waiting == 0


def test_files_of_every_kind_are_taken_and_lie_there_until_they_are_read(harness: InboxHarness) -> None:
    harness.journal.end = None
    for name in ("sub/paper.pdf", "picture", "list", "mail.eml", "numbers.xlsx", "code.py"):
        harness.drop(name, name.encode())
    harness.settle()
    assert sorted(file.name for file in harness.journal.files) == [
        "code.py", "list", "mail.eml", "numbers.xlsx", "picture", "sub/paper.pdf",
    ]  # fmt: skip
    assert harness.look() == Looked(more=False, pending=True)
    assert (harness.journal.asked, harness.inbox.state().reading, len(harness.files())) == (6, 6, 6)
    harness.journal.end = "stored"
    assert harness.look() == Looked(more=False, pending=False)
    assert all(name.startswith("processed/2026-01-05/") for name in harness.files())
    assert harness.inbox.state().reading == 0


@pytest.mark.parametrize(("end", "why"), [("rejected", "It needs a password."), ("dead", "could not be read")])
def test_a_file_that_ends_badly_goes_to_failed_with_the_reason(harness: InboxHarness, end: FinalState, why: str) -> None:
    harness.journal.end = end
    harness.drop("sub/locked.pdf")
    harness.settle()
    assert harness.files() == {"failed/2026-01-05/sub/locked.pdf", "failed/2026-01-05/sub/locked.pdf.why.txt"}
    assert why in (harness.root / "failed/2026-01-05/sub/locked.pdf.why.txt").read_text()
    assert harness.inbox.state().failed == 1


def test_what_of_a_file_was_not_read_is_said_beside_it(harness: InboxHarness) -> None:
    harness.journal.notes = ("formulas-without-values:2", "macros")
    harness.drop("budget.xlsx")
    harness.settle()
    told = (harness.root / "processed/2026-01-05/budget.xlsx.why.txt").read_text()
    assert told.startswith("2 formulas were never worked out")


def test_a_start_before_a_file_is_read_waits_for_the_same_capture(harness: InboxHarness) -> None:
    harness.journal.end = None
    harness.drop("paper.pdf")
    harness.settle()
    harness.reopen()
    harness.settle()
    assert (harness.journal.asked, len(harness.journal.kept)) == (2, 1)
    harness.journal.end = "rejected"
    harness.look()
    assert "failed/2026-01-05/paper.pdf" in harness.files()


def test_a_file_that_is_replaced_or_taken_away_while_it_is_read_is_another_one(harness: InboxHarness) -> None:
    harness.journal.end = None
    harness.drop("paper.pdf", "old")
    harness.drop("gone.pdf").unlink()
    harness.settle()
    harness.drop("other.pdf", "new words").rename(harness.root / "paper.pdf")
    harness.journal.end = "stored"
    harness.look()
    assert harness.files() == {"paper.pdf"}
    harness.look()
    assert harness.journal.texts == ["old", "new words"]
    assert harness.files() == {"processed/2026-01-05/paper.pdf"}


def test_links_pipes_and_sockets_are_never_opened(harness: InboxHarness, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.txt").write_text("nobody's business")
    (harness.root / "link.txt").symlink_to(secret)
    (harness.root / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(harness.root / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        # A socket's path may have 107 bytes only, and that of a temporary folder has more.
        before = Path.cwd()
        os.chdir(harness.root)
        listening.bind("socket.txt")
        os.chdir(before)
        harness.settle()
    assert harness.journal.kept == {}
    assert harness.inbox.state().strange == 4
    assert (harness.root / "link.txt").is_symlink()


def test_a_folder_swapped_for_a_link_after_the_scan_leads_nowhere(harness: InboxHarness, tmp_path: Path) -> None:
    folder = harness.folder
    harness.drop("sub/note.txt", "mine")
    (seen,) = folder.scan()
    assert isinstance(seen, Seen)
    (harness.root / "sub").rename(tmp_path / "sub")
    (harness.root / "sub").symlink_to(tmp_path / "sub")
    assert folder.read(seen, 100) is None
    assert not folder.copy(seen, print)
    assert not folder.settle(seen, "processed", "2026-01-05")
    assert (tmp_path / "sub" / "note.txt").exists()


def test_a_file_replaced_after_it_was_seen_is_read_as_it_is_then_by_a_later_look(harness: InboxHarness) -> None:
    folder = harness.folder
    harness.drop("note.txt", "old")
    (seen,) = folder.scan()
    assert isinstance(seen, Seen)
    harness.drop("other.txt", "new words").rename(harness.root / "note.txt")
    assert folder.read(seen, 100) is None
    harness.settle()
    assert harness.journal.texts == ["new words"]


def test_a_file_deleted_after_it_was_seen_is_no_error(harness: InboxHarness) -> None:
    path = harness.drop("note.txt")
    harness.look()
    path.unlink()
    assert harness.look() == Looked(more=False, pending=False)
    assert harness.journal.kept == {}


def test_a_second_file_of_the_same_name_overwrites_nothing(harness: InboxHarness) -> None:
    for words in ("first", "second", "third"):
        harness.drop("sub/note.txt", words)
        harness.settle()
    done = harness.root / "processed" / "2026-01-05" / "sub"
    assert {path.read_text() for path in done.iterdir()} == {"first", "second", "third"}


def test_a_crash_between_journal_and_move_keeps_it_once(harness: InboxHarness) -> None:
    harness.drop("note.txt")
    harness.folder.immovable = KeyboardInterrupt()
    harness.look()
    with pytest.raises(KeyboardInterrupt):
        harness.look()
    harness.folder.immovable = None
    harness.reopen()
    harness.settle()
    assert (harness.journal.asked, len(harness.journal.kept)) == (2, 1)
    assert harness.files() == {"processed/2026-01-05/note.txt"}


def test_a_capture_that_lc_left_comes_back_with_its_time_and_channel_at_the_first_look(harness: InboxHarness) -> None:
    body = {
        "text": "The key is with Ines.",
        "metadata": {"channel": "lc", "observed_at": "2026-01-02T08:00:00+01:00", "session_id": "s"},
    }
    harness.drop(dropped.new_name(), dropped.encode(dropped.Dropped(body, "lc:1")))
    harness.look()
    assert list(harness.journal.kept) == ["lc:1"]
    (request,) = harness.journal.kept.values()
    assert isinstance(request, IngestRequest)
    assert (request.metadata.channel, request.metadata.session_id) == ("lc", "s")
    assert request.metadata.observed_at == "2026-01-02T08:00:00+01:00"


def test_a_file_that_lc_left_comes_with_what_it_knew_of_it_and_goes_with_it(harness: InboxHarness) -> None:
    name = dropped.new_name()
    harness.drop(dropped.beside(name), b"%PDF-1.7")
    harness.look()
    harness.look()
    assert harness.journal.kept == {}, "nobody said yet what it is"
    body = {"source": "document", "observed_at": "2026-01-02T08:00:00+01:00", "channel": "lc"}
    harness.drop(name, dropped.encode(dropped.Dropped(body, "lc:1", "lease.pdf")))
    harness.look()
    assert harness.journal.kept == {"lc:1": File("lease.pdf", b"%PDF-1.7", FileMetadata.model_validate(body))}
    assert harness.files() == {f"processed/2026-01-05/{each}" for each in (name, dropped.beside(name))}


def test_a_name_like_that_of_a_telegram_message_makes_an_ordinary_note(harness: InboxHarness) -> None:
    harness.drop("telegram-123-9f1c.txt")
    harness.settle()
    (file,) = harness.journal.files
    assert file.request.channel == "inbox"
    assert file.request.rest() == {}


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.capture.json", b"{}", "is not a capture"),
        ("b.capture.json", b'{"lattice_capture": 9, "idempotency_key": "k", "request": {}}', "another version"),
        (
            "c.capture.json",
            b'{"lattice_capture": 1, "idempotency_key": "k", "request": {"text": "x", "nonsense": 1}}',
            "nonsense",
        ),
        ("d.capture.json", b'{"lattice_capture": 1, "idempotency_key": "k", "request": {}, "file": "a.pdf"}', "d.capture.file"),
        ("e.txt", b"x" * 10_001, "LATTICE_MAX_FILE_BYTES"),
    ],
)
def test_what_cannot_be_taken_goes_to_failed_with_the_reason(harness: InboxHarness, name: str, content: bytes, why: str) -> None:
    harness.drop(name, content)
    harness.settle()
    assert harness.journal.kept == {}
    assert harness.files() == {f"failed/2026-01-05/{name}", f"failed/2026-01-05/{name}.why.txt"}
    assert why in (harness.root / f"failed/2026-01-05/{name}.why.txt").read_text()


def test_an_empty_file_is_done_with_a_note(harness: InboxHarness) -> None:
    harness.drop("empty.txt", "")
    harness.journal.notes = ("empty",)
    harness.settle()
    assert harness.files() == {"processed/2026-01-05/empty.txt", "processed/2026-01-05/empty.txt.why.txt"}


def test_while_the_journal_cannot_be_written_files_stay(harness: InboxHarness) -> None:
    harness.drop("note.txt")
    harness.journal.fault = Unavailable("the disk is full", status=507)
    harness.look()
    with pytest.raises(Unavailable):
        harness.look()
    assert harness.files() == {"note.txt"}
    harness.journal.fault = None
    harness.look()
    assert harness.files() == {"processed/2026-01-05/note.txt"}


def test_a_refused_text_goes_to_failed_with_the_journals_words(harness: InboxHarness) -> None:
    harness.drop("note.txt")
    harness.journal.fault = InvalidInput("There is nothing to remember.")
    harness.settle()
    assert "nothing to remember" in (harness.root / "failed/2026-01-05/note.txt.why.txt").read_text()


def test_thousands_of_files_are_taken_in_batches_oldest_first_behind_what_is_said_by_hand(harness: InboxHarness) -> None:
    for number in range(BATCH + 50):
        path = harness.drop(f"{number % 7}/{number}.txt", f"Fact number {number}.")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    assert harness.look().pending
    assert harness.look().more
    assert len(harness.journal.kept) == BATCH
    assert harness.look() == Looked(more=False, pending=False)
    assert set(harness.journal.texts[:BATCH]) == {f"Fact number {number}." for number in range(BATCH)}
    assert set(harness.journal.texts[BATCH:]) == {f"Fact number {number}." for number in range(BATCH, BATCH + 50)}
    assert {file.request.priority for file in harness.journal.files} == {"bulk"}


def test_a_clock_that_goes_back_skips_nothing(harness: InboxHarness) -> None:
    os.utime(harness.drop("a.txt", "first"), (1_700_000_000, 1_700_000_000))
    harness.settle()
    os.utime(harness.drop("b.txt", "second"), (1_699_900_000, 1_699_900_000))
    harness.settle()
    assert harness.journal.texts == ["first", "second"]


def test_a_file_that_may_not_be_read_stays_and_is_counted_until_it_may(harness: InboxHarness) -> None:
    harness.drop("note.txt")
    harness.folder.unreadable = PermissionError("no")
    harness.settle()
    assert harness.inbox.state().unreadable == 1
    harness.folder.unreadable = None
    harness.look()
    assert harness.files() == {"processed/2026-01-05/note.txt"}


def test_a_file_that_cannot_be_moved_away_is_kept_once(harness: InboxHarness) -> None:
    harness.drop("note.txt")
    harness.folder.immovable = PermissionError("no")
    harness.settle()
    for _ in range(3):
        harness.settle()
    assert harness.journal.asked == 1
    assert harness.inbox.state().unreadable == 1


ODD = ["-rf.txt", "CON.txt", "C:\\x.txt", "line\nbreak.txt", "x" * 250 + ".md", "\u202etxt.exe.md", "..txt.md.txt", "a..md"]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_shown_tamed_and_leads_nowhere(harness: InboxHarness, name: str) -> None:
    harness.drop(name)
    if name.startswith("."):
        harness.settle()
        assert harness.journal.kept == {}
        return
    harness.settle()
    (file,) = harness.journal.files
    shown = file.request.source_id or ""
    assert len(shown) <= 201
    assert shown.isprintable()
    (done,) = (harness.root / "processed" / "2026-01-05").iterdir()
    assert done.is_file()


def test_a_name_that_is_not_unicode_is_taken(harness: InboxHarness) -> None:
    (harness.root / os.fsdecode(b"caf\xe9.txt")).write_text("The coffee is good.")
    harness.settle()
    (file,) = harness.journal.files
    assert file.request.source_id == "caf\ufffd.txt"


def many(count: int) -> tuple[Inbox, Journal]:
    folder, journal, now = InMemoryInboxFolder(), Journal(), iter(range(0, 10**9, 10))
    journal.end = None
    for number in range(count):
        folder.drop(f"{number % 50}/{number}.md", b"Fact number %d." % number, mtime_ns=number)
    return Inbox(folder, journal, FixedClock(), lambda: float(next(now)), settle_seconds=SETTLE), journal


@pytest.mark.slow
def test_five_thousand_files_at_once_are_taken_with_their_number_told() -> None:
    inbox, journal = many(5_000)
    inbox.look()
    told = []
    while inbox.look().more:
        told.append((inbox.state().waiting, inbox.state().taken))
    assert told == [(5_000 - taken, taken) for taken in range(BATCH, 5_000, BATCH)]
    assert len(journal.kept) == inbox.state().reading == 5_000
    journal.end = "stored"
    inbox.look()
    assert inbox.state() == InboxState(taken=5_000)


@pytest.mark.slow
def test_fifty_thousand_files_at_once_are_begun_with_the_oldest() -> None:
    inbox, journal = many(50_000)
    assert inbox.look() == Looked(more=False, pending=True)
    assert inbox.look().more
    assert set(journal.texts) == {f"Fact number {number}." for number in range(BATCH)}
    assert inbox.state().waiting == 50_000 - BATCH
