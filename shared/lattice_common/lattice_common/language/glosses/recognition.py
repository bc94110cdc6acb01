"""Which language a short text is in: by its function words first, then by the words of the lexicons and letters.

English is told from the others at once wherever one of its function words stands and none that only another language has: such a
text is looked at for microseconds, and no table of another language is read for it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from lattice_common.language.glosses.lexicon import (
    GLOSSED,
    Glossed,
    content_words,
    english_stem,
    english_stems,
    english_words,
    function_words,
    lexicon,
    without_marks,
)
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import (
    AROUND_NOUNS,
    BEING,
    DENYING,
    FURTHER_PREPOSITIONS,
    HELPING,
    OBJECTS,
    ORDER,
    PLACES,
    POSSESSIVES,
    QUANTITIES,
    QUESTION_WORDS,
    SUBJECTS,
)
from lattice_common.language.vocabulary import vocabulary

LOOKED_AT = 600
"""Characters that a language is recognised by."""

WORD = lazy_regex(r"[^\W\d_]+")
_ENGLISH_ENDING = lazy_regex(r"(?<=[^\W\d_])['’](?:s|t|m|d|re|ve|ll)(?![^\W\d_])", re.IGNORECASE)
"""A possessive or a contraction: in Romance languages single letters elide before a word, never behind one."""
_CODE = lazy_regex(r"\S*\d\S*")
"""Numbers and what is written with them ("L/2024", "T-118") are in no language."""
ENGLISH = (
    (AROUND_NOUNS | SUBJECTS | OBJECTS | POSSESSIVES | QUESTION_WORDS | BEING | HELPING | FURTHER_PREPOSITIONS | QUANTITIES)
    | (DENYING | PLACES | ORDER)
    | vocabulary(
        """also aren't doing don't having hers isn't just myself now only other ours own please same should than too very
        yours"""
    )
) - {"because", "between", "both", "further", "since", "under"}
"""Function words of English."""
_ALSO_ENGLISH = 0.25
"""What a word counts for a language where English has it too ("die", "was", "in", "a")."""
_ENGLISH_WORD = 0.6
"""What a function word counts that is a word of another kind in English ("hat", "die")."""
_CONTENT = 0.6
"""What a word of a lexicon counts beside a function word's 1."""
_SINGLE = 0.3
"""What a function word of one letter counts: it may as well be a code."""
_LETTER = 0.4
_FEWEST = 0.5
"""Below it nothing is known of a text: one word that may as well be a name."""
_PLAINLY = 2
"""Function words that only English has to each that it has not, from which on nothing else is looked at."""
_UNHEARD = 0.1
"""What a word that is not among the English ones counts against English: there are 10,000 of them, but names are not."""
_FEWEST_INFLECTED = 5
"""Letters of a word that is recognised by its stem: shorter stems are in every language."""
_LETTERS: Mapping[str, tuple[Glossed, ...]] = {
    "ß": ("de",), "ä": ("de",), "ö": ("de", "tr"), "ü": ("de", "tr"), "ñ": ("es",), "¿": ("es",), "¡": ("es",), "ã": ("pt",),
    "õ": ("pt",), "ç": ("fr", "pt", "tr"), "œ": ("fr",), "ê": ("fr", "pt"), "è": ("fr", "it"), "û": ("fr",), "î": ("fr",),
    "ł": ("pl",), "ą": ("pl",), "ę": ("pl",), "ś": ("pl",), "ż": ("pl",), "ź": ("pl",), "ć": ("pl",), "ń": ("pl",), "ğ": ("tr",),
    "ş": ("tr",), "ı": ("tr",), "ù": ("fr", "it"), "ò": ("it",), "ì": ("it",), "ij": ("nl",), "ë": ("nl",),
}  # fmt: skip


