"""An answer to a question of several parts: for each part the statement that answers it; parts without an answer are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Selected
from lattice_common.domain.score import logit
from lattice_common.language.questions.asked_value import asked_value, holds_value
from lattice_common.recall.gather import READ, Gathered, Part

OF_WHOLE, A_PLACE, HOLDS = 0.5, 0.3, 1.0
"""What the log-odds of answering the whole question, each place down the list and holding such a value as is asked for count,
beside the log-odds of answering the part. Chosen on 77 questions of several parts in train/data (memories A, B, D, F): the answer
cites 68 % of what answers in two sentences, where the first three of the list are 67 %."""
LEAST, MOST = 1e-4, 1 - 1e-4
"""Limits of probabilities before their log-odds are taken."""
KNOWN = 0.2
"""Probability below which the best statement for a part does not answer it, where the search is not certain of it either."""
FEWEST, HARDLY = 2, 0.1
"""Least number of statements in an answer to several parts: one that answers all has another beside it, in case it does not; but
none that has less than `HARDLY` of its chance."""


@dataclass(frozen=True, slots=True)
class OfParts:
    """`told`: the answering statements, each once, in the order of the parts; `unknown`: the parts without an answer."""

    told: tuple[Selected, ...]
    unknown: tuple[str, ...]


def of_parts(gathered: Gathered, chosen: Sequence[Selected]) -> OfParts:
    """Return the statements for the parts. `chosen`: the results of the whole question."""
    found = [each for each in chosen[:READ] if not is_passage(each.atom)]
    told: dict[str, Selected] = {}
    unknown: list[str] = []
    for part in gathered.parts:
        best = _best(part, found, gathered.chances)
        if best is None:
            unknown.append(part.said)
        else:
            told.setdefault(best.atom.atom_id, best)
    if told and not unknown:
        least = HARDLY * max(_chance(each, gathered) for each in told.values())
        for each in sorted(found, key=lambda each: -gathered.chances.get(each.atom.atom_id, 0.0)):
            if len(told) < FEWEST and _chance(each, gathered) >= least:
                told.setdefault(each.atom.atom_id, each)
    return OfParts(tuple(told.values()), tuple(unknown))


def _chance(selected: Selected, gathered: Gathered) -> float:
    """Return the greatest chance that a statement answers the whole question or one of its parts."""
    atom_id = selected.atom.atom_id
    return max(chances.get(atom_id, 0.0) for chances in (gathered.chances, *(part.chances for part in gathered.parts)))


def _best(part: Part, found: Sequence[Selected], of_whole: Mapping[str, float]) -> Selected | None:
    """Return the likeliest answer to a part; None where it lacks the kind of value that is asked for, or does not answer it."""
    text = part.question.text
    value = asked_value(text)
    holding = {each.atom.atom_id for each in found if value is None or holds_value(each.atom.content, value, text)}
    if not holding:
        return None

    def worth(place: int) -> float:
        atom_id = found[place].atom.atom_id
        chances = (of_whole.get(atom_id), part.chances.get(atom_id))
        whole, own = (0.0 if each is None else logit(min(max(each, LEAST), MOST)) for each in chances)
        return own + OF_WHOLE * whole - A_PLACE * place + HOLDS * (atom_id in holding)

    best = found[max(range(len(found)), key=worth)]
    unlikely = part.chances.get(best.atom.atom_id, 1.0) < KNOWN
    return None if unlikely and not part.answerable else best
