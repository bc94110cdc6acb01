"""The inbox: what is dropped is taken once it has come to rest, exactly once, and nothing that is no text is opened."""

from __future__ import annotations

import os
import socket
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.files.inbox_folder import FileInboxFolder
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture import dropped
from lattice_common.capture.inbox import BATCH, Inbox, Looked
from lattice_common.capture.request import IngestRequest
from lattice_common.errors import Conflict, InvalidInput, Unavailable
from lattice_common.ports.inbox_folder import Place, Seen

SETTLE = 5.0


class Journal:
    """Remembers what it was given by its key, as the journal does; `fault` is raised instead while it is set."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[IngestRequest, tuple[str, ...]]] = {}
        self.asked = 0
        self.fault: Exception | None = None

    def accept(
        self, request: IngestRequest, *, idempotency_key: str | None, channel: str | None, notes: tuple[str, ...]
    ) -> object:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        assert idempotency_key is not None
        assert channel == "inbox"
        known = self.kept.setdefault(idempotency_key, (request, notes))
        if known[0] != request:
            raise Conflict("this idempotency key was used for something else")
        return None

    @property
    def texts(self) -> list[str | None]:
        return [request.text for request, _ in self.kept.values()]


class Folder(FileInboxFolder):
    """The real one, that refuses to read or to move while told so."""

    unreadable: BaseException | None = None
    immovable: BaseException | None = None

    def read(self, seen: Seen, limit: int) -> bytes | None:
        if self.unreadable:
            raise self.unreadable
        return super().read(seen, limit)

    def settle(self, seen: Seen, place: Place, day: str, why: str | None = None) -> bool:
        if self.immovable:
            raise self.immovable
        return super().settle(seen, place, day, why)


class Desk:
    """An inbox on disk whose time stands still until it is moved."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.folder = Folder(root)
        self.journal = Journal()
        self.now = 0.0
        self.inbox = self.opened()

    def opened(self) -> Inbox:
        return Inbox(
            self.folder,
            self.journal.accept,
            FixedClock(),
            lambda: self.now,
            settle_seconds=SETTLE,
            max_bytes=10_000,
        )

    def drop(self, name: str, content: str | bytes = "The spare key is with Ines.") -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def look(self, seconds: float = SETTLE) -> Looked:
        self.now += seconds
        return self.inbox.look()

    def settle(self) -> None:
        self.look()
        self.look()

    def files(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file() or path.is_symlink()}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "inbox")


