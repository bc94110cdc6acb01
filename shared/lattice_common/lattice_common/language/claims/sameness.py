"""Whether two atoms say the same thing, so that one of them is enough."""

from __future__ import annotations

import re

from lattice_common.domain.atom import Atom
from lattice_common.domain.status import comparable
from lattice_common.language.claims.repeated import particle_of, says_no_more
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots import author_of
from lattice_common.language.text import words
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, number_words, ordinals, times

_FIRST_PERSON = lazy_regex(r"\b(?:i|me|my|mine|we|us|our|ours|myself)\b", re.IGNORECASE)
_RELATIVE_DATE = lazy_regex(
    r"\b(?:today|tonight|yesterday|tomorrow|now|currently|this|last|next|ago|just|recently|earlier|later|soon"
    rf"|{any_of(ENGLISH_WEEKDAYS)}|weekend|morning|afternoon|evening|night|noon|week|month|year)\b",
    re.IGNORECASE,
)
_FIGURES = lazy_regex(r"(?:(?<!\w)[-+−–(] ?)?(?:[€$£¥] ?)?\d+(?:[.,:]\d+)*(?: ?[%‰)€$£¥°])?")
"""Numbers with the signs and units that change their meaning: "-5", "(5)", "5 %"."""
_NEGATION = vocabulary(
    "not no never none nothing nobody neither nor without cannot stop stopped quit longer hardly refuse refused un anymore"
)
_NUMBER_WORDS = vocabulary("hundred thousand million half double").union(
    number_words(0, 15), number_words(20, 90), ordinals(1, 5), times(1, 2)
)
_CAPITALISED = lazy_regex(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]+")
_OPPOSED = vocabulary(
    "before after more less up down left right start end open close opened closed buy sell bought "
    "sold won lost love hate like "
    "dislike him her his she he they mother father brother sister son daughter morning evening"
)
"""Words that reverse a sentence though an embedding hardly changes."""


def same_words_same_fact(new: Atom, known: Atom) -> bool:
    """Return whether atoms with equal words (except for case and punctuation) are one fact said twice.

    They are not when different people speak of themselves, when a date makes them two events, or when they are too short to tell
    (a question asked on another day, a single word from another conversation).
    """
    if new.trust == "document" and new.source_id and (new.source_id, new.source_span) == (known.source_id, known.source_span):
        return _read(new) == _read(known)  # the same place of the same document, ingested again
    if _rows_apart(new, known) or _figures(new) != _figures(known):
        return False
    if not comparable(new.status, known.status) or _other_author(new, known) or _other_date(new, known):
        return False
    same_talk = new.capture_id == known.capture_id or (new.session_id is not None and new.session_id == known.session_id)
    if new.kind == "question" or known.kind == "question":
        return same_talk or new.observed_at.date() == known.observed_at.date()
    return same_talk or len(words(new.content)) > 1


def same_meaning(new: Atom, known: Atom) -> bool:
    """Return whether atoms that an embedding takes for the same really are: no number, name, negation or date may differ."""
    if not _may_be_one(new, known) or _other_date(new, known) or particle_of(new.content) != particle_of(known.content):
        return False
    return _marks(new.content) == _marks(known.content)


def is_repeated(new: Atom, known: Atom) -> bool:
    """Return whether an atom that the judge takes for what a known one says, said again, has nothing of its own."""
    if new.kind != known.kind and not _OF_THEIR_OWN.isdisjoint((new.kind, known.kind)):
        return False
    return _may_be_one(new, known) and not _of_other_days(new, known) and says_no_more(new.content, known.content)


_OF_THEIR_OWN = frozenset(("reminder", "goal", "decision", "instruction"))
"""Kinds that are more than what they say: a reminder of a birthday is no repetition of it."""


def _may_be_one(new: Atom, known: Atom) -> bool:
    if new.kind == "question" or known.kind == "question" or new.trust != known.trust:
        return False
    if not comparable(new.status, known.status) or _other_author(new, known):
        return False
    return not _rows_apart(new, known)


def _rows_apart(one: Atom, other: Atom) -> bool:
    """Return whether both are rows of tables and two facts. Rows at two places of one file always are (two coffees on one day);
    rows of two files are where anything but case and spaces differs, a dash in a number included."""
    if not (_is_row(one) or _is_row(other)):
        return False
    if one.capture_id == other.capture_id:
        return one.source_span != other.source_span
    return _read(one) != _read(other)


def _is_row(atom: Atom) -> bool:
    lead_in = atom.metadata.get("lead_in")
    return isinstance(lead_in, str) and lead_in.startswith("|")


def _read(atom: Atom) -> str:
    return " ".join(atom.content.casefold().split())


def _figures(atom: Atom) -> list[str]:
    """Return the numbers of an atom, each with its sign, in order."""
    return [_SPACES.sub("", found).replace("−", "-").replace("–", "-") for found in _FIGURES.findall(atom.content)]


_SPACES = lazy_regex(r"\s")


def _other_author(new: Atom, known: Atom) -> bool:
    if author_of(new) == author_of(known):
        return False
    if new.speaker or known.speaker:
        return True
    return bool(_FIRST_PERSON.search(new.content))


def _other_date(new: Atom, known: Atom) -> bool:
    if new.valid_from != known.valid_from or new.valid_until != known.valid_until:
        return True
    if new.observed_at.date() == known.observed_at.date():
        return False
    dated = new.valid_from is not None and not (new.date_phrase and _RELATIVE_DATE.search(new.date_phrase))
    if dated:
        return False
    return "event" in (new.kind, known.kind) or bool(_RELATIVE_DATE.search(new.content))


def _of_other_days(new: Atom, known: Atom) -> bool:
    """Return whether two statements are of two days. What is so on a Thursday, or at night, is so each week where no day of it
    was found; what happened, or is "this morning", is of the day on which it was said."""
    if new.valid_from != known.valid_from or new.valid_until != known.valid_until:
        return True
    if new.observed_at.date() == known.observed_at.date():
        return False
    if _of_its_day(new) or _of_its_day(known):
        return True
    return "event" in (new.kind, known.kind) and new.valid_from is None


def _of_its_day(atom: Atom) -> bool:
    return bool(_DEICTIC.search(atom.date_phrase or atom.content))


_DEICTIC = lazy_regex(
    r"\b(?:today|tonight|yesterday|tomorrow|this|last|next|ago|just|recently|earlier|later|soon|heute|gestern|morgen|hoy|ayer|mañana|"
    r"hier|aujourd['’]hui|demain|oggi|ieri|domani|vandaag|gisteren|dziś|wczoraj|jutro)\b",
    re.IGNORECASE,
)


def _marks(content: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Return the parts of a sentence that must not differ: numbers, names, and the words that turn it around."""
    own = frozenset(words(content))
    names = frozenset(name.casefold() for name in _CAPITALISED.findall(content))
    return (
        frozenset(_SPACES.sub("", each) for each in _FIGURES.findall(content)) | (own & _NUMBER_WORDS),
        names,
        own & (_NEGATION | _OPPOSED),
    )
