"""When a document was written, according to its own words, and which times named in it can be resolved by that.

"Tomorrow" in a document is the day after the document's date, not after the day of its import: a page is read years later, a
letter found in a drawer. Where a document does not say when it was written, relative dates in it mean no day at all. Nor is every
"Today" a day: newspapers, clubs and songs have that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice, pairwise

from lattice_common.domain.capture import Capture
from lattice_common.domain.mails import sent_at
from lattice_common.language.dates.mentions import DateMention, resolve
from lattice_common.language.dates.telling import sentence_around
from lattice_common.language.dates.within import days_within
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, MONTHS_IN_DATES, any_of, days, short_weekdays

HEAD = 4000
"""Characters in which a document says when it was written."""
LONGEST_LINE = 120

_LABEL = lazy_regex(
    r"(?:date|dated|date of (?:issue|letter|report)|(?:issue|invoice|letter|report|statement|publication) date|"
    r"(?:date )?issued|published|posted|created|written|last (?:updated|modified|revised)|updated|revised|as of|"
    r"datum|(?:rechnungs|ausstellungs|erstellungs|brief)datum|stand|erstellt|veröffentlicht|ausgestellt|"
    r"fecha(?: de emisión)?|publicado|data(?: di emissione| de emissão)?|pubblicato|le|fait le|publié|date d.émission|"
    r"datum van uitgifte|gepubliceerd|data wystawienia)"
    r"(?: by [^\d|,]{2,40}?(?=,| on | am ))?(?:,? (?:on|am|vom|le|el|il|em|op))?\s*[:|,]?\s*(?=\S)",
    re.IGNORECASE,
)
_PLACE = lazy_regex(
    r"(?:[A-ZÀ-Þ][\w.'’/-]{1,20}(?: (?:am|an der|im|de|la|del|upon|on|sur))? ?){1,4}+, ?(?:den |the |le |il |el |a )?"
)
"""Words that may come before the date of a letter: "Berlin, den "."""
_TITLE = lazy_regex(r"#{1,3} .*(?:[-–—,(:|]|\b(?:of|on|for|vom|am|du|del|de|from|dated|van)) ?")
"""Words that may come before the date in a title: "# Minutes of "."""
_MARKS = lazy_regex(r"[*_`]{1,3}|^[>|\s]+|[|\s]+$")
_NAMED_DAY = lazy_regex(rf"\b(?:{any_of(name.capitalize() for name in (*ENGLISH_WEEKDAYS, *days('en')))})\b")
_SHORT_DAY = lazy_regex(rf"(?:[a-z]+ )?(?:{any_of(short_weekdays('en'))})", re.IGNORECASE)
_TO = lazy_regex(r" ?(?:to|till|until|through|bis|[-–—]) ?", re.IGNORECASE)
_MENTIONED = lazy_regex(r"\bthe \Z", re.IGNORECASE)
"""Words before a day of the week that the document has dated elsewhere: "we leave at 8.15 on the Wednesday"."""
_TITLED = lazy_regex(r"(?:The )?Day (?:After|Before) ")
_CAPITAL_BEFORE = lazy_regex(r"(?:\A|[\s(\"'“‘«])([A-ZÀ-Þ][\w'’&-]*)(\.?) \Z")
_CAPITAL_AFTER = lazy_regex(
    rf" (?!(?:Morning|Afternoon|Evening|Night|{any_of(name.capitalize() for name in ENGLISH_MONTHS)})\b)[A-Z]"
)
_THINGS_WITH_A_DAY = vocabulary(
    """meeting call due deadline lunch dinner breakfast party appointment visit delivery closed open starts ends date when day
    on by this next last until since from before after every each and or"""
)
"""Words that begin a line and give the day of something else: "Meeting Friday"."""


def written_on(text: str, latest: datetime) -> datetime | None:
    """Return the day on which a document was written, as its head says: behind a label, beside a place or alone on a line, or at
    the end of a title. A day after `latest` is in the future, and several such lines are a diary's."""
    return _written_on(text[:HEAD], latest)


@lru_cache(maxsize=16)
def _written_on(head: str, latest: datetime) -> datetime | None:
    alone: set[datetime] = set()
    for line in _lines(head):
        label, title = _LABEL.match(line), _TITLE.match(line)
        found = _day(line[label.end() :], begins=True) if label else _day(line[title.end() :]) if title else None
        if found and found <= latest.replace(tzinfo=UTC):
            return found
        if not found and (found := _day(line) or _beside_place(line)):
            alone.add(found)
    day = alone.pop() if len(alone) == 1 else None
    return day if day and day <= latest.replace(tzinfo=UTC) else None


def _lines(head: str) -> Iterator[str]:
    for line in head.splitlines():
        bare = _MARKS.sub("", line).strip()
        if 6 <= len(bare) <= LONGEST_LINE and any(map(str.isdigit, bare)):
            yield bare


def _beside_place(line: str) -> datetime | None:
    place = next((found for found in _PLACE.finditer(line[:60]) if found.start() == 0), None)
    return _day(line[place.end() :]) if place else None


def _day(words: str, *, begins: bool = False) -> datetime | None:
    """Return the day, with its year, that is all these words name; with `begins`, that they begin with."""
    mentions = resolve(words, _ANY_DAY)
    if not mentions or (len(mentions) > 1 and not begins):
        return None
    found = mentions[0]
    if found.relative or found.precision not in ("day", "minute") or found.valid_from is None or found.valid_until is None:
        return None
    rest = words[: found.start] + ("" if begins else words[found.end :])
    return found.whole[0].replace(hour=0, minute=0) if not any(map(str.isalnum, rest)) else None


