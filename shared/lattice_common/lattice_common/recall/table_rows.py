"""Rows of tables of documents beside each other: which of them a question asks for, and which it plainly does not.

Rows of one table are so alike that none gets a chance of its own from what reads lines, so those that lack what is asked for are
left out before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.passage import is_passage
from lattice_common.language.dates.days_of_week import days_of_week
from lattice_common.language.dates.mentions import DateMention, resolve
from lattice_common.language.dates.recurring import repeats
from lattice_common.language.questions.asked_now import asks_for_next, asks_for_now
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.text import analyze, fold
from lattice_common.language.words import CAPITALISED_TIMES
from lattice_common.recall.from_passage import about_of, asked_in, cells_of
from lattice_common.recall.named_code import CODE, codes_in
from lattice_common.recall.question import Question

ONE_DAY, ONE_MONTH = 86_400.0, 31 * 86_400.0
"""Seconds. Of a longer time than a month more rows than one may be asked for."""
LONGEST_DAY = 20
"""Characters of a day as cells hold it: "30. September 2026"."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row as a question reads it: the names of its columns, and its cells; neither where a text is no row. `weekdays` are those
    that its first cell or the heading above it names."""

    capture_id: str
    names: frozenset[str]
    cells: tuple[str, ...]
    weekdays: frozenset[int]
    whose: str = ""
    """Whom a cell of it names, in a column that says whom its rows are of; and what stands above the row."""
    words: str = ""

    @classmethod
    def of(cls, words: str, atom: Atom) -> TableRow:
        cells = cells_of(words, atom)
        named = frozenset(name for name, _ in cells if name)
        above = " ".join([*about_of(atom)][-1:]) if is_passage(atom) else ""
        weekdays = days_of_week(f"{above} {words.partition('; ')[0]}") if named else frozenset()
        whose = " ".join(value for name, value in cells if _says_whose(name, value))
        whose = f"{whose} | {words} {' '.join(about_of(atom))}" if whose else ""
        return cls(atom.capture_id, named, tuple(value for _, value in cells), weekdays, whose, words)

    def is_beside(self, other: TableRow) -> bool:
        """Return whether two rows share names of columns, half of those of the shorter one at least: empty cells are left out."""
        fewest = max(1, (min(len(self.names), len(other.names)) + 1) // 2)
        return self.capture_id == other.capture_id and len(self.names & other.names) >= fewest

    def is_of(self, whose: Set[str]) -> bool:
        """Return False for a row of somebody else: of Clara's races, where Daniel's are asked for. "Dan" may be Daniel."""
        if not self.whose or not whose:
            return True
        named, _, around = fold(self.whose).partition("|")
        if not whose.isdisjoint(_LETTERS.findall(around)):
            return True
        short = [(name, word) for name in whose for word in _LETTERS.findall(named) if len(word) >= _SHORT_NAME <= len(name)]
        return any(name.startswith(word) or word.startswith(name) for name, word in short)

    def has_code(self, asked: Set[str]) -> bool:
        """Return False for a row of another code than is asked for: H3 of a table of faults, where it is F15."""
        own = {cell for cell in map(str.strip, self.cells) if self.names and CODE.fullmatch(cell)}
        return not asked or not own or not own.isdisjoint(asked)

    def is_over(self, now: float) -> bool:
        """Return whether all days that it names lie before today, and it does not repeat."""
        seen_from = datetime.fromtimestamp(now, UTC)
        if repeats(self.words):
            return False
        named = [each for each in resolve(self.words, seen_from) if not each.relative]
        return bool(named) and all(each.whole[1].date() < seen_from.date() for each in named)

    def days(self, seen_from: datetime) -> tuple[DateMention, ...]:
        """Return the days that cells say and nothing else."""
        short = [cell for cell in self.cells if self.names and len(cell) <= LONGEST_DAY and any(map(str.isdigit, cell))]
        read = [(cell, resolve(cell, seen_from)) for cell in short]
        return tuple(said[0] for cell, said in read if said and said[0].phrase == cell)


def rows_asked(question: Question, rows: Sequence[TableRow], now: float) -> list[bool]:
    """Return for each text whether it may be asked for: no row that has less of the question than another of its table, none of
    another day, person or code, where the next of something is asked for none that is over, and where it is asked what is so now
    (seconds since 1970), none that an entry of a later day has replaced. A row that has less than one of somebody else has is
    none of what was asked: Daniel's half marathon of 2026, where Clara ran the one of 2025 that he is asked about."""
    kept = zip(_of_that_weekday(question, rows), _of_that_day(question, rows), _of_that_code(question, rows), strict=True)
    of_day = [all(each) for each in kept]
    whose = _somebody_in(question.text)
    of_them = [row.is_of(whose) for row in rows]
    if asks_for_next(question.text):
        of_day = [held and not row.is_over(now) for row, held in zip(rows, of_day, strict=True)]
    has = [asked_in(question.text, " ".join(row.cells)) if held else frozenset() for row, held in zip(rows, of_day, strict=True)]
    names = frozenset(token for name in whose for token in analyze(name))
    asked = [
        held
        and of_one
        and not any(
            row.is_beside(other) and (words if of_other else words - names) < more
            for other, more, of_other in zip(rows, has, of_them, strict=True)
        )
        for row, words, held, of_one in zip(rows, has, of_day, of_them, strict=True)
    ]
    if question.period is not None or not asks_for_now(question.text):
        return asked
    return _newest(rows, _written_last(rows, asked), now)


