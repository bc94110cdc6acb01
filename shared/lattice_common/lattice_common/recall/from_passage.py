"""The sentence of a passage that answers, and where it stands: quoted of a document, and never told as the owner's word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, pairwise, takewhile

from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.document_card import DOCUMENT
from lattice_common.domain.passage import is_passage
from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.letters.labels import OF_ITS_DATE, OF_ITS_SENDER, OF_ITS_SUM
from lattice_common.language.questions.answer_type import answer_type, holds
from lattice_common.language.questions.asked_value import AskedValue, asked_value, holds_value
from lattice_common.language.sentences.split import sentences
from lattice_common.language.text import analyze, query_tokens
from lattice_common.language.words import ENGLISH_MONTHS
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
BESIDE = 0.3
"""The same of a word that stands elsewhere in what was found of the document."""
LABELLED, MOST_LABELLED = 0.3, 2
"""What each label or cell counts whose words are all asked for ("Premium: …"; the row of "Ferritin" in the column "Reference"),
and how many do."""
ELSEWHERE = 0.3
"""What it counts against a text that most of the question's words stand nowhere in what was found of its document."""
PLAIN_VALUES: frozenset[AskedValue] = frozenset(("money", "phone", "code", "e-mail", "person", "address", "age"))
"""Values that can be seen in a text: what lacks the one that is asked for does not answer."""
LACKING = 0.4
"""What it counts against a text that it lacks such a value."""
NAMED = 0.3
"""What it counts that a sentence names somebody, where it is asked who."""
PRICE = ("total", "amount", "due", "price", "sum", "cost")
PRICED = 0.2
"""How sums are called, and what it counts that a line does so where it is asked how much."""
BEFORE = 0.2
"""What it counts that the line before is about what is asked: labels stand above their values."""
ANSWERS, ASKS = 0.7, 0.8
"""The same of a question that stands before: what follows may answer it; and what a sentence loses that asks itself."""
OF_ANOTHER = 0.8
"""What the memory that stands for a document loses where something is asked that it does not say."""
TITLE = 0.4
"""What a title loses: it says what comes, and nothing of it."""

_OF_SOMETHING = re.compile(r"\b(\w+) (?:of|on|for|in) (?:an?|his|her|its|my|our|that|the|their|this) ", re.IGNORECASE)
_SEGMENT = re.compile(r"\s*(?:[;|›–]|: )\s*|:$")
_SHORT = 4
"""Letters below which a word of another language says little: articles, prepositions."""
_NUMBERS = frozenset(analyze("number no nr num nummer numer numéro"))
_HOW = frozenset(analyze("how high much many long often old far what which"))
_ROW = re.compile(r"^\s*\|.*\|\s*$")
_BARS = re.compile(r"\s*\|\s*")
PAIR = 2
FEWEST_COLUMNS = 3
"""Names of columns from which on they are no label with its value, in a table of which that was not seen."""
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


@dataclass(frozen=True, slots=True)
class Part:
    """A line of a passage or what was learned of a document, and what its words show of an answer. `words` is how it is quoted,
    `drawn` the line as it stands there, `head` the names of the columns above it, `beside` what else was found of the
    document."""

    words: str
    drawn: str
    head: str
    fits: bool
    """Whether it holds the kind of thing that is asked for."""
    kind: float
    """What of that kind speaks for it or against it."""
    literal: float
    """The share of the question's words that it has."""
    labelled: float
    before: float
    """The share that the line above it has."""
    title: bool
    card_is_silent: bool
    """It stands for its document, which says nothing that is asked for."""
    beside: Set[str]

    def with_before(self, before: float) -> Part:
        return replace(self, before=max(self.before, before))


def parts_read(question: Question, atom: Atom, beside: Set[str]) -> Iterator[Part]:
    """Yield the lines of a passage, or what was learned as one; not the names of a table's columns, which tell no value."""
    asked, about = _asked(question.text), words_of(" ".join(about_of(atom)))
    of_passage = is_passage(atom)
    lines = parts_of(atom.content) if of_passage else (atom.content,)
    heads = _heads(lines, atom) if of_passage else [""]
    columns = (
        {head for head in _above_rules(atom) if len(_BARS.split(head.strip("| "))) >= FEWEST_COLUMNS} if of_passage else set()
    )
    above = 0.0
    for at, (line, head) in enumerate(zip(lines, heads, strict=True)):
        literal = _literal(asked, words_of(f"{line} {head}"), about, beside)
        if line not in columns:
            fits, kind = _fit(question, atom, line)
            yield Part(
                _whole(lines, at, head) if of_passage else line,
                line,
                head,
                fits,
                kind,
                literal,
                _labelled(asked, _with_head(line, head), atom),
                above,
                of_passage and _is_title(line, atom),
                atom.kind == DOCUMENT and not _card_tells(question),
                beside,
            )
        above = _literal(asked, words_of(line), about, beside)


