"""What is forgotten is nowhere any more: not in a file, not in an index; what is beside it is as it was, and nothing brings it
back but its owner's own new word."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType

import pytest
from lattice_common.adapters.files import backup_archive, backup_schedule, durable, erasing
from lattice_common.adapters.files.backup_archive import back_up, note_backup, restore, write_whole
from lattice_common.adapters.files.backup_schedule import Schedule, keep_one
from lattice_common.adapters.files.forgotten_ledger import ForgottenLedger
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Capture, Command, DeleteAtom, EditAtom, ForgetAtoms, UndoChange
from lattice_common.domain.forgetting import MARK, Erasure, Forgettable
from lattice_common.domain.recall import Query
from lattice_common.drop import drop
from lattice_common.errors import Conflict, InvalidInput, NotFound, Unavailable
from lattice_common.inspection import inspect
from lattice_common.settings import Settings
from lattice_common.upkeep import forget as forgetting
from lattice_common.upkeep.doctor import Finding

from tests.dying import Died, left_by
from tests.pipeline.hands import follow
from tests.pipeline.living import (
    SHORT_PARTS,
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
from tests.working import until

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
        return found.examine(lambda *_: None, exact_limit=Settings(data_dir=root).dense_exact_limit).findings


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
    until(
        "the inbox",
        lambda: len(list((root / "inbox" / "processed").rglob("*.*"))) == 2 and not store.writer.state().waiting,
    )
    return sorted(content for content in current(store) if CANARY.casefold() not in content.casefold())


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


def test_what_is_forgotten_at_once_is_in_no_byte_of_any_file_and_in_no_index(tmp_path: Path) -> None:
    with started(tmp_path, trace=True, inbox_settle_seconds=0.05) as store:
        beside = tell_everywhere(store, tmp_path)
        ask_everywhere(store)
        assert len(bytes_with(tmp_path, CANARY)) > 20
        forgotten = {atom_id for atom_id, atom in atoms_of(store).items() if CANARY in f"{atom.content} {atom.source_quote}"}
        shown = store.lattice.forget_preview(Forgettable(about=CANARY), now=True)
        assert set(shown.atom_ids) == forgotten
        assert len(shown.captures) == 6, "in the seventh it was known already"
        assert len(shown.files) == 2
        assert shown.chat_turns
        forget_now(store, Forgettable(about=CANARY))
        assert bytes_with(tmp_path, CANARY) == []
        assert current(store) == beside
        assert all(not forgotten & ids for ids in indexed(store).values())
        assert indexed(store)["lexical"] == indexed(store)["dense"] == set(atoms_of(store))
        for atom in atoms_of(store).values():
            seen = store.lattice.atom(atom.atom_id).source
            assert seen is not None
            assert seen.text[seen.start : seen.end] == atom.source_quote
        assert "where does my sister live?" in (tmp_path / "logs" / "chat.jsonl").read_text()
        before = store.state_hash()
    assert bytes_with(tmp_path, CANARY) == []
    assert unwell(tmp_path) == ()
    assert rebuilt(tmp_path)[0] == before
    assert bytes_with(tmp_path, CANARY) == []


def test_the_words_beside_it_stay_in_the_journal_at_their_places(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        told = say(store, f"{BESIDE} {SECRET} My brother lives in Oslo.")
        forget_now(store, Forgettable(atom_ids=(atom_saying(store, CANARY).atom_id,)))
        said = store.stores.worklog.read(told.capture_id)
        assert isinstance(said, Capture)
        assert said.text == f"{BESIDE} {MARK * len(SECRET)} My brother lives in Oslo."
        assert said.redacted


def test_what_is_forgotten_goes_into_the_trash_first_and_can_be_taken_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, f"{SECRET} {BESIDE}")
        wanted = Forgettable(subject=atom_saying(store, CANARY).subject)
        shown = store.lattice.forget_preview(wanted, now=False)
        assert shown.until is not None
        assert timedelta(days=29) < shown.until - datetime.now(UTC) < timedelta(days=31)
        change_id, _ = store.lattice.forget(wanted, shown.confirm, now=False)
        assert current(store) == [BESIDE]
        change(store, UndoChange(change_id))
        assert atom_saying(store, CANARY)


def test_words_that_were_deleted_are_shown_beside_no_other_memory_until_they_are_brought_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        text = f"{BESIDE} {SECRET} My brother lives in Oslo."
        say(store, text)
        deleted = change(store, DeleteAtom(atom_saying(store, CANARY).atom_id))
        beside = store.lattice.atom(atom_saying(store, "Turin").atom_id).source
        assert beside is not None
        assert beside.text == text.replace(SECRET, MARK * len(SECRET))
        assert beside.text[beside.start : beside.end] == BESIDE
        change(store, UndoChange(deleted))
        beside = store.lattice.atom(atom_saying(store, "Turin").atom_id).source
        assert beside is not None
        assert beside.text == text


def test_a_file_whose_memories_were_all_deleted_is_not_given_until_they_are_brought_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        receipt = finished(store, send_file(store, "notes.txt", f"{SECRET}\n{BESIDE}\n".encode(), source="user"))
        first = change(store, DeleteAtom(atom_saying(store, CANARY).atom_id))
        assert store.lattice.original(receipt.capture_id)[1].is_file()
        change(store, DeleteAtom(atom_saying(store, "Turin").atom_id))
        with pytest.raises(NotFound, match="take the deletion back"):
            store.lattice.original(receipt.capture_id)
        change(store, UndoChange(first))
        assert store.lattice.original(receipt.capture_id)[1].is_file()


def later(root: Path, *days: float) -> None:
    """A start after each of so many days from now, each of which does what is due."""
    for each in days:
        with started(root, clock=FixedClock(datetime.now(UTC) + timedelta(days=each)), trash_days=7) as store:
            say(store, "ok")
            until("the writer", lambda: not store.writer.state().waiting)


@pytest.mark.parametrize("forgets", [True, False])
def test_what_was_deleted_is_forgotten_when_it_leaves_the_trash(tmp_path: Path, forgets: bool) -> None:
    with started(tmp_path) as store:
        say(store, f"{SECRET} {BESIDE}")
        atom_id = atom_saying(store, CANARY).atom_id
        change(store, ForgetAtoms((atom_id,)) if forgets else DeleteAtom(atom_id))
    later(tmp_path, 1, 6)
    assert bytes_with(tmp_path, CANARY)
    later(tmp_path, 8, 9.5, 11, 12.5)  # each look believes the clock two days more
    assert bytes_with(tmp_path, CANARY) == []
    assert not list((tmp_path / "journal" / "deleted").iterdir())
    with started(tmp_path) as store:
        finished(store, send_file(store, "notes.txt", f"{SECRET}\n".encode(), source="user"))
        assert any(CANARY in each for each in current(store)) is not forgets, "what was only deleted may be brought in again"


def test_what_was_deleted_and_brought_back_in_time_is_not_forgotten(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, SECRET)
        deleted = change(store, ForgetAtoms((atom_saying(store, CANARY).atom_id,)))
        change(store, UndoChange(deleted))
    later(tmp_path, 1, 6, 8, 9.5, 11, 12.5)
    with started(tmp_path) as store:
        assert current(store) == [SECRET]


def test_no_import_and_no_assistant_brings_it_back_but_its_owners_own_word_does(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, f"{SECRET} {BESIDE}")
        forget_now(store, Forgettable(atom_ids=(atom_saying(store, CANARY).atom_id,)))
        finished(store, send_file(store, "notes.txt", f"{SECRET}\nMy brother lives in Oslo.\n".encode(), source="user"))
        finished(store, send(store, IngestRequest(text=f"{SECRET} My aunt lives in Bergen.", priority="bulk")))
        finished(store, send(store, IngestRequest(text=SECRET, metadata=CaptureMetadata(channel="mcp"))))
        relayed = [Message(role="user", content=SECRET), Message(role="user", content="My uncle lives in Ghent.")]
        finished(store, send(store, IngestRequest(messages=relayed, metadata=CaptureMetadata(channel="auto_save"))))
        held = ["My aunt lives in Bergen.", "My brother lives in Oslo.", BESIDE, "My uncle lives in Ghent."]
        assert current(store) == sorted(held)
        assert bytes_with(tmp_path, CANARY) == [], "neither in the journal, nor in the log, nor in the words around another"
        say(store, SECRET)
        assert SECRET in current(store)


def test_a_sentence_of_a_document_that_is_forgotten_does_not_come_back_with_another_copy(tmp_path: Path) -> None:
    """Though no memory is made of it: it is in the text, in its passages, and in the words around what is remembered."""
    log = "\n".join(f"2026-11-{day:02} 10:00:00 INFO pump {day} of the greenhouse started" for day in range(1, 25))
    told = f"{log}\n2026-11-25 10:00:00 INFO {CANARY} opened the greenhouse door\n"
    with started(tmp_path) as store:
        finished(store, send_file(store, "pump.log", told.encode(), source="document"))
        forget_now(store, Forgettable(about=CANARY))
        assert bytes_with(tmp_path, CANARY) == []
        again = f"{told}2026-11-26 10:00:00 INFO pump 1 started\n"
        finished(store, send_file(store, "copy.log", again.encode(), source="document"))
        assert bytes_with(tmp_path, CANARY) == []
        assert len(bytes_with(tmp_path / "journal", "pump 24 of the greenhouse")) >= 2, "all else of both stays"


def test_what_is_kept_out_of_a_late_part_of_a_long_text_is_not_beside_what_an_early_part_said(tmp_path: Path) -> None:
    """The words around a memory reach over the border of two parts, and the first is indexed before the second is read."""
    with started(tmp_path, pace=SHORT_PARTS) as store:
        say(store, SECRET)
        forget_now(store, Forgettable(about=CANARY))
        lines = [f"Box {number} holds the winter things of room {number % 7}." for number in range(140)]
        finished(store, send_file(store, "boxes.txt", "\n".join([*lines, SECRET, *lines[:9]]).encode(), source="user"))
        assert bytes_with(tmp_path, CANARY) == []


def test_a_sync_that_brings_the_files_back_does_not_bring_it_back(tmp_path: Path) -> None:
    root, copy = tmp_path / "data", tmp_path / "copy"
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
        finished(store, send_file(store, "notes.txt", f"{SECRET}\n{BESIDE}\n".encode(), source="user"))
        atom = atom_saying(store, CANARY)
    shutil.copytree(root, copy)
    with started(root) as store:
        forget_now(store, Forgettable(atom_ids=(atom.atom_id,)))
        [file] = (copy / "atoms").rglob(f"{atom.atom_id}.md")
        back = root / file.relative_to(copy)
        shutil.copyfile(file, back)
        follow(store, back, root=root)
        assert not back.exists()
        assert current(store) == [BESIDE]
    for name in ("journal", "atoms"):
        shutil.copytree(copy / name, root / name, dirs_exist_ok=True)
    with started(root) as store:
        say(store, "ok")
        assert current(store) == [BESIDE]
    assert bytes_with(root, CANARY) == []
    assert unwell(root) == ()


def test_backups_that_are_where_they_were_written_lose_it_and_the_others_are_named(tmp_path: Path) -> None:
    root, reached, away = tmp_path / "data", tmp_path / "reached.tar.gz", tmp_path / "away.tar.gz"
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
        for file in (reached, away):
            with file.open("wb") as out:
                note_backup(root, file, back_up(root, out, lambda *_: None).made_at)
        away.rename(tmp_path / "elsewhere.tar.gz")
        wanted = Forgettable(about=CANARY)
        shown = store.lattice.forget_preview(wanted, now=True)
        assert (shown.backups, shown.backups_out_of_reach) == ((str(reached),), (str(away),))
        forget_now(store, wanted)
    restore(reached, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path / "restored", CANARY) == []
    with started(tmp_path / "restored") as store:
        say(store, "ok")
        assert current(store) == [BESIDE]
    # One that it could not reach: restored beside what knows of the forgetting, it loses it, too.
    restore(tmp_path / "elsewhere.tar.gz", tmp_path / "older", lambda *_: None, forgotten=[root])
    assert bytes_with(tmp_path / "older", CANARY) == []
    with started(tmp_path / "older") as store:
        say(store, "ok")
        assert current(store) == [BESIDE]


@pytest.mark.parametrize("known", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_a_sealed_backup_loses_it_where_its_passphrase_is_set_and_is_named_where_not(tmp_path: Path, known: bool) -> None:
    root, file, word = tmp_path / "data", tmp_path / "sealed", "correct horse"
    with started(root, backup_passphrase=word if known else None) as store:
        say(store, f"{SECRET} {BESIDE}")
        note_backup(root, file, write_whole(root, file, lambda *_: None, passphrase=word).made_at)
        wanted = Forgettable(about=CANARY)
        shown = store.lattice.forget_preview(wanted, now=True)
        assert (shown.backups, shown.backups_out_of_reach) == (((str(file),), ()) if known else ((), (str(file),)))
        forget_now(store, wanted)
    restore(file, tmp_path / "restored", lambda *_: None, passphrase=word)
    assert bool(bytes_with(tmp_path / "restored", CANARY)) is not known


def test_each_of_many_backups_is_written_anew_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root, schedule, rewritten = tmp_path / "data", Schedule(tmp_path / "backups", "day", 5), []
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    made = [keep_one(root, schedule, datetime(2027, 1, day, tzinfo=UTC)).file for day in range(1, 6)]
    rewrite = erasing.rewrite

    def counted(archive: Path, *given: object, **more: object) -> None:
        rewritten.append(archive)
        rewrite(archive, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(erasing, "rewrite", counted)
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    assert sorted(rewritten) == made


def test_a_backup_that_is_made_while_something_is_forgotten_has_no_word_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was decided on a forgetting names the words that go, as long as it goes on."""
    root, file = tmp_path / "data", tmp_path / "during.tar.gz"
    ended = forgetting.Forgetting.carry_out

    def backing_up(*given: object, **more: object) -> object:
        done = ended(*given, **more)  # type: ignore[arg-type]
        assert list((root / "journal").rglob("*.plan.json")), "the forgetting has no plan: the test shows nothing"
        write_whole(root, file, lambda *_: None)
        return done

    monkeypatch.setattr(forgetting.Forgetting, "carry_out", backing_up)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
        forget_now(store, Forgettable(about=CANARY))
    restore(file, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path / "restored", CANARY) == []
    with started(tmp_path / "restored") as store:
        say(store, "ok")
        assert current(store) == [BESIDE]


