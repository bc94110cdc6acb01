"""Whose slot a sentence is about: the person behind "I", "my sister" or "Tom"."""

from __future__ import annotations

import re

from lattice_common.domain.atom import normalize_subject
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import ANYBODY, AROUND_CLAUSES, ARTICLES, POINTING, POSSESSIVES, QUESTION_WORDS
from lattice_common.language.text import fold
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, people_by_role

SUBJECT = (
    r"(?P<who>\b(?:[Ii]|[Ww]e|[Tt]he user|[Uu]ser|[Mm]y [\w-]+(?: [A-Z][\w-]+)?|[Oo]ur [\w-]+|[A-Z][\w-]+(?: [A-Z][\w-]+)?))"
    r"(?:'(?:m|ve|s|re)\b)?"
)
"""A subject before its verb; case counts, since a capital marks a name."""

_UNIQUE = people_by_role(one=True) | {"parents"}
"""Relations of which somebody has one at a time, so that two sentences are about the same person."""

_RELATIONS = _UNIQUE | people_by_role() | {"client", "patient", "student"}

_NOT_NAMES = (
    (ARTICLES | POSSESSIVES | POINTING | QUESTION_WORDS | AROUND_CLAUSES | ANYBODY)
    | vocabulary(
        """it he she they her you me us mine maybe perhaps yes no not never always sometimes people one two three four
        five some many most all both each every another other others life work home love hope wish thanks thank please
        well wow hey hi hello ok okay oh finally recently currently actually without last next now then also just
        still even only note update correction being having going living working"""
    ).union(ENGLISH_WEEKDAYS, ENGLISH_MONTHS)
) - {"until", "whom", "whose"}


def holder_of(subject: str, author: str) -> str:
    """Return the key of the person that a subject names, "" where it names none that can be identified.

    "I" and "we" are the author, "the user" is the owner; "my wife" belongs to the author too. "My friend" may be any of several,
    and gives "~friend", which is compared only when the sentence itself says what has ended.
    """
    said = fold(subject).strip()
    if said in ("i", "we"):
        return author
    if said in ("the user", "user"):
        return "me"
    first, _, rest = said.partition(" ")
    if first in ("my", "our"):
        words = rest.split()
        if words[:1] in (["new"], ["ex"]):
            words = words[1:]
        if not words:
            return ""
        if words[-1] in _RELATIONS:
            return f"{author}/{' '.join(words)}" if words[-1] in _UNIQUE else f"{author}/~{' '.join(words)}"
        # "My daughter Mia" is Mia.
        return " ".join(words[1:]) if words[0] in _RELATIONS and subject.split()[-1][0].isupper() else ""
    if first in _NOT_NAMES:
        return ""
    return normalize_subject(subject)


def is_vague(holder: str) -> bool:
    """Return whether the holder may be another one each time ("my friend")."""
    return "/~" in holder


BEFORE_SUBJECT = lazy_regex(
    r"\b(?:said|says|told|tells|asked|asks|thinks|thought|believes|claims|claimed|heard|read|knows|if|like)\b[^,;:]*$",
    re.IGNORECASE,
)
"""Words before a subject that mark hearsay: such a statement is kept, and retires nothing."""
