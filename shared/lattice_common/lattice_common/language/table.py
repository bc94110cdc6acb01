"""What is known of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Language: TypeAlias = Literal["en", "de", "fr", "es", "it", "pt", "ru", "ja", "zh"]
EntityKind: TypeAlias = Literal["person", "animal", "place", "organisation", "thing", "unknown"]
_KINDS: tuple[EntityKind, ...] = ("person", "animal", "place", "organisation", "thing")


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody or something is to somebody else. `name` is English and the same in all languages; `broader` are the roles
    that it is as well, nearest first (a terrier is a dog and a pet). With `one`, of which somebody has one at a time. `several`
    where the word was a plural. `kin`: said before a name without any "my" ("grandpa Walter")."""

    name: str
    kind: EntityKind
    one: bool = False
    broader: tuple[str, ...] = ()
    several: bool = False
    kin: bool = False


def roles_of(rows: str, *, plural: str | None = None) -> dict[str, Role]:
    """Return words by what they mean. One row a role: its name, `!` where there is one at a time, `^` where it stands before a
    name by itself, `<` and what is broader; its kind; its words, those after `|` plurals. A space in a word is written `_`.
    `plural` is what makes a plural of the words of rows that name none."""
    found: dict[str, Role] = {}
    for row in filter(None, map(str.strip, rows.splitlines())):
        head, kind, *words = row.split()
        named, *broader = head.split("<")
        name = named.rstrip("!^")
        known = next(each for each in _KINDS if each == kind)
        bar = words.index("|") if "|" in words else len(words)
        one = Role(name, known, "!" in named, tuple(broader), kin="^" in named)
        many = words[bar + 1 :] or ([f"{word}{plural}" for word in words] if plural else [])
        found.update({word.replace("_", " "): replace(one, several=True) for word in many if word.replace("_", " ") not in found})
        found.update({word.replace("_", " "): one for word in words[:bar]})
    return found


def forms_of(rows: str) -> dict[str, str]:
    """Return irregular forms by the word that they are forms of. Between semicolons, a word and its forms."""
    found: dict[str, str] = {}
    for row in rows.split(";"):
        word, *forms = row.split()
        found.update({form: word for form in forms if form != word})
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Belonging:
    """Words around a role, in small letters, that say whose it is, and who has it."""

    mine: frozenset[str] = frozenset()
    """my, our."""
    theirs: frozenset[str] = frozenset()
    """his, her, their: whose, says the name before."""
    the: frozenset[str] = frozenset()
    a: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    is_: frozenset[str] = frozenset()
    was: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    """Between a role and the name: called, named."""
    name: frozenset[str] = frozenset()
    """The word itself: "her name is Miso"."""
    somebody: frozenset[str] = frozenset()
    """Words for anybody at all, before `named`: "a chap called Geoff"."""
    it: frozenset[str] = frozenset()
    """Who was spoken of, as an object: "named him Dash"."""
    they: frozenset[str] = frozenset()
    """Who was spoken of, as a subject: "she is called Miso"."""
    gives: frozenset[str] = frozenset()
    """Verbs of naming, before `it`."""
    lately: frozenset[str] = frozenset()
    """Words of time that part a role from its name: "my new manager today, Leila"."""
    marries: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    """Between two names of one: alias."""
    calls: frozenset[str] = frozenset()
    """Verbs with both names behind them: "we call Ilya Ilyusha"."""
    callers: frozenset[str] = frozenset()
    """Who gives somebody another name in such a sentence, rather than telephone him: "everybody calls Ilya Ilyusha"."""
    as_: frozenset[str] = frozenset()
    over: frozenset[str] = frozenset()
    """Before a role that has ended: former."""
    new: frozenset[str] = frozenset()
    until: frozenset[str] = frozenset()
    between: frozenset[str] = frozenset()
    """Adverbs between "is" and what follows."""
    i: frozenset[str] = frozenset()
    has: frozenset[str] = frozenset()
    """Verbs of having and getting."""
    works: frozenset[str] = frozenset()
    """Verbs of who works somewhere, before `at`."""
    at: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    """Before a surname, without the full stop."""
    common: frozenset[str] = frozenset()
    """Written with a capital, and no name: nationalities, and what sentences begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Words in small letters, with what they mean. What nothing in the product asks for stands empty."""

    months: Mapping[str, int] = field(default_factory=dict)
    """1 to 12."""
    short_months: Mapping[str, int] = field(default_factory=dict)
    """Without the full stop; those that the language has to itself or writes as English does."""
    weekdays: Mapping[str, int] = field(default_factory=dict)
    """0, Monday, to 6."""
    short_weekdays: Mapping[str, int] = field(default_factory=dict)
    seasons: Mapping[str, int] = field(default_factory=dict)
    """The month in which one begins: meteorological, northern half of the earth."""
    days: Mapping[str, int] = field(default_factory=dict)
    """Days by their distance from today."""
    stretches: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """The same in other units, in languages that have one word for it: unit and distance."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units of the calendar, by their English names."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Cardinals of one word, in order."""
    ordinals: Mapping[str, int] = field(default_factory=dict)
    times: Mapping[str, int] = field(default_factory=dict)
    """How often."""
    scales: Mapping[str, int] = field(default_factory=dict)
    """What a number is multiplied by."""
    yearly: tuple[str, ...] = ()
    """Beginnings of words for days that come back every year, as a sentence that has their date names them."""
    about: Mapping[str, int] = field(default_factory=dict)
    """Numbers that are a guess by their own words, and what is meant by them."""
    irregular: Mapping[str, str] = field(default_factory=dict)
    """Forms of words that no stemmer leads back, and what they are forms of."""
    past: frozenset[str] = frozenset()
    """Irregular pasts of verbs."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """What people, animals, places, organisations and things are to each other."""
    makes: Mapping[str, str] = field(default_factory=dict)
    """Makes of things by the role of what they make: "the Skoda" is a car."""
    belonging: Belonging = field(default_factory=Belonging)
    short_names: Mapping[str, str] = field(default_factory=dict)
    """First names in short, and the whole name."""
