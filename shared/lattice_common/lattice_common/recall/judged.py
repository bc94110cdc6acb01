"""What the judge makes of the best statements as answers, mixed lightly into their order.

The ranking knows days, names, identifiers and what was replaced, of which the judge knows nothing; so what the judge thinks is
one more signal, a z-score over the statements that it reads, and does not take the order's place. It has not learned talk: the
more of what was found is talk, the less it counts. The very best are also read together with what was said in one go with them,
and each as what it replaced.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.score import Weights, z_scores
from lattice_common.language.claims.instead import says_what_instead
from lattice_common.language.sentences.split import is_ended
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.heirs import turn_around
from lattice_common.recall.order import best_first
from lattice_common.recall.question import Rows, Search
from lattice_common.recall.reading import log_odds_of

WHOLE = 6
"""Best statements that are also read with those on both sides of them."""
BEST = 24
"""Candidates that are read, some 20 ms on two cores: a result has 15, and hardly any answer stands further back."""
SIGNAL = "judged"
OWN = "user", "assistant"
"""Trust of what was told, not read in a document."""


def by_judge(search: Search, catalogue: CatalogueReader, weights: Weights) -> Search:
    """Order the best `BEST` of `ranked` with the judge's signal, where the search has a judge."""
    ranked, weight = search.ranked, weights.signals.get(SIGNAL, 0.0)
    if search.reading is None or ranked is None or not weight or len(ranked.candidates) < 2:
        return search
    rows = ranked.candidates.rows
    told = 1.0 - float((search.columns.speaker[rows] >= 0).mean())
    if not told:
        return search
    best = ranked.order[:BEST]
    ids = [search.columns.atom_ids[row] for row in rows[best]]
    atoms = {atom.atom_id: atom for atom in catalogue.get(ids)}
    contents = {each: atom.content for each, atom in atoms.items()}
    beside = said_in_one_go(rows[best[:WHOLE]], search, atoms, catalogue)
    search.reading.said_within({contents[each]: tuple(part.content for part in parts) for each, parts in beside.items()})
    search.reading.stand_for(_replaced(list(atoms.values()), catalogue))
    there = [place for place, each in zip(best, ids, strict=True) if each in contents]
    read = search.reading.answers(search.question.text, [contents[each] for each in ids if each in contents])
    values = np.zeros(len(rows))
    values[there] = told * z_scores(np.asarray(log_odds_of(read)))
    scores = ranked.scores + weight * values
    signals = np.column_stack([ranked.signals, values])
    order = best_first(scores, rows, search.columns)
    ranked = replace(ranked, names=(*ranked.names, SIGNAL), signals=signals, scores=scores, order=order)
    return replace(search, ranked=ranked)


def _replaced(atoms: Sequence[Atom], catalogue: CatalogueReader) -> dict[str, tuple[str, ...]]:
    """Return, by its words, those of what each statement replaced. Costs one look-up in the catalogue where any did."""
    ids = [old for atom in atoms for old in atom.supersedes]
    olds = {old.atom_id: old.content for old in catalogue.get(ids)} if ids else {}
    return {atom.content: tuple(olds[old] for old in atom.supersedes if old in olds) for atom in atoms if atom.supersedes}


def said_in_one_go(
    rows: Rows, search: Search, known: Mapping[str, Atom], catalogue: CatalogueReader
) -> dict[str, tuple[Atom, ...]]:
    """Return, by id, the statements of one turn that stand around each of these, in their order and with it; only where the owner
    said them, and more than one is there. Costs one look-up in the catalogue."""
    ids = search.columns.atom_ids
    around = {int(row): turn_around(int(row), search, 1) for row in rows if search.columns.speaker[row] < 0}
    more = [ids[row] for turn in around.values() for row in turn if ids[row] not in known]
    atoms = {**known, **{atom.atom_id: atom for atom in (catalogue.get(list(dict.fromkeys(more))) if more else ())}}
    found = {}
    for row, turn in around.items():
        parts = tuple(atoms[ids[each]] for each in turn if ids[each] in atoms)
        if len(parts) > 1 and ids[row] in known and parts[0].trust in OWN:
            found[ids[row]] = parts
    return found


def of_one_sentence(atom: Atom, parts: Sequence[Atom]) -> tuple[Atom, ...]:
    """Return those of the parts of one turn, in their order, that are of the same sentence as `atom`, it among them, and the next
    one where that says what is so instead: "Brittany's off. We're doing a week in Whitby instead."."""
    at = next(place for place, each in enumerate(parts) if each.atom_id == atom.atom_id)
    first = next((place + 1 for place in range(at - 1, -1, -1) if is_ended(parts[place].source_quote)), 0)
    last = next((place for place in range(at, len(parts)) if is_ended(parts[place].source_quote)), len(parts) - 1)
    if last + 1 < len(parts) and says_what_instead(parts[last + 1].content):
        last += 1
    return tuple(parts[first : last + 1])
