"""A line of a document, read as what it is part of.

"What is the IBAN of Tamsin's account?" is answered by "IBAN GB61 NGAT 4061", which names nobody: the statement is Tamsin's, and
says so once, at its beginning. A reader of single lines has to be told what the question names and the document says elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set

from lattice_common.language.text import STOP_WORDS, analyze
from lattice_common.language.words import CAPITALISED_TIMES
from lattice_common.recall.from_passage import says, words_of

_WORD = re.compile(r"[^\W_][\w'’-]*")
_OWNS = re.compile(r"['’]s$")


def below_names(question: str, line: str, beside: Set[str]) -> str:
    """Return a line below the names of the question that it lacks and its document has. `beside` are the document's words."""
    return _below([word for word in _asked(question) if word[0].isupper()], line, beside)


def below_words(question: str, line: str, beside: Set[str]) -> str:
    """Return a line below all words of the question that it lacks and its document has."""
    return _below(_asked(question), line, beside)


def _below(asked: Iterable[str], line: str, beside: Set[str]) -> str:
    said = words_of(line)
    named = [word for word in asked if says(beside, word) and not says(said, word)]
    return f"{', '.join(named)}: {line}" if named else line


def _asked(question: str) -> Iterator[str]:
    """Yield what may be named: not the first word, which asks; no months and days, of which a document has many."""
    for match in list(_WORD.finditer(question))[1:]:
        word = _OWNS.sub("", match[0])
        if word.lower() not in STOP_WORDS and word.lower() not in CAPITALISED_TIMES and analyze(word):
            yield word
