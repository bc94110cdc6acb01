"""The owner's own names for things without a role: "we call the summer house Moominhouse", "GTD (getting things done)".

Only explicit statements count: a name for a thing that somebody calls by it, and letters that are the initials of the words they
stand for. So a question in either form finds what was told in the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from lattice_common.language.people.words import Sentence, is_name_word, name_at
from lattice_common.language.text import STOP_WORDS

MOST_WORDS = 3
"""Words of a thing with such a name: "summer house", "old garden shed"."""
FEWEST_LETTERS, MOST_LETTERS = 2, 5
"""Letters of an abbreviation."""
_STANDS_FOR = (("stands", "for"), ("is", "short", "for"), ("short", "for"), ("means",))


def aliases(sentence: Sentence, taken: AbstractSet[int]) -> Iterator[tuple[str, str]]:
    """Yield pairs of a name and another name of the same thing; `taken` are places of words that are a role."""
    for at in range(len(sentence.words)):
        if sentence.low(at) in sentence.around.calls:
            yield from _called(sentence, at + 1, taken)
        elif _is_letters(sentence, at):
            yield from _spelt_out(sentence, at)


def _called(sentence: Sentence, at: int, taken: AbstractSet[int]) -> Iterator[tuple[str, str]]:
    around = sentence.around
    if sentence.low(at) not in around.the | around.mine:
        return
    begins = end = at + 1
    while end - begins < MOST_WORDS and _is_common(sentence, end):
        end += 1
    ends = name_at(sentence, end)
    if begins < end < ends and sentence.ends(ends) and taken.isdisjoint(range(begins, end)):
        yield sentence.said(end, ends), sentence.said(begins, end)


def _spelt_out(sentence: Sentence, at: int) -> Iterator[tuple[str, str]]:
    """Yield an abbreviation with the words whose initials it has: beside it in brackets, or what it is said to stand for."""
    letters = sentence.low(at)
    count = len(letters)
    if sentence.low(at - 1) == "(" and sentence.low(at + 1) == ")":  # "getting things done (GTD)"
        places = [at - 1 - count]
    elif sentence.low(at + 1) == "(":  # "GTD (getting things done)"
        places = [at + 2]
    else:
        behind = [sentence.low(at + 1 + each) for each in range(MOST_WORDS)]
        places = [at + 1 + len(words) for words in _STANDS_FOR if tuple(behind[: len(words)]) == words]
    for begins in places:
        words = sentence.words[begins : begins + count] if begins >= 0 else ()
        if len(words) == count and all(word.low.startswith(letter) for word, letter in zip(words, letters, strict=True)):
            yield sentence.said(at, at + 1), sentence.said(begins, begins + count)
            return


def _is_letters(sentence: Sentence, at: int) -> bool:
    word = sentence.words[at]
    return FEWEST_LETTERS <= len(word.text) <= MOST_LETTERS and word.text.isalpha() and word.text.isupper()


def _is_common(sentence: Sentence, at: int) -> bool:
    if at >= len(sentence.words):
        return False
    word = sentence.words[at]
    return word.text.isalpha() and word.text.islower() and word.low not in STOP_WORDS and not is_name_word(sentence, word)
