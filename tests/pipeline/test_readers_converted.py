"""What is read with the help of programs beside this one, and what is said where they are missing."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest
from lattice_common.adapters.files.converting_reader import ConvertingReader
from lattice_common.adapters.files.sandboxed_reader import SandboxedReader
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.capture import place_at
from lattice_common.domain.reading import Reading, Unreadable
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from tests.data import documents, outlook
from tests.pipeline.given_files import assert_places

needs_ocr = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")
needs_pages = pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler-utils is not installed")


@pytest.fixture
def reader() -> Iterator[ConvertingReader]:
    limits = Limits(wall_seconds=300.0)
    sandboxed = SandboxedReader(limits)
    yield ConvertingReader(sandboxed, limits)
    sandboxed.close()


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def picture(*lines: str) -> Image.Image:
    drawn = Image.new("RGB", (1000, 700), "white")
    for at, line in enumerate(lines):
        ImageDraw.Draw(drawn).text((60, 60 + 420 * at), line, "black", ImageFont.load_default(40))
    return drawn


def saved(drawn: Image.Image, form: str) -> bytes:
    out = io.BytesIO()
    drawn.save(out, form)
    return out.getvalue()


@needs_ocr
@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_picture_is_read_with_the_place_of_its_words(tmp_path: Path, reader: ConvertingReader, form: str) -> None:
    content = saved(picture("The deposit is 1800 euros.", "Signed in Berlin."), form)
    found = reader.read(put(tmp_path, "photo", content), "photo.jpg")
    assert isinstance(found, Reading), found
    assert "The deposit is 1800 euros." in found.text
    assert "ocr" in found.notes
    assert place_at(found.places, found.text.index("deposit")) == "top"
    assert place_at(found.places, found.text.index("Berlin")) in ("middle", "bottom")


@needs_ocr
@needs_pages
def test_a_scan_is_read_page_by_page(tmp_path: Path, reader: ConvertingReader) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(500, 350))
    for words in ("The boat is in berth 12.", "It sails in May."):
        canvas.drawImage(ImageReader(picture(words)), 0, 0, 500, 350)
        canvas.showPage()
    canvas.save()
    found = reader.read(put(tmp_path, "scan", out.getvalue()), "scan.pdf")
    assert isinstance(found, Reading), found
    assert place_at(found.places, found.text.index("sails")) == "page 2, top"


@needs_ocr
@needs_pages
def test_scanned_pages_among_others_are_read_in_their_place(tmp_path: Path, reader: ConvertingReader) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(500, 350))
    for words in ("This is the lease of the boat in berth 12.", None, "The third page is about the mooring.", None):
        if words:
            canvas.drawString(50, 300, words)
        else:
            canvas.drawImage(ImageReader(picture("The deposit is 1800 euros.")), 0, 0, 500, 350)
        canvas.showPage()
    canvas.save()
    found = reader.read(put(tmp_path, "lease", out.getvalue()), "lease.pdf")
    assert isinstance(found, Reading), found
    assert found.notes == ("ocr",)
    order = [found.text.index(words) for words in ("berth 12", "The deposit is 1800 euros.", "third page")]
    assert order == sorted(order)
    assert place_at(found.places, order[1]) == "page 2, top"
    assert place_at(found.places, order[2]) == "page 3"
    assert place_at(found.places, found.text.rindex("deposit")) == "page 4, top"
    assert_places(found)


@needs_ocr
def test_a_table_in_a_picture_keeps_its_rows(tmp_path: Path, reader: ConvertingReader) -> None:
    drawn = Image.new("RGB", (1400, 900), "white")
    rows = (("Article", "Ordered", "Delivered"), ("Dining table", "1", "1"), ("Chair", "6", "4"), ("Oil for wood", "2", "2"))
    for at, row in enumerate(rows):
        for x, cell in zip((60, 560, 960), row, strict=True):
            ImageDraw.Draw(drawn).text((x, 200 + 70 * at), cell, "black", ImageFont.load_default(40))
    found = reader.read(put(tmp_path, "note", saved(drawn, "PNG")), "note.png")
    assert isinstance(found, Reading), found
    assert "| Article | Ordered | Delivered |" in found.text
    assert "| Chair | 6 | 4 |" in found.text


@needs_ocr
def test_a_picture_without_words_says_so(tmp_path: Path, reader: ConvertingReader) -> None:
    found = reader.read(put(tmp_path, "photo", saved(picture(), "PNG")), "photo.png")
    assert isinstance(found, Unreadable)
    assert "No words were found" in found.reason


@needs_ocr
@needs_pages
def test_pictures_scans_and_old_files_in_mails_and_archives_are_read(
    tmp_path: Path, reader: ConvertingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = docx.Document()
    document.add_paragraph("The boat is in berth 12.")
    document.save(str(tmp_path / "made.docx"))
    (tmp_path / "bin").mkdir()
    office = put(tmp_path / "bin", "soffice", OFFICE.replace("{body}", f'cp {tmp_path}/made.docx "$7/file.docx"').encode())
    office.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    scan = io.BytesIO()
    canvas = Canvas(scan, pagesize=(500, 350))
    canvas.drawImage(ImageReader(picture("It sails in May.")), 0, 0, 500, 350)
    canvas.save()
    parts = {
        "photo.png": saved(picture("The deposit is 1800 euros."), "PNG"),
        "scan.pdf": scan.getvalue(),
        "old.doc": old_word(),
        "program.exe": b"MZ" + bytes(100),
    }
    mail = documents.mail("See the papers.", subject="Lease")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name, content in parts.items():
            mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
            packed.writestr(name, content)
    for content, called, kind in ((bytes(mail), "lease.eml", "attachment"), (archive.getvalue(), "papers.zip", "file")):
        found = reader.read(put(tmp_path, "original", content), called)
        assert isinstance(found, Reading), found
        assert_places(found)
        assert place_at(found.places, found.text.index("1800 euros")) == f"{kind} photo.png, top"
        assert place_at(found.places, found.text.index("sails in May")) == f"{kind} scan.pdf, page 1, top"
        assert place_at(found.places, found.text.index("berth 12")) == f"{kind} old.doc, paragraph 1"
        assert "ocr" in found.notes
        assert not [note for note in found.notes if note.endswith((":photo.png", ":scan.pdf", ":old.doc"))]


def box_with_a_picture() -> bytes:
    mails = []
    for number in range(1, 4):
        mail = documents.mail(f"This is what mail number {number} says.", subject="Papers")
        if number == 2:
            mail.add_attachment(saved(picture("The deposit is 1800 euros."), "PNG"), "image", "png", filename="photo.png")
        mails.append(b"From ada@example.org Tue Mar  3 20:15:00 2026\n" + bytes(mail) + b"\n")
    return b"\n".join(mails)


@needs_ocr
def test_a_picture_in_a_box_of_mails_is_read_in_its_mail(tmp_path: Path, reader: ConvertingReader) -> None:
    found = reader.read(put(tmp_path, "box", box_with_a_picture()), "box.mbox")
    assert isinstance(found, Reading), found
    assert_places(found)
    order = [found.text.index(words) for words in ("number 1 says", "number 2 says", "1800 euros", "number 3 says")]
    assert order == sorted(order)
    assert place_at(found.places, order[2]) == "mail 2, attachment photo.png, top"
    assert place_at(found.places, order[3]) == "mail 3"
    assert "ocr" in found.notes


@needs_ocr
def test_a_picture_in_a_mail_of_outlook_is_read(tmp_path: Path, reader: ConvertingReader) -> None:
    content = outlook.mail(attached={"photo.png": saved(picture("The boat is in berth 12."), "PNG")})
    found = reader.read(put(tmp_path, "mail", content), "mail.msg")
    assert isinstance(found, Reading), found
    assert place_at(found.places, found.text.index("berth 12")) == "attachment photo.png, top"


def test_without_the_program_a_picture_in_a_mail_says_what_reads_it(
    tmp_path: Path, reader: ConvertingReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for content, name, noted in (
        (box_with_a_picture(), "box.mbox", "picture-not-read:mail 2, photo.png"),
        (outlook.mail(attached={"photo.png": saved(picture(), "PNG")}), "mail.msg", "picture-not-read:photo.png"),
    ):
        found = reader.read(put(tmp_path, "file", content), name)
        assert isinstance(found, Reading), found
        assert noted in found.notes


def old_word() -> bytes:
    return outlook.container({"WordDocument": b"x" * 100})


@pytest.mark.parametrize(
    ("content", "name", "package"),
    [(old_word(), "a.doc", "libreoffice"), (saved(picture(), "PNG"), "a.png", "tesseract-ocr")],
)
def test_where_the_program_is_missing_it_is_said_how_to_get_it(
    tmp_path: Path, reader: ConvertingReader, monkeypatch: pytest.MonkeyPatch, content: bytes, name: str, package: str
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    found = reader.read(put(tmp_path, "file", content), name)
    assert isinstance(found, Unreadable)
    assert f"apt install {package}" in found.reason


OFFICE = """#!/bin/sh
case "$1" in -env:UserInstallation=*) ;; *) exit 8;; esac
{body}
"""


@pytest.mark.parametrize(("body", "expected"), [('cp {made} "$7/file.docx"', "berth 12"), ("exit 1", None), ("sleep 60", None)])
def test_an_old_file_is_read_as_the_office_program_converts_it_and_a_program_that_fails_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, expected: str | None
) -> None:
    document = docx.Document()
    document.add_paragraph("The boat is in berth 12.")
    document.save(str(tmp_path / "made.docx"))
    programs = tmp_path / "bin"
    programs.mkdir()
    office = put(programs, "soffice", OFFICE.replace("{body}", body.format(made=tmp_path / "made.docx")).encode())
    office.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    sandboxed = SandboxedReader(Limits())
    reader = ConvertingReader(sandboxed, Limits(wall_seconds=20.0 if expected else 2.0))
    found = reader.read(put(tmp_path, "file", old_word()), "old.doc")
    sandboxed.close()
    if expected:
        assert isinstance(found, Reading), found
        assert expected in found.text
    else:
        assert isinstance(found, Unreadable)
        assert "damaged" in found.reason
