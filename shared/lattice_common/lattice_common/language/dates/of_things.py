"""Years that say which thing is meant, and not when something is so: "a 2014 Golf", "my 2024 tax return"."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary
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


_MAKES = any_of(
    vocabulary(
        """audi bmw byd chevrolet chrysler citroën citroen cupra dacia daihatsu fiat ford honda hyundai infiniti jaguar
        jeep kia lada lancia lexus maserati mazda mercedes mini mitsubishi nissan opel peugeot polestar porsche
        renault rover saab seat škoda skoda smart ssangyong subaru suzuki tesla toyota vauxhall volkswagen volvo vw
        ducati kawasaki triumph vespa yamaha piaggio ktm togg tofaş"""
    )
)
_BEHIND_A_MAKE = lazy_regex(rf"(?<![\w-])(?i:{_MAKES})(?:[ -](?:[A-ZÀ-ÞŠ][\w.-]*|[a-z]?\d[\w.]*)){{0,3}},?\s\(?\Z")
"""A make, the name of a model, and its year: "Fiat Argo 2019"."""
_MODEL_YEAR = lazy_regex(r"\s(?:model|modelo|modell|modèle|modello|plate|reg)\b", re.IGNORECASE)
_AMOUNT = lazy_regex(
    r"(?:[(\[][€$£¥][)\]]|\b(?:amounts?|totals?|subtotals?|prices?|costs?|sum|balance|fees?|betrag|summe|gesamt\w*|preis|kosten|saldo|importe|"
    r"precio|montant|prix|solde|importo|prezzo|totale|valor|preço|saldo|bedrag|prijs|totaal|kwota|suma|cena|tutar|toplam|fiyat)\b)[^:\n\d]{0,16}[:=]\s?\Z",
    re.IGNORECASE,
)
"""What labels an amount: "Subtotal (£): 1975"."""
_GROUPS_BEFORE = lazy_regex(r"\b[A-Z]{2}\d{2}(?:\s[\dA-Z]{4})*\s\Z|\b\d{4}\s\d{4}\s\Z")
_GROUP_BEFORE = lazy_regex(r"\b\d{3,4}\s\Z")
_GROUP_BEHIND = lazy_regex(r"\s\d{2,4}\b(?!\s?(?:[-–:.]|[ap]m\b))")
"""Groups of digits of a long number, as of an IBAN."""
_CLUB = lazy_regex(
    r"(?<![\w-])(?:FC|TSV|SV|SC|TV|VfB|VfL|FSV|SpVgg|TuS|SG|MTV|ESV|BSV|TSG|DJK|KSV|HSV|AC|AS|CF|CD|US|RC|\w*(?:[Vv]erein|[Cc]lub|[Kk]lub|"
    r"[Cc]hor|[Gg]ilde|[Kk]apelle|[Gg]esellschaft|[Zz]unft|[Kk]ulübü|[Ss]por))(?:\s[A-ZÀ-Þ][\w.-]*){0,3}\s\Z"
)
_REGISTERED = lazy_regex(r"(?:\s[A-ZÀ-Þ][\w.-]*){0,3}\s(?:e\.\s?V\b|eV\b)")
_FOUNDED = lazy_regex(r"\s(?:gegründet|founded|fondé\w*|fundad\w*|opgericht)\b", re.IGNORECASE)
"""Unless it says so, the year in the name of a club is a part of it: "TSV Rot 1923 Hall e.V."."""
_SEASONS_OF_THE_YEAR = lazy_regex(r"\b(?:advent|lent|ramadan|fastenzeit|adviento|avent|avvento|adwent)\s\Z", re.IGNORECASE)
"""What is some weeks of a year, and not the year."""


def _is_of_a_number(text: str, start: int, end: int) -> bool:
    """Return whether what looks like a year is an amount or a part of a long number."""
    if _AMOUNT.search(text, max(0, start - 40), start) or _GROUPS_BEFORE.search(text, max(0, start - 40), start):
        return True
    return _GROUP_BEFORE.search(text, max(0, start - 6), start) is not None and _GROUP_BEHIND.match(text, end) is not None


def _is_in_a_name(text: str, start: int, end: int) -> bool:
    """Return whether a year is part of the name of a club, of a model, or of a season that is not all of it."""
    if _BEHIND_A_MAKE.search(text, max(0, start - 40), start) or _MODEL_YEAR.match(text, end):
        return True
    if _SEASONS_OF_THE_YEAR.search(text, max(0, start - 12), start):
        return True
    is_club = _CLUB.search(text, max(0, start - 60), start) or _REGISTERED.match(text, end)
    return is_club is not None and _FOUNDED.match(text, end) is None


_MONTHS_AHEAD = lazy_regex(rf" (?:{any_of(ENGLISH_MONTHS)}|to|in)\b", re.IGNORECASE)


def is_of_a_thing(text: str, match: re.Match[str]) -> bool:
    """Return whether a year says which thing is meant. `match` is one of `phrases.PHRASE`."""
    if not (match["year"] or match["decade"]) or not match[0][0].isdigit():
        return False
    start, end = match.start(), match.end()
    if _IN_GERMAN.search(text, max(0, start - 40), start) and not text.startswith(" bis ", end):
        return True
    if _is_of_a_number(text, start, end) or _is_in_a_name(text, start, end):
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
