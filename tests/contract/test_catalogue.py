"""The contract of `ports.catalogue`, on SQLite and in memory."""

from __future__ import annotations

import math
import resource
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.embedded.sqlite_catalogue import SqliteCatalogue
from lattice_common.adapters.embedded.sqlite_file import as_our_errors
from lattice_common.adapters.memory.catalogue import MemoryCatalogue
from lattice_common.domain.atom import Atom, Relation, Span, atom_id_for, content_hash, normalized_content_hash
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.errors import Corrupt, Unavailable
from lattice_common.ports.atoms import FileMark
from lattice_common.ports.catalogue import Catalogue, Columns, SourceCounts

from bench.growth import given_out

CAPTURE = "01jd5k0000abcdefghjkmnpqrs"
OTHER_CAPTURE = "01jd5k0000abcdefghjkmnpqrt"
SAID = datetime(2024, 5, 1, 9, 30, tzinfo=UTC)


@pytest.fixture(params=["sqlite", "memory"])
def catalogue(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Catalogue]:
    catalogue: Catalogue = SqliteCatalogue(tmp_path / "catalogue.sqlite") if request.param == "sqlite" else MemoryCatalogue()
    yield catalogue
    catalogue.close()


def an_atom(seq: int, content: str | None = None, **fields: object) -> Atom:
    content = f"Fact number {seq}." if content is None else content
    atom = Atom(
        atom_id=atom_id_for(CAPTURE, seq),
        content=content,
        kind="fact",
        subject="Tea",
        capture_id=CAPTURE,
        source_quote=content,
        source_span=Span(0, len(content)),
        observed_at=SAID + timedelta(days=seq),
        ingested_at=SAID + timedelta(days=seq, hours=1),
        content_hash=content_hash(content),
        normalized_content_hash=normalized_content_hash(content),
        seq=seq,
    )
    return replace(atom, **fields)  # type: ignore[arg-type]


def put(catalogue: Catalogue, *atoms: Atom) -> None:
    catalogue.put([(atom, mark_of(atom)) for atom in atoms])


def mark_of(atom: Atom) -> FileMark:
    return FileMark(f"atoms/2024/11/{atom.atom_id}.md", 1_700_000_000_000_000_000 + atom.seq, 900)


ONE, TWO, THREE = an_atom(1), an_atom(2), an_atom(3)
FULL = an_atom(
    9,
    "Äpfel \0 \u2028 and more",
    kind="habit",
    subject="Anna's  BIKE",
    entities=("Anna", "Berlin", "anna"),
    trust="document",
    persistence="ephemeral",
    source_id="notes.md",
    session_id="s1",
    segment_id="s1:3",
    metadata={"speaker": "Anna", "page": 3, "deep": {"a": [1, None, True, 0.5, "x"]}},
    valid_from=SAID,
    valid_until=SAID + timedelta(days=900),
    quality_score=1.5,
    confidence=0.25,
    importance=0.75,
    recall_count=4,
    last_recalled_at=SAID.astimezone(),
    relations=(Relation("extends", ONE.atom_id),),
    supersedes=(TWO.atom_id,),
    extra={"mine": "010"},
)


def test_an_empty_catalogue_answers(catalogue: Catalogue) -> None:
    assert (catalogue.count(), catalogue.last_seq(), catalogue.columns().count) == (0, 0, 0)
    assert catalogue.get([ONE.atom_id]) == catalogue.recent(5) == list(catalogue.all()) == []
    assert catalogue.with_subject("tea", limit=5) == []
    assert (dict(catalogue.subjects()), catalogue.marks()) == ({}, {})
    assert catalogue.of_capture(CAPTURE) == catalogue.of_source("x") == catalogue.with_hash(exact="x") == []
    catalogue.remove([ONE.atom_id])
    catalogue.put([])
    catalogue.clear()


def test_atoms_come_back_whole_and_in_the_order_asked_for(catalogue: Catalogue) -> None:
    put(catalogue, ONE, FULL, TWO)
    assert catalogue.get([TWO.atom_id, "unknown", FULL.atom_id, ONE.atom_id, TWO.atom_id]) == [TWO, FULL, ONE, TWO]
    assert catalogue.count() == 3
    assert catalogue.last_seq() == 9


def test_more_atoms_are_had_at_once_than_a_statement_has_parameters(catalogue: Catalogue) -> None:
    atoms = [an_atom(seq) for seq in range(1, 1203)]
    put(catalogue, *atoms)
    assert catalogue.get([atom.atom_id for atom in reversed(atoms)]) == atoms[::-1]
    assert list(catalogue.all()) == atoms


def test_following_is_oldest_first_from_a_number_on(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO, THREE)
    assert catalogue.following(0, limit=2) == [ONE, TWO]
    assert catalogue.following(TWO.seq, limit=5) == [THREE]
    assert catalogue.following(THREE.seq, limit=5) == []


