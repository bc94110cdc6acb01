"""The contract of `InboxFolder`, on disk and in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from lattice_common.adapters.files.inbox_folder import FileInboxFolder
from lattice_common.adapters.memory.inbox_folder import InMemoryInboxFolder
from lattice_common.ports.inbox_folder import InboxFolder, Seen


@dataclass(frozen=True)
class Inbox:
    """A folder, and the hands that put files into it and look at it from outside."""

    folder: InboxFolder
    drop: Callable[[str, bytes], object]
    remove: Callable[[str], object]
    there: Callable[[], dict[str, bytes]]

    def seen(self) -> list[Seen]:
        return [each for each in self.folder.scan() if isinstance(each, Seen)]


@pytest.fixture(params=["files", "memory"])
def inbox(request: pytest.FixtureRequest, tmp_path: Path) -> Inbox:
    if request.param == "memory":
        memory = InMemoryInboxFolder()
        return Inbox(memory, memory.drop, memory.remove, lambda: memory.files)

    def drop(path: str, content: bytes) -> None:
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target.with_name(f"{target.name}.new")
        beside.write_bytes(content)
        beside.rename(target)  # another file in its place, as editors save

    def there() -> dict[str, bytes]:
        return {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    return Inbox(FileInboxFolder(tmp_path), drop, lambda path: (tmp_path / path).unlink(), there)


def test_it_lists_files_in_folders_too_in_a_stable_order_and_not_the_hidden_ones(inbox: Inbox) -> None:
    for path in ("b.txt", "a/z.txt", "a.txt", ".hidden", ".git/config", "a/.x"):
        inbox.drop(path, b"words")
    assert [each.path for each in inbox.seen()] == ["a/z.txt", "a.txt", "b.txt"]
    assert inbox.seen() == inbox.seen()


def test_an_inbox_without_files_has_none(inbox: Inbox) -> None:
    assert inbox.seen() == []


def test_it_reads_what_was_seen_up_to_one_byte_beyond_the_limit(inbox: Inbox) -> None:
    inbox.drop("a.txt", b"0123456789")
    (seen,) = inbox.seen()
    assert seen.size == 10
    assert inbox.folder.read(seen, 100) == b"0123456789"
    assert inbox.folder.read(seen, 10) == b"0123456789"
    assert inbox.folder.read(seen, 4) == b"01234"


def test_it_copies_what_was_seen(inbox: Inbox) -> None:
    inbox.drop("a.bin", bytes(range(256)) * 10_000)
    (seen,) = inbox.seen()
    copied = bytearray()
    assert inbox.folder.copy(seen, copied.extend)
    assert copied == bytes(range(256)) * 10_000


def test_it_reads_and_moves_nothing_but_what_was_seen(inbox: Inbox) -> None:
    inbox.drop("a.txt", b"before")
    (seen,) = inbox.seen()
    inbox.drop("a.txt", b"after!")
    assert inbox.folder.read(seen, 100) is None
    assert not inbox.folder.copy(seen, bytearray().extend)
    assert inbox.folder.settle(seen, "processed", "2026-01-05") is False
    assert inbox.there() == {"a.txt": b"after!"}
    (seen,) = inbox.seen()
    inbox.remove("a.txt")
    assert inbox.folder.read(seen, 100) is None
    assert inbox.folder.settle(seen, "processed", "2026-01-05") is False


def test_what_is_settled_is_not_seen_again(inbox: Inbox) -> None:
    inbox.drop("sub/a.txt", b"words")
    (seen,) = inbox.seen()
    assert inbox.folder.settle(seen, "failed", "2026-01-05", "It is no text.")
    assert inbox.there() == {"failed/2026-01-05/sub/a.txt": b"words", "failed/2026-01-05/sub/a.txt.why.txt": b"It is no text.\n"}
    assert inbox.seen() == []


def test_settling_overwrites_nothing(inbox: Inbox) -> None:
    for words in (b"one", b"two", b"three"):
        inbox.drop("a.txt", words)
        (seen,) = inbox.seen()
        assert inbox.folder.settle(seen, "processed", "2026-01-05")
    assert inbox.there() == {
        "processed/2026-01-05/a.txt": b"one",
        "processed/2026-01-05/a (2).txt": b"two",
        "processed/2026-01-05/a (3).txt": b"three",
    }


def test_a_name_without_an_ending_is_numbered_too(inbox: Inbox) -> None:
    for words in (b"one", b"two"):
        inbox.drop("list", words)
        (seen,) = inbox.seen()
        inbox.folder.settle(seen, "processed", "2026-01-05")
    assert sorted(inbox.there()) == ["processed/2026-01-05/list", "processed/2026-01-05/list (2)"]


def test_it_opens_what_was_seen_and_nothing_else(inbox: Inbox) -> None:
    inbox.drop("a.zip", b"0123456789")
    (seen,) = inbox.seen()
    file = inbox.folder.open(seen)
    assert file is not None
    with file:
        file.seek(4)
        assert file.read(3) == b"456"
    inbox.drop("a.zip", b"9876543210")
    assert inbox.folder.open(seen) is None
