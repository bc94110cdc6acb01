"""What questions take that several statements answer together: each part sought alone, and for totals, counts and lists whatever
is near, not only the first of the list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query, Selected
from lattice_common.domain.score import Weights
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.answerable import CHARACTERS, Judged
from lattice_common.recall.asked_together import Together
from lattice_common.recall.currency import doubted_among
from lattice_common.recall.diversify import in_order
from lattice_common.recall.question import Question, Search
from lattice_common.recall.visibility import is_visible

READ = 12
"""Of the list, what the judge reads for each part: some 15 ms."""
POOL = 120
"""Best candidates that a total, a count or a list is made of: a read each, and more add what is about something else."""
OF_PART = 10
"""Places of what is found for one part."""
FIRST, OF_EACH = 3, 2
"""Of a list, the best of the whole question that stay first, and what each part adds behind them. On the questions of several
parts in train/data (memories B and D) recall among the first five is 69.6 with it and 66.1 without, among ten the same; parts and
whole in turns lose fifteen points among ten."""


@dataclass(frozen=True, slots=True)
class Part:
    """What was found for one part of a question, as that was said, best first; `sure`, 0 to 1, that it answers it; `answerable`
    is false below the floor."""

    said: str
    question: Question
    chosen: tuple[Selected, ...]
    sure: float
    answerable: bool
    chances: Mapping[str, float] = field(default_factory=dict)
    """What the judge makes of statements as answers to this part, by id."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """`pool`: what a total, a count or a list may be made of, best first, the same words more than once."""

    together: Together
    parts: tuple[Part, ...] = ()
    pool: tuple[Selected, ...] = ()
    chances: Mapping[str, float] = field(default_factory=dict)
    """What the judge makes of statements as answers to the whole question, by id."""


def parts_of(
    together: Together, query: Query, search: Callable[[Query], Search], sure: Callable[[Search], float], floor: float
) -> tuple[Part, ...]:
    """Return each part looked for like a question of its own: a search each. What a time is reckoned from may hold no longer."""
    asked = replace(query, limit=OF_PART, include_superseded=query.include_superseded or together.span is not None)
    found: list[Part] = []
    for each in together.sought:
        part = search(replace(asked, text=each.text))
        certainty = sure(part)
        found.append(Part(each.said, part.question, part.chosen, certainty, bool(part.chosen) and certainty >= floor))
    return tuple(found)


def read_by(judged: Judged, gathered: Gathered, chosen: Sequence[Selected], question: str) -> Gathered:
    """With what the judge makes of the first of the list: as answers to the whole question, and to each part."""
    contents = {each.atom.atom_id: each.atom.content[:CHARACTERS] for each in chosen[:READ] if not is_passage(each.atom)}

    def read(text: str) -> dict[str, float]:
        return dict(zip(contents, judged(text, list(contents.values())), strict=True))

    parts = tuple(replace(part, chances=read(part.question.text)) for part in gathered.parts)
    return replace(gathered, parts=parts, chances=read(question))


def interleaved(chosen: Sequence[Selected], parts: Sequence[Part], limit: int) -> tuple[Selected, ...]:
    """Return the first of the whole question, then the best of each part, then the rest."""
    best = [each for place in range(OF_EACH) for part in parts for each in part.chosen[place : place + 1]]
    found: dict[str, Selected] = {}
    for each in (*chosen[:FIRST], *best, *chosen[FIRST:]):
        found.setdefault(each.atom.atom_id, each)
    return tuple(found.values())[:limit]


def pool_of(search: Search, catalogue: CatalogueReader, weights: Weights) -> tuple[Selected, ...]:
    """Return the best candidates as they are, without leaving out what repeats another: two lessons at one price are two."""
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
