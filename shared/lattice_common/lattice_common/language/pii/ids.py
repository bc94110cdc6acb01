"""Numbers by which offices, insurers and shops identify a person: those with right check digits (the `stdnum` library), and those
with a label."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiSpan

if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

_WRITTEN = {
    r"\d{3}-\d{2}-\d{4}": ("us.ssn",),
    r"756\.\d{4}\.\d{4}\.\d{2}": ("ch.ssn",),
    r"[A-Z]{6}\d{2}[A-Z]\d{2}[A-Z]\d{3}[A-Z]": ("it.codicefiscale",),
    r"[XYZ]?-?\d{7,8}-?[A-Z]{1,2}": ("es.nif", "ie.pps"),
    r"\d{3}\.\d{3}\.\d{3}-\d{2}": ("br.cpf",),
    r"[12] \d{2} \d{2} \d{2} \d{3} \d{3} \d{2}|[12]\d{14}": ("fr.nir",),
    r"\d{2} \d{3} \d{3} \d{3}": ("de.idnr",),
    r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}": ("be.nn",),
    r"\d{6}-\d{4}": ("dk.cpr", "se.personnummer"),
    r"\d{6}[-+A]\d{3}[0-9A-Y]": ("fi.hetu",),
    r"\d{6}-\d{7}": ("kr.rrn",),
    r"\d{3}-\d{3}-\d{3}": ("ca.sin",),
    r"\d{17}[\dX]": ("cn.ric",),
    r"\d{4} \d{4} \d{4}": ("in_.aadhaar",),
    r"[A-Z]{5}\d{4}[A-Z]": ("in_.pan",),
    r"[A-Z]{4}\d{6}[A-Z]{6}[A-Z\d]\d": ("mx.curp",),
}
"""Notations that show what a number may be, with the modules of the library that check it. Numbers of mere digits are found by
their label."""
_FORMS = lazy_regex(rf"(?<![\w-])(?:{'|'.join(f'({form})' for form in _WRITTEN)})(?![\w-])")
_UNCHECKED = lazy_regex(
    r"(?<![\w-])(?:"
    r"[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]"  # United Kingdom: national insurance
    r"|[12] \d{2} \d{2} \d{2} \d{3} \d{3}"  # France, without its check digits
    r"|\d{3}-\d{3}-\d{3} \d{2}"  # Russia
    r")(?![\w-])"
)
"""Numbers that the library cannot check."""
_CALLED = lazy_regex(
    r"(?i:\b(?:passport|reisepass|personalausweis|ausweis|identity card|id card|passeport|pasaporte|паспорт\w{0,2}|"
    r"driver['’]?s? licen[cs]e|driving licen[cs]e|führerschein|steuer-?(?:id|nummer|nr\.?)|tax id|social security|"
    r"national insurance|(?:sozial|renten|kranken)?versicher\w{0,14}nummer|insurance|nhs|codice fiscale|insee|sécurité sociale|"
    r"dni|nie|nif|инн|снилс|pesel|bsn|cpf|ahv|aadhaar|vin|number plate|licen[cs]e plate|kennzeichen|customer|kundennummer|"
    r"member(?:ship)?|account|konto(?:nummer)?|policy|patient|employee|personalnummer|routing|sort code|blz)"
    r"(?:[ -]?(?:card|number|nummer|id|no\b\.?|nr\b\.?|num[ée]ro|№|номер))?(?:\s?[:=#№]|\s(?:is|ist|est|lautet|это)\b:?)?\s?)"
    r"([A-Z0-9]{1,20}(?:[ ./-]?[A-Z0-9]{1,20}){0,8})(?![a-z])"
)
_DATE = lazy_regex(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}")
FEWEST, FEWEST_DIGITS = 5, 4
"""Least letters and digits of a labelled account or policy number that is no year or amount."""


def ids(text: str) -> Iterator[PiiSpan]:
    """Yield numbers with a known form and right check digits, and numbers with a label."""
    for match in _FORMS.finditer(text):
        if match.lastindex and any(each.is_valid(match[0]) for each in _checks(match.lastindex - 1)):
            yield PiiSpan(match.start(), match.end(), "ID")
    for match in _UNCHECKED.finditer(text):
        yield PiiSpan(match.start(), match.end(), "ID")
    for match in _CALLED.finditer(text):
        number = match[1]
        digits, size = sum(char.isdigit() for char in number), sum(char.isalnum() for char in number)
        if size >= FEWEST and digits >= FEWEST_DIGITS and not _DATE.fullmatch(number):
            yield PiiSpan(match.start(1), match.end(1), "ID")


@cache
def _checks(form: int) -> tuple[NumberValidationModule, ...]:
    """Return the library's modules for a form of `_WRITTEN`; loaded when the first number has it."""
    return tuple(import_module(f"stdnum.{name}") for name in list(_WRITTEN.values())[form])
