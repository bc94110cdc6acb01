"""The product in a simulated month: opened under a clock that the simulation sets, told what a day brings, and looked at."""

from __future__ import annotations

import contextlib
import os
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from lattice_common import inspection
from lattice_common.adapters.files import atom_files, durable
from lattice_common.adapters.files.backup_archive import restore
from lattice_common.adapters.files.backup_schedule import Schedule, is_due, keep_one
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.memory.document_reader import InMemoryDocumentReader
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import ArchiveAtoms, DeleteAtoms, EditAtom, UndoChange
from lattice_common.domain.forgetting import Forgettable
from lattice_common.domain.recall import Query
from lattice_common.drop import drop
from lattice_common.errors import LatticeError
from lattice_common.ingest.pace import Pace
from lattice_common.inspection import look_through
from lattice_common.settings import Settings

from tests.crash import faults
from tests.crash.month_life import FORGOTTEN, NOWHERE, TRASH_DAYS, Action, Life, State
from tests.crash.stored import DATA, come_to_rest, rest, seen_in
from tests.pipeline import living
from tests.pipeline.living import change, finished, forget_derived, send, send_file
from tests.pipeline.modelled import sentence_by_sentence
from tests.working import until

BACKUPS = "backups"
KEEP_BACKUPS = 3
BEGAN = datetime(2027, 3, 1, 7, 0, tzinfo=UTC)
"""Over the month the clocks of Europe go to summer time."""
PATIENCE = 300.0
"""Seconds of the real clock, on a machine that has much else to do."""
FOUND = 5
"""Memories that are searched for at each look, the newest."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A computer at a moment: `day` is how many days of the month are over, `wrong` how far its clock is from that. `moments`
    are real times (seconds since 1970) with the day that it was from then on."""

    day: float
    wrong: timedelta
    moments: tuple[tuple[float, float], ...]

    def clock(self, root: Path) -> SystemClock:
        """As the product makes one, over the clock of this machine; it goes on as fast as the real one."""
        began = self.moments[-1][0]

        def look() -> datetime:
            return BEGAN + timedelta(days=self.day, seconds=time.time() - began) + self.wrong

        return SystemClock(after=FileJournal(root).newest() if root.exists() else None, look=look)

    def noted(self, changed_at: float) -> float:
        """What the disk would have noted, had it this machine's clock, of a change at a real time."""
        day = max((day for at, day in self.moments if at <= changed_at), default=0.0)
        return (BEGAN + timedelta(days=day)).timestamp()


def settings_of(folder: Path) -> Settings:
    return Settings(
        _env_file=None, data_dir=folder / DATA, embed_model="none", llm_provider="none", inbox_dir=folder / "inbox",
        inbox_settle_seconds=0.05, trash_days=TRASH_DAYS, backup_every="day", backup_keep=KEEP_BACKUPS,
        backup_dir=folder / BACKUPS, llm_model="scripted", llm_patience_seconds=0.2,
    )  # type: ignore[call-arg]  # fmt: skip


@contextlib.contextmanager
def opened(folder: Path, machine: Machine, *, model_away: bool = False) -> Iterator[Embedded]:
    """The store, with a model that reads sentence by sentence and may be away."""
    living.PATIENCE = PATIENCE
    atom_files._moved_at = lambda path: machine.noted(os.lstat(path).st_ctime)  # the disk's clock is not the simulation's
    reading = ScriptedModel(sentence_by_sentence(), up=not model_away)
    in_use = ModelsInUse(reading, None, lambda: {"provider": "scripted", "available": True, "reason": None}, lambda: None)
    with open_embedded(
        settings_of(folder), clock=machine.clock(folder / DATA), model=Model(HashedEmbedder()), models=in_use,
        reader=InMemoryDocumentReader(), pace=Pace(pause_seconds=0.02),
    ) as store:  # fmt: skip
        yield store


def _atom(store: Embedded, token: str) -> Atom:
    """The one memory with this word; what was told just now is waited for."""
    found: list[Atom] = []

    def there() -> bool:
        found[:] = [atom for atom in store.stores.catalogue.all() if token in atom.content.lower()]
        return len(found) == 1

    until(f"the memory of {token}", there, PATIENCE)
    return found[0]


def _file(store: Embedded, root: Path, atom: Atom) -> Path:
    return root / store.stores.catalogue.marks([atom.atom_id])[atom.atom_id][0].path


def write_by_hand(path: Path, words: str) -> None:
    """As an editor does that wants it to stay."""
    head = path.read_text().rpartition("---\n")[0] if path.exists() else ""
    text = f"{head}---\n\n{words}\n" if head else f"{words}\n"
    beside = path.with_name(f".{path.name}.swp")
    with beside.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    durable.fsync_dir(path.parent)


def delete_by_hand(path: Path) -> None:
    path.unlink()
    durable.fsync_dir(path.parent)