def test_in_review_are_current_pairs_of_which_the_newer_may_update_the_older(catalogue: Catalogue) -> None:
    def doubting(seq: int, *targets: Atom, **fields: object) -> Atom:
        return an_atom(seq, relations=tuple(Relation("may_update", each.atom_id) for each in targets), **fields)

    older = doubting(4, ONE, TWO)
    newer = doubting(5, THREE)
    put(catalogue, ONE, TWO, THREE, older, newer)
    targets = sorted(each.atom_id for each in (ONE, TWO))
    everything = [(newer.atom_id, THREE.atom_id), *((older.atom_id, target) for target in targets)]
    assert catalogue.in_review(10) == everything
    assert catalogue.in_review(1) == everything[:1]
    assert catalogue.count_in_review() == 3
    put(catalogue, an_atom(3, is_superseded=True, superseded_by=newer.atom_id))
    catalogue.remove([TWO.atom_id])
    assert catalogue.in_review(10) == [(older.atom_id, ONE.atom_id)]
    put(catalogue, an_atom(4, relations=(Relation("extends", ONE.atom_id),)))
    assert (catalogue.in_review(10), catalogue.count_in_review()) == ([], 0)


def test_recent_is_newest_by_seq_and_goes_on_from_an_atom(catalogue: Catalogue) -> None:
    put(catalogue, TWO, THREE, ONE)
    assert catalogue.recent(2) == [THREE, TWO]
    assert catalogue.recent(2, before=TWO.atom_id) == [ONE]
    assert catalogue.recent(2, before="unknown") == []
    assert catalogue.recent(0) == []


def test_hashes_find_current_atoms_oldest_first(catalogue: Catalogue) -> None:
    same, shouted = an_atom(4, ONE.content), an_atom(5, "FACT number 1!")
    put(catalogue, same, shouted, ONE, TWO)
    assert catalogue.with_hash(exact=ONE.content_hash) == [ONE.atom_id, same.atom_id]
    assert catalogue.with_hash(normalized=ONE.normalized_content_hash) == [ONE.atom_id, same.atom_id, shouted.atom_id]
    assert catalogue.with_hash(exact=TWO.content_hash, normalized=ONE.normalized_content_hash) == []
    assert catalogue.with_hash() == []
    put(catalogue, replace(ONE, is_superseded=True, superseded_by=same.atom_id))
    assert catalogue.with_hash(exact=ONE.content_hash) == [same.atom_id]


def test_atoms_of_the_same_words_are_found_before_and_after_a_place_superseded_ones_too(catalogue: Catalogue) -> None:
    due = [an_atom(number, "Rent is due.") for number in range(1, 5)]
    due[1] = replace(due[1], is_superseded=True, superseded_by=due[2].atom_id)
    put(catalogue, *due, an_atom(5, "The rent has been paid."))
    first, second, third, fourth = (atom.atom_id for atom in due)
    words = normalized_content_hash("rent is DUE")
    assert catalogue.same_words(words, before=(4, fourth), limit=2) == [third, second]
    assert catalogue.same_words(words, after=(1, first), limit=5) == [second, third, fourth]
    assert catalogue.same_words(words, before=(1, first), limit=5) == []
    assert catalogue.same_words("0" * 64, after=(-1, ""), limit=5) == []


def test_subjects_are_compared_normalised_and_count_current_atoms(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO, THREE, FULL, an_atom(10, subject=""))
    assert catalogue.with_subject("  TEA ", limit=2) == [THREE, TWO]
    assert catalogue.with_subject("anna's bike", limit=5) == [FULL]
    assert catalogue.with_subject("", limit=5) == []
    assert dict(catalogue.subjects()) == {"tea": 3, "anna s bike": 1}
    put(catalogue, replace(THREE, is_superseded=True), replace(FULL, subject="Tea"))
    assert dict(catalogue.subjects()) == {"tea": 3}
    assert catalogue.with_subject("tea", limit=5) == [replace(FULL, subject="Tea"), TWO, ONE]
    catalogue.remove([ONE.atom_id, TWO.atom_id, FULL.atom_id])
    assert dict(catalogue.subjects()) == {}


def test_subjects_that_are_written_nearly_alike_are_found(catalogue: Catalogue) -> None:
    names = [
        "Garden bench",
        "garden benches",
        "bench of the garden",
        "Garden",
        "flat 1",
        "flat 2",
        "Nora's bike",
        "the bike of Ada",
    ]
    put(catalogue, *(an_atom(number, subject=name) for number, name in enumerate(names, start=20)))

    def similar(subject: str, ratio: float = 80.0, limit: int = 5) -> list[str]:
        return catalogue.similar_subjects(subject, ratio=ratio, limit=limit)

    assert similar("bench garden") == ["garden bench", "garden benches"]
    assert similar("Garden bench") == ["garden benches"]
    assert similar("garden bench", 100) == []
    assert similar("garden bench", 50, 1) == ["garden benches"]
    assert similar("flat 1") == []
    assert similar("") == []
    put(catalogue, an_atom(40, subject="garden banch"))
    assert similar("Garden bench") == ["garden benches", "garden banch"]
    catalogue.remove([an_atom(21).atom_id])
    assert similar("Garden bench") == ["garden banch"]


