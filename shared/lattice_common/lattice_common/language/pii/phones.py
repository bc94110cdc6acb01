"""Phone numbers: those of the world's numbering plans (the `phonenumbers` library), those with a label, and every other seven to
fifteen digits in similar groups that nothing shows to be a date, an amount, a quantity or the number of a thing.

People write numbers without area, country or spaces, and mistype them: what was hidden without need is restored in the answer,
what was not hidden is disclosed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiSpan

if TYPE_CHECKING:
    from phonenumbers import PhoneNumberMatch

AT_HOME_WITH_ZERO = ("DE", "GB", "FR", "IT", "AU")
AT_HOME_WITHOUT = {"US": (10, 11), "RU": (10, 11), "ES": (9,), "CN": (11,), "IN": (10,), "BR": (10, 11)}
"""Countries whose numbers are recognised in their domestic notation, with a leading 0 and without one, and the number of digits
in the latter case; numbers from elsewhere are recognised with their "+". The plans of these cover what their neighbours write,
too."""

_GAP = r"[ ./()–-]"
_RUN = lazy_regex(rf"(?:\+\(?|\(\+?)?\d(?:{_GAP}{{0,4}}\+?\d){{5,}}")
"""Where a number may be: the rest of a text costs nothing."""
_DIGITS = lazy_regex(r"\d+")
_WITH_COUNTRY, _DIGITS_WITH_ZERO = lazy_regex(r"\+|00[1-9]"), lazy_regex(r"0[1-9]")
_BLOCK = lazy_regex(r"(?:\+\(?|\(\+?)?\d+")
_WITH_ZERO, _ABROAD = range(7, 13), range(8, 16)
"""Digits of a number with its 0, and with its country code (ITU-T E.164: at most fifteen)."""
_AS_A_WHOLE = lazy_regex(r"8 ?[( -]\d{3}[) -]{1,2}\d{3}[ -]?\d{2}[ -]?\d{2}|0\d{2,5}/\d{5,9}")
"""Forms that only phone numbers have, in Russia and in Germany, whether or not the area code exists."""
_EXTENSION = lazy_regex(r"\s?(?:x|ext\.?:?|durchwahl|dw)\s?\d{1,5}(?!\w)", re.IGNORECASE)
_NONE_BEFORE = lazy_regex(r"(?:[$€£¥]\s?|[\w+#]|\d[.,:/-])$")
_NONE_AFTER = lazy_regex(r"[\w%€$£]|[.,:]\d|\s?(?:€|EUR\b|USD\b|Euro\b|руб)")
"""What shows that digits are an amount, or a part of something else."""
_CALLED = lazy_regex(
    r"(?:\b(?:tel(?:ephone|efon(?:nummer)?)?|phone|mobile?|mobil(?:nummer)?|cell|fax|handy(?:nummer)?|rufnummer|"
    r"whatsapp|signal|viber|"
    r"portable|numéro|durchwahl|hotline|landline|festnetz)|\b(?:тел|моб|сот)\w*|\b(?:call|text|ring|reach|phone|message|звони\w*|"
    r"позвони\w*|набери\w*|erreich\w*|ruf\w*)(?:\s+\w+){0,2}"
    r"|\b(?:my|new|old|his|her|their|your|meine?|neue|alte|seine?|ihre?|мой|новый|старый|его|её|ваш|твой) (?:number|"
    r"nummer|номер))"
    r"(?:[ .:;#=№-]|\b(?:number|nummer|no|nr|is|ist|est|номер|at|on|unter|по|under|a|me|him|her|us|them|mich)\b){0,8}$",
    re.IGNORECASE,
)
"""Labels of phone numbers."""
_REACH = 60
_ANY_NUMBER = lazy_regex(rf"\+?\(?\d(?:{_GAP}{{0,3}}\d){{5,14}}(?!{_NONE_AFTER.pattern})")
_FROM_ABROAD = lazy_regex(rf"(?:\+|00)\(?[1-9](?:{_GAP}{{0,3}}\d){{6,14}}(?!{_NONE_AFTER.pattern})")
"""With "+" or 00, a number that no country has counts all the same."""
_DAY, _MONTH = r"(?:0?[1-9]|[12]\d|3[01])", r"(?:0?[1-9]|1[0-2])"
_DATE_OR_TIME = lazy_regex(
    rf"(?:(?:1[0-9]|2[01])\d{{2}}[-./]{_MONTH}[-./]{_DAY}|(?:{_DAY}[-./]{_MONTH}|{_MONTH}[-./]{_DAY})[-./](?:\d{{4}}|\d{{2}}))"
    r"(?:[ T]+\d{1,2}(?:[:.]\d{2}){0,2})?"
    r"|(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}|\d{1,2}[.:]\d{2}\s?[-–]\s?\d{1,2}[.:]\d{2}"
)
_THOUSANDS = lazy_regex(r"\d{1,2}(?:\.\d{3}){2,}|\d{3}(?:\.\d{3}){3,}")

_FEWEST, _MOST = 7, 15
"""Digits of a number that no plan has: shorter ones are prices and codes, longer ones do not exist (ITU-T E.164)."""
_OTHER_WITHIN = lazy_regex(
    rf"(?<!\d)(?<!\d[-./])(?:{_DATE_OR_TIME.pattern}"
    r"|(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:\d{4}|\d{6})?)(?![-./]?\d)|\.\s"
)
"""Dates, times and ends of sentences between or beside other digits, "20240506" included."""
_YEARS = lazy_regex(r"(?:19|20)\d{2}(?:\D+(?:19|20)\d{2})*")
_AMOUNT = lazy_regex(
    r"[1-9]\d?(?:\.\d{3})+|(?:0|[1-9]\d{0,1})\.\d+|\d{3}\.(?!\d{7}$)\d{4,}|[1-9]\d*(?:[ .]?000){2,}|[1-9]\d{0,4}0{5,}|"
    r"\d(?:\D+\d)*"
)
"""Thousands, a decimal fraction, a round number, single digits. "1 234 567" may be either: an amount where a unit follows."""
_COUNTED = lazy_regex(
    r"\s?(?:(?:dollars?|euros?|pounds?|cents?|francs?|yen|rupees?|usd|eur|gbp|chf|rub|people|users|inhabitants|residents|votes|"
    r"views|copies|words|characters|tokens|lines|rows|bytes|[kmgt]i?b|bits|pixels|steps|calories|kcal|points|times|"
    r"[mun]?s|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|years?|million|billion|"
    r"[kcm]?m|miles|feet|met(?:re|er)s?|kilomet(?:re|er)s?|m²|km²|[km]?g|kilo|tons?|tonnes|lit(?:re|er)s?|[km]?wh|[kmg]?hz|"
    r"menschen|einwohner|leute|franken|millionen|mal|sekunden|minuten|stunden|tage|jahre|meter|schritte|zeichen|wörter|"
    r"руб\w*|евро|долл\w*|р|человек|жител\w*|раз|шаг\w*|секунд\w*|минут\w*|час\w*|дн\w*|лет|метр\w*|км|м|кг|г|тыс|млн|слов|"
    r"знак\w*)\b|[%°²])",
    re.IGNORECASE,
)
"""Units of measure, and nouns that are counted by millions."""
_NAMED = lazy_regex(
    r"(?:\b(?:orders?|invoice|issue|booking|reservation|confirmation|article|item|isbn|issn|ean|gtin|upc|asin|"
    r"doi|sku|part|"
    r"model|serial|version|build|release|commit|revision|pull request|pr|bug|case|file|page|row|chapter|paragraph|room|seat|"
    r"flight|train|track(?:ing)?|parcel|shipment|receipt|transaction|timestamp|unix|epoch|seed|id|port|pid|bestell\w*|"
    r"rechnung\w*|"
    r"auftrag\w*|buchung\w*|vorgang\w*|artikel\w*|ticket\w*|sendung\w*|aktenzeichen|az|seite|zeile|beleg\w*|"
    r"serien\w*|заказ\w*|сч[её]т\w*|брон\w*|артикул\w*|номер заказа|накладн\w*|верси\w*|сборк\w*|билет\w*|рейс\w*|страниц\w*|"
    r"чек\w*|трек\w*|population|cost|costs|price|total|sum|summe|kostet\w*|betrag|стоил\w*|цена|сумма|итого)[\"']?"
    r"(?:[ -]?(?:number|no\b\.?|nr\b\.?|nummer|id|номер|№))?(?:\s?[:=#№]|\s(?:is|was|ist|war|of|von|about|etwa))?\s?[\"'#№]?"
    r"|[$€£¥#№]\s?|\w[-_/=])$",
    re.IGNORECASE,
)
"""Labels of the number of a thing, an amount, or the rest of an identifier."""
_OF_A_THING = 40
_PIECE = lazy_regex(r"[^\s]+")
_FROM_DIGIT = lazy_regex(r"(?:\+\(?|\(\+?)?\d(?:.*\d)?", re.DOTALL)
_GROUPS, _SMALL, _PAIRS = 6, 2, (4, 5)
"""A phone number has at most six groups, and at most one of more than two digits unless it begins with 0 or has four or five
pairs."""


def phones(text: str) -> Iterator[PiiSpan]:
    """Yield numbers that exist in some country, in its notation or with "+" or 00 and a country code; after a label also what
    could be anything else; and the rest that may be a number."""
    known: dict[str, bool] = {}
    for run in _RUN.finditer(text):
        found = list(_numbers(text, *run.span(), known))
        yield from _with_more(text, *run.span(), found)
        at = run.start()
        for start, end in found:
            yield from _left_over(text, at, start)
            at = _with_extension(text, end)
            yield PiiSpan(start, at, "PHONE")
        yield from _left_over(text, at, run.end())
        called = _CALLED.search(text, max(0, run.start() - _REACH), run.start()) and _ANY_NUMBER.match(text, run.start())
        if called and _may_be(text, *called.span()):
            yield PiiSpan(*called.span(), "PHONE")


def _numbers(text: str, start: int, end: int, known: dict[str, bool]) -> Iterator[tuple[int, int]]:
    """Yield the longest sequences of whole groups of digits that are numbers, from left to right. (The library's own search fails
    where only a space separates two numbers.)"""
    blocks = [match.span() for match in _BLOCK.finditer(text, start, end)]
    at = 0
    while at < len(blocks):
        first = blocks[at][0]
        for last in range(min(len(blocks), at + _ABROAD.stop) - 1, at - 1, -1):
            number = text[first : blocks[last][1]]
            if number not in known:
                known[number] = _exists(number)
            if known[number] and _may_be(text, first, blocks[last][1]):
                yield first, blocks[last][1]
                at = last
                break
        else:
            mistyped = _FROM_ABROAD.match(text, first)
            if mistyped and _may_be(text, *mistyped.span()):
                yield mistyped.span()
        at += 1


def _exists(number: str) -> bool:
    """Return whether a number is one of some country, or has exactly the form of one: which numbers are in use changes too fast
    for any list."""
    # Imported here: it takes a tenth of a second, and is used only for what goes to a language model.
    from phonenumbers import Leniency, PhoneNumberFormat, PhoneNumberMatcher, format_number

    def read(region: str, leniency: int) -> PhoneNumberMatch | None:
        found = next(iter(PhoneNumberMatcher(number, region, leniency, 1)), None)
        return found if found and (found.start, found.end) == (0, len(number)) else None

    if _AS_A_WHOLE.fullmatch(number):
        return True
    digits = sum(char.isdigit() for char in number)
    bare = number.lstrip("(")
    if _WITH_COUNTRY.match(bare):
        return digits in _ABROAD and read("DE", Leniency.POSSIBLE) is not None
    if _DIGITS_WITH_ZERO.match(bare):
        # An area code, a space and a plausible number of digits: looked up only where it is in one piece.
        parted = len(_DIGITS.findall(number)) > 1 and read("DE", Leniency.POSSIBLE)
        return digits in _WITH_ZERO and bool(parted or any(read(region, Leniency.VALID) for region in AT_HOME_WITH_ZERO))
    regions = [region for region, lengths in AT_HOME_WITHOUT.items() if digits in lengths]
    if any(read(region, Leniency.STRICT_GROUPING) for region in regions):
        return True
    groups = _DIGITS.findall(number)
    possible = (read(region, Leniency.POSSIBLE) for region in regions) if len(groups) > 1 else ()
    written = (_DIGITS.findall(format_number(each.number, PhoneNumberFormat.NATIONAL)) for each in possible if each)
    return any(groups[-len(each) :] == each for each in written)


def _may_be(text: str, start: int, end: int) -> bool:
    number = text[start:end]
    if _DATE_OR_TIME.fullmatch(number.strip()) or _THOUSANDS.fullmatch(number):
        return False
    extension = _EXTENSION.match(text, end)  # "816-2982x819": a letter after the digits, and no other word
    after = extension.end() if extension else end
    return not (_NONE_BEFORE.search(text, max(0, start - 2), start) or _NONE_AFTER.match(text, after))


def _with_more(text: str, start: int, end: int, found: Sequence[tuple[int, int]]) -> Iterator[PiiSpan]:
    """Yield digits that look like one number, of which a plan has only a part: "100 40010 1001". A year beside a number is not
    part of it."""
    known = {at for first, last in found for at in range(first, last)}
    for first, last in _stretches(text, start, end) if known else ():
        left = [at for at in range(first, last) if text[at].isdigit() and at not in known]
        groups = _DIGITS.findall(text, first, last)
        years = _YEARS.fullmatch(groups[0]) or _YEARS.fullmatch(groups[-1])
        if left and not years and _like_a_number(text, first, last):
            yield PiiSpan(first, _with_extension(text, last), "PHONE")


def _with_extension(text: str, end: int) -> int:
    extension = _EXTENSION.match(text, end)
    return extension.end() if extension else end


def _left_over(text: str, start: int, end: int) -> Iterator[PiiSpan]:
    """Yield what may be a number between recognised numbers or dates; where there are too many digits for one, each piece without
    a space that has enough."""
    for first, last in _stretches(text, start, end):
        whole = sum(char.isdigit() for char in text[first:last]) <= _MOST
        for piece in [(first, last)] if whole else [match.span() for match in _PIECE.finditer(text, first, last)]:
            if _like_a_number(text, *piece):
                yield PiiSpan(piece[0], _with_extension(text, piece[1]), "PHONE")


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the stretches between dates, from digit to digit."""
    at = start
    for other in [*_OTHER_WITHIN.finditer(text, start, end), None]:
        stretch = _FROM_DIGIT.search(text, at, other.start() if other else end)
        if stretch:
            yield stretch.span()
        at = other.end() if other else end


def _like_a_number(text: str, start: int, end: int) -> bool:
    number = text[start:end]
    groups = _DIGITS.findall(number)
    if not _FEWEST <= sum(map(len, groups)) <= _MOST or not _may_be(text, start, end):
        return False
    if _AMOUNT.fullmatch(number) or _YEARS.fullmatch(number):
        return False
    pairs = len(groups) in _PAIRS and all(len(group) == _SMALL for group in groups)
    grouped = pairs or (len(groups) <= _GROUPS and any(len(group) > _SMALL for group in groups))
    if not (grouped or number[0] in "(+0"):
        return False
    return not (_COUNTED.match(text, end) or _NAMED.search(text, max(0, start - _OF_A_THING), start))
