"""What every system is told, one text after the other, and what is asked of it: LoCoMo's turns and the notes of `bench/notes`.

The same for all: a turn is `Name: what was said`, a note its text. Gold is the id of a text; of a note of several sentences the
note, as only some systems can point to a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.capture.request import IngestRequest

from bench.evidence import LONG, OWN_WORDS, Corpus

TALK = "conversations"
OTHER = "notes, in other words"
OWN = "notes, in their own words"
FITTED = "dev"
"""The half of the notes' questions that weights were fitted to."""


@dataclass(frozen=True, slots=True)
class Text:
    """One text: its id, what it says, by whom (None: a note), when (RFC 3339, or None), and of which conversation."""

    id: str
    says: str
    speaker: str | None
    at: str | None
    session: str | None

    @property
    def plain(self) -> str:
        """As one line that says by whom it is."""
        return f"{self.speaker}: {self.says}" if self.speaker else self.says


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the texts that answer it, and its kind."""

    text: str
    gold: tuple[str, ...]
    kind: str


@dataclass(frozen=True, slots=True)
class Collection:
    """What one store is told and asked."""

    name: str
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]


def collection(corpus: Corpus) -> Collection:
    """A corpus of `bench.evidence`, text by text. Questions that nothing answers are left out, and those of the notes that
    Lattice was fitted to."""
    texts = [text for request in corpus.told for text in _texts(request)]
    questions = [
        Question(asked.text, tuple(sorted({gold_id(each) for each in asked.gold})), _kind(corpus.name, asked.kind))
        for asked in corpus.asked
        if asked.gold and asked.answerable and asked.half != FITTED
    ]
    return Collection(corpus.name, tuple(texts), tuple(questions))


def gold_id(found: str) -> str:
    """The id of the text that a gold id of `bench.evidence` belongs to."""
    return found.removeprefix(LONG).partition("#")[0]


def _texts(request: IngestRequest) -> list[Text]:
    about = request.metadata
    if request.messages is None:
        return [Text(gold_id(str(about.source_id)), str(request.text), None, about.observed_at, None)]
    return [
        Text(str(each.id), each.content, each.name, each.observed_at or about.observed_at, about.session_id)
        for each in request.messages
    ]


def _kind(corpus: str, kind: str) -> str:
    if corpus != "notes":
        return TALK
    return OWN if kind in OWN_WORDS else OTHER
