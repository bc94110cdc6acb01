"""Which sentence of a German note is of its writer, though no "ich" begins it, and which speaks of somebody by a pronoun within:
"Fahr jetzt nur noch Rad", "Zuhause hab ich Schluss gemacht", "Außerdem ist sie gegen Nüsse allergisch"."""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from lattice_common.language.patterns import lazy_regex

Meant: TypeAlias = Literal["she", "he"]

_WRITER = lazy_regex(r"\b(?:ich|wir)\b", re.IGNORECASE)
_DOES = lazy_regex(
    r"(?:(?:jetzt|dann|also|aber|und|nun|inzwischen|mittlerweile) )?"
    r"(?:bin|sind|hab|haben?|hatten?|war|waren|wohn|fahr|geh|arbeit|bleib|ess|trink|nehm|spiel|mach|kauf|zahl|zieh|flieg|lern|les|schlaf|"
    r"lauf|schwimm|treff|wart|such|brauch|vermiss|lieb|hass|koch|back|lass|muss|kann|darf|soll|will|mag|freu|üb|rauch|putz|miet|"
    r"bekomm|krieg|find|denk|glaub|hoff|überleg|verkauf|bestell|buch|schreib|ruf|besuch|kümmer|meld|steh|sitz|lieg|trag|halt|gewöhn)"
    r"(?:e|en|n)?(?= \S)",
    re.IGNORECASE,
)
"""Verbs as their writer leaves out "ich" and "wir" before them."""
_HE = lazy_regex(r"\b(?:er|ihm|ihn)\b|^(?:Sein|Seine[nrms]?)\b")
_SHE = lazy_regex(r"\b(?:sie|ihr|[Ii]hre[nrms]?)\b|^Ihr\b")
_THEIRS = lazy_regex(r"(?:Ihr|Sein)e?[nrms]? [A-ZÄÖÜ]")
_MORE = lazy_regex(r"\b(?:haben|sind|waren|hatten|werden|wollen|können|müssen|gehen|kommen|beide|alle)\b")
"""Of several, "sie" is no woman."""


def is_of_its_writer(words: str) -> bool:
    """Return whether a German sentence says what its writer does or is, or their family with them."""
    return _WRITER.search(words) is not None or _DOES.match(words) is not None


def meant_within(words: str) -> Meant | None:
    """Return whether a German sentence speaks of a woman or of a man by a pronoun; None where it speaks of both, of neither, or
    perhaps of several."""
    he, she = _HE.search(words) is not None, _SHE.search(words) is not None and _MORE.search(words) is None
    return None if he == she else "he" if he else "she"


def begins_with_theirs(words: str) -> bool:
    """Return whether what somebody has is its subject, whoever else is named: "Ihre Lehrerin heißt Frau Behrendt"."""
    return _THEIRS.match(words) is not None