def test_a_backup_that_could_not_be_written_anew_loses_it_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "backups", "day", 5)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    archive = keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)).file

    def failing(*_: object, **__: object) -> None:
        raise Unavailable("The disk of the backups fails.")

    with monkeypatch.context() as patch, started(root) as store:
        patch.setattr(erasing, "rewrite", failing)
        forget_now(store, Forgettable(about=CANARY))
    with started(root) as store:
        say(store, "ok")
    restore(archive, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path, CANARY) == []
    assert not (root / erasing.UNWRITTEN).exists()


def killed_while(work: Callable[[], object], module: ModuleType, name: str) -> None:
    """Do something in a process that ends at once when it comes to call a function, with nothing cleared away."""
    child = os.fork()
    if child == 0:
        try:
            setattr(module, name, lambda *_, **__: os._exit(9))
            work()
        finally:  # whatever it raises, this is not the process that runs the tests
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9


@pytest.mark.parametrize("at", ["its trial", "unpacking its trial", "being written"])
def test_what_a_backup_that_was_killed_left_behind_loses_it_too(tmp_path: Path, at: str) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "backups", "day", 3)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    module, name = {
        "its trial": (backup_schedule, "_try"),
        "unpacking its trial": (backup_archive, "_keep_forgotten"),
        "being written": (os, "fsync"),
    }[at]
    killed_while(lambda: keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)), module, name)
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    for archive in schedule.folder.glob("*.tar.gz"):
        restore(archive, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path, CANARY) == []


