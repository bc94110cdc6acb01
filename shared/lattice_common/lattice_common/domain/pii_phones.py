"""Phone numbers, as the numbering plans of the world have them (the `phonenumbers` library), and what is called one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from lattice_common.domain.pii_span import PiiSpan

if TYPE_CHECKING:
    from phonenumbers import PhoneNumberMatch

AT_HOME_WITH_ZERO = ("DE", "GB", "FR", "IT", "AU")
AT_HOME_WITHOUT = {"US": (10, 11), "RU": (10, 11), "ES": (9,), "CN": (11,), "IN": (10,), "BR": (10, 11)}
"""Whose numbers are known as they are written at home, with a leading 0 and without one, and then of how many digits; from
anywhere else they are known with their "+". The plans of these have what their neighbours write, too."""

_GAP = r"[ ./()–-]"
_RUN = re.compile(rf"(?:\+\(?|\(\+?)?\d(?:{_GAP}{{0,4}}\+?\d){{5,}}")
"""Where a number may stand: the rest of a text costs nothing."""
_DIGITS = re.compile(r"\d+")
_WITH_COUNTRY, _DIGITS_WITH_ZERO = re.compile(r"\+|00[1-9]"), re.compile(r"0[1-9]")
_BLOCK = re.compile(r"(?:\+\(?|\(\+?)?\d+")
_WITH_ZERO, _ABROAD = range(7, 13), range(8, 16)
"""Digits of a number that is written with its 0, and with its country (ITU-T E.164: at most fifteen)."""
_AS_A_WHOLE = re.compile(r"8 ?[( -]\d{3}[) -]{1,2}\d{3}[ -]?\d{2}[ -]?\d{2}|0\d{2,5}/\d{5,9}")
"""Forms that nothing else has, in Russia and in Germany, whether or not there is such an area."""
_EXTENSION = re.compile(r"\s?(?:x|ext\.?:?|durchwahl|dw)\s?\d{1,5}(?!\w)", re.IGNORECASE)
_NONE_BEFORE = re.compile(r"(?:[$€£¥]\s?|[\w+#]|\d[.,:/-])$")
_NONE_AFTER = re.compile(r"[\w%€$£]|[.,:]\d|\s?(?:€|EUR\b|USD\b|Euro\b|руб)")
"""What shows that digits are an amount, or a part of something else."""
_CALLED = re.compile(
    r"(?:\b(?:tel(?:ephone|efon(?:nummer)?)?|phone|mobile?|mobil(?:nummer)?|cell|fax|handy(?:nummer)?|rufnummer|whatsapp|signal|viber|"
    r"portable|numéro|durchwahl|hotline|landline|festnetz)|\b(?:тел|моб|сот)\w*|\b(?:call|text|ring|reach|phone|message|звони\w*|"
    r"позвони\w*|набери\w*|erreich\w*|ruf\w*)(?:\s+\w+){0,2})"
    r"(?:[ .:;#=№-]|\b(?:number|nummer|no|nr|is|ist|est|номер|at|on|unter|по|under|a|me|him|her|us|them|mich|her)\b){0,8}$",
    re.IGNORECASE,
)
"""What stands before anything that is called a phone number."""
_REACH = 60
_ANY_NUMBER = re.compile(rf"\+?\(?\d(?:{_GAP}{{0,3}}\d){{5,14}}(?!{_NONE_AFTER.pattern})")
_FROM_ABROAD = re.compile(rf"(?:\+|00)\(?[1-9](?:{_GAP}{{0,3}}\d){{6,14}}(?!{_NONE_AFTER.pattern})")
"""With "+" or 00 a number that no country has is one all the same."""
_DATE_OR_TIME = re.compile(
    r"(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))(?:[ T]+\d{1,2}(?:[:.]\d{2}){0,2})?"
    r"|(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}|\d{1,2}[.:]\d{2}\s?[-–]\s?\d{1,2}[.:]\d{2}"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")


def phones(text: str) -> Iterator[PiiSpan]:
    """Numbers that there are in some country, written as it is done there or with "+" or 00 and their country; after a word for
    telephones also what could be anything else."""
    known: dict[str, bool] = {}
    for run in _RUN.finditer(text):
        for start, end in _numbers(text, *run.span(), known):
            extension = _EXTENSION.match(text, end)
            yield PiiSpan(start, extension.end() if extension else end, "PHONE")
        called = _CALLED.search(text, max(0, run.start() - _REACH), run.start()) and _ANY_NUMBER.match(text, run.start())
        if called and _may_be(text, *called.span()):
            yield PiiSpan(*called.span(), "PHONE")


def _numbers(text: str, start: int, end: int, known: dict[str, bool]) -> Iterator[tuple[int, int]]:
    """The longest stretches of whole groups of digits that are numbers, from left to right. (The library's own search gives up
    where one number follows another with only a blank between.)"""
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
    """Whether it is one of a country, or looks exactly as if it were: which numbers are in use changes faster than anybody's
    address book."""
    # Imported here: it takes a tenth of a second, and only what goes to a language model is looked through.
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
        # An area code, a gap and as many digits as there are somewhere: looked up only where it stands in one piece.
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
