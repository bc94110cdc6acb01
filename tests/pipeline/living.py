"""A store that is lived in: the embedded product on a folder, spoken to from one thread, each call waiting for its receipt."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path
from typing import Any

from lattice_common.adapters.memory.document_reader import InMemoryDocumentReader
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.request import CaptureMetadata, FileMetadata, IngestRequest, Message
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Action, DeleteAtom, EditAtom, RemoveSource, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.domain.receipt import CaptureStatus, Receipt
from lattice_common.ingest.pace import Pace
from lattice_common.ports.clock import Clock
from lattice_common.ports.document_reader import DocumentReader
from lattice_common.ports.embedder import Embedder
from lattice_common.ports.judge import Judge
from lattice_common.settings import Settings

from tests.data.conversations import conversations
from tests.working import until

AT_ONCE = Pace(pause_seconds=0.01)
"""For tests of failures: the writer tries again almost at once."""

SHORT_PARTS = Pace(part_characters=4_000)
"""For tests of long texts: one of two pages has several parts."""

PATIENCE = 30.0
"""Seconds that a test waits for a receipt at most; it comes in milliseconds."""

QUESTIONS = (
    "Where does Ada live?",
    "Where did Bruno move to?",
    "What does Elif prefer to drink?",
    "Who works as a nurse?",
    "What did Farid buy?",
    "What is the dog called?",
    "When is the doctor's appointment?",
    "Who is learning the piano?",
    "What happened last weekend in Lisbon?",
    "What is my job?",
)


def open_store(
    root: Path,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    max_attempts: int = 3,
    reader: DocumentReader | None = None,
    judge: Judge | None = None,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    **settings: Any,
) -> Embedded:
    """The embedded product on a folder, with hashed words for an embedder; its writer is not started. `reader` reads files:
    without one, those that are text."""
    chosen = Settings(data_dir=root, embed_model="none", max_attempts=max_attempts, **settings)
    model = Model(embedder or HashedEmbedder(), judge=judge)
    return open_embedded(chosen, clock=clock, model=model, reader=reader or InMemoryDocumentReader(), pace=pace)


def started(
    root: Path,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    reader: DocumentReader | None = None,
    judge: Judge | None = None,
    pace: Pace = Pace(),  # noqa: B008 - frozen
    **settings: Any,
) -> Embedded:
    """The same, writing."""
    embedded = open_store(root, clock=clock, embedder=embedder, reader=reader, judge=judge, pace=pace, **settings)
    embedded.start()
    return embedded


def finished(store: Embedded, capture_id: str) -> Receipt:
    """The receipt, once it is there."""
    status: CaptureStatus = store.lattice.wait_for(capture_id, PATIENCE)
    assert status.receipt is not None, f"{capture_id} is still {status.state}: {store.writer.state()}"
    return status.receipt


def send(store: Embedded, request: IngestRequest, key: str | None = None) -> str:
    return store.lattice.accept(request, idempotency_key=key).status.capture_id


def send_file(store: Embedded, name: str, content: bytes = b"the bytes", key: str | None = None, **request: Any) -> str:
    """A file that the owner gives; the capture's id."""
    with store.lattice.receiving() as incoming:
        incoming.write(content)
        metadata = FileMetadata.model_validate(request)
        return store.lattice.accept_file(incoming, name, metadata, idempotency_key=key).status.capture_id


def say(store: Embedded, text: str, *, observed_at: str | None = None, source_id: str | None = None) -> Receipt:
    """Something the owner says, taken to its receipt."""
    metadata = CaptureMetadata(observed_at=observed_at, source_id=source_id)
    return finished(store, send(store, IngestRequest(text=text, metadata=metadata)))


def talk(store: Embedded, *said: tuple[str, str], observed_at: str | None = None, session_id: str | None = None) -> Receipt:
    """A conversation of (name, words), taken to its receipt."""
    messages = [Message(name=name, content=words) for name, words in said]
    metadata = CaptureMetadata(observed_at=observed_at, session_id=session_id)
    return finished(store, send(store, IngestRequest(messages=messages, metadata=metadata)))


