"""Days as only German names them: "nächste Woche Mittwoch", "übernächsten Freitag", "am 7.", "auf den 29. verschoben", "Ende des
Monats".

The number of a day alone is read where no month and no noun follows that it may count ("am 3. Mai", "im 2. Stock"), and where its
words are surely German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from datetime import datetime

from lattice_common.language.dates import periods
from lattice_common.language.dates.compound import Compound
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.phrases import day_of_month, weekday_near
from lattice_common.language.dates.telling import dated_language_of, sentence_around
from lattice_common.language.dates.tense import tense
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables.counted_times import COUNTED_TIMES
from lattice_common.language.words import any_of, months, weekdays

_DAYS = weekdays("de")
_DAY = any_of(_DAYS)
_STEPS = {"nächste": 1, "kommende": 1, "diese": 0, "letzte": -1, "vorige": -1, "vergangene": -1, "übernächste": 2}
_WEEK = rf"(?P<which{{0}}>{any_of(_STEPS)})[nr]? woche"
_COUNTS = {
    word: number for number, words in enumerate(COUNTED_TIMES["de"].numbers.split(", "), start=1) for word in words.split()
}
_FROM_DAYS = {"heut": 0, "heute": 0, "morgen": 1, "übermorgen": 2}
_LENGTHS = {"tag": 1, "tagen": 1, "woche": 7, "wochen": 7}
_PATTERN = lazy_regex(
    rf"\b(?:"
    rf"(?P<day_in>(?:(?P<near>{any_of(_FROM_DAYS)})|(?:am )?(?P<day4>{_DAY})) (?P<way>in|vor) "
    rf"(?P<count>\d{{1,3}}|{any_of(_COUNTS)}) "
    rf"(?P<unit>{any_of(_LENGTHS)}))|"
    rf"(?P<week_day>(?:in der )?{_WEEK.format(1)},? (?:am )?(?P<day1>{_DAY}))"
    rf"|(?P<day_week>(?:am )?(?P<day2>{_DAY}) (?:in der )?{_WEEK.format(2)})"
    rf"|(?P<after_next>(?:am )?übernächsten (?P<day3>{_DAY}))"
    r"|(?P<end_of_month>(?P<edge>ende|anfang) (?:des|dieses) monats|(?P<edge_next>ende|anfang) (?:des )?nächsten monats)"
    r"|(?P<number>(?:am|auf den|zum|bis zum|vom|ab dem|erst am|der) (?P<n>[0-3]?\d)\.)"
    rf"(?!\s*(?:(?:{any_of(months('de'))})\b|(?:bis|und|-|–) ?\d))"
    r"(?=\s*(?:$|[,;!?)–-]|(?-i:[a-zäöüß])|\d{1,2}[.:]\d\d|\d\d\b(?=[,.]|\s(?-i:[a-zäöü]))))"
    rf"|(?P<each>(?:von )?(?:{_DAY}) bis (?:{_DAY})|(?:neu|jetzt immer|ab jetzt|ab sofort|ab nun|von nun an|nun immer|künftig|"
    rf"immer|jeweils) (?:am )?(?:{_DAY}))"
    rf")(?!\w)",
    re.IGNORECASE,
)
_CUES = frozenset(
    ("woche", "wochen", "tagen", "übernächsten", "monats", "am", "den", "zum", "dem", "bis", "neu", "immer", "jeweils", "künftig")
)
_NOT_COUNTED = lazy_regex(
    r"\s*(?:stock|etage|og|klasse|platz|mal|tag|woche|quartal|semester|jahrhundert|geburtstag)\b", re.IGNORECASE
)
_OF_GERMAN = lazy_regex(
    r"\b(?:der|die|das|den|dem|ein|eine|einen|ist|sind|wird|werden|hat|haben|kommt|kommen|geht|bei|mit|und|nach|wegen|für|um|uhr|auf|"
    r"verschoben|termin|zahnarzt\w*|arzt\w*|ich|wir|erst|los|bis)\b",
    re.IGNORECASE,
)


_EACH_WEEK = lazy_regex(
    rf"\b(?:arbeite\w*|geöffnet|offen|sprechstunde\w*|unterricht|kurs|training|schule|kita|büro|homeoffice|jeweils|immer|(?:{_DAY})s)\b",
    re.IGNORECASE,
)
"""What is so on the same days of each week."""


def may_name_a_german_day(words: Set[str]) -> bool:
    """Return whether a text of these words, in small letters, may name such a day."""
    return not _CUES.isdisjoint(words)


def german_days_in(text: str, moment: datetime) -> Iterator[Compound]:
    """Yield the days that a text that `may_name_a_german_day` names, as seen from `moment`. Linear."""
    for match in _PATTERN.finditer(text):
        if match["each"]:
            begins, ends = sentence_around(text, match.start(), match.end())
            if not match["each"].lower().startswith(("von", *_DAYS)) or _EACH_WEEK.search(text, begins, ends):
                yield Compound(match.start(), match.end(), None)
        elif (period := _read(text, match, moment)) is not None:
            yield Compound(match.start(), match.end(), period, _BOUNDS.get(uncased(match[0]).rpartition(" ")[0], ""))


_BOUNDS = {"bis zum": "until", "ab dem": "since"}


def _counted_from(match: re.Match[str], moment: datetime) -> Period | None:
    """Return the day so many days or weeks from another one, exactly: "heute in zwei Wochen", "am Freitag in einer Woche"."""
    is_ahead = uncased(match["way"]) == "in"
    if match["near"]:
        first = periods.day_of(moment, _FROM_DAYS[uncased(match["near"])])
    else:
        first = weekday_near(uncased(match["day4"]), moment, "after" if is_ahead else "last")
    said = uncased(match["count"])
    days = (int(said) if said.isdigit() else _COUNTS[said]) * _LENGTHS[uncased(match["unit"])]
    return None if first is None else periods.day_of(first.start, days if is_ahead else -days)


def _read(text: str, match: re.Match[str], moment: datetime) -> Period | None:
    if match["day_in"]:
        return _counted_from(match, moment)
    for day, which in (("day1", "which1"), ("day2", "which2")):
        if match[day]:
            week = periods.week_of(moment, _STEPS[uncased(match[which])])
            return None if week is None else periods.day_of(week.start, _DAYS[uncased(match[day])])
    if match["day3"]:
        coming = weekday_near(uncased(match["day3"]), moment, "next")
        return None if coming is None else periods.day_of(coming.start, 7)
    if match["end_of_month"]:
        month = periods.around(moment, "month", 1 if match["edge_next"] else 0, exact=True)
        edge = uncased(match["edge"] or match["edge_next"])
        return None if month is None else _edge(month, late=edge == "ende")
    begins, ends = sentence_around(text, match.start(), match.start("n"))
    if _NOT_COUNTED.match(text, match.end()) or not _is_german(text, text[begins : max(ends, match.end())], match):
        return None
    past = tense(text, match.start(), match.end(), "", wide=True) == "past"
    return day_of_month(int(match["n"]), moment, past=past)


def _edge(month: Period, *, late: bool) -> Period | None:
    """Return the last day of a month, or its first."""
    return periods.day_of(month.end, -1) if late else periods.day_of(month.start)


def _is_german(text: str, sentence: str, match: re.Match[str]) -> bool:
    """Return whether the words around the number of a day are surely German: "I am 7." is not."""
    if uncased(match[0]).startswith(("auf den", "bis zum", "ab dem")):
        return True
    return dated_language_of(text) == "de" or len(_OF_GERMAN.findall(sentence.replace(match[0], ""))) > 1
