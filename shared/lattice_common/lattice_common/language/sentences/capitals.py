"""The capitals that people leave out when they type English on a phone: "talked to ines, jonas takes over" is read as "talked to
Ines, Jonas takes over".

Only names get one: first names and towns that are no other words, and in a text without any capital what stands where a name
does and is no word that is known ("agnieszka moved out", "femi's number", "is called tolu"). There are as many letters as
before, so that what is found is where it was typed; the quote of a memory stays as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from lattice_common.language.glosses.lexicon import english_words
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.given_names import SMALL_NAMES
from lattice_common.language.places.towns import TOWNS
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, SMALL_TALK
from lattice_common.language.sentences.verbs import BASE, FINITE, ORDERS, PAST
from lattice_common.language.tables.english_words import ANYBODY, ARTICLES, POINTING, POSSESSIVES
from lattice_common.language.tables.first_names import SHORT_NAMES
from lattice_common.language.words import any_of, people_by_role

LONGEST = 20_000
"""Characters of a text that is looked at: nobody types more without a capital."""
_BEGINS = r"(?<![\w@./\\#:'’_-])"
_ENDS = r"(?![\w@\\/_-]|\.\w)"
_KNOWN = lazy_regex(rf"{_BEGINS}(?:{any_of(SMALL_NAMES | SHORT_NAMES | TOWNS)}){_ENDS}")
_BEGINS_CLAUSE = r"(?:^|[.,;:!?(\n]\s+|\b(?:and|but|so|then|that|because|bc|cos|if|when|as|while)\s)"
_KIN = lazy_regex(
    rf"(?:{_BEGINS_CLAUSE}|\b(?:with|to|for|from|at|told|asked|rang|called|visit|see|saw|met|take|took)\s)"
    rf"(?P<kin>mum|mom|dad|mam|gran|nan|grandma|grandpa|grandad|granddad|granny|mummy|daddy)(?=['’]s\b|\s|[.,;!?]|$){_ENDS}"
)
_WORD = r"[a-zà-öø-ÿ]{3,}"
_ROLES = any_of(people_by_role() | people_by_role(one=True))
_VERBS = any_of(FINITE - {"left", "may", "can"})
_OF_NO_NOUN = "".join(rf"(?<!\b{word} )" for word in (*ARTICLES, *POSSESSIVES, *POINTING, "some", "any", "every", "new", "old"))
_SAYS_THAT = r"[a-z]+s\s(?:that|they|he|she|it|we|i|you|the|my|our|his|her|there)\b"
"""A verb behind a role, whatever it is: "my aunt reckons they're closing"."""
_UNKNOWN = lazy_regex(
    rf"(?:{_BEGINS_CLAUSE}(?P<does>{_WORD})(?=\s(?:{_VERBS}|[a-z]{{3,}}ed)\b)"
    rf"|\b(?:is|are|was|were|he['’]?s|she['’]?s|it['’]?s|who['’]?s)\s(?:called|named)\s(?P<called>{_WORD})(?:\s(?P<second>{_WORD}))?"
    rf"|\b(?:my|our|his|her|their)\s(?:{_ROLES})\s(?!{_SAYS_THAT})(?P<role>{_WORD})(?=['’]s\b|[,.;!?]|\s|$)"
    rf"|\b(?:told|asked|texted|rang|emailed|messaged|met|(?:spoke|talked|chatted|speaking|talking)\s(?:to|with))\s(?P<whom>{_WORD})"
    rf"|{_OF_NO_NOUN}{_BEGINS}(?P<whose>{_WORD})(?=['’]s\s[a-z])){_ENDS}"
)
_TYPED_CAPITAL = lazy_regex(r"(?<![\w'’])(?!I\b)[^\W\d_a-zà-öø-ÿ][a-zà-öø-ÿ]")
_ENDINGS = ("ly", "ing", "ness", "ment", "tion", "able", "ful", "less", "est", "er", "ers", "or", "ors", "ics", "ist")
"""Of words that are no names, whether they are known or not."""
_NO_CAPITAL = frozenset(("the", "am", "de", "den"))


@lru_cache(maxsize=64)
def with_capitals(text: str) -> str:
    """Return an English text with the capitals of its names, in the same places; any other one as it is. Linear. Cached: every
    segment of a text asks."""
    if len(text) > LONGEST:
        return text
    names = set(_names(text))
    has_kin = _KIN.search(text) is not None and not _is_written(text)
    if not (names or has_kin) or language_of(text) is not None:
        return text
    if has_kin:
        text = _KIN.sub(lambda match: match[0][: -len(match["kin"])] + match["kin"].capitalize(), text)
    return re.sub(rf"{_BEGINS}(?:{any_of(names)}){_ENDS}", _capital, text) if names else text


def is_typed_small(text: str) -> bool:
    """Return whether a text has no capitals but those that were put where a name is surely one, so that it may name anybody."""
    lowered = text.lower()
    return text == lowered or text == with_capitals(lowered)


def _is_written(text: str) -> bool:
    """Return whether some word has its capital, so that a word without one is no name."""
    return _TYPED_CAPITAL.search(text) is not None


def _names(text: str) -> Iterator[str]:
    """Yield what is a name in small letters, as it was typed."""
    yield from (match[0] for match in _KNOWN.finditer(text))
    if _is_written(text):
        return
    for match in _UNKNOWN.finditer(text):
        if match.lastgroup == "second" and not _is_word(match["called"]) and not _is_word(match["second"]):
            yield match["second"]
        word = match["called"] if match["called"] else match[match.lastgroup or 0]
        if not _is_word(word):
            yield word


def _capital(match: re.Match[str]) -> str:
    return " ".join(word if word in _NO_CAPITAL else word[0].upper() + word[1:] for word in match[0].split(" "))


def _is_word(word: str) -> bool:
    """Return whether a word, or the one of which it is a plural or a past, is one of English or of a role."""
    words = _words()
    return word.endswith(_ENDINGS) or not words.isdisjoint(
        (word, *(word.removesuffix(ending) for ending in ("s", "es", "ed", "d")))
    )


@cache
def _words() -> frozenset[str]:
    roles = {part for role in people_by_role() | people_by_role(one=True) | people_by_role(several=True) for part in role.split()}
    return english_words() | FUNCTION_WORDS | SMALL_TALK | ANYBODY | BASE | FINITE | ORDERS | PAST | roles
