"""Elliptical questions: "and in June?", "what about Ben?", "why?", completed from the question before."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from lattice_common.domain.recall import Exchange
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.people.coreference import Candidate, candidates

Sort: TypeAlias = Literal["why", "time", "place", "thing", "before", "other"]


@dataclass(frozen=True, slots=True)
class Fragment:
    """The words without "and" and "what about": a question word, a time, a place, another person or thing, or "before"."""

    sort: Sort
    words: str


_LONGEST = 8
"""Words of a fragment."""
SHORTEST_COMPLETED = 3
"""Least words of a question that can be completed: "ok" and "address" cannot."""
_ANY_DAY = datetime(2026, 6, 15, tzinfo=UTC)
"""An arbitrary day: it only matters whether a phrase names a time."""
_LEAD = lazy_regex(r"^(?:(?:and|but|so|ok|okay|or)[, ]+)?(?:what about|how about)\s+|^(?:and|or)[, ]+", re.IGNORECASE)
_BARE = lazy_regex(
    r"^(?:(?:since|until|by|from) when|(?:when|where|how) exactly|why not|how come|with who|what time"
    r"|(?:with|for|from|by|to|in|on|at|of) (?:whom|which \w+|what(?: \w+)?|how (?:much|many|long))|which (?:day|year|month|time)"
    r"|how (?:long|often|much|many|far|badly|old|big|late|soon|well)(?: exactly)?|why|when|where|who|how)$",
    re.IGNORECASE,
)
_WHEN_WAS_THAT = lazy_regex(r"^(why|when|where|how) (?:was|is|were|did) (?:that|this)(?: happen)?$", re.IGNORECASE)
_AUXILIARY = lazy_regex(
    r"^(?:is|are|was|were|do|does|did|has|have|had|will|would|can|could|should|may|might|am)\b", re.IGNORECASE
)
_PLACE = lazy_regex(r"^(?:in|at|near|from|to)\s+(?:the\s+)?[A-Z][\w-]+(?:\s[A-Z][\w-]+)?$")
_THING = lazy_regex(r"^(?:(?:my|our|the|your|a|an|his|her|their)\s+|(?=[A-Z0-9]))[\w'’-]+(?:\s[\w'’-]+){0,3}$")
_PREPOSITION = lazy_regex(r"^(?:in|at|on|from|to|by|since|until|during|for|near)\s+", re.IGNORECASE)
_ASKS_WHEN = lazy_regex(r"^(?:since |until )?(?:when|what (?:day|date|time|year))\b", re.IGNORECASE)
_ASKS_WHERE = lazy_regex(r"^(?:where|(?:in|to|from) (?:what|which)|who|whose|when)\b", re.IGNORECASE)
_BEFORE = lazy_regex(r"^(?:before(?: (?:that|this|then|now))?|previously|earlier)$", re.IGNORECASE)
_NOW = lazy_regex(r"\s(?:right now|now|currently|at the moment|at present|these days|nowadays)\b", re.IGNORECASE)
_LASTS = lazy_regex(
    r"^where (?:do|does) .+ (?:live|work|study)$|^who (?:is|are) (?:my|our|his|her|their|\S+['’]s) \S", re.IGNORECASE
)
"""Questions about lasting states, without a "now": what was before is of the same sort."""
_HOLDS = lazy_regex(r"^(?:who|whom|where|what|which|how)(?: \w+){0,2}? (do|does|is|am|are) ", re.IGNORECASE)
_OTHERWISE = lazy_regex(
    r"\b(?:that|who|whom|which|where|what|when|if|because|and|or|before|after|until|since|first|next|last|current|new|going"
    r"|do|does|is|am|are)\b",
    re.IGNORECASE,
)
"""A second clause, an order of events or the future: a question whose past form needs more than another word."""
_THEN = {"do": "did", "does": "did", "is": "was", "am": "was", "are": "were"}
_QUESTION_WORD = lazy_regex(r"^(?:who|whom|whose|what|when|where|which|why|how)\b", re.IGNORECASE)


def fragment_of(question: str) -> Fragment | None:
    """Return the fragment in a question; None for a complete question."""
    words = question.rstrip("?!. ")
    lead = _LEAD.match(words)
    rest = words[lead.end() :] if lead else words
    if not rest or len(rest.split()) > _LONGEST:
        return None
    if that := _WHEN_WAS_THAT.match(rest):
        return Fragment("why", that[1].lower())
    if _BARE.match(rest):
        return Fragment("why", rest[0].lower() + rest[1:])
    if _BEFORE.match(rest):
        return Fragment("before", rest)
    if _AUXILIARY.match(rest) or _QUESTION_WORD.match(rest):
        return None
    if _names_a_time(rest):
        return Fragment("time", rest)
    if _PLACE.match(rest):
        return Fragment("place", rest)
    # Without "and" or "what about" a few words are a search, not the rest of a question.
    return Fragment("thing" if _THING.match(rest) else "other", rest) if lead else None


def _names_a_time(words: str) -> bool:
    bare = _PREPOSITION.sub("", words)
    return any(
        len(found) == 1 and found[0].phrase.endswith(bare)
        for found in (resolve(words, _ANY_DAY), resolve(f"in {bare}", _ANY_DAY))
    )


def completed(fragment: Fragment, words: str, last: Exchange) -> str | None:
    """Return the last question with the fragment in its place; None where it has no place, or more than one."""
    question = last.question.strip().rstrip("?!. ")
    if not question or "\n" in question or (len(question.split()) < SHORTEST_COMPLETED and not last.told):
        return None
    match fragment.sort:
        case "why":
            return _asked_on(words, question, told=last.told)
        case "time":
            return None if last.told else _at_another_time(words, question)
        case "place":
            return None if last.told else _elsewhere(words, question)
        case "thing":
            return None if last.told else _of_another(words, question)
        case "before":
            return None if last.told else _as_it_was(question)
        case "other":
            return None


def _asked_on(words: str, question: str, *, told: bool) -> str:
    if told:
        return f"{question}: {words}?"
    if _AUXILIARY.match(question):
        return f"{words[0].upper()}{words[1:]} {question[0].lower()}{question[1:]}?"
    return f"{question}, and {words}?"


def _at_another_time(words: str, question: str) -> str | None:
    mentions = resolve(question, _ANY_DAY)
    if len(mentions) > 1:
        return None
    if not mentions:
        if _ASKS_WHEN.match(question):
            return None
        return f"{question} {_with_preposition(words, '')}?"
    start, end = mentions[0].start, mentions[0].end
    held = re.search(r"\b(?:in|on|at|during|since|until|by|from)\s+$", question[:start], re.IGNORECASE)
    before = question[: held.start()] if held else question[:start]
    preposition = held[0] if held else (_PREPOSITION.match(mentions[0].phrase) or [""])[0]
    return f"{before}{_with_preposition(words, preposition)}{question[end:]}?"


def _with_preposition(words: str, preposition: str) -> str:
    """Return the fragment's own preposition, or that of the words that it replaces, where a month, day or year follows."""
    if _PREPOSITION.match(words) or re.match(r"(?:last|next|this|yesterday|today|tomorrow|the)\b", words, re.IGNORECASE):
        return words
    return f"{preposition.strip()} {words}" if preposition.strip() else words


