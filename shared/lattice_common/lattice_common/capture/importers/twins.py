"""Files of an export that hold once more what another one beside them holds: they are left out, with the reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice

KEEP = (b'"textContent"', b'"listContent"', b'"isTrashed"')
"""Keys of which Google Keep's notes have at least one."""
MOST_PROBED = 20
"""How many files of a folder are opened to see whether it is Keep's."""


class Twins:
    """The files of an export by their names, and how the beginning of one is read."""

    def __init__(self, names: Iterable[str], head: Callable[[str], bytes]) -> None:
        self._names = frozenset(names)
        self._head = head

    def reason(self, name: str) -> str | None:
        """Return why a file is left out; None for one that is not."""
        *folders, base = re.split(r"[/\\]", name)
        folder = name.removesuffix(base)
        stem, _, ending = base.rpartition(".")
        if ending in ("html", "htm") and self._holds(f"{folder}{stem}.json", KEEP):
            return "Keep's note is read from the JSON beside it"
        if base == "Labels.txt" and folders and self._is_of_keep(folder):
            return "it lists the labels of Keep's notes, which have them"
        if base in ("index.html", "chat.md") and self._holds(f"{folder}data.json", (b'"reactions"',)):
            return "the chat is read from data.json beside it"
        if base == "index.html" and self._holds(f"{folder}chat.md", (b"[20",)):
            return "the chat is read from chat.md beside it"
        return None

    def _holds(self, name: str, marks: tuple[bytes, ...]) -> bool:
        if name not in self._names:
            return False
        head = self._head(name)
        return any(mark in head for mark in marks)

    def _is_of_keep(self, folder: str) -> bool:
        beside = re.compile(re.escape(folder) + r"[^/\\]+\.json")
        notes = (each for each in self._names if beside.fullmatch(each))
        return any(self._holds(each, KEEP) for each in islice(notes, MOST_PROBED))
