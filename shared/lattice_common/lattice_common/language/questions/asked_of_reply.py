"""Questions about what an assistant said: "What did it say about the tomatoes?", "What was Claude's advice on the roof?"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

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
