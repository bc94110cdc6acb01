"""The lines of what a question found of documents, each with the chance that it is the one that answers.

What people ask of a document is seldom said in its words: "what do I pay if I lose the remote?" of "Replacement of a transmitter:
£45". So for answers, where there are vectors and a judge, sentences, rows and what was learned of the best documents are read
twice: by a cheap measure that picks `READ` of them, and by a regression over what that measure, the vectors and the judge make of
them beside each other (`document_lines.json`, made by `bench/fit_documents.py`). One of them answers or none does, so the chances
of all and of "none of them" are one, and what two of them have together is the chance that one of the two answers.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Selected
from lattice_common.domain.score import Regression
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.letters.sent_on import asks_when_sent, says_when_sent
from lattice_common.language.questions.asked_value import asked_value, holds_value
from lattice_common.language.questions.document_fields import tells_of
from lattice_common.language.sentences.wording import BELOW
from lattice_common.language.text import analyze, query_tokens
from lattice_common.ports.embedder import Embedder, Vectors
from lattice_common.recall.asked_names import asked_names
from lattice_common.recall.from_passage import Part, about_of, parts_read, words_beside
from lattice_common.recall.of_document import below_names, below_words
from lattice_common.recall.question import Floats, Question, Search
from lattice_common.recall.reading import Reading, log_odds_of
from lattice_common.recall.table_rows import TableRow, rows_asked

LOOKED_AT = 8
"""Best results that are read: they have the fact for 97 of 100 questions of `bench.fit_documents`, the best three for 90."""
READ = 16
"""Lines that the judge reads, each twice, some 140 ms of one core: the cheap measure has lost what answers 1 of 600 questions by
then."""
TOGETHER, NEARLY = 0.6, 0.5
"""Chance that one of two lines of a document answers from which on both are told though neither is sure enough, and what the
second has of the first one's at least (`bench/fit_documents.py`)."""
FEATURES = (
    "fits", "kind", "literal", "labelled", "before", "title", "card_is_silent", "document_is_silent", "place", "length",
    "lacks_value", "lacks_code", "has_name", "lacks_name", "field", "cosine", "cosine_below_headings", "rare_words", "read",
    "read_below_best", "told", "told_below_best", "cosine_below_best", "literal_below_best", "field_below_best",
)  # fmt: skip
Heads: TypeAlias = Mapping[str, Set[str]]
"""The words that documents begin with, by capture."""
_LONGEST = 320.0


@dataclass(frozen=True, slots=True)
class DocumentLine:
    """A line of a passage, or a memory (`words` is then its content), and its chance, 0…1. `answers`: it is told, alone or with
    another of which one answers."""

    selected: Selected
    words: str
    chance: float
    answers: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """Lines that were read, and what is known of each: one row of FEATURES."""

    lines: tuple[tuple[Selected, str], ...]
    rows: Floats


@dataclass(slots=True)
class _Candidate:
    selected: Selected
    part: Part
    place: int
    cosine: float = 0.0
    below_headings: float = 0.0

    def cheap(self) -> float:
        return self.part.literal + self.part.labelled + self.part.kind + self.cosine + self.below_headings


def document_lines(
    search: Search, chosen: Sequence[Selected], silent: Set[str], known: Regression | None, heads: Heads | None = None
) -> tuple[DocumentLine, ...] | None:
    """Return the lines, the likeliest first; None where nothing reads them: without vectors or a judge."""
    compared = None if known is None else compare(search, chosen, silent, heads)
    if known is None or compared is None:
        return None
    odds = np.exp(np.clip(compared.rows @ known.weights + known.bias, -30.0, 30.0))
    chances = odds / (1.0 + odds.sum())
    told = answering(chances.tolist(), [selected.atom.capture_id for selected, _ in compared.lines], known.boundary)
    found = [
        DocumentLine(*line, float(chance), at in told)
        for at, (line, chance) in enumerate(zip(compared.lines, chances, strict=True))
    ]
    return tuple(sorted(found, key=lambda each: -each.chance))


def answering(chances: Sequence[float], documents: Sequence[str], boundary: float) -> tuple[int, ...]:
    """Return the places of the lines that are told: the likeliest where it is sure enough; else the likeliest two of its document
    where one of them surely answers, whichever it is; else none."""
    best, *others = sorted(range(len(chances)), key=lambda at: -chances[at])
    if chances[best] >= boundary:
        return (best,)
    second = next((at for at in others if documents[at] == documents[best]), best)
    surely = second != best and chances[best] + chances[second] >= TOGETHER
    return (best, second) if surely and chances[second] >= NEARLY * chances[best] else ()


def compare(search: Search, chosen: Sequence[Selected], silent: Set[str], heads: Heads | None = None) -> Compared | None:
    """Return the lines that are worth reading; None where nothing reads them. `heads` are the words that documents begin with."""
    if search.space is None or search.vector is None or search.reading is None:
        return None
    once = _without_doubles(list(_candidates(search.question, chosen, heads)))
    asked = rows_asked(search.question, [TableRow.of(each.part.words, each.selected.atom) for each in once], search.now)
    found = [each for each, held in zip(once, asked, strict=True) if held]
    if not found:
        return None
    _measure(found, search.space.embedder, search.vector)
    found.sort(key=lambda each: -each.cheap())
    best = found[:READ]
    # Rare among all that was found, not among the few that are read: the question's own subject is in each of these.
    rare = _rare_words(search.question.text, [each.part.words for each in found])[: len(best)]
    rows = [_row(search.question, each, silent) for each in best]
    table = np.column_stack([np.array(rows), rare, _read(search.reading, search.question, best)])
    below = [table[:, at] - table[:, at].max() for at in map(FEATURES.index, ("cosine_below_headings", "literal", "field"))]
    return Compared(tuple((each.selected, each.part.words) for each in best), np.column_stack([table, *below]))


