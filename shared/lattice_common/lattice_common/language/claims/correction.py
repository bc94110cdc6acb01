"""Corrections: "Tom moved here from York, not Leeds." denies what "Tom moved here from Leeds." says, and who begins with
"Actually," or "Sorry, I meant" takes back something that was said before."""

from __future__ import annotations

import re
from collections.abc import Set

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import analyze

_DENIED = lazy_regex(
    # ", not Leeds", "(nicht Köln)", " - pas le mardi"
    r"(?P<denies>[,;(—–-]\s*(?:and |und |et )?(?:not|nicht|pas|non|niet|não|nie)\s+)"
    r"(?:(?:from|in|at|on|to|the|a|an|my|our|aus|am|der|die|das|de|le|la|les|di|da|van|het|do|em|z|w)\s+)?(?P<denied>[\w'’.-]+)",
    re.IGNORECASE,
)
_SMALL = r"(?:the|a|an|at|on|in|from|to)"
_IS_NOT = lazy_regex(
    rf"(?<=\s)(?:is|was|are|were|should (?:be|have been)|should['’]ve been)(?: {_SMALL})? "
    rf"[\w'’.:-]+(?P<denies> not )(?:{_SMALL} )?(?P<denied>[\w'’.:-]+)",
    re.IGNORECASE,
)
"""The same without a comma: "Bus is the 83 not the 38"."""
_OPENERS = r"(?:(?:no|nope|oh|oops|wait|sorry|hang on|hold on|well|ok|okay|hm+|ach|nein|moment|pardon|perd[oó]n)[,.!…—– -]+)"
_TAKEN_BACK = lazy_regex(
    # "Actually my rent is 890 euros", "I was wrong: she lives in Kiel", "Nein, falsch: er heißt Timo"
    rf"(?:{_OPENERS}{{0,3}}(?:actually|scratch that|strike that|my mistake|(?:my bad|i was wrong|i misspoke|"
    r"i misread(?: it| that)?|i got (?:it|that) wrong|i mixed (?:it|that|them) up|falsch|irrtum|stimmt nicht|"
    r"ich habe mich (?:geirrt|vertan|versprochen|verlesen))(?=[,.:;!—–-]))|"
    # "Sorry, I meant the 5th of May"
    rf"{_OPENERS}{{1,3}}(?:i meant(?: to say)?|ich meinte))[,.:;!…—– -]+(?=\S+(?:\s+\S+){{2}})",
    re.IGNORECASE,
)
"""Words by which a statement takes back something, with three words or more after them."""
CORRECTION = "Correction: "
LEAST_SHARED = 0.5
"""Share of the older statement's other words that the newer one must contain, so that both are about the same."""


def as_correction(text: str) -> str:
    """Return a statement that begins by taking something back in the one form of that which the judge was taught: of "Actually"
    it has only learned that more is told."""
    found = _TAKEN_BACK.match(text)
    return CORRECTION + text[found.end() :] if found else text


def corrects(newer: str, older: str) -> bool:
    """Return whether `newer` denies a word of `older` and says another in its place, of the same thing."""
    found = _DENIED.search(newer) or _IS_NOT.search(newer)
    if found is None:
        return False
    number = found["denied"].rstrip(".:")
    denied, said = set(analyze(number)), set(analyze(f"{newer[: found.start('denies')]} {newer[found.end() :]}"))
    before = set(analyze(older))
    rest = before - denied
    if not denied or not denied <= before or denied & said or not rest:
        return False
    if not said - before:
        return False
    return len(rest & said) >= LEAST_SHARED * len(rest) or _is_number_of(number, older, said)


def _is_number_of(number: str, older: str, said: Set[str]) -> bool:
    """Return whether an older statement has this number behind a word that was `said` again: "Bus 38, leaves at 7:50"."""
    if not number[-1:].isdigit():
        return False
    before = re.search(rf"([^\W\d_]+) (?:no\.? |number )?{re.escape(number)}\b", older)
    return before is not None and not said.isdisjoint(analyze(before[1]))
