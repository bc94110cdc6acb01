"""A statement that was replaced speaks for the one that replaced it.

Who asks where somebody lives finds "I live in Leeds." by its words, and that no longer holds; "Finally unpacked the last box here
in York." shares neither words nor meaning with the question. So what replaced a retired statement is found by all that finds it.
Questions about how it was find the retired ones themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.question import Candidates, Floats, Rows, Search

LOOKED_AT = 12
"""Retired candidates, the best of each leg, whose heirs are looked up: a read each."""
LONGEST_LINE = 8
"""Replacements that are followed, one after the other, to the statement that holds."""


def with_heirs(search: Search, catalogue: CatalogueReader) -> Search:
    """Add to `candidates` what replaced the best retired ones, with the evidence of both."""
    question, candidates, columns = search.question, search.candidates, search.columns
    if question.history or question.as_of is not None or question.query.include_superseded:
        return search
    retired = np.flatnonzero(columns.superseded[candidates.rows])
    if not len(retired):
        return search
    inherited = [
        (row, int(place))
        for place in _best(candidates, retired)
        for row in _heir(int(candidates.rows[place]), search, catalogue)
        if row != candidates.rows[place]
    ]
    return replace(search, candidates=_joined(candidates, inherited)) if inherited else search


def _best(candidates: Candidates, among: Rows) -> Rows:
    """Places of the best of each leg."""
    chosen = [among[np.argsort(-leg[among], kind="stable")[:LOOKED_AT]] for leg in (candidates.text, _known(candidates.cosine))]
    return np.unique(np.concatenate(chosen))


def _known(cosine: Floats) -> Floats:
    return np.nan_to_num(cosine, nan=-1.0)


def _heir(row: int, search: Search, catalogue: CatalogueReader) -> Iterator[int]:
    """The row of the statement that holds instead; none where the line ends in something that is gone."""
    columns = search.columns
    for _ in range(LONGEST_LINE):
        if not columns.superseded[row]:
            yield row
            return
        atom = next(iter(catalogue.get([columns.atom_ids[row]])), None)
        row = columns.row_of.get(atom.superseded_by, -1) if atom is not None and atom.superseded_by else -1
        if not 0 <= row < search.count or not columns.alive[row]:
            return


def _joined(candidates: Candidates, inherited: list[tuple[int, int]]) -> Candidates:
    """The candidates and heirs, each with the better evidence of its own and of what it replaced; rows stay sorted."""
    new = np.setdiff1d(np.array([row for row, _ in inherited], dtype=np.int64), candidates.rows)
    both = candidates.and_then(Candidates.without_evidence(new))
    joined = both.where(np.argsort(both.rows, kind="stable"))
    for row, place in inherited:
        at = int(np.searchsorted(joined.rows, row))
        for own, given in (
            (joined.text, candidates.text),
            (joined.window, candidates.window),
            (joined.covered, candidates.covered),
            (joined.exact, candidates.exact),
            (joined.cosine, candidates.cosine),
        ):
            own[at] = np.fmax(own[at], given[place])  # a cosine that is not known is NaN
    return joined
