"""Dates and times in words: "yesterday", "the week before 9 June 2023", "since 2016".

`resolve` finds every phrase that names a time and returns which period it means, counted from the moment when it was said. It
knows English, ISO and dotted dates, and the most common words of German, French, Spanish, Italian, Portuguese, Dutch, Polish,
Russian, Turkish, Japanese and Chinese.
It guesses nothing: a phrase that cannot be resolved (the 30th of February, 3/4/2023, which is March or April) is not returned,
nor is what recurs ("every Tuesday", a birthday). Seasons are those of the northern hemisphere. One pass with one regular
expression, linear; no calendar library is used.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import lru_cache

from lattice_common.language.dates import periods
from lattice_common.language.dates.cjk_days import cjk_days_in, cjk_tells_of_past, may_have_cjk_day
from lattice_common.language.dates.compound import Compound, compounds_in
from lattice_common.language.dates.counted import counted_in, may_count
from lattice_common.language.dates.dutch_months import dutch_months_in, may_name_a_dutch_month
from lattice_common.language.dates.feasts import FEAST, feast, feast_near
from lattice_common.language.dates.following_days import REACH as FOLLOWS_WITHIN
from lattice_common.language.dates.following_days import FollowingDay, following_days_in
from lattice_common.language.dates.german_days import german_days_in, may_name_a_german_day
from lattice_common.language.dates.named_days import (
    ALL_MONTHS,
    NAMES,
    bound_before,
    may_name_a_day,
    named_days_in,
    tense_of_date,
    was_just,
    weekday_beside,
)
from lattice_common.language.dates.numbered_days import may_number_a_day, numbered_days_in
from lattice_common.language.dates.of_things import is_of_a_thing
from lattice_common.language.dates.periods import Period, Precision
from lattice_common.language.dates.phrases import WEEKDAY_NAMES, day_of_month, on_weekday, period_of
from lattice_common.language.dates.polish_months import may_name_a_polish_month, polish_months_in
from lattice_common.language.dates.romance import bound_of, is_to_come
from lattice_common.language.dates.search import phrases_in
from lattice_common.language.dates.short_days import bare_months_in, may_have_bare_month, may_have_short_day, short_days_in
from lattice_common.language.dates.telling import dated_language_of, sentence_around
from lattice_common.language.dates.tense import (
    Tense,
    comes_back,
    counts_back,
    is_how_long,
    is_of_a_birth,
    is_part_of_a_stretch,
    recurs,
    tense,
)
from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex, uncased
from lattice_common.language.tables import TABLES
from lattice_common.language.words import ENGLISH_MONTHS, months, short_months


@dataclass(frozen=True, slots=True)
class DateMention:
    """A phrase that names a time: `text[start:end] == phrase`.

    The time is `[valid_from, valid_until)`. "Since …" and "after …" have no `valid_until`, "until …" and "before …" no
    `valid_from`. `relative` phrases mean something else when they are said on another day. `whole` is the period itself, without
    the effect of "since" and "until".
    """

    phrase: str
    start: int
    end: int
    valid_from: datetime | None
    valid_until: datetime | None
    precision: Precision
    relative: bool
    whole: tuple[datetime, datetime]


def resolve(text: str, observed_at: datetime) -> list[DateMention]:
    """Return the times named in `text`, in order, as seen from `observed_at` (when it was said)."""
    return list(_resolved(text, observed_at))


def _labelled(text: str, match: re.Match[str]) -> str:
    """Return "until" where a label says that something ends: "Elected until: 2028"; else ""."""
    if not (match["year"] or match["my"] or match["dmy"] or match["mdy"] or match["dotted"] or match["iso"] or match["dm"]):
        return ""
    return "until" if _ENDS_LABELLED.search(text, max(0, match.start() - 20), match.start()) else ""


def _label_before(text: str, match: re.Match[str]) -> int:
    """Return where the label before a day begins, by which something ends."""
    found = _ENDS_LABELLED.search(text, max(0, match.start() - 20), match.start())
    return match.start() if found is None else found.start()


_ENDS_LABELLED = lazy_regex(
    r"\b(?:until|till?|bis|jusqu['’](?:à|au|en)|hasta|fino a[l]?|até|tot|do|до)\s?:\s{0,3}\Z", re.IGNORECASE
)


def _read(
    text: str, match: re.Match[str], observed_at: datetime, told: Tense, named: datetime | None
) -> tuple[Period, bool] | None:
    """Return the period of a phrase, and whether it is relative; `named` is when its month begins where that was named before."""
    try:
        ahead, behind = told == "future" or named is not None, told == "past" and named is None
        read = period_of(match, named or observed_at, future=ahead, past=behind)
    except (OverflowError, ValueError):
        # A number of days that leads out of the calendar, or an impossible time of day, means nothing.
        return None
    if read is None or not match["dmy_m"] or not read[1] or match["named"] or read[0].precision != "day":
        return read
    weekday = weekday_beside(text, match.start(), match.end())
    return read if weekday is None else (on_weekday(read[0], weekday, observed_at), True)


_THE = lazy_regex(r"\bthe \Z", re.IGNORECASE)
_AS_WELL = {"after": "from", "before": "until"}
"""What "on or after" and "on or before" a day bound."""
_NUMBERED = lazy_regex(
    r"(?:[§#]|\b(?:sections?|sect?\.|room|raum|zimmer|nos?\.|nr\.|number|nummer|pages?|seite|pp?\.|art\.|article|artikel|item|"
    r"flight|flug|part|order|invoice|ref\.|rule|port|form|gate|route|highway|bus|iso|din(?: en)?|rfc|windows|apt\.?|suite|box|"
    r"zip|postcode|plz|ext\.|tel\.?|phone|fax|time:|uhrzeit:?)) ?\Z",
    re.IGNORECASE,
)
"""A number that counts something, and is no year: "Section 1983", "Room 2015"."""


@lru_cache(maxsize=512)
def _resolved(text: str, observed_at: datetime) -> tuple[DateMention, ...]:
    """Return the mentions of a text. Cached: extraction, grounding and recall ask for the same words one after another."""
    found: list[DateMention] = []
    for match in phrases_in(text):
        bound = bound_of(match) or (bound_before(text, match.start()) if match["dmy_m"] else "") or _labelled(text, match)
        if bound in _AS_WELL and text[max(0, match.start() - 6) : match.start()].lower() == "on or ":
            bound = _AS_WELL[bound]
        numbered = match["year"] and _NUMBERED.search(text[max(0, match.start() - 20) : match.start("year")])
        if numbered or is_of_a_thing(text, match) or recurs(text, match) or counts_back(text, match) or is_how_long(text, match):
            continue
        if _is_here(text, match) or _is_in_a_row(text, match) or is_part_of_a_stretch(text, match):
            continue
        if bound == "since" and match["r_month"] and not match["r_year"]:
            begins, ends = sentence_around(text, match.start(), match.end())
            bound = "from" if is_to_come(text[begins:ends]) else bound
        # For a weekday the whole sentence may decide; for other dates, a verb in another clause is too often about something
        # else.
        told = tense(text, match.start(), match.end(), bound, wide=_is_wide(match)) or _told_elsewhere(text, match, observed_at)
        if match["weekday"] and told != "future" and _THE.search(text, max(0, match.start() - 8), match.start()):
            continue  # "on the Saturday" is of what was spoken about before, unless it lies ahead
        named = _month_before(text, match.start(), found, observed_at, told) if match["nth"] else None
        read = _read(text, match, observed_at, told, named)
        if read is None:
            continue
        period, relative = read
        if is_of_a_birth(text, match) and not was_just(period, observed_at):
            continue
        # "From 3 to 17 August" has its end.
        open_end = bound in ("since", "after", "from", "starting", "seit", "ab") and not match["range_a"]
        start = _label_before(text, match) if _labelled(text, match) else match.start()
        open_start = bound in ("until", "till", "til", "before", "by", "bis")
        found.append(
            DateMention(
                phrase=text[start : match.end()],
                start=start,
                end=match.end(),
                valid_from=None if open_start else period.end if bound == "after" else period.start,
                valid_until=None if open_end else period.start if bound == "before" else period.end,
                precision=period.precision,
                relative=relative,
                whole=(period.start, period.end),
            )
        )
    words = frozenset(_WORD.findall(text.lower()))
    compounds = _without_parts(list(_compounds_in(text, observed_at, words)))
    if may_have_bare_month(words):
        taken = [*((each.start, each.end) for each in found), *((each.start, each.end) for each in compounds)]
        bare = bare_months_in(text, observed_at)
        compounds += [each for each in bare if all(each.end <= start or end <= each.start for start, end in taken)]
    feasts = list(_feasts_in(text, observed_at))
    if compounds or feasts:
        apart = [*((each.start, each.end) for each in compounds), *((each.start, each.end) for each in feasts)]
        found = [each for each in found if all(each.end <= start or end <= each.start for start, end in apart)]
        compound = [_mention_of(text, each, each.period) for each in compounds if each.period is not None]
        found = sorted((*found, *compound, *feasts), key=lambda mention: mention.start)
    found = _in_their_week(text, _in_their_month(text, _in_their_year(text, found)))
    return tuple(_following(text, found))


def _following(text: str, found: list[DateMention]) -> list[DateMention]:
    """Return the mentions with each day that is told to follow as the first one behind the day that was named before it."""
    days = list(following_days_in(text))
    placed: list[DateMention] = []
    rest = iter(found) if days else iter(())
    upcoming = next(rest, None)
    for each in days:
        while upcoming is not None and upcoming.end <= each.start:
            placed.append(upcoming)
            upcoming = next(rest, None)
        own = _first_after(placed[-1], text, each) if placed else None
        if own is not None:
            placed.append(own)
            while upcoming is not None and upcoming.start < each.end:
                upcoming = next(rest, None)
    return [*placed, *([upcoming] if upcoming else []), *rest] if days else found


def _first_after(last: DateMention, text: str, each: FollowingDay) -> DateMention | None:
    """Return the first such day of the week behind the day that was named last; None where that is none, or too far before it."""
    if each.start - last.end > FOLLOWS_WITHIN or last.precision not in ("day", "days", "weekend", "hour", "minute"):
        return None
    ends = last.whole[1] - timedelta(minutes=1)
    day = periods.day_of(ends, (each.weekday - ends.weekday()) % 7 or 7)
    if day is None:
        return None
    times = (day.start, day.end)
    return DateMention(text[each.start : each.end], each.start, each.end, *times, day.precision, last.relative, times)


def _compounds_in(text: str, observed_at: datetime, words: frozenset[str]) -> Iterator[Compound]:
    """Yield what further readers find, `words` being those of the text in small letters."""
    yield from compounds_in(text, observed_at, words)
    if may_count(words):
        yield from counted_in(text, observed_at)
    if may_name_a_day(text, words):
        yield from named_days_in(text, observed_at, words)
    if may_name_a_german_day(words):
        yield from german_days_in(text, observed_at)
    if may_name_a_dutch_month(words):
        yield from dutch_months_in(text, observed_at)
    if may_name_a_polish_month(words):
        yield from polish_months_in(text, observed_at)
    if may_number_a_day(text, words):
        yield from numbered_days_in(text, observed_at)
    if may_have_cjk_day(text):
        yield from cjk_days_in(text, observed_at)
    if may_have_short_day(words):
        yield from short_days_in(text, observed_at)


def _without_parts(compounds: list[Compound]) -> list[Compound]:
    """Return them without those that are a part of a longer one: "in zwei Wochen" of "heute in zwei Wochen"."""
    kept: list[Compound] = []
    furthest = None
    for each in sorted(compounds, key=lambda compound: (compound.start, -compound.end)):
        if furthest is not None and each.end <= furthest.end and (each.start, each.end) != (furthest.start, furthest.end):
            continue
        kept.append(each)
        furthest = each
    return kept


def _mention_of(text: str, compound: Compound, period: Period) -> DateMention:
    return DateMention(
        phrase=text[compound.start : compound.end],
        start=compound.start,
        end=compound.end,
        valid_from=None if compound.bound == "until" else period.start,
        valid_until=None if compound.bound == "since" else period.end,
        precision=period.precision,
        relative=True,
        whole=(period.start, period.end),
    )


def _in_their_week(text: str, found: list[DateMention]) -> list[DateMention]:
    """Return the mentions with each weekday in the one week that its sentence names: "Next week yoga is on Friday"; the week
    with a day right behind it is that day: "next week Thursday"."""
    weeks = [each for each in found if each.precision == "week" and each.valid_from and each.valid_until]
    if not weeks:
        return found
    placed: list[DateMention] = []
    for each in found:
        day = _in_week(text, each, weeks) if _is_weekday(each) else each
        week = placed[-1] if placed else None
        if week is not None and week in weeks and day is not each and _GOES_WITH.fullmatch(text, week.end, day.start):
            placed[-1] = replace(day, phrase=text[week.start : day.end], start=week.start)
        else:
            placed.append(day)
    return placed


_GOES_WITH = lazy_regex(r",?\s(?:(?:on|op|am|le|il|el|o|na)\s)?", re.IGNORECASE)


def _in_their_year(text: str, found: list[DateMention]) -> list[DateMention]:
    """Return the mentions with a day whose year stands only behind the last day of its stretch in that year, or the one before:
    "Fri 12 March – Sat 20 March 2027"."""
    placed = list(found)
    for at in range(len(placed) - 1):
        first, last = placed[at], placed[at + 1]
        if not (first.relative and not last.relative and first.precision == last.precision == "day"):
            continue
        if not _AND_TO.fullmatch(text, first.end, last.start) or not first.valid_from or _MONTHS.isdisjoint(_words(first.phrase)):
            continue
        begins, ends = first.whole[0], last.whole[0]
        year = ends.year if (begins.month, begins.day) <= (ends.month, ends.day) else ends.year - 1
        day = periods.day(year, begins.month, begins.day, begins.tzinfo)
        placed[at] = _later(first, day.start - begins) if day else first
    return placed


_AND_TO = lazy_regex(r"\s?(?:[-–—]|to|until|till|bis|au|al|ao|tot|a)\s?", re.IGNORECASE)


def _words(phrase: str) -> list[str]:
    return _WORD.findall(uncased(phrase))


def _in_their_month(text: str, found: list[DateMention]) -> list[DateMention]:
    """Return the mentions with each day that is named by its number alone in the month that its sentence names before it: "We're
    away in May, from the 2nd to the 9th"."""
    placed: list[DateMention] = []
    for each in found:
        month = placed[-1] if placed else None
        is_bare = each.precision in ("day", "days") and each.relative and _is_bare_number(each.phrase)
        if is_bare and each.precision == "days" and _is_of_another_month(text, each, placed):
            continue  # of a message about May, "from the 23rd to the 28th" is not of this month
        if month is None or not is_bare or _NEW_SENTENCE.search(text, month.end - 1, each.start):
            placed.append(each)
            continue
        if month.precision != "month":
            placed.append(_behind(month, each))
            continue
        begins = month.whole[0]
        later = timedelta(days=begins.toordinal() + each.whole[0].day - 1 - each.whole[0].toordinal())
        is_in_it = each.whole[0] + later < month.whole[1]
        placed.append(_later(each, later) if is_in_it else each)
    return placed


