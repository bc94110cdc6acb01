"""The known statements that a new one may affect: similar in meaning, in words, or likely to be outdated by it.

An update often shares neither words nor meaning with what it ends ("Finally unpacked the last box here in York."). So the new
vector is also turned by a matrix that was fitted on such pairs (`Judge.seeks`), and the index is searched with both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain, zip_longest

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.ingest.reconcile import Boundaries, Judging
from lattice_common.ingest.stores import Stores
from lattice_common.language.text import query_tokens
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.judge import Judge
from lattice_common.ports.lexical_index import LexicalQuery

TURNED, ALIKE, IN_WORDS, IN_HAND = 24, 10, 10, 10
"""Number of hits taken from each search: with the turned vector, the vector itself, by words, and among what is written but not
indexed yet."""
MOST_TOKENS = 24


class Neighbours:
    """For one batch; `fresh` are the vectors of its atoms, which the engines do not have yet. Costs two dense searches and one
    lexical one for each atom; a leg that is away finds nothing, which is reported elsewhere."""

    def __init__(self, stores: Stores, fresh: Mapping[str, Vectors], seeks: Callable[[Vectors], tuple[Vectors, float]]) -> None:
        self._stores = stores
        self._fresh = fresh
        self._seeks = seeks
        self._cosines: dict[frozenset[str], float] = {}

    def near(self, atom: Atom, vector: Vectors | None) -> list[str]:
        """Return ids, the likeliest first: the results of the searches in turn."""
        found = [self._by_meaning(atom, vector), self._in_hand(atom, vector), self._by_words(atom)]
        turns = chain.from_iterable(zip_longest(*(each for part in found for each in part)))
        return [each for each in dict.fromkeys(turns) if each is not None and each != atom.atom_id]

    def likeness(self, one: Atom, other: Atom) -> float:
        """Return the greatest cosine by which one atom was found for the other; 0 where that was by words alone."""
        return self._cosines.get(frozenset((one.atom_id, other.atom_id)), 0.0)

    def _note(self, atom: Atom, other_id: str, cosine: float) -> None:
        pair = frozenset((atom.atom_id, other_id))
        self._cosines[pair] = max(cosine, self._cosines.get(pair, 0.0))

    def _by_meaning(self, atom: Atom, vector: Vectors | None) -> list[list[str]]:
        stores, found = self._stores, []
        if vector is not None and stores.dense is not None:
            with stores.behind.tolerated("dense"):
                # The turned vector finds twice as many of those that matter, so it gets two turns.
                sought, least = self._seeks(vector)
                turned = [hit for hit in stores.dense.search(sought, TURNED) if hit.score >= least]
                alike = [hit for hit in stores.dense.search(vector, ALIKE) if hit.score >= least]
                for hit in (*turned, *alike):
                    self._note(atom, hit.atom_id, hit.score)
                found = [[hit.atom_id for hit in hits] for hits in (turned[::2], turned[1::2], alike)]
        return found

    def _by_words(self, atom: Atom) -> list[list[str]]:
        query = LexicalQuery({"text": query_tokens(atom.content)[:MOST_TOKENS]})
        found: list[list[str]] = []
        with self._stores.behind.tolerated("lexical"):
            found.append([hit.atom_id for hit in self._stores.lexical.search(query, IN_WORDS)])
        return found

    def _in_hand(self, atom: Atom, vector: Vectors | None) -> list[list[str]]:
        others = [each for each in self._fresh if each != atom.atom_id]
        if vector is None or not others:
            return []
        _, least = self._seeks(vector)
        cosines = np.stack([self._fresh[each] for each in others]) @ vector
        for other, cosine in zip(others, cosines, strict=True):
            self._note(atom, other, float(cosine))
        return [[others[place] for place in np.argsort(-cosines)[:IN_HAND] if cosines[place] >= least]]


def judging_beside(stores: Stores, judge: Judge | None, fresh: Mapping[str, Vectors]) -> Judging | None:
    """Return how a batch with the vectors `fresh` is judged; None without a judge."""
    if judge is None:
        return None
    embedder = stores.embedder.model_id if stores.embedder else ""
    neighbours = Neighbours(stores, fresh, lambda vector: judge.seeks(vector, embedder))
    known = judge.boundaries
    boundaries = Boundaries(known["certain"], known["likely"], known["perhaps"], known["refuted"])
    return Judging(judge, boundaries, neighbours.near, neighbours.likeness)
