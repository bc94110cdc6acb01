"""A bit that the disk changed, in each kind of file of a store: the doctor says it, and nobody is told it."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from lattice_api.token_file import TokenFile
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.files.forgotten_ledger import ForgottenLedger
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.files.rejection_log import FileRejectionLog
from lattice_common.adapters.files.token_ledger import TokenLedger
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import ArchiveAtoms, DeleteAtom, EditAtom, ForgetAtoms, UndoChange
from lattice_common.domain.recall import Query
from lattice_common.errors import Conflict, Corrupt
from lattice_common.inspection import look_through
from lattice_common.settings import Settings
from lattice_common.upkeep.doctor import Finding
from lattice_common.upkeep.mending import mend

from tests.contract.test_rejection_log import set_aside
from tests.pipeline.living import atom_saying, atoms_of, change, current, files_of, finished, open_store, say, send, started
from tests.pipeline.test_deep_doctor import lived_in

OLD, NEW = "I moved from Ghent to Krakow.", "I moved from Ghent to Turin."


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_every_kind(tmp_path_factory.mktemp("flipped") / "data")


def with_every_kind(root: Path) -> Path:
    """Every kind of file that the writer, and who asks, leave behind."""
    lived_in(root, 3)
    with started(root, trace=True) as store:
        finished(store, send(store, IngestRequest(text="I sing in the choir on Tuesdays."), "a key"))
        say(store, "The bins go out on Tuesday.")
        change(store, DeleteAtom(atom_saying(store, "bins").atom_id))
        say(store, "The rye bread is from Hanna.")
        change(store, ArchiveAtoms((atom_saying(store, "rye").atom_id,)))
        say(store, "My locker has the code 4471.")
        change(store, ForgetAtoms((atom_saying(store, "4471").atom_id,), now=True))
        change(store, EditAtom(atom_saying(store, OLD).atom_id, {"content": NEW}))
        answer = store.lattice.answer(Query("Where do I live?"), channel="page", session_id="s")
        store.lattice.feedback("wrong", trace_id=answer.trace_id, atom_ids=[], channel="page")
        store.lattice.chose("Who needs a gym?", "tell", "page")
        say(store, "ok")
    TokenLedger(root, SystemClock(), daily_limit=0).spend(model="m", purpose="answer", prompt=120, completion=40)
    EgressLog(root, SystemClock()).recording_leaving("example.org", "m", 4_000)
    return root


@pytest.fixture
def root(life: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(life, tmp_path / "data"))


def looked(root: Path) -> tuple[Finding, ...]:
    return look_through(Settings(data_dir=root, embed_model="none"), lambda *_: None, deep=True).findings


def flip(path: Path, at: int, bit: int = 0) -> None:
    """As a disk does it: nothing but this bit changes, no time either."""
    times = path.stat()
    content = bytearray(path.read_bytes())
    content[at] ^= 1 << bit
    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def flip_in(path: Path, words: bytes) -> None:
    flip(path, path.read_bytes().index(words))


def entries(ending: str) -> Callable[[Path], Iterable[Path]]:
    return lambda root: root.glob(f"journal/2*/*/*/*{ending}")


def envelopes(kind: bytes) -> Callable[[Path], Iterable[Path]]:
    of_kind = b'"type":"%s"' % kind
    return lambda root: [
        path for path in root.glob("journal/2*/*/*/*.json") if path.name.count(".") == 1 and of_kind in path.read_bytes()
    ]


KINDS: dict[str, str | Callable[[Path], Iterable[Path]]] = {
    "captures": envelopes(b"capture"),
    "commands": envelopes(b"command"),
    "receipts": entries(".receipt.json"),
    "originals": entries(".original.txt"),
    "readings": entries(".reading.json"),
    "what was forgotten": "journal/forgotten.jsonl",
    "keys": "journal/keys/*/*.json",
    "nodes": "graph/nodes.jsonl",
    "edges": "graph/edges.jsonl",
    "manifest": "graph/manifest.json",
    "words": "index/lexical/engine/[!.]*.[!j]*",  # of its `meta.json` a bit may change what nobody reads
    "vectors": "index/dense/exact/rows-*.jsonl",
    "what made the vectors": "index/dense/exact/made-by.json",
    "words of passages": "index/passages/lexical/engine/[!.]*.[!j]*",
    "the model in use": "index/embedding.json",
    "glosses": "index/glosses.json",
    "how far was judged": "index/judged.json",
    "up to when days were looked at": "index/days.json",
    "chat": "logs/chat.jsonl",
    "feedback": "logs/feedback.jsonl",
    "intents": "logs/intents.jsonl",
    "usage": "logs/usage.jsonl",
    "traces": "logs/traces.jsonl",
    "migrations": "logs/migrations.jsonl",
    "starts": "logs/starts.jsonl",
    "what left": "logs/egress.jsonl",
    "tokens of models": "logs/tokens/*.jsonl",
}


def files_of_kind(root: Path, kind: str) -> list[Path]:
    where = KINDS[kind]
    found = root.glob(where) if isinstance(where, str) else where(root)
    return sorted(path for path in found if path.is_file() and path.stat().st_size)


def test_a_store_without_a_flipped_bit_has_no_finding(life: Path) -> None:
    before = files_of(life)
    assert looked(life) == ()
    assert files_of(life) == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_flipped_bit_in_any_kind_of_file_is_found(root: Path, kind: str) -> None:
    find_each_of(root, kind, 1)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_flipped_bits_anywhere_in_any_kind_of_file_are_found(root: Path, kind: str) -> None:
    find_each_of(root, kind, 20)


def find_each_of(root: Path, kind: str, flips: int) -> None:
    chance = random.Random(kind)
    paths = files_of_kind(root, kind)
    assert paths, "there is no file of this kind"
    for _ in range(flips):
        path = chance.choice(paths)
        at, bit = chance.randrange(path.stat().st_size), chance.randrange(8)
        flip(path, at, bit)
        assert looked(root), f"bit {bit} of byte {at} of {path.relative_to(root)} is not found"
        flip(path, at, bit)


def kept(root: Path) -> list[object]:
    """All that a store says of what it remembers, in order, whatever it is asked."""
    with open_store(root) as store:
        atoms = sorted((atom.atom_id, orjson.dumps(store.lattice.fields(atom))) for atom in store.stores.catalogue.all())
        return [atoms, [found.atom.content for found in store.lattice.select(Query("Where do I live?")).atoms]]


@pytest.mark.parametrize("folder", ["atoms", "archive"])
@pytest.mark.parametrize("seed", range(3))
def test_a_bit_of_a_memorys_file_is_found_or_says_nothing(root: Path, tmp_path: Path, folder: str, seed: int) -> None:
    """What is left are hashes of its words, which are reckoned anew."""
    chance = random.Random(f"{folder} {seed}")
    before = kept(Path(shutil.copytree(root, tmp_path / "before")))
    for _ in range(4):
        path = chance.choice(sorted((root / folder).rglob("*.md")))
        at, bit = chance.randrange(path.stat().st_size), chance.randrange(8)
        flip(path, at, bit)
        if not looked(root):
            again = Path(shutil.copytree(root, tmp_path / f"copy-{at}-{bit}"))
            assert kept(again) == before, f"bit {bit} of byte {at} of {path.name} is served and not found"
        flip(path, at, bit)


@pytest.mark.parametrize("place", ["index/catalogue.sqlite", "index/passages/passages.sqlite"])
def test_a_bit_in_the_pages_of_sqlite_is_found_or_says_nothing(root: Path, tmp_path: Path, place: str) -> None:
    chance = random.Random(place)
    before = kept(Path(shutil.copytree(root, tmp_path / "before")))
    content = (root / place).read_bytes()
    used = [at for at, byte in enumerate(content) if byte and at > 100]
    found = 0
    for at in chance.sample(used, 12):
        flip(root / place, at, chance.randrange(8))
        if looked(root):
            found += 1
        else:
            again = Path(shutil.copytree(root, tmp_path / f"copy-{at}"))
            assert kept(again) == before, f"a bit of byte {at} is served and not found"
        (root / place).write_bytes(content)
    assert found >= 6


@pytest.mark.parametrize("damage", ["UPDATE interned SET space = 'naoe'", "DELETE FROM interned"])
def test_a_subject_that_the_catalogue_does_not_name_is_found_and_made_anew(root: Path, damage: str) -> None:
    """One bit of a name's row is enough."""
    with open_store(root) as store:
        before = {atom.atom_id for atom in store.stores.catalogue.all()}
    with closing(sqlite3.connect(root / "index" / "catalogue.sqlite")) as catalogue, catalogue:
        catalogue.execute(f"{damage} WHERE space = 'name'")
    with pytest.raises(Corrupt, match="lattice rebuild"):
        SqliteCatalogue(root / "index" / "catalogue.sqlite", follows=True)
    assert looked(root)
    with started(root) as store:  # what is derived is made anew by whoever writes, before anything new is kept
        say(store, "The shed key hangs in the hall.")
        assert before < {atom.atom_id for atom in store.stores.catalogue.all()}