def test_what_a_trial_that_was_killed_after_a_forgetting_left_behind_is_gone_at_the_next_start(tmp_path: Path) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "backups", "day", 3)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    archive = keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)).file
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    trial = schedule.folder / f".{archive.name}.0123.tmp-trial" / "journal"
    trial.mkdir(parents=True)
    (trial / "entry.json").write_text(SECRET)
    with started(root) as store:
        say(store, "ok")
    assert bytes_with(tmp_path, CANARY) == []
    assert [path.name for path in schedule.folder.iterdir()] == [archive.name]


@pytest.mark.parametrize("at", ["whole", "its trial", "being written"])
def test_a_backup_that_was_killed_while_the_data_folder_took_no_line_loses_it_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "data-backups", "day", 3)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")

    def full(*_: object) -> None:
        if at == "whole" and list(schedule.folder.glob("*.tar.gz")):
            os._exit(9)  # killed as it is to be noted again, now that it is whole
        raise Unavailable("The disk is full.", status=507)

    module, name = {
        "whole": (backup_schedule, "keep_names"),
        "its trial": (backup_archive, "_keep_forgotten"),
        "being written": (os, "fsync"),
    }[at]
    with monkeypatch.context() as patch:
        patch.setattr(backup_archive, "note_backup", full)
        killed_while(lambda: keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)), module, name)
    assert list(schedule.folder.iterdir()), "nothing was left behind: the test shows nothing"
    assert not (root / "logs" / "backups.jsonl").exists()
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    for archive in schedule.folder.glob("*.tar.gz"):
        restore(archive, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path, CANARY) == []