NEAR = 8
"""Times before a stretch among which its month may be."""


def _is_of_another_month(text: str, stretch: DateMention, before: list[DateMention]) -> bool:
    """Return whether an earlier sentence named one single month, which is not that of a stretch of bare numbers."""
    named = {each.whole[0]: each for each in before[-NEAR:] if each.precision == "month"}
    if len(named) != 1:
        return False
    (month, last), *_ = named.items()
    is_apart = _NEW_SENTENCE.search(text, last.end - 1, stretch.start) is not None
    return is_apart and (month.year, month.month) != (stretch.whole[0].year, stretch.whole[0].month)


def _behind(day: DateMention, number: DateMention) -> DateMention:
    """Return the day that is named by its `number` alone as the next one from a day with its month on, named before it: "saímos
    dia 28/12 e voltamos dia 3"."""
    with_month = not _MONTHS.isdisjoint(_words(day.phrase)) or _IN_FIGURES.search(day.phrase)
    if day.precision not in ("day", "hour", "minute") or not with_month or number.precision != "day":
        return number
    found = day_of_month(number.whole[0].day, day.whole[0], past=False)
    return number if found is None else _later(number, found.start - number.whole[0])


_IN_FIGURES = lazy_regex(r"\d[/.]\d")
_BARE_NUMBERS = lazy_regex(r"\D{0,24}?\d{1,2}\D{0,4}(?:\s\D{1,14}\d{1,2}\D{0,4})?")