def quote_of(question: Question, atom: Atom, near: Mapping[str, float], beside: Set[str] = frozenset()) -> Quote:
    """Return the sentence, line or row of a passage that bears the question out best. `near` are cosines of parts, as far as they
    are known, `beside` the words of what else was found of its document."""
    parts = parts_of(atom.content)
    about = words_of(" ".join(about_of(atom)))
    best = Quote(" ".join(atom.content.split())[:LONGEST], 0.0, True)
    found: list[tuple[float, int, bool]] = []
    asked = _asked(question.text)
    heads = _heads(parts, atom)
    literal = [
        _literal(asked, words_of(f"{part} {head}"), about, beside) + _labelled(asked, _with_head(part, head), atom)
        for part, head in zip(parts, heads, strict=True)
    ]
    for at, part in enumerate(parts):
        fits, score = _fit(question, atom, part)
        asks_above = at > 0 and parts[at - 1].endswith("?")
        before = (ANSWERS if asks_above else BEFORE) * literal[at - 1] if at else 0.0
        score += literal[at] + MEANT * max(near.get(part, 0.0), 0.0) + before
        found.append((score - (TITLE if _is_title(part, atom) else ASKS if part.endswith("?") else 0.0), -at, fits))
    if not found:
        return best
    score, at, fits = max(found)
    return Quote(_whole(parts, -at, heads[-at]), score, fits)


def worth_of(question: Question, atom: Atom, near: Mapping[str, float], beside: Set[str] = frozenset()) -> float:
    """Return the same measure for a memory that was learned of a document."""
    about, asked = words_of(" ".join(about_of(atom))), _asked(question.text)
    _, score = _fit(question, atom, atom.content)
    score += _literal(asked, words_of(atom.content), about, beside) + _labelled(asked, atom.content, atom)
    score -= OF_ANOTHER if atom.kind == DOCUMENT and not _card_tells(question) else 0.0
    score -= ASKS if atom.content.endswith("?") else 0.0
    return score + MEANT * max(near.get(atom.content, 0.0), 0.0)


def fits(question: Question, atom: Atom) -> bool:
    """Return whether what was learned of a document holds the kind of thing that is asked for."""
    return _fit(question, atom, atom.content)[0]


def _card_tells(question: Question) -> bool:
    """Return whether the memory that stands for a document can hold what is asked for: its date, whom it is from, what is to be
    paid."""
    value, kind = asked_value(question.text), answer_type(question.text)
    if kind == "time" or value == "time":
        return OF_ITS_DATE.search(question.text) is not None
    if value == "money" or kind == "number":
        return OF_ITS_SUM.search(question.text) is not None
    if value == "person":
        return OF_ITS_SENDER.search(question.text) is not None
    return value in (None, "name") and kind in (None, "name")


def words_beside(atoms: Sequence[Atom], heads: Mapping[str, Set[str]] | None = None) -> dict[str, frozenset[str]]:
    """Return the words of what was found of each capture, with what it is called and those of `heads`, where they are known."""
    found: dict[str, frozenset[str]] = {}
    for atom in atoms:
        words = words_of(f"{atom.content} {' '.join(about_of(atom))}") | _months_in_figures(atom.content)
        found[atom.capture_id] = found.get(atom.capture_id, frozenset()) | words
    return {capture: words | (heads or {}).get(capture, frozenset()) for capture, words in found.items()}


def _months_in_figures(content: str) -> frozenset[str]:
    """Return the names of the months that dates in figures mean: a row of "2026-10-04" is of October."""
    numbers = {int(found["iso"] or found["dotted"]) for found in _IN_FIGURES.finditer(content)}
    return frozenset(token for number in numbers if 0 < number <= MONTHS for token in analyze(ENGLISH_MONTHS[number - 1]))


MONTHS = len(ENGLISH_MONTHS)
_IN_FIGURES = re.compile(r"\b(?:19|20)\d\d-(?P<iso>\d\d)-\d\d\b|\b\d\d?\.(?P<dotted>\d\d?)\.(?:19|20)\d\d\b")


def says(said: Set[str], words: str) -> bool:
    """Return whether one of some words, or of its family, is among those of a text."""
    return any(_has(said, token) for token in analyze(words))


def asked_in(question: str, words: str) -> frozenset[str]:
    """Return the words of a question that some words have, or one of their family; in English where it is in another language."""
    said = words_of(words)
    return frozenset(token for token in _asked(question)[-1] if _has(said, token))