def test_a_dropped_note_is_journaled_and_then_moved_to_the_day_it_was_taken(desk: Desk) -> None:
    path = desk.drop("note.md", "# Home\n\nThe spare key is with Ines.\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    desk.settle()
    ((request, notes),) = desk.journal.kept.values()
    assert (request.text, request.source_type, request.metadata.title, notes) == (
        "# Home\n\nThe spare key is with Ines.\n", "markdown", "note.md", (),
    )  # fmt: skip
    assert request.metadata.observed_at is not None
    assert datetime.fromisoformat(request.metadata.observed_at) == datetime.fromtimestamp(1_700_000_000, UTC)
    assert desk.files() == {"processed/2026-01-05/note.md"}
    assert desk.inbox.state().taken == 1


def test_a_file_that_grows_is_taken_only_when_it_has_stopped(desk: Desk) -> None:
    desk.drop("note.txt", "The key ")
    desk.look()
    for words in ("The key is ", "The key is with ", "The key is with Ines."):
        desk.drop("note.txt", words)
        assert desk.look() == Looked(more=False, pending=True)
    desk.look(SETTLE / 2)
    assert desk.journal.texts == []
    desk.look(SETTLE / 2)
    assert desk.journal.texts == ["The key is with Ines."]


@pytest.mark.parametrize(
    "name",
    ["a.txt.part", "a.crdownload", "~$a.md", "a.tmp", ".DS_Store", "Thumbs.db", ".hidden.md", "~syncthing~a.md.tmp", "a.md~",
     "a.swp", ".a.md.~1f", ".sub/a.md"],
)  # fmt: skip
def test_what_is_being_written_or_hidden_is_left_alone(desk: Desk, name: str) -> None:
    desk.drop(name)
    desk.settle()
    assert desk.journal.kept == {}
    assert desk.files() == {name}
    assert desk.inbox.state().later == 0


def test_other_documents_stay_where_they_are_and_are_counted(desk: Desk) -> None:
    desk.drop("paper.pdf", b"%PDF-1.7")
    desk.drop("picture", b"\x89PNG\r\n\x1a\n\x00\x00")
    desk.drop("list", "Milk and bread are on the list.")
    desk.settle()
    desk.look()
    assert desk.journal.texts == ["Milk and bread are on the list."]
    assert {"paper.pdf", "picture"} < desk.files()
    assert desk.inbox.state().later == 2


def test_links_pipes_and_sockets_are_never_opened(desk: Desk, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("nobody's business")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "more.txt").write_text("nobody's business")
    (desk.root / "link.txt").symlink_to(secret)
    (desk.root / "folder").symlink_to(tmp_path / "outside")
    os.mkfifo(desk.root / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as listening:
        # A socket's path may have 107 bytes only, and that of a temporary folder has more.
        before = Path.cwd()
        os.chdir(desk.root)
        listening.bind("socket.txt")
        os.chdir(before)
        desk.settle()
    assert desk.journal.kept == {}
    assert desk.inbox.state().strange == 4
    assert (desk.root / "link.txt").is_symlink()


def test_a_folder_swapped_for_a_link_after_the_scan_leads_nowhere(desk: Desk, tmp_path: Path) -> None:
    folder = desk.folder
    desk.drop("sub/note.txt", "mine")
    (seen,) = folder.scan()
    assert isinstance(seen, Seen)
    (desk.root / "sub").rename(tmp_path / "sub")
    (desk.root / "sub").symlink_to(tmp_path / "sub")
    assert folder.read(seen, 100) is None
    assert not folder.settle(seen, "processed", "2026-01-05")
    assert (tmp_path / "sub" / "note.txt").exists()


def test_a_file_replaced_after_it_was_seen_is_read_as_it_is_then_by_a_later_look(desk: Desk) -> None:
    folder = desk.folder
    desk.drop("note.txt", "old")
    (seen,) = folder.scan()
    assert isinstance(seen, Seen)
    desk.drop("other.txt", "new words").rename(desk.root / "note.txt")
    assert folder.read(seen, 100) is None
    desk.settle()
    assert desk.journal.texts == ["new words"]


def test_a_file_deleted_after_it_was_seen_is_no_error(desk: Desk) -> None:
    path = desk.drop("note.txt")
    desk.look()
    path.unlink()
    assert desk.look() == Looked(more=False, pending=False)
    assert desk.journal.kept == {}


def test_a_second_file_of_the_same_name_overwrites_nothing(desk: Desk) -> None:
    for words in ("first", "second", "third"):
        desk.drop("sub/note.txt", words)
        desk.settle()
    done = desk.root / "processed" / "2026-01-05" / "sub"
    assert {path.read_text() for path in done.iterdir()} == {"first", "second", "third"}


def test_a_crash_between_journal_and_move_keeps_it_once(desk: Desk) -> None:
    desk.drop("note.txt")
    desk.folder.immovable = KeyboardInterrupt()
    desk.look()
    with pytest.raises(KeyboardInterrupt):
        desk.look()
    desk.folder.immovable = None
    desk.inbox = desk.opened()
    desk.settle()
    assert (desk.journal.asked, len(desk.journal.kept)) == (2, 1)
    assert desk.files() == {"processed/2026-01-05/note.txt"}


def test_a_capture_that_lc_left_comes_back_with_its_time_and_channel_at_the_first_look(desk: Desk) -> None:
    body = {
        "text": "The key is with Ines.",
        "metadata": {"channel": "lc", "observed_at": "2026-01-02T08:00:00+01:00", "session_id": "s"},
    }
    desk.drop(dropped.new_name(), dropped.encode(dropped.Dropped(body, "lc:1")))
    desk.look()
    assert list(desk.journal.kept) == ["lc:1"]
    ((request, _),) = desk.journal.kept.values()
    assert (request.metadata.channel, request.metadata.session_id) == ("lc", "s")
    assert request.metadata.observed_at == "2026-01-02T08:00:00+01:00"


def test_a_name_like_that_of_a_telegram_message_makes_an_ordinary_note(desk: Desk) -> None:
    desk.drop("telegram-123-9f1c.txt")
    desk.settle()
    ((request, _),) = desk.journal.kept.values()
    assert request.metadata.channel == "inbox"
    assert request.metadata.rest() == {}


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
        ("d.txt", b"abc\x00def", "bytes that text does not have"),
        ("e.txt", b"x" * 10_001, "LATTICE_MAX_TEXT_BYTES"),
    ],
)
def test_what_cannot_be_taken_goes_to_failed_with_the_reason(desk: Desk, name: str, content: bytes, why: str) -> None:
    desk.drop(name, content)
    desk.settle()
    assert desk.journal.kept == {}
    assert desk.files() == {f"failed/2026-01-05/{name}", f"failed/2026-01-05/{name}.why.txt"}
    assert why in (desk.root / f"failed/2026-01-05/{name}.why.txt").read_text()