def _is_bare_number(phrase: str) -> bool:
    """Return whether a phrase names a day by its number, without a month and a weekday."""
    words = _words(phrase)
    return _BARE_NUMBERS.fullmatch(phrase) is not None and _MONTHS.isdisjoint(words) and _NAMES.isdisjoint(words)


def _later(mention: DateMention, later: timedelta) -> DateMention:
    return replace(
        mention,
        valid_from=mention.valid_from and mention.valid_from + later,
        valid_until=mention.valid_until and mention.valid_until + later,
        whole=(mention.whole[0] + later, mention.whole[1] + later),
    )


def _is_weekday(mention: DateMention) -> bool:
    words = _words(mention.phrase)
    return mention.relative and not _WHICH.intersection(words) and not _NAMES.isdisjoint(words)


def _in_week(text: str, day: DateMention, weeks: list[DateMention]) -> DateMention:
    own = [each for each in weeks if not _NEW_SENTENCE.search(text, min(each.end, day.end), max(each.start, day.start))]
    if len(own) != 1:
        return day
    if _RETURNS.match(text, day.end):
        return day
    is_back = _BACK.search(text, max(0, day.start - 12), day.start) is not None
    start = own[0].whole[1 if is_back else 0]
    later = timedelta(days=start.toordinal() + day.whole[0].weekday() - start.weekday() - day.whole[0].toordinal())
    return _later(day, later)