def _written_last(rows: Sequence[TableRow], asked: Sequence[bool]) -> list[bool]:
    """Return False for what a mail only quotes of an earlier one, where it says something itself: what was wanted first is not
    what is wanted in the end."""
    quoted = [row.words.lstrip().startswith(">") for row in rows]
    own = {row.capture_id for row, is_quoted, held in zip(rows, quoted, asked, strict=True) if held and not is_quoted}
    return [held and not (is_quoted and row.capture_id in own) for row, is_quoted, held in zip(rows, quoted, asked, strict=True)]


def _newest(rows: Sequence[TableRow], asked: Sequence[bool], now: float) -> list[bool]:
    """Return False for entries of a log, whose first cell is a day, beside the newest one that is not ahead."""
    days = [_day_of_entry(row, now) if held else None for row, held in zip(rows, asked, strict=True)]
    past = [(row, day) for row, day in zip(rows, days, strict=True) if day is not None and day <= now]
    return [
        held and not (day and any((later > day or day > now) and row.is_beside(other) for other, later in past))
        for row, day, held in zip(rows, days, asked, strict=True)
    ]


def _day_of_entry(row: TableRow, now: float) -> float | None:
    """Return when the day that a row begins with began; None where it begins with something else."""
    days = replace(row, cells=row.cells[:1]).days(datetime.fromtimestamp(now, UTC))
    return days[0].valid_from.timestamp() if days and days[0].valid_from is not None else None


def _somebody_in(question: str) -> frozenset[str]:
    """Return whom a question names as whose something is, or as who does something."""
    named = (fold(found["whose"] or found["does"]) for found in _SOMEBODY.finditer(question))
    return frozenset(named) - CAPITALISED_TIMES


def _says_whose(column: str, value: str) -> bool:
    """Return whether a cell says whom its row is of: a name in a column for people, or a known one in a column of names."""
    named = _NAME.fullmatch(value) is not None
    return named and (_WHO.fullmatch(column) is not None or (_NAMES.fullmatch(column) is not None and _is_somebody(value)))


def _is_somebody(name: str) -> bool:
    return name.split()[0].lower() in SHE | HE


def _of_that_code(question: Question, rows: Sequence[TableRow]) -> list[bool]:
    """Return False for rows of other codes than the question names."""
    asked = codes_in(question.text)
    return [row.has_code(asked) for row in rows]


_SHORT_NAME = 3
"""Letters from which on a name may be the short one of another."""
_WHO = re.compile(
    r"(?:who|whom|runner|person|child|player|member|patient|pupil|student|attendee|assigned(?: to)?|assignee|responsible|wer|"
    r"verantwortlich|zuständig|qui|chi|quién)",
    re.IGNORECASE,
)
_NAMES = re.compile(r"(?:name|owner|nom|nome|nombre|kind)", re.IGNORECASE)
_NAME = re.compile(r"[A-ZÀ-Þ][a-zß-ÿ]+(?:[ -][A-ZÀ-Þ][a-zß-ÿ]+)?")
_SOMEBODY = re.compile(r"\b(?P<whose>[A-ZÀ-Þ][a-zß-ÿ]+)['’]s\b|\b(?:did|does|is|was|has|will|can) (?P<does>[A-ZÀ-Þ][a-zß-ÿ]+)\b")
_LETTERS = re.compile(r"[^\W\d_]+")


def _of_that_weekday(question: Question, rows: Sequence[TableRow]) -> list[bool]:
    """Return False for rows of other days of the week than the question names, as timetables and opening hours have them."""
    asked = days_of_week(question.text)
    return [not asked or not row.weekdays or not asked.isdisjoint(row.weekdays) for row in rows]


def _of_that_day(question: Question, rows: Sequence[TableRow]) -> list[bool]:
    """Return False for rows of other days than the question asks about, of tables whose rows have a day in a cell of its own: who
    asks what was paid in October asks for no row of September."""
    asked = question.period
    if asked is None or asked.last - asked.first > ONE_MONTH:
        return [True] * len(rows)
    days = [row.days(datetime.fromtimestamp(asked.last, UTC)) for row in rows]
    in_year = _YEAR.search(question.text) is not None
    return [
        not held
        or any(_is_of(day, asked, in_year=in_year) for day in held)
        or not any(theirs and row.cells != other.cells and row.is_beside(other) for other, theirs in zip(rows, days, strict=True))
        for row, held in zip(rows, days, strict=True)
    ]


def _is_of(day: DateMention, asked: AskedPeriod, *, in_year: bool) -> bool:
    """Return whether a day is of the time asked about; of any year, where the question or the row names none."""
    if day.valid_from is None:
        return True
    first, last = (datetime.fromtimestamp(each, UTC) for each in (asked.first, asked.last - 1))
    if in_year and not day.relative:
        return asked.first <= day.valid_from.timestamp() < asked.last
    if asked.last - asked.first <= ONE_DAY:
        return (day.valid_from.month, day.valid_from.day) == (first.month, first.day)
    return day.valid_from.month in (first.month, last.month)
