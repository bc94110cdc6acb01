"""The words of one language with what they mean in English, found by the word, without its accents, and by its stem.

The tables are data (`tables/gloss_<code>.tsv`, `tables/function_words.tsv`), read on first use: who writes English
only pays nothing. 4,000 words take 15 ms, Polish, which is stemmed in Python, 350 ms.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal, TypeAlias, get_args

from py_rust_stemmers import SnowballStemmer

Glossed: TypeAlias = Literal["de", "fr", "es", "it", "pt", "nl", "pl", "tr"]
GLOSSED: tuple[Glossed, ...] = get_args(Glossed)
"""The languages that there are lexicons of."""

VERSION = 2
"""Raise it whenever the same tables would give other glosses."""

MOST_WORDS = 3
"""Words of the longest expression that is looked up."""

_SNOWBALL: Mapping[Glossed, str] = {
    "de": "german", "fr": "french", "es": "spanish", "it": "italian", "pt": "portuguese", "nl": "dutch", "tr": "turkish",
}  # fmt: skip
_WITHOUT_MARKS = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "ı": "i", "œ": "oe", "æ": "ae"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})

_english = SnowballStemmer("english")

Meanings: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """`words` by their spelling, `bare` by it without accents, `stems` by their stems; the commonest sense of each first."""

    language: Glossed
    words: Mapping[str, Meanings]
    bare: Mapping[str, Meanings]
    stems: Mapping[str, Meanings]
    stem: Callable[[str], str]

    def meanings(self, word: str) -> Meanings | None:
        """Return what a word in small letters means; None where it is not known."""
        found = self.words.get(word) or self.bare.get(without_marks(word))
        found = found or self.stems.get(self.stem(word)) or self.stems.get(without_marks(self.stem(word)))
        if found is None and self.language in ("de", "nl"):
            found = next((meant for form in _infinitives(word) if (meant := self.words.get(form))), None)
        return found


def without_marks(word: str) -> str:
    """Return the word in plain letters, as many people type it."""
    if word.isascii():
        return word
    marked = unicodedata.normalize("NFD", word.translate(_WITHOUT_MARKS))
    return "".join(each for each in marked if not unicodedata.combining(each))


_VERB_ENDINGS = ("tet", "test", "ten", "te", "den", "de", "est", "et", "st", "en", "t", "d", "e")
_PARTICLES = (
    "ab", "an", "auf", "aus", "bei", "ein", "her", "hin", "los", "mit", "nach", "um", "vor", "weg", "zu", "zurück",
    "aan", "af", "binnen", "in", "mee", "na", "om", "op", "over", "terug", "toe", "uit", "voor",
)  # fmt: skip


def _infinitives(word: str) -> Iterator[str]:
    """Yield what a German or Dutch verb's form may come from: "kostet", "gekostet" from "kosten", "eingebaut" from "einbauen".
    Their Snowball stemmers leave the endings of persons and participles on."""
    bases = [word]
    if word.startswith("ge"):
        bases.append(word[2:])
    bases += [particle + word[len(particle) + 2 :] for particle in _PARTICLES if word.startswith(f"{particle}ge")]
    for base in bases:
        for ending in _VERB_ENDINGS:
            if base.endswith(ending) and len(base) - len(ending) >= _SHORTEST_VERB:
                yield f"{base[: -len(ending)]}en"
                yield f"{base[: -len(ending)]}n"


_SHORTEST_VERB = 3
"""Letters of a verb without its ending."""


@cache
def lexicon(language: Glossed) -> Lexicon:
    """Return the lexicon of a language. Function words are not in its stems: "was" is no form of a noun."""
    content = dict(_content(language))
    stem = _stemmer(language)
    bare: dict[str, Meanings] = {}
    stems: dict[str, Meanings] = {}
    for word, meanings in content.items():
        bare.setdefault(without_marks(word), meanings)
        if language == "de":
            bare.setdefault(word.translate(_UMLAUTS), meanings)
        if " " not in word:
            stems.setdefault(stem(word), meanings)
            stems.setdefault(without_marks(stem(word)), meanings)
    return Lexicon(language, content, bare, stems, stem)


def read_lexicons() -> None:
    """Read all of them, which the first text that is not plainly English would wait for: half a second."""
    for language in GLOSSED:
        lexicon(language)


@cache
def function_words() -> Mapping[Glossed, Mapping[str, str]]:
    """Return the function words by language, each with what stands for it in English: nothing where English has no word for
    it."""
    found: dict[Glossed, dict[str, str]] = {language: {} for language in GLOSSED}
    for language, word, english in _rows("function_words"):
        for code in GLOSSED:
            if code == language:
                found[code][word] = english
    return found


@cache
def content_words(language: Glossed) -> frozenset[str]:
    """Return the words of a language, without accents: what a text is recognised by."""
    return frozenset(without_marks(word) for word, _ in _content(language))


@cache
def english_words() -> frozenset[str]:
    """Return every word that something is glossed with: what is known of English."""
    return frozenset(
        part.lower() for language in GLOSSED for _, meanings in _content(language) for each in meanings for part in each.split()
    )


@cache
def english_stems() -> frozenset[str]:
    """Return the stems of `english_words`."""
    return frozenset(map(english_stem, english_words()))


def english_stem(word: str) -> str:
    """Return the English Snowball stem of a word in small letters."""
    return str(_english.stem_word(word))


@cache
def glosses_version() -> str:
    """Return a text that changes whenever the same text may be glossed otherwise than before."""
    tables = hashlib.sha256(str(VERSION).encode())
    for name in ("function_words", "shorthand_en", *(f"gloss_{language}" for language in GLOSSED)):
        tables.update((files("lattice_common.language.tables") / f"{name}.tsv").read_bytes())
    return tables.hexdigest()[:12]


@cache
def shorthand() -> Mapping[str, str]:
    """Return what English words are shortened to, in small letters, and the words in full."""
    return {row[0]: row[1] for row in _rows("shorthand_en")}


@cache
def _content(language: Glossed) -> tuple[tuple[str, Meanings], ...]:
    """Return words and meanings in the order of the table; the first line of a word counts."""
    found: dict[str, Meanings] = {}
    for row in _rows(f"gloss_{language}"):
        found.setdefault(row[0], tuple(each.strip() for each in row[1].split(",") if each.strip()))
    return tuple(found.items())


def _rows(name: str) -> Iterator[tuple[str, ...]]:
    text = (files("lattice_common.language.tables") / f"{name}.tsv").read_text(encoding="utf-8")
    for line in text.split("\n"):
        if line and not line.startswith("#"):
            yield tuple(unicodedata.normalize("NFC", line).split("\t"))


def _stemmer(language: Glossed) -> Callable[[str], str]:
    if language == "pl":
        # Only who reads Polish needs it: the other stemmers are there already.
        from snowballstemmer import stemmer

        return lru_cache(maxsize=16_384)(stemmer("polish").stemWord)
    rust = SnowballStemmer(_SNOWBALL[language])
    return lru_cache(maxsize=16_384)(rust.stem_word)