_MONTHS = frozenset((*months(*TABLES), *short_months("en"), *ALL_MONTHS))
_NAMES = NAMES.union(WEEKDAY_NAMES)
_WORD = lazy_regex(r"\w+")
_RETURNS = lazy_regex(
    r"[^\w.]{1,2}(?:(?:je|on|ik|já|io)\s)?(?:vuelvo|volvemos|regres\w+|reprends|reprend|reviens|revient|rentre|rentrons|torno|torniamo|"
    r"rientro|volto|voltamos|wracam|wracamy|dönüyorum|dönüyoruz)\b",
    re.IGNORECASE,
)
"""Behind a day on which somebody is back, which may be of the week after the one that is named."""
_BACK = lazy_regex(r"\b(?:back|return|returning|zurück|wieder da)\s\Z", re.IGNORECASE)
"""Who is away for a week is back after it."""
_WHICH = frozenset(("this", "next", "last", "past", "coming", "following", "diesen", "nächsten", "letzten", "kommenden"))


def _feasts_in(text: str, observed_at: datetime) -> Iterator[DateMention]:
    """Yield the feasts of one year that a text names: the last one where it tells of what is past, the next one of what is to
    come. What is done every year, or tells neither, names none, nor does a feast of so many days that it only is a season."""
    for match in _FEAST.finditer(text):
        told = tense(text, match.start(), match.end(), "", wide=True)
        if not (told or match["year"]) or comes_back(text, match):
            continue
        if match["year"]:
            period = feast(match["feast"], int(match["year"]), observed_at.tzinfo)
        else:
            period = feast_near(match["feast"], observed_at, future=told == "future")
        if period is not None and period.end - period.start <= LONGEST_FEAST and _is_in_one_month(period):
            times = (period.start, period.end)
            yield DateMention(match[0], match.start(), match.end(), *times, period.precision, not match["year"], times)


