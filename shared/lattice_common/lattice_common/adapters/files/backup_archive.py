"""A backup: one archive of all canonical state of a data folder, made while the product runs or not; and restoring it.

The journal goes in first, so that the memories of everything that it calls finished come after it
(tests/services/test_backup.py). Derived state is left out: it is from another moment, and would name memories that the backup
does not have. The first entry is a label. With a passphrase the archive is encrypted (`sealed_stream`).
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import shutil
import tarfile
import time
import uuid
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import orjson

from lattice_common import __version__
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.durable import FILE_MODE, FOLDER_MODE, TEMPORARY_MARK
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.sealed_stream import is_sealed, opened, sealed_into
from lattice_common.adapters.files.space_folder import has_spaces
from lattice_common.causes import cause_of
from lattice_common.domain.space import SPACES_FOLDER
from lattice_common.errors import Conflict, Corrupt, InvalidInput, Unavailable

LABEL = "lattice-backup.json"
FORMAT = 1

DERIVED = frozenset({"index", "graph", "subjects.json"})
OF_A_PROCESS = frozenset({".writer.lock", ".writer.epoch", ".server.address"})
SECRET = frozenset({"cli-token"})
"""The command line's own token, which may do everything: a backup must not give away a key. The next start makes another one."""
ACCESS = "access"
"""The folder in which a deployment keeps tokens, each owner's in one of their own."""

MOST_UNFOLDED = 100
"""Bytes that a backup may expand to, for each of its own: markdown and JSON compress to a tenth."""
ROOM = 64_000_000
"""Bytes that a small backup may expand to in addition."""

LARGEST_HELD = 16_000_000
"""Bytes of a file that is read as a whole; a larger one goes into the archive piece by piece."""

PLAN = ".plan.json"
"""The end of the name of what was decided on an entry that is not finished."""

BACKUPS = "backups"
"""The log of what was written where, so that a forgetting reaches it."""

OnProgress = Callable[[str, int, int], None]
"""Called with the current step, how much of it is done, and of how much (0: unknown)."""

COMPRESSION = 5
"""Level of gzip: most of the saving, in half the time of its default."""


@dataclass(frozen=True, slots=True)
class Backup:
    """`files` in all, `atoms` of them memories; `unreadable` are left out, and listed."""

    made_at: datetime
    files: int
    atoms: int
    unreadable: tuple[str, ...] = ()


def back_up(
    root: Path, out: BinaryIO, on_progress: OnProgress, *, made_at: datetime | None = None, passphrase: str | None = None
) -> Backup:
    """Write the archive of a data folder to `out`, encrypted where there is a `passphrase`. Raise `InvalidInput` where there is
    no data folder, `Unavailable` for what cannot be written. Files that vanish meanwhile were unfinished or derived; unreadable
    ones are left out, and listed."""
    if not (root / "journal").is_dir():
        raise InvalidInput(f"{root} is no data folder of Lattice: there is nothing to back up. Set LATTICE_DIR to yours.")
    made_at = made_at or datetime.now(UTC)
    unreadable: list[str] = []
    names = list(_names(root, unreadable))
    files = atoms = 0
    try:
        with (
            sealed_into(out, passphrase) if passphrase else contextlib.nullcontext(out) as plain,
            gzip.GzipFile("", "wb", COMPRESSION, plain) as packed,
            tarfile.open(fileobj=packed, mode="w|") as archive,
        ):
            label = {"format": FORMAT, "lattice": __version__, "made_at": made_at.isoformat(timespec="seconds")}
            _put(archive, LABEL, orjson.dumps({**label, "bytes": _bytes_of(root, names)}), time.time())
            for done, name in enumerate(names, start=1):
                if _added(archive, root, name, unreadable):
                    files += 1
                    atoms += name.startswith(("atoms/", "archive/"))
                if done % 100 == 0 or done == len(names):
                    on_progress("backing up", done, len(names))
    except OSError as error:
        raise Unavailable(f"The backup cannot be made: {cause_of(error)}. Nothing of yours was changed.") from error
    return Backup(made_at, files, atoms, tuple(unreadable))


def _names_forgotten(name: str, content: bytes) -> bool:
    """Return whether it is the plan of a forgetting that goes on: it holds the words that go. Without it, it is planned anew."""
    if not name.endswith(PLAN) or b'"erasure"' not in content:
        return False
    try:
        return bool(orjson.loads(content).get("erasure"))
    except orjson.JSONDecodeError:
        return False


