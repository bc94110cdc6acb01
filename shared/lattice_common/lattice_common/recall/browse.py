"""Memories to look through: filtered, newest first, a page at a time; and what changed between two days.

Everything but the memories of one page is answered from the columns: some milliseconds for 100,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.judgement import Status
from lattice_common.domain.status import NUMBERS
from lattice_common.errors import InvalidInput
from lattice_common.language.dates.mentions import resolve
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.recall.timeline import told

Rows: TypeAlias = npt.NDArray[np.int64]
Standing: TypeAlias = Literal["all", "current", "replaced"]

GOES_WITH = 12
"""Most names that are returned as mentioned together with one."""


@dataclass(frozen=True, slots=True)
class Browsed:
    """Which memories are wanted; what is None or empty restricts nothing. `about` are names of which they mention one, `source`
    the id of a source or of a capture, `as_of` a time at which they were true, `only` ids to choose from. `after` is inclusive,
    `before` exclusive; both are of when it was said. Without `concluded`, what the product made of others is not among them."""

    about: tuple[str, ...] = ()
    source: str | None = None
    kind: str | None = None
    status: Status | None = None
    standing: Standing = "all"
    after: datetime | None = None
    before: datetime | None = None
    as_of: datetime | None = None
    only: Collection[str] | None = None
    concluded: bool = True


@dataclass(frozen=True, slots=True)
class BrowsePage:
    """`total` counts the whole selection, and `months` how many of it were said in each month, newest first; `cursor` asks for
    the next page, and is None on the last."""

    atoms: tuple[Atom, ...]
    total: int
    months: tuple[tuple[str, int], ...]
    cursor: str | None
    earliest: datetime | None = None
    """The first day that any of the selection is about, or was said on."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """A superseded memory, and what superseded it (None where that is gone)."""

    old: Atom
    new: Atom | None
    at: datetime


@dataclass(frozen=True, slots=True)
class Difference:
    """What was said between two times, newest first, without what is shown as superseding something; and what was superseded
    then. The counts are of all."""

    learned: tuple[Atom, ...]
    learned_count: int
    replaced: tuple[Replacement, ...]
    replaced_count: int


@dataclass(frozen=True, slots=True)
class NameCount:
    """A name as it was written, and how many memories mention it."""

    name: str
    count: int


def browse(
    catalogue: CatalogueReader, wanted: Browsed, *, limit: int, cursor: str | None = None, offset_minutes: int = 0
) -> BrowsePage:
    """Return one page of a selection, newest said first. Months are counted at `offset_minutes` from UTC. Raise `InvalidInput`
    for an invalid cursor."""
    columns = catalogue.columns()
    rows = _wanted_rows(catalogue, columns, wanted)
    order = np.lexsort((-rows, -columns.observed_at[rows]))
    rows = rows[order]
    observed = columns.observed_at[rows]
    local = np.floor(observed + offset_minutes * 60).astype(np.int64)
    months, counts = np.unique(local.astype("datetime64[s]").astype("datetime64[M]"), return_counts=True)
    first = 0
    if cursor is not None:
        at, row = _place(cursor)
        first = int(np.searchsorted(-observed, -at, side="left"))
        while first < len(rows) and observed[first] == at and rows[first] >= row:
            first += 1
    shown = rows[first : first + limit]
    more = first + limit < len(rows)
    last = shown[-1] if len(shown) else -1
    return BrowsePage(
        tuple(catalogue.get([columns.atom_ids[row] for row in shown])),
        len(rows),
        tuple((str(month), int(number)) for month, number in zip(months[::-1], counts[::-1], strict=True)),
        f"{float(columns.observed_at[last])!r}~{last}" if more else None,
        datetime.fromtimestamp(float(np.fmin(observed, columns.valid_from[rows]).min()), UTC) if len(rows) else None,
    )


def difference(
    catalogue: CatalogueReader, start: datetime, end: datetime, *, limit: int, called: Sequence[str] = ()
) -> Difference:
    """Return what changed from `start` up to `end`, by when it was said; with names, in memories that mention one of these."""
    columns = catalogue.columns()
    count = columns.count
    meant = np.ones(count, dtype=bool)
    if called:
        meant[:] = False
        meant[_mentioning(columns, called)] = True
    alive, observed = meant & columns.alive[:count], columns.observed_at[:count]
    ended = columns.superseded_at[:count].copy()  # the writer may change single elements meanwhile
    low, high = start.timestamp(), end.timestamp()
    gone = np.flatnonzero(alive & columns.superseded[:count] & (ended >= low) & (ended < high) & (observed < low))
    gone = gone[np.argsort(-ended[gone], kind="stable")]
    old = catalogue.get([columns.atom_ids[row] for row in gone[:limit]])
    by = {atom.atom_id: atom for atom in catalogue.get([each.superseded_by for each in old if each.superseded_by])}
    when = {columns.atom_ids[row]: float(ended[row]) for row in gone[:limit]}
    said = alive & told(columns) & (observed >= low) & (observed < high) & ~columns.superseded[:count]
    said[[row for each in by if (row := columns.row_of.get(each, count)) < count]] = False
    new = np.flatnonzero(said)
    new = new[np.lexsort((-new, -observed[new]))]
    return Difference(
        tuple(catalogue.get([columns.atom_ids[row] for row in new[:limit]])),
        len(new),
        tuple(
            Replacement(each, by.get(each.superseded_by or ""), datetime.fromtimestamp(when[each.atom_id], UTC)) for each in old
        ),
        len(gone),
    )


def goes_with(catalogue: CatalogueReader, called: Sequence[str]) -> list[NameCount]:
    """Return the names that are mentioned most often in memories that mention one of these; a day is none, and neither
    is an amount."""
    columns = catalogue.columns()
    rows = _mentioning(columns, called)
    own = _numbers(columns, called)
    beside: Counter[int] = Counter()
    seen: dict[int, int] = {}
    for row in rows.tolist():
        for number in columns.entities[row]:
            if number not in own:
                beside[number] += 1
                seen.setdefault(number, row)
    most = beside.most_common(2 * GOES_WITH)
    spelt = _spelt(catalogue, columns, {number: seen[number] for number, _ in most})
    shown = [NameCount(spelt[number], count) for number, count in most if number in spelt and not _is_value(spelt[number])]
    return shown[:GOES_WITH]


def _is_value(name: str) -> bool:
    """Return whether a name is an amount ("60 euros"), or a date with numbers in it: "May" may be somebody, "3 May 2040" is
    nobody."""
    if not any(letter.isdigit() for letter in name):
        return False
    number, _, unit = name.partition(" ")
    is_amount = number.replace(",", "").replace(".", "").isdigit() and unit.isalpha() and unit.islower()
    return is_amount or any(each.start == 0 and each.end == len(name) for each in resolve(name, datetime.now(UTC)))


def names(catalogue: CatalogueReader, beginning: str, *, limit: int) -> list[NameCount]:
    """Return names that memories mention and of which a word begins with `beginning`, those with most memories first."""
    start = normalize_subject(beginning)
    found = [
        (subject, count)
        for subject, count in catalogue.subjects().items()
        if subject and (not start or subject.startswith(start) or f" {start}" in subject)
    ]
    found.sort(key=lambda each: (-each[1], each[0]))
    shown = []
    for subject, count in found[:limit]:
        atoms = catalogue.with_subject(subject, limit=1)
        shown.append(NameCount(atoms[0].subject if atoms else subject, count))
    return shown


def _wanted_rows(catalogue: CatalogueReader, columns: Columns, wanted: Browsed) -> Rows:
    count = columns.count
    rows = columns.living() if not wanted.about else _mentioning(columns, wanted.about)
    for chosen in (_of_source(catalogue, wanted.source), wanted.only):
        if chosen is not None:
            known = [row for each in chosen if (row := columns.row_of.get(each, count)) < count]
            rows = rows[np.isin(rows, np.asarray(known, dtype=np.int64))]
    keep = np.ones(len(rows), dtype=bool)
    if wanted.kind is not None:
        keep &= columns.kind[rows] == columns.kinds.get(wanted.kind, -2)
    if wanted.status is not None:
        keep &= columns.status[rows] == NUMBERS[wanted.status]
    if wanted.standing != "all":
        keep &= columns.superseded[rows] == (wanted.standing == "replaced")
    if wanted.after is not None:
        keep &= columns.observed_at[rows] >= wanted.after.timestamp()
    if wanted.before is not None:
        keep &= columns.observed_at[rows] < wanted.before.timestamp()
    if not wanted.concluded:
        keep &= told(columns)[rows]
    if wanted.as_of is not None:
        keep &= _true_at(columns, rows, wanted.as_of.timestamp())
    return rows[keep]


def _true_at(columns: Columns, rows: Rows, moment: float) -> npt.NDArray[np.bool_]:
    """Return whether rows held at a moment: from their date, or else from when they were said, until they ended or were
    superseded."""
    begins = np.where(np.isnan(columns.valid_from[rows]), columns.observed_at[rows], columns.valid_from[rows])
    held: npt.NDArray[np.bool_] = begins <= moment
    held &= ~(columns.valid_until[rows] <= moment)
    held &= ~(columns.superseded[rows] & ~(columns.superseded_at[rows] > moment))
    return held


def _mentioning(columns: Columns, called: Sequence[str]) -> Rows:
    numbers = _numbers(columns, called)
    found = [row for row, names in enumerate(columns.entities[: columns.count]) if not numbers.isdisjoint(names)]
    rows = np.asarray(found if numbers else [], dtype=np.int64)
    return rows[columns.alive[rows]]


def _numbers(columns: Columns, called: Sequence[str]) -> frozenset[int]:
    known = (columns.names.get(normalize_subject(each)) for each in called)
    return frozenset(number for number in known if number is not None)


def _of_source(catalogue: CatalogueReader, source: str | None) -> Sequence[str] | None:
    return None if source is None else [*catalogue.of_source(source), *catalogue.of_capture(source)]


def _spelt(catalogue: CatalogueReader, columns: Columns, rows: dict[int, int]) -> dict[int, str]:
    """Return names by their number, in the spelling of the memory in that row."""
    spelt: dict[int, str] = {}
    atoms = {atom.atom_id: atom for atom in catalogue.get([columns.atom_ids[row] for row in rows.values()])}
    for number, row in rows.items():
        atom = atoms.get(columns.atom_ids[row])
        written = (atom.subject, *atom.entities, atom.speaker or "") if atom else ()
        for each in written:
            if columns.names.get(normalize_subject(each)) == number:
                spelt[number] = each
                break
    return spelt


def _place(cursor: str) -> tuple[float, int]:
    at, _, row = cursor.partition("~")
    try:
        return float(at), int(row)
    except ValueError as error:
        raise InvalidInput(f"{cursor[:60]} is no cursor: send the one that the page before gave.", field="cursor") from error
