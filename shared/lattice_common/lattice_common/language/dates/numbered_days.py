"""Days that French, Spanish, Italian, Portuguese and Dutch name by their number alone: "je commence le 14", "salimos el
20", "de 15e begin ik", "van de 2e tot de 9e".

A number behind an article may count anything, so that it is a day only where what stands behind it shows that no noun does: the
end of a clause, a time, or a word that no number counts. It is the one that comes next or, told of what is past, was last; where
its sentence names a month before it, `mentions` has it of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import datetime
from functools import cache

from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.counted import SISTERS
from lattice_common.language.dates.named_days import tense_of_date
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.phrases import day_of_month
from lattice_common.language.dates.romance import is_to_come
from lattice_common.language.dates.telling import compiled, dated_language_of, sentence_around
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary


@dataclass(frozen=True, slots=True)
class _Words:
    """Patterns of one language: `lead`, `until` and `since` stand before the number, `to` before a day that lies ahead, whatever
    else is said; `stretch` before the first and the last day of one; `behind` follows a number that is a day, beside the end of a
    clause."""

    lead: str
    until: str
    since: str
    to: str
    stretch: tuple[str, str]
    behind: str
    number: str = r"[12]\d|3[01]|0?[1-9]"


_WORDS = {
    "fr": _Words(
        lead="le|au|pour le",
        until="jusqu['’]au",
        since="dès le|à partir du",
        to="au|pour le",
        stretch=("du", "au"),
        behind=r"à|chez|pour(?! cent)|avec|dans|et|mais|du coup|matin|soir|midi|je|j['’]|on|nous|il|elle|prochain",
        number=r"1er|[12]\d|3[01]|0?[1-9]",
    ),
    "es": _Words(
        lead="el(?: día)?|al|para el|día",
        until="hasta el",
        since="desde el|a partir del",
        to="al|para el",
        stretch=("del", "al"),
        behind=r"a las?|en|con|para|por(?! ciento)|y|pero|vamos|vienen?|tengo|tenemos|hay|voy|empiez[oa]|es|me|nos|se|que viene",
    ),
    "it": _Words(
        lead="il|al|per il",
        until="fino al",
        since="dal|a partire dal",
        to="al|per il",
        stretch=("dal", "al"),
        behind=r"alle?|in|con|per(?! cento)|e|ma|mattina|sera|c['’]è|ho|abbiamo|andiamo|vado|viene|"
        r"arriva\w*|part\w+|cominci\w+|inizi\w+|si|ci|è",
    ),
    "pt": _Words(
        lead="(?:no |o |ao |para o )?dia",
        until="até (?:ao |o )?dia",
        since="desde o dia|a partir d[eo] dia",
        to="ao dia|para o dia",
        stretch=("do dia", "ao dia"),
        behind=r"de manhã|(?!de\s|d[oa]s?\s|a\s\d|ao\s|até\s)\w+",
        number=r"1º|1o|[12]\d|3[01]|0?[1-9]",
    ),
    "nl": _Words(
        lead="de|op de|naar de|voor de",
        until="tot(?: en met)? de",
        since="vanaf de|sinds de",
        to="naar de|voor de",
        stretch=("van de", "tot(?: en met)? de"),
        behind=r"om|in|op|naar|bij|met|en|maar|weer|pas|\w+ (?:ik|we|wij|hij|zij|ze|je|jullie|het)",
        number=r"(?:[12]\d|3[01]|0?[1-9])(?:e|de|ste)",
    ),
}
_NEVER = (
    r"\b(?:bus|tram|métro|ligne|quai|salle|chambre|numéro|n[°ºo]|page|étage|habit\w+|viv[eo]\w*|piso|planta|habitación|línea|autobús|"
    r"número|página|abit\w+|stanza|binario|linea|piano|pagina|moro|mor[ao]mos|linha|lijn|kamer|nummer|woon|wonen|taille|talla|taglia|maat|"
    r"pointure|armadietto|casella|taquilla|casier|consigne|dorsal|maglia|camiseta|mesa|tavolo|table|chapitre|capítulo|capitolo|hoofdstuk|canal|canale|chaîne|top)\b[^.!?;,]{0,12}\Z"
)
"""What is numbered otherwise: a bus, a room, a house."""
_IN_A_STREET = lazy_regex(
    r"\b(?:(?:rue|avenue|boulevard|place|allée|calle|avenida|via|viale|piazza|corso|rua) (?:d[eu]s?(?: la)? |d['’])?"
    r"(?-i:[A-ZÀ-Þ])\w+|\w{3,}(?:straat|laan|weg))\b[^.!?;]{0,24}\Z",
    re.IGNORECASE,
)
_EACH_MONTH = lazy_regex(
    r"\b(?:chaque|tous les|loyer|payer?|paye|paie|salaire|mensuel\w*|virement|cada|todos los|alquiler|nómina|mensual\w*|"
    r"cobr[oa]\w*|"
    r"todo (?:dia|mês)|"
    r"ogni|affitto|stipendio|pag[oa]|mensile|todos os|aluguel|renda|salário|elke|iedere|huur|salaris|loon|maandelijks\w*)\b",
    re.IGNORECASE,
)
"""In the sentence of a day that comes back each month."""
_CUE = lazy_regex(r"(?:\b(?:le|au|du|el|al|del|il|dal|dia|día|de)|\b[dlDL]['’]) ?\d", re.IGNORECASE)
_ENDS = r"\s*(?:[,;.!?)]|\Z|[-–—]\s|\d{1,2}\s?[h:]|om \d|a las \d|alle \d|à \d|às \d)"


@dataclass(frozen=True, slots=True)
class _Reader:
    day: re.Pattern[str]
    ahead: re.Pattern[str]


@cache
def _reader(language: str) -> _Reader:
    words = _WORDS[language]
    behind = rf"(?={_ENDS}|\s+(?:{words.behind})(?!\w))(?![.,:]\d|\s?[%€$])"
    first, second = words.stretch
    return _Reader(
        day=compiled(
            rf"(?<![\w'’-])(?:(?P<stretch>(?:{first})\s(?P<a>{words.number})\s(?:{second})\s(?P<b>{words.number}))"
            rf"|(?:(?P<until>{words.until})|(?P<since>{words.since})|{words.lead})\s(?P<n>{words.number})){behind}"
        ),
        ahead=compiled(rf"(?:{words.to})\s"),
    )


def may_number_a_day(text: str, words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may name such a day."""
    return not words.isdisjoint(_LEADING) and _CUE.search(text) is not None


