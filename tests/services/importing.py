"""A process that sends a stream of entries to a data folder until all have their receipts, or it is killed.

The n-th entry has the same id and time in every process, and sending it again changes nothing: so a stream that was killed again
and again can be compared with one that ran undisturbed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from lattice_common.adapters.memory.clock import START, FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.accept import accept
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.atom import Atom, atom_id_for
from lattice_common.domain.capture import Action, Command, DeleteAtom, EditAtom, Entry, RemoveSource, UndoChange
from lattice_common.settings import Settings

from tests.data.conversations import conversations, long_text

LARGEST = 10_000_000


class NumberedClock(FixedClock):
    """The n-th capture has the same id and time in every process, however often it is sent."""

    def at(self, number: int) -> None:
        self._now = START + timedelta(seconds=number)
        self._count = number


def open_store(root: Path, clock: FixedClock | None = None) -> Embedded:
    """The embedded product on a folder, with hashed words for an embedder."""
    return open_embedded(Settings(data_dir=root, embed_model="none"), clock=clock, model=Model(HashedEmbedder()))


def entries(stream: str, count: int) -> Iterator[Entry]:
    """The entries of a stream, in order: `talk` (an import), `changes` (things said and changed by hand), `long` (an import with
    texts of several parts in it)."""
    clock = NumberedClock()
    requests: list[IngestRequest | Action] = list(conversations(count))
    match stream:
        case "changes":
            requests = list(_with_changes(conversations(count, turns=5)))
        case "long":
            for place in (1, count // 2):
                requests.insert(place, _long(place))
        case _:
            assert stream == "talk"
    for number, request in enumerate(requests):
        clock.at(number)
        key = f"{stream}:{number}"
        if isinstance(request, IngestRequest):
            yield accept(request, clock, max_bytes=LARGEST, idempotency_key=key)
        else:
            yield Command(clock.new_id(), clock.now(), request, idempotency_key=key, body_hash=key)


def _with_changes(requests: list[IngestRequest]) -> Iterator[IngestRequest | Action]:
    """After each conversation one change by hand, of all kinds in turn; each names what is sure to be there."""
    sent = 0
    ids: list[str] = []

    def numbered(what: IngestRequest | Action) -> IngestRequest | Action:
        nonlocal sent
        clock = NumberedClock()
        clock.at(sent)
        ids.append(clock.new_id())
        sent += 1
        return what

    for number, request in enumerate(requests):
        metadata = request.metadata.model_copy(update={"source_id": f"source-{number % 7}"})
        yield numbered(request.model_copy(update={"priority": "interactive", "metadata": metadata}))
        first = atom_id_for(ids[-1], 0)
        match number % 6:
            case 0:
                yield numbered(EditAtom(first, {"content": f"Ada keeps {number} bees.", "subject": "Ada's bees"}))
            case 1:
                yield numbered(DeleteAtom(first))
            case 2:
                yield numbered(UndoChange(ids[-1]))
            case 3:
                yield numbered(UndoChange(ids[-2]))
            case 4:
                yield numbered(RemoveSource(f"source-{(number - 2) % 7}"))
            case _:
                yield numbered(EditAtom(first, {"subject": "Ada", "entities": ["Ada", "Ghent"], "importance": 0.9}))


def _long(number: int) -> IngestRequest:
    metadata = CaptureMetadata(source_id=f"long-{number}", observed_at="2025-02-01T10:00:00Z")
    return IngestRequest(text=long_text(90_000, seed=number), source_type="plain", priority="bulk", metadata=metadata)


def send(root: Path, stream: str, count: int) -> None:
    """Send them all, and leave when everything has its receipt."""
    with open_store(root, NumberedClock()) as embedded:
        embedded.start()
        for entry in entries(stream, count):
            entry_id, created = embedded.stores.worklog.append(entry)
            if created:
                embedded.writer.queue.ring(entry_id, "interactive" if isinstance(entry, Command) else entry.priority)
        while embedded.stores.worklog.open_ids():
            time.sleep(0.01)
    os._exit(0)


def atoms_in(root: Path) -> list[Atom]:
    """Every atom of a folder, in order of writing."""
    with open_store(root) as embedded:
        return list(embedded.stores.catalogue.all())