def _bytes_of(root: Path, names: Sequence[str]) -> int:
    """Return how much these files hold, as far as it is known."""
    total = 0
    for name in names:
        with contextlib.suppress(OSError):
            total += os.lstat(f"{root}/{name}").st_size
    return total


def _added(archive: tarfile.TarFile, root: Path, name: str, unreadable: list[str]) -> bool:
    """Add a file; return whether it was: not what is gone, nor what is noted as unreadable."""
    try:
        with durable.open_regular(root / name) as file:
            status = os.fstat(file.fileno())
            if status.st_size > LARGEST_HELD:
                whole = _Whole(file)
                archive.addfile(_member(name, status.st_size, status.st_mtime), whole)
                if whole.trouble is not None:
                    unreadable.append(f"{name}: {whole.trouble}; what could not be read of it is zeros")
                return True
            content = file.read()
    except FileNotFoundError:
        return False
    except (OSError, Corrupt) as error:
        unreadable.append(f"{name}: {cause_of(error)}")
        return False
    if _names_forgotten(name, content):
        return False
    _put(archive, name, content, status.st_mtime)
    return True


class _Whole(io.RawIOBase):
    """A large file that is read to the length it had, whatever becomes of it meanwhile: what cannot be read is zeros, and
    `trouble` says why."""

    def __init__(self, file: io.FileIO) -> None:
        self._file = file
        self.trouble: str | None = None

    def read(self, size: int = -1) -> bytes:
        content = bytearray()
        while len(content) < size and self.trouble is None:
            try:
                chunk = self._file.read(size - len(content))
            except OSError as error:
                self.trouble = error.strerror
                break
            if not chunk:
                self.trouble = "it was cut while it was read"
            content += chunk
        return bytes(content.ljust(size, b"\0"))


def write_whole(
    root: Path, file: Path, on_progress: OnProgress, *, made_at: datetime | None = None, passphrase: str | None = None
) -> Backup:
    """Replace `file` by a backup of `root`, readable by its owner only: all of it or nothing. Raise `OSError`."""
    beside = file.with_name(f".{file.name}.{uuid.uuid4().hex}{TEMPORARY_MARK}backup")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, FILE_MODE)
        with open(descriptor, "wb") as out:  # noqa: PTH123 - a descriptor, not a path
            made = back_up(root, out, on_progress, made_at=made_at, passphrase=passphrase)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(file)
        keep_names(file.parent)
    finally:
        beside.unlink(missing_ok=True)
    return made


def keep_names(folder: Path) -> None:
    """Make the names in a folder durable, where its file system can: some network shares refuse it."""
    try:
        durable.fsync_dir(folder)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise


def note_backup(root: Path, file: Path | None, made_at: datetime) -> None:
    """Write down where a backup of the folder `root` is, to stay; `file` is None for one that went to standard output."""
    where = str(file.resolve()) if file is not None else "(standard output)"
    log = FileLineLog(root, BACKUPS)
    log.append([{"ts": made_at.isoformat(timespec="seconds"), "file": where}])
    log.keep()


@contextlib.contextmanager
def noted(root: Path, file: Path, made_at: datetime) -> Iterator[None]:
    """Note a backup before it is made: one that a crash left behind is known to a forgetting, too. What was not made, and is not
    there, is not noted any more. Where the data folder takes no line, it is made all the same; then raises `Unavailable`."""
    try:
        note_backup(root, file, made_at)
        known = True
    except Unavailable:
        known = False
    try:
        yield
    except BaseException:
        if known and not os.path.lexists(file):
            where = str(file.resolve())
            FileLineLog(root, BACKUPS).drop(lambda line: line.get("file") == where)
        raise
    if not known:
        note_backup(root, file, made_at)


def sweep_beside(archive: Path) -> None:
    """Remove what a backup, its trial or its rewriting left beside it when it was cut short. What is being made just now fails by
    it: its maker begins again. Raises `OSError`."""
    for path in archive.parent.glob(".*"):
        if path.name.lstrip(".").startswith(f"{archive.name}.") and TEMPORARY_MARK in path.name:
            remove_leftover(path)


