"""The sentence of a passage that answers, and where it stands: quoted of a document, and never told as the owner's word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.sentences import sentences
from lattice_common.domain.text import analyze
from lattice_common.recall.asked_kind import asked_kind, holds
from lattice_common.recall.question import Question

LONGEST = 320
"""Characters of a quotation."""
MOST_PARTS = 14
"""Sentences of a passage that are compared with a question by their meaning."""
MEANT = 1.0
"""What the cosine of a sentence counts, beside the share of the question's words that it has."""
HELD = 0.3
"""What it counts that a sentence holds the kind of thing that is asked for: a time, a number, a name."""
ALIKE, ALIKE_COUNTS = 5, 0.6
"""Letters in common from the first on that make two words one family ("founded", "founders"), and what such a word counts."""
ABOUT_COUNTS = 0.5
"""What a word counts that stands in the title or headings above a sentence."""
NAMED = 0.3
"""What it counts that a sentence names somebody, where it is asked who."""
PRICE = ("total", "amount", "due", "price", "sum", "cost")
PRICED = 0.2
"""How sums are called, and what it counts that a line does so where it is asked how much."""
BEFORE = 0.2
"""What it counts that the line before is about what is asked: labels stand above their values."""
TITLE = 0.4
"""What a title loses: it says what comes, and nothing of it."""

_ROW = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^[\s|:\-–—=_*#.]+$")
_MARK = re.compile(r"^\s*(?:#{1,6}|[-*+•])\s+")
_PERSON = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof)\.? [A-Z]\w+|\b[A-Z][a-z][\w'-]* (?:[A-Z]\. |[a-z]{2,3} ){0,2}[A-Z][a-z][\w'-]*")


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted, and how far it bears the question out: up to 1 by its words, as much by its meaning, and a little more."""

    words: str
    score: float
    fits: bool
    """Whether it holds the kind of thing that is asked for."""


def quote_of(question: Question, atom: Atom, near: Mapping[str, float]) -> Quote:
    """The sentence, line or row of a passage that bears the question out best. `near` are cosines of parts, as far as they are
    known."""
    parts = parts_of(atom.content)
    about = frozenset(analyze(" ".join(_about(atom))))
    best = Quote(" ".join(atom.content.split())[:LONGEST], 0.0, True)
    found: list[tuple[float, int, bool]] = []
    literal = [_literal(question.tokens, frozenset(analyze(part)), about) for part in parts]
    for at, part in enumerate(parts):
        fits, score = _fit(question, atom, part)
        score += literal[at] + MEANT * max(near.get(part, 0.0), 0.0) + BEFORE * (literal[at - 1] if at else 0.0)
        found.append((score - (TITLE if _is_title(part, atom) else 0.0), -at, fits))
    if not found:
        return best
    score, at, fits = max(found)
    return Quote(_whole(parts, -at, atom.content), score, fits)


def worth_of(question: Question, atom: Atom, near: Mapping[str, float]) -> float:
    """The same measure for a memory that was learned of a document."""
    about = frozenset(analyze(" ".join(_about(atom))))
    _, score = _fit(question, atom, atom.content)
    return (
        score + _literal(question.tokens, frozenset(analyze(atom.content)), about) + MEANT * max(near.get(atom.content, 0.0), 0.0)
    )


@lru_cache(maxsize=64)
def parts_of(text: str) -> tuple[str, ...]:
    """Sentences, rows and lines, each on one line, without rules and marks of headings."""
    return tuple(_parts(text))[: MOST_PARTS * 2]


def _whole(parts: Sequence[str], at: int, content: str) -> str:
    """The part with what it needs: the value after a label, the names of its columns."""
    words = parts[at]
    if words.endswith(":") and at + 1 < len(parts):
        words = f"{words} {parts[at + 1]}"
    head = content.split("\n", 1)[0].strip()
    if _ROW.match(words) and _ROW.match(head) and head != words:
        words = _row(words, head)
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()} …"


def _about(atom: Atom) -> Iterator[str]:
    headings = atom.metadata.get("headings")
    for each in (atom.metadata.get("title"), atom.metadata.get("file"), *(headings if isinstance(headings, list) else ())):
        if isinstance(each, str):
            yield each


def _is_title(part: str, atom: Atom) -> bool:
    if part in _about(atom):
        return True
    return part[-1:] not in ".!?:;|)" and len(part.split()) <= 6 and not any(map(str.isdigit, part)) and ":" not in part


def _fit(question: Question, atom: Atom, words: str) -> tuple[bool, float]:
    """Whether words hold the kind of thing that is asked for, and what else of that kind speaks for them."""
    kind = asked_kind(question.text)
    fits = kind is None or holds(replace(atom, content=words, valid_from=None), kind, question.text, question.tokens)
    more = _also_asked(question.text)(words)
    return fits, more + (HELD if kind is not None and fits else 0.0)


def _literal(asked: Sequence[str], said: Set[str], about: Set[str]) -> float:
    """The share of the question's words that are said, or stand above it."""
    counted = 0.0
    for token in asked:
        if token in said:
            counted += 1.0
        elif len(token) >= ALIKE and any(each.startswith(token[:ALIKE]) for each in said):
            counted += ALIKE_COUNTS
        elif token in about:
            counted += ABOUT_COUNTS
    return counted / len(asked) if asked else 0.0


def _also_asked(asked: str) -> Callable[[str], float]:
    lowered = asked.lower()
    if lowered.startswith(("who ", "whom ", "whose ")):
        return lambda part: NAMED if _PERSON.search(part) else 0.0
    if lowered.startswith("how much") or " cost" in lowered:
        return lambda part: PRICED if any(word in part.lower() for word in PRICE) else 0.0
    return lambda _: 0.0


def _parts(text: str) -> Iterator[str]:
    for span in sentences(text):
        for line in _lines(text, span):
            bare = _MARK.sub("", line).strip()
            if bare and not _RULE.match(bare):
                yield " ".join(bare.split())


def _lines(text: str, span: Span) -> Iterator[str]:
    words = text[span.start : span.end]
    if "|" in words or "   " in words:
        yield from words.splitlines()
    else:
        yield words


def _row(row: str, head: str) -> str:
    """A row with the names of its columns."""
    cells, names = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in (row, head))
    names += [""] * (len(cells) - len(names))
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell)
