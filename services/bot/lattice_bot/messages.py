"""What a message of Telegram's is to the product: its words, whose they are, when they were said, and under which key."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from telegram import (
    Message,
    MessageOriginChannel,
    MessageOriginChat,
    MessageOriginHiddenUser,
    MessageOriginUser,
)

from lattice_bot.dropping import signed
from lattice_bot.state import State

LONGEST_AUTHOR = 200


@dataclass(frozen=True, slots=True)
class Forward:
    """Somebody else's words: who said them, and when."""

    author: str
    date: datetime


def forward_of(message: Message) -> Forward | None:
    """Return None for the owner's own words, also where they forward themselves."""
    origin = message.forward_origin
    match origin:
        case MessageOriginUser(sender_user=sender):
            if message.from_user is not None and sender.id == message.from_user.id:
                return None
            author = sender.full_name
        case MessageOriginHiddenUser(sender_user_name=name):
            author = name
        case MessageOriginChat(sender_chat=chat, author_signature=by) | MessageOriginChannel(chat=chat, author_signature=by):
            author = by or chat.effective_name or "somebody"
        case _:
            return None
    return Forward(author[:LONGEST_AUTHOR], origin.date)


def key_of(bot: int, message: Message, *, update_id: int | None = None, part: str = "") -> str:
    """Return the idempotency key. With an `update_id` that of an edit: each is a capture of its own."""
    edit = f":edit:{update_id}" if update_id is not None else ""
    return f"tg:{bot}:{message.chat_id}:{message.message_id}{part}{edit}"


def said_at(message: Message) -> str:
    """Return when the words were said first, also by another person whose message is forwarded."""
    moment = message.forward_origin.date if message.forward_origin is not None else message.date
    return moment.astimezone(UTC).isoformat()


def facts(state: State, bot: int, message: Message, session_id: str, digest: str) -> dict[str, Any]:
    """Return the metadata of a capture; the same each time it is asked for, so that one key always goes with one body."""
    return {
        "channel": "telegram",
        "session_id": session_id,
        "observed_at": said_at(message),
        "telegram": signed(state, bot, message.chat_id, message.message_id, digest),
    }


def body_of(text: str, known: dict[str, Any], forward: Forward | None) -> dict[str, Any]:
    """Return the body of `POST /api/ingest`. Another's words are a message of theirs, and no statement of the owner's."""
    if forward is None:
        return {"text": text, "metadata": known}
    said = {"role": "user", "name": forward.author, "content": text, "observed_at": forward.date.astimezone(UTC).isoformat()}
    return {"messages": [said], "source": "document", "metadata": {**known, "forwarded_from": forward.author}}