def change(store: Embedded, action: Action) -> str:
    return store.lattice.change(action, timeout=PATIENCE)


def atoms_of(store: Embedded) -> dict[str, Atom]:
    return {atom.atom_id: atom for atom in store.stores.catalogue.all()}


def current(store: Embedded) -> list[str]:
    """What is held true, sorted."""
    return sorted(atom.content for atom in store.stores.catalogue.all() if not atom.is_superseded)


def atom_saying(store: Embedded, words: str) -> Atom:
    """The one atom with these words in it."""
    [found] = [atom for atom in store.stores.catalogue.all() if words in atom.content]
    return found


def answers(store: Embedded) -> list[list[str]]:
    """What ten questions find, in order, once passages have their vectors: a writer makes them when it has nothing else to do."""
    shelf = store.stores.shelf
    if shelf is not None:
        if not store.writer.state().alive:
            shelf.embed(0, most=len(shelf.pending))
        until("vectors of passages", lambda: not shelf.pending)
    return [[found.atom.atom_id for found in store.lattice.select(Query(text)).atoms] for text in QUESTIONS]


def state(root: Path) -> tuple[str, list[list[str]]]:
    """State hash and answers of a folder as it is opened: its writer repairs it first."""
    with started(root) as store:
        # Whatever is done after the start waits for the repair before it.
        say(store, "ok")
        return store.state_hash(), answers(store)


def rebuilt(root: Path) -> tuple[str, list[list[str]]]:
    """The same after everything derived was deleted and made anew."""
    forget_derived(root)
    with open_store(root) as store:
        store.rebuild(lambda *_: None)
        found = answers(store)
        return store.state_hash(), found


def forget_derived(root: Path) -> None:
    """Delete the engines, the sidecars and the snapshot of the subjects."""
    for name in ("index", "graph"):
        shutil.rmtree(root / name, ignore_errors=True)
    (root / "subjects.json").unlink(missing_ok=True)


def files_of(root: Path) -> dict[str, str]:
    """Every file below a folder with the hash of its bytes."""
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


def live(store: Embedded, count: int = 8) -> None:
    """Conversations, with changes of mind among them, and changes by hand after each few: edits, deletes, undos of all kinds."""
    receipts = []
    for number, request in enumerate(conversations(count)):
        receipts.append(finished(store, send(store, request, f"life:{number}")))
    superseding = [atom for atom in atoms_of(store).values() if atom.supersedes]
    assert len(superseding) >= 3, "the conversations should change their mind more often"
    deleted = change(store, DeleteAtom(superseding[0].atom_id))
    change(store, DeleteAtom(superseding[-1].atom_id))
    edited = [receipts[1].atom_ids[0], receipts[2].atom_ids[1], receipts[3].atom_ids[0]]
    first = change(store, EditAtom(edited[0], {"content": "Ada keeps bees on her roof in Turin.", "subject": "Ada's bees"}))
    change(store, EditAtom(edited[1], {"subject": "Bruno", "entities": ["Bruno", "Ghent"]}))
    change(store, EditAtom(edited[2], {"importance": 0.9}))
    change(store, UndoChange(receipts[count // 2].capture_id))
    undone = change(store, UndoChange(deleted))
    change(store, UndoChange(undone))
    change(store, UndoChange(first))
    say(store, "I live in Berlin.", observed_at="2026-01-02T10:00:00Z", source_id="notes")
    say(store, "I moved from Berlin to Lisbon.", observed_at="2026-01-03T10:00:00Z", source_id="notes")
    moved = say(store, "I moved from Lisbon to Oslo.", observed_at="2026-01-04T10:00:00Z", source_id="notes")
    change(store, UndoChange(moved.capture_id))
    say(store, "I play the piano in a small choir.", source_id="wrong import")
    change(store, RemoveSource("wrong import"))
