"""The contract of `ports.document_reader`, on every adapter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.adapters.memory.document_reader import InMemoryDocumentReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.reading import Reading, Unreadable
from lattice_common.errors import Unavailable
from lattice_common.ports.document_reader import DocumentReader

from tests.data import documents as made


@pytest.fixture(params=["sandboxed", "converting", "memory"])
def reader(request: pytest.FixtureRequest) -> Iterator[DocumentReader]:
    if request.param == "memory":
        yield InMemoryDocumentReader()
        return
    sandboxed = SandboxedReader(Limits())
    yield ConvertingReader(sandboxed, Limits()) if request.param == "converting" else sandboxed
    sandboxed.close()


def put(folder: Path, content: bytes) -> Path:
    path = folder / "original"
    path.write_bytes(content)
    return path


def test_a_note_is_read_word_for_word(reader: DocumentReader, tmp_path: Path) -> None:
    text = "Mara lives in Lisbon.\n\nIt is — née Schröder — 東京's best."
    found = reader.read(put(tmp_path, text.encode()), "note.txt")
    assert isinstance(found, Reading)
    assert (found.source_type, found.text, found.notes) == ("plain", text, ())


def test_the_name_tells_markdown(reader: DocumentReader, tmp_path: Path) -> None:
    found = reader.read(put(tmp_path, b"# Garden\n\n- beans"), "garden.md")
    assert isinstance(found, Reading)
    assert found.source_type == "markdown"


def test_nothing_at_all_is_a_reading_with_a_note(reader: DocumentReader, tmp_path: Path) -> None:
    found = reader.read(put(tmp_path, b""), "empty.txt")
    assert isinstance(found, Reading)
    assert (found.text, found.notes) == ("", ("empty",))


def test_another_encoding_is_noted(reader: DocumentReader, tmp_path: Path) -> None:
    found = reader.read(put(tmp_path, "Schöne Grüße aus Köln".encode("cp1252")), "note.txt")
    assert isinstance(found, Reading)
    assert (found.text, found.notes) == ("Schöne Grüße aus Köln", ("encoding:cp1252",))


@pytest.mark.parametrize("what", sorted(made.BINARY))
def test_what_cannot_be_read_is_a_sentence_and_no_error(reader: DocumentReader, tmp_path: Path, what: str) -> None:
    found = reader.read(put(tmp_path, made.BINARY[what]), "file")
    assert isinstance(found, Unreadable)
    assert found.code in ("unsupported", "no-text")  # a picture without words, where there is a program that reads pictures
    assert found.reason.endswith(".")


def test_a_file_that_is_not_there_is_no_fault_of_what_it_holds(reader: DocumentReader, tmp_path: Path) -> None:
    with pytest.raises((Unavailable, FileNotFoundError)):
        reader.read(tmp_path / "gone", "gone.txt")
