"""Whose slot a sentence is about: the person behind "I", "my sister" or "Tom"."""

from __future__ import annotations

import re

from lattice_common.domain.atom import normalize_subject
from lattice_common.language.text import fold
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS

SUBJECT = (
    r"(?P<who>\b(?:[Ii]|[Ww]e|[Tt]he user|[Uu]ser|[Mm]y [\w-]+(?: [A-Z][\w-]+)?|[Oo]ur [\w-]+|[A-Z][\w-]+(?: [A-Z][\w-]+)?))"
    r"(?:'(?:m|ve|s|re)\b)?"
)
"""A subject before its verb; case counts, since a capital marks a name."""

_UNIQUE = vocabulary(
    "mother mom mum mummy mommy father dad daddy wife husband partner girlfriend boyfriend fiance "
    "fiancee fiancé fiancée spouse boss parents "
    "landlord landlady doctor dentist therapist"
)
"""Relations of which somebody has one at a time, so that two sentences are about the same person."""

_RELATIONS = vocabulary(
    """sister brother son daughter friend cousin uncle aunt neighbour neighbor colleague coworker flatmate roommate grandma
    grandmother grandpa grandfather kid child baby nephew niece teacher student client patient buddy mate sibling twin"""
)

_NOT_NAMES = vocabulary(
    "the a an this that these those it he she they there here who what when where why how which "
    "if because after before since while as at "
    "in on by for from to with without of last next today yesterday tomorrow now then also just still even only maybe "
    "perhaps but and or so "
    "yes no not never always sometimes everyone everybody someone somebody nobody anyone people one two three four "
    "five some many most all "
    "both each every another other others life work home love hope wish thanks thank please well wow hey hi hello ok "
    "okay oh finally recently "
    "currently actually you your his her their its our my me us mine note update correction being having going "
    "living working"
).union(ENGLISH_WEEKDAYS, ENGLISH_MONTHS)


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
        if words[-1] in _RELATIONS | _UNIQUE:
            return f"{author}/{' '.join(words)}" if words[-1] in _UNIQUE else f"{author}/~{' '.join(words)}"
        # "My daughter Mia" is Mia.
        return " ".join(words[1:]) if words[0] in _RELATIONS | _UNIQUE and subject.split()[-1][0].isupper() else ""
    if first in _NOT_NAMES:
        return ""
    return normalize_subject(subject)


def is_vague(holder: str) -> bool:
    """Return whether the holder may be another one each time ("my friend")."""
    return "/~" in holder


BEFORE_SUBJECT = re.compile(
    r"\b(?:said|says|told|tells|asked|asks|thinks|thought|believes|claims|claimed|heard|read|knows|if|like)\b[^,;:]*$",
    re.IGNORECASE,
)
"""Words before a subject that mark hearsay: such a statement is kept, and retires nothing."""
