"""What a file in the inbox is, by its name: a capture that `lc` left, the bytes beside one, unfinished, or a plain file."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from lattice_common.capture.dropped import BESIDE, ENDING
from lattice_common.domain.capture import SourceType

Named: TypeAlias = Literal["capture", "beside", "file", "ignored"]

TEXT: dict[str, SourceType] = {"md": "markdown", "markdown": "markdown", "txt": "plain", "text": "plain"}
"""Endings of files that may be the owner's own notes."""

# What browsers, editors and synchronisers call a file that they have not finished.
_UNFINISHED = re.compile(
    r"^(?:~\$.*|.*~|.*\.(?:part|partial|crdownload|download|opdownload|tmp|temp|swp|swx|lock|filepart|!ut)|~syncthing~.*"
    r"|\.syncthing\..*|.*\.sync-conflict-tmp.*|.*\.~[0-9a-f]+|_unfinished.*|thumbs\.db|desktop\.ini)$",
    re.IGNORECASE,
)
LONGEST_NAME = 200
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def named(path: str) -> Named:
    """Return what a file is, by the last part of its path."""
    name = path.rpartition("/")[2]
    if name.startswith(".") or _UNFINISHED.match(name):
        return "ignored"
    if name.endswith(ENDING):
        return "capture"
    return "beside" if name.endswith(BESIDE) else "file"


def ending_of(name: str) -> str:
    """Return the ending in lower case, without the dot."""
    return name.rpartition(".")[2].lower()


def shown(path: str) -> str:
    """Return a name fit to be shown: one line, no characters that hide or reorder others, valid Unicode, not too long."""
    name = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    name = _UNPRINTABLE.sub("\ufffd", name)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME // 2]}…{name[-LONGEST_NAME // 2 :]}"