def cells_of(words: str, atom: Atom) -> tuple[tuple[str, str], ...]:
    """Return the cells of a row, each with the name of its column; none of what is no row."""
    for each in about_of(atom):
        words = words.removeprefix(each).lstrip(" ›:")
    cells = [cell.partition(": ") for cell in _below_section(words, atom).split("; ")]
    if len(cells) < 2:
        return ()
    return tuple((name if between else "", value or name) for name, between, value in cells)


def _below_section(words: str, atom: Atom) -> str:
    """Return what was learned of a row without the title and headings that it says before its first column: "Tram 6: Hafen -
    Universität: Stop: Zoo; …" is no row of the Hafen. Its quote is the row as it stands there."""
    if is_passage(atom) or not _ROW.match(atom.source_quote):
        return words
    first = next((cell for cell in _BARS.split(atom.source_quote.strip().strip("|").strip()) if cell), "")
    above, found, rest = words.partition(f": {first}; ") if first else (words, "", "")
    return f"{above.rpartition(': ')[-1]}{found}{rest}" if found else words


def _has(said: Set[str], token: str) -> bool:
    return token in said or (len(token) >= ALIKE and any(each.startswith(token[:ALIKE]) for each in said))


@lru_cache(maxsize=64)
def parts_of(text: str) -> tuple[str, ...]:
    """Return sentences, rows and lines, each on one line, without rules and marks of headings."""
    return tuple(_parts(text))[: MOST_PARTS * 2]


def _heads(parts: Sequence[str], atom: Atom) -> list[str]:
    """Return the names of the columns above each part that is a row, "" for others and where a table has none."""
    lines = [" ".join(line.split()) for line in atom.content.splitlines()]
    below = _above_rules(atom)
    head = lines[0] if lines and atom.content != atom.source_quote and _ROW.match(lines[0]) else ""  # repeated above the passage
    found: list[str] = []
    headless = [line for line in below if _RULE.match(line)]
    for part in parts:
        if not _ROW.match(part):
            head = ""
        elif part in below:
            head = part
        elif headless and head not in below:
            head = ""
        found.append(head if head != part else "")
    return found


def _above_rules(atom: Atom) -> set[str]:
    """Return the first rows of tables, with the names of their columns: some are empty, and that of a table which began before is
    repeated above a passage."""
    lines = [" ".join(line.split()) for line in atom.content.splitlines()]
    repeated = lines[:1] if atom.content != atom.source_quote else []
    return {line for line, after in pairwise([*lines, ""]) if _ROW.match(line) and (after.startswith("|-") or line in repeated)}


def _with_head(part: str, head: str) -> str:
    return _row(part, head) if _ROW.match(part) else part


def _whole(parts: Sequence[str], at: int, head: str) -> str:
    """Return the part with what it needs: the value after a label, the names of its columns."""
    words = parts[at]
    if words.endswith(":") and at + 1 < len(parts):
        words = f"{words} {parts[at + 1]}"
    if _ROW.match(words):
        words = _row(words, head)
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rstrip()} …"


def about_of(atom: Atom) -> Iterator[str]:
    """Yield what a document or passage is called: its title, its file, the headings above it."""
    headings = atom.metadata.get("headings")
    for each in (atom.metadata.get("title"), atom.metadata.get("file"), *(headings if isinstance(headings, list) else ())):
        if isinstance(each, str):
            yield each


def _is_title(part: str, atom: Atom) -> bool:
    if part in about_of(atom):
        return True
    return part[-1:] not in ".!?:;|)" and len(part.split()) <= 6 and not any(map(str.isdigit, part)) and ":" not in part


def _fit(question: Question, atom: Atom, words: str) -> tuple[bool, float]:
    """Return whether words hold the kind of thing that is asked for, and what else of that kind speaks for them."""
    kind, value = answer_type(question.text), asked_value(question.text)
    fits = kind is None or holds(replace(atom, content=words, valid_from=None), kind, question.text, question.tokens)
    more = _also_asked(question.text)(words)
    if value in PLAIN_VALUES and value is not None:
        has = holds_value(words, value, question.text)
        return fits and has, more + (HELD if fits and has else -LACKING)
    return fits, more + (HELD if kind is not None and fits else 0.0)


