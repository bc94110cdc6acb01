"""A superseded statement stands for the one that superseded it.

A question about where somebody lives finds "I live in Leeds." by its words, which is no longer true; "Finally unpacked the last
box here in York." shares neither words nor meaning with the question. So the successor of a retired statement is found by
everything that finds the retired one. Where it shares no word with the question itself, so is what was said in one go with it:
"Kowalczyk has retired. His nephew took over." Questions about the past, and about a time in which they held, find the retired
statements themselves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.question import Candidates, Rows, Search
from lattice_common.recall.visibility import held_then

LOOKED_AT = 12
"""Retired candidates, the best of each leg, whose successors are looked up."""
LONGEST_LINE = 8
"""Supersessions that are followed to the statement that is current."""
MOST_BESIDE = 3
"""Statements on each side of a successor, of the same turn, that are found with it."""


def with_heirs(search: Search, catalogue: CatalogueReader) -> Search:
    """Add to `candidates` what replaced the best retired ones, with the evidence of both; these are `retired`, the best first."""
    question, candidates, columns = search.question, search.candidates, search.columns
    if question.history or question.as_of is not None or question.query.include_superseded:
        return search
    retired = np.flatnonzero(columns.superseded[candidates.rows] & ~held_then(question, columns, candidates.rows))
    if not len(retired):
        return search
    best = _best(candidates, retired)
    search = replace(search, retired=candidates.rows[_nearest_first(candidates, best)])
    heirs = heirs_of([int(candidates.rows[place]) for place in best], search, catalogue)
    named = set(candidates.rows[candidates.text > 0].tolist())
    inherited = [
        (heir, int(place))
        for place in best
        for row in [int(candidates.rows[place])]
        if heirs.get(row, row) != row
        for heir in ([heirs[row]] if heirs[row] in named else turn_around(heirs[row], search, MOST_BESIDE))
    ]
    return replace(search, candidates=_joined(candidates, inherited)) if inherited else search


def _best(candidates: Candidates, among: Rows) -> Rows:
    """Return places of the best of each leg."""
    chosen = [among[np.argsort(-leg[among], kind="stable")[:LOOKED_AT]] for leg in (candidates.text, candidates.cosine_or(-1.0))]
    return np.unique(np.concatenate(chosen))


def _nearest_first(candidates: Candidates, best: Rows) -> Rows:
    """Return the places in the order of their words' and their meaning's evidence together."""
    words, cosines = candidates.text[best], candidates.cosine_or(0.0)[best]
    both = words / max(float(words.max(initial=0.0)), 1e-9) + cosines / max(float(cosines.max(initial=0.0)), 1e-9)
    return np.asarray(best[np.argsort(-both, kind="stable")])


def heirs_of(retired: Iterable[int], search: Search, catalogue: CatalogueReader) -> dict[int, int]:
    """Return the row of the current successor of each retired row, except where the chain ends in something that is gone."""
    columns = search.columns
    reached = {row: row for row in retired}
    heirs: dict[int, int] = {}
    for _ in range(LONGEST_LINE):
        heirs |= {start: row for start, row in reached.items() if not columns.superseded[row]}
        reached = {start: row for start, row in reached.items() if start not in heirs}
        if not reached:
            break
        known = catalogue.successors([columns.atom_ids[row] for row in reached.values()])
        following = {start: columns.row_of.get(known.get(columns.atom_ids[row]) or "", -1) for start, row in reached.items()}
        reached = {start: row for start, row in following.items() if 0 <= row < search.count and columns.alive[row]}
    return heirs


def turn_around(row: int, search: Search, most: int, *, retired: bool = False) -> list[int]:
    """Return the row and up to `most` rows on each side of it that are of the same turn, in their order, without what is gone or,
    unless `retired`, was replaced."""
    columns = search.columns
    sides: list[list[int]] = []
    for step in (columns.previous, columns.following):
        at, side = row, []
        for _ in range(most):
            at = int(step[at])
            if not 0 <= at < search.count or columns.segment_turn[at] != columns.segment_turn[row]:
                break
            side.append(at)
        sides.append(side)
    return [
        each for each in (*sides[0][::-1], row, *sides[1]) if columns.alive[each] and (retired or not columns.superseded[each])
    ]


def _joined(candidates: Candidates, inherited: list[tuple[int, int]]) -> Candidates:
    """Return the candidates and successors, each with the better evidence of its own and of what it superseded; rows stay
    sorted."""
    new = np.setdiff1d(np.array([row for row, _ in inherited], dtype=np.int64), candidates.rows)
    both = candidates.and_then(Candidates.without_evidence(new))
    joined = both.where(np.argsort(both.rows, kind="stable"))
    rows, places = np.array(inherited, dtype=np.int64).T
    at = np.searchsorted(joined.rows, rows)
    for own, given in (
        (joined.text, candidates.text),
        (joined.window, candidates.window),
        (joined.covered, candidates.covered),
        (joined.exact, candidates.exact),
        (joined.cosine, candidates.cosine),
    ):
        np.fmax.at(own, at, given[places])  # one may inherit from several; a cosine that is not known is NaN
    return joined