def test_subjects_given_once_do_not_change_under_their_reader(catalogue: Catalogue) -> None:
    put(catalogue, ONE)
    before = catalogue.subjects()
    put(catalogue, TWO, FULL)
    assert dict(before) == {"tea": 1}


def test_atoms_of_a_capture_and_of_a_source_come_in_order(catalogue: Catalogue) -> None:
    foreign = an_atom(4, capture_id=OTHER_CAPTURE, source_id="notes.md")
    put(catalogue, THREE, foreign, FULL, ONE)
    assert catalogue.of_capture(CAPTURE) == [ONE.atom_id, THREE.atom_id, FULL.atom_id]
    assert catalogue.of_source("notes.md") == [foreign.atom_id, FULL.atom_id]


def test_marks_say_what_was_seen_of_each_file(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO)
    moved = FileMark(f"atoms/mine/{ONE.atom_id}.md", 5, 6)
    catalogue.put([(ONE, moved)])
    assert catalogue.marks() == {ONE.atom_id: (moved, ONE.content_hash), TWO.atom_id: (mark_of(TWO), TWO.content_hash)}


def test_what_is_removed_is_gone_and_may_come_back(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO, THREE)
    catalogue.remove([TWO.atom_id, TWO.atom_id, "unknown"])
    assert catalogue.count() == 2
    assert catalogue.get([TWO.atom_id]) == []
    assert list(catalogue.all()) == [ONE, THREE]
    assert TWO.atom_id not in catalogue.marks()
    put(catalogue, TWO)
    assert list(catalogue.all()) == [ONE, TWO, THREE]
    assert dict(catalogue.subjects()) == {"tea": 3}


def test_clearing_leaves_nothing(catalogue: Catalogue) -> None:
    put(catalogue, ONE, FULL)
    catalogue.clear()
    assert (catalogue.count(), catalogue.columns().count, dict(catalogue.subjects())) == (0, 0, {})
    put(catalogue, FULL)
    assert catalogue.get([FULL.atom_id]) == [FULL]
    assert catalogue.columns().atom_ids == [FULL.atom_id]


@pytest.mark.skipif(sys.platform != "linux" or "musl" in sys.version, reason="glibc tells what is given out")
def test_what_is_kept_only_to_write_sooner_is_given_back(catalogue: Catalogue) -> None:
    atoms = [an_atom(seq) for seq in range(1, 1203)]
    put(catalogue, *atoms)
    before = given_out()
    catalogue.trim_memory()
    if isinstance(catalogue, SqliteCatalogue):
        assert given_out() < before - 200_000
    put(catalogue, FULL)
    assert catalogue.get([atoms[0].atom_id, atoms[-1].atom_id, FULL.atom_id]) == [atoms[0], atoms[-1], FULL]


# Columns


def row_of(columns: Columns, atom: Atom) -> int:
    return columns.row_of[atom.atom_id]


def test_columns_hold_what_scoring_needs(catalogue: Catalogue) -> None:
    put(catalogue, ONE, FULL)
    columns = catalogue.columns()
    row = row_of(columns, FULL)
    names = columns.names
    assert columns.atom_ids[:2] == [ONE.atom_id, FULL.atom_id]
    assert columns.entities[row] == (names["anna s bike"], names["anna"], names["berlin"])
    assert (columns.subject[row], columns.speaker[row]) == (names["anna s bike"], names["anna"])
    assert (columns.kind[row], columns.session[row]) == (columns.kinds["habit"], columns.sessions["s1"])
    assert columns.session[row_of(columns, ONE)] == columns.sessions[CAPTURE]
    assert columns.speaker[row_of(columns, ONE)] == -1
    assert (columns.observed_at[row], columns.valid_from[row]) == (FULL.observed_at.timestamp(), SAID.timestamp())
    assert math.isnan(columns.valid_from[row_of(columns, ONE)])
    assert (columns.quality[row], columns.confidence[row], columns.importance[row]) == (1.5, 0.25, 0.75)
    assert (columns.persistence[row], columns.trust[row], columns.recall_count[row]) == (0, 2, 4)
    assert (bool(columns.alive[row]), bool(columns.superseded[row])) == (True, False)
    assert math.isnan(columns.superseded_at[row])


@pytest.mark.parametrize("status", STATUSES)
def test_columns_say_how_each_atom_was_meant(catalogue: Catalogue, status: Status) -> None:
    put(catalogue, ONE, replace(TWO, status=status))
    columns = catalogue.columns()
    assert (columns.status[row_of(columns, ONE)], columns.status[row_of(columns, TWO)]) == (0, STATUSES.index(status))
    assert catalogue.get([TWO.atom_id])[0].status == status


