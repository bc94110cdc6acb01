"""What is worth knowing today: what is due, what changed this week, what happened on this day, what is in review, and which open
questions can be answered now.

Read from the columns and a few dozen memories, without a search or a model, except for the open questions, which are asked again.
Days are those of the clock's own offset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom
from lattice_common.domain.chat import ChatTurn
from lattice_common.domain.conclusion import KINDS, is_conclusion, rests_on, unchanged
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query, Selection
from lattice_common.domain.score import SECONDS_PER_DAY
from lattice_common.domain.status import NUMBERS, UNDECIDED
from lattice_common.language.dates.recurring import days_of
from lattice_common.language.text import words
from lattice_common.ports.catalogue import REPEATS, CatalogueReader, Columns
from lattice_common.recall.in_review import count_in_review

WEEK = timedelta(days=7)
MOST = 50
"""Lines of each kind."""
MOST_UPCOMING = 1_000
_DOCUMENT = 2
"""As `Columns.trust` counts."""
YEAR = 366
ASKED_WITHIN = timedelta(days=60)
MOST_ASKED = 10
"""Open questions that are asked again: some ten milliseconds each."""
FIRST_FOUND = 3
"""Places among which the new memory has to be."""

DueBy: TypeAlias = Literal["date", "end", "yearly"]
Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Due:
    """A memory about a day to come: its `date`, the `end` of its period, or `yearly`."""

    on: date
    by: DueBy
    atom: Atom


@dataclass(frozen=True, slots=True)
class Changed:
    """What was said this week, and what it superseded."""

    atom: Atom
    replaced: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class OnThisDay:
    """What happened so many years ago today."""

    years: int
    atom: Atom


@dataclass(frozen=True, slots=True)
class Answerable:
    """A question that had no answer when it was asked, and a memory told since that answers it."""

    question: str
    asked_at: datetime
    atom: Atom


@dataclass(frozen=True, slots=True)
class Idea:
    """An insight of the last day, and the memories that it connects."""

    atom: Atom
    because: tuple[Atom, ...]


@dataclass(frozen=True, slots=True)
class Today:
    """`due` by day, the next first; `changed` newest first; `on_this_day` the latest year first; `answerable` the latest question
    first. `in_review` and `disagreeing` count pairs, `to_correct` memories that were called wrong: what waits for the owner's
    word."""

    day: date
    due: tuple[Due, ...]
    changed: tuple[Changed, ...]
    on_this_day: tuple[OnThisDay, ...]
    in_review: int
    answerable: tuple[Answerable, ...] = ()
    idea: Idea | None = None
    disagreeing: int = 0
    to_correct: int = 0


def today(
    catalogue: CatalogueReader,
    now: datetime,
    *,
    days: int,
    turns: Iterable[ChatTurn] = (),
    select: Callable[[Query], Selection] | None = None,
) -> Today:
    """Return the overview for today and the days after it, `days` in all. `turns` are those of the conversation, newest first;
    their open questions are asked again with `select`."""
    columns = catalogue.columns()
    told = _told(columns)
    return Today(
        day=now.date(),
        due=tuple(_due(catalogue, columns, _current(columns, _told(columns, documents=True)), now, days)[:MOST]),
        changed=tuple(_changed(catalogue, columns, _current(columns, told), now)),
        on_this_day=tuple(_on_this_day(catalogue, columns, told, now)),
        in_review=count_in_review(catalogue, now),
        answerable=tuple(_answerable(turns, select, now)) if select else (),
        idea=_idea(catalogue, columns, now),
    )


def _idea(catalogue: CatalogueReader, columns: Columns, now: datetime) -> Idea | None:
    """Return the latest of the last day, while what it rests on is as it was."""
    rows = np.flatnonzero(columns.alive[: columns.count] & (columns.kind[: columns.count] == columns.kinds.get("insight", -1)))
    for atom in catalogue.get([columns.atom_ids[row] for row in rows[::-1][:MOST]]):
        because = catalogue.get(list(rests_on(atom)))
        holds = is_conclusion(atom) and unchanged(atom, [each for each in because if not each.is_superseded])
        if holds and timedelta() <= now - atom.ingested_at < timedelta(days=1):
            return Idea(atom, tuple(because))
    return None


def _answerable(turns: Iterable[ChatTurn], select: Callable[[Query], Selection], now: datetime) -> Iterator[Answerable]:
    """Yield open questions that something told within the last week answers; one that was asked again and answered is not
    open."""
    seen: set[str] = set()
    asked = 0
    for turn in turns:
        if now - turn.ts > ASKED_WITHIN or asked == MOST_ASKED:
            return
        question = turn.reformulated_query or turn.question
        key = " ".join(words(question))
        if turn.told or not key or key in seen:
            continue
        seen.add(key)
        if not turn.unanswered:
            continue
        asked += 1
        found = select(Query(question, limit=FIRST_FOUND))
        for each in found.atoms if found.answerable else ():
            told = each.atom.ingested_at
            if told > turn.ts and now - told < WEEK and not is_passage(each.atom):
                yield Answerable(turn.question, turn.ts, each.atom)
                break


def upcoming(catalogue: CatalogueReader, now: datetime, *, days: int) -> list[Due]:
    """Return what is due on one of these days by the owner's own words, by day."""
    columns = catalogue.columns()
    return _due(catalogue, columns, _current(columns, _told(columns)), now, days)[:MOST_UPCOMING]


