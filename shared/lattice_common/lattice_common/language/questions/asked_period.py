"""The time that a question asks about: "last week", "this winter", "the wet spring", "between March and May", "lately".

Questions look back more than statements do: a question in November about this winter means the last one that has begun, and "in
March" is the last March, unless the question is about the future. Phrases that are unknown here may be known to `language.dates`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeAlias

from lattice_common.language.dates import periods
from lattice_common.language.dates.feasts import FEAST, feast, feast_near
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.dates.periods import Period
from lattice_common.language.dates.telling import tells_of_past
from lattice_common.language.glosses.recognition import WORD
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.text import query_tokens, stem
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of, months, number_words, past, seasons

FEW, COUPLE = 3, 2
LATELY = timedelta(days=45)
"""How far back "lately" and "recently" reach."""


@dataclass(frozen=True, slots=True)
class AskedPeriod:
    """`[first, last)` in seconds since 1970. `only`: the question asks for what happened then, and names nothing else to look
    for; `told`: it asks for what was said then, whatever time that was about; `within`: nothing outside it answers."""

    first: float
    last: float
    only: bool = False
    told: bool = False
    within: bool = False


_SEASONS, _MONTHS = seasons("en"), months("en")
_MONTH, _SEASON = any_of(_MONTHS), any_of(_SEASONS)
_OF_A_YEAR = lazy_regex(rf"\b(?:{_MONTH}|{_SEASON})\b")
_NUMBERS: Mapping[str, int] = {"a": 1, "an": 1, **number_words(1, 12), "few": FEW, "couple of": COUPLE}
_NUMBER = rf"\d{{1,3}}|{any_of(_NUMBERS)}"
_DAYS: Mapping[str, int] = {"day": 1, "week": 7, "month": 30, "year": 365}

_FUTURE = lazy_regex(
    r"\b(?:will|won't|going to|next|upcoming|coming|due|tomorrow|later|from now|ahead|planned|plans?|shall)\b|'ll\b"
)
_PAST = lazy_regex(
    r"\b(?:(?:have|has)(?! to\b) (?:\w+ )?(?:be|been|do|done|go|gone|make|made|say|see|seen)|"
    rf"(?:have|has)(?! to\b) (?:\w+ ){{0,5}}?(?:{any_of(past('en'))})|"
    r"did|was|were|had|happened|went|came|got|made|said|told|saw|met|[a-z]{3,}ed)\b"
)
_PAST_ELSEWHERE = lazy_regex(
    r"\b(?:habe|hast|hat|haben|habt|bin|ist|sind|heb|hebben|heeft)\b.*\b(?:\w{0,5}ge\w+(?:t|en)|\w+iert|\w+d)\b|"
    r"\b(?:hatten?|waren?|wurden?|gingen?|kam(?:en)?|gab(?:en)?|deed|deden)\b|"
    r"\b(?:ai|as|a|avons|avez|ont|suis|est|sommes|sont)(?:-\w+)? (?:\w+ )?\w+(?:é|ée|és|ées|i|u|is|it)\b|\b(?:étai\w+|avai\w+)\b|"
    r"\b(?:hic\w+|hizo|fui\w*|fue\w*|estuv\w+|tuv\w+|dij\w+|vimos|(?!qué\b)\w+(?:é|ó|aron|ieron|aste|iste|aba|aban|ábamos|ía|ían|íamos))\b|"
    r"\b(?:he|has|ha|hemos|han) \w+(?:ado|ido|cho|to)\b|"
    r"\b(?:ho|hai|ha|abbiamo|hanno|sono|è|siamo) (?:\w+ )?\w+(?:at[oaie]|ut[oaie]|it[oaie]|tto|sto|so)\b",
    re.IGNORECASE,
)
"""Pasts in German, Dutch, French, Spanish and Italian."""
_PRESENT = lazy_regex(r"\b(?:do|does|is|are|am|have|has|need|must|can)\b|'(?:s|re|m|ve)\b")
_TELLING = lazy_regex(
    r"\b(?:(?:did|have|had) (?:i|we|you)|i(?:'ve| have)?) (?:\w+ )?"
    r"(?:tell|told|say|said|mention(?:ed)?|noted?|write|written|wrote|ask(?:ed)?)\b"
)
_NOTHING_IN_PARTICULAR = """
    happen happened happening do did done doing go went going on be been tell told say said new news note noted write wrote
    mention mentioned thing things anything everything something event events plan planned plans ask asked have had up to remember
    remembered learn learned learnt know knew summary summarise summarize week month year day last this next past far so then