def test_a_changed_atom_keeps_its_row_and_a_removed_one_is_no_longer_alive(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO)
    put(catalogue, replace(ONE, kind="goal", seq=7), THREE)
    columns = catalogue.columns()
    assert columns.atom_ids[: columns.count] == [ONE.atom_id, TWO.atom_id, THREE.atom_id]
    assert columns.kind[0] == columns.kinds["goal"]
    catalogue.remove([TWO.atom_id])
    assert catalogue.columns().alive[:3].tolist() == [True, False, True]


def test_atoms_of_a_session_are_neighbours_in_order_of_writing(catalogue: Catalogue) -> None:
    def neighbours() -> list[tuple[int, int]]:
        columns = catalogue.columns()
        ids = ["", *columns.atom_ids][: columns.count + 1]
        seqs = {atom_id: atom.seq for atom_id in ids[1:] for atom in catalogue.get([atom_id])}
        return [
            (seqs.get(ids[columns.previous[row] + 1], 0), seqs.get(ids[columns.following[row] + 1], 0))
            for row in (row_of(columns, atom) for atom in said if columns.alive[row_of(columns, atom)])
        ]

    said = [an_atom(seq, session_id="s1") for seq in (1, 3, 5)]
    put(catalogue, said[0], an_atom(2, session_id="s2"), said[2], said[1], an_atom(4))
    assert neighbours() == [(0, 3), (1, 5), (3, 0)]
    catalogue.remove([said[1].atom_id])
    assert neighbours() == [(0, 5), (1, 0)]
    put(catalogue, said[1])
    assert neighbours() == [(0, 3), (1, 5), (3, 0)]
    put(catalogue, replace(said[2], session_id="s2"))
    assert neighbours() == [(0, 3), (1, 0), (2, 0)]


def test_atoms_of_one_turn_share_a_number(catalogue: Catalogue) -> None:
    turns = [
        an_atom(1, segment_id="a", metadata={"message_id": "m1"}),
        an_atom(2, segment_id="b", metadata={"message_id": "m1"}),
        an_atom(3, segment_id="b", metadata={"message_id": "m2"}),
        an_atom(4, segment_id="c"),
        an_atom(5, segment_id="c"),
        an_atom(6, segment_id="c", capture_id=OTHER_CAPTURE),
    ]
    put(catalogue, *turns)
    one, also_one, two, paragraph, also_paragraph, elsewhere = catalogue.columns().segment_turn[:6].tolist()
    assert one == also_one
    assert paragraph == also_paragraph
    assert len({one, two, paragraph, elsewhere}) == 4


def superseded(catalogue: Catalogue, *atoms: Atom) -> list[tuple[bool, float]]:
    columns = catalogue.columns()
    rows = [row_of(columns, atom) for atom in atoms]
    return [(bool(columns.superseded[row]), float(columns.superseded_at[row])) for row in rows]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_an_atom_is_superseded_from_the_moment_its_successor_was_said(catalogue: Catalogue, order: tuple[int, int]) -> None:
    both = [replace(ONE, is_superseded=True, superseded_by=TWO.atom_id), replace(TWO, supersedes=(ONE.atom_id,))]
    for index in order:
        put(catalogue, both[index])
    (one, two) = superseded(catalogue, ONE, TWO)
    assert one == (True, TWO.observed_at.timestamp())
    assert not two[0]
    put(catalogue, ONE)
    assert not superseded(catalogue, ONE)[0][0]
    assert math.isnan(superseded(catalogue, ONE)[0][1])


def test_successors_are_named_as_the_files_name_them(catalogue: Catalogue) -> None:
    put(catalogue, replace(ONE, is_superseded=True, superseded_by=TWO.atom_id), TWO, replace(THREE, is_superseded=True))
    assert catalogue.successors([TWO.atom_id, THREE.atom_id, ONE.atom_id, "nobody"]) == {ONE.atom_id: TWO.atom_id}
    put(catalogue, ONE)
    assert catalogue.successors([ONE.atom_id]) == {}


def test_without_a_known_successor_an_atom_is_superseded_from_its_end(catalogue: Catalogue) -> None:
    ended = replace(TWO, is_superseded=True, valid_until=SAID + timedelta(days=70))
    put(catalogue, replace(ONE, is_superseded=True), ended)
    assert superseded(catalogue, ONE, TWO) == [
        (True, ONE.ingested_at.timestamp()),
        (True, (SAID + timedelta(days=70)).timestamp()),
    ]


def test_what_replaced_an_atom_and_is_not_there_retires_it_no_longer(catalogue: Catalogue) -> None:
    put(catalogue, replace(ONE, is_superseded=True, superseded_by=TWO.atom_id), TWO)
    assert superseded(catalogue, ONE)[0][0]
    catalogue.remove([TWO.atom_id])
    assert not superseded(catalogue, ONE)[0][0]
    assert [atom.atom_id for atom in catalogue.with_subject("tea", limit=5)] == [ONE.atom_id]
    put(catalogue, TWO)
    assert superseded(catalogue, ONE) == [(True, TWO.observed_at.timestamp())]


