"""Questions that several statements answer together: a debt, what is left, a total, a count, a list, several parts ("who,
when and for how much"), or the time between two things.

The words are data (`asked_together.json`); a question in another language is read by its gloss. In doubt a question asks for one
thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from lattice_common.language.debts import SOUGHT, asked_debt
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.questions.happenings import begun, happenings_in
from lattice_common.language.stocks import SOUGHT as MOVED_STOCKS
from lattice_common.language.stocks import AskedStock, asked_stock
from lattice_common.language.text import STOP_WORDS, analyze, fold, stem
from lattice_common.language.words import irregular

Gathering: TypeAlias = Literal["debt", "left", "total", "count", "list", "first", "latest"]

LOOKED_AT = 300
"""Characters of a question that are read: patterns may take two passes."""
MOST_PARTS = 4


class _Words(BaseModel):
    """`subordinate`: beginnings of clauses that ask nothing ("when we were away"). `leans`: a clause with such a word refers to
    the one before; `names_itself`: it says what it is about."""

    model_config = ConfigDict(extra="forbid")

    comment: str
    asks: list[str]
    leads: list[str]
    subordinate: list[str]
    leans: list[str]
    names_itself: list[str]
    total: list[str]
    total_implied: list[str]
    counted: list[str]
    rate: list[str]
    counted_past: list[str]
    listed: list[str]
    done: list[str]
    of_a_kind: list[str]
    done_to_much: list[str]
    same_doing: list[str]
    not_of_the_matter: list[str]
    announces: list[str]
    gives_back: list[str]
    takes_in: list[str]
    units: list[str]
    span_between: list[str]
    span_after: list[str]
    span_before: list[str]
    span_when: list[str]
    since_when: list[str]
    ago: list[str]
    occasion: list[str]
    goes_on: list[str]
    lasted: list[str]
    begins: list[str]
    ends: list[str]


_WORDS = _Words.model_validate_json(
    files("lattice_common.language.questions").joinpath("asked_together.json").read_text(encoding="utf-8")
)


def _whole(parts: list[str]) -> re.Pattern[str]:
    pattern = "".join(parts).replace("{asks}", "".join(_WORDS.asks)).replace("{unit}", "".join(_WORDS.units))
    return lazy_regex(pattern, re.IGNORECASE)


TOTAL = _whole(_WORDS.total)
ANNOUNCES, GIVES_BACK, TAKES_IN = map(_whole, (_WORDS.announces, _WORDS.gives_back, _WORDS.takes_in))
BEGINS, ENDS = _whole(_WORDS.begins), _whole(_WORDS.ends)
NOT_OF_THE_MATTER = frozenset(map(stem, "".join(_WORDS.not_of_the_matter).split()))
"""Stems in a question for a total or a count that do not belong to its subject."""
_DONE, _OF_A_KIND = _whole(_WORDS.done), _whole(_WORDS.of_a_kind)
_DONE_TO_MUCH = frozenset(map(stem, "".join(_WORDS.done_to_much).split()))
_SAME_DOING = tuple(frozenset(map(stem, each.split())) for each in _WORDS.same_doing)
_RATE = _whole(_WORDS.rate)
_IMPLIED, _COUNTED, _PAST, _LISTED = map(_whole, (_WORDS.total_implied, _WORDS.counted, _WORDS.counted_past, _WORDS.listed))
LEANS, _NAMES_ITSELF = _whole(_WORDS.leans), _whole(_WORDS.names_itself)
_SPANS = tuple(map(_whole, (_WORDS.span_between, _WORDS.span_after, _WORDS.span_before)))
_WHEN, _GOES_ON, _LASTED = map(_whole, (_WORDS.span_when, _WORDS.goes_on, _WORDS.lasted))
_SINCE_WHEN, _AGO, _OCCASION = map(_whole, (_WORDS.since_when, _WORDS.ago, _WORDS.occasion))
_TIMED = lazy_regex(r"\bwhen\b|\b(?:what|which) (?:day|date)\b", re.IGNORECASE)
_ASKS = "".join(_WORDS.asks)
_JOIN = r"(?:\s*,\s*(?:and |or )?|\s+and (?:also )?|\s*;\s*|\s*\?\s+)"
_SUBORDINATE = "".join(_WORDS.subordinate)
_NEXT = lazy_regex(rf"{_JOIN}(?={_ASKS}\b)(?!{_SUBORDINATE})", re.IGNORECASE)
_ALONE = lazy_regex(rf"^{_ASKS}$", re.IGNORECASE)
_ASKING = lazy_regex(rf"^{_ASKS}(?:'(?:s|d|re|ll|ve|m))?\b", re.IGNORECASE)
_LEADS = _whole(_WORDS.leads)
_HOW_MANY = lazy_regex(r"\bhow many (?!times\b)", re.IGNORECASE)
_MORE = lazy_regex(r"\s*[,;?].*$")
_FORMS = {stem(form): stem(word) for form, word in irregular("en").items()}


@dataclass(frozen=True, slots=True)
class Span:
    """From one thing to another, each as a question that is searched alone; `unit` is the one asked for, if any. Without
    `second`, the duration of the first; `until_now`: the time since the first; `ago`: how long ago that was."""

    first: str
    second: str | None
    unit: str | None
    until_now: bool = False
    ago: bool = False


@dataclass(frozen=True, slots=True)
class Sought:
    """A part as it was said, and as it is searched."""

    said: str
    text: str


@dataclass(frozen=True, slots=True)
class Together:
    """`parts`: questions to be searched one by one, none or at least two, as they were said and with their subject. `english`:
    the question as it was read."""

    english: str
    gathering: Gathering | None = None
    parts: tuple[Sought, ...] = ()
    span: Span | None = None
    stock: AskedStock | None = None

    def widened(self, question: str) -> str:
        """Return the question as it is searched for all that it gathers: a debt or a stock is told in other words than asked
        for."""
        sought = {"debt": SOUGHT, "left": MOVED_STOCKS}.get(self.gathering or "")
        return f"{question} ({sought})" if sought else question

    @property
    def sought(self) -> tuple[Sought, ...]:
        """Return what is searched alone, beside the whole question."""
        if self.span is not None:
            both = (self.span.first, self.span.second)
            others = both[::-1]
            return tuple(
                Sought(text, _with(text, other if other and LEANS.search(text) else None))
                for text, other in zip(both, others, strict=True)
                if text is not None
            )
        return self.parts


@lru_cache(maxsize=256)
def asked_together(question: str) -> Together:
    """Return what a question asks for together. Linear in the first `LOOKED_AT` characters."""
    text = question[:LOOKED_AT]
    english = in_english(text).replace("’", "'").strip()
    bare = _LEADS.sub("", english.rstrip(" ?!."))
    if asked_debt(bare) is not None:
        return Together(english, "debt")
    if (stock := asked_stock(bare)) is not None:
        return Together(english, "left", stock=stock)
    span = _span(bare)
    if span is not None:
        return Together(english, span=span)
    parts = tuple(_parts(bare))[:MOST_PARTS]
    if len(parts) > 1:
        return Together(english, parts=parts)
    return Together(english, _gathering(english.lower()))


def asked_count(english: str) -> tuple[bool, str | None]:
    """Return whether a question in lower case asks how often something happened; and the words of what is counted, where it names
    them."""
    match = _COUNTED.search(english)
    past = _PAST.search(english) is not None and _RATE.search(english) is None
    return match is not None and past, match["what"] if match else None


@dataclass(frozen=True, slots=True)
class Doing:
    """`verbs`: what somebody did, as tokens that mean the same; `rest`: the question without that and without the kind of thing
    that is asked for."""

    verbs: frozenset[str]
    rest: str


def asked_doing(english: str) -> Doing | None:
    """Return what a question in lower case says that somebody did: "read", and "in Zeeland", of "which books did I read in
    Zeeland?", where what was read is a book without being called one. None where the verb says too little ("go", "have")."""
    match = _DONE.search(english)
    tokens = bases(match["verb"]) if match else []
    if match is None or not tokens or tokens[0] in _DONE_TO_MUCH:
        return None
    kind = _OF_A_KIND.match(english)
    rest = f"{english[kind.end() if kind else 0 : match.start('verb')]} {english[match.end('verb') :]}"
    return Doing(next((each for each in _SAME_DOING if tokens[0] in each), frozenset(tokens[:1])), rest)


