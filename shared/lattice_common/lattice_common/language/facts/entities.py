"""Names, places, addresses and quantities in a statement."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.language.dates.mentions import DateMention, written
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, SMALL_TALK
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import CAPITALISED_TIMES, short_months

MOST = 12
"""Entities kept of one statement."""

_CAPITALISED = r"[A-ZÀ-ÖØ-ÞА-Я][\w’'+&-]*(?:\.[A-Z][\w]*)*"
_NAME = lazy_regex(
    rf"(?<!\d){_CAPITALISED}(?:(?: (?:of|de|von|van|der|la|le|du|do|da|del|für|and|&|the))? {_CAPITALISED}){{0,4}}"
)
_ADDRESS = lazy_regex(
    r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|https?://[^\s<>()\"']{3,500}|(?<![\w.])\+?\d[\d ()/-]{7,18}\d(?![\w.])"
)
_QUANTITY = lazy_regex(
    r"(?:[$€£¥]\s?\d[\d,.]*+(?:\s?(?:k|m|bn|million|billion))?|(?<![\d,.])\d[\d,.]*+\s?(?:[%$€£¥]|(?:"
    r"euros?|eur|usd|dollars?|pounds?|km/h|km|kilomet(?:er|re)s?|miles?|"
    r"met(?:er|re)s?|cm|mm|kg|kilos?|lbs?|grams?|g|ml|lit(?:er|re)s?|l|°[cf]?|degrees|hours?|hrs?|"
    r"minutes?|mins?|seconds?|days?|weeks?|months?|years?|"
    r"people|times|gb|mb|tb|kwh|w|v|mph)\b))",
    re.IGNORECASE,
)
_SENTENCE_START = lazy_regex(r"(?:^|[.!?…:\n][\"'”’)]*\s+|[\"“(\[*•-]\s?)$")
_POSSESSIVE = lazy_regex(r"['’]s$|['’]$")
_NEVER = vocabulary(
    """i i'm i've i'll i'd im mr mrs ms dr ok tv pm am mom dad mum eur usd gbp chf none true false null todo uhr telefon jahr
    info warn error debug"""
).union(CAPITALISED_TIMES, short_months("en"))
_BESIDE_NAMES = vocabulary(
    """every each next last this der die das den dem ein eine mein meine meinen unser unsere ich wir nächstes nächste
    nächsten letztes letzte letzten jeden jede heute gestern"""
)
_DONE = vocabulary(
    """sold lent got bought met saw went took gave read paid made left ate drank lost found sent wrote back tried just new
    not first no"""
)
"""How notes begin that leave out who: "Sold the Golf", "Lent Anna my drill"."""
_NAMES_IN_ED = vocabulary("ahmed mohammed mohamed muhammed jared alfred wilfred manfred siegfried winifred")


def entities_of(words: str, mentions: Sequence[DateMention], speakers: frozenset[str]) -> tuple[str, ...]:
    """Return names first, in the order they stand, then addresses, quantities and dates; each once."""
    found = dict.fromkeys(names_in(words, speakers))
    if "@" in words or "://" in words or any(char.isdigit() for char in words):
        found.update(dict.fromkeys(match[0].rstrip(".,;") for match in _ADDRESS.finditer(words)))
        found.update(dict.fromkeys(match[0] for match in _QUANTITY.finditer(words)))
    found.update(dict.fromkeys(written(mention) for mention in mentions if mention.precision != "about"))
    return tuple(found)[:MOST]


def names_in(words: str, speakers: frozenset[str] = frozenset()) -> list[str]:
    """Return capitalised words that are names: not the first word of a sentence unless a speaker's, nor who is being
    addressed."""
    found: list[str] = []
    for match in _NAME.finditer(words):
        name, start = match[0], match.start()
        if _SENTENCE_START.search(words, max(0, start - 6), start):
            first, _, rest = name.partition(" ")
            plain = _POSSESSIVE.sub("", first)
            told = plain.lower() in _DONE or (plain.endswith("ed") and len(plain) > 4 and plain.lower() not in _NAMES_IN_ED)
            common = told or plain.lower() in FUNCTION_WORDS or plain.lower() in SMALL_TALK or plain.lower() in _NEVER
            if plain.lower() not in speakers and (
                common or not (_POSSESSIVE.search(first) or rest or first.isupper() or _has_inner_capital(first))
            ):
                name = rest
            if common and rest.startswith(("of ", "and ", "the ", "& ", "de ", "la ", "le ")):
                name = rest.partition(" ")[2]
        name = _POSSESSIVE.sub("", " ".join(_without_function_words(name.split()))).strip(" -'’")
        lowered = name.lower()
        if len(name) < 2 or lowered in _NEVER or lowered in FUNCTION_WORDS or lowered in SMALL_TALK:
            continue
        if lowered in speakers and words[match.end() : match.end() + 1] in ("!", ",", ".", "?", ""):
            continue
        found.append(name)
    return found


def _without_function_words(words: list[str]) -> list[str]:
    """Return the words of a name without a leading or trailing function word such as "I'll" or "the", which are capitalised for
    other reasons."""
    while words and _beside(words[0]):
        words = words[1:]
    while words and _beside(words[-1]):
        words = words[:-1]
    return words


def _beside(word: str) -> bool:
    plain = word.lower().replace("’", "'")
    return plain in FUNCTION_WORDS or plain in _BESIDE_NAMES


def _has_inner_capital(word: str) -> bool:
    return any(char.isupper() for char in word[1:])