def test_atoms_of_one_number_are_in_the_order_of_their_ids_and_a_new_number_is_a_new_place(catalogue: Catalogue) -> None:
    same = sorted((replace(each, seq=7) for each in (ONE, TWO, THREE)), key=lambda atom: atom.atom_id)
    for each in (same[2], same[0], same[1]):
        put(catalogue, each)
    assert list(catalogue.all()) == same
    assert catalogue.recent(2, before=same[2].atom_id) == [same[1], same[0]]
    columns = catalogue.columns()
    assert columns.previous[columns.row_of[same[1].atom_id]] == columns.row_of[same[0].atom_id]
    put(catalogue, replace(same[0], seq=8))
    assert [atom.atom_id for atom in catalogue.all()] == [same[1].atom_id, same[2].atom_id, same[0].atom_id]
    columns = catalogue.columns()
    assert columns.previous[columns.row_of[same[0].atom_id]] == columns.row_of[same[2].atom_id]


def test_marks_may_be_asked_for_some(catalogue: Catalogue) -> None:
    put(catalogue, ONE, TWO)
    assert set(catalogue.marks([ONE.atom_id, THREE.atom_id])) == {ONE.atom_id}
    assert catalogue.marks([TWO.atom_id])[TWO.atom_id] == catalogue.marks()[TWO.atom_id]
    assert catalogue.marks([]) == {}


def test_of_atoms_that_supersede_each_other_in_a_circle_the_newest_is_current(catalogue: Catalogue) -> None:
    circle = [
        replace(ONE, is_superseded=True, superseded_by=TWO.atom_id),
        replace(TWO, is_superseded=True, superseded_by=THREE.atom_id),
        replace(THREE, is_superseded=True, superseded_by=ONE.atom_id),
    ]
    for atom in circle:
        put(catalogue, atom)
    assert [flag for flag, _ in superseded(catalogue, ONE, TWO, THREE)] == [True, True, False]
    assert [atom.atom_id for atom in catalogue.with_subject("tea", limit=5)] == [THREE.atom_id]
    assert catalogue.with_hash(exact=THREE.content_hash) == [THREE.atom_id]
    assert dict(catalogue.subjects()) == {"tea": 1}
    put(catalogue, ONE)  # a hand mends it
    assert [flag for flag, _ in superseded(catalogue, ONE, TWO, THREE)] == [False, True, True]
    assert dict(catalogue.subjects()) == {"tea": 1}
    assert [atom.atom_id for atom in catalogue.with_subject("tea", limit=5)] == [ONE.atom_id]


def test_a_successor_alone_does_not_retire_what_its_file_calls_current(catalogue: Catalogue) -> None:
    put(catalogue, ONE, replace(TWO, supersedes=(ONE.atom_id,)))
    assert [flag for flag, _ in superseded(catalogue, ONE, TWO)] == [False, False]


def test_what_a_reader_holds_stays_as_it_was_while_the_catalogue_grows(catalogue: Catalogue) -> None:
    put(catalogue, *(an_atom(seq, session_id=f"s{seq % 7}") for seq in range(1, 1001)))
    held = catalogue.columns()
    count, subject, observed = held.count, held.subject, held.observed_at.copy()
    put(catalogue, *(an_atom(seq, subject=f"subject {seq}") for seq in range(1001, 4001)))
    assert (held.count, count) == (1000, 1000)
    assert held.subject is subject
    assert np.array_equal(held.observed_at[:count], observed[:count])
    assert held.entities[:count] == catalogue.columns().entities[:count]
    assert catalogue.columns().count == 4000


def test_readers_see_whole_rows_while_the_writer_writes(catalogue: Catalogue) -> None:
    """Every row a reader may look at is complete: its time and its count belong together."""
    done = threading.Event()
    wrong: list[str] = []

    def read() -> None:
        while not done.is_set():
            columns = catalogue.columns()
            rows = slice(columns.count)
            expected = (columns.observed_at[rows] - SAID.timestamp()) / 86_400
            if not (columns.recall_count[rows] == expected).all() or not columns.alive[rows].all():
                wrong.append("row")
            recent = catalogue.recent(3)
            if recent != sorted(recent, key=lambda atom: -atom.seq):
                wrong.append("recent")

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for start in range(1, 1501, 50):
            put(catalogue, *(an_atom(seq, recall_count=seq) for seq in range(start, start + 50)))
    finally:
        done.set()
        for reader in readers:
            reader.join()
    assert wrong == []


# What only SQLite can show


