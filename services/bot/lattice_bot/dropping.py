"""What is said while the API is away: into the inbox, with the chat it came from in signed metadata.

The signature is an HMAC over bot, chat, message, and a hash of the words, or of the file's bytes, with a key of the bot's own. A
reply goes only where a valid one says, and only for a capture that the bot knows it left: a file that somebody else put into the
inbox, whatever its name and its metadata say, is remembered like any other and never answered.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lattice_common import drop

from lattice_bot.state import State

LOOKS = 3
"""For a file that the inbox moves between being found and being looked at."""


@dataclass(frozen=True, slots=True)
class Left:
    """A capture in the inbox, or where it went from there; `file` are its bytes when it is a file's."""

    body: dict[str, Any]
    key: str
    name: str | None
    file: Path | None
    chat: int


def signed(state: State, bot: int, chat: int, message: int, digest: str) -> dict[str, Any]:
    """Return what goes into a capture's metadata. `digest` is of the words or of the bytes."""
    return {"bot": bot, "chat": chat, "message": message, "signature": _signature(state, bot, chat, message, digest)}


def digest_of(words: str | Path) -> str:
    """Return the SHA-256 of words or of a file, in hex."""
    if isinstance(words, str):
        return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
    with words.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def found(inbox: Path, name: str) -> tuple[drop.Dropped, Path | None] | None:
    """Return what lies under this name, wherever it is by now, and the bytes of its file; whoever put it there."""
    for _ in range(LOOKS):
        there = drop.left(inbox, name)
        if there is None or there[1] is None or (there[1].is_file() and not there[1].is_symlink()):
            return there
    return None


def verified(state: State, bot: int, there: tuple[drop.Dropped, Path | None]) -> Left | None:
    """Return the same, when it is as the bot left it; else None."""
    capture, file = there
    body = dict(capture.body)
    claimed = (body if file is not None else body.get("metadata") or {}).get("telegram")
    if not isinstance(claimed, dict) or not isinstance(claimed.get("chat"), int) or not isinstance(claimed.get("message"), int):
        return None
    digest = digest_of(file if file is not None else words_of(body))
    expected = _signature(state, bot, claimed["chat"], claimed["message"], digest)
    if not hmac.compare_digest(expected, str(claimed.get("signature"))):
        return None
    return Left(body, capture.idempotency_key, capture.name, file, claimed["chat"])


def words_of(body: dict[str, Any]) -> str:
    """Return the words of a body of `POST /api/ingest`."""
    messages = body.get("messages")
    return str(body.get("text") or "") if messages is None else "\n".join(str(each.get("content")) for each in messages)


def _signature(state: State, bot: int, chat: int, message: int, digest: str) -> str:
    return state.signature(f"{bot}:{chat}:{message}:{digest}")
