"""Conversations pasted as text: what `domain.role_labels` tells apart becomes messages, so that nobody's words are taken for
another's."""

from __future__ import annotations

from typing import Any, TypedDict

from lattice_common.domain.capture import Role
from lattice_common.language.role_labels import labelled_turns


class Said(TypedDict):
    """One message, as `POST /api/ingest` takes it."""

    role: Role
    content: str


def messages_of(text: str) -> list[Said]:
    """Return the messages in order; none unless the text begins with a label and both a person and an assistant speak."""
    turns = labelled_turns(text)
    return [Said(role=turn.role, content=text[turn.start : turn.end]) for turn in turns if turn.start < turn.end]


def spoken(text: str) -> dict[str, Any]:
    """Return what `POST /api/ingest` takes of it: the messages that it is, else the text."""
    turns = messages_of(text)
    return {"messages": turns} if turns else {"text": text}
