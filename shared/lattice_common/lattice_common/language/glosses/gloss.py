"""A text in another language, word by word in English. Names, numbers and what no lexicon has stay as they are.

"Wo ist der Zahnarzt von Jonte?" becomes "where is dentist from Jonte?". Compounds of German and Dutch are read by their parts
("Ringgröße": ring size), and one of which only the end is known keeps its own word beside it. English is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lattice_common.language.glosses.lexicon import (
    MOST_WORDS,
    Glossed,
    Lexicon,
    Meanings,
    function_words,
    lexicon,
)
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.glosses.shorthand import spelled_out
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary

_TOKEN = lazy_regex(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\w.,:/-]*|[^\w\s]+|_+")
_APOSTROPHES = lazy_regex(r"['’]")
_COMPOUNDING = ("de", "nl")
_LINKS = ("", "s", "es", "n", "en", "er", "e", "ns")
"""What German and Dutch put between the parts of a compound; an "e" may be dropped there as well."""
_SHORTEST = 3
_FEWEST_LETTERS = 7
"""Of a compound: shorter words are read by chance ("Angela": hook eel)."""
_KNOWN_END = 5
KEPT = 2_000
"""Characters of a text whose gloss is kept for the next that asks: the index, the embedder, and the turns beside it."""
_SPELT = vocabulary(
    """dona don dottor dottoressa doña dr fam familie firma frau herr herrn m madame meneer mevrouw mlle mme monsieur pan pani
    prof senhor senhora señor señora sig signor signora sr sra"""
)
"""After these a name stands, whatever it means ("Frau Klein")."""
_SENTENCE_ENDS = frozenset('.!?:;…\n¿¡«»"“„”')


@dataclass(frozen=True, slots=True)
class Gloss:
    """A text in English words. `text` has the commonest sense of each word, `others` the further ones."""

    language: Glossed
    text: str
    others: tuple[str, ...]

    @property
    def every_sense(self) -> str:
        """Return its words, and the further senses behind them."""
        return " ".join((self.text, *self.others))


def english_gloss(text: str) -> Gloss | None:
    """Return None for English, and for a text whose language is not known. Linear in the text."""
    language = language_of(text)
    return None if language is None else gloss_from(language, text)


def in_english(text: str) -> str:
    """Return the text of its gloss; an English text with its shortened words in full, and itself where it has none."""
    gloss = english_gloss(text)
    return spelled_out(text) if gloss is None else gloss.text


def gloss_from(language: Glossed, text: str) -> Gloss:
    """Return the gloss of a text in a language."""
    return _kept_gloss(language, text) if len(text) <= KEPT else _gloss(language, text)


@lru_cache(maxsize=1_024)
def _kept_gloss(language: Glossed, text: str) -> Gloss:
    return _gloss(language, text)


def _gloss(language: Glossed, text: str) -> Gloss:
    words = lexicon(language)
    english: list[str] = []
    others: dict[str, None] = {}
    for found in _glossed(_tokens(language, text), words):
        english.append(found[0])
        others.update(dict.fromkeys(found[1:]))
    return Gloss(language, _joined(english), tuple(others))


@dataclass(frozen=True, slots=True)
class _Token:
    """A word or sign as it stands; `name` where it can only be one."""

    text: str
    name: bool

    @property
    def small(self) -> str:
        return self.text.lower().replace("’", "'")


def _tokens(language: Glossed, text: str) -> list[_Token]:
    """Return words with elided ones apart; in all but German a word with a capital letter inside a sentence is a name."""
    found: list[_Token] = []
    begins, before = True, ""
    for match in _TOKEN.finditer(text):
        piece = match.group()
        for part in _parts(language, piece):
            capital = part[:1].isupper()
            named = capital and before in _SPELT
            name = named or (capital and language != "de" and not begins and not part.isupper())
            found.append(_Token(part, name))
            if part not in (".", "'"):
                before = part.lower()
            begins = part[-1:] in _SENTENCE_ENDS or (begins and not part[:1].isalnum())
    return found


def _parts(language: Glossed, piece: str) -> list[str]:
    """Return the parts of a word. French and Italian elide before a word, Turkish puts endings behind a name, Dutch and German
    what stands for a genitive."""
    if not piece[:1].isalpha() or ("'" not in piece and "’" not in piece):
        return [piece]
    parts = [part for part in _APOSTROPHES.split(piece) if part]
    if language in ("fr", "it", "pt", "es"):
        return [piece] if piece.lower().replace("’", "'") in lexicon(language).words else parts
    return [parts[0]] if language == "tr" or parts[-1].lower() == "s" else [piece]


def _glossed(tokens: list[_Token], words: Lexicon) -> Iterator[Meanings]:
    """Yield the meanings of each token, or itself; expressions first."""
    functions = function_words()[words.language]
    at = 0
    while at < len(tokens):
        taken = _expression(tokens, at, words)
        if taken is not None:
            meanings, length = taken
            at += length
            yield meanings
            continue
        token = tokens[at]
        at += 1
        named = at < len(tokens) and tokens[at].name and token.small in _SPELT
        if not token.text[:1].isalpha() or token.name or named:
            yield (token.text,)
        elif token.small in functions:
            if functions[token.small]:
                yield (functions[token.small],)
        else:
            yield _word(token, words)


def _expression(tokens: list[_Token], at: int, words: Lexicon) -> tuple[Meanings, int] | None:
    for length in range(min(MOST_WORDS, len(tokens) - at), 1, -1):
        found = words.words.get(" ".join(token.small for token in tokens[at : at + length]))
        if found:
            return found, length
    return None


def _word(token: _Token, words: Lexicon) -> Meanings:
    small = token.small
    found = words.meanings(small)
    if found is None and words.language in _COMPOUNDING and len(small) >= _FEWEST_LETTERS:
        found = _compound(small, words) or _known_end(token.text, words)
    return found or (token.text,)


def _compound(word: str, words: Lexicon) -> Meanings | None:
    """Return the parts of a compound whose parts are all known; of several readings the one with the longest last part, which
    says what it is."""
    for start in range(_SHORTEST, len(word) - _SHORTEST + 1):
        head = _part(word[start:], words)
        if head is None:
            continue
        before = _first_parts(word[:start], words)
        if before is not None:
            return (f"{before} {head[0]}", *(f"{before} {other}" for other in head[1:]))
    return None


def _first_parts(word: str, words: Lexicon, depth: int = 2) -> str | None:
    for link in _LINKS:
        if link and not word.endswith(link):
            continue
        stem = word.removesuffix(link) if link else word
        if len(stem) >= _SHORTEST and (found := _part(stem, words) or _part(f"{stem}e", words)):
            return found[0]
    if depth > 1:
        for start in range(_SHORTEST, len(word) - _SHORTEST + 1):
            rest = _first_parts(word[start:], words, depth - 1)
            first = _first_parts(word[:start], words, depth - 1) if rest else None
            if rest and first:
                return f"{first} {rest}"
    return None


def _part(part: str, words: Lexicon) -> Meanings | None:
    """Return the meanings of a part of a compound; one of three letters is looked up as it stands only."""
    if len(part) < 4:
        return words.words.get(part)
    return words.meanings(part)


def _known_end(word: str, words: Lexicon) -> Meanings | None:
    """Return the word itself, and what its end means: "Sedelhofgasse" is some lane."""
    small = word.lower()
    for start in range(_SHORTEST, len(small) - _KNOWN_END + 1):
        if found := words.meanings(small[start:]):
            return (f"{word} {found[0]}", *found[1:])
    return None


def _joined(parts: list[str]) -> str:
    """Return words with spaces between them, signs close to the word before."""
    text = ""
    for part in parts:
        text += part if not text or part[:1] in ".,;:!?)…" else f" {part}"
    return text
