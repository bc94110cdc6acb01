"""The embedded indexes after a crash, beside another process, and when their files are damaged."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import index_writer
import numpy as np
import pytest
from index_writer import Index, opened, store, vector
from lattice_common.adapters.embedded.dense_by_size import DenseIndexBySize
from lattice_common.adapters.embedded.numpy_dense import NumpyDenseIndex
from lattice_common.adapters.embedded.qdrant_edge_dense import QdrantEdgeDenseIndex
from lattice_common.adapters.embedded.tantivy_files import damaged_files
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from lattice_common.errors import Unavailable
from lattice_common.ports.dense_index import DenseDocument
from test_dense_index import document as dense_document
from test_lexical_index import asked, document

ENGINES = ["tantivy", "numpy", "edge"]


def found(index: Index, number: int) -> str:
    if isinstance(index, TantivyLexicalIndex):
        return index.search(asked(f"number{number}"), 1)[0].atom_id
    return index.search(vector(number), 1)[0].atom_id


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("committed", [0, 7])
def test_after_kill_9_every_commit_is_there_and_writing_goes_on(engine: str, committed: int, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    command = [sys.executable, index_writer.__file__, engine, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == committed:
                os.kill(writer.pid, signal.SIGKILL)
                break
    with closing(opened(engine, folder)) as index:
        assert index.emptied is None
        entries = {atom_id for atom_id, _, _ in index.entries()}
        assert {f"atom {number}" for number in range(10 * committed + 10)} <= entries
        store(index, range(20_000, 20_010))
        index.commit()
        assert {atom_id for atom_id, _, _ in index.entries()} == entries | {f"atom {n}" for n in range(20_000, 20_010)}
        for number in (0, 10 * committed + 9, 20_009):
            assert found(index, number) == f"atom {number}"


@pytest.mark.parametrize("engine", ["tantivy", "numpy", pytest.param("edge", marks=pytest.mark.slow)])
def test_an_index_whose_files_were_cut_short_opens_whole_or_empty_and_takes_writes(engine: str, tmp_path: Path) -> None:
    with closing(opened(engine, tmp_path / "whole")) as index:
        store(index, range(30))
        index.commit()
        names = sorted(path.relative_to(tmp_path / "whole") for path in (tmp_path / "whole").rglob("*") if path.is_file())
    assert names
    for name in names:
        for kept in (0, 0.5):
            folder = tmp_path / f"{str(name).replace('/', '-')} {kept}"
            with closing(opened(engine, folder)) as index:
                store(index, range(30))
                index.commit()
            damaged = folder / name
            if not damaged.exists():
                continue  # named by chance, in the engine's own way
            os.truncate(damaged, int(damaged.stat().st_size * kept))
            with closing(opened(engine, folder)) as index:
                entries = list(index.entries())
                assert len(entries) in (0, 30)  # emptied, or an earlier commit: the reconciler fills either
                store(index, range(30))
                index.commit()
                assert found(index, 29) == "atom 29"


@pytest.mark.parametrize("engine", ENGINES)
def test_an_index_of_another_format_empties_itself_and_says_so(engine: str, tmp_path: Path) -> None:
    with closing(opened(engine, tmp_path)) as index:
        store(index, range(3))
        index.commit()
    stamp = tmp_path / ("format" if engine == "tantivy" else "made-by.json")
    stamp.write_bytes(b'{"generation": 0, "format": 0}')
    with closing(opened(engine, tmp_path)) as index:
        assert index.emptied is not None
        assert list(index.entries()) == []
        store(index, range(3))
        index.commit()
        assert found(index, 2) == "atom 2"


def test_a_second_writer_of_the_lexical_index_is_told_and_may_still_read(tmp_path: Path) -> None:
    with closing(TantivyLexicalIndex(tmp_path)) as first, closing(TantivyLexicalIndex(tmp_path)) as second:
        first.upsert([document("a", "coffee")])
        with pytest.raises(Unavailable, match="another process"):
            second.upsert([document("b", "tea")])
        first.commit()
        assert second.search(asked("coffee"), 5) == []


def test_no_thread_of_the_lexical_engine_writes_into_an_index_that_is_only_open(tmp_path: Path) -> None:
    """It did when the files changed, also while their folder was being removed, which then was not empty."""
    lock = tmp_path / "engine" / ".tantivy-meta.lock"
    with closing(TantivyLexicalIndex(tmp_path)) as looking, closing(TantivyLexicalIndex(tmp_path)) as writing:
        writing.upsert([document("a", "coffee")])
        writing.commit()
        lock.unlink(missing_ok=True)
        time.sleep(1.5)  # the engine looks at its files twice a second
        assert not lock.exists()
        assert looking.search(asked("coffee"), 5) == []


def test_holes_are_written_away_and_earlier_readers_are_not_disturbed(tmp_path: Path) -> None:
    with closing(NumpyDenseIndex(tmp_path, "model", 8)) as index:
        index.upsert([dense_document(f"{number}", number) for number in range(600)])
        index.commit()
        for start in range(0, 500, 50):
            index.delete([f"{number}" for number in range(start, start + 50)])
            index.commit()
            assert index.search(vector(599), 1)[0].atom_id == "599"
            assert len(list(index.entries())) == 550 - start
        assert sum(path.stat().st_size for path in tmp_path.glob("rows-*")) < 40_000
        np.testing.assert_allclose(index.vectors(["550"])["550"], vector(550), atol=1e-6)


def test_moving_to_the_larger_engine_goes_in_chunks_survives_a_restart_and_loses_nothing(tmp_path: Path) -> None:
    """Crossing the limit with 20 documents, 4 copied with each commit: found at every moment, also after a stop in between."""

    def reopened() -> DenseIndexBySize:
        return DenseIndexBySize(tmp_path, "model", 8, 10, chunk=4)

    expected = {f"{number}" for number in range(20)}
    with closing(reopened()) as index:
        index.upsert([dense_document(atom_id, int(atom_id)) for atom_id in expected])
        index.commit()
        assert (tmp_path / "exact").exists()
        assert (tmp_path / "edge").exists()
    for number in range(20, 30):
        with closing(reopened()) as index:
            index.upsert([dense_document(f"{number}", number, seq=2)])
            index.delete([f"{number - 20}"])
            index.commit()
            expected = expected - {f"{number - 20}"} | {f"{number}"}
            assert {atom_id for atom_id, _, _ in index.entries()} == expected
            assert index.search(vector(number), 1)[0].atom_id == f"{number}"
    assert not (tmp_path / "exact").exists()


@pytest.mark.slow
def test_the_graph_is_built_beside_and_holds_recall_at_20(tmp_path: Path) -> None:
    """20,000 vectors in clusters of unequal size, questions near stored ones; and writes during the building are kept."""
    chance = np.random.default_rng(9)
    centres = chance.standard_normal((400, 64), dtype=np.float32)
    stored = centres[np.minimum(chance.zipf(1.3, 20_000) - 1, 399)] + 0.6 * chance.standard_normal((20_000, 64), dtype=np.float32)
    stored /= np.linalg.norm(stored, axis=1, keepdims=True)
    fields = document("a", "").filter_fields
    documents = [DenseDocument(f"{number:05}", "hash", 1, row, fields) for number, row in enumerate(stored)]
    questions = stored[:200] + 0.05 * chance.standard_normal((200, 64), dtype=np.float32)
    questions /= np.linalg.norm(questions, axis=1, keepdims=True)
    with closing(QdrantEdgeDenseIndex(tmp_path, "model", 64, graph_from=15_000)) as index:
        index.upsert(documents[:18_000])
        index.commit()
        assert not index.settled()
        index.upsert(documents[18_000:])
        index.delete(["19999"])
        index.commit()
        index.wait_for_graph(600)
        assert index.settled()
        assert len(index) == 19_999
        exact = np.argsort(-(questions @ stored[:-1].T), axis=1)[:, :20]
        found = [{int(hit.atom_id) for hit in index.search(question, 20)} for question in questions]
        recall = np.mean([len(hits & set(best.tolist())) / 20 for hits, best in zip(found, exact, strict=True)])
        assert recall >= 0.97


def test_a_disk_that_fills_up_under_the_lexical_index_is_waited_for(tmp_path: Path) -> None:
    with closing(TantivyLexicalIndex(tmp_path / "index")) as index:

        def keep(numbers: range) -> None:
            store(index, numbers)
            index.commit()

        keep(range(10))
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        # As on a full disk, what is written is cut short, and the rest is refused.
        resource.setrlimit(resource.RLIMIT_FSIZE, ((tmp_path / "index" / "slots.jsonl").stat().st_size + 100, hard))
        try:
            for _ in range(2):
                with pytest.raises(Unavailable):
                    keep(range(10, 2_000))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert found(index, 3) == "atom 3"
        keep(range(10, 20))
        assert sorted(atom_id for atom_id, _, _ in index.entries()) == sorted(f"atom {number}" for number in range(20))
        assert found(index, 15) == "atom 15"


def test_after_a_commit_of_deletions_was_cut_off_the_next_one_is_taken(tmp_path: Path) -> None:
    folder, before = tmp_path / "index", tmp_path / "before"
    with closing(TantivyLexicalIndex(folder)) as index:
        store(index, range(10))
        index.commit()
    shutil.copytree(folder, before)

    def delete() -> None:
        with closing(TantivyLexicalIndex(folder, exact_up_to=0)) as index:  # deletions stay in files of their own
            index.delete(["atom 3"])
            index.commit()
            assert sorted(atom_id for atom_id, _, _ in index.entries()) == [f"atom {n}" for n in range(10) if n != 3]

    delete()
    # As if it had been killed after the last file of that commit, and before the one that makes it count.
    shutil.copy(before / "engine" / "meta.json", folder / "engine" / "meta.json")
    assert list((folder / "engine").glob("*.del")), "the engine keeps deletions elsewhere by now"
    delete()


def test_an_exact_index_that_cannot_be_written_anew_stays_as_it_was_and_takes_writes(tmp_path: Path) -> None:
    """Found by cutting calls: after its new file could not be made as long as it has to be, deletions struck other rows."""
    with closing(NumpyDenseIndex(tmp_path, "model", index_writer.DIMENSION)) as index:
        store(index, range(20))
        index.commit()
        index.delete([f"atom {number}" for number in range(0, 20, 2)])
        index.commit()
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_000, hard))  # enough for its rows, and not for those to come
        try:
            with pytest.raises(Unavailable):
                index.purge()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        index.delete(["atom 3", "atom 5"])
        store(index, range(30, 32))
        index.commit()
        left = {f"atom {number}" for number in (1, *range(7, 20, 2), 30, 31)}
        assert {atom_id for atom_id, _, _ in index.entries()} == left
        assert index.damaged() == []
        assert found(index, 7) == "atom 7"
        index.purge()
        assert (index.damaged(), found(index, 31)) == ([], "atom 31")
    with closing(NumpyDenseIndex(tmp_path, "model", index_writer.DIMENSION)) as index:
        assert index.emptied is None
        assert {atom_id for atom_id, _, _ in index.entries()} == left
        assert index.damaged() == []


def test_who_searches_while_the_exact_index_is_taken_away_finishes(tmp_path: Path) -> None:
    index = NumpyDenseIndex(tmp_path, "model", 8)
    store(index, range(17_000))  # enough for two threads to share the work
    index.commit()
    index.close()
    assert found(index, 3) == "atom 3"


@pytest.mark.parametrize("engine", ["tantivy"])
def test_an_index_that_cannot_open_files_for_a_while_is_away_and_goes_on_afterwards(engine: str, tmp_path: Path) -> None:
    with closing(opened(engine, tmp_path / "index")) as index:
        store(index, range(10))
        index.commit()
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        for _ in range(3):
            store(index, range(10, 20))
            # Below it are the standard streams alone: what a merge closes behind the test's back is no place for another file.
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, hard))
            try:
                with pytest.raises(Unavailable):
                    index.commit()
                with pytest.raises(Unavailable):
                    store(index, range(10, 20))
                assert found(index, 3) == "atom 3"
            finally:
                resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        store(index, range(10, 30))
        index.commit()
        assert {found(index, number) for number in range(30)} == {f"atom {number}" for number in range(30)}
        assert len(list(index.entries())) == 30


def put_in_place_of(path: Path, content: bytes) -> None:
    """Replace a file. Threads of an engine that was closed may have it mapped still: were it cut short, they would end the whole
    process (SIGBUS)."""
    beside = path.with_name("beside")
    beside.write_bytes(content)
    beside.replace(path)


def test_a_flipped_bit_in_any_file_of_the_lexical_engine_ends_no_start(tmp_path: Path) -> None:
    """The engine is written in Rust, and panics where it reads what cannot be: then the index is emptied, and filled again."""
    whole = tmp_path / "whole"
    with closing(opened("tantivy", whole)) as index:
        store(index, range(40))
        index.commit()
    emptied = 0
    for path in sorted((whole / "engine").iterdir()):
        size = path.stat().st_size
        for at in sorted({size // 3, size // 2, max(0, size - 3)} if size else ()):
            folder = tmp_path / "damaged"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(whole, folder)
            content = bytearray((folder / "engine" / path.name).read_bytes())
            content[at] ^= 1
            (folder / "engine" / path.name).write_bytes(content)
            with closing(TantivyLexicalIndex(folder)) as index:
                emptied += index.emptied is not None
                store(index, range(50, 60))
                index.commit()
                assert found(index, 55) == "atom 55"
    assert emptied


def test_a_search_that_meets_a_flipped_bit_says_that_the_index_cannot_be_read(tmp_path: Path) -> None:
    """Some damage shows only where a word is looked up, as an error of the engine or as a panic."""
    with closing(opened("tantivy", tmp_path)) as index:
        store(index, range(40))
        index.commit()
    [words] = (tmp_path / "engine").glob("*.term")
    whole = words.read_bytes()
    said: list[str] = []
    for at in range(0, len(whole), 7):
        put_in_place_of(words, whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with closing(TantivyLexicalIndex(tmp_path)) as index:
            if index.emptied is not None:
                break  # all is gone; what follows the words in the file says how they are read
            for number in range(40):
                try:
                    index.search(asked(f"number{number}"), 1)
                except Unavailable as error:
                    said.append(str(error))
    assert said
    assert all("`lattice doctor --repair` makes it anew" in each for each in said)


def test_every_flipped_bit_in_a_file_of_a_segment_is_named(tmp_path: Path) -> None:
    with closing(opened("tantivy", tmp_path)) as index:
        store(index, range(40))
        index.commit()
    engine = tmp_path / "engine"
    assert list(damaged_files(engine)) == []
    for path in sorted(each for each in engine.iterdir() if each.suffix not in ("", ".json", ".lock")):
        whole = path.read_bytes()
        for at in range(len(whole)):
            put_in_place_of(path, whole[:at] + bytes([whole[at] ^ 1 << at % 8]) + whole[at + 1 :])
            assert list(damaged_files(engine)) == [path.name], f"byte {at}"
        put_in_place_of(path, whole)