def remove_leftover(path: Path) -> None:
    """Remove a temporary file or folder, which may be gone by now. Raise `OSError` where it stays."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)  # whoever made it may be removing it, too
        if path.exists():
            shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def rewrite(archive: Path, change: Callable[[Path], None], *, passphrase: str | None = None) -> None:
    """Unpack an archive beside itself, let `change` change its folder, and replace it by an archive of that, encrypted as before.
    Raise `InvalidInput` and `Unavailable`: then it is unchanged."""
    folder = archive.with_name(f".{archive.name}.{uuid.uuid4().hex}{TEMPORARY_MARK}rewrite")
    try:
        used = passphrase if needs_passphrase(archive) else None
        made_at = restore(archive, folder, lambda *_: None, passphrase=used, to_stay=False).made_at
        change(folder)
        write_whole(folder, archive, lambda *_: None, made_at=made_at, passphrase=used)
    except OSError as error:
        raise Unavailable(f"{archive} cannot be written anew: {cause_of(error)}. It is as it was.") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def needs_passphrase(archive: Path) -> bool:
    """Return whether it is sealed. Raise `OSError`."""
    with archive.open("rb") as file:
        return is_sealed(file.read(64))


def is_reachable(archive: Path, passphrase: str | None) -> bool:
    """Return whether a backup is where it was written, and could be opened with the passphrase: then a forgetting erases its
    words from it."""
    try:
        return archive.is_file() and (passphrase is not None or not needs_passphrase(archive))
    except OSError:
        return False


def restore(
    archive: Path,
    root: Path,
    on_progress: OnProgress,
    *,
    forgotten: Sequence[Path] = (),
    passphrase: str | None = None,
    to_stay: bool = True,
) -> Backup:
    """Make the data folder `root` from an archive, with its `passphrase` where it is encrypted. What was forgotten after it was
    made, according to data folders or ledgers `forgotten`, is not restored. Raise `Conflict` where there is something already,
    `InvalidInput` for what is no complete backup: then nothing is left behind. What is not `to_stay` (a trial) is not made
    durable."""
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise Conflict(
            f"{root} is not empty, and a backup is never put over anything: move it aside first (mv {root} {root}.old)."
        )
    beside = root.with_name(f".{root.name}.{uuid.uuid4().hex}{TEMPORARY_MARK}restore")
    try:
        beside.mkdir(mode=FOLDER_MODE, parents=True)
        restored = _unpacked(archive, beside, on_progress, passphrase)
        _keep_forgotten(beside, forgotten)
        if to_stay:
            os.sync()  # it is the only copy there now; one of each file would take as long as writing them all again
        if root.exists():
            root.rmdir()
        beside.rename(root)
        if to_stay:
            keep_names(root.parent)
    except (tarfile.TarError, EOFError, OSError, zlib.error, ValueError, OverflowError) as error:
        # The last two: names and times of files that a damaged disk made impossible.
        raise InvalidInput(f"{archive} cannot be restored: {cause_of(error)}. {root} is as it was.") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return restored


def _keep_forgotten(folder: Path, known_by: Sequence[Path]) -> None:
    # Here, for what erases writes backups anew, too.
    from lattice_common.adapters.files.erasing import FileEraser
    from lattice_common.adapters.files.rejection_log import FileRejectionLog

    eraser = FileEraser(folder, folder / "inbox", FileRejectionLog(folder))
    if sum(eraser.ledger.take_over(each) for each in known_by):
        eraser.again_here()


@contextlib.contextmanager
def _opened(archive: Path, passphrase: str | None) -> Iterator[BinaryIO]:
    with archive.open("rb") as file:
        if not is_sealed(file.read(64)):
            file.seek(0)
            yield file
            return
        if not passphrase:
            raise InvalidInput(
                f"{archive} is encrypted: set LATTICE_BACKUP_PASSPHRASE (or LATTICE_BACKUP_PASSPHRASE_FILE) to its passphrase."
            )
        file.seek(0)
        yield opened(file, passphrase, str(archive))


def _unpacked(archive: Path, folder: Path, on_progress: OnProgress, passphrase: str | None) -> Backup:
    files = atoms = 0
    with (
        _opened(archive, passphrase) as plain,
        gzip.open(plain) as unzipped,
        tarfile.open(fileobj=unzipped, mode="r|") as packed,
    ):
        members = iter(packed)  # a stream: each member once
        made_at, held = _label(packed, next(members, None), archive)
        left = ROOM + max(MOST_UNFOLDED * archive.stat().st_size, _room_for(held, folder, archive))
        for member in members:
            name = PurePosixPath(member.name)
            if TEMPORARY_MARK in name.name:
                continue  # left by a crash, which 0.1.0 backed up where it lay beside the folders
            if not member.isfile() or name.is_absolute() or ".." in name.parts:
                raise InvalidInput(f"{archive} holds {member.name}, which is in no backup of Lattice: nothing was restored.")
            left -= member.size
            if left < 0:
                raise InvalidInput(
                    f"{archive} unfolds to more than {MOST_UNFOLDED} times its size, which no backup of Lattice does: nothing "
                    "was restored. If it is yours all the same, unpack it by hand (tar -xzf) into an empty folder."
                )
            content = packed.extractfile(member)
            target = folder / name
            target.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor, not a path
                shutil.copyfileobj(content or io.BytesIO(), file)
            os.utime(target, (member.mtime, member.mtime))
            files += 1
            atoms += member.name.startswith("atoms/")
            if files % 100 == 0:
                on_progress("restoring", files, 0)
        while rest := unzipped.read(1 << 20):  # to its end, where the checksum is
            left -= len(rest)
            if left < 0:
                raise InvalidInput(f"{archive} has more behind its end than a backup of Lattice: nothing was restored.")
    return Backup(made_at, files, atoms)


def _label(packed: tarfile.TarFile, first: tarfile.TarInfo | None, archive: Path) -> tuple[datetime, int]:
    """Return the time in the label, and how many bytes it says to hold: 0 of an earlier version's."""
    content = packed.extractfile(first) if first is not None and first.name == LABEL else None
    if content is None:
        raise InvalidInput(f"{archive} is no backup that `lattice backup` made: look for another one, or unpack it by hand.")
    try:
        label = orjson.loads(content.read())
        if label["format"] > FORMAT:
            raise InvalidInput(f"{archive} was made by Lattice {label['lattice']}: restore it with that version, or a newer one.")
        return datetime.fromisoformat(label["made_at"]), int(label.get("bytes", 0))
    except (ValueError, KeyError, TypeError, AttributeError) as error:  # read before the checksum at the end of the archive
        raise InvalidInput(f"{archive} is damaged: its label cannot be read. Look at its disk, and take another one.") from error


