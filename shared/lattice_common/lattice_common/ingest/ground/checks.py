"""The questions a fact has to pass, each against its licence: (reason, offending words), or None."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from lattice_common.domain.dates import DateMention, resolve
from lattice_common.domain.periods import day_of
from lattice_common.domain.text import analyze
from lattice_common.ingest.ground.licence import Licence
from lattice_common.ingest.ground.negation import contradiction
from lattice_common.ingest.ground.words import Name, capitalised, numbers

Fault = tuple[str, str]
Check = Callable[[str, Licence], Fault | None]

_OWNER = frozenset(
    """i i'm i've i'd i'll user user's users owner speaker author narrator he she they his her their it its the a an my we our
    this that there these those on in at by for from with when while after before during since until as of to and but or
    if so because both all some most many each every no not never one you your what who where when how why which yes yeah
    oh well wow hey thanks""".split()
)
"""Capitalised words that name nobody new: the owner, and the words sentences begin with."""

_COMMON_BEGINNING = re.compile(
    r"(?:\w+(?:ed|ing|ly|tion|ment|ness|ity|ism|ence|ance)|went|has|had|have|is|are|was|were|likes?|"
    r"loves?|wants?|plans?|works?|lives?|got|gets|made|makes|"
    r"bought|took|takes|saw|met|ran|runs|won|lost|found|felt|feels|thinks?|thought|believes?|prefers?|"
    r"enjoys?|hates?|dislikes?|owns?|"
    r"needs?|hopes?|wishes|knows?|says|said|told|keeps?|kept|began|begins|became|becomes|came|comes|goes|gave|gives|wrote|reads?|"
    r"speaks?|spoke|drinks?|drank|eats?|ate|drives?|drove|flew|built|grew|bring|brought|taught|"
    r"teaches|caught|chose|sold|sent|spent|"
    r"birthday|meeting|favou?rite|allergic|married|new|old|next|last|first|current|home|job|work|phone|email|date|name|address|"
    r"always|never|avoids?|quit|left|can|cannot|does|did|will|would|should|may|might|must|more|less|now|today|also|together)",
    re.IGNORECASE,
)
_NAMES_IN_S = frozenset(
    """james thomas charles nicholas lucas carlos chris marcus agnes frances francis dennis louis andreas hannes douglas
    nicolas matthias jonas klaus jules travis curtis silas elias tobias lukas markus niklas joris boris doris phyllis
    alexis paris athens texas brussels kansas illinois arkansas cyprus siemens mercedes adidas lewis harris davis jones
    williams adams collins""".split()
)
"""A plural may begin a sentence ("Flights cost …"); these are names all the same."""
_AFTER_A_VERB = re.compile(
    r"\s+(?:a|an|the|to|at|in|on|of|for|from|with|by|about|his|her|their|my|our|its|your|that|it|them|him|up|out|as|into|\d)\b",
    re.IGNORECASE,
)
_WEEKDAY_OR_MONTH = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec""".split()
)


def unlicensed_date(claim: str, licence: Licence) -> Fault | None:
    """Every date of the claim is one that the quote names, or a coarser one that holds it."""
    for mention in resolve(claim, licence.moment):
        if not _date_allowed(mention, licence):
            return "date-unlicensed", mention.phrase
    return None


def _date_allowed(mention: DateMention, licence: Licence) -> bool:
    start, end = mention.whole
    for allowed in licence.dates:
        low, high = allowed.whole
        if start <= low and high <= end:
            return True
        # "A few weeks ago" is a guess by its own words: what touches it may stand for it.
        if allowed.precision == "about" and start < high and low < end:
            return True
    said = day_of(licence.moment)
    if said is None:
        return False
    holds = start <= said.start and said.end <= end
    # The day it was said on may date a fact that has no date of its own, but not replace the "yesterday" it has.
    return holds and (not licence.dates or end - start > said.end - said.start)


def unlicensed_number(claim: str, licence: Licence) -> Fault | None:
    """Every number outside a date stands in the quote or its context, in digits or in words."""
    if not _HAS_NUMBER.search(claim):
        return None
    rest = claim
    for mention in reversed(resolve(claim, licence.moment)):
        rest = f"{rest[: mention.start]} {rest[mention.end :]}"
    asserted, _ = numbers(rest)
    _, allowed = numbers(f"{licence.quote} \n {licence.context} \n {licence.turn.speaker if licence.turn else ''}")
    missing = sorted(asserted - allowed)
    return ("number-unlicensed", f"{missing[0]:g}") if missing else None


_HAS_NUMBER = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|dozen|"
    r"hundred|thousand|million|billion|twice|thrice|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b",
    re.IGNORECASE,
)