def _is_in_one_month(period: Period) -> bool:
    """Return whether the days can be written as `resolve` reads them: "23 to 25 May 2026"."""
    return period.start.month == (period.end - timedelta(days=1)).month


LONGEST_FEAST = timedelta(days=4)
_FEAST = lazy_regex(
    rf"\b(?:on|at|over|during) (?:the (?=\w+ weekend))?(?P<feast>{FEAST})(?:,? (?P<year>(?:19|20)\d\d))?(?![\w'’-])",
    re.IGNORECASE,
)


def _is_wide(match: re.Match[str]) -> bool:
    return any(match[name] for name in ("weekday", "dated", "which", "r_day", "r_month", "dm"))


def _told_elsewhere(text: str, match: re.Match[str], moment: datetime) -> Tense:
    """Return the tense of a day without its year in a language whose verbs `tense` does not know; "" of others."""
    of_a_month = match["r_month"] and not match["r_year"] and uncased(match[0]).startswith(("a ", "ad "))
    of_days = (match["dmy_m"] and not match["dmy_y"]) or (match["range_m"] and not match["range_y"])
    if not (of_days or of_a_month) and not (match["cjk_m"] and not match["cjk_y"]):
        return ""
    if match["cjk_m"]:
        begins, ends = sentence_around(text, match.start(), match.end())
        told: Tense = "past" if cjk_tells_of_past(text[begins:ends]) else "future"
    else:
        language = dated_language_of(text)
        told = tense_of_date(text, match.start(), match.end(), language) if language else ""
    if told != "future":
        return told
    try:
        near = period_of(match, moment, future=False, past=False)
    except (OverflowError, ValueError):
        return ""
    return "" if near is None or was_just(near[0], moment) else told


