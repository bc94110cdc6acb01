"""From ranked candidates to a result without repetitions.

Atoms are finer than what was said: the second atom of a turn waits behind the best of other turns, and one that says what a
better one says already is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.conclusion import KINDS, is_conclusion, is_extractive
from lattice_common.domain.recall import Selected, Signal
from lattice_common.domain.score import Weights
from lattice_common.language.text import words
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.recall.question import Floats, Ranked, Rows, Search
from lattice_common.recall.visibility import holds_of

OVERLAP = 0.8
"""Share of words in common above which two atoms repeat each other (docs/architecture.md, "Recall")."""
CONCLUSIONS = 2
"""Syntheses and insights in one result, unless it is asked for them: the facts themselves come first."""
CAPTURE_PLACES = 3
"""Of ten places, those that the atoms of one capture take before the rest of it waits behind what others say (`same_capture` is
what it loses then): a long note about something else is not the whole answer. Nobody else near: it takes them all."""
SPARE = 2
"""Atoms fetched beyond those asked for; where more of them repeat each other, another batch is fetched."""

_TELLING = re.compile(r"\d|^(?:not|no|nor|never|none|nobody|nothing|without)$")


def diversify(search: Search, catalogue: CatalogueReader, weights: Weights, *, recommendation_cap: int) -> Search:
    """Fill `chosen`, at most `limit` atoms, best first."""
    ranked = search.ranked
    if ranked is None or not len(ranked.candidates):
        return search
    behind = _behind_their_turn(ranked, search.columns, weights)
    scores = ranked.scores + behind
    choosing = _Choosing(search, catalogue, recommendation_cap)
    crowding = -weights.signals.get("same_capture", 0.0)
    waiting: list[tuple[Atom, int]] = []
    for atom, place in _best_first(search, catalogue, ranked, scores):
        for each in list(waiting):
            if choosing.full or scores[each[1]] - crowding * choosing.crowds(each[0]) <= scores[place]:
                break
            waiting.remove(each)
            choosing.consider(*each)
        if choosing.full:
            break
        if crowding and choosing.crowds(atom):
            waiting.append((atom, place))
        else:
            choosing.consider(atom, place)
    for each in waiting:  # nothing else is left
        choosing.consider(*each)
    losses = {"same_turn": behind, "same_capture": np.zeros(len(scores))}
    losses["same_capture"][choosing.crowding] = -crowding
    return replace(search, chosen=_selected(choosing.chosen, ranked, losses, weights, explain=search.question.query.explain))


class _Choosing:
    """What is chosen so far, and whether another atom adds to it. `crowding`: places of what was taken beyond the share of its
    capture."""

    def __init__(self, search: Search, catalogue: CatalogueReader, recommendation_cap: int) -> None:
        self.chosen: list[tuple[Atom, int]] = []
        self.crowding: list[int] = []
        self._search, self._catalogue = search, catalogue
        question = search.question
        self._limit, self._sources = question.query.limit, question.query.filter.source_id
        asked_for_conclusions = {*question.query.filter.kind, question.kind}.intersection(KINDS)
        self._free = {"recommendation": recommendation_cap, "conclusion": self._limit if asked_for_conclusions else CONCLUSIONS}
        self._said: list[frozenset[str]] = []
        self._of_capture: Counter[str] = Counter()

    @property
    def full(self) -> bool:
        return len(self.chosen) >= self._limit

    def crowds(self, atom: Atom) -> bool:
        """Return whether its capture has its share of the places up to the next ten. In a conversation everybody says something
        of his own, and turns wait behind each other already."""
        return atom.speaker is None and self._of_capture[atom.capture_id] >= CAPTURE_PLACES * (len(self.chosen) // 10 + 1)

    def consider(self, atom: Atom, place: int) -> None:
        """Take it, unless the list is full, it may not be seen, there are enough of its kind, or it repeats what is there."""
        concluded = is_conclusion(atom)
        kind = "conclusion" if concluded else atom.kind
        if self.full or (self._sources and atom.source_id not in self._sources) or self._free.get(kind, 1) <= 0:
            return
        if concluded and not _is_wanted(atom, self._search, self._catalogue):
            return
        content = frozenset(words(atom.content))
        if any(_repeats(content, other) for other in self._said):
            return
        if kind in self._free:
            self._free[kind] -= 1
        if not concluded:  # what sums up facts makes none of them a repetition
            self._said.append(content)
        if self.crowds(atom):
            self.crowding.append(place)
        self._of_capture[atom.capture_id] += 1
        self.chosen.append((atom, place))


def _is_wanted(atom: Atom, search: Search, catalogue: CatalogueReader) -> bool:
    """Return whether a conclusion of the product itself still holds; an insight is no fact, and comes where insights are asked
    for."""
    question = search.question
    asked_for = "insight" in question.query.filter.kind or question.kind == "insight"
    if is_extractive(atom) and "synthesis" not in (*question.query.filter.kind, question.kind):
        return False  # its statements say the same, and are found themselves
    return (atom.kind != "insight" or asked_for) and holds_of(atom, question, search.columns, search.count, catalogue)


def in_order(ranked: Ranked, columns: Columns, weights: Weights) -> Rows:
    """Return places of the candidates, best first, the later atoms of a turn behind; equal ones newest first."""
    return _in_order(ranked, ranked.scores + _behind_their_turn(ranked, columns, weights))


def _in_order(ranked: Ranked, scores: Floats) -> Rows:
    # In their order before the loss they are nearly sorted, and ties are in order already.
    return ranked.order[np.argsort(-scores[ranked.order], kind="stable")]


def _behind_their_turn(ranked: Ranked, columns: Columns, weights: Weights) -> Floats:
    """Return what the second and later atoms of a turn lose, in the order of their scores. Sentences of a note have no turn to
    share: each may say something of its own."""
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


def _best_first(search: Search, catalogue: CatalogueReader, ranked: Ranked, scores: Floats) -> Iterator[tuple[Atom, int]]:
    """Yield the candidates' atoms and places, fetched in batches."""
    order = _in_order(ranked, scores)
    batch = search.question.query.limit + SPARE
    for start in range(0, len(order), batch):
        yield from _fetched(catalogue, search.columns, ranked.candidates.rows, order[start : start + batch])


