"""The shape of a question, the kind of memory that it asks for, and whether it asks how things were: by patterns, in English.

Each function takes the question in lower case, with straight apostrophes.
"""

from __future__ import annotations

import re

from lattice_common.domain.recall import Shape
from lattice_common.language.patterns import lazy_regex

_HOW = lazy_regex(r"\bhow (?:much|many|often)\b", re.IGNORECASE)
"""Question phrases like "who" and "when": an atom that happens to say "much" is no nearer to the answer."""
_TEMPORAL = lazy_regex(
    r"^(and |so |tell me )?(when|since when|until when)\b|"
    r"\b(what (date|day|time|year|month)|how long (ago|has|have|had|did|was|were)|which (year|month))\b"
)
_LISTED = (
    "activities|books|cities|countries|dishes|events|games|hobbies|items|kinds?|movies|films|names|pets|places|recipes|sports|symptoms|"
    "things|types|ways"
)
_AGGREGATION = lazy_regex(
    rf"\b(how (many|much|often)|list|all (the|my|of)|every|count|total|altogether|(what|which) (\w+ )?(\w+ )?({_LISTED}))\b"
)
_PREFERENCE = lazy_regex(
    r"\b(favou?rites?|prefer(s|red|ences?)?|likes?|liked|loves?|enjoys?|hates?|dislikes?|fond of|allergic|fan of)\b"
)
_RECOMMENDATION = lazy_regex(r"\b(recommend(s|ed|ations?)?|suggest(s|ed|ions?)?|advi[sc]e[ds]?|should (i|we)|tips?)\b")
_REPLACEABLE = "address|job|employer|flat|apartment|car|phone|number|doctor|boss|school|plan|name|password|home"
_HISTORY = lazy_regex(
    r"\b(used? to|formerly|previous(ly)?|in the past|history|earlier|back then|original(ly)?|at first|at the beginning|no longer|"
    rf"any ?more|(old|former|last|past) (\w+ )?({_REPLACEABLE})|(did|was|were|had)\b.*\bbefore(?=\s*\??$)|"
    r"before (that|this|then|now|moving|i moved)|changed?)\b"
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("goal", lazy_regex(r"\b(goals?|aims?|plans?|planning|resolutions?)\b")),
    ("reminder", lazy_regex(r"\b(remind|reminders?|to-?dos?)\b")),
    ("decision", lazy_regex(r"\b(decisions?|decided?|decide)\b")),
    ("habit", lazy_regex(r"\b(habits?|routines?|usually|every (day|morning|evening|week))\b")),
    ("recommendation", _RECOMMENDATION),
    ("preference", _PREFERENCE),
    ("event", lazy_regex(r"\b(when did|happened|events?|appointments?|trips?)\b")),
    ("instruction", lazy_regex(r"\b(instructions?|how do i|steps|how to)\b")),
    ("synthesis", lazy_regex(r"\b(summar(y|ies|i[sz]e)|overview|sum(med)? up|in short)\b")),
    ("insight", lazy_regex(r"\b(insights?|ideas?|connections?)\b")),
)
_SHAPES: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    ("temporal", _TEMPORAL),
    ("aggregation", _AGGREGATION),
    ("recommendation", _RECOMMENDATION),
    ("preference", _PREFERENCE),
)
_WAS = lazy_regex(r"\b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|used)\b")


def asked_shape(lowered: str) -> Shape:
    """Return what an answer would look like."""
    return next((shape for shape, pattern in _SHAPES if pattern.search(lowered)), "factual")


def asked_kind(lowered: str) -> str | None:
    """Return the kind of memory that it names, or None."""
    return next((kind for kind, pattern in _KINDS if pattern.search(lowered)), None)


def asks_history(lowered: str) -> bool:
    """Return whether it asks about the past."""
    return _HISTORY.search(lowered) is not None


def asks_how_it_was(lowered: str) -> bool:
    """Return whether it is put in the past tense."""
    return _WAS.search(lowered) is not None


def without_how(text: str) -> str:
    """Return a question without "how much" and its like, in whatever case."""
    return _HOW.sub(" ", text)
