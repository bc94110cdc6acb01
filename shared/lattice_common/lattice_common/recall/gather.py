"""The statements for questions that several answer together: each part is searched alone, and for totals, counts and lists
everything near is used, not only the first results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query, Selected
from lattice_common.domain.score import Weights
from lattice_common.language.questions.asked_together import Together, as_list
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.currency import doubted_among
from lattice_common.recall.diversify import in_order
from lattice_common.recall.question import Question, Search
from lattice_common.recall.reading import Reading
from lattice_common.recall.visibility import is_visible

READ = 12
"""Results that the judge reads for each part: some 15 ms."""
READ_OF_LIST = 24
"""Candidates that the judge reads for a count or a list: some 30 ms."""
POOL = 120
"""Best candidates that a total, a count or a list is made of: each costs a read, and more add unrelated ones."""
OF_PART = 10
"""Results for one part."""
FIRST, OF_EACH = 3, 2
"""The best results of the whole question that stay first, and how many each part adds behind them. On the questions of several
parts in train/data (memories B and D) recall among the first five is 69.6 with it and 66.1 without, among ten the same; parts and
whole in turns lose fifteen points among ten."""


@dataclass(frozen=True, slots=True)
class Part:
    """The results for one part of a question, best first; `sure` is the probability that they answer it; `answerable` is false
    below the floor."""

    said: str
    question: Question
    chosen: tuple[Selected, ...]
    sure: float
    answerable: bool
    chances: Mapping[str, float] = field(default_factory=dict)
    """The judge's probabilities that statements answer this part, by id."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """`pool`: candidates for a total, a count or a list, best first, repetitions included."""

    together: Together
    parts: tuple[Part, ...] = ()
    pool: tuple[Selected, ...] = ()
    chances: Mapping[str, float] = field(default_factory=dict)
    """The judge's probabilities that statements answer the whole question, by id."""


def parts_of(
    together: Together, query: Query, search: Callable[[Query], Search], sure: Callable[[Search], float], floor: float
) -> tuple[Part, ...]:
    """Return each part searched like a question of its own. What a time is computed from may be superseded."""
    asked = replace(query, limit=OF_PART, include_superseded=query.include_superseded or together.span is not None)
    found: list[Part] = []
    for each in together.sought:
        part = search(replace(asked, text=each.text))
        certainty = sure(part)
        found.append(Part(each.said, part.question, part.chosen, certainty, bool(part.chosen) and certainty >= floor))
    return tuple(found)


def read_by(reading: Reading, gathered: Gathered, chosen: Sequence[Selected], question: str) -> Gathered:
    """Return what was gathered with the judge's probabilities for the first results, for the whole question and for each part."""
    contents = {each.atom.atom_id: each.atom.content for each in chosen[:READ] if not is_passage(each.atom)}

    def read(text: str) -> dict[str, float]:
        return dict(zip(contents, reading.answers(text, list(contents.values())), strict=True))

    parts = tuple(replace(part, chances=read(part.question.text)) for part in gathered.parts)
    return replace(gathered, parts=parts, chances=read(question))


def read_as_list(reading: Reading, gathered: Gathered) -> Gathered:
    """Return what was gathered with the judge's probabilities for the best of the pool, read as one list."""
    contents = {each.atom.atom_id: each.atom.content for each in gathered.pool[:READ_OF_LIST]}
    chances = reading.answers(as_list(gathered.together.english), list(contents.values()))
    return replace(gathered, chances=dict(zip(contents, chances, strict=True)))


def interleaved(chosen: Sequence[Selected], parts: Sequence[Part], limit: int) -> tuple[Selected, ...]:
    """Return the first of the whole question, then the best of each part, then the rest."""
    best = [each for place in range(OF_EACH) for part in parts for each in part.chosen[place : place + 1]]
    found: dict[str, Selected] = {}
    for each in (*chosen[:FIRST], *best, *chosen[FIRST:]):
        found.setdefault(each.atom.atom_id, each)
    return tuple(found.values())[:limit]


def pool_of(search: Search, catalogue: CatalogueReader, weights: Weights) -> tuple[Selected, ...]:
    """Return the best candidates with repetitions: two lessons at one price are two."""
    ranked = search.ranked
    if ranked is None or not len(ranked.candidates):
        return ()
    columns, rows = search.columns, ranked.candidates.rows
    places = in_order(ranked, columns, weights)[:POOL]
    places = places[is_visible(search.question, columns, rows[places])]
    atoms = catalogue.get([columns.atom_ids[row] for row in rows[places]])
    place_of = {columns.atom_ids[rows[place]]: int(place) for place in places}
    found = [
        Selected(
            replace(atom, is_superseded=bool(columns.superseded[columns.row_of[atom.atom_id]])),
            float(ranked.scores[place_of[atom.atom_id]]),
        )
        for atom in atoms
    ]
    sources = search.question.query.filter.source_id
    return doubted_among([each for each in found if not sources or each.atom.source_id in sources])
