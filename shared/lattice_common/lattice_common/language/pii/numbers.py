"""E-mail addresses, account and card numbers, and network addresses: values whose form can be checked."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterator
from functools import cache

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiSpan

_HOST = r"(?:[\w-]{1,63}(?:\.|\s?[\[({]\s?(?:dot|punkt|punto|point)\s?[\])}]\s?)){1,6}\w{2,24}"
_EMAIL = lazy_regex(
    rf"(?<!\\)[\w.+'’-]{{1,64}}(?:\s?@\s?|%40|\s?[\[({{]\s?(?:at|ät|arroba|собака)\s?[\])}}]\s?){_HOST}"
    rf"|\"[^\"\n@]{{1,64}}\"@{_HOST}"
    r"|[\w.+-]{1,64}@(?:\[[\d.:A-Fa-f]{3,45}\]|[A-Za-z][\w-]{1,62}(?![\w.@-]))"
    r"|\b[\w.+-]{2,64} at [\w-]{1,63}(?: dot [\w-]{2,63}){1,4}\b",
    re.IGNORECASE,
)
_MAY_HOLD_EMAIL = lazy_regex(r"@|%40|[\[({]\s?(?:at|ät|arroba|собака)\s?[\])}]| dot ", re.IGNORECASE)
"""The letter of an escape (`\\n` before an address in JSON) is none of the address."""

_IBAN = lazy_regex(r"(?<![A-Za-z0-9])(?=([A-Za-z]{2}(?:[\s._-]{0,2}\d){2}(?:[\s._-]{0,2}[A-Za-z0-9]){11,30}))")
"""Looked for at every position: what precedes a number may look like the beginning of one."""
_NAMED_IBAN = lazy_regex(r"\biban\b[^\n]{0,20}$", re.IGNORECASE)

_CARD = lazy_regex(
    r"(?<![\d.,])(?=([2-6]\d{3}(?:(?:[ -]?\d){9,15}"
    r"|([\s._/-]{1,2})\d{4}\2\d{4}\2\d{4}(?:\2\d{3})?|([\s._/-]{1,2})\d{6}\3\d{4,5})))"
)
_SHORT_CARD = lazy_regex(r"(?<![\d.,])(?:50|5[6-8]|6\d)\d{2}(?:[ -]?\d){8}(?![\d-])")
"""Twelve digits: debit cards of Maestro's ranges."""
_NAMED_CARD = lazy_regex(
    r"\b(?:card|kreditkarten?|karten?|carte|tarjeta|visa|mastercard|amex|карт[аыуе])(?:[ -]?(?:number|no|nummer|nr))?\b"
    r"[^\d\n]{0,20}((?:\d[ ./-]{0,2}){12,18}\d)(?![\d])",
    re.IGNORECASE,
)
"""A labelled number is a card number even with a typing error."""
_CARD_LENGTHS = ((16, "23456"), (15, "3"), (14, "3"), (19, "456"), (18, "56"))
"""The first digits of numbers of each length (ISO/IEC 7812). Those of thirteen digits are obsolete, and would be confused with
the numbers of articles."""
_IPV4 = lazy_regex(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w]|\.\d)")
_IPV6 = lazy_regex(r"(?<![\w:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")


def emails(text: str) -> Iterator[PiiSpan]:
    """Yield e-mail addresses, "name [at] host [dot] tld" included."""
    if _MAY_HOLD_EMAIL.search(text):
        for match in _EMAIL.finditer(text):
            start = match.start() + len(match[0]) - len(match[0].lstrip(".'’-"))
            yield PiiSpan(start, match.end(), "EMAIL")


def ibans(text: str) -> Iterator[PiiSpan]:
    """Yield account numbers with right check digits (ISO 7064, mod 97-10), and whatever is labelled IBAN."""
    from stdnum.iso7064 import mod_97_10  # only what goes to a language model is looked through

    for match in _IBAN.finditer(text):
        length = _iban_length(match[1][:2].upper())
        end = _after(text, match.start(1), match.end(1), length) if length else None
        if end is None:
            continue
        compact = re.sub(r"[^0-9A-Za-z]", "", text[match.start() : end]).upper()
        if mod_97_10.is_valid(compact[4:] + compact[:4]) or _NAMED_IBAN.search(text, max(0, match.start() - 24), match.start()):
            yield PiiSpan(match.start(), end, "IBAN")


def cards(text: str) -> Iterator[PiiSpan]:
    """Yield numbers of twelve, or fourteen to nineteen digits, with a right check digit (ISO/IEC 7812, Luhn)."""
    from stdnum import luhn  # only what goes to a language model is looked through

    for match in _CARD.finditer(text):
        for length, begins in _CARD_LENGTHS:
            end = _after(text, match.start(1), match.end(1), length) if match[1][0] in begins else None
            if end is not None and luhn.is_valid(re.sub(r"\D", "", text[match.start() : end])):
                yield PiiSpan(match.start(), end, "CARD")
                break
    for match in _SHORT_CARD.finditer(text):
        if luhn.is_valid(re.sub(r"\D", "", match[0])):
            yield PiiSpan(*match.span(), "CARD")
    for match in _NAMED_CARD.finditer(text):
        yield PiiSpan(match.start(1), match.end(1), "CARD")


def network_addresses(text: str) -> Iterator[PiiSpan]:
    """Yield IPv4 and IPv6 addresses, except those that are the same everywhere."""
    for pattern in (_IPV4, _IPV6):
        for match in pattern.finditer(text):
            try:
                address = ipaddress.ip_address(match[0])
            except ValueError:
                continue
            if not (address.is_loopback or address.is_unspecified):
                yield PiiSpan(match.start(), match.end(), "IP")


@cache
def _iban_length(country: str) -> int | None:
    """Return how long an IBAN of a country is, by the library's copy of the registry (ISO 13616)."""
    from stdnum import numdb

    _, properties = numdb.get("iban").info(country)[0]
    groups = re.findall(r"(\d+)!", properties.get("bban", ""))
    return 4 + sum(map(int, groups)) if groups else None


def _after(text: str, start: int, end: int, count: int) -> int | None:
    """Return the position after `count` letters and digits, if a word ends there."""
    for at in range(start, end):
        count -= text[at].isalnum()
        if count == 0:
            return at + 1 if not text[at + 1 : at + 2].isalnum() else None
    return None
