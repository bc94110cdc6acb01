"""The engines of a data folder that cannot be written, opened in a temporary folder.

tantivy creates a lock file when it opens an index, and Qdrant Edge opens all its files for writing. So in a temporary folder
every file that an engine only reads is a link, and every one that it opens for writing a copy: a few kilobytes, except for Qdrant
Edge, which is used beyond `LATTICE_DENSE_EXACT_LIMIT` memories, and copied where there is room.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lattice_common.errors import Unavailable

_REPLACED = frozenset(("format", "meta.json", ".managed.json", "made-by.json"))
"""Files that engines replace in one step, or write to."""
_SPARED = 1024 * 1024
"""Bytes that are left free where vectors are copied to."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """`folder` stands for the data folder; `without` says which vectors are missing, and why."""

    folder: Path
    without: str | None

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def make_shadow(root: Path) -> Shadow:
    """Make the temporary folder. Raise `Unavailable` where that cannot be written either."""
    tried: list[str] = []
    for place in _places():
        folder = place / f"lattice-{os.getpid()}-shadow"
        try:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
            return Shadow(folder, _mirror(root / "index", folder / "index"))
        except OSError as error:
            shutil.rmtree(folder, ignore_errors=True)
            tried.append(f"{place}: {error.strerror}")
    raise Unavailable(
        f"nothing can be searched either, for no temporary folder can be written ({'; '.join(tried)}): make room, or set TMPDIR",
        status=507,
    )


def _places() -> list[Path]:
    """Return where temporary files may be; memory last."""
    found = []
    with contextlib.suppress(FileNotFoundError):  # it tries them all, and on a full disk none takes a file
        found.append(Path(tempfile.gettempdir()))
    return [*found, *filter(Path.is_dir, (Path("/dev/shm"),))]  # noqa: S108 - a folder of mode 0700 is made in it


def _mirror(index: Path, to: Path) -> str | None:
    """Return why there are no vectors; None where all could be mirrored."""
    to.mkdir(mode=0o700)
    if (index / "lexical").is_dir():
        _link(index / "lexical", to / "lexical")
        _link(index / "lexical" / "engine", to / "lexical" / "engine")
    without = None
    for dense in sorted(index.glob("dense*")):
        (to / dense.name).mkdir(mode=0o700)
        if (dense / "exact").is_dir():  # serves as long as it is there
            _link(dense / "exact", to / dense.name / "exact")
        elif (dense / "edge").is_dir():
            without = _copy(dense / "edge", to / dense.name / "edge") or without
    if (index / "passages").is_dir():  # with indexes of their own
        without = _mirror(index / "passages", to / "passages") or without
    return without


def _link(source: Path, to: Path) -> None:
    """Link the files of one folder, without locks."""
    to.mkdir(mode=0o700)
    for path in source.iterdir():
        if path.name in _REPLACED:
            shutil.copyfile(path, to / path.name)
        elif path.is_file() and path.suffix != ".lock":
            (to / path.name).symlink_to(path)


def _copy(source: Path, to: Path) -> str | None:
    size = sum(path.stat().st_size for path in source.rglob("*") if path.is_file())
    if size + _SPARED > shutil.disk_usage(to.parent).free:
        return f"{size // 1_000_000} MB of vectors would have to be copied to {to.parent}, which has no room for them"
    shutil.copytree(source, to)
    return None
