"""Statements of a document about its owner: facts beside all others of the document, marked as learned, never as stated.

A fact is about the owner when it names them (by a name that the owner gave), or when it says "you" in a letter to them. It stays
the document's: its words, its trust; it is never a preference, decision, goal or instruction in the owner's name, and it never
supersedes what the owner said. Where it disagrees with that, both stay, linked as a contradiction which the owner settles.

Every extractor's candidates pass through `learned` after grounding. One that knows by other means that a candidate is about the
owner (a language model) says so by `metadata["about_owner"]: true`; marking and clamping happen here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from lattice_common.domain.capture import Capture, JsonValue
from lattice_common.domain.segment import Candidate
from lattice_common.language.facts.kinds import OWNERS_OWN
from lattice_common.language.letters.letter import SALUTATION
from lattice_common.language.owner import ADDRESSED, named_in
from lattice_common.language.patterns import lazy_regex

ABOUT_OWNER = "about_owner"
LEARNED, OWNER = "learned", "owner"
"""Metadata keys: that it was learned (true), and the words by which it names the owner."""

HEAD = 3000
"""Characters of a letter that name its addressee."""

_TO = lazy_regex(
    r"(?mi)^\W{0,4}(?:to|an)\W{1,4}(?P<to>[^\n]+)|"
    rf"^(?:{SALUTATION})\s+(?P<greeted>[^\n,!]{{1,60}})[,!]?\s*$"
)
_YOU = lazy_regex(r"\b(?i:you|your|du|dir|dich|dein(?:e[mnrs]?)?)\b|\b(?:Sie|Ihnen|Ihr(?:e[mnrs]?)?)\b")
_FORMAL = lazy_regex(r"\b(?:mr|mrs|ms|miss|mx|dr|prof|professor|herrn?|frau)\b\.?", re.IGNORECASE)
"""Titles before a family name."""


def learned(capture: Capture, candidate: Candidate, names: Sequence[str]) -> Candidate:
    """Return the candidate, marked and clamped where it is about the owner. `names` are the owner's, and their e-mail
    addresses."""
    if capture.trust not in ("document", "web"):
        return candidate
    name = named_in(candidate.content, names)
    if name is None and _YOU.search(candidate.quote) and is_to_owner(capture.text[:HEAD], tuple(names)):
        name = ADDRESSED
    if name is None and candidate.metadata.get(ABOUT_OWNER) is not True:
        return candidate
    marks: dict[str, JsonValue] = {LEARNED: True} if name is None else {LEARNED: True, OWNER: name}
    return replace(
        candidate,
        kind="fact" if candidate.kind in OWNERS_OWN | {"belief"} else candidate.kind,
        category="fact" if candidate.category in ("preference", "instruction") else candidate.category,
        metadata={**candidate.metadata, **marks},
    )


@lru_cache(maxsize=8)
def is_to_owner(head: str, names: tuple[str, ...]) -> bool:
    """Return whether a letter is addressed to one of these names, a first name of theirs, or an e-mail address."""
    known = {word.casefold() for name in names for word in (name, name.split()[0] if name.split() else "") if word}
    families = {name.split()[-1].casefold() for name in names if len(name.split()) > 1 and "@" not in name}
    for found in _TO.finditer(head):
        said = (found["to"] or found["greeted"]).casefold()
        if any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) for word in known):
            return True
        if _FORMAL.search(said) and any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", said) for word in families):
            return True
    return False
