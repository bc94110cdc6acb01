"""What a question asks for: its shape, the kind of atom, whom and which time it is about. Rules only, microseconds."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from lattice_common.domain.atom import normalize_subject
from lattice_common.domain.recall import Query
from lattice_common.language.glosses.gloss import Gloss, english_gloss
from lattice_common.language.glosses.shorthand import spelled_out
from lattice_common.language.questions.anchor import Anchor, anchor_in
from lattice_common.language.questions.asked_period import AskedPeriod, asked_period
from lattice_common.language.questions.asked_slot import asked_slots
from lattice_common.language.questions.asked_status import asked_statuses
from lattice_common.language.questions.shape import asked_kind, asked_shape, asks_history, asks_how_it_was, without_how
from lattice_common.language.sentences.capitals import with_capitals
from lattice_common.language.sentences.respelling import respelled
from lattice_common.language.text import query_tokens
from lattice_common.ports.catalogue import Columns
from lattice_common.recall.question import Question

MAX_QUESTION = 4_000
"""Characters of a question that are read. A question has about 60; a pasted page is searched by its beginning."""
MAX_TOKENS = 128
"""Distinct tokens that are searched for: more cost time and find nothing better."""
MAX_NAME_WORDS = 4
"""Words of the longest name that is looked up ("The Bank of Scotland")."""


def respelled_query(query: Query) -> Query:
    """Return a query as it is written, where it was typed without apostrophes or the capitals of names: "whos our landlord"."""
    if len(query.text) > MAX_QUESTION:
        return query
    text = with_capitals(respelled(query.text))
    return query if text == query.text else replace(query, text=text)


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
        shape=asked_shape(lowered),
        kind=asked_kind(lowered),
        names=_names(text, columns),
        period=period,
        anchor=_anchor(text, gloss) if period is None else None,
        history=asks_history(lowered),
        held_from=held_from(period, lowered, query.as_of or now),
        slots=asked_slots(lowered),
        statuses=asked_statuses(lowered),
    )


def _anchor(text: str, gloss: Gloss | None) -> Anchor | None:
    return anchor_in(text) if gloss is None else anchor_in(gloss.text, text)


def _tokens(text: str, gloss: Gloss | None) -> tuple[str, ...]:
    """Return the tokens to search for: the question's own words, then their English gloss, or its shortened words in full."""
    asked = [text, spelled_out(text) if gloss is None else gloss.every_sense]
    tokens = dict.fromkeys(token for each in asked for token in query_tokens(without_how(each)))
    return tuple(tokens)[:MAX_TOKENS]


def _asked_period(text: str, gloss: Gloss | None, seen_from: datetime) -> AskedPeriod | None:
    """Return the time that a question asks about, read in English where it was glossed: questions name times in more ways than
    statements."""
    said = asked_period(text, seen_from) if gloss is None else asked_period(gloss.text, seen_from, text)
    return said or (asked_period(text, seen_from) if gloss is not None else None)


def held_from(period: AskedPeriod | None, lowered: str, seen_from: datetime) -> float | None:
    """Return when a time began that is over, and for which it is asked how things were, not what happened or was said."""
    if period is None or period.only or period.told or period.last > seen_from.timestamp() or not asks_how_it_was(lowered):
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
