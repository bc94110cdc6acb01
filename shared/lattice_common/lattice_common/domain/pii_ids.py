"""Numbers by which offices, insurers and shops know a person: those with a form of their own, and what is called one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.domain.pii_span import PiiSpan

_FORMS = re.compile(
    r"(?<![\w-])(?:"
    r"(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}"  # United States: social security
    r"|[A-CEGHJ-PR-TW-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]"  # United Kingdom: national insurance
    r"|756\.\d{4}\.\d{4}\.\d{2}"  # Switzerland
    r"|[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]"  # Italy
    r"|[XYZ]?\d{7,8}-?[TRWAGMYFPDXBNJZSQVHLCKE]"  # Spain
    r"|\d{3}\.\d{3}\.\d{3}-\d{2}"  # Brazil
    r"|[12] \d{2} \d{2} \d{2} \d{3} \d{3}(?: \d{2})?"  # France
    r"|\d{3}-\d{3}-\d{3} \d{2}"  # Russia
    r")(?![\w-])"
)
_CALLED = re.compile(
    r"(?i:\b(?:passport|reisepass|personalausweis|ausweis|identity card|id card|passeport|pasaporte|паспорт\w{0,2}|"
    r"driver['’]?s? licen[cs]e|driving licen[cs]e|führerschein|steuer-?(?:id|nummer|nr\.?)|tax id|social security|"
    r"national insurance|(?:sozial|renten|kranken)?versicher\w{0,14}nummer|insurance|nhs|codice fiscale|insee|sécurité sociale|"
    r"dni|nie|nif|инн|снилс|pesel|bsn|cpf|ahv|aadhaar|vin|number plate|licen[cs]e plate|kennzeichen|customer|kundennummer|"
    r"member(?:ship)?|account|konto(?:nummer)?|policy|patient|employee|personalnummer|routing|sort code|blz)"
    r"(?:[ -]?(?:card|number|nummer|id|no\b\.?|nr\b\.?|num[ée]ro|№|номер))?(?:\s?[:=#№]|\s(?:is|ist|est|lautet|это)\b:?)?\s?)"
    r"([A-Z0-9]{1,20}(?:[ ./-]?[A-Z0-9]{1,20}){0,8})(?![a-z])"
)
_DATE = re.compile(r"\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}")
FEWEST, FEWEST_DIGITS = 5, 4
"""Letters and digits of what is called an account or a policy without being a year or an amount."""


def ids(text: str) -> Iterator[PiiSpan]:
    """Of a form, or by name."""
    for match in _FORMS.finditer(text):
        yield PiiSpan(match.start(), match.end(), "ID")
    for match in _CALLED.finditer(text):
        number = match[1]
        digits, size = sum(char.isdigit() for char in number), sum(char.isalnum() for char in number)
        if size >= FEWEST and digits >= FEWEST_DIGITS and not _DATE.fullmatch(number):
            yield PiiSpan(match.start(1), match.end(1), "ID")
