"""Which program an export is of, by its beginning and the names in it: with its name that is what an import is called.

"conversations.json" is what ChatGPT and Claude both call theirs, so a name alone would take back the imports of both.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

NOTION_PAGE = re.compile(r" [0-9a-f]{32}(?:_all)?\.(?:md|csv|html)\Z")
"""What Notion calls its pages: their names, and 32 hexadecimal digits."""
NOTION_PART = re.compile(r"(?:\A|/)ExportBlock-[0-9a-f-]+-Part-\d+\.zip\Z")
"""What Notion calls the zips within the zip of a large export."""

_MARKS: Final = (
    (b'"chat_messages"', "Claude"),
    (b'"mapping"', "ChatGPT"),
    (b'"Gemini', "Gemini"),
    (b'"Bard"', "Gemini"),
    (b'"personal_information"', "Telegram"),
    (b'"from_id"', "Telegram"),
    (b'"entityType"', "MCP memory"),
    (b'"relationType"', "MCP memory"),
    (b'"memory"', "mem0"),
    (b'"isTrashed"', "Google Keep"),
    (b'"textContent"', "Google Keep"),
    (b"Book Title", "Readwise"),
    (b"time_added", "Pocket"),
)
"""What stands at the beginning of each program's export; the first that is there counts."""

PROGRAMS: Final = tuple(dict.fromkeys([*(program for _, program in _MARKS), "Obsidian", "Notion"]))
LONGEST_NAME = 480
"""Characters of a name that are kept: with a program behind it, fewer than a source may have."""


def program_of(head: bytes) -> str | None:
    """Return whose export begins like this, of a file that has the shape of one."""
    return next((program for mark, program in _MARKS if mark in head), None)


def program_named(names: Iterable[str]) -> str | None:
    """Return whose export holds files with these names, where they tell."""
    for name in names:
        if "/.obsidian/" in f"/{name}":
            return "Obsidian"
        if NOTION_PAGE.search(name) or NOTION_PART.search(name):
            return "Notion"
    return None


def source_of(name: str, program: str | None) -> str:
    """Return the source that all of an import has: what was brought is called, and of which program it is."""
    return f"{name[:LONGEST_NAME]} ({program})" if program else name[:500]


def sources_named(name: str) -> list[str]:
    """Return all sources that an import of this name may have; the name alone is that of an earlier version."""
    return [name, *(source_of(name, program) for program in PROGRAMS)]