def perform(store: Embedded, folder: Path, action: Action, *, waits: bool) -> str:
    """Do it; what an undo of it would name, where there can be one. With `waits` what is told is waited for."""
    match action.kind:
        case "tell" | "move":
            told = send(store, IngestRequest(text=action.words), action.key)
        case "tell file":
            told = send_file(store, f"{action.key.replace(':', '-')}.txt", action.words.encode(), action.key, source="user")
        case "drop":
            drop(folder / "inbox", {"text": action.words}, action.key)
            return ""
        case "ask":
            store.lattice.answer(Query(action.words), session_id="month", channel="page")
            return ""
        case "write by hand" | "edit by hand" | "delete by hand":
            _by_hand(store, folder / DATA, action)
            return ""
        case _:
            return _changed(store, action)
    if waits:
        finished(store, told)
    return told


def _by_hand(store: Embedded, root: Path, action: Action) -> None:
    if action.kind == "write by hand":
        write_by_hand(root / "atoms" / f"{store.stores.clock.new_id()}.md", action.words)
        return
    path = _file(store, root, _atom(store, action.token))
    if action.kind == "delete by hand":
        delete_by_hand(path)
    else:
        write_by_hand(path, action.words)
    store.writer.queue.touched([str(path.relative_to(root))])


def _changed(store: Embedded, action: Action) -> str:
    """A change that is asked for at a door."""
    if action.kind == "undo":
        change(store, UndoChange(action.change))
        return ""
    atom_id = _atom(store, action.token).atom_id
    match action.kind:
        case "forget" | "forget later":
            now, wanted = action.kind == "forget", Forgettable(about=action.token)
            shown = store.lattice.forget_preview(wanted, now=now)
            forgotten, _ = store.lattice.forget(wanted, shown.confirm, now=now, timeout=PATIENCE)
            return "" if now else forgotten
        case "edit":
            return change(store, EditAtom(atom_id, {"content": action.words}))
        case "delete":
            return change(store, DeleteAtoms((atom_id,)))
        case "archive" | "bring back":
            return change(store, ArchiveAtoms((atom_id,), archived=action.kind == "archive"))
        case _:
            store.lattice.feedback("up", trace_id=None, atom_ids=[atom_id], channel="page")
            return ""


Note = Callable[[dict[str, object]], None]


def lived(
    folder: Path,
    machine: Machine,
    actions: Sequence[Action],
    note: Note,
    *,
    model_away: bool,
    unwaited: frozenset[int],
    dies: bool,
) -> None:
    """A session: the store is opened, told and asked these things, and closed, or ends as by `kill -9` where it `dies`. Each is
    noted as it begins and as it ends; those numbered in `unwaited` are told and not waited for."""
    with opened(folder, machine, model_away=model_away) as store:
        store.start()
        for number, action in enumerate(actions):
            note({"number": number, "is": "begun"})
            try:
                told = perform(store, folder, action, waits=number not in unwaited)
            except LatticeError as error:
                note({"number": number, "is": "refused", "why": f"{type(error).__name__}: {error}"})
            else:
                note({"number": number, "is": "done", "change": told})
        if dies:
            os._exit(9)
        faults.disarm()  # a power cut that was to come after the last call comes now


def looked_at(folder: Path, machine: Machine, life: Life) -> dict[str, Any]:
    """The store as its next start finds it: where each thing is, and what is wrong."""
    inspection.SystemClock = lambda: machine.clock(folder / DATA)  # type: ignore[assignment,misc]
    with opened(folder, machine) as store:
        come_to_rest(store)
        until("the inbox", lambda: not [each for each in (folder / "inbox").iterdir() if each.is_file()], PATIENCE)
        rest(store)
        atoms, files = list(store.stores.catalogue.all()), store.stores.atoms
        lying = [each for _, mark in files.trashed() if isinstance(each := files.read_file(mark), Atom)]
        states, findings = _states(life, machine.day, atoms, lying)
        moves = [atom for atom in atoms if atom.content.startswith(("I live in ", "I moved from "))]
        findings += _homes(life, moves)
        findings += _not_found(store, [state.words for state in states.values() if state.where == "held"][-FOUND:])
        findings += _backups(folder, store)
        state_hash = store.state_hash()
    findings += _doctor(folder, life, {atom.atom_id: atom.content.lower() for atom in (*atoms, *lying)})
    findings += [f"the inbox took {each.name} for one that cannot be read" for each in (folder / "inbox").glob("failed/*/*")]
    findings += _said_still(folder, [token for token, state in states.items() if state.where == "forgotten"])
    return {"states": states, "findings": findings, "hash": state_hash, "atoms": len(atoms), "moves": len(moves)}


def _states(life: Life, day: float, atoms: Sequence[Atom], lying: Sequence[Atom]) -> tuple[dict[str, State], list[str]]:
    """Where each thing is, and those that are lost, doubled or elsewhere."""
    states: dict[str, State] = {}
    findings = []
    for token, thing in life.things.items():
        here = [atom for atom in atoms if token in atom.content.lower()]
        in_trash = [atom for atom in lying if token in atom.content.lower()]
        may_be = life.expected(thing, day)
        if len(here) + len(in_trash) > 1:
            findings.append(f"{token} is there {len(here)} times, and {len(in_trash)} times in the trash; it may be {may_be}")
        if here:
            found = State("archived" if here[0].archived else "held", here[0].content)
            if here[0].is_superseded:
                findings.append(f"{here[0].content!r} is replaced by what has nothing to do with it")
        elif in_trash:
            found = State("trash", in_trash[0].content)
        else:
            found = FORGOTTEN if FORGOTTEN in may_be else NOWHERE
        states[token] = found
        if found not in may_be:
            findings.append(f"{token} is {found}, and may be {may_be}; undoable {thing.undoable}")
    return states, findings


