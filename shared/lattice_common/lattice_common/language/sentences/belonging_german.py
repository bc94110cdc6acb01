"""What a German note goes on to say of something by a part or value of it alone, as in `belonging`: "Hab bei der Stadtbibliothek
angefangen. Chefin ist Frau Reinders.", "Omas Haus ist verkauft. Käufer ist eine Familie aus Krefeld."
"""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, people_by_role

_PARTS = vocabulary(
    """Chef Chefin Leiter Leiterin Leitung Ansprechpartner Ansprechpartnerin Kontakt Käufer Käuferin Verkäufer Besitzer
    Eigentümer Vermieter Vermieterin Makler Maklerin Mieter Nachmieter Trainer Trainerin Lehrer Lehrerin Klassenlehrer
    Klassenlehrerin Fahrlehrer Fahrlehrerin Kursleiter Kursleiterin Erzieherin Betreuerin Autor Autorin Züchter Züchterin
    Kaution Miete Kaltmiete Warmmiete Preis Kosten Gebühr Gebühren Beitrag Monatsbeitrag Jahresbeitrag Abschlag Rate
    Anzahlung Provision Rechnung Gehalt Lohn Honorar Kündigungsfrist Laufzeit Garantie Lieferung Lieferzeit Kennzeichen
    Kundennummer Vertragsnummer Buchungsnummer Zählernummer Telefonnummer Handynummer Nummer Passwort Code Türcode
    Schlüssel Adresse Öffnungszeiten Treffpunkt Einlass Beginn Abfahrt Ankunft Farbe Größe Gewicht Dosis Dosierung
    Nebenwirkungen Kurs Kursgebühr Unterricht Probe Proben Training Abholung Einzug Auszug"""
)
_OF_SOMEBODY = vocabulary(
    "Chef Chefin Gehalt Lohn Kurs Training Kontakt Nummer Telefonnummer Handynummer Adresse Größe Gewicht Dosis"
)
_VERB = (
    r"ist|sind|war|waren|wird|heißt|kostet|kosten|kostete|beträgt|betrug|liegt|lag|läuft|gilt|steht|kommt|beginnt|endet|geht|hat|"
    r"bleibt|steigt|stieg|sinkt"
)
_BELONGS = lazy_regex(rf"(?P<part>{any_of(_PARTS)})(?: (?:jetzt|nun|auch|noch|dort|da))?(?:,? (?:{_VERB})\b|:? \d|$)")
_NOUN = r"[A-ZÄÖÜ][\wäöüß-]+(?: [A-ZÄÖÜ][\wäöüß-]+)?"
_NO_SUBJECTS = vocabulary(
    "Ich Wir Er Sie Es Man Ihr Du Das Dies Hab Habe Haben Bin Sind War Heute Gestern Morgen Jetzt Dann Da Hier Dort"
)
_SUBJECT = lazy_regex(
    rf"(?:(?:[Dd]ie|[Dd]er|[Dd]as|[Uu]nsere?|[Mm]eine?) )?(?P<thing>(?:[A-ZÄÖÜ][\wäöüß-]+s )?{_NOUN}"
    rf"(?: (?:in|an|auf|von|am|im|für)(?: der| dem| den)? {_NOUN})?) (?:jetzt |nun |auch )?(?:{_VERB}|haben)\b"
)
"""Of a clause that begins with it: "Omas Haus ist verkauft"."""
_AT = lazy_regex(rf"\b(?:bei (?:der |dem |den |einer |einem )?|beim )(?P<thing>{_NOUN})")
_OBJECT = lazy_regex(rf"\b(?:den|die|das|einen|eine|ein|unsere?n?|meine?n?|zum|zur|ins?|im|neue[nrs]?) (?P<thing>{_NOUN})")
_PEOPLE = (people_by_role("de", one=True) | people_by_role("de") | SHE | HE) | vocabulary("frau herr")
_OWN = lazy_regex(r"\b(?:ich|wir|mir|uns|mein\w*|unser\w*)\b", re.IGNORECASE)


def belongs(words: str) -> bool:
    """Return whether a German clause says something of a part or value without saying of what: "Kaution war 975"."""
    return _BELONGS.match(words) is not None and _OWN.search(words) is None


def owner(words: str, before: str) -> str | None:
    """Return whom or what a clause that `belongs` is about, by the clause before it; None where that leaves no choice."""
    subject = _SUBJECT.match(before)
    if subject is not None and subject["thing"].split()[0] not in _NO_SUBJECTS:
        thing = subject["thing"]
        return thing if not _is_somebody(thing) or _part(words) in _OF_SOMEBODY else None
    if at := _AT.search(before):
        return None if _is_somebody(at["thing"]) else at["thing"]
    things = list(dict.fromkeys(match["thing"] for match in _OBJECT.finditer(before)))
    return things[0] if len(things) == 1 and not _is_somebody(things[0]) else None


def _part(words: str) -> str:
    match = _BELONGS.match(words)
    return match["part"] if match else ""


def _is_somebody(thing: str) -> bool:
    first, *others = thing.lower().split()
    return first in _PEOPLE or (not others and first in SHE | HE)