def test_a_vector_whose_length_hardly_changed_is_found_and_made_anew(root: Path) -> None:
    for folder in ("index/dense", "index/passages/dense"):
        [vectors] = root.glob(f"{folder}/exact/vectors-*.f32")
        flip(vectors, 5)  # of the mantissa: the length stays within a hundredth
    assert {each.area for each in looked(root)} == {"dense", "passages"}
    with open_store(root) as store:
        mend(store.stores, looked(root), lambda *_: None)
    assert looked(root) == ()


def words_of_catalogue(root: Path, words: bytes) -> None:
    """In what the catalogue has of a memory, wherever SQLite keeps it."""
    with closing(sqlite3.connect(root / "index" / "catalogue.sqlite")) as connection:
        rows: list[tuple[int, bytes]] = connection.execute("SELECT position, fields FROM contents").fetchall()
        [(position, fields)] = [each for each in rows if words in each[1]]
        connection.execute(
            "UPDATE contents SET fields = ? WHERE position = ?", (fields.replace(words, b"Ghent to Berlin"), position)
        )
        connection.commit()


def test_other_words_in_the_catalogue_are_never_served_and_come_back_from_the_file(root: Path) -> None:
    with open_store(root) as store:
        atom_id = atom_saying(store, NEW).atom_id
    words_of_catalogue(root, b"Ghent to Turin")
    with open_store(root) as store:
        found = store.lattice.select(Query("Where did I move to?")).atoms
        assert "Ghent to Berlin" not in " ".join(each.atom.content for each in found)
        assert store.stores.catalogue.get([atom_id]) == []
    findings = looked(root)
    assert (atom_id, "catalogue") in {(each.thing, each.area) for each in findings}
    with open_store(root) as store:
        mend(store.stores, findings, lambda *_: None)
        assert [atom.content for atom in store.stores.catalogue.get([atom_id])] == [NEW]
    assert looked(root) == ()