def same_columns(one: Columns, two: Columns) -> None:
    """The same atoms with the same elements, whatever their rows and numbers are."""

    def of(columns: Columns) -> dict[str, tuple[object, ...]]:
        names = {number: name for name, number in columns.names.items()} | {-1: ""}
        kinds = {number: name for name, number in columns.kinds.items()}
        sessions = {number: name for name, number in columns.sessions.items()}
        ids = [*columns.atom_ids[: columns.count], None]
        return {
            columns.atom_ids[row]: (
                bool(columns.superseded[row]),
                *(
                    repr(float(column[row]))
                    for column in (columns.observed_at, columns.valid_from, columns.valid_until, columns.superseded_at)
                ),
                kinds[int(columns.kind[row])],
                names[int(columns.subject[row])],
                names[int(columns.speaker[row])],
                sessions[int(columns.session[row])],
                int(columns.segment_turn[row]),
                ids[int(columns.previous[row])],
                ids[int(columns.following[row])],
                float(columns.confidence[row]),
                float(columns.importance[row]),
                float(columns.quality[row]),
                int(columns.persistence[row]),
                int(columns.trust[row]),
                int(columns.recall_count[row]),
                tuple(names[number] for number in columns.entities[row]),
            )
            for row in range(columns.count)
            if columns.alive[row]
        }

    assert of(one) == of(two)


STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.lists(
                st.builds(
                    an_atom,
                    st.integers(1, 8),
                    content=st.sampled_from(["Tea.", "tea", "Coffee."]),
                    subject=st.sampled_from(["Tea", "tea ", "Bike", ""]),
                    session_id=st.sampled_from([None, "s1", "s2"]),
                    is_superseded=st.booleans(),
                    superseded_by=st.none() | st.integers(1, 8).map(lambda ordinal: atom_id_for(CAPTURE, ordinal)),
                    source_id=st.sampled_from([None, "notes.md"]),
                    metadata=st.sampled_from([{}, {"speaker": "Anna"}]),
                ),
                max_size=4,
            ),
        ),
        st.tuples(st.just("remove"), st.lists(st.integers(1, 8), max_size=3)),
        st.tuples(st.just("clear"), st.just([])),
        st.tuples(st.just("reopen"), st.just([])),
    ),
    max_size=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(STEPS)
def test_both_catalogues_agree_whatever_is_done_to_them(tmp_path: Path, steps: list[tuple[str, list[object]]]) -> None:
    path = tmp_path / "catalogue.sqlite"
    path.unlink(missing_ok=True)
    memory, sqlite = MemoryCatalogue(), SqliteCatalogue(path)
    for step, values in steps:
        if step == "reopen":
            sqlite.close()
            sqlite = SqliteCatalogue(path)
        for catalogue in (memory, sqlite):
            if step == "put":
                put(catalogue, *values)  # type: ignore[arg-type]
            elif step == "remove":
                catalogue.remove([atom_id_for(CAPTURE, ordinal) for ordinal in values])  # type: ignore[arg-type]
            elif step == "clear":
                catalogue.clear()
    questions: list[Callable[[Catalogue], object]] = [
        lambda catalogue: list(catalogue.all()),
        lambda catalogue: catalogue.recent(5),
        lambda catalogue: dict(catalogue.subjects()),
        lambda catalogue: catalogue.with_subject("tea", limit=9),
        lambda catalogue: catalogue.with_hash(exact=content_hash("Tea.")),
        lambda catalogue: catalogue.with_hash(normalized=normalized_content_hash("tea")),
        lambda catalogue: catalogue.of_capture(CAPTURE),
        lambda catalogue: catalogue.of_source("notes.md"),
        lambda catalogue: (catalogue.marks(), catalogue.count(), catalogue.last_seq()),
    ]
    for question in questions:
        assert question(sqlite) == question(memory)
    same_columns(sqlite.columns(), memory.columns())
    sqlite.close()


def test_a_catalogue_is_the_same_after_opening_it_again(tmp_path: Path) -> None:
    path = tmp_path / "index" / "catalogue.sqlite"
    first = SqliteCatalogue(path)
    put(first, ONE, FULL, THREE, replace(TWO, is_superseded=True, superseded_by=FULL.atom_id))
    put(first, replace(ONE, kind="goal"))
    columns, atoms, marks = first.columns(), list(first.all()), first.marks()
    first.close()
    second = SqliteCatalogue(path)
    same_columns(second.columns(), columns)
    assert (list(second.all()), second.marks(), second.count()) == (atoms, marks, 4)
    assert second.columns().atom_ids == [ONE.atom_id, TWO.atom_id, THREE.atom_id, FULL.atom_id]
    assert superseded(second, TWO) == [(True, FULL.observed_at.timestamp())]
    assert dict(second.subjects()) == {"tea": 2, "anna s bike": 1}
    second.close()


