"""The questions that recall is measured with, each over a store of its own kind, filled through the product.

Three kinds: LoCoMo's conversations (LATTICE_BENCH_DATA; gold are turns), one person's short notes (`bench/notes`; gold are
notes), and memories of a few statements (`tests/data/abstention`), half of whose questions they don't answer. Weights that are
good for one can be bad for another, so everything here is measured on all.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from lattice_common.adapters.models.open_embedder import open_packaged
from lattice_common.capture.importers.chat import read_chat
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, load_model, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture, turn_at
from lattice_common.language.sentences.split import sentences
from lattice_common.ports.embedder import Embedder
from lattice_common.settings import Settings
from platformdirs import user_cache_path

NOTES = Path(__file__).parent / "notes" / "notes.json"
MEMORIES = Path(__file__).parents[1] / "tests" / "data" / "abstention" / "memories.json"
LIVES = Path(__file__).parents[1] / "train" / "data"
INGEST_SECONDS = 600.0
"""What filling one store may take; on two cores it is 10 to 30 s."""
UNANSWERABLE = "unanswerable"
NEAR_MISS = "near miss"
"""What nothing answers, though it asks about something that was told of."""
OWN_WORDS = ("keyword", "literal")
"""Types of questions in the note's own words."""
FEW = "few/"
"""Begins the name of a corpus of few statements."""
LONG = "long/"
"""Begins the source id of a note of several sentences, one of which is the gold."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what answers it (empty: nothing), its kind (LoCoMo's category, or the note question's type) and, for
    notes, its half. `stale`: what spoke of it and no longer holds."""

    text: str
    gold: frozenset[str]
    kind: str
    half: str = ""
    stale: frozenset[str] = frozenset()

    @property
    def answerable(self) -> bool:
        return self.kind not in (UNANSWERABLE, NEAR_MISS)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is told to one store, and what is asked of it."""

    name: str
    told: tuple[IngestRequest, ...]
    asked: tuple[Asked, ...]


def locomo() -> list[Corpus]:
    """One corpus per conversation; exits with a sentence when LATTICE_BENCH_DATA is not set."""
    folder = os.environ.get("LATTICE_BENCH_DATA")
    if not folder or not (Path(folder) / "locomo_dev.json").is_file():
        sys.exit("LATTICE_BENCH_DATA names no folder with locomo_dev.json: set it to measure on LoCoMo.")
    return [_conversation(item) for item in json.loads((Path(folder) / "locomo_dev.json").read_text(encoding="utf-8"))]


def notes() -> Corpus:
    """The notes, each told on its day."""
    content = json.loads(NOTES.read_text(encoding="utf-8"))
    short = [(note["id"], note["id"], note["text"]) for note in content["notes"]]
    long = [(LONG + note["id"], note["id"], " ".join(note["sentences"])) for note in content["long_notes"]]
    return Corpus(
        name="notes",
        told=tuple(
            IngestRequest(
                text=text,
                priority="bulk",
                metadata=CaptureMetadata(source_id=source_id, observed_at=f"{day}T18:00:00Z"),
            )
            for source_id, day, text in short + long
        ),
        asked=tuple(
            Asked(each["question"], frozenset(each["gold"]), each["type"], each["half"]) for each in content["questions"]
        ),
    )


def memories() -> list[Corpus]:
    """Each memory of a few statements, with what it answers and what it doesn't."""
    return [_memory(each) for each in json.loads(MEMORIES.read_text(encoding="utf-8"))["memories"]]


def lives(author: str) -> tuple[list[Corpus], Corpus]:
    """The memories of one author of `train/data`, each in a store of its own, and all of them as one life. What nothing answers
    there are near misses."""
    lines = (LIVES / f"memories-{author}.jsonl").read_text(encoding="utf-8").splitlines()
    own = [_life(json.loads(line)) for line in lines]
    told = tuple(_renamed(request, corpus.name) for corpus in own for request in corpus.told)
    together = Corpus(
        f"life-{author}",
        tuple(sorted(told, key=lambda request: str(request.metadata.observed_at) if request.metadata else "")),
        tuple(
            replace(asked, gold=_of(corpus.name, asked.gold), stale=_of(corpus.name, asked.stale))
            for corpus in own
            for asked in corpus.asked
        ),
    )
    return own, together


def _of(name: str, ids: frozenset[str]) -> frozenset[str]:
    return frozenset(f"{name}/{each}" for each in ids)


def _life(item: dict[str, Any]) -> Corpus:
    asked = [
        Asked(each["q"], frozenset(each["gold"]), each["kind"], "dev", frozenset(each.get("stale", ())))
        for each in item["questions"]
    ]
    asked += [Asked(text, frozenset(), NEAR_MISS, "dev") for text in item["unanswerable"]]
    told = [_told(each["id"], each["date"], each["text"]) for each in item["statements"]]
    return Corpus(item["id"], tuple(told), tuple(asked))


def _told(source_id: str, day: str, text: str) -> IngestRequest:
    metadata = CaptureMetadata(source_id=source_id, observed_at=f"{day}T18:00:00Z")
    return IngestRequest(text=text, priority="bulk", metadata=metadata)


