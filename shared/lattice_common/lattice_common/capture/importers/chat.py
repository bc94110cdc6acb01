"""Conversations from a file: one `IngestRequest` for each, in order.

Told apart by their shape, never by the file's name:

- a list of messages, or `{"messages": [...]}`, or a list of those, as JSON or as JSON lines; a message's words may be called
  `content` or `text`, its speaker `name`, `speaker`, `author` or `sender`, its date `observed_at`, `timestamp`, `date` or `time`;
- ChatGPT's export (`conversations.json`);
- LoCoMo's conversations (`session_1`, `session_1_date_time`, …; Maharana et al., ACL 2024);
- WhatsApp's text export; and any text whose lines begin with a name and a colon.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

from lattice_common.capture.importers.json_stream import DEEPEST, MOST_VALUES, is_light
from lattice_common.capture.importers.transcript_text import messages_of_text
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.domain.capture import Role
from lattice_common.errors import InvalidInput

_WORDS = ("content", "text", "body", "message")
_NAMES = ("name", "speaker", "author", "sender", "from")
_DATES = ("observed_at", "timestamp", "date", "time", "created_at", "create_time")
_IDS = ("id", "dia_id", "message_id")
_ROLES: Mapping[str, Role] = {"user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant",
                              "system": "system", "tool": "tool"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Imported:
    """A conversation and the key that makes importing its file twice harmless."""

    request: IngestRequest
    idempotency_key: str


def read_chat(content: bytes, *, name: str) -> list[Imported]:
    """Return the conversations of a file. `name` becomes their `source_id`.

    Raise `InvalidInput` when there is none in it.
    """
    found = [(title, messages) for title, messages in _conversations(content, name) if messages]
    if not found:
        raise InvalidInput(f"{name} holds no conversation: its lines should be JSON messages, or begin with a name and a colon.")
    digest = hashlib.sha256(content).hexdigest()
    named = hashlib.sha256(name.encode()).hexdigest()[:16]  # the name is of the body, so it is of the key too
    return [
        Imported(
            IngestRequest(
                messages=messages,
                source_type="chat",
                priority="bulk",
                metadata=CaptureMetadata(
                    source_id=name,
                    session_id=f"{name}:{title}",
                    title=title,
                    channel="import",
                    observed_at=messages[0].observed_at,
                ),
            ),
            idempotency_key=f"import:{digest}:{named}:{number}",
        )
        for number, (title, messages) in enumerate(found)
    ]


def _conversations(content: bytes, name: str) -> Iterator[tuple[str, list[Message]]]:
    parsed = _json(content)
    if parsed is None:
        yield name, messages_of_text(_text(content, name))
    else:
        yield from _of_json(parsed, name)


def _text(content: bytes, name: str) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{name} is not UTF-8 (byte {error.start}): save it as UTF-8 and import it again.") from error


def _json(content: bytes) -> Any:
    """Return the file as JSON, or as a list of its JSON lines; None when it is neither."""
    body = content.removeprefix(b"\xef\xbb\xbf").strip()
    if not body.startswith((b"{", b"[")):
        return None
    if not is_light(body):
        if body[1:].lstrip()[:1] not in (b"{", b"[", b'"'):
            return None  # a transcript whose lines begin with the time in brackets
        raise InvalidInput(
            f"It has more than {MOST_VALUES:,} values, or more than {DEEPEST} within each other: split it into several files."
        )
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError:
        pass
    try:
        return [orjson.loads(line) for line in body.splitlines() if line.strip()]
    except orjson.JSONDecodeError:
        # A transcript may begin with a bracket: "[10:02] Ada: ..."
        return None


def _of_json(parsed: Any, name: str) -> Iterator[tuple[str, list[Message]]]:
    if isinstance(parsed, list) and parsed and all(_is_message(each) for each in parsed):
        yield name, [_message(each) for each in parsed]
    elif isinstance(parsed, list):
        for number, each in enumerate(parsed, start=1):
            yield from _of_json(each, f"{name}:{number}")
    elif isinstance(parsed, dict):
        title = str(parsed.get("title") or parsed.get("sample_id") or parsed.get("name") or name)
        if isinstance(parsed.get("mapping"), dict):
            yield title, list(_chatgpt(parsed["mapping"]))
        elif isinstance(parsed.get("conversation"), dict):
            yield from _locomo(parsed["conversation"], title)
        elif isinstance(messages := parsed.get("messages"), list):
            yield title, [_message(each) for each in messages if _is_message(each)]
        elif isinstance(parsed.get("conversations"), list):
            yield from _of_json(parsed["conversations"], title)
        elif "session_1" in parsed:
            yield from _locomo(parsed, title)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and any(isinstance(value.get(key), str) for key in _WORDS)


def _message(fields: Mapping[str, Any]) -> Message:
    words = str(_first(fields, _WORDS) or "")
    if caption := fields.get("blip_caption"):
        words += f" [shares {caption}]"
    name = _first(fields, _NAMES)
    identity = _first(fields, _IDS)
    role = _ROLES.get(str(fields.get("role") or name or "user").lower(), "user")
    return Message(
        role=role,
        name=str(name) if name and str(name).lower() not in _ROLES else None,
        content=words,
        observed_at=_date(_first(fields, _DATES)),
        id=str(identity) if identity is not None else None,
    )


def _first(fields: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((fields[key] for key in keys if fields.get(key) not in (None, "")), None)


def _date(value: Any) -> str | None:
    """Return seconds since 1970 as RFC 3339, and text unchanged: `accept` checks all dates."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000 if value > 1e11 else value, UTC).isoformat()
        except (OverflowError, OSError, ValueError):
            return None
    return value if isinstance(value, str) else None


def _locomo(conversation: Mapping[str, Any], title: str) -> Iterator[tuple[str, list[Message]]]:
    number = 1
    while isinstance(turns := conversation.get(f"session_{number}"), list):
        said_at = _locomo_date(str(conversation.get(f"session_{number}_date_time", "")))
        messages = [_message(turn) for turn in turns if _is_message(turn)]
        yield f"{title}:session_{number}", [each.model_copy(update={"observed_at": said_at}) for each in messages]
        number += 1


def _locomo_date(value: str) -> str | None:
    try:
        return datetime.strptime(value, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC).isoformat()
    except ValueError:
        return None


def _chatgpt(mapping: Mapping[str, Any]) -> Iterator[Message]:
    """Yield the messages of an export, along its tree in the order they were written."""
    nodes = [node["message"] for node in mapping.values() if isinstance(node, dict) and isinstance(node.get("message"), dict)]
    for message in sorted(nodes, key=lambda each: float(each.get("create_time") or 0)):
        content = message.get("content")
        parts = content.get("parts", []) if isinstance(content, dict) else []
        words = "\n".join(part for part in parts if isinstance(part, str)).strip()
        author = message.get("author")
        role = _ROLES.get(str(author.get("role")) if isinstance(author, dict) else "user")
        if words and role in ("user", "assistant"):
            yield Message(role=role, content=words, observed_at=_date(message.get("create_time")), id=message.get("id"))