def test_an_empty_file_is_done_with_a_note(desk: Desk) -> None:
    desk.drop("empty.txt", "")
    desk.settle()
    assert desk.journal.kept == {}
    assert desk.files() == {"processed/2026-01-05/empty.txt", "processed/2026-01-05/empty.txt.why.txt"}


def test_while_the_journal_cannot_be_written_files_stay(desk: Desk) -> None:
    desk.drop("note.txt")
    desk.journal.fault = Unavailable("the disk is full", status=507)
    desk.look()
    with pytest.raises(Unavailable):
        desk.look()
    assert desk.files() == {"note.txt"}
    desk.journal.fault = None
    desk.look()
    assert desk.files() == {"processed/2026-01-05/note.txt"}


def test_a_refused_text_goes_to_failed_with_the_journals_words(desk: Desk) -> None:
    desk.drop("note.txt")
    desk.journal.fault = InvalidInput("There is nothing to remember.")
    desk.settle()
    assert "nothing to remember" in (desk.root / "failed/2026-01-05/note.txt.why.txt").read_text()


def test_thousands_of_files_are_taken_in_batches_oldest_first_behind_what_is_said_by_hand(desk: Desk) -> None:
    for number in range(BATCH + 50):
        path = desk.drop(f"{number % 7}/{number}.txt", f"Fact number {number}.")
        os.utime(path, (1_700_000_000 + number, 1_700_000_000 + number))
    assert desk.look().pending
    assert desk.look().more
    assert len(desk.journal.kept) == BATCH
    assert desk.look() == Looked(more=False, pending=False)
    assert desk.journal.texts == [f"Fact number {number}." for number in range(BATCH + 50)]
    assert {request.priority for request, _ in desk.journal.kept.values()} == {"bulk"}


def test_a_clock_that_goes_back_skips_nothing(desk: Desk) -> None:
    os.utime(desk.drop("a.txt", "first"), (1_700_000_000, 1_700_000_000))
    desk.settle()
    os.utime(desk.drop("b.txt", "second"), (1_699_900_000, 1_699_900_000))
    desk.settle()
    assert desk.journal.texts == ["first", "second"]


def test_a_file_that_may_not_be_read_stays_and_is_counted_until_it_may(desk: Desk) -> None:
    desk.drop("note.txt")
    desk.folder.unreadable = PermissionError("no")
    desk.settle()
    assert desk.inbox.state().unreadable == 1
    desk.folder.unreadable = None
    desk.look()
    assert desk.files() == {"processed/2026-01-05/note.txt"}


def test_a_file_that_cannot_be_moved_away_is_kept_once(desk: Desk) -> None:
    desk.drop("note.txt")
    desk.folder.immovable = PermissionError("no")
    desk.settle()
    for _ in range(3):
        desk.settle()
    assert desk.journal.asked == 1
    assert desk.inbox.state().unreadable == 1


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("Grüße".encode(), "Grüße", ()),
        ("\ufeffGrüße".encode(), "Grüße", ()),
        ("Grüße".encode("utf-16"), "Grüße", ("encoding:utf-16",)),
        ("Grüße – bald".encode("cp1252"), "Grüße – bald", ("encoding:cp1252",)),
        (b"caf\xe9 \x81", "café \ufffd", ("encoding:cp1252", "lossy")),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree", ()),
    ],
)
def test_text_is_read_in_the_encoding_it_is_in_and_what_was_assumed_is_noted(
    desk: Desk, content: bytes, text: str, notes: tuple[str, ...]
) -> None:
    desk.drop("note.txt", content)
    desk.settle()
    ((request, noted),) = desk.journal.kept.values()
    assert (request.text, noted) == (text, notes)


ODD = ["-rf.txt", "CON.txt", "C:\\x.txt", "line\nbreak.txt", "x" * 250 + ".md", "\u202etxt.exe.md", "..txt.md.txt", "a..md"]


@pytest.mark.parametrize("name", ODD)
def test_an_odd_name_is_shown_tamed_and_leads_nowhere(desk: Desk, name: str) -> None:
    desk.drop(name)
    if name.startswith("."):
        desk.settle()
        assert desk.journal.kept == {}
        return
    desk.settle()
    ((request, _),) = desk.journal.kept.values()
    title = request.metadata.title or ""
    assert len(title) <= 201
    assert title.isprintable()
    (done,) = (desk.root / "processed" / "2026-01-05").iterdir()
    assert done.is_file()


def test_a_name_that_is_not_unicode_is_taken(desk: Desk) -> None:
    (desk.root / os.fsdecode(b"caf\xe9.txt")).write_text("The coffee is good.")
    desk.settle()
    ((request, _),) = desk.journal.kept.values()
    assert request.metadata.title == "caf\ufffd.txt"
