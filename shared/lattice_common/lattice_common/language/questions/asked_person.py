"""Whom a question asks to be told who they are: "Who is Piet?" asks for Piet; whose name: "What is my boss called?"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_WHO_IS = lazy_regex(
    r"\s*(?:(?:and|so|und|et|y|e|en)\s+)?(?:who(?:\s+(?:is|was|are|were)|['’]?s|['’]re)(?:\s+again)?|wer\s+(?:ist|war|sind)|"
    r"qui\s+(?:est|était|sont)|qui[ée]n\s+(?:es|era)|chi\s+(?:è|e|era)|wie\s+(?:is|was|zijn)|quem\s+(?:é|era)|kim\s+jest|kto\s+to(?:\s+jest)?)"
    r"\s+(?P<whom>[^?.!,;:]+?)(?:\s+(?:again|nochmal|noch\s+mal|déjà))?\s*[?.!]*\s*",
    re.IGNORECASE,
)

_CALLED = lazy_regex(
    r"\s*(?:what(?:\s+(?:is|are|was)|['’]?s|['’]re)\s+(?P<called>[^?.!,;:]+?)\s+(?:called|named)|"
    r"(?:what(?:\s+(?:is|was)|['’]?s)\s+)?(?:the\s+)?names?\s+of\s+(?P<of>[^?.!,;:]+?)|"
    r"what(?:\s+(?:is|was)|['’]?s)\s+(?P<whose>[^?.!,;:]+?)['’]s?\s+(?:first\s+)?name|"
    r"wie\s+hei(?:ß|ss)(?:t|en)\s+(?P<de>[^?.!,;:]+?)|comment\s+s['’]appelle(?:nt)?\s+(?P<fr>[^?.!,;:]+?)|"
    r"c[óo]mo\s+se\s+llaman?\s+(?P<es>[^?.!,;:]+?)|come\s+si\s+chiamano?\s+(?P<it>[^?.!,;:]+?)|"
    r"hoe\s+hee?t(?:en)?\s+(?P<nl>[^?.!,;:]+?)|como\s+se\s+chamam?\s+(?P<pt>[^?.!,;:]+?))\s*[?.!]*\s*",
    re.IGNORECASE,
)


def asked_name(text: str) -> str | None:
    """Return the words for somebody or something whose name is all that a question asks for; None for other questions."""
    match = _CALLED.fullmatch(text)
    return next(filter(None, match.groups())) if match else None


def asked_person(text: str) -> str | None:
    """Return the words for the person of a question that asks for nothing else; None for other questions."""
    match = _WHO_IS.fullmatch(text)
    return match["whom"] if match else None
