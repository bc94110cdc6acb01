"""Whether two statements each hold a value of one kind that can be told by its form: a phone number, a code, a dose, a doctor.

Of two such, one of which may have outdated the other, the newer is what is asked for, whatever its words: "m'n nummer is
06-38114402", "nieuwe simkaart dus ook een ander nummer: 06-22907715".
"""

from __future__ import annotations

from lattice_common.language.patterns import lazy_regex

_PHONE = r"(?<![\w.,])(?:\+|00)?\d(?:[ ./-]?\d){6,}(?![\w,])"
_PHONE_NUMBER = lazy_regex(_PHONE)
_FORMS = tuple(
    lazy_regex(pattern)
    for pattern in (
        _PHONE,
        r"(?<!\S)(?=\S*[A-Za-z])(?=\S*\d)[\w#@&!$*+-]*[A-Za-z][\w#@&!$*+-]*\d{2,}[\w#@&!$*+-]*(?=[.,;]?(?:\s|\Z))"
        r"|(?<!\S)(?=\S*[#@&_!])[^\W\d_][\w#@&!$*+-]{4,}\d(?=[.,;]?(?:\s|\Z))",
        r"(?<![\w.,])\d+(?:[.,]\d+)?\s?(?:mg|mcg|µg|ml|IE|IU)\b",
        r"\b(?i:dr|dra|doctor|doktor|dokter|docteur|dott|dottor|dottoressa|doutora?)\.?\s+[A-ZÀ-Þ]",
    )
)


def of_a_kind(one: str, other: str) -> bool:
    """Return whether both hold a value of the same form. Linear."""
    return any(form.search(one) and form.search(other) for form in _FORMS)


def has_phone_number(text: str) -> bool:
    """Return whether a text has figures that may be a telephone number. Linear."""
    return _PHONE_NUMBER.search(text) is not None
