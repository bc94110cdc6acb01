"""Times that a question names by an event: "before I changed jobs", "since the wedding", "when we lived in Leeds".

The clause is looked up like a question of its own; the time of the memory that contains most of its words is the anchor. Without
one, the time is unknown, and the question is answered without it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from lattice_common.domain.atom import Atom
from lattice_common.language.patterns import uncased
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.text import analyze, query_tokens
from lattice_common.ports.catalogue import Columns

Side: TypeAlias = Literal["before", "after", "during"]

HELD = 0.6
"""Share of the clause's tokens that a memory must contain to be about the event."""
HITS = 3
"""Memories that are considered."""
AROUND = 60 * 86_400.0
"""Seconds on each side of a momentary event that count as "when" it happened."""

_WORD = r"(?:(?<=\w )|(?<=\w, ))(?P<word>before|after|since|when|while|until)(?: that| the time)? "
_CLAUSE = re.compile(
    _WORD + r"(?P<clause>(?:i|we|he|she|they|my|our|the|his|her|their|[A-Z]\w+)\b[^?,;]*)",
    re.IGNORECASE,
)
_GLOSSED = re.compile(_WORD + r"(?P<clause>[^?,;]+)", re.IGNORECASE)
"""A gloss may lack articles and pronouns: "when live in Leeds"."""
_SIDES: dict[str, Side] = {
    "before": "before", "until": "before", "after": "after", "since": "after", "when": "during", "while": "during",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Anchor:
    """How the time asked about is given: the tokens of a clause, and on which side of its event the time is."""

    side: Side
    tokens: tuple[str, ...]


def anchor_in(question: str, *, glossed: bool = False) -> Anchor | None:
    """Return the anchor clause of a question, which may be a gloss; None where it has none, or one without words to look for."""
    match = (_GLOSSED if glossed else _CLAUSE).search(question)
    tokens = tuple(query_tokens(match["clause"])) if match else ()
    return Anchor(_SIDES[uncased(match["word"])], tokens) if match and tokens else None


def anchored(anchor: Anchor, found: Sequence[Atom], columns: Columns) -> AskedPeriod | None:
    """Return the time given by the memory of the event: the best of `found` (best first) that contains enough of the clause's
    words."""
    wanted = set(anchor.tokens)
    for atom in found:
        if len(wanted & set(analyze(atom.content))) >= HELD * len(wanted):
            return _beside(anchor.side, atom, columns)
    return None


def _beside(side: Side, atom: Atom, columns: Columns) -> AskedPeriod:
    begins = (atom.valid_from or atom.observed_at).timestamp()
    if side == "before":
        return AskedPeriod(-math.inf, begins)
    if side == "after":
        return AskedPeriod(begins, math.inf)
    row = columns.row_of[atom.atom_id]
    over = np.nanmin([columns.valid_until[row], columns.superseded_at[row], math.inf])
    return AskedPeriod(begins, float(over)) if math.isfinite(over) else AskedPeriod(begins - AROUND, begins + AROUND)
