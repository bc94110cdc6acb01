"""The subject of a question for a total, a count, a list or a span, and whether a statement is about it.

A statement is about it where it contains the names of the question, its adjacent words ("cello lessons") together, and at least
half of all. Forms of a word count as the word.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.questions.asked_together import NOT_OF_THE_MATTER, bases
from lattice_common.language.text import ASKING_WORDS, STOP_WORDS, fold, stem
from lattice_common.language.words import months, seasons, short_months, weekdays

_WORD = lazy_regex(r"[^\s?!.,:;\"()]+|[?!.,:;\"()]")
_CALENDAR = frozenset(
    stem(word)
    for word in (
        *months("en"),
        *short_months("en"),
        *weekdays("en"),
        *seasons("en"),
        "last",
        "past",
        "year",
        "month",
        "week",
    )
)
WHOLE_RUN = 2
"""Adjacent words that must all occur; of a longer run, one may be missing."""


@dataclass(frozen=True, slots=True)
class Matter:
    """Tokens, adjacent tokens, and tokens of names."""

    tokens: frozenset[str]
    runs: tuple[frozenset[str], ...]
    names: frozenset[str]

    def is_in(self, content: str, *, whole: bool = False) -> bool:
        """Return whether a statement is about the subject; `whole`: about all of it, though of three words and more one may be
        missing."""
        said = said_tokens(content)
        least = _least(len(self.tokens)) if whole else math.ceil(len(self.tokens) / 2)
        return (
            len(self.tokens & said) >= least
            and (not self.names or not self.names.isdisjoint(said))
            and all(len(run & said) >= _least(len(run)) for run in self.runs)
        )

    def share(self, content: str) -> float:
        """Return the part of it that a statement says, 0 to 1."""
        return len(self.tokens & said_tokens(content)) / len(self.tokens)


def said_tokens(content: str) -> set[str]:
    """Return the tokens of a statement, in English as well."""
    gloss = english_gloss(content)
    return {*bases(content), *(bases(gloss.every_sense) if gloss else ())}


def matter_of(english: str, without: Collection[str] = ()) -> Matter | None:
    """Return the subject of a question; None where it names nothing. `without`: tokens that do not belong to the subject."""
    runs: list[list[str]] = [[]]
    names: set[str] = set()
    ignored = NOT_OF_THE_MATTER | _CALENDAR | set(without)
    for place, word in enumerate(_WORD.findall(english)):
        folded = fold(word)
        tokens = [] if folded in STOP_WORDS or folded in ASKING_WORDS else [each for each in bases(word) if each not in ignored]
        if not tokens or not tokens[0][0].isalnum():
            runs.append([])
            continue
        runs[-1] += tokens
        if place and word[0].isupper() and word != "I":
            names |= set(tokens)
    found = frozenset(token for run in runs for token in run)
    together = tuple(frozenset(run) for run in runs if len(set(run)) > 1)
    return Matter(found, together, frozenset(names)) if found else None


def _least(count: int) -> int:
    return count if count <= WHOLE_RUN else count - 1