_LEADING = vocabulary("le au du el al del il dal dia día de jusqu")


def numbered_days_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the days that a text which `may_number_a_day` names, as seen from `moment`. Linear."""
    language = dated_language_of(text)
    if language not in _WORDS:
        return
    found = list(_numbered_days(text, moment, language))
    sister = SISTERS.get(language)
    yield from found or (_numbered_days(text, moment, sister) if sister else ())


def _numbered_days(text: str, moment: datetime, language: str) -> Iterator[Compound]:
    reader = _reader(language)
    for match in reader.day.finditer(text):
        begins, ends = sentence_around(text, match.start(), match.end())
        low = max(begins, match.start() - REACH)
        if any(each.search(text, low, match.start()) for each in (_NEVER_BEFORE, _IN_A_STREET)):
            continue
        if _EACH_MONTH.search(text, begins, ends):
            continue
        told = tense_of_date(text, match.start(), match.end(), language)
        if match["since"] and _SINCE.match(match["since"]) and not is_to_come(text[begins:ends]):
            told = "past"
        past = told == "past" and not reader.ahead.match(text, match.start())
        period = _period(match, moment, past=past)
        if period is not None:
            yield Compound(match.start(), match.end(), period, "until" if match["until"] else "since" if match["since"] else "")


_SINCE = lazy_regex(r"desde|sinds", re.IGNORECASE)
"""What has begun, unless a verb tells of what is to come."""
REACH = 30
"""Characters before a number in which something may be named that it counts."""
_NEVER_BEFORE = lazy_regex(_NEVER, re.IGNORECASE)


def _period(match: re.Match[str], moment: datetime, *, past: bool) -> Period | None:
    """Return the day, or all from one to another of the same month, or to one of the next."""
    if match["n"]:
        return day_of_month(_number(match["n"]), moment, past=past)
    first = day_of_month(_number(match["a"]), moment, past=past)
    last = None if first is None else day_of_month(_number(match["b"]), first.start, past=False)
    return None if first is None or last is None else Period(first.start, last.end, "days")


def _number(said: str) -> int:
    return int(_DIGITS.findall(said)[0])


_DIGITS = lazy_regex(r"\d+")
