"""Text analysis, the same for all engines: the tokens made here are indexed as they are, by every lexical index.

In order: compatibility forms (NFKC), splitting at white space, and for each piece: possessives and contractions, compounds
(e-mail addresses, URLs, version numbers, hyphens, camelCase, snake_case) as a whole and as parts, case and diacritics folded,
English stop words removed, English Snowball stems; text without spaces between words (Han, Kana, Hangul, Thai, …) as bigrams.
Negations stay: "don't" gives `not`, so that what somebody does not like can be found.

Guarantees, proved in `tests/unit/test_text.py`: never raises, linear in the length of the text, no token longer than `MAX_TOKEN`
characters or with white space in it, `fold` is idempotent.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from py_rust_stemmers import SnowballStemmer

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import (
    AROUND_NOUNS,
    BEING,
    FURTHER_PREPOSITIONS,
    HELPING,
    OBJECTS,
    ORDER,
    PLACES,
    POSSESSED,
    POSSESSIVES,
    QUANTITIES,
    QUESTION_WORDS,
    REFLEXIVES,
    SUBJECTS,
)

MAX_TOKEN = 64
"""Significant characters of a token. The longest English words have 45, e-mail addresses rarely more than 50."""

STOP_WORDS: frozenset[str] = (
    (AROUND_NOUNS | SUBJECTS | OBJECTS | POSSESSIVES | POSSESSED | REFLEXIVES | QUESTION_WORDS | BEING | HELPING)
    | (FURTHER_PREPOSITIONS | QUANTITIES | PLACES | ORDER)
    | frozenset(
        ("above", "also", "below", "doing", "having", "just", "only", "other", "own", "same", "should", "than", "too", "very")
    )
) - {"mine", "since"}
"""Folded words that say nothing about a memory's subject: the Snowball project's English list without its negations (no, nor,
not) and with modal verbs."""

ASKING_WORDS = QUESTION_WORDS | {"please", "tell"}
"""Words that frame a question and are not looked for."""

_ZERO_WIDTH = lazy_regex("[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]")
_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u201b\u02bc\u02b9\u2032\u00b4`", "'"))
_NO_DECOMPOSITION = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t"}
)
_LATIN_MARKS = lazy_regex("[\u0300-\u036f]+")


def _ranges(wanted: Callable[[str], bool]) -> str:
    """Return the characters of the basic plane that are `wanted`, as the inside of a regular expression's class."""
    found: list[list[int]] = []
    for code in range(0x300, 0x10000):
        if wanted(chr(code)):
            if found and found[-1][1] == code - 1:
                found[-1][1] = code
            else:
                found.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in found)


