"""What a process that only reads sees of a catalogue that another one writes."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.embedded import columns
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.domain.atom import Atom
from lattice_common.errors import Corrupt
from lattice_common.ports.catalogue import CatalogueReader

from tests.contract.test_catalogue import an_atom, put

STEPS = ["put", "remove", "supersede", "archive", "clear", "look"]
ATOMS = [
    an_atom(
        n,
        f"My colleague Ilya{n} called." if n % 2 else None,
        subject=f"Subject {n % 3}",
        session_id=f"s{n % 2}",
        entities=(f"Name {n}",),
    )
    for n in range(12)
]


def said_of(reader: CatalogueReader) -> dict[str, object]:
    """All that a reader can tell, in a form that two readers can be compared by."""
    columns = reader.columns()
    rows = {atom_id: row for atom_id, row in columns.row_of.items() if row < columns.count and columns.alive[row]}
    named = {number: name for name, number in columns.names.items()}
    return {
        "atoms": [atom.atom_id for atom in reader.all()],
        "rows": {
            atom_id: (
                bool(columns.superseded[row]),
                bool(columns.archived[row]),
                float(columns.observed_at[row]),
                float(np.nan_to_num(columns.superseded_at[row], nan=-1)),
                named.get(int(columns.subject[row])),
                columns.atom_ids[columns.previous[row]] if columns.previous[row] >= 0 else None,
                sorted(named[number] for number in columns.entities[row]),
            )
            for atom_id, row in rows.items()
        },
        "subjects": dict(reader.subjects()),
        "count": reader.count(),
        "who": dict(reader.register().all()),
        "recent": [atom.atom_id for atom in reader.recent(5)],
    }


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["put", "remove", "supersede", "archive", "clear", "look"]), st.integers(0, 11)), max_size=25
    )
)
def test_one_who_follows_sees_what_the_writer_sees(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    path = tmp_path_factory.mktemp("followed") / "catalogue.sqlite"
    with closing(SqliteCatalogue(path)) as writer, closing(SqliteCatalogue(path, follows=True)) as reader:
        for step, number in steps:
            atom = ATOMS[number]
            match step:
                case "put":
                    put(writer, replace(atom, content=f"{atom.content} Again."))
                case "remove":
                    writer.remove([atom.atom_id])
                case "supersede":
                    put(writer, replace(atom, is_superseded=True, superseded_by=ATOMS[(number + 1) % 12].atom_id))
                case "archive":
                    put(writer, replace(atom, archived=True))
                case "clear":
                    writer.clear()
                case _:
                    assert said_of(reader) == said_of(writer)
        assert said_of(reader) == said_of(writer)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from(["put", "remove"]), st.sampled_from(ATOMS)), max_size=16))
def test_leaving_out_the_rows_of_what_was_removed_changes_nothing_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, Atom]]
) -> None:
    monkeypatch.setattr(columns, "COMPACT_FROM", 1)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    with closing(SqliteCatalogue(folder / "c.sqlite")) as writer:
        for step, atom in steps:
            if step == "put":
                put(writer, atom)
            else:
                writer.remove([atom.atom_id])
        with closing(SqliteCatalogue(folder / "c.sqlite", follows=True)) as fresh:
            assert said_of(writer) == said_of(fresh)
        assert writer.columns().count <= 2 * writer.count() + 1


def test_what_comes_and_goes_takes_no_ever_growing_memory(tmp_path: Path) -> None:
    with closing(SqliteCatalogue(tmp_path / "c.sqlite")) as writer:
        for first in range(0, 6_000, 500):
            some = [an_atom(first + number, capture_id=f"capture-{first + number}") for number in range(500)]
            put(writer, *some)
            writer.remove([atom.atom_id for atom in some])
        assert writer.columns().count < 2_000
        assert len(writer.columns().sessions) < 2_000
        put(writer, an_atom(7_000, capture_id="capture-3"))
        with closing(SqliteCatalogue(tmp_path / "c.sqlite", follows=True)) as fresh:
            assert said_of(writer) == said_of(fresh)
        writer.purge()
    with closing(sqlite3.connect(tmp_path / "c.sqlite")) as file:
        assert file.execute("SELECT count(*) FROM interned WHERE text LIKE 'capture-%'").fetchone() == (1,)


def test_looking_up_any_number_of_memories_keeps_few_statements(tmp_path: Path) -> None:
    """A connection keeps 128 of them, at 19 kB each: one for each number that was ever asked for is too many."""

    def statements() -> int:
        return sum(type(each).__qualname__ == "Statement" and type(each).__module__ == "sqlite3" for each in gc.get_objects())

    gc.freeze()  # what other tests left is not looked at
    try:
        with closing(SqliteCatalogue(tmp_path / "c.sqlite")) as writer:
            atoms = [an_atom(number) for number in range(100)]
            put(writer, *atoms)
            for many in range(101):
                asked = [atom.atom_id for atom in atoms[:many]]
                assert [atom.atom_id for atom in writer.get(asked)] == asked
                assert set(writer.marks(asked)) == set(asked)
            assert 0 < statements() < 60, "eight for each of the two, and what a writer has"
    finally:
        gc.unfreeze()


def test_before_there_is_a_catalogue_it_is_empty_and_then_it_is_there(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with closing(SqliteCatalogue(path, follows=True)) as reader:
        assert (reader.count(), reader.recent(3), reader.with_slot("x", limit=3)) == (0, [], [])
        with closing(SqliteCatalogue(path)) as writer:
            put(writer, ATOMS[0])
            assert [atom.atom_id for atom in reader.recent(3)] == [ATOMS[0].atom_id]


def test_a_catalogue_made_anew_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with closing(SqliteCatalogue(path)) as writer:
        put(writer, *ATOMS)
    with closing(SqliteCatalogue(path, follows=True)) as reader:
        assert reader.count() == 12
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        with closing(SqliteCatalogue(path)) as writer:
            put(writer, ATOMS[3])
            assert said_of(reader) == said_of(writer)


READS = """
import os, sys
from pathlib import Path
from lattice_common.adapters.embedded import columns
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
if os.geteuid() == 0:
    os.setuid(65534)  # root may write everywhere, so it becomes nobody
