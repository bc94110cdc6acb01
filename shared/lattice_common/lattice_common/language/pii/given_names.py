"""Given names that are common in English, German, Russian and French. Other names are found by what stands around them."""

from __future__ import annotations

import unicodedata

from lattice_common.language.tables.first_names import HE, MORE, RUSSIAN, SHE, WORDS_IN_SMALL_LETTERS, WORDS_WITH_A_CAPITAL


def _declined(name: str) -> set[str]:
    """Return a Russian name in its six cases."""
    if name.endswith("ия"):
        return {name[:-1] + ending for ending in ("я", "и", "ю", "ей")}
    if name.endswith(("я", "а")):
        return {name[:-1] + ending for ending in ("а", "я", "ы", "и", "е", "у", "ю", "ой", "ей", "ёй")}
    if name.endswith("й"):
        return {name} | {name[:-1] + ending for ending in ("я", "ю", "ем", "е", "и")}
    if name.endswith("ь"):
        return {name} | {name[:-1] + ending for ending in ("я", "ю", "ем", "е", "и", "ью")}
    irregular = {"Павел": "Павл", "Лев": "Льв", "Пётр": "Петр"}
    stem = irregular.get(name, name)
    return {name} | {stem + ending for ending in ("а", "у", "ом", "ем", "е")}


_LATIN = (SHE | HE | MORE) - WORDS_WITH_A_CAPITAL
GIVEN_NAMES = frozenset(name.capitalize() for name in _LATIN) | frozenset(form for name in RUSSIAN for form in _declined(name))


def folded(name: str) -> str:
    """Return a name without accents: "Łukasz" is "Lukasz"."""
    letters = unicodedata.normalize("NFKD", name.translate(_STROKES))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


_STROKES = str.maketrans("łŁøØđĐ", "lLoOdD")
FOLDED_NAMES = frozenset(folded(name) for name in GIVEN_NAMES)
SMALL_NAMES = frozenset(name for name in _LATIN if len(name) > 3) - WORDS_IN_SMALL_LETTERS
"""Names that are no ordinary words, so that they are recognised in lower case as well."""
