"""Whether a clause in Spanish, French, Italian, Portuguese, Dutch, Polish or Turkish tells of what is past, by
`tables/named_days.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lattice_common.language.glosses.recognition import LOOKED_AT, language_of
from lattice_common.language.patterns import uncased
from lattice_common.language.tables.named_days import NAMED_DAYS, Past
from lattice_common.language.words import any_of


@dataclass(frozen=True, slots=True)
class Telling:
    """The patterns of one language."""

    past: tuple[re.Pattern[str], ...]
    not_past: frozenset[str]
    arranged: re.Pattern[str]
    clause: re.Pattern[str]
    """What a clause begins or ends with."""

    def is_past(self, text: str) -> bool:
        """Return whether a clause has a verb of the past, and arranges nothing. Linear."""
        if self.arranged.search(text):
            return False
        verbs = (match.groupdict().get("verb") or match[0] for pattern in self.past for match in pattern.finditer(text))
        return any(uncased(verb) not in self.not_past for verb in verbs)


def tells_of_past(text: str) -> bool:
    """Return whether a statement in one of these languages has a verb of the past, and arranges nothing. Linear."""
    language = language_of(text[:LOOKED_AT])
    return language is not None and language in NAMED_DAYS and telling(language).is_past(text)


@cache
def telling(language: str) -> Telling:
    """Return the patterns of a language that `NAMED_DAYS` has."""
    past = NAMED_DAYS[language].past
    return Telling(
        past=tuple(compiled(each) for each in _patterns(past)),
        not_past=frozenset(map(uncased, past.not_past.split())),
        arranged=compiled(rf"\b(?:{phrases(past.arranged)})\b"),
        clause=compiled(rf"[.!?;\n]|,\s|:\s|\s[–-]\s|\b(?:{any_of(past.clauses.split())})[\s'’]"),
    )


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern without regard to case."""
    return re.compile(pattern, re.IGNORECASE)


def phrases(words: str) -> str:
    """Return the alternatives of phrases with commas between; of none, what matches nowhere."""
    return any_of(words.split(", ")).replace(r"\ ", r"\s") if words else r"(?!)"


def _patterns(past: Past) -> Iterator[str]:
    if past.forms:
        yield rf"\b(?:{any_of(past.forms.split())})\b"
    if past.endings:
        yield rf"\b\w+(?:{any_of(past.endings.split())})\b" + (r"(?=\W*\Z)" if past.verb_last else "")
    if past.auxiliaries:
        behind, ended = "", rf"\w{{2,}}(?:{any_of(past.participle_endings.split())})"
        if past.between:
            behind = rf"(?:(?:{phrases(past.between)})\s)*"
        if past.participle_beginning:
            behind, ended = r"(?:[^.!?;]{0,80}\s)?", rf"\w*{past.participle_beginning}{ended}"
        named = rf"{any_of(past.participles.split())}|" if past.participles else ""
        yield rf"(?<!\w)(?:\w['’])?(?:{any_of(past.auxiliaries.split())})\s{behind}(?P<verb>{named}{ended})\b"
