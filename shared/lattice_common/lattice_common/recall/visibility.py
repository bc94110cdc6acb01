"""Which atoms a question may see: existing ones that are current or were true at its `as_of`, and pass its filter."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom
from lattice_common.domain.conclusion import rests_on, unchanged
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.recall.question import Question

Mask: TypeAlias = npt.NDArray[np.bool_]

LASTING_KINDS = ("fact", "preference", "habit", "belief", "goal", "instruction")
"""Kinds that say how things are: past their `valid_until` they are over. An event that is over still happened."""


def is_visible(question: Question, columns: Columns, rows: npt.NDArray[np.integer]) -> Mask:
    """Return whether each row is visible. `source_id` is no column: it is checked on the atoms themselves (`diversify`)."""
    seen: Mask = columns.alive[rows].copy()
    if question.as_of is not None:
        seen &= columns.observed_at[rows] <= question.as_of
    if not question.query.include_archived:
        seen &= ~columns.archived[rows]
    if not question.query.include_superseded:
        seen &= ~_retired(question, columns, rows)
    seen &= _inside_filter(question, columns, rows)
    return seen


def holds_of(atom: Atom, question: Question, columns: Columns, count: int, catalogue: CatalogueReader) -> bool:
    """Return whether all sources of a conclusion exist, are unchanged, and are not superseded, seen from `as_of` where the
    question has one. Rows from `count` on are ignored. Costs a look-up for each atom."""
    rows = np.array([columns.row_of.get(each, count) for each in rests_on(atom)], dtype=np.int64)
    if len(rows) == 0 or (rows >= count).any() or not columns.alive[rows].all() or _superseded(question, columns, rows).any():
        return False
    return unchanged(atom, catalogue.get(list(rests_on(atom))))


def _superseded(question: Question, columns: Columns, rows: npt.NDArray[np.integer]) -> Mask:
    """Return whether each row is superseded by now, or by `as_of`, or was before the time that is asked about began."""
    superseded: Mask = columns.superseded[rows]
    since = question.held_from if question.as_of is None else question.as_of
    if since is not None:
        # An unknown date (NaN) compares false: superseded from the beginning.
        superseded = superseded & ~(columns.superseded_at[rows] > since)
    return superseded


def held_then(question: Question, columns: Columns, rows: npt.NDArray[np.integer]) -> Mask:
    """Return whether each row is superseded by now, and held in the time that the question asks about."""
    return np.asarray(columns.superseded[rows] & ~_superseded(question, columns, rows))


def _retired(question: Question, columns: Columns, rows: npt.NDArray[np.integer]) -> Mask:
    """Return whether each row is out of sight as superseded, or as over at `as_of`; a question about the past sees superseded
    ones, marked as such."""
    superseded = _superseded(question, columns, rows)
    if question.as_of is None:
        return np.zeros(len(rows), dtype=bool) if question.history else superseded
    lasting: Mask = np.isin(columns.kind[rows], [columns.kinds[kind] for kind in LASTING_KINDS if kind in columns.kinds])
    over: Mask = lasting & (columns.valid_until[rows] <= question.as_of)
    return over if question.history else np.asarray(superseded | over)


def _inside_filter(question: Question, columns: Columns, rows: npt.NDArray[np.integer]) -> Mask:
    inside: Mask = np.ones(len(rows), dtype=bool)
    asked = question.query.filter
    if asked.kind:
        inside &= np.isin(columns.kind[rows], [columns.kinds.get(kind, -2) for kind in asked.kind])
    if asked.session_id:
        inside &= np.isin(columns.session[rows], [columns.sessions.get(session, -2) for session in asked.session_id])
    if asked.after is not None:
        inside &= columns.observed_at[rows] >= asked.after.timestamp()
    if asked.before is not None:
        inside &= columns.observed_at[rows] < asked.before.timestamp()
    return inside