def _renamed(request: IngestRequest, name: str) -> IngestRequest:
    assert request.metadata is not None
    metadata = request.metadata.model_copy(update={"source_id": f"{name}/{request.metadata.source_id}"})
    return request.model_copy(update={"metadata": metadata})


def _memory(item: dict[str, Any]) -> Corpus:
    first = date.fromisoformat(item["from"])
    answered = [Asked(text, frozenset((str(place),)), "few", item["half"]) for text, place in item["answered"]]
    near = [Asked(text, frozenset(), NEAR_MISS, item["half"]) for text in item["near"]]
    far = [Asked(text, frozenset(), UNANSWERABLE, item["half"]) for text in item["far"]]
    return Corpus(
        name=FEW + item["name"],
        told=tuple(
            IngestRequest(
                text=text,
                priority="bulk",
                metadata=CaptureMetadata(source_id=str(place), observed_at=f"{first + timedelta(days=place)}T18:00:00Z"),
            )
            for place, text in enumerate(item["told"])
        ),
        asked=(*answered, *near, *far),
    )


def _conversation(item: dict[str, object]) -> Corpus:
    name = str(item["sample_id"])
    imported = read_chat(json.dumps(item).encode(), name=name)
    there = {message.id for each in imported for message in each.request.messages or ()}
    asked = []
    for question in item["qa"]:  # type: ignore[attr-defined]  # the data set's own shape, checked by use
        named = [turn.strip() for turn in re.split(r"[;,\s]+", " ".join(question["evidence"])) if turn.strip()]
        gold = frozenset(turn for turn in named if turn in there)
        kind = UNANSWERABLE if question["category"] == 5 else str(question["category"])
        if gold or kind == UNANSWERABLE:
            asked.append(Asked(str(question["question"]), gold, kind))
    return Corpus(name, tuple(each.request for each in imported), tuple(asked))


@contextmanager
def filled(corpus: Corpus, model: Model, kept_in: Path | None = None) -> Iterator[tuple[Embedded, Path]]:
    """The product, told all of a corpus, and its data folder. `kept_in`: where to keep the store for the next time."""
    folder = Path(kept_in / corpus.name if kept_in else tempfile.mkdtemp(prefix="lattice-bench-"))
    done = folder / "filled"
    try:
        with open_embedded(Settings(data_dir=folder), model=_unseen(model, corpus.name)) as product:
            product.start()
            if not done.exists():
                accepted = [product.lattice.accept(request) for request in corpus.told]
                for each in accepted:
                    product.lattice.wait_for(each.status.capture_id, INGEST_SECONDS)
            wait_until_judged(product)
            done.touch()
            yield product, folder
    finally:
        if kept_in is None:
            shutil.rmtree(folder)


def wait_until_judged(product: Embedded) -> None:
    """Wait until what was imported has been compared with what it may make untrue, and a kept store of another version has been
    read again: until then answers change."""
    until = time.monotonic() + INGEST_SECONDS
    while not _is_settled(product):
        if time.monotonic() > until:
            behind = product.lattice.status().judging_behind
            raise SystemExit(f"Nothing was judged within {INGEST_SECONDS:.0f} s: {behind} memories wait.")
        time.sleep(0.1)


def _is_settled(product: Embedded) -> bool:
    status = product.lattice.status()
    return not product.writer.state().starting and not status.judging_behind and status.writer == "idle"


def bench_model() -> Model:
    """The packaged embedding model."""
    return load_model(Settings())


UNSEEN = Path("build/questions")
"""Encoders of questions, each fitted without some stores (`train.questions --without`)."""


def _unseen(model: Model, store: str) -> Model:
    """Return the model with an encoder of questions that was fitted without this store, where there is one: what is measured, or
    fitted on what recall finds, must not see it find what it was trained on."""
    for path in sorted(UNSEEN.glob("*.npz")):
        with np.load(path) as file:
            if store in file["without"]:
                return replace(model, embedder=_with_questions(path))
    return model


@cache
def _with_questions(path: Path) -> Embedder:
    return open_packaged(user_cache_path("lattice") / "models", 2, path)


class GoldOf:
    """Which gold id an atom counts for: the turn its source span lies in, or the note it is of (of long ones, the sentence)."""

    def __init__(self, product: Embedded) -> None:
        self._product = product
        self._captures: dict[str, Capture] = {}

    def __call__(self, atom: Atom) -> str | None:
        capture = self._captures.get(atom.capture_id)
        if capture is None:
            read = self._product.stores.worklog.read(atom.capture_id)
            assert isinstance(read, Capture)
            capture = self._captures[atom.capture_id] = read
        if not capture.turns:
            if not capture.source_id.startswith(LONG):
                return capture.source_id
            before = sum(sentence.end <= atom.source_span.start for sentence in sentences(capture.text))
            return f"{capture.source_id}#{before + 1}"
        at = turn_at(capture.turns, atom.source_span.start)
        return None if at is None else capture.turns[at].message_id


def evidence_recall(found: Sequence[str | None], gold: frozenset[str], k: int) -> float:
    """The share of the gold that the first `k` atoms come from."""
    return len(gold.intersection(found[:k])) / len(gold)
