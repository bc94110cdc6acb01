"""Whom a pronoun of a note names: the one that was spoken of before, where it is clear who that is, and surely somebody."""

from __future__ import annotations

import re
from collections.abc import Set

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import WOMEN_AND_MEN, Candidate, Sort, candidates, resolve_pronouns
from lattice_common.language.sentences.subjects import DAY_WORDS, ROLES, definite_subject
from lattice_common.language.tables.first_names import HE, SHE

_IT_DOES = lazy_regex(r"it\s(?!\w+s\s(?:like|that|to)\b)", re.IGNORECASE)
"""Said of the subject before: "The boiler is from 2016. It leaks."."""
_NOUN = lazy_regex(
    r"\b(?:an?|the|my|our|his|her|their|its|this|that|these|some|any|new|[A-Z]\w+['’]s)\s+[\w-]+|\b\d+\s+[a-z]{3,}", re.IGNORECASE
)
"""Things spoken of: where there are two, "it" is not clear."""
_SAYS = lazy_regex(r"\b(?:says?|said|thinks?|thought|reckons|told|wants|wanted)\b", re.IGNORECASE)
"""Before what may be of another one than who says it."""
_CALLED = SHE | HE | WOMEN_AND_MEN
"""First names, and what women and men are called."""
_ADDRESSED = lazy_regex(
    r"(?:^|[.!?]\s+)(?:(?i:hey|hi|hello|thanks|thank you|wow|yes|yeah|no|oh|ok|okay|sure|sorry|bye|dear|aww?|woo\w*|definitely|"
    r"no problem|way to go|i totally agree|congrats)[\w' ]{0,16},?\s+)?\x00(?=[!?,.])|,\s+\x00(?=[!?.])"
)
"""Where somebody is spoken to ("Thanks, Maria!"), with a zero for the name: what follows is not about them."""


def name_pronouns(words: str, heard: str, told: str) -> tuple[str, tuple[str, ...]]:
    """Return `words` with "she" and "he" in names, and those names; none where it is not clear who is meant, or where a name does
    not stand in what was `told`."""
    if not heard.strip():
        return words, ()
    sorts: set[Sort] = {"she", "he"}
    if _IT_DOES.match(words) and definite_subject(heard) and len({match[0].lower() for match in _NOUN.finditer(heard)}) == 1:
        sorts.add("it")
    found = resolve_pronouns(words, (heard,), sorts)
    if found.text == words:
        return words, ()
    names = [each for each in candidates(heard) if found.text.count(each.words) > words.count(each.words)]
    if not names or any(each.words.lower() not in told.lower() or not is_somebody(each, heard) for each in names):
        return words, ()
    said = found.text[0].upper() + found.text[1:] if words[0].isupper() else found.text
    return said, tuple(each.words for each in names)


def is_somebody(name: Candidate, heard: str) -> bool:
    """Return whether a name is surely somebody's: a given name, a role, or who does or has something in what was heard."""
    first = name.words.split()[0]
    if _ADDRESSED.search(re.sub(rf"\b{re.escape(name.words)}\b", "\0", heard)) or first.lower() in DAY_WORDS:
        return False
    if name.thing or "it" in name.sorts or first.lower() in _CALLED or not first[0].isupper() or " " in name.words:
        return True
    somebody = (
        rf"(?:^|[.!?;:]\s+|\b(?i:with|and|called|named|by|ask|asked|met|told|gave|owe[sd]?|taught|booked|lent|paid|rang|visited|helped|married|hired|texted|"
        rf"emailed|invited|thanked|tell|give|ring|call|text|pay|see|let|help|sack|hire|miss)\s+){re.escape(first)}\b|\b{re.escape(first)}['’]s\b"
    )
    called = re.search(rf"([\w-]+)\s+{re.escape(first)}\b", heard)
    return re.search(somebody, heard) is not None or (called is not None and called[1].lower() in ROLES)


def others_did(heard: str, topic: str, meant: Set[Sort]) -> bool:
    """Return whether in what was heard somebody other than the `topic` begins a sentence, of whom such a pronoun may speak."""
    others = (
        each
        for each in candidates(heard)
        if meant & each.sorts and each.words.lower() not in topic.lower() and not any(map(str.isdigit, each.words))
    )
    return any(not heard[: each.at].strip() or heard[: each.at].rstrip()[-1:] in (".", "!", "?", ";", ":") for each in others)


def says_of_another(said_last: str, topic: str, meant: Set[Sort]) -> bool:
    """Return whether the `topic` said something of another one of whom such a pronoun may speak: "Hargreave says Biscuit needs to
    lose 3 kilos. He was 31."."""
    if topic not in said_last or _SAYS.search(said_last) is None:
        return False
    return any(meant & each.sorts and each.words not in topic for each in candidates(said_last))