def asked_occasion(english: str) -> str:
    """Return a question for the first or last time that something was, without the words for that."""
    match = _OCCASION.search(english)
    if match is None:
        return english
    name = "which" if match["which"] else "which2"
    start, end = (match.start(), match.end()) if match["which"] else match.span(name)
    return f"{english[:start]} {english[end:]}"


def as_list(english: str) -> str:
    """Return a question of how many as one for the list of them, which the judge reads better."""
    return _HOW_MANY.sub("which ", english, count=1)


def bases(text: str) -> list[str]:
    """Return the tokens of a text, irregular forms as the word that they are forms of."""
    return [_FORMS.get(token, token) for token in analyze(text)]


def _gathering(lowered: str) -> Gathering | None:
    if TOTAL.search(lowered) or _IMPLIED.search(lowered):
        return "total"
    if asked_count(lowered)[0]:
        return "count"
    occasion = _OCCASION.search(lowered) if _TIMED.search(lowered) else None
    if occasion is not None:
        return "first" if "first" in (occasion["which"], occasion["which2"]) else "latest"
    return "list" if _LISTED.search(lowered) else None


def _with(text: str, other: str | None) -> str:
    """Return what is searched for one end of a span: with what it leans on, and with other words for what happened."""
    further = [each.sought for each in happenings_in(text)]
    return " ".join([text, *(f"({words})" for words in (_about(other) if other else "", ", ".join(further)) if words)])


