"""The training data: what lies in `train/data`, read, checked and split by author and topic.

Whole files are held out. `DEV` is for choosing (epochs, temperature, boundaries), `TEST` is only ever printed. Lines of one topic
or owner share words, so nothing is split by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from lattice_common.language.sentences.wording import BELOW
from lattice_common.recall.document_lines import below_headings

DATA = Path(__file__).with_name("data")

Split = Literal["train", "dev", "test"]

DEV = frozenset(
    {
        "pairs-E",
        "memories-D",
        "memories-H",
        "memories-I",
        "utterances-B",
        "lives-dev",
        "lives-dev2",
        "documents-E",
        "meant-C",
        "meant-S",
        "texts-D",
        "texts-F",
    }
)
TEST = frozenset(
    {
        "pairs-H",
        "memories-E",
        "memories-J",
        "memories-Q",
        "memories-U",
        "memories-V",
        "memories-Y",
        "documents-L",
        "utterances-D",
        "utterances-M",
        "meant-T",
        "texts-B",
        "texts-C",
        "texts-E",
        "texts-G",
        "lives-test",
        "lives-test2",
    }
)

RELATIONS = ("updates", "adds", "same", "unrelated")
INTENTS = ("tell", "ask", "do")
STATUSES = ("asserted", "past", "plan", "wish", "hypothetical", "quoted", "joke", "rejected", "uncertain", "rhetorical")
TRUE_STATUSES = tuple(STATUSES.index(name) for name in ("asserted", "past", "plan", "rhetorical"))
"""What was, is or is going to be, as `domain.status` has it."""
SOME_TRUE_STATUS = -2
"""The status of an utterance of which it is known only that it is one of TRUE_STATUSES."""
KINDS = (
    "fact",
    "preference",
    "event",
    "goal",
    "decision",
    "belief",
    "habit",
    "count",
    "reminder",
    "instruction",
    "recommendation",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """`label` indexes RELATIONS."""

    old: str
    new: str
    label: int
    lang: str
    type: str
    file: str


@dataclass(frozen=True, slots=True)
class Utterance:
    """`intent`, `status` and `kind` index INTENTS, STATUSES and KINDS, -1 where the text does not tell or no label is known; or
    `status` is SOME_TRUE_STATUS."""

    text: str
    intent: int
    status: int
    kind: int
    lang: str
    file: str


@dataclass(frozen=True, slots=True)
class Memory:
    """Statements by id, as (date, text); questions as (question, ids that answer, ids that no longer hold, kind)."""

    id: str
    lang: str
    statements: dict[str, tuple[str, str]]
    questions: tuple[tuple[str, tuple[str, ...], tuple[str, ...], str], ...]
    unanswerable: tuple[str, ...]
    file: str


@dataclass(frozen=True, slots=True)
class News:
    """Something said later, and which statements of its life it concerns: `updates` no longer hold, `touches` stay true though
    they speak of the same, `same` say what it says."""

    text: str
    updates: tuple[int, ...]
    touches: tuple[int, ...]
    same: tuple[int, ...]

    def label(self, statement: int) -> int:
        """How it relates to a statement of its life, as an index of RELATIONS."""
        own = {"updates": self.updates, "adds": self.touches, "same": self.same}
        return next((RELATIONS.index(name) for name, found in own.items() if statement in found), RELATIONS.index("unrelated"))


@dataclass(frozen=True, slots=True)
class Life:
    """What one owner's memory holds, all of it true at once, and what was said later, each piece of news by itself."""

    id: str
    lang: str
    statements: tuple[str, ...]
    news: tuple[News, ...]
    file: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A document as a reader of files makes it: lines as (headings, words); questions with the numbers of the lines that answer
    by themselves; and questions that nothing in it answers."""

    title: str
    lang: str
    lines: tuple[tuple[str, str], ...]
    asked: tuple[tuple[str, tuple[int, ...]], ...]
    none: tuple[str, ...]
    file: str

    def shown(self, place: int) -> str:
        """A line as the judge reads it: below title and headings."""
        headings, words = self.lines[place]
        return below_headings((self.title, *headings.split(BELOW)), words)


def split_of(path: Path) -> Split:
    return "dev" if path.stem in DEV else "test" if path.stem in TEST else "train"


def pairs(split: Split) -> list[Pair]:
    return [
        Pair(line["old"], line["new"], RELATIONS.index(line["label"]), line["lang"], line["type"], line["file"])
        for line in _lines("pairs", split)
    ]


def utterances(split: Split) -> list[Utterance]:
    return [
        Utterance(
            line["text"],
            INTENTS.index(line["intent"]),
            STATUSES.index(line["status"]) if line["intent"] == "tell" and line["status"] else -1,
            KINDS.index(line["kind"]) if line["intent"] == "tell" and line["kind"] else -1,
            line["lang"],
            line["file"],
        )
        for line in _lines("utterances", split)
    ]


def endings(split: Split) -> list[Utterance]:
    """News of lives that ends something, as utterances: what ends a statement is true of what it says, however much it sounds
    like something dropped or quoted ("Cracked the helmet and binned it."). Every third, and without an intent: they are more than
    all utterances together, and all tell, so that with them too much is taken for telling."""
    ending = [(news.text, life.lang, life.file) for life in lives(split) for news in life.news if news.updates]
    return [Utterance(text, -1, SOME_TRUE_STATUS, -1, lang, file) for text, lang, file in ending[::3]]


def memories(split: Split) -> list[Memory]:
    return [
        Memory(
            line["id"],
            line["lang"],
            {statement["id"]: (statement["date"], statement["text"]) for statement in line["statements"]},
            tuple(
                (question["q"], tuple(question["gold"]), tuple(question.get("stale", ())), question["kind"])
                for question in line["questions"]
            ),
            tuple(line["unanswerable"]),
            line["file"],
        )
        for line in _lines("memories", split)
    ]


def questions_on_lives(split: Split) -> list[Memory]:
    """The lives that questions were written on, as memories: each statement by its place, without a date."""
    told = {life.id: life for life in lives(split)}
    return [
        Memory(
            life.id,
            life.lang,
            {str(place): ("", text) for place, text in enumerate(life.statements)},
            tuple((each["q"], tuple(map(str, each["gold"])), (), each["kind"]) for each in line["questions"]),
            tuple(line["unanswerable"]),
            line["file"],
        )
        for line in _lines("questions", "train")
        if (life := told.get(line["life"])) is not None
    ]


def lives(split: Split) -> list[Life]:
    """Without the news of which a second reader, who had not written it, found that its labels can be argued."""
    return [
        Life(
            line["id"],
            line["lang"],
            tuple(line["statements"]),
            tuple(
                News(each["text"], *(tuple(each[name]) for name in ("updates", "touches", "same")))
                for number, each in enumerate(line["news"])
                if number not in line.get("arguable", ())
            ),
            line["file"],
        )
        for line in _lines("lives", split)
    ]


def texts(split: Split) -> list[dict[str, Any]]:
    """As written: text, facts with content, quote, status and kind, and what is no fact."""
    return list(_lines("texts", split))


def meant(split: Split) -> list[tuple[str, str, tuple[tuple[str, int], ...]]]:
    """Texts in which the parts are meant in different ways: language, text, and parts, each with the index of its status."""
    return [
        (line["lang"], line["text"], tuple((part, STATUSES.index(status)) for part, status in line["parts"]))
        for line in _lines("meant", split)
    ]


def sheets(split: Split) -> list[Sheet]:
    return [
        Sheet(
            line["title"],
            line["lang"],
            tuple((headings, words) for headings, words in line["lines"]),
            tuple((question, tuple(places)) for question, places in line["asked"]),
            tuple(line["none"]),
            line["file"],
        )
        for line in _lines("documents", split)
    ]


def _reviewed(kind: str) -> dict[tuple[str, int], dict[str, Any]]:
    """By file and line: what a second reader, who had not written the line, changed of it or dropped."""
    path = DATA / f"reviewed-{kind}.jsonl"
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    return {(finding["file"], finding["line"]): finding for finding in found}


_CORRECTED = ("label", "intent", "status", "arguable", "parts")


def _lines(kind: str, split: Split) -> Iterator[dict[str, Any]]:
    reviewed = _reviewed(kind)
    for path in sorted(DATA.glob(f"{kind}-*.jsonl")):
        if split_of(path) != split:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            finding = reviewed.get((path.stem, number), {})
            if not line.strip() or finding.get("action") == "drop":
                continue
            try:
                yield json.loads(line) | {"file": path.stem} | {name: finding[name] for name in _CORRECTED if name in finding}
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}. Mend the line.") from error