@lru_cache(maxsize=64)
def _asked(question: str) -> tuple[tuple[str, ...], ...]:
    """Return what a question asks for, in its own words and in English where it is in another language: either is enough. What is
    asked of something ("the warranty on the wall box") stands twice: a line that has only the thing is about something else of
    it."""
    gloss = english_gloss(question)
    own = [token for token in query_tokens(question) if token not in _HOW]
    if gloss is None:
        asked_of = {token for each in _OF_SOMETHING.findall(question) for token in query_tokens(each)}
        return ((*own, *(token for token in own if token in asked_of)),)
    told = [token for token in own if len(token) >= _SHORT or any(map(str.isdigit, token))]
    return tuple(told), tuple(token for token in query_tokens(gloss.text) if token not in _HOW)


@lru_cache(maxsize=1_024)
def words_of(text: str) -> frozenset[str]:
    """Return the words of a text, and what they are in English."""
    gloss = english_gloss(text)
    return frozenset(analyze(text if gloss is None else f"{text} {gloss.every_sense}"))


def _literal(asked: Sequence[Sequence[str]], said: Set[str], about: Set[str], beside: Set[str]) -> float:
    """Return the share of the question's words that are said, or stand above it or beside; less where half of them stand
    nowhere."""
    return max((_share(tokens, said, about, beside) for tokens in asked), default=0.0)


def _share(tokens: Sequence[str], said: Set[str], about: Set[str], beside: Set[str]) -> float:
    counted, missing = 0.0, 0
    for token in tokens:
        if token in said:
            counted += 1.0
        elif len(token) >= ALIKE and any(each.startswith(token[:ALIKE]) for each in said):
            counted += ALIKE_COUNTS
        elif token in about:
            counted += ABOUT_COUNTS
        elif token in beside:
            counted += BESIDE
        else:
            missing += 1
    return (counted / len(tokens) if tokens else 0.0) - (ELSEWHERE if 2 * missing > len(tokens) else 0.0)


def _labelled(asked: Sequence[Sequence[str]], words: str, atom: Atom) -> float:
    """Return what the labels and cells count that a question asks for word for word, where something stands beside them."""
    segments = [each for each in _SEGMENT.split(words.strip("| ")) if each.strip("| ")]
    if len(segments) < 2 or ":" not in words:
        return 0.0
    above = {*about_of(atom), *takewhile(lambda each: each not in atom.source_quote, segments)}
    # What the whole document is about names none of its labels: "Insurer" is not what is asked of an insurance.
    wanted = {token for tokens in asked for token in tokens} - {token for each in about_of(atom) for token in words_of(each)}
    told = [words_of(each) for each in segments if each not in above]
    named = sum(bool(each) and all(_is_asked(token, wanted) for token in frozenset(each)) for each in told)
    return LABELLED * min(named, MOST_LABELLED) if named < len(told) else 0.0


def _is_asked(token: str, wanted: Set[str]) -> bool:
    if token in _NUMBERS and not wanted.isdisjoint(_NUMBERS):
        return True
    return token in wanted or (len(token) >= ALIKE and any(each.startswith(token[:ALIKE]) for each in wanted))


def _also_asked(asked: str) -> Callable[[str], float]:
    lowered = asked.lower()
    if lowered.startswith(("who ", "whom ", "whose ")):
        return lambda part: NAMED if _PERSON.search(part) else 0.0
    if lowered.startswith("how much") or " cost" in lowered:
        return lambda part: PRICED if any(word in part.lower() for word in PRICE) else 0.0
    return lambda _: 0.0


def _parts(text: str) -> Iterator[str]:
    for words, is_row in _stretches(text):
        for line in (words,) if is_row else _sentences(words):
            bare = _MARK.sub("", line).strip()
            if bare and not _RULE.match(bare):
                yield " ".join(bare.split())


def _stretches(text: str) -> Iterator[tuple[str, bool]]:
    """Yield rows of tables, each whole though its cells may hold sentences, and what stands between them."""
    for is_row, group in groupby(text.splitlines(), key=lambda line: _ROW.match(line) is not None):
        lines = list(group)
        yield from ((line, True) for line in lines) if is_row else (("\n".join(lines), False),)


def _sentences(text: str) -> Iterator[str]:
    for span in sentences(text):
        yield from _lines(text, span)


def _lines(text: str, span: Span) -> Iterator[str]:
    words = text[span.start : span.end]
    if "   " in words:
        yield from words.splitlines()
    else:
        yield words


def _row(row: str, head: str) -> str:
    """Return a row with the names of its columns; where these have none, a label with its value."""
    cells, names = ([cell.strip() for cell in line.strip().strip("|").split("|")] for line in (row, head))
    names += [""] * (len(cells) - len(names))
    held = [(name, cell) for name, cell in zip(names, cells, strict=False) if cell]
    if len(held) == PAIR and not any(names):
        return f"{held[0][1].rstrip(': ')}: {held[1][1]}"
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in held)
