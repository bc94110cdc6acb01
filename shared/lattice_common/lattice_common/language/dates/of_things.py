"""Years that say which thing is meant, and not when something is so: "a 2014 Golf", "my 2024 tax return"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.words import ENGLISH_MONTHS, any_of

_HAPPENS = (
    r"\b(?:deadline|start|finish|wedding|launch|date|elections?|release|completion|delivery|trip|tour|holiday|season|games|olympics|"
    r"world|cup|visit|intake|opening|summer|winter|spring|autumn|fall|and|or|to|if|but|when|because|was|is|in|at|on|of|with|for|by)\b"
)
_A_YEARS = lazy_regex(r"\b(?:an?|another|one|this|that|any|no) \Z", re.IGNORECASE)
_SOMETHING = lazy_regex(rf"s? (?!{_HAPPENS})[A-Za-zÀ-ÿ]", re.IGNORECASE)
_SOMEBODYS = lazy_regex(r"(?:\b(?:my|our|his|her|their|your)|\w['’]s?) \Z", re.IGNORECASE)
_OF_A_MAKE = lazy_regex(rf"s? (?!(?i:{_HAPPENS}))[A-Z][a-z]")
_THE = lazy_regex(r"\b(?:the|my|our|his|her|their|your) \Z|\w['’]s? \Z", re.IGNORECASE)
_KEPT = lazy_regex(
    r" (?:[a-z]+ )?(?:tax|taxes|returns?|accounts|budget|goals|resolutions|model|edition|calendar|diary|planner|vintage|plates?|"
    r"receipts?|invoices?|statements?|files?|folder|report|paperwork|reg|build)\b"
)
"""What has a year, and is there afterwards."""


_IN_GERMAN = lazy_regex(
    r"\b(?:(?:Baujahr|Bj\.?|Jahrgang|Modelljahr|Modell|Erstzulassung|EZ)"
    r"|(?:mein|unser|sein|ihr|de[rnm]|die|das|ein)\w*\s(?:\w+\s)?[\w-]{3,}\svon) \Z",
    re.IGNORECASE,
)
"""Of a car: "Skoda Octavia, Baujahr 2014"."""
_IN_OTHERS = lazy_regex(
    r"\b(?:une?|ma|mon|notre|sa|son|una|uno|mi|nuestr[oa]|su|mia|mio|nostr[oa]|uma?|meu|minha|een|mijn|onze|en)\s"
    r"(?:[\w-]+\s){1,3}(?:de|del|do|uit|van) \Z",
    re.IGNORECASE,
)
_OWNS = lazy_regex(
    r"\b(?:roule|conduis|voiture|moto|vélo|tengo|tenemos|conduzco|coche|furgo(?:neta)?|ho|abbiamo|guido|macchina|auto|tenho|temos|carro|"
    r"conduzo|carrinha|heb|hebben|rijd|rijden|fiets|camper)\b"
    r"|\b(?:une?|una?|uma?|een) (?-i:[A-ZÀ-Þ])[\w-]+ (?:\w+ )?(?:del?|do|uit) \Z",
    re.IGNORECASE,
)
"""What a year is of, in the Romance languages and Dutch: it is owned or driven, or has a make ("une clio grise de 2014", "es una
Berlingo del 2008")."""
_BEGINS = lazy_regex(r"(?:\A|[.!?;:\n(]\s*)\Z")
_MAKE_ALONE = lazy_regex(rf" (?!(?i:{_HAPPENS}))[A-Z][\w-]+(?: [A-Z\d][\w-]*)?(?:,|\s\d|\s*[.(]|\s*\Z)")
"""A make and nothing else behind a year with which a sentence begins: "2014 Transit, 11 grand"."""
_MODEL = lazy_regex(r" [A-Z][A-Za-z]+ [A-Z]{1,4}-?\d\w*\b")
"""A make and its number: "1978 Yamaha XS650"."""


_MONTHS_AHEAD = lazy_regex(rf" (?:{any_of(ENGLISH_MONTHS)}|to|in)\b", re.IGNORECASE)


def is_of_a_thing(text: str, match: re.Match[str]) -> bool:
    """Return whether a year says which thing is meant. `match` is one of `phrases.PHRASE`."""
    if not (match["year"] or match["decade"]) or not match[0][0].isdigit():
        return False
    start, end = match.start(), match.end()
    if _IN_GERMAN.search(text, max(0, start - 40), start) and not text.startswith(" bis ", end):
        return True
    low = max(0, start - 12)
    if _BEGINS.search(text, low, start) and _MAKE_ALONE.match(text, end) and not _MONTHS_AHEAD.match(text, end):
        return True
    if _IN_OTHERS.search(text, max(0, start - 40), start) and _OWNS.search(text, max(0, start - 60), start):
        return True
    return _MODEL.match(text, end) is not None or any(
        before.search(text, low, start) and behind.match(text, end)
        for before, behind in ((_A_YEARS, _SOMETHING), (_SOMEBODYS, _OF_A_MAKE), (_THE, _KEPT))
    )
