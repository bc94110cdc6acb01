"""Postal addresses as they are written in Europe, the Americas and East Asia: a street and a number, and what follows them."""

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
    "Row Hill Mews Parkway Pkwy Highway Hwy Grove Walk Quay Circle Cir Trail Loop Alley"
)
_WIND = _any_of("NE NW SE SW N S E W")
_NTH = r"\d{1,3}(?:st|nd|rd|th)"
_ENGLISH = re.compile(
    rf"(?:\b(?:Apt|Apartment|Flat|Unit|Suite|Ste|Room)\.? [\w-]{{1,6}},? )?"
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
_CAPITAL = r"[A-ZÀ-ÞŁŚŻŹĆČŠŽŘŇĎŤĐ][\w’'-]{0,40}"
_OF = r"(?:(?:de la|de los|de las|della|dello|degli|dell[’']|del|dei|de|do|dos|das|da|d[’'])\s?)"
_ROMANCE = re.compile(
    r"\b(?:Via|Viale|Piazza|Piazzale|Corso|Vicolo|Calle|C/|Avenida|Avda\.?|Plaza|Paseo|Carrer|Camino|Rua|Travessa|Praça|Estrada|"
    rf"Alameda) {_OF}?{_CAPITAL}(?: {_OF}?{_CAPITAL}){{0,4}},? (?:n[.º°] ?)?\d{{1,5}}\b"
    rf"(?:,? \d{{4,5}}(?:-\d{{3}})? {_TOWN}|, {_TOWN})?"
)
_COMPOUND = re.compile(
    rf"\b{_CAPITAL}(?:(?<=straat)|(?<=laan)|(?<=weg)|(?<=plein)|(?<=gracht)|(?<=kade)|(?<=dijk)|(?<=singel)|(?<=gatan)|(?<=gata)"
    r"|(?<=vägen)|(?<=vegen)|(?<=veien)|(?<=gade)|(?<=vej)|(?<=katu)|(?<=tie)|(?<=kuja)|(?: [IVX]{1,4}-laan)| (?:utca|út|náměstí"
    rf"|ulice|třída|ulica)) \d{{1,4}}(?: ?[A-Za-z]\b)?(?:,? \d{{3,4}} ?(?:\d{{2}}|[A-Z]{{2}})? ?{_TOWN}|, {_TOWN})?"
)
_POLISH = re.compile(
    rf"\b(?:ul|al|os|pl)\. ?{_CAPITAL}(?: {_CAPITAL}){{0,3}} \d{{1,4}}[A-Za-z]?(?:/\d{{1,4}})?(?:,? \d{{2}}-\d{{3}} {_CAPITAL})?"
)
_SMALL = re.compile(
    r"\b\d{1,5} (?!(?:the|this|that|his|her|our|long|dirt|new|old|more|other|busy|quiet|main road)\b)[a-z]{3,20} "
    r"(?:street|avenue|road|lane|boulevard)\b"
)
"""In the small letters of somebody's notes; of more words than one nobody could tell what they are."""
_HAN = r"[\u3400-\u9fff々]"
_EAST = re.compile(
    rf"{_HAN}{{2,16}}[路街道巷弄]\d{{1,5}}号(?:[\d]{{1,4}}{_HAN}{{1,3}}){{0,3}}"
    rf"|〒 ?\d{{3}}-\d{{4}}|{_HAN}{{2,12}}[市区町村郡][{_HAN[1:-1]}\u3040-\u30ff]{{1,8}}"
    r"\d{1,3}(?:丁目|番地?|号|-){1,2}(?:\d{1,3}(?:番地?|号|-)?){0,2}"
    r"|\b\d{1,2}-\d{1,2}(?:-\d{1,2})? [A-Z][a-z]+, [A-Z][\w-]+-(?:ku|shi|cho|gun)\b(?:, [A-Z][a-z]+)?(?: \d{3}-\d{4})?"
)
_POSTCODE = re.compile(r"\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[ABCEGHJ-NPRSTVXY]\d[A-Z] \d[A-Z]\d)\b")
"""British and Canadian ones, which alone name a dozen houses."""
_BOX = re.compile(r"\b(?:P\.? ?O\.? Box|Postfach|BP|а/я|абонентский ящик) ?\d[\d ]{0,8}\b", re.IGNORECASE)


def addresses(text: str) -> Iterator[PiiSpan]:
    """Streets with house numbers, and the town where it follows; boxes; postcodes that say as much."""
    for pattern in (_ENGLISH, _GERMAN, _FRENCH, _RUSSIAN, _ROMANCE, _COMPOUND, _POLISH, _EAST, _SMALL, _POSTCODE, _BOX):
        for match in pattern.finditer(text):
            yield PiiSpan(match.start(), match.end(), "ADDRESS")