def test_damaged_pages_of_the_catalogue_are_made_anew_as_a_file(root: Path) -> None:
    with closing(sqlite3.connect(root / "index" / "catalogue.sqlite")) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        pages: tuple[int, int] = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) FROM sqlite_schema WHERE name = 'atoms_hash'"
        ).fetchone()
    flip(root / "index" / "catalogue.sqlite", (pages[0] - 1) * pages[1] + pages[1] - 5, 3)  # in a cell of the index of hashes
    findings = looked(root)
    assert ("catalogue", "the file") in {(each.area, each.thing) for each in findings}
    with open_store(root) as store:
        before = current(store)
        assert mend(store.stores, findings, lambda *_: None).everything
        assert current(store) == before
    assert looked(root) == ()


def test_a_changed_line_of_a_log_is_read_by_nobody_and_goes_when_something_is_forgotten(root: Path) -> None:
    path = root / "logs" / "chat.jsonl"
    log = FileLineLog(root, "chat")
    whole = list(log.newest())
    flip_in(path, b"Where do I live")
    assert len(list(log.newest())) == len(whole) - 1
    assert len(log.since(0)[0]) == len(whole) - 1
    log.rewrite(lambda line: line)
    assert b"do I live" not in path.read_bytes()
    assert looked(root) == ()


