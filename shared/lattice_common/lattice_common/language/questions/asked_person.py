"""Whom a question asks to be told who they are: "Who is Piet?" asks for Piet."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_WHO_IS = lazy_regex(
    r"\s*(?:(?:and|so|und|et|y|e|en)\s+)?(?:who(?:\s+(?:is|was|are|were)|['’]?s|['’]re)(?:\s+again)?|wer\s+(?:ist|war|sind)|"
    r"qui\s+(?:est|était|sont)|qui[ée]n\s+(?:es|era)|chi\s+(?:è|e|era)|wie\s+(?:is|was|zijn)|quem\s+(?:é|era)|kim\s+jest|kto\s+to(?:\s+jest)?)"
    r"\s+(?P<whom>[^?.!,;:]+?)(?:\s+(?:again|nochmal|noch\s+mal|déjà))?\s*[?.!]*\s*",
    re.IGNORECASE,
)


def asked_person(text: str) -> str | None:
    """Return the words for the person of a question that asks for nothing else; None for other questions."""
    match = _WHO_IS.fullmatch(text)
    return match["whom"] if match else None
