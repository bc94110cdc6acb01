"""Stores that are written rather than told are as ingest leaves them: what is measured in them would else mean nothing."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.files import frontmatter
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture

from bench.large_store import captures, write


def test_every_memory_of_a_written_store_is_read_as_it_was_meant_and_its_quote_stands(tmp_path: Path) -> None:
    write(tmp_path, captures(150))

    files, journal = AtomFiles(tmp_path), FileJournal(tmp_path)
    atoms = [files.check_file(mark.path) for _, mark in files.marks()]
    assert len(atoms) >= 150
    for loaded in atoms:
        assert isinstance(loaded, frontmatter.Loaded)
        assert loaded.notes == ()
        capture = journal.read(loaded.atom.capture_id)
        assert isinstance(capture, Capture)
        assert capture.text[loaded.atom.source_span.start : loaded.atom.source_span.end] == loaded.atom.source_quote


def test_the_journal_of_a_written_store_has_nothing_left_to_do_and_numbers_never_go_back(tmp_path: Path) -> None:
    write(tmp_path, captures(150))

    files, journal = AtomFiles(tmp_path), FileJournal(tmp_path)
    receipts = [journal.receipt(each) for each in journal.entries(newest_first=False)]
    told = [atom_id for receipt in receipts if receipt for atom_id in receipt.atom_ids]
    assert journal.open_ids() == []
    assert sorted(told) == sorted(atom_id for atom_id, _ in files.marks())
    numbers = [atom.seq for each in told if isinstance(atom := files.read(each), Atom)]
    assert numbers == list(range(1, len(told) + 1))
