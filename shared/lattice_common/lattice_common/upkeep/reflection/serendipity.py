"""Serendipity: two memories that were told apart, are about different things, and may have something to do with each other.

Near in meaning without being about the same; told weeks apart; not linked in the graph, not even over a third. Of a few such
pairs a language model may choose one, and say in a sentence what it sees: an insight, which is an idea and no fact.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import timedelta
from itertools import islice

import numpy as np

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.capture import Derive, JsonValue
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.domain.recall import Filter
from lattice_common.ingest.graph_change import atom_node
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.dense_index import DenseIndex
from lattice_common.ports.graph import Graph
from lattice_common.upkeep.reflection.model_call import LONGEST_STATEMENT, Conclusion, Offer, fitting

PROMPT = "serendipity.v1"

APART = timedelta(days=14)
"""What was told within two weeks belongs together anyway, and is remembered without help."""

LEAST_ALIKE = 0.3
"""Cosine from which two statements may have something in common; of the packaged model's, most pairs are below 0.15. The model
that is asked knows better."""

RECENT = 20
RECALLED = 50
"""New memories that are looked at, and those that answers cited most, each against all older ones."""

NEIGHBOURS = 12
"""Of each, the older ones that are nearest in meaning."""

MOST_PAIRS = 6
"""Offered in one call: a small model keeps no more apart."""

LEAST_LETTERS = 20
"""A statement shorter than this is a courtesy."""

_NOT_TOLD = frozenset(("question", "recommendation"))

Pair = frozenset[str]
"""Two ids."""


def offer_of(
    catalogue: CatalogueReader, dense: DenseIndex, graph: Graph, offered: Collection[Pair], room: int, *, most_alike: float
) -> Offer | None:
    """Return up to six pairs that were not offered before, the most alike first; two that are more alike than `most_alike` are
    linked by ingest already. `room` is how many tokens of memories a call may show. Costs a search in the dense index for each of
    the newest memories."""
    found: list[tuple[float, Atom, Atom]] = []
    fresh = _looked_at(catalogue)
    vectors = dense.vectors([atom.atom_id for atom in fresh])
    for atom in fresh:
        if atom.atom_id not in vectors:
            continue
        older = Filter(before=atom.observed_at - APART)
        hits = dense.search(vectors[atom.atom_id], NEIGHBOURS, older)
        near = {hit.atom_id: hit.score for hit in hits if LEAST_ALIKE <= hit.score < most_alike}
        others = (other for other in catalogue.get(list(near)) if frozenset((atom.atom_id, other.atom_id)) not in offered)
        best = next((other for other in others if _apart(atom, other) and not _linked(atom, other, graph)), None)
        if best is not None:
            found.append((near[best.atom_id], atom, best))
    found.sort(key=lambda pair: (-pair[0], pair[1].atom_id))
    pairs = list(islice(fitting(_each_once(found), room), MOST_PAIRS))
    if not pairs:
        return None
    marks = tuple({"pair": number} for number in range(1, len(pairs) + 1) for _ in range(2))
    return Offer("connect", PROMPT, tuple(atom for pair in pairs for atom in pair), marks)


def pairs_of(offer: Offer) -> list[Pair]:
    """Return the pairs in an offer."""
    return [frozenset((one.atom_id, two.atom_id)) for one, two in zip(offer.atoms[::2], offer.atoms[1::2], strict=True)]


def insight(offer: Offer, found: Conclusion, extractor: str) -> Derive | None:
    """Return the command that remembers what was seen; None where it is not one sentence about one of the pairs."""
    if frozenset(atom.atom_id for atom in found.sources) not in pairs_of(offer) or found.joins != 2:
        return None
    sources: dict[str, JsonValue] = {atom.atom_id: atom.content_hash for atom in found.sources}
    newest = max(found.sources, key=lambda atom: (atom.observed_at, atom.seq))
    return Derive("insight", found.content, newest.subject, sources, extractor)


def _looked_at(catalogue: CatalogueReader) -> list[Atom]:
    """Return the newest, and those that were recalled most: what is on somebody's mind."""
    newest = [atom for atom in catalogue.recent(RECENT * 3) if _counts(atom)][:RECENT]
    columns = catalogue.columns()
    count = columns.count
    recalled = np.flatnonzero(columns.alive[:count] & (columns.recall_count[:count] > 0))
    order = recalled[np.lexsort((-recalled, -columns.recall_count[recalled]))][: RECALLED * 2]
    often = [atom for atom in catalogue.get([columns.atom_ids[row] for row in order]) if _counts(atom)][:RECALLED]
    return list({atom.atom_id: atom for atom in (*newest, *often)}.values())


def _counts(atom: Atom) -> bool:
    return (
        atom.trust == "user"
        and not (atom.is_superseded or atom.archived)
        and atom.kind not in _NOT_TOLD
        and not is_conclusion(atom)
        and LEAST_LETTERS <= len(atom.content) <= LONGEST_STATEMENT
    )


def _apart(atom: Atom, other: Atom) -> bool:
    """Return whether two are about different things: no name in common, and what one is about is not mentioned by the other."""
    return _counts(other) and not _mentions(atom, other) and not _mentions(other, atom)


def _mentions(atom: Atom, other: Atom) -> bool:
    said = f" {normalize_subject(other.content)} "
    return any(f" {name} " in said for each in (atom.subject, *atom.entities) if (name := normalize_subject(each)))


def _linked(atom: Atom, other: Atom, graph: Graph) -> bool:
    return bool(graph.paths(atom_node(atom.atom_id), atom_node(other.atom_id), longest=2, limit=1))


def _each_once(found: Collection[tuple[float, Atom, Atom]]) -> Iterator[tuple[Atom, Atom]]:
    """Yield the older first, as they were told."""
    taken: set[str] = set()
    for _, atom, other in found:
        if taken.isdisjoint((atom.atom_id, other.atom_id)):
            taken |= {atom.atom_id, other.atom_id}
            yield other, atom