def test_a_pipe_in_place_of_a_log_or_of_what_was_forgotten_is_found_and_holds_up_no_look(root: Path) -> None:
    names = ("logs/chat.jsonl", "logs/starts.jsonl", "journal/forgotten.jsonl")
    for name in names:
        (root / name).unlink()
        os.mkfifo(root / name)
    said = " ".join(f"{each.thing} {each.problem}" for each in looked(root))
    assert not [name for name in names if name not in said], said


@pytest.mark.parametrize("name", ["index/dense/exact/rows-*.jsonl", "index/dense/exact/made-by.json", "graph/nodes.jsonl"])
def test_a_pipe_in_place_of_what_is_derived_holds_up_no_start_and_is_made_anew(root: Path, name: str) -> None:
    [path] = root.glob(name)
    path.unlink()
    os.mkfifo(path)
    with started(root) as store:
        assert store.lattice.select(Query("Where do I live?")).atoms
    with open_store(root) as store:
        mend(store.stores, looked(root), lambda *_: None)
    assert looked(root) == ()


def test_a_changed_candidate_cannot_be_kept(tmp_path: Path) -> None:
    log = FileRejectionLog(tmp_path)
    log.append([set_aside(0, content="Mara is a nurse."), set_aside(1)])
    log.mark_kept("rejected-1", kept=True)
    path = tmp_path / "logs" / "rejected.jsonl"
    flip_in(path, b"nurse")
    flip(path, path.read_bytes().rindex(b"true") + 1)
    again = FileRejectionLog(tmp_path)
    assert [(each.rejected_id, each.kept) for each in again.recent(5)] == [("rejected-1", False)]
    assert again.drop(lambda _: False) == 0
    assert path.read_bytes().count(b"\n") == 1, "nobody could say what the others hold"


def receipt_of(root: Path, change_id: str) -> Path:
    [path] = root.glob(f"journal/2*/*/*/{change_id}.receipt.json")
    return path


def edit_of(store: Embedded) -> str:
    return atom_saying(store, NEW).edits[-1]


def test_an_undo_never_brings_back_words_that_the_disk_changed(root: Path) -> None:
    with open_store(root) as store:
        change_id, atom_id = edit_of(store), atom_saying(store, NEW).atom_id
    flip_in(receipt_of(root, change_id), b"Krakow")
    with started(root) as store:
        with pytest.raises(Conflict, match="not what was written"):
            change(store, UndoChange(change_id))
        assert atoms_of(store)[atom_id].content == NEW
        # All else goes on: what is listed, and what is told of the memory.
        assert store.lattice.captures(state=None, limit=50, cursor=None)[0]
        assert store.lattice.atom(atom_id).edits == ()
        say(store, "I keep bees.")


def test_a_changed_entry_of_the_journal_keeps_nothing_else_from_being_served_and_rebuilt(root: Path) -> None:
    with open_store(root) as store:
        atom, before = atom_saying(store, NEW), current(store)
    [envelope] = root.glob(f"journal/2*/*/*/{atom.capture_id}.json")
    flip_in(envelope, b"observed_at")
    with open_store(root) as store:
        assert store.lattice.atom(atom.atom_id).source is None
        with pytest.raises(Corrupt, match="restore it from a backup"):
            store.lattice.source_text(atom.capture_id, start=0, limit=100)
        store.rebuild(lambda *_: None)
        assert current(store) == before
    assert [(each.area, each.thing) for each in looked(root)] == [("journal", atom.capture_id)]


