"""Phone numbers as people write them, and not dates, amounts or ids."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lattice_common.domain.pii_span import PiiSpan

_GAP = r"[   ./()–-]{0,3}"
_BEFORE = r"(?<![\w+#])(?<!\d[.,:/-])(?<![$€£¥]\s)(?<![$€£¥])"
_AFTER = r"(?![\w%€$£]|[.,:]\d|\s?(?:€|EUR\b|USD\b|Euro\b|руб))"

_EXTENSION = r"(?:\s?(?:x|ext\.?:?|durchwahl|dw)\s?\d{1,5})?"

_INTERNATIONAL = re.compile(rf"(?<![\w+])(?:\+|00(?=[1-9][\d ]))\s?\(?[1-9](?:{_GAP}\d){{6,14}}(?i:{_EXTENSION}){_AFTER}")
_LOCAL = re.compile(
    rf"{_BEFORE}(?:"
    rf"\(?0(?!0)\d{{1,5}}\)?(?:{_GAP}\d){{5,9}}"  # trunk prefix 0: Germany, France, the United Kingdom, Italy, …
    rf"|8{_GAP}\(?[3489]\d{{2}}\)?{_GAP}\d{{3}}{_GAP}\d{{2}}{_GAP}\d{{2}}"  # trunk prefix 8: Russia
    rf"|(?:1[ .-]?)?\([2-9]\d{{2}}\)[ .-]?[2-9]?\d{{2,3}}[ .-]\d{{4}}"  # North America
    rf"|(?:1[ .-])?[2-9]\d{{2}}[.-][2-9]\d{{2}}[.-]\d{{4}}|[2-9]\d{{2}} [2-9]\d{{2}}[ -]\d{{4}}"
    rf"|[679]\d{{2}} (?:\d{{3}} \d{{3}}|\d{{2}} \d{{2}} \d{{2}})"  # Spain, Portugal
    r"|\([2-9]\d{2}\) ?\d{7}|[2-9]\d{2}[2-9]\d{6}"  # North America, in one piece
    r"|1[3-9]\d[ -]\d{4}[ -]\d{4}|[6-9]\d{4} \d{5}|\(\d{2}\) ?9?\d{4}-\d{4}"  # China, India, Brazil
    rf")(?i:{_EXTENSION}){_AFTER}"
)
_CALLED = re.compile(
    r"(?:\b(?:tel(?:ephone|efon(?:nummer)?)?|phone|mobile?|mobil(?:nummer)?|cell|fax|handy(?:nummer)?|rufnummer|whatsapp|signal|viber|"
    r"portable|numéro|durchwahl|hotline|landline|festnetz)|\b(?:тел|моб|сот)\w*|\b(?:call|text|ring|reach|phone|message|звони\w*|"
    r"позвони\w*|набери\w*|erreich\w*|ruf\w*)(?:\s+\w+){0,2})"
    r"(?:[ .:;#=№-]|\b(?:number|nummer|no|nr|is|ist|est|номер|at|on|unter|по|under|a|me|him|her|us|them|mich|her)\b){0,8}"
    rf"(\+?\(?\d(?:{_GAP}\d){{5,14}}){_AFTER}",
    re.IGNORECASE,
)
_DATE_OR_TIME = re.compile(
    r"(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:\d{4}|\d{2}))(?:[ T]+\d{1,2}(?:[:.]\d{2}){0,2})?"
    r"|(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}|\d{1,2}[.:]\d{2}\s?[-–]\s?\d{1,2}[.:]\d{2}"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3}){2,}")


def phones(text: str) -> Iterator[PiiSpan]:
    """International and local forms; after a word for telephones also what could be anything else."""
    for pattern, group in ((_INTERNATIONAL, 0), (_LOCAL, 0), (_CALLED, 1)):
        for match in pattern.finditer(text):
            number = match[group]
            digits = sum(char.isdigit() for char in number)
            if digits > 15 or _DATE_OR_TIME.fullmatch(number.strip()) or _THOUSANDS.fullmatch(number):
                continue
            yield PiiSpan(match.start(group), match.end(group), "PHONE")
