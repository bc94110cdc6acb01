"""From ranked candidates to a result without repetitions.

Atoms are finer than what was said: the second atom of a turn waits behind the best of other turns, and one that says what a
better one says already is left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.derived import KINDS, is_derived
from lattice_common.domain.recall import Selected, Signal
from lattice_common.domain.score import Weights
from lattice_common.domain.text import words
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.recall.in_view import holds_of
from lattice_common.recall.question import Floats, Ranked, Rows, Search

OVERLAP = 0.8
"""Share of words in common above which two atoms repeat each other (DESIGN.md, "Recall")."""
DERIVED = 2
"""Syntheses and insights in one result, unless it is asked for them: the facts themselves come first."""
SPARE = 2
"""Atoms fetched beyond those asked for; where more of them repeat each other, another batch is fetched."""

_TELLING = re.compile(r"\d|^(?:not|no|nor|never|none|nobody|nothing|without)$")


def diversify(search: Search, catalogue: CatalogueReader, weights: Weights, *, recommendation_cap: int) -> Search:
    """Fills `chosen`, at most `limit` atoms, best first."""
    ranked, query = search.ranked, search.question.query
    if ranked is None or not len(ranked.candidates):
        return search
    scores = ranked.scores + _behind_their_turn(ranked, search.columns, weights)
    order = _in_order(ranked, scores)
    chosen: list[tuple[Atom, int]] = []
    said: list[frozenset[str]] = []
    recommendations = derived = 0
    most_derived = query.limit if {*query.filter.kind, search.question.kind}.intersection(KINDS) else DERIVED
    batch = query.limit + SPARE
    for start in range(0, len(order), batch):
        places = order[start : start + batch]
        for atom, place in _fetched(catalogue, search.columns, ranked.candidates.rows, places):
            if query.filter.source_id and atom.source_id not in query.filter.source_id:
                continue
            if atom.kind == "recommendation" and recommendations >= recommendation_cap:
                continue
            if is_derived(atom) and (derived >= most_derived or not _is_wanted(atom, search, catalogue)):
                continue
            content = frozenset(words(atom.content))
            if any(_repeats(content, other) for other in said):
                continue
            recommendations += atom.kind == "recommendation"
            if is_derived(atom):
                derived += 1
            else:  # what sums up facts makes none of them a repetition
                said.append(content)
            chosen.append((atom, place))
            if len(chosen) == query.limit:
                return replace(search, chosen=_selected(chosen, ranked, scores, weights, explain=query.explain))
    return replace(search, chosen=_selected(chosen, ranked, scores, weights, explain=query.explain))


def _is_wanted(atom: Atom, search: Search, catalogue: CatalogueReader) -> bool:
    """Of what the product concluded itself: what still holds. An insight is no fact, and comes where insights are asked for."""
    question = search.question
    asked_for = "insight" in question.query.filter.kind or question.kind == "insight"
    return (atom.kind != "insight" or asked_for) and holds_of(atom, question, search.columns, search.count, catalogue)


def in_order(ranked: Ranked, columns: Columns, weights: Weights) -> Rows:
    """Places of the candidates, best first, the later atoms of a turn behind; equal ones newest first."""
    return _in_order(ranked, ranked.scores + _behind_their_turn(ranked, columns, weights))


def _in_order(ranked: Ranked, scores: Floats) -> Rows:
    # In their order before the loss they are nearly sorted, and ties are in order already.
    return ranked.order[np.argsort(-scores[ranked.order], kind="stable")]


def _behind_their_turn(ranked: Ranked, columns: Columns, weights: Weights) -> Floats:
    """What the second and later atoms of a turn lose, in the order of their scores. Sentences of a note have no turn to share:
    each may say something of its own."""
    loss = weights.signals.get("same_turn", 0.0)
    penalty = np.zeros(len(ranked.scores))
    if not loss:
        return penalty
    rows = ranked.candidates.rows[ranked.order]
    _, first = np.unique(columns.segment_turn[rows], return_index=True)
    later = columns.speaker[rows] >= 0
    later[first] = False
    penalty[ranked.order[later]] = loss
    return penalty


def _fetched(catalogue: CatalogueReader, columns: Columns, rows: Rows, places: Rows) -> list[tuple[Atom, int]]:
    ids = {columns.atom_ids[rows[place]]: int(place) for place in places}
    return [(_as_it_is(atom, columns, rows[ids[atom.atom_id]]), ids[atom.atom_id]) for atom in catalogue.get(list(ids))]


def _as_it_is(atom: Atom, columns: Columns, row: int) -> Atom:
    """Its file may call it superseded by what a hand has deleted since: then it holds."""
    return replace(atom, is_superseded=False) if atom.is_superseded and not columns.superseded[row] else atom


def _repeats(content: frozenset[str], other: frozenset[str]) -> bool:
    """More than `OVERLAP` of all words are common, and what differs is neither a number nor a negation."""
    # Sizes alone rule most pairs out, of the hundred that one result compares.
    one, two = len(content), len(other)
    if one <= OVERLAP * two or two <= OVERLAP * one:
        return False
    common = len(content & other)
    if common <= OVERLAP * (one + two - common):
        return False
    return not any(_TELLING.search(word) for word in content ^ other)


def _selected(
    chosen: Sequence[tuple[Atom, int]], ranked: Ranked, scores: Floats, weights: Weights, *, explain: bool
) -> tuple[Selected, ...]:
    return tuple(
        Selected(atom, float(scores[place]), _signals(ranked, scores, place, weights) if explain else {})
        for atom, place in chosen
    )


def _signals(ranked: Ranked, scores: Floats, place: int, weights: Weights) -> dict[str, Signal]:
    """Every signal that counts; their contributions sum to the score."""
    shown: dict[str, Signal] = {}
    for name, value in zip(ranked.names, ranked.signals[place], strict=True):
        weight = weights.signals.get(name, 0.0)
        if weight:
            shown[name] = Signal(float(value), weight, float(value) * weight)
    loss = float(scores[place] - ranked.scores[place])
    if loss:
        shown["same_turn"] = Signal(1.0, loss, loss)
    return shown