def _as_it_was(question: str) -> str | None:
    """Return how it was before what holds now; None where it is not clear that "before" is meant so."""
    bare = _NOW.sub("", question, count=1)
    held = _HOLDS.match(bare)
    if held is None or (bare == question and not _LASTS.match(bare)):
        return None
    rest = bare[held.end() :]
    if _OTHERWISE.search(rest) or resolve(bare, _ANY_DAY):
        return None
    return f"{bare[: held.start(1)]}{_THEN[uncased(held[1])]} {rest} before?"


def _elsewhere(words: str, question: str) -> str | None:
    places = [each for each in candidates(question) if "there" in each.sorts]
    if len(places) != 1:
        return f"{question} {words}?" if not places else None
    held = re.search(rf"\b(?:in|at|near|from|to)\s+(?:the\s+)?{re.escape(places[0].words)}\b", question)
    return f"{question[: held.start()]}{words}{question[held.end() :]}?" if held else None


def _of_another(words: str, question: str) -> str | None:
    """Replace the one person or the one thing of the question."""
    there = candidates(question)
    things = [each for each in there if each.thing]
    owned = [each for each in things if re.match(r"[A-Z][\w-]*['’]s\b", each.words)]
    owners_at = {each.at for each in things}
    people = [each for each in there if _is_somebody(each) and each.at not in owners_at]
    other = _as_candidate(words)
    if other is not None and other.sorts == {"there"} and other.words == words:
        return _at_another_place(words, question, there)
    if words.endswith(("'s", "’s")):
        owners = [each for each in (*people, *things) if re.search(rf"\b{re.escape(each.words)}['’]s\b", question, re.I)]
        if owned and not owners:
            owner = owned[0].words.split()[0]
            return f"{question.replace(owner, words, 1)}?"
        return _exchanged(question, f"{owners[0].words}'s", words) if len(owners) == 1 else None
    if other is not None and _is_somebody(other):
        if len(people) == 1:
            return _exchanged(question, people[0].words, words)
        if not people and len(owned) == 1:
            return _exchanged(question, owned[0].words.split()[0], f"{words}'s")
        return None
    if other is not None and other.thing and len(things) == 1 and not people:
        return _exchanged(question, things[0].words, words)
    return None


def _at_another_place(words: str, question: str, there: Sequence[Candidate]) -> str | None:
    """Return the question with another place ("What about Lisbon?") in place of its only one, or added where it has none and does
    not ask for one."""
    places = [each for each in there if "there" in each.sorts]
    if len(places) == 1:
        return _exchanged(question, places[0].words, words)
    return None if places or _ASKS_WHERE.match(question) else f"{question} in {words}?"


def _is_somebody(candidate: Candidate) -> bool:
    return not candidate.thing and bool(candidate.sorts & {"she", "he", "they"})


def _as_candidate(words: str) -> Candidate | None:
    """Return what the fragment refers to, read as the object of a question."""
    found = candidates(f"Where is {words}?")
    return found[0] if len(found) == 1 else None


def _exchanged(question: str, old: str, new: str) -> str | None:
    if len(re.findall(re.escape(old), question, re.IGNORECASE)) != 1:
        return None
    return re.sub(re.escape(old), lambda _: new, question, flags=re.IGNORECASE) + "?"
