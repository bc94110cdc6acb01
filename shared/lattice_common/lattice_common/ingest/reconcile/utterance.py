"""What was said in one go: extraction makes several statements of it, and its news may lie in all of them together.

"Bapi's legs have given out, and I am now a customer of Jhuma." is two statements. Neither alone says that Bapi is no longer the
fish seller; the whole does, and the whole is what the judge was trained on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lattice_common.domain.atom import Atom
from lattice_common.domain.document_card import DOCUMENT
from lattice_common.domain.status import raises_doubt
from lattice_common.language.sentences.split import is_ended

MOST_STATEMENTS, LONGEST = 4, 300
"""Statements and characters of what counts as said in one go; more is a text, each sentence of which stands for itself."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """The statements of one segment, in the order of their words, those words, and each sentence that holds several of them."""

    atoms: tuple[Atom, ...]
    said: str
    sentences: tuple[str, ...]


def utterances(atoms: Iterable[Atom]) -> Iterator[Utterance]:
    """Yield what one speaker said in one segment, where several statements were made of it and it is short enough to be read as a
    whole. What is only wished, supposed, joked or said by others is no part of it: "> I live in Bath now" says nothing of where
    the owner lives, whoever answers "Great news"."""
    turns: dict[tuple[str, str | None, str], list[Atom]] = {}
    for atom in atoms:
        if atom.segment_id is not None and atom.kind != DOCUMENT and raises_doubt(atom.status):
            turns.setdefault((atom.segment_id, atom.speaker, atom.trust), []).append(atom)
    for found in turns.values():
        if 1 < len(found) <= MOST_STATEMENTS:
            quotes = _quotes(found)
            sentences = tuple(_sentences(quotes))
            is_one = bool(sentences) and not any(is_ended(quote) for quote, _ in quotes[:-1])
            said = sentences[0] if is_one else " ".join(quote for quote, _ in quotes)
            if len(said) <= LONGEST:
                yield Utterance(tuple(found), said, sentences)


def _quotes(atoms: Iterable[Atom]) -> list[tuple[str, bool]]:
    """Return the quotes in the order of the text, without those that stand within another, and whether words or a comma stand
    before each."""
    quotes: list[tuple[str, bool]] = []
    read_to = -1
    for atom in sorted(atoms, key=lambda each: (each.source_span.start, -each.source_span.end)):
        if atom.source_span.end > read_to:
            quotes.append((atom.source_quote, atom.source_span.start > read_to + 1))
            read_to = atom.source_span.end
    return quotes


def _sentences(quotes: Iterable[tuple[str, bool]]) -> Iterator[str]:
    """Yield the sentences of which extraction made several statements; what stood between them is a comma."""
    sentence, statements = "", 0
    for quote, is_apart in quotes:
        sentence = f"{sentence}{',' if is_apart else ''} {quote}" if statements else quote
        statements += 1
        if is_ended(quote):
            if statements > 1:
                yield sentence
            sentence, statements = "", 0
    if statements > 1:
        yield sentence
