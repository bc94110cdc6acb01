"""What programs for notes write beside the words of one: Joplin's fields behind it, Standard Notes' backup around all of them,
the canvas and the templates of Obsidian."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from lattice_common.capture.importers.items import Item, note

TEMPLATE = "it is a template: what stands in it is filled in where it is used"
LONGEST_TAIL = 4_000
"""How far before the end of a note of Joplin's its fields begin at most."""

_JOPLIN = re.compile(
    r"(?:\A|\n\n)((?:[a-z][a-z_]{1,30}: ?[^\n]*\n)*?id: [0-9a-f]{32}\n(?:[a-z][a-z_]{1,30}: ?[^\n]*\n)*type_: (\d+))\s*\Z"
)
_CREATED = re.compile(r"^(?:user_)?created_time: (\S+)$", re.MULTILINE)
_FILLED_IN = re.compile(r"\{\{\s*(?:date|time|title)\b[^{}\n]{0,60}\}\}|<%[-_*+]?\s*tp\.")
_NOTE_OF_JOPLIN = "1"


def joplin(export: str, name: str, words: str) -> Item | None:
    """Return a note of Joplin's raw export without its fields; None for any other text."""
    tail = max(0, len(words) - LONGEST_TAIL)
    found = _JOPLIN.search(words, tail)
    if found is None:
        return None
    if found[2] != _NOTE_OF_JOPLIN:
        return Item(name, skipped="it is a notebook, a tag or a file of Joplin's, and no note")
    created = _CREATED.search(found[1])
    told = words[: found.start()].strip()
    title, _, rest = told.partition("\n")
    return note(
        export,
        title,
        f"# {title}\n{rest}" if rest.strip() else title,
        date=created[1] if created else None,
        source_type="markdown",
    )


def is_template(words: str) -> bool:
    """Return whether a note is one that others are made of."""
    return _FILLED_IN.search(words) is not None


def standard_note(export: str, found: Mapping[str, Any]) -> Item:
    """Return a note of a backup of Standard Notes; its tags and settings are none."""
    content = found.get("content")
    if found.get("content_type") != "Note":
        return Item(str(found.get("content_type") or "an item"), skipped="it is no note")
    if not isinstance(content, dict):
        return Item("a note", skipped="it is encrypted. Make a backup that is not")
    title, words = str(content.get("title") or ""), str(content.get("text") or "")
    if content.get("trashed"):
        return Item(title or "a note", skipped="it lies in the trash")
    text = f"# {title}\n\n{words}" if title and words.strip() else words or title
    return note(export, title, text, date=str(found.get("created_at") or "") or None, source_type="markdown")


def canvas(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield the cards of a canvas of Obsidian's that hold words; the files that others show are read by themselves."""
    for each in found.get("nodes") or ():
        if isinstance(each, dict) and each.get("type") == "text":
            words = str(each.get("text") or "")
            yield note(export, words[:60], words, source_type="markdown")
        elif isinstance(each, dict) and each.get("type") == "link":
            yield Item(str(each.get("url")), skipped="it is a link on a canvas")
