"""Whether fits and thresholds hold on the owner's own memory, with the embedding model in use: `lattice calibrate`.

Memories are asked for by half of their words (they must be found), and questions are asked that no memory answers. Nothing is
changed. The thresholds of similarity are cosines of the packaged model: the cosines of another model for the same pairs of
memories show where its thresholds should be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query, Selection
from lattice_common.errors import InvalidInput
from lattice_common.language.text import analyze
from lattice_common.ports.embedder import Embedder

SAMPLE = 200
"""Memories asked for: a share of 90 % is then known to 4 points."""
FEWEST = 20
"""With fewer memories nothing can be measured."""
FEWEST_WORDS = 6
TAIL = 0.02
"""Share of the pairs, the most similar ones, by which thresholds are converted: those further apart say nothing about them."""

UNKNOWN = (
    "What is the boiling point of tungsten?",
    "Who won the chess olympiad in Tromsø?",
    "How many moons has Uranus?",
    "Which river flows through Ouagadougou?",
    "What does the abbreviation SONAR stand for?",
    "When was the Treaty of Tordesillas signed?",
    "What is the chemical symbol of antimony?",
    "Who composed the opera Rusalka?",
    "How deep is the Mariana trench?",
    "What is the currency of Mongolia?",
)
"""Questions that hardly any personal memory answers."""


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Cosines: see the settings LATTICE_SIMILARITY_…"""

    duplicate: float
    updates: float
    related: float


@dataclass(frozen=True, slots=True)
class Calibrated:
    """Shares of 0…1: `found_first` and `found` of the memories asked for (first, and among the first ten), `refused` of these
    questions, `answered` of the ones that no memory answers. `advised` are thresholds for this model."""

    model_id: str
    asked: int
    found_first: float
    found: float
    refused: float
    answered: float
    used: Thresholds
    advised: Thresholds


def calibrate(
    atoms: Sequence[Atom],
    select: Callable[[Query], Selection],
    embedder: Embedder,
    reference: Embedder,
    used: Thresholds,
    fitted: Thresholds,
    on_progress: Callable[[str, int, int], None],
) -> Calibrated:
    """Measure on `atoms`. `reference` is the packaged model, whose cosines the `fitted` thresholds are. Raise `InvalidInput`
    where there are too few memories."""
    usable = [atom for atom in atoms if not atom.is_superseded and len(set(analyze(atom.content))) >= FEWEST_WORDS]
    if len(usable) < FEWEST:
        raise InvalidInput(f"{len(usable)} memories are long enough to ask for; something can be said from {FEWEST} on.")
    chosen = usable[:: max(1, len(usable) // SAMPLE)][:SAMPLE]
    places: list[int | None] = []
    refused = 0
    for done, atom in enumerate(chosen, start=1):
        selection = select(Query(" ".join(dict.fromkeys(analyze(atom.content)[::2])), limit=10))
        ids = [each.atom.atom_id for each in selection.atoms]
        places.append(ids.index(atom.atom_id) if atom.atom_id in ids else None)
        refused += not selection.answerable
        on_progress("asking", done, len(chosen))
    answered = sum(select(Query(question, limit=10)).answerable for question in UNKNOWN)
    return Calibrated(
        embedder.model_id,
        len(chosen),
        sum(place == 0 for place in places) / len(chosen),
        sum(place is not None for place in places) / len(chosen),
        refused / len(chosen),
        answered / len(UNKNOWN),
        used,
        _carried_over([atom.content for atom in chosen], embedder, reference, fitted),
    )


def _carried_over(texts: Sequence[str], embedder: Embedder, reference: Embedder, fitted: Thresholds) -> Thresholds:
    """Return the thresholds in this model's cosines in place of the packaged one's: by a line through those of the most similar
    pairs."""
    if embedder.model_id == reference.model_id:
        return fitted
    above = np.triu_indices(len(texts), 1)
    own, packaged = ((made @ made.T)[above] for made in (embedder.embed(texts), reference.embed(texts)))
    alike = packaged >= np.quantile(packaged, 1 - TAIL)
    # A text has the cosine 1 with itself in every model: the line ends there.
    away, away_packaged = 1.0 - own[alike], 1.0 - packaged[alike]
    slope = float((away @ away_packaged) / max(float(away_packaged @ away_packaged), 1e-9))
    return Thresholds(
        *(round(max(0.0, 1.0 - slope * (1.0 - each)), 2) for each in (fitted.duplicate, fitted.updates, fitted.related))
    )