"""
_GENERIC = frozenset(stem(word) for word in _NOTHING_IN_PARTICULAR.split())
"""Stems of words that look for nothing in particular."""


@dataclass(frozen=True, slots=True)
class _Said:
    """An expression that was found, seen from `now`; `future`: its question is about the future."""

    match: re.Match[str]
    now: datetime
    future: bool

    def __getitem__(self, group: str) -> str:
        return self.match[group] or ""


_Reader: TypeAlias = Callable[[_Said], Period | None]


def asked_period(text: str, now: datetime, said: str | None = None) -> AskedPeriod | None:
    """Return the time that a question names; None where it names none. `now` carries an offset. `said`: the question's own words
    where `text` is their gloss, whose verbs have no tense. Linear in the text; microseconds."""
    lowered = text.lower().replace("’", "'")
    future = looks_ahead(text, said)
    for pattern, read in _READERS:
        match = pattern.search(lowered)
        period = read(_Said(match, now, future)) if match else None
        if match is not None and period is not None:
            rest = f"{lowered[: match.start()]} {lowered[match.end() :]}"
            return _asked(period.start, period.end, lowered, rest)
    mentions = resolve(text, now)
    if not mentions:
        return None
    first = mentions[0]
    own = resolve(said, now)[:1] if said else []
    # A gloss has no tense: "¿Qué hicimos el sábado?" asks about the last one.
    meant = own[0] if own and said and _is_past_elsewhere(said) else first
    begin, end = meant.valid_from, meant.valid_until
    of_a_year = _OF_A_YEAR.search(first.phrase.lower())  # "on 3 May": a Friday recurs every week
    if first.relative and of_a_year and begin is not None and begin > now and not future:
        begin, end = (_a_year_before(each) for each in (begin, end))
    asked, times = (said, own) if said else (text, mentions[:1])
    whats_on = any(_asks_what_is_on(f"{asked[: each.start]} {asked[each.end :]}") for each in times)
    return _asked(begin, end, lowered, "" if whats_on else f"{text[: first.start]} {text[first.end :]}".lower())


def _asked(begin: datetime | None, end: datetime | None, lowered: str, rest: str) -> AskedPeriod:
    first = begin.timestamp() if begin else -math.inf
    last = end.timestamp() if end else math.inf
    only = asks_nothing_else(rest) and math.isfinite(first) and math.isfinite(last)
    return AskedPeriod(first, last, only, bool(_TELLING.search(lowered)))


def _asks_what_is_on(rest: str) -> bool:
    """Return whether a question in another language, without its words for a time, is one of what is on: "Was steht … an?". Word
    for word, such phrases mean other things in English."""
    words = set(WORD.findall(rest.lower()))
    return any(words <= known for known in _WHAT_IS_ON)


_WHAT_IS_ON = (
    vocabulary(
        "was steht ist war wird los an am gibt gab es geplant denn alles so bei mir uns auf dem programm plan kalender im"
    ),
    vocabulary("qu que quoi qui est ce c il y a aura avait se s passe passé passera prévu programme au agenda planning du"),
    vocabulary("qué que pasa pasó pasará me nos toca hay hubo el la en agenda programado previsto está"),
    vocabulary("cosa che è successo succede succederà devo dobbiamo fare impegni ho abbiamo c è in programma agenda"),
    vocabulary("wat staat er op de planning agenda het programma te doen gaat gebeuren gebeurt"),
    vocabulary("co się dzieje stało działo będzie jest w we na zaplanowane planie"),
    vocabulary("ne oldu oluyor olacak var günü planlar planım"),
    vocabulary(
        "что у меня нас мы я делал делала делали делаю делаем было будет в во на запланировано происходит случилось произошло"
    ),
    vocabulary("o que acontece aconteceu se passa passou há houve na no em agenda está marcado previsto"),
)
"""By languages: German, French, Spanish, Italian, Dutch, Polish, Turkish, Russian and Portuguese."""


def asks_nothing_else(rest: str) -> bool:
    """Return whether a question, without its words for a time, looks for nothing in particular: "What did we do …?"."""
    return not [token for token in query_tokens(rest) if token not in _GENERIC]


def looks_ahead(question: str, said: str | None = None) -> bool:
    """Return whether a question asks about what is to come; `said` as for `asked_period`."""
    lowered = question.lower().replace("’", "'")
    past = bool(_PAST.search(lowered) or (said and _is_past_elsewhere(said)))
    return bool(_FUTURE.search(lowered)) or (bool(_PRESENT.search(lowered)) and not past)


def _is_past_elsewhere(question: str) -> bool:
    return _PAST_ELSEWHERE.search(question) is not None or tells_of_past(question)


def _a_year_before(moment: datetime | None) -> datetime | None:
    if moment is None:
        return None
    try:
        return moment.replace(year=moment.year - 1)
    except ValueError:  # the 29th of February
        return moment.replace(year=moment.year - 1, day=28)


def _before_last(said: _Said) -> Period | None:
    name = said["unit"]
    if name in _SEASONS:
        latest = _latest_season(name, said.now)
        return None if latest is None else periods.season(latest.start.year - 1, name, said.now.tzinfo)
    return periods.around(said.now, name, -2, exact=True)


def _past_one(said: _Said) -> Period | None:
    """Return the last one, as languages say it that put the word behind ("el invierno pasado")."""
    name = said["unit"]
    if name in _SEASONS:
        return _latest_season(name, said.now)
    return periods.around(said.now, name, -1, exact=True)


def _in_the_last(said: _Said) -> Period | None:
    word = said["count"]
    count = 1 if not word else _NUMBERS[word] if word in _NUMBERS else int(word)
    return _until_now(said.now, timedelta(days=count * _DAYS[said["unit"]]))


def _lately(said: _Said) -> Period | None:
    return _until_now(said.now, LATELY)


def _until_now(now: datetime, length: timedelta) -> Period | None:
    try:
        return Period(periods.midnight(now - length), now + timedelta(days=1), "about")
    except OverflowError:
        return None


def _weekend(said: _Said) -> Period | None:
    this = periods.weekend_of(said.now)
    if said.future or this is None or this.start <= said.now:
        return this
    return periods.weekend_of(said.now, -1)


def _season(said: _Said) -> Period | None:
    name = said["season"]
    if said["year"]:
        return periods.season(int(said["year"]), name, said.now.tzinfo)
    latest = _latest_season(name, said.now)
    if latest is not None and said.future and latest.end <= said.now:
        return periods.season(latest.start.year + 1, name, said.now.tzinfo)
    return latest


def _latest_season(name: str, now: datetime) -> Period | None:
    """Return the last one of that name that has begun."""
    this = periods.season(now.year, name, now.tzinfo)
    return this if this is not None and this.start <= now else periods.season(now.year - 1, name, now.tzinfo)


def _month(said: _Said, name: str, year: str) -> Period | None:
    number = _MONTHS[name]
    if year:
        return periods.month(int(year), number, said.now.tzinfo)
    this = periods.month(said.now.year, number, said.now.tzinfo)
    if this is None or (this.end > said.now if said.future else this.start <= said.now):
        return this
    return periods.month(said.now.year + (1 if said.future else -1), number, said.now.tzinfo)


def _in_month(said: _Said) -> Period | None:
    return _month(said, said["month"], said["year"])


def _months(said: _Said) -> Period | None:
    last = _month(said, said["last"], said["year"])
    if last is None:
        return None
    distance = (_MONTHS[said["last"]] - _MONTHS[said["first"]]) % 12
    first = periods.month(last.start.year, last.start.month - distance, said.now.tzinfo)
    return None if first is None else Period(first.start, last.end, "month")


def _part(said: _Said) -> Period | None:
    whole = _whole(said)
    if whole is None:
        return None
    third = (whole.end - whole.start) / 3
    if said["part"] in ("late", "end", "close"):
        return Period(whole.end - third, whole.end, "about")
    if said["part"] in ("mid", "middle"):
        return Period(whole.start + third, whole.end - third, "about")
    return Period(whole.start, whole.start + third, "about")


def _half(said: _Said) -> Period | None:
    whole = _whole(said)
    if whole is None:
        return None
    middle = whole.start + (whole.end - whole.start) / 2
    return Period(whole.start, middle, "about") if said["half"] == "first" else Period(middle, whole.end, "about")


def _whole(said: _Said) -> Period | None:
    """Return the month, season, year or stretch of now that a part is named of."""
    if said["month"]:
        return _month(said, said["month"], said["year"])
    if said["season"]:
        return _season(said)
    if said["alone"]:
        return periods.years(int(said["alone"]), 1, said.now.tzinfo)
    return periods.around(said.now, said["unit"], -1 if said["which"] == "last " else 0, exact=True)


def _feast(said: _Said) -> Period | None:
    if said["year"]:
        return feast(said["feast"], int(said["year"]), said.now.tzinfo)
    return feast_near(said["feast"], said.now, future=said.future)


_YEAR = r"(?:,? (?:of |in )?(?P<year>(?:19|20)\d\d))?"
_AFTER = r"(?= (?:did|was|were|i|we|and|with|when|at|on|in|have|had)\b|\s*[?.!,;]|\s*$)"
"""What must follow a season's name, so that "spring onions" is none."""
_SAID_SEASON = rf"(?P<season>{_SEASON}){_YEAR}{_AFTER}"
_OF = (
    rf"(?:of |in )?(?:the )?(?:(?:(?P<month>{_MONTH})|(?:this |last )?(?P<season>{_SEASON})){_YEAR}"
    r"|(?P<alone>(?:19|20)\d\d)|(?P<which>this |last )?(?P<unit>week|month|year))\b"
)
_UNITS = r"(?P<unit>day|week|month|year)s?"
_READERS: tuple[tuple[re.Pattern[str], _Reader], ...] = tuple(
    (lazy_regex(pattern), read)
    for pattern, read in (
        (rf"\b(?:in |during )?the (?P<unit>week|weekend|month|year|{_SEASON}) before last\b", _before_last),
        (rf"\bsecond to last (?P<unit>week|weekend|month|year|{_SEASON})\b", _before_last),
        (rf"\b(?:this |in |during )?(?P<unit>week|weekend|month|year|{_SEASON}) past\b", _past_one),
        (rf"\b(?:in|over|during|within|for) the (?:last|past) (?:(?P<count>{_NUMBER}) )?{_UNITS}\b", _in_the_last),
        (rf"\bthe (?:last|past) (?P<count>{_NUMBER}) {_UNITS}\b", _in_the_last),
        (r"\b(?:lately|recently|of late|these days|the other day)\b", _lately),
        (r"\b(?:at|on|over|during) the weekend\b", _weekend),
        (rf"\b(?:between|from) (?P<first>{_MONTH}) (?:and|to|until|till) (?P<last>{_MONTH}){_YEAR}\b", _months),
        (rf"\b(?:in |at |by )?(?:the )?(?P<part>early|late|mid|beginning|start|middle|end|close)[ -]{_OF}", _part),
        (rf"\b(?:in |during )?the (?P<half>first|second) half {_OF}", _half),
        (rf"\b(?:in|during|over|this|last|that)(?: the)?(?: (?!last\b|this\b|next\b)[a-z]+)? {_SAID_SEASON}", _season),
        (rf"\bthe (?:(?!last\b|this\b|next\b)[a-z]+ )?{_SAID_SEASON}", _season),
        (rf"\b(?:over|at|for|on|during|in|last|this) (?:the (?=\w+ weekend))?(?P<feast>{FEAST}){_YEAR}(?!\w)", _feast),
        (rf"\b(?:in|as of) (?P<month>{_MONTH}){_YEAR}\b(?! \d)", _in_month),
    )
)  # fmt: skip
"""Expressions of time that occur in questions rather than in statements, with their readers."""