def _is_here(text: str, match: re.Match[str]) -> bool:
    """Return whether it is the "hier" of German and Dutch, which is a place and not yesterday, as in French."""
    if uncased(match["dayword"] or "") != "hier":
        return False
    return language_of(f"{text[: match.start()]} {text[match.end() :]}") in ("de", "nl")


def _is_in_a_row(text: str, match: re.Match[str]) -> bool:
    """Return whether "the 27th" counts something other than days: "our floor is the 27th"."""
    return bool(match["nth"] and _COUNTED.search(text, max(0, match.start() - 40), match.start()))


_COUNTED = lazy_regex(
    r"\b(?:floors?|storey|century|rows?|place|rank|position|edition|symphony|chapter|attempt|street|avenue|amendment|line|queue)\b"
    r"[^.!?;]{0,20}(?:\b(?:is|was|be|now)|['’]s) \Z",
    re.IGNORECASE,
)


def _month_before(text: str, start: int, found: list[DateMention], observed_at: datetime, told: Tense) -> datetime | None:
    """Return the beginning of the month that the same sentence named last ("booked for September, from the 13th"), or the day
    that it named with its month: "leaves on the 29th of August, back on the 31st"."""
    begins, _ = sentence_around(text, start, start)
    if _CHRISTMAS.search(text, begins, start) and (december := _december(observed_at, told)):
        return december.start  # "Granny's coming for Christmas, on the 23rd."
    last = found[-1] if found else None
    if last is None or _NEW_SENTENCE.search(text, last.end - 1, start):  # "3 June." has its full stop in it
        return None
    with_month = last.precision in ("day", "hour", "minute") and not _MONTHS.isdisjoint(_WORD.findall(uncased(last.phrase)))
    return last.whole[0] if last.precision == "month" or with_month else None


def _december(moment: datetime, told: Tense) -> Period | None:
    """Return the December that is to come, or this one, or told of the past the last one."""
    return periods.month(moment.year - (told == "past" and moment.month < 12), 12, moment.tzinfo)


_CHRISTMAS = lazy_regex(r"\b(?:christmas|xmas)\b(?! (?:party|lunch|dinner|do)\b)", re.IGNORECASE)
_NEW_SENTENCE = lazy_regex(r"[.!?;\n]")


def in_words(day: date) -> str:
    """Return a day as people write it: "7 May 2023"."""
    return f"{day.day} {ENGLISH_MONTHS[day.month - 1].capitalize()} {day.year}"


def written(mention: DateMention) -> str:
    """Return the period in words that mean the same on any day, and that `resolve` reads back: "7 May 2023", "week of 1 May
    2023"."""
    start = mention.whole[0]
    name = ENGLISH_MONTHS[start.month - 1].capitalize()
    match mention.precision:
        case "minute" | "hour":
            return f"{in_words(start)}, {start:%H:%M}"
        case "day":
            return in_words(start)
        case "days":
            last = mention.whole[1] - timedelta(days=1)
            return f"{start.day} to {last.day} {name} {start.year}"
        case "week":
            return f"week of {in_words(start)}"
        case "weekend":
            return f"weekend of {in_words(start)}"
        case "month":
            return f"{name} {start.year}"
        case "season":
            return f"{_SEASON_OF[start.month]} {start.year}"
        case "year":
            return f"{start.year}"
        case "decade":
            return f"{start.year}s"
        case "about":
            span = (mention.whole[1] - start).days
            return (
                f"about {start.year}" if span > 31 else f"about {name} {start.year}" if span > 7 else f"about {in_words(start)}"
            )


_SEASON_OF = {3: "spring", 6: "summer", 9: "autumn", 12: "winter"}
