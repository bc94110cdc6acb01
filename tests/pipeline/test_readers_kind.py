"""What a file is: its content says, not its name."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import kind_of, read
from lattice_common.domain.reading import Reading, Unreadable

from tests.data import documents as made
from tests.data import office_files as office
from tests.data import office_harm


def put(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "file"
    path.write_bytes(content)
    return path


def refused(tmp_path: Path, content: bytes, name: str) -> Unreadable:
    found = kind_of(put(tmp_path, content), name)
    assert isinstance(found, Unreadable), found
    return found


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (made.pdf(made.lines("x")), "report.txt", "pdf"),
        (b"junk of a printer\n\x01\x02" + made.pdf(made.lines("x")), "report.doc", "pdf"),
        (b"<!DOCTYPE html><p>words", "page.txt", "html"),
        (b"\xef\xbb\xbf \n<html><p>words", "page.pdf", "html"),
        (made.mail().as_bytes(), "mail.txt", "eml"),
        (office.letter(), "letter.pdf", "docx"),
        (office.budget(), "budget.xls", "xlsx"),
        (office.old_budget(), "budget.xlsx", "xls"),
        (b"<html><table><tr><td>x", "export.xls", "html"),
        (b"plain words", "photo.jpg", "plain"),
    ],
)
def test_row_26_the_content_says_what_it_is_and_a_name_that_says_otherwise_is_noted(
    tmp_path: Path, content: bytes, name: str, kind: str
) -> None:
    found = kind_of(put(tmp_path, content), name)
    assert not isinstance(found, Unreadable)
    assert (found.kind, found.notes) == (kind, (f"type-mismatch:{kind}",))


def test_the_note_is_part_of_the_reading(tmp_path: Path) -> None:
    found = read(put(tmp_path, made.pdf(made.lines("Words."))), "report.docx", Limits(), lambda _done, _total: None)
    assert isinstance(found, Reading)
    assert found.notes[0] == "type-mismatch:pdf"


@pytest.mark.parametrize(
    ("content", "name", "kind"),
    [
        (made.pdf(made.lines("x")), "report.pdf", "pdf"),
        (made.pdf(made.lines("x")), "report", "pdf"),
        (b"<p>words</p>", "page.htm", "html"),
        (b"no tags at all", "page.html", "plain"),
        (b"<!doctype html>\n<template>", "component.vue", "code"),
        (b"a,b\n1,2\n", "table.csv", "csv"),
        (b"# Words", "note.md", "markdown"),
        (b"From: Anna, with love.\nTo you: nothing.\n", "poem.txt", "plain"),
        (b"%PDF-1.7 is what such files begin with\n".rjust(60), "about.txt", "pdf"),
        (made.mail().as_bytes(), "mail.eml", "eml"),
        (office.letter(), "letter.docx", "docx"),
        (office.talk(), "talk.pptx", "pptx"),
    ],
)
def test_a_name_that_fits_is_not_noted(tmp_path: Path, content: bytes, name: str, kind: str) -> None:
    found = kind_of(put(tmp_path, content), name)
    assert not isinstance(found, Unreadable)
    assert found.kind == kind
    assert found.notes == ((f"type-mismatch:{kind}",) if name == "about.txt" else ())


@pytest.mark.parametrize("what", sorted(made.BINARY))
def test_rows_26_and_55_pictures_sounds_films_and_programs_are_not_read_whatever_they_are_called(
    tmp_path: Path, what: str
) -> None:
    for name in ("file.pdf", "file.docx", "file.txt", "file"):
        found = refused(tmp_path, made.BINARY[what], name)
        called = what == "nobody knows" and name.endswith(("pdf", "docx", "txt"))
        assert found.code == ("broken" if called else "unsupported")
    words = {
        "photo": "picture",
        "elf": "program",
        "7z": "archive",
        "gzip": "archive",
        "rar": "archive",
        "nobody knows": "not a kind",
    }
    assert words.get(what, what) in found.reason  # of the one without an ending


def test_row_28_an_encrypted_archive_or_office_file_needs_its_password(tmp_path: Path) -> None:
    assert refused(tmp_path, office_harm.encrypted_entries(made.zipped(a=b"x")), "a.zip").code == "encrypted"
    assert refused(tmp_path, office_harm.ole2("EncryptedPackage", "EncryptionInfo"), "a.docx").code == "encrypted"


@pytest.mark.parametrize(("stream", "words"), [("WordDocument", ".docx"), ("PowerPoint Document", ".pptx"), ("Nothing", "OLE")])
def test_row_43_old_documents_say_how_to_be_saved(tmp_path: Path, stream: str, words: str) -> None:
    found = refused(tmp_path, office_harm.ole2(stream), "old.doc")
    assert found.code == "unsupported"
    assert words in found.reason


@pytest.mark.parametrize(
    "archive",
    [
        lambda: made.zipped(note=b"words"),
        made.zipped,
        lambda: made.tarred(note=b"words"),
        lambda: made.nested_zip(2, 1_000_000),
        lambda: made.zipped(bomb=bytes(50_000_000)),
        lambda: made.zipped(**{f"file{at}": b"" for at in range(3000)}),
    ],
    ids=["zip", "empty zip", "tar", "nested", "bomb", "3,000 entries"],
)
def test_row_45_archives_are_never_opened(tmp_path: Path, archive: Callable[[], bytes]) -> None:
    path = put(tmp_path, archive())
    before = time.process_time()
    found = kind_of(path, "archive.docx")
    spent = time.process_time() - before
    assert isinstance(found, Unreadable)
    assert found.code == "unsupported"
    assert "Unpack it" in found.reason
    assert spent < 0.1, "an archive was unpacked, or its list read to the end"


@pytest.mark.parametrize(
    "head",
    [
        b"<!---->" * 1500,
        b"<!-- x -->\n" * 800,
        b"<" * 9000,
        b"<a" * 4500,
        b"a:" * 4500,
        b"From: a\n" * 1200,
        b"From: a\nb: " + b" " * 9000,
    ],
    ids=["comments", "comments in lines", "brackets", "tags", "colons", "senders", "spaces"],
)
def test_telling_what_a_text_is_takes_no_longer_for_one_made_to_take_long(tmp_path: Path, head: bytes) -> None:
    path = put(tmp_path, head)
    before = time.process_time()
    for name in ("a.html", "a.eml", "a.txt"):
        kind_of(path, name)
    assert time.process_time() - before < 1


def test_comments_before_a_web_page_are_looked_past(tmp_path: Path) -> None:
    found = kind_of(put(tmp_path, b"<!-- saved from x --><!-- y -->\n<html><p>words"), "page.txt")
    assert not isinstance(found, Unreadable)
    assert found.kind == "html"


def test_an_open_document_of_a_kind_that_is_not_read_says_how_to_be_saved(tmp_path: Path) -> None:
    content = made.zipped(**{"mimetype": b"application/vnd.oasis.opendocument.graphics", "content.xml": b"<x/>"})
    assert "OpenDocument" in refused(tmp_path, content, "a.odg").reason


def test_no_file_at_all_is_an_error_for_who_looks_at_its_kind(tmp_path: Path) -> None:
    """Whatever bytes a file holds, it is of some kind or refused."""
    for at in range(60):
        held = bytes((at * 7 + each * (at % 13 + 1)) % 256 for each in range(at * 15))
        for start in (
            b"",
            b"PK\x03\x04",
            b"PK\x05\x06",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            b"%PDF-",
            b"From: a\nTo: b\n",
            b"<html",
        ):
            assert kind_of(put(tmp_path, start + held), "file") is not None


def test_an_archive_that_was_cut_short_is_not_opened_either(tmp_path: Path) -> None:
    assert "Unpack it" in refused(tmp_path, made.zipped(note=b"words")[:-30], "archive.zip").reason
    assert "damaged" in refused(tmp_path, made.zipped(note=b"words")[:-30], "archive.docx").reason


@pytest.mark.parametrize("name", ["plan.docx", "plan.xlsx", "plan.pdf", "plan.csv"])
def test_of_a_file_of_which_nothing_is_left_its_name_says_what_to_do(tmp_path: Path, name: str) -> None:
    noise = bytes(range(256)) * 3
    found = refused(tmp_path, (b"PK\x03\x04" if name.endswith("x") else b"\0\x07\xfe") + noise, name)
    assert found.code == "broken"
    assert f".{name[5:]}" in found.reason
