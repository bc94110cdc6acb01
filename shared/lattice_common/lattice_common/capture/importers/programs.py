"""Which program an export is of, by its beginning and the names in it: with its name that is what an import is called.

"conversations.json" is what ChatGPT and Claude both call theirs, so a name alone would take back the imports of both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Final

from lattice_common.capture.importers import meta
from lattice_common.capture.importers.twins import TELEGRAM
from lattice_common.capture.importers.whatsapp import MOST_SPEAKERS, is_whatsapp, speakers

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
    (b"<en-export", "Evernote"),
    (b'"sender_name"', "Meta"),
    (b'"text/x-moz-place', "Firefox"),
    (b'"content_type"', "Standard Notes"),
    (b'"entries"', "Day One"),
)
"""What stands at the beginning of each program's export; the first that is there counts."""

_TITLE: Final = re.compile(rb'"(?:name|first_name)"\s*:\s*"((?:[^"\\]|\\.){1,200})"')
NAMELESS = ("_chat", "chat")
"""What WhatsApp calls every chat within its own zip: such a one is called by its folder, or by who speaks in it."""
LONGEST_WHOSE = 100
LONGEST_SHARED = 390
"""Characters of a name that every source of an import of that name begins with."""
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


def whose(head: bytes, name: str) -> str | None:
    """Return the program and whose chats a file holds that begins like this, where its program calls all such files alike: with
    whom the one chat is, or whose account it is. None where the name of the file tells it, or nothing does."""
    if any(mark in head for mark in TELEGRAM):
        found = _TITLE.search(head.partition(b'"messages"')[0])
        try:
            title = str(json.loads(b'"%s"' % found[1])).strip() if found else ""
        except ValueError:
            return None
        return f"Telegram: {title}"[:LONGEST_WHOSE] if title else None
    if all(mark in head for mark in meta.MARKS):
        return f"Meta: {' and '.join(meta.participants(head)[:MOST_SPEAKERS])}"[:LONGEST_WHOSE]
    text = head.decode("utf-8", "ignore")
    if name.rpartition(".")[0] not in NAMELESS or not is_whatsapp(text):
        return None
    return f"WhatsApp: {' and '.join(speakers(text))}"[:LONGEST_WHOSE]


def source_of(name: str, program: str | None) -> str:
    """Return the source that all of an import has: what was brought is called, and of which program it is, or whose."""
    if not program:
        return name[:500]
    return f"{name[: min(LONGEST_NAME, 497 - len(program))]} ({program})"


def is_called(source: str, name: str) -> bool:
    """Return whether a source is of an import of this name, whatever stands behind it."""
    return source == name or (source.startswith(f"{name[:LONGEST_SHARED]} (") and source.endswith(")"))
