"""Conversations pasted as text: `User: …` and `Assistant: …`, or `You said:` and `ChatGPT said:`, become messages, so that
nobody's words are taken for another's.

Only labels that name a role count here, and each begins a line. Speakers with names (`Ada: …`) are told apart by the product
itself, which looks at how often they come again.
"""

from __future__ import annotations

import re
from typing import Any, Literal, TypedDict

Role = Literal["user", "assistant", "system", "tool"]

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "me": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "claude": "assistant",
    "chatgpt": "assistant",
    "gemini": "assistant",
    "copilot": "assistant",
    "model": "assistant",
    "you said": "user",
    "chatgpt said": "assistant",
    "claude said": "assistant",
    "gemini said": "assistant",
    "copilot said": "assistant",
    "system": "system",
    "tool": "tool",
}

_LABEL = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]+)?[*_]{0,2}(?P<name>" + "|".join(_ROLES) + r")[*_]{0,2}[ \t]*:[*_]{0,2}(?:[ \t]+|$)",
    re.IGNORECASE | re.MULTILINE,
)


class Said(TypedDict):
    """One message, as `POST /api/ingest` takes it."""

    role: Role
    content: str


def messages_of(text: str) -> list[Said]:
    """The messages in order; none unless the text begins with a label and both a person and an assistant speak."""
    labels = list(_LABEL.finditer(text))
    if not labels or text[: labels[0].start()].strip():
        return []
    ends = [label.start() for label in labels[1:]] + [len(text)]
    said = [
        Said(role=_ROLES[label["name"].lower()], content=text[label.end() : end].strip())
        for label, end in zip(labels, ends, strict=True)
    ]
    said = [each for each in said if each["content"]]
    return said if {"user", "assistant"} <= {each["role"] for each in said} else []


def spoken(text: str) -> dict[str, Any]:
    """What `POST /api/ingest` takes of it: the messages that it is, else the text."""
    turns = messages_of(text)
    return {"messages": turns} if turns else {"text": text}
