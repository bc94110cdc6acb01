"""Questions about what an assistant said: "What did it say about the tomatoes?", "What was Claude's advice on the roof?"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import analyze, query_tokens

_NAMES = ("claude", "gemini", "mistral", "grok")
"""Of assistants, and of people and pets."""
_ASSISTANT = r"(?:(?:the|my) (?:assistant|ai|bot|model|chatbot)|chat ?gpt|gpt|claude|gemini|copilot|mistral|grok|perplexity)"
_OF_A_REPLY = lazy_regex(
    rf"\bdid (?:it|you|{_ASSISTANT})\b.*\b(?:say|tell|suggest|recommend|advise|explain|propose|write|answer|reply|mention)\b"
    rf"|\baccording to {_ASSISTANT}\b"
    rf"|\b{_ASSISTANT}(?:['’]s)? (?:said|suggested|recommended|advised|told|explained|reply|answer|advice|recommendations?)\b",
    re.IGNORECASE,
)


def asks_of_a_reply(question: str) -> bool:
    """Return whether a question is of what an assistant said, so that its replies are searched."""
    return _OF_A_REPLY.search(question) is not None


_ASKING = frozenset(
    analyze(
        "did do it you me my the about what which when assistant ai bot model chatbot chat gpt chatgpt claude gemini copilot "
        "mistral grok perplexity say said tell told suggest suggested recommend recommended advise advised advice explain "
        "explained propose write answer reply mention according recommendation idea"
    )
)


def topic_of(question: str) -> frozenset[str]:
    """Return the tokens of a question of what an assistant said, without those that only ask."""
    return frozenset(query_tokens(question)) - _ASKING


def names_an_assistant_of(question: str, told: Iterable[str]) -> bool:
    """Return whether the assistant that a question names has the name of somebody of whom the owner `told`."""
    asked = question.lower()
    named = [name for name in _NAMES if name in asked]
    return bool(named) and any(name in words.lower() for words in told for name in named)
