"""What was said in one go: extraction makes several statements of it, and its news may lie in all of them together.

"Bapi's legs have given out, and I am now a customer of Jhuma." is two statements. Neither alone says that Bapi is no longer the
fish seller; the whole does, and the whole is what the judge was trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lattice_common.domain.atom import Atom
from lattice_common.domain.document_card import DOCUMENT

MOST_STATEMENTS, LONGEST = 4, 300
"""Statements and characters of what counts as said in one go; more is a text, each sentence of which stands for itself."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """The statements of one segment, in the order of their words, and those words."""

    atoms: tuple[Atom, ...]
    said: str


def utterances(atoms: Iterable[Atom]) -> Iterator[Utterance]:
    """Yield what one speaker said in one segment, where several statements were made of it and it is short enough to be read as a
    whole."""
    turns: dict[tuple[str, str | None, str], list[Atom]] = {}
    for atom in atoms:
        if atom.segment_id is not None and atom.kind != DOCUMENT:
            turns.setdefault((atom.segment_id, atom.speaker, atom.trust), []).append(atom)
    for found in turns.values():
        if 1 < len(found) <= MOST_STATEMENTS:
            said = _words(found)
            if len(said) <= LONGEST:
                yield Utterance(tuple(found), said)


def _words(atoms: Iterable[Atom]) -> str:
    """Return the quotes in the order of the text, without those that stand within another."""
    quotes: list[str] = []
    read_to = -1
    for atom in sorted(atoms, key=lambda each: (each.source_span.start, -each.source_span.end)):
        if atom.source_span.end > read_to:
            quotes.append(atom.source_quote)
            read_to = atom.source_span.end
    return " ".join(quotes)
