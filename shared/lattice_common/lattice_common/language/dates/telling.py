"""Whether a clause in Spanish, French, Italian, Portuguese, Dutch, Polish, Russian or Turkish tells of what is past, by
`tables/named_days.py`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lattice_common.language.dates.tense import REACH
from lattice_common.language.glosses.recognition import LOOKED_AT, language_of
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.named_days import NAMED_DAYS, Past
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, past


@dataclass(frozen=True, slots=True)
class Telling:
    """The patterns of one language."""

    past: tuple[re.Pattern[str], ...]
    not_past: frozenset[str]
    arranged: re.Pattern[str]
    clause: re.Pattern[str]
    """What a clause begins or ends with."""
    was_done: re.Pattern[str]
    """A participle right before a day: "Vaccin fait le"."""

    def is_past(self, text: str) -> bool:
        """Return whether a clause has a verb of the past, and arranges nothing. Linear."""
        if self.arranged.search(text):
            return False
        verbs = (match.groupdict().get("verb") or match[0] for pattern in self.past for match in pattern.finditer(text))
        return any(uncased(verb) not in self.not_past for verb in verbs)


def dated_language_of(text: str) -> str | None:
    """Return the language other than English that a text is in, Russian included, which has no glosses."""
    return language_of(text[:LOOKED_AT]) or ("ru" if _RUSSIAN.search(text) else None)


_RUSSIAN = lazy_regex(r"[а-яё]{3}", re.IGNORECASE)


def tells_of_past(text: str) -> bool:
    """Return whether a statement in one of these languages, or in German, has a verb of the past, and arranges nothing. Linear in
    the text."""
    language = dated_language_of(text)
    if language is None:
        return False
    if _TIMES[language].search(text) or (language == "de" and _GERMAN.search(text)):
        return True
    return language in NAMED_DAYS and telling(language).is_past(text)


_TIMES = {
    language: lazy_regex(rf"\b(?:{times})\b", re.IGNORECASE)
    for language, times in {
        "de": r"gestern|vorgestern|letzte[nrs]? (?:woche|monat|jahr|sommer|winter)",
        "es": r"ayer|anteayer|anoche|(?:mes|año|semana|verano|invierno) pasad[oa]|hace \w+ (?:días|semanas?|mes(?:es)?|años?)",
        "fr": r"hier|(?:mois|semaine|année|été|hiver) (?:dernier|dernière|passée?)|il y a \w+ (?:jours?|semaines?|mois|ans?)",
        "it": r"ieri|(?:mese|anno|settimana|estate|inverno) scors[oa]|\w+ (?:giorn|settiman|mes|ann)\w fa",
        "pt": r"ontem|anteontem|(?:mês|ano|semana|verão) passad[oa]|há \w+ (?:dias|semanas?|mês|meses|anos?)",
        "nl": r"gisteren|eergisteren|(?:vorige?|afgelopen) (?:week|maand|jaar|zomer|winter)|geleden",
        "pl": r"wczoraj|przedwczoraj|w (?:zeszłym|ubiegłym) \w+|temu",
        "ru": r"вчера|позавчера|назад|на прошлой неделе|в прошлом \w+",
        "tr": r"dün|geçen (?:hafta|ay|yıl|sene|yaz|kış)|önce",
    }.items()
}
"""Times of the past, for verbs whose forms do not tell: "nos mudamos el mes pasado"."""


_ARRANGED = any_of(
    vocabulary(
        """vereinbart verabredet bestellt reserviert gebucht geplant verlegt verschoben eingeladen angemeldet vorgesehen
        geschlossen geöffnet"""
    )
)
"""Participles of what lies ahead, or is so on a day."""
_GERMAN = lazy_regex(
    rf"\b(?:{any_of(past('de'))}|gewesen)\b|\b(?:habe?|hast|hat|haben|habt|bin|bist|ist|sind|seid)\b[^.!?;]{{0,80}}\s(?!{_ARRANGED})"
    r"(?:\w{0,6}ge\w{2,}(?:t|en)|(?:be|emp|ent|er|miss|ver|zer)\w{2,}(?:t|en)|\w{2,}iert)(?=\W*\Z|,|\s(?:und|aber)\b)",
    re.IGNORECASE,
)


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence of `text[start:end]` begins and ends, at most `REACH` characters before and behind."""
    low, high = max(0, start - REACH), min(len(text), end + REACH)
    begins = max((each.end() for each in _SENTENCE_EDGE.finditer(text, low, start)), default=low)
    behind = _SENTENCE_EDGE.search(text, end, high)
    return begins, behind.start() if behind else high


_SENTENCE_EDGE = lazy_regex(r"[.!?;\n。！？]")


@cache
def telling(language: str) -> Telling:
    """Return the patterns of a language that `NAMED_DAYS` has."""
    table = NAMED_DAYS[language].past
    return Telling(
        past=tuple(compiled(each) for each in _patterns(table)),
        not_past=frozenset(map(uncased, table.not_past.split())),
        arranged=compiled(rf"\b(?:{phrases(table.arranged)})\b"),
        clause=compiled(rf"[.!?;\n]|,\s|:\s|\s[–-]\s|\b(?:{any_of(table.clauses.split())})[\s'’]"),
        was_done=_was_done(table),
    )


def _was_done(table: Past) -> re.Pattern[str]:
    if table.participle_beginning or not table.participle_endings:
        return compiled(r"(?!)")
    named = rf"{any_of(table.participles.split())}|" if table.participles else ""
    done = rf"(?:{named}\w{{2,}}(?:{any_of(table.participle_endings.split())}))"
    return compiled(rf"\b(?!(?:{phrases(table.arranged)})\b){done} (?:el|le|il|a|em) \Z")


def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern without regard to case."""
    return re.compile(pattern, re.IGNORECASE)


def phrases(words: str) -> str:
    """Return the alternatives of phrases with commas between; of none, what matches nowhere."""
    return any_of(words.split(", ")).replace(r"\ ", r"\s") if words else r"(?!)"


def _patterns(table: Past) -> Iterator[str]:
    if table.forms:
        yield rf"\b(?:{any_of(table.forms.split())})\b"
    if table.endings:
        yield rf"\b\w+(?:{any_of(table.endings.split())})\b" + (r"(?=\W*\Z|,)" if table.verb_last else "")
    if table.auxiliaries:
        behind, ended = "", rf"\w{{2,}}(?:{any_of(table.participle_endings.split())})"
        if table.between:
            behind = rf"(?:(?:{phrases(table.between)})\s)*"
        if table.participle_beginning:
            behind, ended = r"(?:[^.!?;]{0,80}\s)?", rf"\w*{table.participle_beginning}{ended}"
        named = rf"{any_of(table.participles.split())}|" if table.participles else ""
        yield rf"(?<!\w)(?:\w['’])?(?:{any_of(table.auxiliaries.split())})\s{behind}(?P<verb>{named}{ended})\b"
