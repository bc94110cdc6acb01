"""Postal addresses as they are written in English, German, French and Russian: a street and a number, and what follows them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.domain.pii_span import PiiSpan


def _any_of(words: str) -> str:
    return f"(?:{'|'.join(words.split())})"


_NAME = r"[A-ZÄÖÜÀ-Þ][\w’'-]{0,40}"
_TOWN = rf"{_NAME}(?:[ -](?:am|an der|im|upon|on|sur|de|le|la|les|the)?[ -]?{_NAME}){{0,3}}"

_ENGLISH_KINDS = _any_of(
    "Street St Avenue Ave Road Rd Lane Ln Drive Dr Boulevard Blvd Court Ct Square Sq Terrace Way Place Pl Close Crescent Gardens "
    "Row Hill Mews Parkway Pkwy Highway Hwy Grove Walk Quay Circle Cir Trail"
)
_WIND = _any_of("NE NW SE SW N S E W")
_NTH = r"\d{1,3}(?:st|nd|rd|th)"
_ENGLISH = re.compile(
    rf"\b\d{{1,5}}[A-Za-z]?(?:[-/]\d{{1,4}})? (?:{_WIND}\.? )?(?:{_NAME}|{_NTH})(?: (?:{_NAME}|{_NTH})){{0,3}}? "
    rf"{_ENGLISH_KINDS}\b\.?(?: {_WIND}\b)?(?:,? (?:Apt|Apartment|Flat|Unit|Suite|Ste|Floor|#)\.? ?[\w-]{{1,6}})?"
    rf"(?:, (?:{_TOWN}))?(?:,? [A-Z]{{2}},? \d{{5}}(?:-\d{{4}})?|,? [A-Z]{{1,2}}\d[A-Z\d]? ?\d[A-Z]{{2}})?"
)
_GERMAN_ENDINGS = _any_of(
    r"straße strasse str\. weg platz allee gasse ring ufer damm berg graben steig promenade chaussee markt hof pfad tor wall"
)
_GERMAN_KINDS = _any_of(r"Straße Strasse Str\. Weg Platz Allee Gasse Ring Ufer Damm Markt Chaussee Promenade")
_GERMAN = re.compile(
    rf"\b(?:[A-ZÄÖÜ][\w-]{{0,40}}(?:{_GERMAN_ENDINGS}|-{_GERMAN_KINDS})|{_NAME}(?: {_NAME}){{0,2}}? {_GERMAN_KINDS}"
    rf"|(?:Am|An der|An den|Im|In der|Auf dem|Auf der|Unter den|Zum|Zur|Beim) {_NAME}(?: {_NAME}){{0,2}})"
    rf" \d{{1,4}}(?: ?[a-zA-Z]\b)?(?:[-/–] ?\d{{1,4}}(?: ?[a-zA-Z]\b)?)?(?:,? (?:D-|A-|CH-)?\d{{4,5}} {_TOWN})?"
)
_FRENCH_KINDS = _any_of(
    r"rue avenue av\. boulevard bd\.? place chemin impasse allée allee quai cours route square passage faubourg villa"
)
_FRENCH = re.compile(
    rf"\b\d{{1,4}}(?: ?(?:bis|ter|quater))?,? {_FRENCH_KINDS} (?:(?:de la |de l[’']|de |du |des |d[’']|la |le |les |aux? ))?"
    rf"(?:{_NAME}|\d+)(?:[ -](?:(?:de|du|des|la|le|et) )?{_NAME}){{0,4}}(?:,? \d{{5}} {_TOWN})?"
)
_RU_NAME = r"[А-ЯЁ][а-яё]{1,40}(?:-[А-ЯЁа-яё][а-яё]{1,40})?"
_RU_NUMBER = (
    r",? (?:(?:д|дом|доме|дома)\.? ?)?(?:№ ?)?\d{1,4}(?:-?(?:бис|[а-яА-Я])\b)?(?: [а-яА-Я]\b(?=[,.]))?(?:/\d{1,4})?"
    r"(?:,? (?:к|корп|корпус|стр|строение|кв|квартира|квартире|подъезд|этаж|оф|офис)\.? ?\d{1,5})*"
)
_RU_KINDS = _any_of(
    r"улиц[аыеу] ул\. проспект[аеу]? просп\. пр-т пр\. переул(?:ок|ка|ке) пер\. набережн\w{1,4} наб\. шоссе бульвар[аеу]? б-р "
    r"площад[ьи] пл\. проезд[аеу]? пр-д тупик[аеу]? алле[яеи]"
)
_RUSSIAN = re.compile(
    rf"(?:\b\d{{6}}, )?(?:\b(?:г\. ?|город[еа]? )?{_RU_NAME}, )?(?:\b{_RU_KINDS} ?(?:\d{{1,2}}-[а-я]{{1,2}} )?{_RU_NAME}"
    rf"(?: {_RU_NAME}){{0,2}}|\b{_RU_NAME}(?: {_RU_NAME})? {_RU_KINDS}){_RU_NUMBER}"
)
_POSTCODE = re.compile(r"\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d)\b")
"""British and Canadian ones, which alone name a dozen houses."""
_BOX = re.compile(r"\b(?:P\.? ?O\.? Box|Postfach|BP|а/я|абонентский ящик) ?\d[\d ]{0,8}\b", re.IGNORECASE)


def addresses(text: str) -> Iterator[PiiSpan]:
    """Streets with house numbers, and the town where it follows; boxes; postcodes that say as much."""
    for pattern in (_ENGLISH, _GERMAN, _FRENCH, _RUSSIAN, _POSTCODE, _BOX):
        for match in pattern.finditer(text):
            yield PiiSpan(match.start(), match.end(), "ADDRESS")