_MARKS = _ranges(lambda char: unicodedata.category(char)[0] == "M")
# Sorting a run of combining marks is quadratic in CPython's normalisation; written languages have few in a row.
_MARK_RUN = lazy_regex(f"([{_MARKS}]{{8}})[{_MARKS}]+")
# Thai and Lao, Myanmar, Khmer, Hangul (letters and syllables), Kana, Bopomofo, Han with its extensions, Yi.
_UNSPACED_CLASS = (
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u104f\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48c\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED = lazy_regex(f"([{_UNSPACED_CLASS}]+)")
_WORD = f"[\\w{_MARKS}]+"
# A compound is words with single joiners between them; it is consumed whole, so that a long one is scanned once.
_COMPOUND = lazy_regex(f"{_WORD}(?:(?:[.@'&-]|(?<=\\d)[,:/](?=\\d)){_WORD})*(?:\\+\\+|#)?")
_JOINERS = lazy_regex(r"[^\w" + _MARKS + "]+")
_THOUSANDS = lazy_regex(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_URL = lazy_regex(r"[a-z][a-z0-9+.-]{1,20}://(?:www\.)?|www\.", re.IGNORECASE)
_HUMPS = lazy_regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_HAS_HUMPS = lazy_regex(r"[a-z][A-Z]|[A-Z]{2}[a-z]{2}|\d[A-Za-z]|[A-Za-z]\d")
_LETTERS_OR_DIGITS = lazy_regex(r"[A-Za-z]+|\d+")
_ORDINAL_ENDINGS = frozenset(("st", "nd", "rd", "th"))
_CONTRACTIONS = frozenset(("s", "m", "d", "re", "ve", "ll", "em"))
_IRREGULAR_NEGATIONS = {"can't": "can", "won't": "will", "shan't": "shall", "ain't": "be"}
_MAX_CAMEL_PARTS = 5  # beyond it is a key or a checksum, whose parts nobody looks for
_CACHED_PIECE = 48  # characters; longer pieces are rare and seldom repeated
_stemmer = SnowballStemmer("english")


def fold(text: str) -> str:
    """Return the text with case, diacritics and compatibility forms folded: texts that differ only in these become equal.
    Idempotent."""
    if text.isascii():
        return text.lower()
    text = _MARK_RUN.sub(r"\1", text)
    text = unicodedata.normalize("NFKD", text).casefold()
    text = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFKC", text.translate(_NO_DECOMPOSITION).casefold())


def analyze(text: str) -> list[str]:
    """Return the tokens of a text, in order, repetitions kept: what is indexed."""
    tokens: list[str] = []
    for piece in _pieces(text):
        tokens += _tokens_of_short(piece) if len(piece) <= _CACHED_PIECE else _tokens(piece)
    return tokens


def words(text: str) -> list[str]:
    """Return folded words in order, not stemmed, with stop words and repetitions, compounds as their parts: for comparing
    texts."""
    found: list[str] = []
    for piece in _pieces(text):
        found += _words_of_short(piece) if len(piece) <= _CACHED_PIECE else _words(piece)
    return found


def query_tokens(text: str) -> list[str]:
    """Return the distinct tokens to look for, in the order of the question, without the words that only make it a question."""
    asked = [piece for piece in _pieces(text) if fold(piece.strip("?!.,:;\"'()")) not in ASKING_WORDS]
    return list(dict.fromkeys(analyze(" ".join(asked))))


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the English Snowball stem of a folded word; words in other scripts and with digits stay as they are."""
    return str(_stemmer.stem_word(word)) if word.isascii() and word.isalpha() else word


def _pieces(text: str) -> list[str]:
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _MARK_RUN.sub(r"\1", _ZERO_WIDTH.sub("", text).translate(_APOSTROPHES)))
    else:
        text = text.replace("`", "'")
    return text.split()


@lru_cache(maxsize=65_536)
def _tokens_of_short(piece: str) -> tuple[str, ...]:
    return tuple(sys.intern(token) for token in _tokens(piece))


@lru_cache(maxsize=16_384)
def _words_of_short(piece: str) -> tuple[str, ...]:
    return tuple(_words(piece))


def _tokens(piece: str) -> list[str]:
    """Return the tokens of a piece without white space."""
    tokens: list[str] = []
    url = _URL.match(piece)
    if url:
        address = fold(piece[url.end() :].rstrip("/.,;:!?)]}>\"'"))
        tokens.append(address[:MAX_TOKEN])
        piece = piece[url.end() :]
    for run, unspaced in _runs(piece):
        if unspaced:
            tokens += _bigrams(run)
            continue
        for compound in _COMPOUND.finditer(run):
            tokens += _compound_tokens(compound.group())
    # For a URL that is only a host, both are the same.
    if url and len(tokens) > 1 and tokens[0] == tokens[1]:
        del tokens[0]
    return [token for token in tokens if token]


def _words(piece: str) -> list[str]:
    found: list[str] = []
    for run, unspaced in _runs(piece):
        if unspaced:
            found += _bigrams(run)
            continue
        for compound in _COMPOUND.finditer(run):
            word, negated = _without_contraction(fold(compound.group()))
            found += [part[:MAX_TOKEN] for part in _split(word)]
            if negated:
                found.append("not")
    return found


def _runs(piece: str) -> Iterator[tuple[str, bool]]:
    """Yield the stretches of a piece, and whether each is in a script without spaces."""
    if piece.isascii():
        yield piece, False
        return
    for place, run in enumerate(_UNSPACED.split(piece)):
        if run:
            yield run, place % 2 == 1


def _bigrams(run: str) -> list[str]:
    run = fold(run)
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


def _compound_tokens(compound: str) -> list[str]:
    """Return the tokens of words with joiners between them: its whole form, where it is a term of its own, then its parts."""
    if compound.isalpha():
        return _word_tokens(compound)
    if _THOUSANDS.fullmatch(compound):
        compound = compound.replace(",", "")
    word, negated = _without_contraction(compound)
    parts = word.split("@") if word.count("@") == 1 and "." in word else _split(word)
    if len(parts) == 1 and parts[0] == word:
        tokens = _word_tokens(word)  # a word with marks of its script in it
    elif len(parts) > 1 and all(len(part) == 1 and part.isalpha() for part in parts):
        return _plain_tokens(fold("".join(parts[:MAX_TOKEN])))  # U.S.A., e.g.
    else:
        whole = _whole(word, parts)
        tokens = [whole] if whole else []
        for part in parts:
            found = _word_tokens(part) if part.isalnum() else _compound_tokens(part)
            tokens += [token for token in found if token != whole]
    if negated:
        tokens.append("not")
    return tokens


def _without_contraction(word: str) -> tuple[str, bool]:
    """Return the word before a possessive or contracted ending, and whether the ending negates it."""
    head, apostrophe, ending = word.rpartition("'")
    if not apostrophe:
        return word, False
    ending = ending.lower()
    if ending == "t" and head[-1:] in ("n", "N"):
        return _IRREGULAR_NEGATIONS.get(word.lower(), head[:-1]), True
    return (head, False) if ending in _CONTRACTIONS else (word, False)


def _split(compound: str) -> list[str]:
    return [part for part in _JOINERS.sub("_", compound).split("_") if part]


def _whole(word: str, parts: list[str]) -> str:
    """Return the form in which a compound is found as one: e-mail as `email`, O'Brien as `obrien`, anything with digits or dots
    as it is."""
    folded = fold(word).strip("_'")
    if len(folded) > MAX_TOKEN or len(parts) == 0:
        return ""
    if all(part.isalpha() for part in parts) and not set(folded) & set("@._&#+"):
        return stem("".join(fold(part) for part in parts)) if len(parts) <= _MAX_CAMEL_PARTS else ""
    return folded


def _word_tokens(word: str) -> list[str]:
    """Return the tokens of one word: itself, and its humps (camelCase, letters beside digits) where it has some."""
    tokens = _plain_tokens(fold(word[:MAX_TOKEN]))
    if len(word) > MAX_TOKEN or not word.isascii() or not _HAS_HUMPS.search(word):
        return tokens
    runs = _LETTERS_OR_DIGITS.findall(word)
    parts = runs if len(runs) > 1 else []
    for run in runs:
        humps = _HUMPS.findall(run)
        parts = parts + humps if len(humps) > 1 else parts
    for part in parts if len(parts) <= _MAX_CAMEL_PARTS else ():
        folded = part.lower()
        if folded.isdigit() or (len(folded) > 1 and folded not in _ORDINAL_ENDINGS):
            tokens += _plain_tokens(folded)
    return tokens


def _plain_tokens(folded: str) -> list[str]:
    return [] if not folded or folded in STOP_WORDS else [stem(folded)]


@lru_cache(maxsize=20_000)
def stems_of(word: str) -> tuple[str, ...]:
    """Return the tokens of a word, by which words of two texts are compared."""
    return tuple(analyze(word))