def test_a_backup_that_comes_back_after_it_was_forgotten_in_all_others_loses_it_at_the_next_start(tmp_path: Path) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "data-backups", "day", 1)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    older = keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)).file
    content = older.read_bytes()
    keep_one(root, schedule, datetime(2027, 1, 2, tzinfo=UTC))
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    older.write_bytes(content)
    with started(root) as store:
        say(store, "ok")
    noted = (root / "logs" / "backups.jsonl").read_text()
    restore(older, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path, CANARY) == []
    assert older.name in noted


def test_what_a_killed_process_was_writing_loses_it_too(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
        folders = [entry.parent for entry in (root / "journal").rglob("*.json")]
        folders += [root / "logs", root / "inbox", *(each.parent for each in (root / "atoms").rglob("*.md"))]
        left = [folder / f".{at}.plan.json{durable.TEMPORARY_MARK}7-{at}" for at, folder in enumerate(dict.fromkeys(folders))]
        for each in left:
            each.write_text(SECRET)
        upload = root / "journal" / "spool" / "7-0-0123"
        upload.parent.mkdir(exist_ok=True)
        upload.write_text(SECRET)
        forget_now(store, Forgettable(about=CANARY))
        assert bytes_with(root, CANARY) == []


def test_a_rewriting_that_was_killed_is_cleared_away_by_the_next(tmp_path: Path) -> None:
    root, schedule = tmp_path / "data", Schedule(tmp_path / "backups", "day", 3)
    with started(root) as store:
        say(store, f"{SECRET} {BESIDE}")
    archive = keep_one(root, schedule, datetime(2027, 1, 1, tzinfo=UTC)).file
    killed_while(lambda: backup_archive.rewrite(archive, lambda _: None), backup_archive, "_keep_forgotten")
    killed_while(lambda: backup_archive.rewrite(archive, lambda _: None), backup_archive, "write_whole")
    assert bytes_with(schedule.folder, CANARY), "they left nothing behind: the test shows nothing"
    with started(root) as store:
        forget_now(store, Forgettable(about=CANARY))
    restore(archive, tmp_path / "restored", lambda *_: None)
    assert bytes_with(tmp_path, CANARY) == []
    assert [path.name for path in schedule.folder.iterdir()] == [archive.name]


def test_it_is_carried_out_to_its_end_wherever_the_process_died(tmp_path: Path) -> None:
    with started(tmp_path / "before") as store:
        say(store, f"{SECRET} {BESIDE}")
        say(store, f"{SECRET}")
        atom_id = atom_saying(store, CANARY).atom_id
    for step in ("forget.noted", "forget.removed", "forget.redacted", "durable.append.before_fsync"):
        root = Path(shutil.copytree(tmp_path / "before", tmp_path / step))
        with open_store(root) as store:
            command_id = store.stores.clock.new_id()
            command = Command(command_id, datetime.now(UTC), ForgetAtoms((atom_id,), now=True))
            store.stores.worklog.append(command)
            with dying_when(step), contextlib.suppress(Died):
                store.ingest.next_part(command_id)
            left = left_by(root, tmp_path / f"{step}-left")
        with started(left) as store:
            finished(store, command_id)
            assert current(store) == [BESIDE]
        assert bytes_with(left, CANARY) == []
        assert unwell(left) == ()


@contextlib.contextmanager
def dying_when(step: str) -> Iterator[None]:
    """Dies when it comes to a step of this name."""

    def hook(name: str) -> None:
        if name == step:
            raise Died

    durable.set_failpoint(hook)
    try:
        yield
    finally:
        durable.set_failpoint(None)


def test_what_quotes_it_loses_the_quote_and_what_it_replaced_is_current_again(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "I live in Leeds.", observed_at="2026-01-02T10:00:00Z")
        say(store, f"I moved from Leeds to {CANARY}.", observed_at="2026-01-03T10:00:00Z")
        forget_now(store, Forgettable(about=CANARY))
        assert current(store) == ["I live in Leeds."]
    assert bytes_with(tmp_path, CANARY) == []


def test_what_lies_in_the_trash_can_be_forgotten_at_once(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, f"{SECRET} {BESIDE}")
        atom_id = atom_saying(store, CANARY).atom_id
        change(store, DeleteAtom(atom_id))
        assert store.lattice.forget_preview(Forgettable(atom_ids=(atom_id,)), now=True).in_trash == 1
        forget_now(store, Forgettable(atom_ids=(atom_id,)))
        assert bytes_with(tmp_path, CANARY) == []
        with pytest.raises(NotFound):
            forget_now(store, Forgettable(atom_ids=(atom_id,)))


def test_what_is_forgotten_by_name_at_once_is_not_left_in_the_trash(tmp_path: Path) -> None:
    """By each way of naming: an older deletion of the same would keep the words for weeks."""
    ways = [
        Forgettable(about=CANARY),
        Forgettable(search=CANARY),
        Forgettable(source="diary"),
        Forgettable(after=datetime(2026, 1, 1, tzinfo=UTC), before=datetime(2026, 2, 1, tzinfo=UTC)),
    ]
    for number, wanted in enumerate(ways):
        root = tmp_path / str(number)
        with started(root) as store:
            say(store, f"{CANARY} has a brother called Bim.", observed_at="2026-01-03T10:00:00Z", source_id="diary")
            say(store, BESIDE, observed_at="2026-03-03T10:00:00Z")
            change(store, DeleteAtom(atom_saying(store, CANARY).atom_id))
            assert bytes_with(root, CANARY) != []
            with pytest.raises(NotFound):
                store.lattice.forget_preview(wanted, now=False)
            assert store.lattice.forget_preview(wanted, now=True).in_trash == 1
            forget_now(store, wanted)
            assert current(store) == [BESIDE]
        assert bytes_with(root, CANARY) == []


def test_the_same_words_in_the_trash_go_with_a_subject(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, SECRET)
        first = atom_saying(store, CANARY)
        change(store, DeleteAtom(first.atom_id))
        say(store, f"Finally: {SECRET}")
        say(store, BESIDE)
        forget_now(store, Forgettable(subject=atom_saying(store, CANARY).subject))
        assert current(store) == [BESIDE]
    assert bytes_with(tmp_path, CANARY) == []


def test_each_way_of_naming_means_what_it_says(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "Tom keeps two goats.", observed_at="2026-01-02T10:00:00Z", source_id="diary")
        say(store, "Tomorrow the goats of Nora are shorn.", observed_at="2026-02-02T10:00:00Z")

        def meant(wanted: Forgettable) -> list[str]:
            ids = store.lattice.forget_preview(wanted, now=False).atom_ids
            return sorted(atom.content[:4] for atom in store.lattice.atoms(ids))

        february = datetime(2026, 2, 1, tzinfo=UTC)
        assert meant(Forgettable(about="Tom")) == ["Tom "]
        assert meant(Forgettable(source="diary")) == ["Tom "]
        assert meant(Forgettable(search="goats")) == ["Tom ", "Tomo"]
        assert meant(Forgettable(before=february)) == ["Tom "]
        assert meant(Forgettable(after=february)) == ["Tomo"]
        assert meant(Forgettable(subject=atom_saying(store, "Tom keeps").subject)) == ["Tom "]
        with pytest.raises(NotFound):
            meant(Forgettable(about="Nobody"))
        with pytest.raises(InvalidInput):
            meant(Forgettable(about="Tom", source="diary"))
        with pytest.raises(InvalidInput):
            meant(Forgettable())
        shown = store.lattice.forget_preview(Forgettable(search="goats"), now=True)
        say(store, "Ines has goats, too.")
        with pytest.raises(Conflict):
            store.lattice.forget(Forgettable(search="goats"), shown.confirm, now=True)


def test_a_disk_that_fills_up_as_the_first_forgetting_is_noted_leaves_a_ledger_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by cutting every call: the salt was known and not written, and what was noted next could never be read again."""
    ledger, erasure = ForgottenLedger(tmp_path), Erasure(("01m7vvvvvvvvvvvvvvvvvvvv00",), (), ("I like plums.",))

    def full(_: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    durable.set_failpoint(full)
    try:
        with pytest.raises(Unavailable):
            ledger.note("01m7vvvvvvvvvvvvvvvvvvvv01", datetime.now(UTC), erasure, {})
    finally:
        durable.set_failpoint(None)
    ledger.note("01m7vvvvvvvvvvvvvvvvvvvv01", datetime.now(UTC), erasure, {})
    assert ForgottenLedger(tmp_path).bars("I like plums.")


def test_the_name_of_a_file_that_others_came_from_says_nothing_of_it_any_more(tmp_path: Path) -> None:
    """Nor that of a conversation; and a number in a name is a date of its own."""
    with started(tmp_path, inbox_settle_seconds=0.05) as store:
        folder = tmp_path / "inbox" / f"about {CANARY}"
        folder.mkdir()
        for number in (1, 2):
            (folder / f"{CANARY} {number}.txt").write_text(f"{CANARY} was born in 2031.\nThe key number {number} is red.\n")
        until("the inbox", lambda: sum("key number" in each for each in current(store)) == 2)
        deleted = change(store, DeleteAtom(atom_saying(store, "key number 2").atom_id))
        metadata = CaptureMetadata(session_id=f"chat with {CANARY} of 2031", source_id=f"{CANARY}'s chat")
        finished(store, send(store, IngestRequest(text="The gate is green.", metadata=metadata)))
        forget_now(store, Forgettable(about=CANARY))
        assert bytes_with(tmp_path, CANARY) == []
        change(store, UndoChange(deleted))
        left = [atom_saying(store, words) for words in ("key number 1", "key number 2", "gate")]
        assert len({atom.source_id for atom in left}) == 3
        assert left[2].session_id == f"chat with {MARK * len(CANARY)} of 2031"
        assert (left[2].episode_id or "").endswith(f":{left[2].session_id}")
        assert [each.content for each in store.lattice.atoms(store.stores.catalogue.of_source(left[1].source_id or ""))] == [
            left[1].content
        ]
        before = store.state_hash()
    assert unwell(tmp_path) == ()
    assert rebuilt(tmp_path)[0] == before
    assert bytes_with(tmp_path, CANARY) == []
