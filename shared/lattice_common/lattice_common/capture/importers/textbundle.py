"""Notes as TextBundle packs them (textbundle.org), as Bear exports all of its own: a folder with the words in `text.md`, what is
said of them in `info.json`, and what is attached in `assets`; zipped, one is a `.textpack` and many are a `.bear2bk`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from lattice_common.capture.importers.items import moment

ZIPPED: Final = (".bear2bk", ".bearbk", ".textpack")
"""What zips of bundles are called."""

_INFO, _FOLDER = "info.json", ".textbundle"
_WORDS = re.compile(r"text\.(?P<ending>[A-Za-z]{1,12})")
_BEAR = "net.shinyfrog.bear"
_MARKS = (b'"net.daringfireball.', b'"creatorIdentifier"', b'"transient"')
"""What tells the description of a bundle in a folder of another name."""
LONGEST_INFO = 65_536
"""Bytes of a description that are read; Bear's have 500."""


@dataclass(frozen=True, slots=True)
class Bundled:
    """The words of a bundle, as the note that they are: what it is called as a file, when it was written, why it is left out."""

    name: str
    written: str | None = None
    skipped: str | None = None


class Bundles:
    """The bundles among the files of an export, by their names and by how the beginning of one is read."""

    def __init__(self, names: Iterable[str], head: Callable[[str], bytes], called: str = "") -> None:
        """`called` is the export itself, which may be one bundle."""
        self._head = head
        self._called = called
        self._folders = {name.removesuffix(_INFO) for name in names if _parts(name)[1] == _INFO}
        self._known: dict[str, bytes | None] = {}

    def describes(self, name: str) -> bool:
        """Return whether a file says something of a bundle, and is none to be read."""
        folder, base = _parts(name)
        return base == _INFO and self._info(folder) is not None

    def words(self, name: str) -> Bundled | None:
        """Return what is known of the words of a bundle; None for any other file."""
        folder, base = _parts(name)
        found = _WORDS.fullmatch(base)
        if found is None or (info := self._info(folder)) is None:
            return None
        stem = _parts(folder.rstrip("/\\"))[1] or self._called
        for ending in (_FOLDER, *ZIPPED, ".zip"):
            stem = stem[: -len(ending)] if stem.lower().endswith(ending) else stem
        told = _read(info)
        if told.get("trashed") in (1, True):
            return Bundled(stem, skipped="it lies in Bear's trash")
        dates = (_date(told.get(each)) for each in ("creationDate", "modificationDate"))
        return Bundled(f"{stem}.{found['ending']}", next(filter(None, dates), None))

    def _info(self, folder: str) -> bytes | None:
        """Return the description of the bundle that a folder is; None for one that is none."""
        if folder not in self._folders:
            return None
        if folder not in self._known:
            content = self._head(f"{folder}{_INFO}")
            is_bundle = folder.lower().rstrip("/\\").endswith(_FOLDER) or any(mark in content for mark in _MARKS)
            self._known[folder] = content if is_bundle else None
        return self._known[folder]


def is_bundled(name: str) -> bool:
    """Return whether a file is the description of a bundle by its name alone."""
    folder, base = _parts(name)
    return base == _INFO and folder.lower().rstrip("/\\").endswith(_FOLDER)


def _date(value: Any) -> str | None:
    """Return a moment as RFC 3339; None for what is none."""
    found = moment(value)
    try:
        return found if found and datetime.fromisoformat(found) else None
    except ValueError:
        return None


def _parts(name: str) -> tuple[str, str]:
    """Return the folder of a file, with the mark behind it, and how it is called in it."""
    at = max(name.rfind("/"), name.rfind("\\")) + 1
    return name[:at], name[at:]


def _read(info: bytes) -> Mapping[str, Any]:
    """Return what is said of a bundle, with what its program says of it; nothing where it cannot be read."""
    try:
        found = json.loads(info)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(found, dict):
        return {}
    of_program = [found.get(str(found.get("creatorIdentifier"))), found.get(_BEAR)]
    return {**found, **next((each for each in of_program if isinstance(each, dict)), {})}