def unlicensed_name(claim: str, licence: Licence) -> Fault | None:
    """Every name is one that the quote, its context, its speaker, or the words its pronouns refer to, bring with them."""
    allowed: frozenset[str] | None = None
    for name in capitalised(claim):
        lowered = name.word.lower()
        if lowered in _OWNER or lowered in _WEEKDAY_OR_MONTH:
            continue
        if allowed is None:
            allowed = _vocabulary(licence.quote) | _vocabulary(licence.context) | _vocabulary(licence.names)
        if _known(lowered, allowed) or (name.initial and _ordinary(claim, name)):
            continue
        return "name-unlicensed", name.word
    return None


def _known(word: str, allowed: frozenset[str]) -> bool:
    if word in allowed or word.rstrip("s") in allowed or f"{word}s" in allowed:
        return True
    return all(part in allowed for part in _PART.findall(word)) or any(stem in allowed for stem in _stems(word))


def _ordinary(claim: str, name: Name) -> bool:
    """Whether a sentence's first word has its capital from that only: names are followed by verbs, verbs by what they act on."""
    if _COMMON_BEGINNING.fullmatch(name.word):
        return True
    if name.word.endswith("s") and len(name.word) >= 5 and name.word.lower() not in _NAMES_IN_S:
        return True
    return bool(_AFTER_A_VERB.match(claim, name.start + len(name.word)))


_PART = re.compile(r"[^\W_]+")


@lru_cache(maxsize=512)
def _vocabulary(text: str) -> frozenset[str]:
    parts = _PART.findall(text.lower())
    return frozenset(parts) | frozenset(stem for part in parts for stem in _stems(part))


@lru_cache(maxsize=20_000)
def _stems(word: str) -> tuple[str, ...]:
    return tuple(analyze(word))


def swapped_name(claim: str, licence: Licence) -> Fault | None:
    """Nobody does what somebody else does in the quote: "Bob hired Alice" is not "Alice hired Bob", and "I went" is not what
    the other did."""
    speaker = (licence.turn.speaker or "").lower().split(" ")[0] if licence.turn else ""
    theirs = _doings(licence.quote, speaker)
    if not theirs:
        return None
    said = licence.quote.lower()
    for who, deed in sorted(_doings(claim, speaker)):
        doers = {other for other, act in theirs if act == deed}
        if doers and who not in doers and (who in said or who in licence.names.lower()):
            return "name-swapped", who
    return None


_BE = frozenset("is are was were be been being get gets got am".split())
_SKIPPED = frozenset(
    "also just really have has had will would did do does should could can may might finally recently never always still "
    "already then".split()
)


def _doings(text: str, speaker: str) -> set[tuple[str, str]]:
    """Who does what: names (and the speaker's "I") with the stem of the verb right after them; passives left out."""
    found: set[tuple[str, str]] = set()
    tokens = [(match[0], match.start()) for match in _DOING.finditer(text)]
    for at, (word, start) in enumerate(tokens):
        own = word in ("I", "we", "We")
        if not own and not (word[0].isupper() and word.lower() not in _OWNER):
            continue
        who = (speaker or "i") if own else word.lower()
        if who in ("user", "owner"):
            who = speaker or "i"
        for verb, begin in tokens[at + 1 : at + 5]:
            if re.search(r"[^\w\s'’]", text[start:begin]) or verb.lower() in _BE or verb[0].isupper():
                break
            if verb.lower() in _SKIPPED:
                continue
            stems = _stems(verb)
            if stems:
                found.add((who, stems[0]))
            break
    return found


_DOING = re.compile(r"[^\W\d_]+")


def changed_negation(claim: str, licence: Licence) -> Fault | None:
    """The claim denies what the quote denies, and nothing else."""
    word = contradiction(claim, licence.quote, licence.context)
    return ("negation-changed", word) if word else None


def unsupported(claim: str, licence: Licence) -> Fault | None:
    """The claim shares words with what it is said to come from; a quote in another language than the claim is not judged."""
    if not licence.quote.isascii():
        return None
    speaker = _vocabulary(licence.turn.speaker) if licence.turn and licence.turn.speaker else frozenset()
    ours = {stem for part in _PART.findall(claim.lower()) for stem in _stems(part)} - speaker
    if len(ours) < 2:
        return None
    shared = ours & (_vocabulary(licence.quote) | _vocabulary(licence.context))
    return None if len(shared) >= SUPPORT * len(ours) else ("content-unsupported", ", ".join(sorted(ours - shared)[:5]))


SUPPORT = 0.2
"""Share of a claim's stems that its quote and context must hold. Paraphrases of the labelled table have 0.25 and more, made-up
claims 0 to 0.15."""

CHECKS: tuple[Check, ...] = (unlicensed_date, unlicensed_number, unlicensed_name, swapped_name, changed_negation, unsupported)
"""In this order; the first fault is the reason."""
