"""Conversations with an assistant, pasted as text: `User: …` and `Assistant: …`, or `You said:` and `ChatGPT said:` as pages copy
them. The speakers are separated here for every door, so that nobody's words are attributed to another.

Only labels that name a role count, at the beginning of a line. Speakers with names (`Ada: …`) are separated in segmenting, which
counts how often they recur.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from lattice_common.domain.capture import Role, Turn
from lattice_common.language.patterns import lazy_regex, uncased

ROLES: Mapping[str, Role] = {
    "user": "user", "human": "user", "me": "user", "you": "user", "assistant": "assistant", "ai": "assistant", "bot": "assistant",
    "claude": "assistant", "chatgpt": "assistant", "gemini": "assistant", "copilot": "assistant", "model": "assistant",
    "you said": "user", "chatgpt said": "assistant", "claude said": "assistant", "gemini said": "assistant",
    "copilot said": "assistant", "system": "system", "tool": "tool", "owner": "user", "ich": "user", "yo": "user", "moi": "user",
    "io": "user", "assistent": "assistant", "asistente": "assistant", "assistente": "assistant", "ki": "assistant",
}  # fmt: skip
"""Roles by label, in lower case."""

_LABEL = lazy_regex(
    r"^[ \t]*(?:#{1,6}[ \t]+)?[*_]{0,2}(?P<name>" + "|".join(ROLES) + r")[*_]{0,2}[ \t]*:[*_]{0,2}(?:[ \t\r]+|$)",
    re.IGNORECASE | re.MULTILINE,
)


def labelled_turns(text: str) -> tuple[Turn, ...]:
    """Return the turns in order, each the words between two labels, without the white space around them (a label may have none);
    empty unless the text begins with a label, and both a person and an assistant speak."""
    if _LABEL.match(text.lstrip()) is None:
        return ()
    labels = list(_LABEL.finditer(text))
    if not labels or text[: labels[0].start()].strip():
        return ()
    stops = [*(label.start() for label in labels[1:]), len(text)]
    turns = tuple(_turn(text, label, stop) for label, stop in zip(labels, stops, strict=True))
    return turns if {"user", "assistant"} <= {turn.role for turn in turns if turn.start < turn.end} else ()


def _turn(text: str, label: re.Match[str], stop: int) -> Turn:
    words = text[label.end() : stop]
    said = words.strip()
    start = label.end() + (len(words) - len(words.lstrip()) if said else 0)
    return Turn(start, start + len(said), ROLES[uncased(label["name"])])
