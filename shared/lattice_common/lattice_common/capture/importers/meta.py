"""Chats of Messenger and Instagram, as Meta exports them (JSON): the latest message first, and each letter that is not English as
the bytes of its UTF-8, one by one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from lattice_common.capture.importers.items import Item, moment
from lattice_common.capture.importers.months import Months
from lattice_common.capture.request import Message

MARKS = (b'"participants"', b'"sender_name"', b'"timestamp_ms"')
"""Keys that a file of a chat has near its beginning."""
_WORDLESS = "pictures, recordings, reactions and what was taken back are not read"
_NAME = re.compile(rb'"name"\s*:\s*"((?:[^"\\]|\\.){1,200})"')


def meta_chat(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield a chat, a conversation each month; what has no words is counted."""
    held = Months(export, _WORDLESS)
    messages = [each for each in found.get("messages") or () if isinstance(each, dict)]
    name = (
        mended(found.get("title")) or ", ".join(mended(each.get("name")) for each in found.get("participants") or ()) or "A chat"
    )
    for said in sorted(messages, key=_when):
        words = mended(said.get("content"))
        if not words.strip() or said.get("is_unsent") or _is_reaction(words):
            held.leave(name)
            continue
        sender = mended(said.get("sender_name"))[:200] or None
        yield from held.take(name, Message(name=sender, content=words, observed_at=moment(said.get("timestamp_ms"))))
    yield from held.rest()


def participants(head: bytes) -> list[str]:
    """Return who takes part in a chat that begins like this."""
    found = _NAME.findall(head.partition(b'"messages"')[0])
    return [mended(json.loads(b'"%s"' % each)) for each in found]


def mended(told: object) -> str:
    """Return words as they were written; as they stand where they are no bytes of UTF-8."""
    if not isinstance(told, str):
        return ""
    try:
        return told.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return told


def _is_reaction(words: str) -> bool:
    """Return whether a message tells that somebody pressed something, in the words that Meta puts in its place."""
    told = words.strip().casefold()
    return told == "liked a message" or (told.startswith("reacted ") and told.endswith((" to your message", " to a message")))


def _when(said: Mapping[str, Any]) -> float:
    value = said.get("timestamp_ms")
    return float(value) if isinstance(value, (int, float)) else 0.0