def is_in_latin_letters(text: str) -> bool:
    """Return whether most letters of a text are Latin ones: what is in others is glossed by no lexicon, and the judge, which
    knows English only, reads nothing in it."""
    letters = [letter for letter in text[:LOOKED_AT] if letter.isalpha()]
    return 2 * sum(letter < _FIRST_OTHER_LETTER or "\u1e00" <= letter < "\u1f00" for letter in letters) >= len(letters)


_FIRST_OTHER_LETTER = "\u0370"
"""Greek begins here; up to here Unicode has the letters of Latin alphabets and of phonetics."""


def language_of(text: str) -> Glossed | None:
    """Return the language of a text that is glossed; None for English and for what nothing is known of."""
    return _language_of(text[:LOOKED_AT])


@lru_cache(maxsize=4_096)
def _language_of(text: str) -> Glossed | None:
    text = _CODE.sub(" ", _ENGLISH_ENDING.sub(" ", text))
    words = [word.lower() for word in WORD.findall(text)]
    if not words:
        return None
    owners = _owners()
    only_english = sum(word in ENGLISH and word not in owners for word in words)
    foreign = sum(word in owners and word not in ENGLISH and len(word) > 1 for word in words)
    if only_english and only_english >= _PLAINLY * foreign:
        return None
    scores = _scores(text, words)
    best = max(GLOSSED, key=lambda language: scores[language])
    if scores[best] < _FEWEST or scores[best] <= _english_score(words):
        return None
    return best


def _scores(text: str, words: list[str]) -> dict[Glossed, float]:
    """Return what speaks for each language: a word that several have counts for each a little less."""
    scores: dict[Glossed, float] = dict.fromkeys(GLOSSED, 0.0)
    owners = _owners()
    for word in words:
        whose = owners.get(word)
        weight = _SINGLE if len(word) == 1 else 1.0
        if whose is None and len(word) > 2:
            whose = _having(word)
            weight = _CONTENT
        if word in ENGLISH:
            weight *= _ALSO_ENGLISH
        elif whose and _is_english(word):
            weight *= _ENGLISH_WORD if word in owners else _ALSO_ENGLISH
        for language in whose or ():
            scores[language] += weight / (1 + 0.5 * (len(whose or ()) - 1))
    small = " ".join(word for word in WORD.findall(text) if word == word.lower())
    for letter, languages in _LETTERS.items():
        if letter in small or (letter in "¿¡" and letter in text):
            for language in languages:
                scores[language] += _LETTER / len(languages)
    return scores


def _english_score(words: list[str]) -> float:
    """Return a word that another language has as well counts for English as much as for that."""
    owners = _owners()
    score = 0.0
    for word in words:
        if word in ENGLISH:
            score += 1.0 if word not in owners else 0.5
        elif _is_english(word):
            score += _CONTENT * (0.5 if word in owners else 0.7)
        elif len(word) >= _FEWEST_INFLECTED:
            score -= _UNHEARD
    return score


@cache
def _owners() -> Mapping[str, tuple[Glossed, ...]]:
    """Return the languages that have each function word, with and without its accents."""
    found: dict[str, dict[Glossed, None]] = {}
    for language, words in function_words().items():
        for word in words:
            found.setdefault(word, {})[language] = None
            found.setdefault(without_marks(word), {})[language] = None
    return {word: tuple(languages) for word, languages in found.items()}


@lru_cache(maxsize=32_768)
def _having(word: str) -> tuple[Glossed, ...]:
    """Return the languages whose lexicons have a word as it stands, or else a form of it."""
    plain = without_marks(word)
    as_it_stands = tuple(language for language in GLOSSED if plain in content_words(language))
    if as_it_stands or len(word) < _FEWEST_INFLECTED or _is_english(word):
        return as_it_stands
    return tuple(language for language in GLOSSED if lexicon(language).meanings(word))


@lru_cache(maxsize=32_768)
def _is_english(word: str) -> bool:
    """Return whether something is glossed with a word, or with a form of it."""
    return word in english_words() or english_stem(word) in english_stems()
