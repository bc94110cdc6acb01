"""The numbers of a claim, which can be checked."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.words import any_of, number_words, ordinals, scales, times

_UNITS = {
    **(number_words(0, 0) | number_words(2, 90) | times(2, 3) | ordinals(3, 10)),
    "dozen": 12,
    "both": 2,
    "couple": 2,
    "pair": 2,
    "half": 0.5,
}
_ONES = {"a": 1, "an": 1, "one": 1, "once": 1, "first": 1, "single": 1, "second": 2}
"""Number words with other common meanings: they license a digit, and are never held against a text."""
_SCALES = {**scales(), "k": 1000, "m": 1_000_000, "bn": 1_000_000_000}
_SCALE_NAMES = any_of(scales())
_TENS = any_of(number_words(20, 90))

_NUMBER = lazy_regex(
    rf"(?P<digits>\d+(?:[.,'’  ]\d{{3}})*(?:[.,:]\d+)?)(?:\s?(?P<scale>k|m|bn|{_SCALE_NAMES})\b)?(?:st|nd|rd|th)?"
    rf"|\b(?P<tens>{_TENS})[- ](?P<ones>{any_of(number_words(1, 9))})\b"
    rf"|\b(?P<word>[a-z]+)\b(?:\s(?P<word_scale>{_SCALE_NAMES})\b)?",
    re.IGNORECASE,
)

MAY_HOLD_A_NUMBER = lazy_regex(
    rf"\d|\b(?:{any_of(number_words(2, 12))}|\w+teen|{_TENS}|dozen|{_SCALE_NAMES}|{any_of([*times(2, 3), *ordinals(3, 10)])})\b",
    re.IGNORECASE,
)
"""A quick check that fails for most sentences, which hold no number."""


_SCALE_WORD = lazy_regex(_SCALE_NAMES, re.IGNORECASE)
_NUMBER_WORD = any_of((*_UNITS, "one", *scales()))
_WRITTEN_OUT = lazy_regex(rf"\b(?:an?\s)?(?:{_NUMBER_WORD})(?:(?:-|\s(?:and\s)?)(?:{_NUMBER_WORD})\b){{1,12}}", re.IGNORECASE)
"""A run of number words; the longest in use has about twelve."""


def _in_digits(match: re.Match[str]) -> str:
    """Return a run of number words in digits: "Two thousand four hundred and fifty" is 2450. Runs that are no such number ("two,
    three") are returned unchanged."""
    words = [word for word in re.split(r"[-\s]+", match[0].lower()) if word != "and"]
    scales = [at for at, word in enumerate(words) if word in _SCALES]
    if not scales or (len(scales) == 1 and scales[0] == len(words) - 1):
        return match[0]
    total = part = 0.0
    for word in words:
        if word in _SCALES:
            part = max(part, 1.0) * _SCALES[word]
            if _SCALES[word] > 100:
                total, part = total + part, 0.0
        else:
            part += _UNITS.get(word, _ONES.get(word, 0))
    return f"{total + part:.0f}"


def numbers(text: str) -> tuple[set[float], set[float]]:
    """Return the numbers of a text: those that it asserts, and all that it can license ("a" licenses 1, "2nd" 2, "1,500" also
    1.5)."""
    asserted: set[float] = set()
    licensed: set[float] = set()
    if _SCALE_WORD.search(text):
        text = _WRITTEN_OUT.sub(_in_digits, text)
    for match in _NUMBER.finditer(text):
        if digits := match["digits"]:
            readings = _readings(digits)
            scale = _SCALES.get((match["scale"] or "").lower(), 1)
            asserted.add(readings[0] * scale)
            licensed.update(reading * scale for reading in readings)
            licensed.update(readings)
            licensed.update(float(part) for part in re.findall(r"\d+", digits))
            continue
        if match["tens"]:
            ones = uncased(match["ones"])
            value = float(_UNITS[uncased(match["tens"])] + _ONES.get(ones, _UNITS.get(ones, 0)))
            asserted.add(value)
            licensed.add(value)
            continue
        word = match["word"].lower()
        scale = _SCALES.get((match["word_scale"] or "").lower(), 1)
        known = _UNITS.get(word)
        if known is not None:
            licensed.update((float(known), float(known * scale)))
            if word not in ("both", "couple", "pair", "half"):
                asserted.add(float(known * scale))
        elif word in _ONES:
            licensed.update((float(_ONES[word]), float(_ONES[word] * scale)))
            if scale > 1:
                asserted.add(float(_ONES[word] * scale))
    return asserted, licensed


def _readings(digits: str) -> list[float]:
    """Return the values of a number in the notations of different countries, the likelier first: "1,500" is 1500 (or 1.5), "3,5"
    is 3.5, "17:30" is 17.3."""
    plain = re.sub(r"['’  ]", "", digits)
    if _ENGLISH_THOUSANDS.fullmatch(plain):
        whole = float(plain.replace(",", ""))
        return [whole, float(plain.replace(",", "."))] if plain.count(",") == 1 and "." not in plain else [whole]
    if _GERMAN_THOUSANDS.fullmatch(plain):
        whole = float(plain.replace(".", "").replace(",", "."))
        return [float(plain), whole] if plain.count(".") == 1 and "," not in plain else [whole]
    *before, last = re.split(r"[.,:]", plain)
    return [float(f"{''.join(before)}.{last}")] if before else [float(plain)]


_ENGLISH_THOUSANDS = lazy_regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_GERMAN_THOUSANDS = lazy_regex(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")
