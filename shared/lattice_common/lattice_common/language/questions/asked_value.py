"""The kind of value that a question asks for by its words, and whether a text contains such a value.

"What breed is Bella?" asks for a breed, "deposit on the unit?" for a sum of money: only a statement with one can answer. The
words are data (`asked_values.json`); texts are read by patterns, in any language with the same numerals. Nothing is refused for
this alone: it is one feature among others (`recall.answerable`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.capitals import is_typed_small
from lattice_common.language.tables import TABLES
from lattice_common.language.text import STOP_WORDS
from lattice_common.language.words import any_of, months, number_words, short_months, short_weekdays, weekdays

AskedValue: TypeAlias = Literal[
    "time", "hour", "duration", "money", "phone", "code", "number", "age", "length", "name", "person", "colour", "breed",
    "address", "e-mail", "size", "side", "blood type",
]  # fmt: skip

LOOKED_AT = 300
"""Characters of a question that are read."""


class _Asks(BaseModel):
    model_config = ConfigDict(extra="forbid")

    value: AskedValue
    pattern: list[str]


class _Words(BaseModel):
    """`asks_a_noun` comes before a noun: a question word anywhere, or only its owner ("deposit on the unit?", "Dr Fontaine's
    telephone"). `happened`: the day of saying may tell when something happened. `feels`: "how much do I like tea" asks for no
    number. The first match in `asks` counts."""

    model_config = ConfigDict(extra="forbid")

    comment: str
    asks_a_noun: list[str]
    first: list[str]
    happened: list[str]
    feels: list[str]
    currency: list[str]
    asks: list[_Asks]
    holds: dict[str, list[str]]


_WORDS = _Words.model_validate_json(
    files("lattice_common.language.questions").joinpath("asked_values.json").read_text(encoding="utf-8")
)
_PUT_IN = {
    "{asks}": "".join(_WORDS.asks_a_noun),
    "{first}": "".join(_WORDS.first),
    "{currency}": "".join(_WORDS.currency),
    "{number}": "".join(_WORDS.holds["number"]),
    "{months}": any_of([*months(*TABLES), *short_months("en")]),
    "{weekdays}": any_of([*weekdays(*TABLES), *(day for day in short_weekdays("en") if len(day) == 3)]),
    "{numbers}": any_of([*number_words(2, 19), *number_words(20, 90)]),
    "{to nineteen}": any_of(number_words(1, 19)),
    "{tens}": any_of(number_words(20, 90)),
}


def _whole(parts: list[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    pattern = "".join(parts)
    for name, words in _PUT_IN.items():
        pattern = pattern.replace(name, words)
    return lazy_regex(pattern, flags)


_ASKS = tuple((each.value, _whole(each.pattern)) for each in _WORDS.asks)
_HAPPENED, _FEELS = _whole(_WORDS.happened), _whole(_WORDS.feels)
_FLAGS = {"code": re.ASCII, "bare amount": re.NOFLAG}
"""Patterns that tell capitals from small letters."""
_HOLDS = {name: _whole(parts, _FLAGS.get(name, re.IGNORECASE)) for name, parts in _WORDS.holds.items()}


def asked_value(question: str) -> AskedValue | None:
    """Return the kind of value; None where the words do not show it. A question in another language is read by its gloss."""
    text = question[:LOOKED_AT]
    lowered = in_english(text).lower().replace("’", "'").strip()
    if _FEELS.search(lowered):
        return None
    found = next((value for value, pattern in _ASKS if pattern.search(lowered)), None)
    return None if found == "time" and _HAPPENED.search(lowered) else found


def holds_value(content: str, value: AskedValue, question: str) -> bool:
    """Return whether a text says such a thing; linear in its length."""
    return _HELD[value](content, question)


def says_age_of(name: str, content: str) -> bool:
    """Return whether a text gives somebody's age right behind the name: "Emil (9)", "Emil is 9", "Emil turned 9"."""
    after = _HOLDS["age behind a name"]
    return any(after.match(content, found.end()) for found in re.finditer(rf"\b{re.escape(name)}\b", content, re.IGNORECASE))


def without_ages_of_others(content: str, named: Sequence[str]) -> str:
    """Return a text without the ages right behind names other than these: "Kids: Erin, 12, and Jasper" without Erin's."""
    after, own = _HOLDS["age behind a name"], {name.lower() for name in named}
    for name in reversed(list(names_of(content))):
        age = after.match(content, name.start + len(name.word))
        if age is not None and name.word.lower() not in own:
            content = content[: name.start + len(name.word)] + content[age.end() :]
    return content


def _says(name: str, content: str) -> bool:
    return _HOLDS[name].search(content) is not None


def _without_dates(content: str) -> str:
    return _HOLDS["date"].sub(" ", content)


def _names_anything(content: str, question: str) -> bool:
    """Return a name that the question has not; one who writes without capitals may name anybody."""
    if _says("called", content) or is_typed_small(_HOLDS["bracketed date"].sub("", content)):
        return True
    asked = question.lower()
    named = (name.word.lower().removesuffix("'s").removesuffix("’s") for name in names_of(content))
    return any(name not in asked and not _HOLDS["calendar"].match(name) and name not in STOP_WORDS for name in named)


def _money(content: str, _question: str) -> bool:
    """Return an amount, or a figure that counts nothing named behind it: "rent 950, my own name over the door"."""
    bare = _without_dates(content)
    return _says("money", bare) or _says("bare amount", _HOLDS["phone"].sub(" ", bare))


def _age(content: str) -> bool:
    """Return an age, or a year, but for the year in which something takes place: "getting married on 20 June 2027"."""
    return _says("age", content if _says("born", content) else _HOLDS["on a date"].sub(" ", content))


_HELD: Mapping[AskedValue, Callable[[str, str], bool]] = {
    "time": lambda content, _: _says("time", content),
    "hour": lambda content, _: _says("hour", content),
    "duration": lambda content, _: _says("duration", content),
    "money": _money,
    "phone": lambda content, _: _says("phone", _without_dates(content)),
    "code": lambda content, _: _says("code", _without_dates(content)) or _says("coded", content),
    "number": lambda content, _: _says("number", _without_dates(content)),
    "age": lambda content, _: _age(_HOLDS["bracketed date"].sub(" ", content)),
    "length": lambda content, _: _says("length", content),
    "name": _names_anything,
    "person": lambda content, question: _says("somebody", content) or _names_anything(content, question),
    "colour": lambda content, _: _says("colour", content),
    "blood type": lambda content, _: _says("blood type", content),
    "breed": lambda content, _: _says("breed", content),
    "address": lambda content, _: _says("address", content),
    "e-mail": lambda content, _: "@" in content,
    "side": lambda content, _: _says("side", content),
    "size": lambda content, _: _says("size", _without_dates(content)),
}
