"""What people have, do, like and prefer: many values at once, each of which ends only when that is said about it ("I sold the
Golf", "I quit smoking")."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots.claim import NOTHING, Claim, Stems
from lattice_common.language.slots.clause import Clause, stems
from lattice_common.language.slots.holder import SUBJECT, holder_of, is_vague
from lattice_common.language.tables.english_words import ARTICLES, BEING, HELPING, LINKING, MODALS, PREPOSITIONS
from lattice_common.language.text import fold, stem
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, any_of, number_words

_ADVERBS = (
    r"(?:\s+(?:now|just|recently|finally|currently|actually|still|also|really|absolutely|have|has|'ve|usually|"
    r"always|do|does|both|then))*"
)
_ARTICLE = r"(?:a|an|the|my|our|his|her|their|any|one)"
_HAS = lazy_regex(
    SUBJECT + _ADVERBS + r"\s+(?:have|has|own|owns|got|'ve got|bought|drive|"
    r"drives)\s+" + _ARTICLE + r"\s+(?P<what>.+)"
)
_HAS_NOT = lazy_regex(
    SUBJECT
    + _ADVERBS
    + r"\s+(?:no longer (?:have|has|own|owns)|(?:don't|doesn't|do not|does not) (?:have|own)|(?:sold|gave away|given "
    r"away|got rid of|cancelled|canceled|"
    + r"scrapped|traded in)(?= (?:my|the|our|his|her|their|that)\b))(?: "
    + _ARTICLE
    + r"| that)?\s+(?P<what>.+)"
)
_DRIVES = lazy_regex(
    r"(?:(?P<my>^[Mm]y(?: new)? car(?: is|'s)(?: now)?)|" + SUBJECT + _ADVERBS + r"\s+drives?)\s+(?:(?:an?|my|the|"
    r"our)\s+)?(?P<what>[A-Z0-9].*)"
)
_COUNT = lazy_regex(
    SUBJECT + _ADVERBS + rf"\s+(?:have|has|own|owns)\s+(?:only |about )?(?P<n>\d+|{any_of(number_words(2, 12))})"
    r"\s+(?P<what>[\w -]+)"
)
_TASTE = lazy_regex(
    SUBJECT + _ADVERBS + r"\s+(?P<verb>like|likes|love|loves|enjoy|enjoys|adore|adores|hate|hates|"
    r"dislike|dislikes|can't stand|cannot stand)\s+(?P<what>.+)"
)
_TASTE_NOT = lazy_regex(
    SUBJECT + r"(?:\s+(?:actually|really|just))*\s+(?:don't|doesn't|do not|does not|no longer)\s+(?:(?:really|"
    r"even)\s+)?(?:like|likes|love|loves|enjoy|enjoys)\s+(?P<what>.+)"
)
_DISLIKES = frozenset(("hate", "hates", "dislike", "dislikes", "can't stand", "cannot stand"))
_PREFERS = lazy_regex(
    SUBJECT + _ADVERBS + r"\s+prefers?\s+(?P<what>.+?)(?:\s+(?:to|over|rather than|instead "
    r"of)\s+(?P<than>.+))?$"
)
_DOES = lazy_regex(SUBJECT + _ADVERBS + r"(?:\s+(?:am|is|are))?\s+(?P<verb>[a-z]+)\b(?P<what>.*)")
_DOES_NOT = lazy_regex(
    SUBJECT + r"(?:\s+(?:actually|really|just|have|has|finally|recently))*\s+(?:(?P<quit>(?:stopped|quit|gave up|"
    r"given up)(?= \w+ing\b))|(?P<over>(?:am |is |are )?no longer)|don't|doesn't|do not|does not|(?:am|is|are) not|"
    r"(?<='m )not|never)"
    r"\s+(?P<verb>[a-z]+)\b(?P<what>.*)"
)
_GAVE_UP = lazy_regex(
    SUBJECT + r"(?:\s+(?:have|has|finally|just|recently))*\s+(?:gave up|given up|"
    r"quit)\s+(?!\w+ing\b)(?P<what>[a-z][\w -]*)"
)
_TAKEN_IN = ("drink", "eat", "smoke", "take", "use", "play")
"""Verbs for what somebody gave up."""

_NP_END = lazy_regex(
    r"\b(?:named|called|with|from|that|who|which|in|at|for|on|to|when|since|any ?more|any longer|now|again|last|this|"
    r"yesterday|today|because|where|instead|recently)\b|[.,;:!?()]",
    re.IGNORECASE,
)
_HAPPENED = lazy_regex(
    rf"\b(?:in (?:{any_of(ENGLISH_MONTHS)}|spring|summer|autumn|winter|(?:19|20)\d\d)|"
    r"last \w+|yesterday|today|this (?:week|month|year|morning)|(?:a|an|\w+) (?:days?|weeks?|months?|years?) ago|for "
    r"good|completely|altogether|forever|"
    r"since \w+(?: \w+)?|any ?more|any longer|now|again|these days|nowadays|finally|at all|recently)\b",
    re.IGNORECASE,
)
"""Words for when something ended, which are not part of what ended."""

_NO_VERBS = (ARTICLES | BEING | HELPING | MODALS | LINKING) | vocabulary(
    """having not no never to just also only very really too all got get went came saw said told think guess know mean
    feel felt hope wish want wanted need like love enjoy hate prefer likes loves hates prefers own owns my our sold
    stopped quit gave used moved live lives work works"""
)
_FUNCTION_WORDS = ((ARTICLES | PREPOSITIONS) - {"by", "from"}) | vocabulary(
    "and or my our his her their some it this that i we me us there up out"
)
_PLAINLY_NOT = lazy_regex(r"\b(?:don't|doesn't|do not|does not)\b(?!.*\bany ?(?:more|longer)\b)", re.IGNORECASE)
_COUNT_END = lazy_regex(r"\s*(?:now|already|at home|any ?more)?\W*$", re.IGNORECASE)
_HAVING = vocabulary("have has own owns got ve bought drive drives sold gave given rid cancelled canceled scrapped traded")
_DRIVING = frozenset(("drive", "drives", "car"))
_TASTING = vocabulary("like likes love loves enjoy enjoys adore adores hate hates dislike dislikes stand")
_QUITTING = frozenset(("gave", "given", "quit"))
_DENYING = vocabulary("t not never longer stopped quit gave given")
_VAGUE_TASTE = vocabulary("it that this them to how when what seeing being having your you")


def habit_claims(clause: Clause, author: str) -> Iterator[Claim]:
    """Yield the claims of a clause about what people have, do and like; none where it supposes, plans or remembers."""
    if clause.supposed or clause.past or clause.planned:
        return
    text = clause.text
    having = not _HAVING.isdisjoint(clause.words)
    if having and (match := _COUNT.search(text)):
        counted = _core(match.group("what"))
        if (holder := _holder(match, author)) and _COUNT_END.match(text[match.start("what") + len(counted) :]):
            number = fold(match.group("n"))
            yield _claim("count", holder, clause, f"{number} {counted}", about=stems(counted), value=frozenset((number,)))
    if (
        not _DRIVING.isdisjoint(clause.words)
        and (match := _DRIVES.search(text))
        and (holder := author if match.group("my") else _holder(match, author))
    ):
        car = _core(match.group("what"))
        yield _claim("car", holder, clause, car, value=stems(car))
    if having and (match := _HAS_NOT.search(text)):
        yield from _possession(match, clause, author, denies=True)
    elif having and (match := _HAS.search(text)):
        yield from _possession(match, clause, author, denies=False)
    tasting = not _TASTING.isdisjoint(clause.words)
    if tasting and (match := _TASTE_NOT.search(text)):
        yield from _taste(match, clause, author, denies=True)
    elif tasting and (match := _TASTE.search(text)):
        yield from _taste(match, clause, author, denies=match.group("verb") in _DISLIKES)
    if ("prefer" in clause.words or "prefers" in clause.words) and (match := _PREFERS.search(text)):
        value, was = _what(match.group("what")), _what(match.group("than") or "")
        if (holder := _holder(match, author)) and value:
            yield _claim("prefers", holder, clause, match.group("what"), value=value, was=was)
    yield from _doing(clause, author)


def _possession(match: re.Match[str], clause: Clause, author: str, *, denies: bool) -> Iterator[Claim]:
    holder, core = _holder(match, author), _core(match.group("what"))
    words = core.split()
    if not holder or not words or len(words) > 5:
        return
    several = (
        bool(re.match(r"\s*(?:,|and\b)\s+(?:a|an|the|one|another|\w+)\s", match.group("what")[len(core) :])) or " and " in core
    )
    if several:
        return
    yield _claim(
        "has",
        holder,
        clause,
        core,
        value=stems(core),
        facet=stem(fold(words[-1])),
        denies=denies,
        decisive=denies,
        change=denies and not _PLAINLY_NOT.search(match.group(0)),
    )


def _taste(match: re.Match[str], clause: Clause, author: str, *, denies: bool) -> Iterator[Claim]:
    holder, what = _holder(match, author), _what(match.group("what"))
    first = fold(match.group("what").split()[0].strip(".,!"))
    if not holder or not what or len(what) > 4 or first in _VAGUE_TASTE:
        return
    yield _claim(
        "taste", holder, clause, match.group("what").rstrip(" .!"), value=what, facet=max(what), denies=denies, decisive=True
    )


def _doing(clause: Clause, author: str) -> Iterator[Claim]:
    text = clause.text
    if not _QUITTING.isdisjoint(clause.words) and (match := _GAVE_UP.search(text)):
        what = _what(match.group("what"))
        holder = _holder(match, author)
        if holder and what and "job" not in what:
            for verb in _TAKEN_IN:
                yield _claim(
                    "does",
                    holder,
                    clause,
                    match.group("what"),
                    about=frozenset((verb,)),
                    value=what,
                    denies=True,
                    decisive=True,
                    change=True,
                )
        return
    denied = None if _DENYING.isdisjoint(clause.words) else _DOES_NOT.search(text)
    match = denied or _DOES.search(text)
    if match is None or (verb := match.group("verb")) in _NO_VERBS:
        return
    holder = _holder(match, author)
    if not holder or verb.endswith("ed") or not _is_doing(match, verb, own=fold(match.group("who")) in ("i", "we")):
        return
    tail = match.group("what")
    if verb in ("go", "goes") and (going := re.match(r"\s+([a-z]+ing)\b(.*)", tail)):
        # "I stopped climbing" ends "I go climbing".
        verb, tail = going[1], going[2]
    done = _what(tail)
    if len(done) > 6:
        return
    again = bool(re.search(r"\bagain\b|\bback to\b", text, re.IGNORECASE))
    over = denied is not None and bool(
        denied.group("quit") or denied.group("over") or re.search(r"\bany ?more\b|\bany longer\b", text, re.IGNORECASE)
    )
    shown = f"{verb}{tail}".rstrip(" .!")
    yield _claim(
        "does",
        holder,
        clause,
        shown,
        about=frozenset((stem(verb),)),
        value=done,
        denies=denied is not None,
        decisive=denied is not None or again,
        change=over,
    )


def _is_doing(match: re.Match[str], verb: str, *, own: bool) -> bool:
    """Return whether the word in the verb's place is a verb: "I'm learning" and "Tom plays" have one, "I'm part" and "Staying
    positive" do not."""
    if re.search(r"'(?:m|s|re)\b|\b(?:am|is|are)\b", match.string[match.start() : match.start("verb")]):
        return verb.endswith("ing")
    return (
        own
        or verb.endswith("s")
        or bool(re.search(r"n't\b|\bnot\b|\bno longer\b|\bnever\b", match.group(0)[: match.start("verb") - match.start()]))
    )


