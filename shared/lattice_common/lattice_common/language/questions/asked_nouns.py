"""The things that a question names: what stands nowhere in a document, by that or a like word, the document does not tell of.

"Who is the treasurer of the chess club?" asked of the club's accounts finds everything but a treasurer. Nouns are told by what
stands before them ("the", "of", "Noor's"), in English only; of other languages nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import analyze
from lattice_common.language.words import number_words, ordinals

LOOKED_AT = 300
"""Characters of a question that are read."""
LONGEST = 3
"""Words of a noun with all that stands between its article and it; of a longer run only the first is sure to belong to it."""

_WORD = lazy_regex(r"[^\W_][\w'’-]*")
_BEFORE = lazy_regex(
    r"(?:the|an?|my|our|his|her|its|their|your|this|that|any|no|of|for|against|with|about|to|in|on|at|by|from)|.*['’]s",
    re.IGNORECASE,
)
_BEHIND = lazy_regex(r"(?:per|and|or|until|during|after|before|if|is|are|was|were|has|have|when|while)", re.IGNORECASE)
_HELPS = lazy_regex(r"\b(?:do|does|did|is|are|was|were|will|can|has|have|must|should)\b", re.IGNORECASE)
_NAMES_NOTHING = frozenset(
    analyze(
        "kind type sort way thing made people person name year month week day time date number amount total sum price cost money "
        "last next first second current new old whole each every other same much many long far end beginning letter document "
        "file paper page slide sheet table mail message attachment invoice bill contract report form list plan note "
        "phone telephone mobile address email code colour color size age deadline fee rate value figure result detail"
    )
)
"""Words for any value, for when it is, and for what the document itself may be."""
_COUNTED = frozenset(token for word in (*number_words(1, 90), *ordinals(1, 31)) for token in analyze(word))


@lru_cache(maxsize=64)
def asked_nouns(question: str) -> tuple[str, ...]:
    """Return the nouns that a question names, with what describes them, as they are written; none of what only says the kind of
    value that is asked for."""
    text = question[:LOOKED_AT]
    if english_gloss(text) is not None:
        return ()
    found = []
    for word in dict.fromkeys(_named(text)):
        tokens = analyze(word)
        if not tokens or any(map(str.isdigit, word)) or all(token in _NAMES_NOTHING or token in _COUNTED for token in tokens):
            continue
        found.append(word)
    return tuple(found)


def _named(text: str) -> Iterator[str]:
    """Yield the words of nouns; not of one that only says what another is of, which may be known by other names."""
    words = _WORD.findall(text)
    helped = _HELPS.search(text) is not None
    at, ended = 0, -1  # where the last noun ended, while nothing but prepositions and articles came since
    while at < len(words):
        if not _BEFORE.fullmatch(words[at]):
            at += 1
            continue
        of_another = at == ended
        while at + 1 < len(words) and _BEFORE.fullmatch(words[at + 1]):
            at += 1
        start = end = at + 1
        while end < len(words) and not _BEFORE.fullmatch(words[end]) and not _BEHIND.fullmatch(words[end]):
            end += 1
        run = words[start:end]
        last = end == len(words) or words[end].lower() not in ("of", "for")
        if len(run) > LONGEST:
            run = run[:1]
        elif len(run) > 1 and helped and last:
            run = run[:-1]  # "Where does the key hang?", "When was the boiler built?"
        if not of_another:
            yield from run
        ended = end if run else -1
        at = end