def _span(bare: str) -> Span | None:
    if (match := _WHEN.match(bare)) and (first := begun(match["state"])):
        return Span(first, _MORE.sub("", match["second"]), match["unit"])
    if match := _SINCE_WHEN.match(bare):
        first = begun(match["state"] or f"{match['who']} {match['verb']} {match['rest']}")
        return Span(first, None, None, until_now=True) if first else None
    if match := _AGO.match(bare):
        return Span(match["first"], None, match["unit"], until_now=True, ago=True)
    if match := _GOES_ON.match(bare):
        first = begun(match["state"])
        return Span(first, None, match["unit"], until_now=True) if first else None
    for pattern in _SPANS:
        if match := pattern.match(bare):
            named = match.groupdict()
            first, second = (named.get(name) or named.get(f"{name}2") for name in ("first", "second"))
            return Span(first or "", _MORE.sub("", second or ""), named.get("unit") or named.get("unit2"))
    match = _LASTED.match(bare)
    return Span(_MORE.sub("", match["matter"]), None, match["unit"]) if match else None


def _parts(bare: str) -> Iterator[Sought]:
    """Yield each clause with its subject: for "when" and "for how much" that of the first clause, for "what does it cost" what
    that names."""
    if not _ASKING.match(bare):
        return
    pieces = [piece.strip(" ,;?") for piece in _NEXT.split(bare)]
    pieces = [piece for piece in pieces if piece]
    # "When and where do they marry?": the clause stands behind the last question word.
    leading = next((place for place, piece in enumerate(pieces) if not _ALONE.match(piece)), None)
    if leading is None:
        return
    clause = _clause(pieces[leading])
    about = _about(clause)
    for place, piece in enumerate(pieces):
        if _ALONE.match(piece):
            yield Sought(piece, f"{piece} {clause}")
        elif place > leading and about and (LEANS.search(piece) or not _names_itself(piece)):
            yield Sought(piece, f"{piece} ({about})")
        else:
            about = _about(_clause(piece)) or about
            yield Sought(piece, piece)


def _clause(piece: str) -> str:
    match = _ASKING.match(piece)
    return piece[match.end() :].strip() if match else piece


def _about(clause: str) -> str:
    return " ".join(word for word in clause.split() if fold(word.strip("?!.,:;\"'()")) not in STOP_WORDS)


def _names_itself(piece: str) -> bool:
    clause = _clause(piece)
    return bool(_NAMES_ITSELF.search(clause)) or any(word[:1].isupper() and word != "I" for word in clause.split())
