"""What is forgotten is nowhere any more: not in a file, not in an index; what is beside it is as it was, and nothing brings it
back but its owner's own new word."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.files.backup_archive import back_up, note_backup, restore
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.domain.capture import Capture, DeleteAtom, EditAtom, ForgetAtoms, UndoChange
from lattice_common.domain.forgetting import MARK, Forgettable
from lattice_common.domain.recall import Query
from lattice_common.drop import drop
from lattice_common.errors import Conflict, InvalidInput, NotFound
from lattice_common.inspection import inspect
from lattice_common.settings import Settings
from lattice_common.upkeep.doctor import Finding
from lattice_common.wiring import Embedded

from tests.dying import Died, dying_at
from tests.pipeline.hands import follow
from tests.pipeline.living import (
    atom_saying,
    atoms_of,
    change,
    current,
    finished,
    open_store,
    rebuilt,
    say,
    send,
    send_file,
    started,
)

CANARY = "Zanzibarquux"
SECRET = f"My dog is called {CANARY}."
BESIDE = "My sister lives in Turin."


def bytes_with(root: Path, *words: str) -> list[str]:
    """Files with any of the words in them, in upper or lower case, or in their names."""
    wanted = [word.casefold().encode() for word in words]
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file() and any(word in path.read_bytes().lower() or word in path.name.casefold().encode() for word in wanted)
    ]


def indexed(store: Embedded) -> dict[str, set[str]]:
    """Ids that each index gives when it is scrolled from end to end."""
    stores = store.stores
    assert stores.dense is not None
    return {
        "catalogue": {atom.atom_id for atom in stores.catalogue.all()},
        "lexical": {atom_id for atom_id, _, _ in stores.lexical.entries()},
        "dense": {atom_id for atom_id, _, _ in stores.dense.entries()},
    }


def forget_now(store: Embedded, wanted: Forgettable) -> str:
    shown = store.lattice.forget_preview(wanted, now=True)
    return store.lattice.forget(wanted, shown.confirm, now=True)[0]


def unwell(root: Path) -> tuple[Finding, ...]:
    """What the doctor finds."""
    with inspect(root) as found:
        return found.examine(lambda *_: None, exact_limit=Settings(data_dir=root).exact_limit).findings


def tell_everywhere(store: Embedded, root: Path) -> list[str]:
    """The canary through every door that ends in this process, each time with something beside it; what stays, sorted."""
    say(store, f"{SECRET} {BESIDE}")
    messages = [
        Message(role="user", name="Ada", content=f"I think {CANARY} needs new shoes, he said. Ada keeps bees in Oslo."),
        Message(role="user", name="Bruno", content="Bruno plays the piano in Ghent."),
    ]
    finished(store, send(store, IngestRequest(messages=messages, priority="bulk", metadata=CaptureMetadata(session_id="c"))))
    finished(store, send_file(store, "notes.txt", f"{SECRET}\nMy brother lives in Oslo.\n".encode(), source="user"))
    finished(store, send_file(store, f"{CANARY}.md", f"# {CANARY}\n\n{CANARY} was born in Graz.\n".encode(), source="user"))
    relayed = IngestRequest(text=f"The vet of {CANARY} is Dr. Weber.", metadata=CaptureMetadata(channel="mcp"))
    finished(store, send(store, relayed))
    dropped = IngestRequest(text=f"{CANARY} hates the rain.", metadata=CaptureMetadata(channel="telegram"))
    drop(root / "inbox", dropped.model_dump(mode="json", exclude_none=True), "key-of-the-drop")
    (root / "inbox" / "list.txt").write_text(f"{CANARY} likes fish.\nThe cellar key hangs in the hall.\n")
    store.inbox.look()
    return current(store)


def ask_everywhere(store: Embedded) -> None:
    lattice = store.lattice
    answer = lattice.answer(Query("what is my dog called?"), session_id="s", channel="page")
    lattice.answer(Query(f"did I say anything about {CANARY}?"), session_id="s", channel="mcp")
    lattice.select(Query(f"where is {CANARY}?"))
    lattice.chose(f"{CANARY} barks?", "tell", "page")
    lattice.answer(Query("where does my sister live?"), session_id="s", channel="page")
    lattice.feedback("up", trace_id=answer.trace_id, atom_ids=[each.atom_id for each in answer.citations], channel="page")
    edited = atom_saying(store, "hates the rain")
    change(store, EditAtom(edited.atom_id, {"content": f"{CANARY} hates heavy rain."}))
