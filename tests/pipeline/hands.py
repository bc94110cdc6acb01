"""An owner's hands on the files of atoms of a store that runs, told to its writer at once: nothing waits for a watch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query

from tests.data.conversations import conversations
from tests.pipeline.living import PATIENCE, answers, atoms_of, finished, open_store, rebuilt, say, send, started

HAND_MADE = "01m7vvvvvvvvvvvvvvvvvvvv0{}"


def lived_in(root: Path) -> Path:
    """A folder with a life in it: copy it, don't change it."""
    with started(root) as store:
        for request in conversations(4):
            finished(store, send(store, request))
        say(store, "I live in Ulm.", observed_at="2026-03-02T10:00:00Z")
        say(store, "I moved from Ulm to Tromso.", observed_at="2026-03-03T10:00:00Z")
    return root


@contextmanager
def writing(root: Path) -> Iterator[Embedded]:
    """Writing, and told by `follow` what changed."""
    with open_store(root) as store:
        store.writer.start()
        say(store, "ok")
        yield store


def follow(store: Embedded, *paths: Path, root: Path | None = None) -> None:
    """Tell the writer, and wait until it has looked: what is said afterwards comes after."""
    base = root or store.folder
    store.writer.queue.touched(str(path.relative_to(base)) for path in paths)
    store.writer.queue.caught_up(PATIENCE)


def file_of(store: Embedded, atom: Atom) -> Path:
    return store.folder / store.stores.catalogue.marks([atom.atom_id])[atom.atom_id][0].path


def edit(path: Path, pattern: str, new: str) -> bytes:
    text = path.read_text()
    edited, count = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    assert count, f"{pattern} is not in {text}"
    path.write_text(edited)
    return path.read_bytes()


def rewrite(path: Path, content: str) -> bytes:
    head, _, _ = path.read_text().rpartition("---\n")
    path.write_text(f"{head}---\n\n{content}\n")
    return path.read_bytes()


def add(folder: Path, atom_id: str, content: str, front: str = "kind: fact\nsubject: Ada\n") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{atom_id}.md"
    path.write_text(f"---\n{front}---\n\n{content}\n")
    return path


def found(store: Embedded, question: str) -> list[str]:
    return [each.atom.content for each in store.lattice.select(Query(question)).atoms]


def any_atom(store: Embedded, number: int = 3) -> Atom:
    return list(atoms_of(store).values())[number]


def same_as_rebuilt(store: Embedded, root: Path) -> None:
    lived = store.state_hash(), answers(store)
    store.close()
    assert rebuilt(root) == lived