def _homes(life: Life, moves: Sequence[Atom]) -> list[str]:
    """What was said last of where the owner lives holds, and all that was said before is kept as replaced."""
    said = [[*life.homes], [*life.homes, life.moving.words] if life.moving else life.homes]
    if sorted(atom.content for atom in moves) not in [sorted(each) for each in said]:
        return [f"of where the owner lives {[atom.content for atom in moves]} is there, and {said} was said"]
    current = [atom.content for atom in moves if not atom.is_superseded]
    return (
        []
        if current in [each[-1:] for each in said]
        else [f"the owner lives {current}, and said last {[each[-1:] for each in said]}"]
    )


def _not_found(store: Embedded, contents: Sequence[str]) -> list[str]:
    lost = [words for words in contents if words not in [each.atom.content for each in store.lattice.select(Query(words)).atoms]]
    return [f"{each!r} is not found by its own words" for each in lost]


def _backups(folder: Path, store: Embedded) -> list[str]:
    """There is one of the day, once the writer had a quiet moment."""

    def due() -> bool:
        return is_due(Schedule(folder / BACKUPS, "day", KEEP_BACKUPS), store.stores.clock.now())

    if not (folder / "journal").is_dir():
        return []  # nothing was told yet
    with contextlib.suppress(TimeoutError):
        until("a backup", lambda: not due(), PATIENCE)
    return ["no backup of the day is made"] if due() else []


def _doctor(folder: Path, life: Life, words: dict[str, str]) -> list[str]:
    """What the doctor finds, but for what is so: that a hand changed a file, or took one that others refer to; that a clock was
    ahead."""
    found = []
    for each in look_through(settings_of(folder), lambda *_: None, deep=True).findings:
        said = words.get(Path(each.thing).stem, "")
        thing = next((thing for token, thing in life.things.items() if token in said), None)
        by_hand = thing is not None and thing.by_hand and "something else than when it was" in each.problem
        ahead = life.clock_was_ahead and "clock was ahead" in each.problem
        dangling = "which is not there" in each.problem and "delete by hand" in life.counts
        if not (by_hand or ahead or dangling):
            found.append(f"the doctor finds {each.area} {each.thing}: {each.problem} ({said!r})")
    return found


def _said_still(folder: Path, tokens: Sequence[str]) -> list[str]:
    """Files with forgotten words in them, backups among them."""
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            found += [
                f"the forgotten {each} is in {path.relative_to(folder)}{part}"
                for part, content in _contents(path)
                for each in tokens
                if each.encode() in content.lower()
            ]
    return found


def _contents(path: Path) -> Iterator[tuple[str, bytes]]:
    """What a file holds; of a backup what each file in it holds, with its name there."""
    if not path.name.endswith(".tar.gz"):
        yield "", path.read_bytes()
        return
    with tarfile.open(path) as archive:
        for member in archive:
            if file := archive.extractfile(member):
                yield f": {member.name}", file.read()


def laid_on(folder: Path, action: Action) -> bool:
    """A hand on a file of a store that nobody has open; whether there was one."""
    for path in (folder / DATA / "atoms").rglob("*.md"):
        if action.token in path.read_text().rpartition("---\n")[2].lower():
            if action.kind == "delete by hand":
                delete_by_hand(path)
            else:
                write_by_hand(path, action.words)
            return True
    return False


def rebuilt_hash(folder: Path, machine: Machine) -> dict[str, str]:
    """The state hash before all that is derived is deleted, and after it is made anew."""
    with opened(folder, machine) as store:
        come_to_rest(store)
        before = store.state_hash()
    forget_derived(folder / DATA)
    with opened(folder, machine) as store:
        store.rebuild(lambda *_: None)
        return {"before": before, "after": store.state_hash()}


def restored(folder: Path, machine: Machine) -> list[str]:
    """What is wrong with the store that the newest backup gives, opened elsewhere."""
    schedule = Schedule(folder / BACKUPS, "day", KEEP_BACKUPS)
    file = keep_one(folder / DATA, schedule, machine.clock(folder / DATA).now()).file
    with tempfile.TemporaryDirectory() as scratch:
        restore(file, Path(scratch) / DATA, lambda *_: None)
        with opened(folder, machine) as store, opened(Path(scratch), machine) as other:
            for each in (store, other):
                come_to_rest(each)
            ours, theirs = seen_in(store), seen_in(other)
    # The trash is emptied by the second of two looks: in the other one what is due now was looked at once.
    pairs = {"memories": (ours.atoms, theirs.atoms), "trash": (ours.trash, theirs.trash & ours.trash)}
    return [
        f"{name}: {here - there} not in the backup, {there - here} only there"
        for name, (here, there) in pairs.items()
        if here != there
    ]