def another_format(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def another_product(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE atoms (x)")
    connection.close()


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b"no database" * 1000), id="no database"),
        pytest.param(lambda path: path.write_bytes(b""), id="emptied"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:5000]), id="truncated"),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 60_000), id="overwritten"),
        pytest.param(another_format, id="another format"),
        pytest.param(another_product, id="another product"),
    ],
)
def test_a_catalogue_that_cannot_be_used_is_thrown_away_and_filled_again(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "catalogue.sqlite"
    first = SqliteCatalogue(path)
    put(first, *(an_atom(seq) for seq in range(1, 60)))
    first.close()
    damage(path)
    second = SqliteCatalogue(path)
    assert (second.count(), second.columns().count, second.marks()) == (0, 0, {})
    put(second, ONE)
    assert second.get([ONE.atom_id]) == [ONE]
    second.close()


def test_where_the_disk_fails_as_a_catalogue_of_another_format_is_made_anew_it_is_unavailable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found by cutting the calls of a migration: the start ended with a traceback."""
    path = tmp_path / "catalogue.sqlite"
    SqliteCatalogue(path).close()
    another_format(path)
    opened = SqliteCatalogue._open

    def full(self: SqliteCatalogue) -> sqlite3.Connection:
        connection = opened(self)
        connection.execute("PRAGMA max_page_count = 1")
        connection.execute("CREATE TABLE more (x)")
        return connection

    monkeypatch.setattr(SqliteCatalogue, "_open", full)
    with pytest.raises(Unavailable, match="look at its disk") as caught:
        SqliteCatalogue(path)
    assert caught.value.status == 507
    monkeypatch.undo()
    with closing(SqliteCatalogue(path)) as catalogue:
        put(catalogue, ONE)
        assert catalogue.get([ONE.atom_id]) == [ONE]


def test_a_write_that_a_failing_disk_refuses_is_unavailable_and_is_done_once_it_takes_it(tmp_path: Path) -> None:
    """What SQLite says of it then is an extended code (778, a write)."""
    path = tmp_path / "catalogue.sqlite"
    with closing(SqliteCatalogue(path)) as catalogue:
        put(catalogue, ONE)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (Path(f"{path}-wal").stat().st_size + 100, hard))
        try:
            with pytest.raises(Unavailable, match="look at its disk") as caught:
                put(catalogue, *(an_atom(seq) for seq in range(2, 400)))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert caught.value.status == 507
        assert (catalogue.get([ONE.atom_id]), catalogue.count()) == ([ONE], 1)
        put(catalogue, FULL)
        assert catalogue.get([FULL.atom_id]) == [FULL]


@pytest.mark.parametrize(
    ("lacks", "status", "step"),
    [
        ("PRAGMA max_page_count = 1", 507, "look at its disk"),
        ("PRAGMA query_only = 1", 507, "look at its disk"),
        ("PRAGMA busy_timeout = 0", 503, "close what else has it open"),
    ],
)
def test_what_a_file_of_sqlite_refuses_is_told_by_what_it_lacks(tmp_path: Path, lacks: str, status: int, step: str) -> None:
    path = tmp_path / "derived.sqlite"
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as ours,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        ours.execute("CREATE TABLE words (word)")
        ours.execute(lacks)
        if status == 503:
            other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match=step) as caught, as_our_errors("the file", path):
            ours.executemany("INSERT INTO words VALUES (?)", [("x" * 1_000,)] * 100)
        assert caught.value.status == status


def test_a_change_that_fails_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "catalogue.sqlite"
    catalogue = SqliteCatalogue(path)
    put(catalogue, ONE)
    expected = MemoryCatalogue()
    put(expected, ONE)
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("CREATE TRIGGER full BEFORE INSERT ON contents BEGIN SELECT RAISE(ABORT, 'no'); END")
    with pytest.raises(Corrupt, match="no"):
        put(catalogue, replace(ONE, kind="goal"), FULL)
    same_columns(catalogue.columns(), expected.columns())
    assert (catalogue.get([ONE.atom_id, FULL.atom_id]), catalogue.count()) == ([ONE], 1)
    blocker.execute("DROP TRIGGER full")
    blocker.close()
    put(catalogue, FULL)
    assert dict(catalogue.subjects()) == {"tea": 1, "anna s bike": 1}
    catalogue.close()
    again = SqliteCatalogue(path)
    same_columns(again.columns(), catalogue.columns())
    again.close()


def test_a_catalogue_that_cannot_be_opened_is_not_thrown_away(tmp_path: Path) -> None:
    (tmp_path / "catalogue.sqlite").mkdir()
    with pytest.raises(Unavailable, match=r"catalogue\.sqlite"):
        SqliteCatalogue(tmp_path / "catalogue.sqlite")


def test_only_the_owner_can_read_the_catalogue(tmp_path: Path) -> None:
    catalogue = SqliteCatalogue(tmp_path / "index" / "catalogue.sqlite")
    put(catalogue, ONE)
    modes = {path.name: path.stat().st_mode & 0o777 for path in [tmp_path / "index", *(tmp_path / "index").iterdir()]}
    assert modes.pop("index") == 0o700
    assert set(modes.values()) == {0o600}
    catalogue.close()


def test_the_register_follows_what_is_put_and_removed(catalogue: Catalogue) -> None:
    put(catalogue, an_atom(1, "My brother Ilya called."), an_atom(2), an_atom(3, "Our dentist is Dr. Roth."))
    ended = catalogue.columns().ended
    assert [entity.name for entity in catalogue.register().entities(ended)] == ["Ilya", "Dr. Roth"]
    put(catalogue, an_atom(1, "My brother called."), an_atom(3, "Our dentist is Dr. Adeyemi."))
    assert [entity.name for entity in catalogue.register().entities(ended)] == ["Dr. Adeyemi"]
    catalogue.remove([an_atom(3).atom_id])
    assert list(catalogue.register().all()) == []


def test_the_register_is_there_again_when_the_catalogue_is_opened_again(tmp_path: Path) -> None:
    first = SqliteCatalogue(tmp_path / "catalogue.sqlite")
    put(first, an_atom(1, "My brother Ilya called."), an_atom(2, "Dr. Roth was our dentist until April."))
    kept = dict(first.register().all())
    first.close()
    second = SqliteCatalogue(tmp_path / "catalogue.sqlite")
    assert dict(second.register().all()) == kept
    assert len(kept) == 2
    second.close()


def test_contradictions_are_current_pairs_each_once(catalogue: Catalogue) -> None:
    def against(seq: int, *targets: Atom, **fields: object) -> Atom:
        return an_atom(seq, relations=tuple(Relation("contradicts", each.atom_id) for each in targets), **fields)

    older, newer = against(4, ONE, TWO), against(5, THREE, archived=True)
    put(catalogue, ONE, TWO, THREE, older, newer)
    targets = sorted(each.atom_id for each in (ONE, TWO))
    everything = [(newer.atom_id, THREE.atom_id), *((older.atom_id, target) for target in targets)]
    assert catalogue.contradictions(10) == everything
    assert catalogue.contradictions(1) == everything[:1]
    assert catalogue.count_contradictions() == 3
    put(catalogue, against(3, newer))  # each says so of the other
    assert (catalogue.contradictions(1), catalogue.count_contradictions()) == (everything[:1], 3)
    put(catalogue, an_atom(3, is_superseded=True, superseded_by=newer.atom_id))
    catalogue.remove([TWO.atom_id])
    assert catalogue.contradictions(10) == [(older.atom_id, ONE.atom_id)]
    put(catalogue, an_atom(4, relations=(Relation("may_update", ONE.atom_id),)))
    assert (catalogue.contradictions(10), catalogue.count_contradictions()) == ([], 0)
    put(catalogue, against(4, ONE))
    catalogue.clear()
    assert catalogue.count_contradictions() == 0


def test_named_sources_are_counted(catalogue: Catalogue) -> None:
    assert catalogue.sources() == []
    newer = an_atom(3, source_id="notes.md", capture_id="another", supersedes=(ONE.atom_id,))
    put(catalogue, replace(ONE, source_id="notes.md"), replace(TWO, source_id="lease.pdf"), newer, an_atom(4, source_id=None))
    put(catalogue, replace(ONE, source_id="notes.md", is_superseded=True, superseded_by=newer.atom_id))
    first, last = sorted((ONE.atom_id, newer.atom_id))
    assert sorted(catalogue.sources(), key=lambda each: each.source_id) == [
        SourceCounts("lease.pdf", 1, 1, 1, TWO.atom_id, TWO.atom_id),
        SourceCounts("notes.md", 2, 2, 1, first, last),
    ]


def test_columns_say_when_an_atom_was_superseded(catalogue: Catalogue) -> None:
    newer = an_atom(2, supersedes=(an_atom(1).atom_id,))
    put(catalogue, an_atom(1, is_superseded=True, superseded_by=newer.atom_id), newer)
    columns = catalogue.columns()
    assert columns.ended(an_atom(1).atom_id) == newer.observed_at.timestamp()
    assert columns.ended(newer.atom_id) is None
    assert columns.ended("nobody") is None


def test_what_is_archived_is_known_and_not_listed(catalogue: Catalogue) -> None:
    aside = replace(TWO, archived=True, relations=(Relation("may_update", ONE.atom_id),))
    put(catalogue, ONE, aside, THREE)
    assert catalogue.get([aside.atom_id]) == [aside]
    assert [atom.atom_id for atom in catalogue.recent(5)] == [THREE.atom_id, ONE.atom_id]
    assert [atom.atom_id for atom in catalogue.recent(5, before=aside.atom_id)] == [ONE.atom_id]
    assert [atom.atom_id for atom in catalogue.with_subject("tea", limit=5)] == [THREE.atom_id, ONE.atom_id]
    assert catalogue.subjects() == {"tea": 2}
    assert catalogue.with_hash(exact=aside.content_hash) == [aside.atom_id]
    assert (catalogue.in_review(5), catalogue.count_in_review()) == ([], 0)
    columns = catalogue.columns()
    assert [bool(columns.archived[columns.row_of[each.atom_id]]) for each in (ONE, aside)] == [False, True]
    put(catalogue, replace(aside, archived=False))
    assert catalogue.subjects() == {"tea": 3}
    assert catalogue.count_in_review() == 1