def test_a_claim_that_the_disk_changed_answers_for_no_other_capture(root: Path) -> None:
    [claim] = root.glob("journal/keys/*/*.json")
    flip(claim, claim.read_bytes().index(b"entry_id") + len('entry_id":"') + 20)
    with started(root) as store, pytest.raises(Corrupt, match="idempotency key"):
        send(store, IngestRequest(text="I sing in the choir on Tuesdays."), "a key")


def test_what_a_damaged_line_of_what_was_forgotten_names_now_is_not_erased(root: Path) -> None:
    path = root / "journal" / "forgotten.jsonl"
    whole = ForgottenLedger(root)
    flip_in(path, b"whole")
    damaged = ForgottenLedger(root)
    assert [line.by for line in damaged] == [line.by for line in whole]
    assert damaged.atom_ids == frozenset()
    assert all(not line.entries for line in damaged)
    assert damaged.bars("My locker has the code 4471.") == whole.bars("My locker has the code 4471.")
    flip(path, path.read_bytes().index(b"salt") + 10)
    with pytest.raises(Corrupt, match="restore it from a backup"):
        ForgottenLedger(root)


def test_tokens_that_a_changed_line_counts_are_not_counted(root: Path) -> None:
    ledger = TokenLedger(root, SystemClock(), daily_limit=0)
    assert ledger.spent_today() == 160
    [path] = root.glob("logs/tokens/*.jsonl")
    flip_in(path, b"120")
    assert TokenLedger(root, SystemClock(), daily_limit=0).spent_today() == 0
    assert ledger.today() == []


def test_a_token_whose_scopes_or_end_the_disk_changed_opens_nothing_and_the_others_do(root: Path) -> None:
    tokens = TokenFile(root)
    ends, lasting = tokens.add_token("ends", ["read"], expires_at=4_000_000_000.0), tokens.add_token("lasting", ["admin"])
    session = tokens.add_session(["read"])
    path = root / "access.json"
    flip_in(path, b"4000000000")
    flip(path, path.read_bytes().rindex(b"read") + 3)  # of the session
    again = TokenFile(root)
    assert (again.token_of(ends), again.has_session([session.cookie])) == (None, False)
    assert again.scopes_of_token(lasting) == ("admin",)
    assert [each.thing for each in looked(root)] == ["access.json, line 1", "access.json, line 3"]


def test_a_manifest_of_the_graph_that_the_disk_changed_is_not_believed(root: Path) -> None:
    flip_in(root / "graph" / "manifest.json", b"built_at")
    with closing(EmbeddedGraph(root)) as graph:
        graph.refresh()
        assert graph.trouble is not None


@pytest.mark.parametrize("gone", [(".json",), (".receipt.json",), (".json", ".receipt.json")])
def test_without_the_middle_of_a_chain_in_the_journal_what_replaced_what_stays_so(root: Path, gone: tuple[str, ...]) -> None:
    """Somebody deleted it by hand: the memories are there, the doctor names what is missing, and changes go on."""
    with started(root) as store:
        said: list[Any] = [
            say(store, f"My desk is {colour}.", observed_at=f"2026-04-0{day}T10:00:00Z")
            for day, colour in enumerate(("oak", "beech", "pine"), start=1)
        ]
        before = current(store)
    for ending in gone:
        next(iter(root.glob(f"journal/2*/*/*/{said[1].capture_id}{ending}"))).unlink()
    assert {each.area for each in looked(root)} == {"orphan" if ".json" in gone else "journal"}
    with started(root) as store:
        say(store, "ok")
        assert current(store) == before
        store.lattice.captures(state=None, limit=50, cursor=None)
        assert store.lattice.atom(said[1].atom_ids[0]).atom.content == "My desk is beech."
        change(store, UndoChange(said[2].capture_id))
        assert "My desk is pine." not in current(store)
    with open_store(root) as store:
        left = current(store)
        store.rebuild(lambda *_: None)
        assert current(store) == left
