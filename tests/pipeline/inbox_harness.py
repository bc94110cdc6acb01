"""An inbox on disk with nobody behind it: what it is given is remembered here, and ends as a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lattice_common.adapters.files.inbox_folder import FileInboxFolder
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.journal import MemoryUpload
from lattice_common.capture.inbox import Inbox, Looked, Portion
from lattice_common.capture.incoming import Incoming
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.domain.receipt import CaptureStatus, FinalState, Receipt
from lattice_common.errors import Conflict
from lattice_common.ports.inbox_folder import Destination, Seen

SETTLE = 5.0
LIMIT = 10_000


@dataclass(frozen=True)
class Kept:
    """What the journal would say of a capture."""

    status: CaptureStatus


@dataclass(frozen=True)
class File:
    """A file as it was kept."""

    name: str
    content: bytes
    request: FileMetadata
    own: bool = False


class Journal:
    """Remembers what it was given by its key, as the journal does; `fault` is raised instead while it is set, and a defect met
    with the words of `poison`.

    Captures end as `end` says, at once; not at all while it is None.
    """

    def __init__(self) -> None:
        self.kept: dict[str, IngestRequest | File] = {}
        self.asked = 0
        self.fault: Exception | None = None
        self.poison: str | None = None
        self.end: FinalState | None = "stored"
        self.notes: tuple[str, ...] = ()

    @contextmanager
    def receiving(self) -> Iterator[Incoming]:
        yield Incoming(MemoryUpload(), LIMIT)

    def accept(self, request: IngestRequest, *, idempotency_key: str | None, channel: str | None) -> Kept:
        return self.keep(request, idempotency_key, channel)

    def accept_file(
        self, incoming: Incoming, name: str, request: FileMetadata, *,
        idempotency_key: str | None, channel: str | None, own: bool = False,
    ) -> Kept:  # fmt: skip
        assert isinstance(incoming.upload, MemoryUpload)
        return self.keep(File(name, bytes(incoming.upload.content), request, own), idempotency_key, channel)

    def keep(self, said: IngestRequest | File, key: str | None, channel: str | None) -> Kept:
        self.asked += 1
        if self.fault is not None:
            raise self.fault
        if self.poison is not None and isinstance(said, File) and said.content.decode() == self.poison:
            raise RecursionError("maximum recursion depth exceeded")
        assert key is not None
        assert channel == "inbox"
        if self.kept.setdefault(key, said) != said:
            raise Conflict("this idempotency key was used for something else")
        return Kept(CaptureStatus(key, "waiting"))

    def capture(self, capture_id: str) -> CaptureStatus:
        receipt = self.end and Receipt(capture_id, self.end, FixedClock().now(), reason="It needs a password.", notes=self.notes)
        return CaptureStatus(capture_id, self.end or "working", receipt=receipt or None)

    @property
    def files(self) -> list[File]:
        return [said for said in self.kept.values() if isinstance(said, File)]

    @property
    def texts(self) -> list[str]:
        return [file.content.decode() for file in self.files]


class Folder(FileInboxFolder):
    """The real one, that refuses to read or to move while told so."""

    unreadable: BaseException | None = None
    immovable: BaseException | None = None

    def read(self, seen: Seen, limit: int) -> bytes | None:
        if self.unreadable:
            raise self.unreadable
        return super().read(seen, limit)

    def copy(self, seen: Seen, into: Callable[[bytes], object]) -> bool:
        if self.unreadable:
            raise self.unreadable
        return super().copy(seen, into)

    def settle(self, seen: Seen, place: Destination, day: str, why: str | None = None) -> bool:
        if self.immovable:
            raise self.immovable
        return super().settle(seen, place, day, why)


class InboxHarness:
    """An inbox on disk whose time stands still until it is moved."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.folder = Folder(root)
        self.journal = Journal()
        self.now = 0.0
        self.portion = Portion()
        self.inbox = self.opened()

    def opened(self) -> Inbox:
        return Inbox(
            self.folder,
            self.journal,
            FixedClock(),
            lambda: self.now,
            settle_seconds=SETTLE,
            own_folders=["mine", "diary/2026/"],
            portion=self.portion,
        )

    def reopen(self) -> None:
        """What a second start finds."""
        self.inbox.close()
        self.inbox = self.opened()

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
