"""Whether what was found answers a question about what was told, as one probability.

Near misses are what is hard: "What breed is Bella?" where only her age is known finds all that was told of Bella. Trees
(`answerable.json`, made by `bench/fit_answerable.py`) weigh what the judge makes of the best statements, how near they are, and
which of them hold such a value as is asked for at all. That a statement is near, or has the question's words, may count against
an answer where the judge has read it: what is asked in vain is near. Talk keeps the signs of `recall.confidence`: the judge has
not learned it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lattice_common.domain.recall import Selected
from lattice_common.domain.score import Sureness
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.names import names_of
from lattice_common.language.people.phrases import OWNER, phrases_of
from lattice_common.language.people.words import cut
from lattice_common.language.questions.asked_value import (
    AskedValue,
    asked_value,
    holds_value,
    says_age_of,
    without_ages_of_others,
)
from lattice_common.language.text import analyze, query_tokens
from lattice_common.recall.question import Floats, Question, Search
from lattice_common.recall.reading import log_odds_of

READ = 8
"""Best statements that are looked at; of twelve the judge finds no more."""
COSINE_UNKNOWN = 0.15
_OF_AGE = frozenset(query_tokens("how old years age"))
_NO_JUDGEMENT = -12.0
"""Below any log-odds that the judge gives: no such statement was read."""
_ALONE = -10.0
"""For the next after the only statement."""


@dataclass(frozen=True, slots=True)
class Found:
    """One of the best statements: its words, its cosine, and how much of the question's rare words it has."""

    content: str
    cosine: float
    rare: float


@dataclass(frozen=True, slots=True)
class Signs:
    """Of the whole search; see `recall.confidence.signs`."""

    slot: float = 0.0
    absent: float = 0.0
    literal: float = 0.0


WITHOUT_JUDGE = (
    "cosine_holding", "cosine_lacking", "cosine", "covered_holding", "covered_lacking", "covered", "rare", "first_holds",
    "nearest_holds", "most_covered_holds", "asks_value", "slot", "absent", "literal",
)  # fmt: skip
FEATURES = (
    *WITHOUT_JUDGE, "judged", "judged_first", "judged_holding", "judged_most_covered", "judged_mean", "judged_named",
    "judged_lacking", "ahead", "surest_at", "covered_by_surest", "cosine_of_surest", "rare_in_surest", "covered_by_all",
)  # fmt: skip
"""`judged`: the largest of the judge's log-odds; `_named`: of statements that have every name in the question; `ahead`: over the
next; `surest`: the statement that it gives them to, and where that stands in the order."""
NEVER_AGAINST = (
    "rare", "first_holds", "nearest_holds", "most_covered_holds", "slot", "literal", "judged", "judged_first", "judged_holding",
    "judged_most_covered", "judged_mean", "judged_named",
)  # fmt: skip
NEVER_AGAINST_ALONE = ("cosine_holding", "cosine", "covered_holding", "covered")
"""Without the judge."""
NEVER_FOR = ("cosine_lacking", "covered_lacking", "absent")


_COSINE, _COVERED, _ASKS_VALUE, _COSINE_HOLDING = (
    FEATURES.index(name) for name in ("cosine", "covered", "asks_value", "cosine_holding")
)
FAR, FAR_LACKING, FAR_UNNAMED = 0.15, 0.25, 0.3
"""Cosine below which what shares no word with a question likely has nothing to do with it; `FAR_LACKING`: where none holds such a
value as is asked for, either; `FAR_UNNAMED`: where none of the names in the question was said. Trees see too few such to split
there."""
FAR_DOUBT, AGE_DOUBT = 1.5, 1.0
"""What such a distance, or that no statement of whom is asked about gives an age, counts against an answer, in log-odds. Either
refused by itself once: of 1,117 questions with an answer 56, "What does he do?", "Wie alt war das Tier im September?" among
them."""
ALWAYS_WRITTEN: frozenset[AskedValue] = frozenset(("phone", "e-mail", "blood type", "side"))
"""Values of which every form is known: without one nothing answers. Of 17 questions for them that the samples of
`bench.fit_answerable` answer each is answered by one, and of 107 near misses 52 find none."""
SURELY = 3.0
"""How far from the floor is what is certain without trees."""


def best_found(search: Search) -> list[Found]:
    """Return the best statements of a search, memories only."""
    return _found(search, search.chosen)


def older_first(search: Search) -> list[Found]:
    """Return the best statements with each that may be outdated in the place of what may have outdated it: as they were found.
    Nothing where none may be."""
    by_newer = {each.outdated_by: each for each in reversed(search.chosen) if each.outdated_by}
    order = dict.fromkeys(one.atom.atom_id for each in search.chosen for one in (by_newer.get(each.atom.atom_id, each), each))
    by_id = {each.atom.atom_id: each for each in search.chosen}
    return _found(search, [by_id[each] for each in order]) if by_newer else []


def _found(search: Search, chosen: Sequence[Selected]) -> list[Found]:
    ranked = search.ranked
    if ranked is None:
        return []
    candidates, row_of = ranked.candidates, search.columns.row_of
    found = []
    for each in [each for each in chosen if each.atom.atom_id not in search.of_others][:READ]:
        at = np.flatnonzero(candidates.rows == row_of.get(each.atom.atom_id, -1))
        cosine = float(candidates.cosine[at[0]]) if len(at) else math.nan
        rare = float(candidates.covered[at[0]]) if len(at) else 0.0
        found.append(Found(each.atom.content, COSINE_UNKNOWN if math.isnan(cosine) else cosine, rare))
    return found


