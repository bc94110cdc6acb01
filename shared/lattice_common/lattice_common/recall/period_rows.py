"""The memories in the time that a question asks about.

A question only for what happened then ("what happened last week?") shares no words with it: everything in that time is a
candidate whatever it says, and nothing else is. For a question about something in particular, the time is only one signal.
"""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import numpy.typing as npt

from lattice_common.domain.score import SECONDS_PER_DAY
from lattice_common.language.dates.recurring import next_day
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.ports.catalogue import REPEATS, CatalogueReader, Columns
from lattice_common.recall.question import Candidates, Floats, Question, Rows, Search
from lattice_common.recall.visibility import held_then, is_visible

MOST = 400
"""Rows of a time that become candidates, the newest ones: as many as a leg of search gives."""


def in_period(columns: Columns, rows: Rows, period: AskedPeriod | None) -> npt.NDArray[np.bool_]:
    """Return whether the atom's own time, or else when it was said, is in the time asked about; only when it was said, where that
    is asked for."""
    if period is None:
        return np.zeros(len(rows), dtype=bool)
    said = columns.observed_at[rows]
    if period.told:
        return np.asarray((said >= period.first) & (said < period.last))
    begins, ends = columns.valid_from[rows], columns.valid_until[rows]
    begins = np.where(np.isnan(begins), said, begins)
    ends = np.where(np.isnan(ends), begins, ends)
    return np.asarray((begins < period.last) & ((ends > period.first) | (begins >= period.first)))


def of_period(question: Question, columns: Columns, rows: Rows) -> Floats:
    """Return 1 where the atom is of the time asked about. Where it is asked how things were then: also where it held in it and no
    longer does, and −1 where it was told, and happened, later."""
    period = question.period
    there = in_period(columns, rows, period)
    if period is None or question.held_from is None:
        return there.astype(np.float64)
    later = np.fmin(columns.observed_at[rows], columns.valid_from[rows]) >= period.last
    return np.where(there | held_then(question, columns, rows), 1.0, np.where(later, -1.0, 0.0))


def with_occurrences(search: Search, catalogue: CatalogueReader) -> Search:
    """Return the search with the time of each entry that repeats as that of its first day in the time asked about, or of its next
    one after it. Costs a read of the entries that repeat, of a question that names a time, and a copy of two columns."""
    period, columns = search.question.period, search.columns
    rows = np.flatnonzero(columns.yearly[: search.count] == REPEATS)[-MOST:].tolist()
    if period is None or period.told or not rows or not math.isfinite(period.first):
        return search
    begin = datetime.fromtimestamp(period.first, UTC)
    begins, ends = columns.valid_from[: search.count].copy(), columns.valid_until[: search.count].copy()
    places = {columns.atom_ids[row]: row for row in rows}
    for atom in catalogue.get(list(places)):
        day, at = next_day(atom.content, begin.date()), places[atom.atom_id]
        if day is not None:
            begins[at] = datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
        ends[at] = begins[at] + SECONDS_PER_DAY  # without a further one: the first time, and not all days since
    return replace(search, columns=replace(columns, valid_from=begins, valid_until=ends))


def at_that_time(search: Search) -> Search:
    """Replace the candidates by everything in a time, for a question that asks only for that time, or of which it is certain.
    Other questions, and times without any memory, keep their candidates. Costs a comparison for each atom of the memory."""
    period = search.question.period
    if period is None or not (period.only or period.within):
        return search
    columns, every = search.columns, np.arange(search.count, dtype=np.int64)
    there = in_period(columns, every, period) & is_visible(search.question, columns, every)
    if not there.any():
        return search
    found = search.candidates.where(there[search.candidates.rows])
    there[found.rows] = False
    more = np.flatnonzero(there)
    newest = more[np.argsort(-columns.observed_at[more], kind="stable")[:MOST]]
    return replace(search, candidates=found.and_then(Candidates.without_evidence(newest)), dated=True)