def _told(columns: Columns, *, documents: bool = False) -> Ints:
    """Return rows that the owner said, or that were learned about them, that were meant literally, and are not archived; with
    `documents` also what these say."""
    rows = np.arange(columns.count)
    there = columns.alive[rows] & ~columns.archived[rows]
    told = (columns.trust[rows] == 0) | columns.learned[rows] | (documents & (columns.trust[rows] == _DOCUMENT))
    concluded = np.isin(columns.kind[rows], [columns.kinds[kind] for kind in KINDS if kind in columns.kinds])
    said = ~np.isin(columns.status[rows], [NUMBERS[status] for status in UNDECIDED])
    return np.asarray(rows[there & told & said & ~concluded], dtype=np.int64)


def _current(columns: Columns, rows: Ints) -> Ints:
    return np.asarray(rows[~columns.superseded[rows]], dtype=np.int64)


def _due(catalogue: CatalogueReader, columns: Columns, rows: Ints, now: datetime, days: int) -> list[Due]:
    """Return what is due on one of these days, by day. What was said of the day itself ("I met Tom today") is not due."""
    first = _day_number(now)
    begins, ends = _days(columns.valid_from[rows], now), _days(columns.valid_until[rows], now)
    said = _days(columns.observed_at[rows], now)
    # Taken once: the writer may change single elements meanwhile.
    yearly = columns.yearly[rows].astype(np.int64)
    window = {_month_day(now.date() + timedelta(days=day)): now.date() + timedelta(days=day) for day in range(days)}
    again = np.isin(yearly, list(window))
    repeating = yearly == REPEATS
    dated = ~again & ~repeating & (begins >= first) & (begins < first + days) & (begins > said)
    ending = ~again & ~repeating & (ends >= first) & (ends < first + days) & (ends > said) & ~dated & (begins < ends)
    found = [Due(_date(number), "date", atom) for number, atom in _read(catalogue, columns, rows[dated], begins[dated])]
    found += [Due(_date(number), "end", atom) for number, atom in _read(catalogue, columns, rows[ending], ends[ending])]
    found += [Due(window[number], "yearly", atom) for number, atom in _read(catalogue, columns, rows[again], yearly[again])]
    for atom in catalogue.get([columns.atom_ids[row] for row in rows[repeating][-MOST_UPCOMING:]]):
        found += [Due(day, "date", atom) for day in days_of(atom.content, now.date(), now.date() + timedelta(days=days))[:1]]
    return sorted(found, key=lambda each: (each.on, each.atom.seq, each.atom.atom_id))


def _changed(catalogue: CatalogueReader, columns: Columns, rows: Ints, now: datetime) -> Iterable[Changed]:
    young = rows[columns.observed_at[rows] >= (now - WEEK).timestamp()][::-1]
    found = 0
    for start in range(0, len(young), MOST):
        for atom in catalogue.get([columns.atom_ids[row] for row in young[start : start + MOST]]):
            if atom.supersedes and (replaced := catalogue.get(atom.supersedes)):
                yield Changed(atom, tuple(replaced))
                found += 1
            if found == MOST:
                return


def _on_this_day(catalogue: CatalogueReader, columns: Columns, rows: Ints, now: datetime) -> Sequence[OnThisDay]:
    at = np.where(np.isnan(columns.valid_from[rows]), columns.observed_at[rows], columns.valid_from[rows])
    numbers = _days(at, now)
    same = (_day_of_year(numbers) == _month_day(now.date())) & (numbers < _day_number(now))
    latest = np.argsort(-numbers[same], kind="stable")[:MOST]
    found = _read(catalogue, columns, rows[same][latest], numbers[same][latest])
    return [OnThisDay(now.year - _date(number).year, atom) for number, atom in found]


def _read(catalogue: CatalogueReader, columns: Columns, rows: Ints, numbers: Ints) -> list[tuple[int, Atom]]:
    """Return (day, atom) of rows, without those that are gone."""
    on = {columns.atom_ids[row]: int(number) for row, number in zip(rows.tolist(), numbers.tolist(), strict=True)}
    return [(on[atom.atom_id], atom) for atom in catalogue.get(list(on))]


def _days(seconds: Floats, now: datetime) -> Ints:
    """Return the local days, counted from 1970, of moments; an unknown date comes before all of them."""
    offset = (now.utcoffset() or timedelta()).total_seconds()
    known = np.nan_to_num(seconds, nan=-1e15)
    return np.asarray((known + offset) // SECONDS_PER_DAY, dtype=np.int64)


def _day_number(now: datetime) -> int:
    return (now.date() - date(1970, 1, 1)).days


def _date(number: int) -> date:
    return date(1970, 1, 1) + timedelta(days=number)


def _day_of_year(numbers: Ints) -> Ints:
    """Return month and day of days as one number, 1224 for Christmas Eve; 0 for an unknown date."""
    known = numbers > -1_000_000
    days = np.where(known, numbers, 0).astype("datetime64[D]")
    months = days.astype("datetime64[M]")
    month = months.astype(np.int64) % 12 + 1
    return np.where(known, month * 100 + (days - months).astype(np.int64) + 1, 0)


def _month_day(day: date) -> int:
    return day.month * 100 + day.day