def features(question: str, found: Sequence[Found], signs: Signs, chances: Sequence[float] | None) -> Floats:
    """Return one row for `FEATURES`, or without `chances`, those of the judge, for `WITHOUT_JUDGE`. Something was found."""
    value = asked_value(question)
    asked = set(query_tokens(question))
    cosines = [each.cosine for each in found]
    said = [set(analyze(each.content)) for each in found]
    covered = [len(asked & tokens) / max(len(asked), 1) for tokens in said]
    holding = [value is None or holds_value(each.content, value, question) for each in found]
    nearest, most = int(np.argmax(cosines)), int(np.argmax(covered))
    row = [
        _best(cosines, holding, 0.0),
        _best(cosines, [not each for each in holding], 0.0),
        max(cosines),
        _best(covered, holding, 0.0),
        _best(covered, [not each for each in holding], 0.0),
        max(covered),
        max(each.rare for each in found),
        holding[0],
        holding[nearest],
        holding[most],
        value is not None,
        signs.slot,
        signs.absent,
        signs.literal,
    ]
    if chances is not None:
        odds = log_odds_of(chances)
        named = {token for name in names_of(question) for token in analyze(name.word)}
        surest = int(np.argmax(odds))
        row += [
            max(odds),
            odds[0],
            _best(odds, holding, _NO_JUDGEMENT),
            odds[most],
            sum(odds) / len(odds),
            _best(odds, [named <= tokens for tokens in said], _NO_JUDGEMENT),
            _best(odds, [not each for each in holding], _NO_JUDGEMENT),
            max(odds) - max((each for at, each in enumerate(odds) if at != surest), default=_ALONE),
            surest,
            covered[surest],
            found[surest].cosine,
            found[surest].rare,
            len(asked & set().union(*said)) / max(len(asked), 1),
        ]
    return np.array([row], dtype=np.float64)


def log_odds(search: Search, signs: Signs, sureness: Sureness) -> float:
    """Return how far above the floor it is, in log-odds: below 0 nothing known answers the question. What speaks of others
    than it asks about does not. Where something newer stands in another's place, what it stands for counts as much."""
    orders = [each for each in (best_found(search), older_first(search)) if each]
    return max((_log_odds(search, found, signs, sureness) for found in orders), default=-SURELY)


def _log_odds(search: Search, found: Sequence[Found], signs: Signs, sureness: Sureness) -> float:
    text = search.question.text
    reading = search.reading
    known = age_known(search.question, found, is_read=reading is not None)
    if known:
        return SURELY
    chances = None if reading is None else reading.answers(text, [each.content for each in found])
    value = asked_value(text)
    if value is not None and value in ALWAYS_WRITTEN and not any(holds_value(each.content, value, text) for each in found):
        return -SURELY
    row = features(text, found, signs, chances)
    doubt = doubt_of(row, found, signs, lacks_age=known is False)
    if chances is None:
        return -SURELY if doubt else float(sureness.unjudged.scores(row)[0]) - sureness.unjudged_floor
    return float(sureness.judged.scores(row)[0]) - sureness.judged_floor - doubt


def doubt_of(row: Floats, found: Sequence[Found], signs: Signs, *, lacks_age: bool) -> float:
    """Return what counts against an answer beside the trees, in log-odds."""
    if lacks_age:
        return AGE_DOUBT
    lacking = row[0, _ASKS_VALUE] and not row[0, _COSINE_HOLDING]
    nearest = FAR_UNNAMED if signs.absent == 1.0 else FAR_LACKING if lacking else FAR
    far = row[0, _COSINE] < nearest or all(each.cosine == COSINE_UNKNOWN for each in found)
    return FAR_DOUBT if far and not row[0, _COVERED] else 0.0


def named_in(question: Question) -> list[str]:
    """Return the names in a question, relatives' among them ("mum"), and the other names of those whom it means."""
    kin = [each.word for each in phrases_of(cut(question.text), OWNER) if each.role.kin]
    return [name.word for name in names_of(question.text)] + kin + [name for each in question.meant for name in each.names]


def age_known(question: Question, found: Sequence[Found], *, is_read: bool) -> bool | None:
    """Return whether the statements say how old whom the question asks about is; None where it asks for something else, they may,
    or it names nobody and the judge has read them, or it asks about nobody in particular."""
    if asked_value(question.text) != "age":
        return None
    named = named_in(question)
    if any(says_age_of(name, each.content) for name in named for each in found):
        return True
    asked = {token for name in named for token in analyze(name)}
    if not asked and is_read:
        return None  # whom "his sister" means is told by what is read, better than by such words
    if not asked:
        of_somebody = set(query_tokens(in_english(question.text))) - _OF_AGE
        asked = set(question.tokens) - _OF_AGE if of_somebody else set()  # nobody is left of "how old am I"
    by_name = bool(names_of(question.text))  # "my wife" is whoever the statement names
    ages = [(each.content, without_ages_of_others(each.content, named) if by_name else each.content) for each in found]
    held = [set(analyze(content)) for content, own in ages if holds_value(own, "age", question.text)]
    return None if not asked or any(asked & tokens for tokens in held) else False


def _best(values: Sequence[float], counted: Sequence[bool], otherwise: float) -> float:
    return max((value for value, counts in zip(values, counted, strict=True) if counts), default=otherwise)
