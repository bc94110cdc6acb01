"""What a question asks for: its shape, the kind of atom, whom and which time it is about. Rules only, microseconds."""

from __future__ import annotations

import re
from datetime import datetime

from lattice_common.domain.atom import normalize_subject
from lattice_common.domain.recall import Query, Shape
from lattice_common.language.glosses.gloss import Gloss, english_gloss
from lattice_common.language.questions.asked_period import AskedPeriod, asked_period
from lattice_common.language.questions.asked_slot import asked_slots
from lattice_common.language.questions.asked_status import asked_statuses
from lattice_common.language.text import query_tokens
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.anchor import anchor_in
from lattice_common.recall.question import Question

MAX_QUESTION = 4_000
"""Characters of a question that are read. A question has about 60; a pasted page is searched by its beginning."""
MAX_TOKENS = 128
"""Distinct tokens that are searched for: more cost time and find nothing better."""
MAX_NAME_WORDS = 4
"""Words of the longest name that is looked up ("The Bank of Scotland")."""

_HOW = re.compile(r"\bhow (?:much|many|often)\b", re.IGNORECASE)
"""Question phrases like "who" and "when": an atom that happens to say "much" is no nearer to the answer."""
_TEMPORAL = re.compile(
    r"^(and |so |tell me )?(when|since when|until when)\b|"
    r"\b(what (date|day|time|year|month)|how long (ago|has|have|had|did|was|were)|which (year|month))\b"
)
_LISTED = (
    "activities|books|cities|countries|dishes|events|games|hobbies|items|kinds?|movies|films|names|pets|places|recipes|sports|symptoms|"
    "things|types|ways"
)
_AGGREGATION = re.compile(
    rf"\b(how (many|much|often)|list|all (the|my|of)|every|count|total|altogether|(what|which) (\w+ )?(\w+ )?({_LISTED}))\b"
)
_PREFERENCE = re.compile(
    r"\b(favou?rites?|prefer(s|red|ences?)?|likes?|liked|loves?|enjoys?|hates?|dislikes?|fond of|allergic|fan of)\b"
)
_RECOMMENDATION = re.compile(r"\b(recommend(s|ed|ations?)?|suggest(s|ed|ions?)?|advi[sc]e[ds]?|should (i|we)|tips?)\b")
_REPLACEABLE = "address|job|employer|flat|apartment|car|phone|number|doctor|boss|school|plan|name|password|home"
_HISTORY = re.compile(
    r"\b(used? to|formerly|previous(ly)?|in the past|history|earlier|back then|original(ly)?|at first|at the beginning|no longer|"
    rf"any ?more|(old|former|last|past) (\w+ )?({_REPLACEABLE})|(did|was|were|had)\b.*\bbefore(?=\s*\??$)|"
    r"before (that|this|then|now|moving|i moved)|changed?)\b"
)
_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("goal", re.compile(r"\b(goals?|aims?|plans?|planning|resolutions?)\b")),
    ("reminder", re.compile(r"\b(remind|reminders?|to-?dos?)\b")),
    ("decision", re.compile(r"\b(decisions?|decided?|decide)\b")),
    ("habit", re.compile(r"\b(habits?|routines?|usually|every (day|morning|evening|week))\b")),
    ("recommendation", _RECOMMENDATION),
    ("preference", _PREFERENCE),
    ("event", re.compile(r"\b(when did|happened|events?|appointments?|trips?)\b")),
    ("instruction", re.compile(r"\b(instructions?|how do i|steps|how to)\b")),
    ("synthesis", re.compile(r"\b(summar(y|ies|i[sz]e)|overview|sum(med)? up|in short)\b")),
    ("insight", re.compile(r"\b(insights?|ideas?|connections?)\b")),
)
_SHAPES: tuple[tuple[Shape, re.Pattern[str]], ...] = (
    ("temporal", _TEMPORAL),
    ("aggregation", _AGGREGATION),
    ("recommendation", _RECOMMENDATION),
    ("preference", _PREFERENCE),
)


def understand(query: Query, columns: Columns, now: datetime) -> Question:
    """Return the question as understood. Linear in the first `MAX_QUESTION` characters; any text is plain text. `now` carries an
    offset: relative dates count from it, or from `as_of`."""
    text = query.text[:MAX_QUESTION].strip()
    gloss = english_gloss(text)
    # The shape of a question is read in English; names and days in its own language.
    lowered = (gloss.text if gloss else text).lower().replace("’", "'")
    period = _asked_period(text, gloss, query.as_of or now)
    return Question(
        query=query,
        text=text,
        tokens=_tokens(text, gloss),
        shape=next((shape for shape, pattern in _SHAPES if pattern.search(lowered)), "factual"),
        kind=next((kind for kind, pattern in _KINDS if pattern.search(lowered)), None),
        names=_names(text, columns),
        period=period,
        anchor=anchor_in(text) if period is None else None,
        as_of=query.as_of.timestamp() if query.as_of else None,
        history=bool(_HISTORY.search(lowered)),
        held_from=held_from(period, lowered, query.as_of or now),
        slots=asked_slots(lowered),
        statuses=asked_statuses(lowered),
    )


def _tokens(text: str, gloss: Gloss | None) -> tuple[str, ...]:
    """Return the tokens to search for: the question's own words, then their English gloss."""
    asked = [text] if gloss is None else [text, gloss.every_sense]
    tokens = dict.fromkeys(token for each in asked for token in query_tokens(_HOW.sub(" ", each)))
    return tuple(tokens)[:MAX_TOKENS]


def _asked_period(text: str, gloss: Gloss | None, seen_from: datetime) -> AskedPeriod | None:
    """Return the time that a question asks about, read in English where it was glossed: questions name times in more ways than
    statements."""
    said = asked_period(text, seen_from) if gloss is None else asked_period(gloss.text, seen_from)
    return said or (asked_period(text, seen_from) if gloss is not None else None)


_WAS = re.compile(r"\b(?:was|were|wasn't|weren't|did|didn't|had|hadn't|used)\b")


def held_from(period: AskedPeriod | None, lowered: str, seen_from: datetime) -> float | None:
    """Return when a time began that is over, and for which it is asked how things were, not what happened or was said."""
    if period is None or period.only or period.told or period.last > seen_from.timestamp() or not _WAS.search(lowered):
        return None
    return period.first


_POSSESSIVE = re.compile(r"['’]s\b|(?<=s)['’](?=\s|$)")


def _names(text: str, columns: Columns) -> tuple[int, ...]:
    """Return the numbers of the known names in the question, longest first where they overlap. Possessives are stripped."""
    words = normalize_subject(_POSSESSIVE.sub("", text)).split()
    found: list[int] = []
    at = 0
    while at < len(words):
        for length in range(min(MAX_NAME_WORDS, len(words) - at), 0, -1):
            number = columns.names.get(" ".join(words[at : at + length]))
            if number is not None:
                found.append(number)
                at += length - 1
                break
        at += 1
    return tuple(dict.fromkeys(found))