catalogue = SqliteCatalogue(Path(sys.argv[1]), follows=True)
for line in sys.stdin:
    print(catalogue.count(), len(catalogue.recent(100)), flush=True)
    open(sys.argv[1], "rb").close()  # as a connection that takes no locks does: the process has none on the file any more
"""


def test_a_folder_that_may_only_be_read_is_read_whether_or_not_somebody_writes() -> None:
    """As the API sees the data of the worker: a folder without write permission, files of another user."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755 if os.geteuid() == 0 else 0o700)
        path = folder / "catalogue.sqlite"
        with closing(SqliteCatalogue(path)) as writer, _reading(path) as seen:
            put(writer, *ATOMS[:2])
            _let_all_read(folder)
            assert seen() == "2 2"
            put(writer, ATOMS[2])
            assert seen() == "3 3"
            writer.close()
            assert seen() == "3 3"
            with closing(SqliteCatalogue(path)) as next_writer:
                put(next_writer, ATOMS[3])
                _let_all_read(folder)
                assert seen() == "4 4"


def test_a_writer_that_went_and_another_that_came_between_two_looks_are_followed() -> None:
    """A worker that is started anew while nobody asks the API anything. The one that goes sees no reader, and takes its log away:
    the next one's is another file under the same name."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        folder.chmod(0o755 if os.geteuid() == 0 else 0o700)
        path = folder / "catalogue.sqlite"
        with closing(SqliteCatalogue(path)) as writer, _reading(path) as seen:
            put(writer, *ATOMS[:2])
            _let_all_read(folder)
            assert seen() == "2 2"
            writer.close()
            with closing(SqliteCatalogue(path)) as next_writer:
                put(next_writer, ATOMS[2])
                _let_all_read(folder)
                assert seen() == "3 3"
                put(next_writer, ATOMS[3])
                assert seen() == "4 4"


def _let_all_read(folder: Path) -> None:
    for each in folder.iterdir():
        each.chmod(0o644)


@contextmanager
def _reading(path: Path) -> Iterator[Callable[[], str]]:
    """Another process, which says what it sees each time it is asked."""
    with subprocess.Popen(
        [sys.executable, "-c", READS, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as reader:

        def seen() -> str:
            assert reader.stdin is not None
            assert reader.stdout is not None
            reader.stdin.write("look\n")
            reader.stdin.flush()
            return reader.stdout.readline().strip()

        yield seen
        reader.kill()


def test_an_atom_is_its_own(tmp_path: Path) -> None:
    """What a follower gives is a whole atom, not what the columns know of it."""
    path = tmp_path / "catalogue.sqlite"
    with closing(SqliteCatalogue(path)) as writer, closing(SqliteCatalogue(path, follows=True)) as reader:
        put(writer, *ATOMS)
        found: list[Atom] = reader.get([ATOMS[4].atom_id])
        assert found == [ATOMS[4]]


def test_a_file_that_was_written_while_it_was_read_as_one_that_nobody_writes_is_read_again(tmp_path: Path) -> None:
    path, torn = tmp_path / "catalogue.sqlite", tmp_path / "torn.sqlite"
    with closing(SqliteCatalogue(path)) as writer:
        put(writer, ATOMS[0])
    torn.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
    with closing(SqliteCatalogue(path, follows=True)) as reader:
        assert reader.last_seq() == ATOMS[0].seq
        reader._idle.drop()
        reader._idle.keep(sqlite3.connect(f"file:{torn}?immutable=1", uri=True, check_same_thread=False), useful=True)
        assert [atom.atom_id for atom in reader.get([ATOMS[0].atom_id])] == [ATOMS[0].atom_id]


def test_what_is_damaged_indeed_is_said_to_be(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    with closing(SqliteCatalogue(path)) as writer:
        put(writer, ATOMS[0])
    with closing(SqliteCatalogue(path, follows=True)) as reader:
        assert reader.count() == 1
        path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (path.stat().st_size - 4096))
        with pytest.raises(Corrupt):
            reader.get([ATOMS[0].atom_id])