def _claim(
    slot: str,
    holder: str,
    clause: Clause,
    shown: str,
    *,
    about: Stems = NOTHING,
    value: Stems = NOTHING,
    was: Stems = NOTHING,
    facet: str = "",
    denies: bool = False,
    decisive: bool = True,
    change: bool = False,
) -> Claim:
    return Claim(
        slot=slot,
        holder=holder,
        about=about,
        value=value,
        was=was,
        shown=shown.strip(" .!"),
        facet=facet,
        denies=denies,
        decisive=decisive and not clause.additive and not clause.subordinate and not is_vague(holder),
        change=change or clause.change,
        year=clause.year,
        long_ago=clause.long_ago,
    )


def _holder(match: re.Match[str], author: str) -> str:
    before = match.string[: match.start()].rstrip()
    if before and before[-1] not in ",;:" and not before.endswith((" and", " but")) and len(before.split()) > 2:
        return ""
    return holder_of(match.group("who"), author)


def _core(phrase: str) -> str:
    """Return a thing without what is said of it: "dog named Rex" → "dog"."""
    end = _NP_END.search(phrase)
    core = phrase[: end.start()] if end else phrase
    return re.split(r"\s+and\b", core)[0].strip()


def _what(phrase: str) -> Stems:
    """Return the stems that say what was done or liked, without when it ended and without function words."""
    kept = _HAPPENED.sub(" ", phrase)
    return frozenset(found for found in stems(kept) if found not in _FUNCTION_WORDS)
