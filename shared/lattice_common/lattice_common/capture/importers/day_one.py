"""Entries of journals of Day One, as it exports them (JSON in a zip, a file for each journal)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from lattice_common.capture.importers.items import Item, note

MARKS = (b'"creationDate"', b'"richText"', b'"modifiedDate"', b'"creationDevice')
"""Keys of which an entry has one near its beginning."""

_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>~|])")
_PICTURE = re.compile(r"!\[[^\]\n]{0,200}\]\(dayone-moment:[^()\n]{0,200}\)\s*")


def day_one(export: str, found: Mapping[str, Any]) -> Item:
    """Return an entry: what the owner wrote, on the day it was where it was written."""
    words = found.get("text")
    words = _unescaped(words) if isinstance(words, str) and words.strip() else _rich(found.get("richText"))
    first = words.strip().partition("\n")[0].lstrip("# ")
    date = _local(found.get("creationDate"), found.get("timeZone"))
    tags = [each for each in found.get("tags") or () if isinstance(each, str) and each.strip()]
    if not words.strip() and date:
        return Item(f"the entry of {date[:10]}", skipped="it holds no words")
    return note(export, first[:100], words.strip(), date=date, source_type="markdown", tags=tags or None)


def _unescaped(words: str) -> str:
    """Return markdown without Day One's escapes, which it writes before every full stop, and without its pictures."""
    return _ESCAPED.sub(r"\1", _PICTURE.sub("", words))


def _rich(told: Any) -> str:
    """Return the words of an entry that has them in Day One's own form alone."""
    try:
        parts = json.loads(told)["contents"] if isinstance(told, str) else ()
        return "".join(part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str))
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""


def _local(moment: Any, zone: Any) -> str | None:
    """Return a moment in the time zone in which it was; as it is for a zone that is not known here."""
    try:
        return datetime.fromisoformat(str(moment)).astimezone(ZoneInfo(str(zone))).isoformat()
    except (ValueError, OSError, LookupError):
        return moment if isinstance(moment, str) else None