def _fetched(catalogue: CatalogueReader, columns: Columns, rows: Rows, places: Rows) -> list[tuple[Atom, int]]:
    ids = {columns.atom_ids[rows[place]]: int(place) for place in places}
    return [(_as_it_is(atom, columns, rows[ids[atom.atom_id]]), ids[atom.atom_id]) for atom in catalogue.get(list(ids))]


def _as_it_is(atom: Atom, columns: Columns, row: int) -> Atom:
    """Return the atom with its successor as the columns have it: its file may still name one that a hand has deleted since, and
    then the atom holds."""
    return replace(atom, is_superseded=False) if atom.is_superseded and not columns.superseded[row] else atom


def _repeats(content: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether more than `OVERLAP` of all words are common, and what differs is neither a number nor a negation."""
    # Sizes alone rule most pairs out, of the hundred that one result compares.
    one, two = len(content), len(other)
    if one <= OVERLAP * two or two <= OVERLAP * one:
        return False
    common = len(content & other)
    if common <= OVERLAP * (one + two - common):
        return False
    return not any(_TELLING.search(word) for word in content ^ other)


def _selected(
    chosen: Sequence[tuple[Atom, int]], ranked: Ranked, losses: Mapping[str, Floats], weights: Weights, *, explain: bool
) -> tuple[Selected, ...]:
    scores = ranked.scores + sum(losses.values())
    return tuple(
        Selected(atom, float(scores[place]), _signals(ranked, losses, place, weights) if explain else {})
        for atom, place in chosen
    )


def _signals(ranked: Ranked, losses: Mapping[str, Floats], place: int, weights: Weights) -> dict[str, Signal]:
    """Return every signal that counts; their contributions sum to the score."""
    shown: dict[str, Signal] = {}
    for name, value in zip(ranked.names, ranked.signals[place], strict=True):
        weight = weights.signals.get(name, 0.0)
        if weight:
            shown[name] = Signal(float(value), weight, float(value) * weight)
    for name, loss in losses.items():
        if lost := float(loss[place]):
            shown[name] = Signal(1.0, lost, lost)
    return shown