def _room_for(held: int, folder: Path, archive: Path) -> int:
    """Return the bytes that an archive says to hold. Raise `InvalidInput` where the disk has not as much room: so it is never
    filled by what an archive says."""
    free = shutil.disk_usage(folder).free
    if held > free - ROOM:
        raise InvalidInput(f"{archive} holds {held:,} bytes, and {free:,} are free for it: make room, then restore it again.")
    return held


def _names(root: Path, unreadable: list[str]) -> Iterator[str]:
    """Yield files that belong into a backup, relative to the folder: the journal's first. No link is followed; unreadable folders
    are recorded. `spaces` belongs to other owners, who have backups of their own."""

    def noted(error: OSError) -> None:
        if not isinstance(error, (FileNotFoundError, NotADirectoryError)):
            unreadable.append(f"{os.path.relpath(error.filename, root)}: {error.strerror}")

    left_out = DERIVED | OF_A_PROCESS | SECRET | {"journal"} | ({SPACES_FOLDER} if has_spaces(root) else set())
    rest = sorted(each.name for each in root.iterdir() if each.name not in left_out and TEMPORARY_MARK not in each.name)
    for part in ("journal", *rest):
        path = root / part
        if path.is_file() and not path.is_symlink():
            yield part
            continue
        for folder, folders, files in os.walk(path, onerror=noted):
            folders.sort()
            for name in sorted(files):
                file = Path(folder, name)
                if part == ACCESS and name in SECRET:
                    continue
                if TEMPORARY_MARK not in name and not file.is_symlink() and file.is_file():
                    yield file.relative_to(root).as_posix()


def _put(archive: tarfile.TarFile, name: str, content: bytes, mtime: float) -> None:
    archive.addfile(_member(name, len(content), mtime), io.BytesIO(content))


def _member(name: str, size: int, mtime: float) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.mtime, member.mode = size, int(mtime), FILE_MODE
    return member