def _candidates(question: Question, chosen: Sequence[Selected], heads: Heads | None) -> Iterator[_Candidate]:
    beside = words_beside([each.atom for each in chosen], heads)
    for place, each in enumerate(chosen[:LOOKED_AT]):
        for part in parts_read(question, each.atom, beside[each.atom.capture_id]):
            if not says_when_sent(part.words) or asks_when_sent(question.text):
                yield _Candidate(each, part, place)


def _without_doubles(found: Sequence[_Candidate]) -> list[_Candidate]:
    """Return the candidates without lines that a memory of their document says as well, which takes the better place of both,
    and without lines that two passages share."""
    learned = [
        (each, _bare(each.part.words), f" {_bare(each.selected.atom.source_quote)} ")
        for each in found
        if not is_passage(each.selected.atom)
    ]
    kept: list[_Candidate] = []
    seen: set[tuple[str, str]] = set()
    for each in found:
        if not is_passage(each.selected.atom):
            kept.append(each)
            continue
        capture, words, drawn = each.selected.atom.capture_id, _bare(each.part.words), f" {_bare(each.part.drawn)} "
        said = (
            one
            for one, told, quote in learned
            if one.selected.atom.capture_id == capture
            and words
            # A day may have been added within: "due on 30 January (30 January 2026)".
            and (told.endswith(words) or (drawn in quote and set(drawn.split()) <= set(told.split())))
        )
        if twin := next(said, None):
            twin.place, twin.part = min(twin.place, each.place), twin.part.with_before(each.part.before)
        elif (capture, words) not in seen:
            seen.add((capture, words))
            kept.append(each)
    return kept


def _bare(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def _measure(found: Sequence[_Candidate], embedder: Embedder, vector: Vectors) -> None:
    texts = {each.part.words: 0.0 for each in found} | {_below_headings(each): 0.0 for each in found}
    cosines = dict(zip(texts, embedder.embed(list(texts)) @ vector, strict=True))
    for each in found:
        each.cosine, each.below_headings = float(cosines[each.part.words]), float(cosines[_below_headings(each)])


def _below_headings(candidate: _Candidate) -> str:
    """Return a line as it stands in its document. What was learned says its headings itself."""
    atom = candidate.selected.atom
    title, headings = atom.metadata.get("title"), atom.metadata.get("headings")
    above = [each for each in (title, *(headings if isinstance(headings, list) else ())) if isinstance(each, str)]
    return below_headings(above, candidate.part.words) if is_passage(atom) else candidate.part.words


def below_headings(above: Sequence[str], words: str) -> str:
    """Return a line below the title and the headings that it stands under, without those that are empty or said twice."""
    said = BELOW.join(dict.fromkeys(filter(None, above)))
    return f"{said}: {words}" if said else words


def _read(reading: Reading, question: Question, best: Sequence[_Candidate]) -> Floats:
    """Return what the judge makes of each, (lines, 4): as a line of a document that names whom it is about, and as a statement
    that says all that its document does; both also below the best."""
    lines = [(_below_headings(each), each.part.beside) for each in best]
    named = reading.lines_answer(question.text, [below_names(question.text, line, beside) for line, beside in lines])
    told = reading.alone(question.text, [below_words(question.text, line, beside) for line, beside in lines])
    odds = np.array([log_odds_of(named), log_odds_of(told)])
    return np.column_stack([column for each in odds for column in (each, each - each.max())])


def _rare_words(question: str, texts: Sequence[str]) -> list[float]:
    """Return how much of the question's words each text has, the rarer among them the more they count."""
    asked = frozenset(query_tokens(in_english(question)))
    held = [asked & frozenset(analyze(in_english(text))) for text in texts]
    count, times = len(texts), Counter(token for each in held for token in each)
    weights = {token: math.log(1.0 + (count - times[token] + 0.5) / (times[token] + 0.5)) for token in asked}
    total = sum(weights.values()) or 1.0
    return [sum(weights[token] for token in each) / total for each in held]


def _row(question: Question, candidate: _Candidate, silent: Set[str]) -> tuple[float, ...]:
    """Return the features that need nothing but the line, up to the cosines, in their order."""
    part, atom = candidate.part, candidate.selected.atom
    value = asked_value(question.text)
    said = frozenset(analyze(f"{part.drawn} {part.head} {part.words}"))
    codes = [token for token in query_tokens(question.text) if any(map(str.isdigit, token))]
    above = frozenset(analyze(" ".join(about_of(atom))))
    names = asked_names(question.text)
    return (
        float(part.fits),
        part.kind,
        part.literal,
        part.labelled,
        part.before,
        float(part.title),
        float(part.card_is_silent),
        float(atom.capture_id in silent),
        candidate.place / LOOKED_AT,
        min(len(part.words) / _LONGEST, 1.0),
        float(value is not None and not holds_value(part.drawn, value, question.text)),
        _share(codes, lambda token: token not in said and token not in above),
        _share(names, said.__contains__),
        _share(names, lambda token: token not in part.beside),
        tells_of(question.text, f"{part.head} {part.words}"),
        candidate.cosine,
        candidate.below_headings,
    )


def _share(tokens: Sequence[str], counts: Callable[[str], bool]) -> float:
    return sum(map(counts, tokens)) / len(tokens) if tokens else 0.0