_MONTH = lazy_regex(rf"\b(?:{any_of(MONTHS_IN_DATES)})\b", re.IGNORECASE)
_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)


def times_in(capture: Capture, words: str, moment: datetime, start: int | None = None) -> list[DateMention]:
    """Return the times named in `words` of a capture that were said at `moment`: in what others wrote, relative dates count from
    the document's own date, or from the days that it is about where the words stand at `start` of its text, and are left out
    where it has neither."""
    if capture.trust in ("user", "assistant") or moment != capture.observed_at:
        return resolve(words, moment)  # a turn of a conversation has its own moment
    own = dated_by(capture.text, capture.source_type, capture.received_at)
    issue = issued_in(capture.text) if own is None else None
    found = resolve(words, own or issue or moment)
    if own is not None and start is not None:
        found = days_within(capture.text, words, start, found, own)
    weekly = _weekly(words, found) if capture.source_type != "eml" else frozenset()
    weekly |= _each_year(words, found)
    known = [each for each in found if each.start not in weekly and not _is_mentioned(words, each)]
    if capture.source_type != "eml":  # in a table "Fri" is any Friday; in a mail somebody means the next one
        known = [each for each in known if not _SHORT_DAY.fullmatch(each.phrase)]
    of_the_issue = [each for each in known if issue is not None and each.relative and _has_month(each)]
    return [
        each for each in known if not each.relative or each in of_the_issue or (own is not None and not _is_name(words, each))
    ]


def issued_in(text: str) -> datetime | None:
    """Return when the month begins of which a document is the issue, as one of its first lines says: "Parish News, December
    2026". Days that it names by their month are of that year, or the nearest to it."""
    return _issued_in(text[:HEAD])


FIRST_LINES = 4
"""Lines with a number in which an issue says of which month it is."""


@lru_cache(maxsize=16)
def _issued_in(head: str) -> datetime | None:
    named: set[datetime] = set()
    for line in islice(_lines(head), FIRST_LINES):
        found = resolve(line, _ANY_DAY)
        is_month = len(found) == 1 and not found[0].relative and found[0].precision == "month" and len(line) <= LONGEST_TITLE
        if is_month and found[0].valid_from is not None and found[0].valid_until is not None:
            named.add(found[0].whole[0])
    return named.pop() if len(named) == 1 else None


LONGEST_TITLE = 60


def _has_month(mention: DateMention) -> bool:
    """Return whether a phrase names its month, so that only its year is open."""
    return mention.precision in ("day", "days", "minute") and _MONTH.search(mention.phrase) is not None


def times_at(capture: Capture, words: str, moment: datetime, start: int) -> list[DateMention]:
    """Return what `times_in` does of words that stand at `start` of the text: a day alone is of the month that the sentence named
    before it, though that is a statement of its own: "lands on 14 Sept, goes back on the 28th"."""
    if _DAY_ALONE.search(words):
        begins, _ = sentence_around(capture.text, start, start)
        before = capture.text[begins:start]
        if before.strip():
            found = times_in(capture, before + words, moment, begins)
            shift = len(before)
            return [replace(each, start=each.start - shift, end=each.end - shift) for each in found if each.start >= shift]
    return times_in(capture, words, moment, start)


_DAY_ALONE = lazy_regex(r"\b(?:on|the|by|until|till|from) (?:the )?[0-3]?\d(?:st|nd|rd|th)\b(?! of)", re.IGNORECASE)


def _is_mentioned(words: str, mention: DateMention) -> bool:
    """Return whether a day of the week is one that stands elsewhere with its date: it may be of any week."""
    if not mention.relative or not _NAMED_DAY.fullmatch(mention.phrase):
        return False
    return _MENTIONED.search(words, 0, mention.start) is not None


def _weekly(words: str, found: Sequence[DateMention]) -> frozenset[int]:
    """Return where days of any week are named: "from Monday to Saturday, 8 am to 6.30 pm" of a document says when a shop is open,
    and no day."""
    named = [each for each in found if each.relative and _NAMED_DAY.search(words, each.start, each.end)]
    pairs = [(one, other) for one, other in pairwise(named) if _TO.fullmatch(words, one.end, other.start)]
    return frozenset(each.start for pair in pairs for each in pair)


def _each_year(words: str, found: Sequence[DateMention]) -> frozenset[int]:
    """Return where two days are named that are the ends of a stretch of every year: of "from 1 January to 31 December" the last
    one would lie before the first."""
    joined = [(one, other) for one, other in pairwise(found) if _TO.fullmatch(words, one.end, other.start)]
    turned = [pair for pair in joined if pair[1].whole[1] <= pair[0].whole[0]]
    return frozenset(each.start for pair in turned for each in pair if each.relative)


def dated_by(text: str, source_type: str | None, latest: datetime) -> datetime | None:
    """Return the moment from which what is relative in a document counts; None where the document does not tell."""
    if source_type == "eml":
        return sent_at(text)
    day = written_on(text, latest)
    return None if day is None else day.replace(hour=12, tzinfo=latest.tzinfo)


def _is_name(words: str, mention: DateMention) -> bool:
    """Return whether a day is part of a name: "Physics Today", "Sheffield Wednesday", "Sunday Times"."""
    if _TITLED.match(mention.phrase):
        return True
    named = _NAMED_DAY.search(words, mention.start, mention.end)
    if named is None:
        return False
    before = _CAPITAL_BEFORE.search(words[max(0, named.start() - 40) : named.start()])
    if before and not before[2] and before[1].lower() not in _THINGS_WITH_A_DAY:
        return True
    return named.start() == mention.start and _CAPITAL_AFTER.match(words, mention.end) is not None
