"""Reads files that the readers cannot, where an external program can convert them (`converters`).

`.doc` and `.ppt` go through LibreOffice, pictures and scanned PDFs through tesseract, recordings to a speech recogniser. Where a
program is missing, the reason says how to install it. Words of a picture have their position ("page 2, top"), those of a
recording their time.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lattice_common.adapters.files import converters
from lattice_common.adapters.files.converters import COUNT, MOST_PAGES, OCR, OFFICE, PAGES, Program
from lattice_common.adapters.files.sandboxed_reader import OnProgress, SandboxedReader
from lattice_common.capture.readers.binary import is_recording
from lattice_common.capture.readers.eml import OF_BOX
from lattice_common.capture.readers.kind import ending_of
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ole2 import SIGNATURE, stream_names
from lattice_common.capture.readers.page_text import write_pages
from lattice_common.capture.readers.pdf_lines import Paragraph, layout_of
from lattice_common.capture.readers.picture_lines import Picture, picture_of
from lattice_common.capture.readers.ranges import ranges
from lattice_common.capture.readers.text_builder import BLOCK, TextBuilder
from lattice_common.domain.capture import Place
from lattice_common.domain.reading import Reading, ReadResult, Unreadable
from lattice_common.ports.transcriber import Transcriber

LOOKED_AT = 16_000_000
"""Bytes of an OLE file that contain its directory."""
RECOGNISED_BY = 4_096
"""Bytes at the beginning by which a recording is recognised."""
THIRDS = ("top", "middle", "bottom")

_PICTURES = (
    (b"\x89PNG", "png"),
    (b"\xff\xd8\xff", "jpg"),
    (b"II*\0", "tif"),
    (b"MM\0*", "tif"),
    (b"BM", "bmp"),
    (b"GIF8", "gif"),
)
MOST_PARTS = 20
"""Attachments of a mail, or files of an archive, that are converted."""
PARTS_SECONDS = 600.0
"""After which no further one is begun with."""
_UNREAD_PART = re.compile(r"(?:attachment-(?:unsupported|no-text)|file-not-read):")
NEEDS_OCR = "picture-not-read"
"""Begins the note of a picture in a mail or an archive, where tesseract is missing."""
_MAIL = re.compile(r"mail (\d+)(?:, |\Z)")
SCANNED = "scanned:pages "
"""Begins the note of pages that hold only a picture."""
_NUMBERED = re.compile(r"page (\d+)")
_COUNTED = re.compile(r"^Pages:\s+(\d+)", re.MULTILINE)
_OLD = {"WordDocument": ("doc", "docx"), "PowerPoint Document": ("ppt", "pptx")}


class ConvertingReader:
    """Implements `ports.document_reader.DocumentReader`. Safe to call from several threads."""

    def __init__(self, reader: SandboxedReader, limits: Limits, transcriber: Transcriber | None = None) -> None:
        self._transcriber = transcriber
        self._reader = reader
        self._limits = limits

    def read(self, path: Path, name: str, on_progress: OnProgress = lambda _done, _total: None) -> ReadResult:
        """Read a file; see `ports.document_reader`."""
        found = self._alone(path, name, on_progress)
        if path.is_symlink() or not path.is_file():
            return found
        if isinstance(found, Reading):
            noted = [note.partition(":")[2] for note in found.notes if _UNREAD_PART.match(note)]
            return self._with_parts(path, name, found, noted) if noted and found.source_type in ("eml", "zip") else found
        if found.code == "unsupported" and ending_of(name) == "zip":
            names = self._reader.part(path, name, "").decode().split("\n")
            whole = self._with_parts(path, name, Reading("zip", ""), [each for each in names if each])
            return whole if whole.text else found
        return found

    def _with_parts(self, path: Path, name: str, found: Reading, noted: Sequence[str]) -> Reading:
        """Return a mail or an archive with what lies in it and only programs can read, behind the rest."""
        until = time.monotonic() + PARTS_SECONDS
        for part in noted[:MOST_PARTS]:
            if time.monotonic() > until or len(found.text.encode()) > self._limits.text_bytes:
                break
            content = self._reader.part(path, name, part)
            if not content:
                continue
            kept = (note for note in found.notes if note.partition(":")[2] != part)
            if (read := self._part(content, part)) is not None:
                also = [note for note in read.notes if note in ("ocr", "transcribed")]
                builder = TextBuilder(self._limits)
                label, at = _place_of(found, part)
                builder.add(f"# {_named(part)}", label)
                builder.include(read, label)
                put = _put_in(found, at, builder.build(found.source_type))
                found = replace(put, notes=tuple(dict.fromkeys((*kept, *also))))
            elif OCR.path is None and _picture(content) is not None:
                found = replace(found, notes=(*kept, f"{NEEDS_OCR}:{part}"))
        return found

    def _part(self, content: bytes, name: str) -> Reading | None:
        with tempfile.TemporaryDirectory(prefix="lattice-convert-") as held:
            path = Path(held) / "part"
            path.write_bytes(content)
            found = self._alone(path, name, lambda _done, _total: None)
        return found if isinstance(found, Reading) and found.text.strip() else None

    def _alone(self, path: Path, name: str, on_progress: OnProgress) -> ReadResult:
        """Read a file but for what lies in it."""
        found = self._reader.read(path, name, on_progress)
        if isinstance(found, Reading) and (scanned := _scanned(found)) and path.is_file() and not path.is_symlink():
            return self._with_scans(path, found, scanned, on_progress)
        if (
            not isinstance(found, Unreadable)
            or found.code not in ("unsupported", "no-text")
            or path.is_symlink()
            or not path.is_file()
        ):
            return found
        with path.open("rb") as file:
            start = file.read(RECOGNISED_BY)
            head = start[:16]
            old = _old_kind(start + file.read(LOOKED_AT)) if head.startswith(SIGNATURE) else None
        if self._transcriber is not None and found.code == "unsupported" and is_recording(start):
            return self._by_ear(self._transcriber, path, name, on_progress)
        if old is not None:
            return self._through_office(path, name, old, on_progress)
        picture = _picture(head)
        if picture is not None or (found.code == "no-text" and head.startswith(b"%PDF")):
            return self._by_sight(path, name, picture, on_progress)
        return found

    def close(self) -> None:
        """See `SandboxedReader.close`."""
        self._reader.close()

    @property
    def kept(self) -> list[subprocess.Popen[bytes]]:
        """See `SandboxedReader.kept`."""
        return self._reader.kept

    def _through_office(self, path: Path, name: str, old: tuple[str, str], on_progress: OnProgress) -> ReadResult:
        before, after = old
        if OFFICE.path is None:
            return _missing(f"an old Office file (.{before})", OFFICE, f"Save it as .{after} or .pdf and put it in again")
        with tempfile.TemporaryDirectory(prefix="lattice-convert-") as held:
            folder = Path(held)
            shutil.copyfile(path, folder / f"file.{before}")
            profile = f"-env:UserInstallation=file://{folder}/profile"
            arguments = [profile, "--headless", "--norestore", "--convert-to", after, "--outdir", str(folder), f"file.{before}"]
            converters.run(OFFICE, arguments, folder, self._limits.wall_seconds)
            made = folder / f"file.{after}"
            if not made.is_file():
                return Unreadable(
                    "broken", f"LibreOffice could not open {name}: it is damaged. Save it as .{after} or .pdf and put that in."
                )
            return self._reader.read(
                made, f"{name}.{after}" if ending_of(name) != before else f"{name[: -len(before)]}{after}", on_progress
            )

    def _by_ear(self, transcriber: Transcriber, path: Path, name: str, on_progress: OnProgress) -> ReadResult:
        told = transcriber.transcribe(path, name, lambda: on_progress(0, 1))
        if isinstance(told, Unreadable):
            return told
        with tempfile.TemporaryDirectory(prefix="lattice-convert-") as held:
            made = Path(held) / "transcript"
            made.write_bytes(told)
            timed = told.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"WEBVTT")
            read = self._reader.read(made, "transcript.vtt" if timed else "transcript.txt", on_progress)
        if isinstance(read, Unreadable) or not read.text.strip():
            return Unreadable("no-text", f"Nothing is said in {name}, as far as it can be told.")
        # What a program heard is a document, however the file that it wrote it down in would be read.
        return replace(read, source_type="vtt", title=None, notes=(*read.notes, "transcribed"))

    def _with_scans(self, path: Path, found: Reading, scanned: Sequence[int], on_progress: OnProgress) -> Reading:
        """Return a PDF with the words of its scanned pages among those of the others, as far as the limits go."""
        if OCR.path is None or PAGES.path is None:
            return found
        known, read = converters.languages(), list[int]()
        with tempfile.TemporaryDirectory(prefix="lattice-convert-") as held:
            folder = Path(held)
            shutil.copyfile(path, folder / "file.pdf")
            for done, number in enumerate(scanned[:MOST_PAGES], 1):
                page = self._page(folder, number)
                if page is None or len(found.text.encode()) > self._limits.text_bytes:
                    continue
                builder = TextBuilder(self._limits)
                _write_pictures(builder, [self._seen(page, known, folder)], first=number)
                found = _with_page(found, number, builder.build("pdf"))
                read.append(number)
                on_progress(done, min(len(scanned), MOST_PAGES))
        left = ranges([number for number in scanned if number not in read])
        others = (note for note in found.notes if not note.startswith(SCANNED))
        notes = (*others, *((f"{SCANNED}{left}",) if left else ()), *(("ocr",) if read else ()))
        return replace(found, notes=notes)

    def _seen(self, page: Path, known: str, folder: Path) -> Picture:
        """Return the words of a picture, which is removed."""
        table = converters.run(OCR, [page.name, "stdout", "-l", known, "tsv"], folder, self._limits.wall_seconds)
        page.unlink()
        return picture_of(table or b"")

    def _by_sight(self, path: Path, name: str, picture: str | None, on_progress: OnProgress) -> ReadResult:
        if OCR.path is None or (picture is None and PAGES.path is None):
            what = "a picture" if picture else "a scan"
            return _missing(what, OCR if OCR.path is None else PAGES, "Run OCR over it (e.g. ocrmypdf) and put in the PDF")
        builder, known = TextBuilder(self._limits), converters.languages()
        pages: list[Picture] = []
        with tempfile.TemporaryDirectory(prefix="lattice-convert-") as held:
            folder = Path(held)
            shutil.copyfile(path, folder / (f"page.{picture}" if picture else "file.pdf"))
            count = 1 if picture else self._count(folder)
            for number in range(1, min(count, MOST_PAGES) + 1):
                page = folder / f"page.{picture}" if picture else self._page(folder, number)
                if page is None or sum(len(line.text) for each in pages for line in each.lines) > self._limits.text_bytes:
                    break
                pages.append(self._seen(page, known, folder))
                on_progress(number, min(count, MOST_PAGES))
        _write_pictures(builder, pages, first=None if picture else 1)
        if builder.empty:
            return Unreadable(
                "no-text", f"No words were found in {name}. If there are some, scan it anew, straight and at 300 dpi."
            )
        builder.note("ocr")
        if count > MOST_PAGES:
            builder.note(f"partial:{MOST_PAGES} of {count} pages")
        return builder.build("pdf")

    def _count(self, folder: Path) -> int:
        """Return the number of pages of a scan."""
        said = converters.run(COUNT, ["file.pdf"], folder, self._limits.wall_seconds) or b""
        found = _COUNTED.search(said.decode("utf-8", "replace"))
        return int(found[1]) if found else 0

    def _page(self, folder: Path, number: int) -> Path | None:
        """Draw one page of a scan as a picture: all of a long one at once would fill the folder, which may lie in memory."""
        only = ["-f", str(number), "-l", str(number), "-singlefile"]
        arguments = ["-r", str(converters.DOTS_PER_INCH), "-gray", *only, "file.pdf", "page"]
        converters.run(PAGES, arguments, folder, self._limits.wall_seconds)
        made = folder / "page.pgm"
        return made if made.is_file() else None


def _picture(head: bytes) -> str | None:
    """Return the ending of a kind of pictures by the first bytes of one; None for something else."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    return next((ending for start, ending in _PICTURES if head.startswith(start)), None)


def _named(part: str) -> str:
    """Return the name of a part by its note, without the mail of a box that it belongs to."""
    return OF_BOX.sub("", part, count=1)


def _place_of(found: Reading, part: str) -> tuple[str, int]:
    """Return the place of a part of a mail or an archive, and where in the reading it is put: behind the others, in a box behind
    the mail that it belongs to."""
    if found.source_type != "eml":
        return f"file {part}", len(found.text)
    of_box = OF_BOX.match(part)
    if of_box is None:
        return f"attachment {part}", len(found.text)
    later = (
        place.start for place in found.places if (mail := _MAIL.match(place.label)) is not None and int(mail[1]) > int(of_box[1])
    )
    return f"{of_box[0]}attachment {_named(part)}", next(later, len(found.text))


def _old_kind(content: bytes) -> tuple[str, str] | None:
    names = stream_names(content)
    return next((kinds for mark, kinds in _OLD.items() if mark in names), None)


def _missing(what: str, program: Program, otherwise: str) -> Unreadable:
    return Unreadable(
        "unsupported",
        f"This is {what}, which is read where {program.names[0]} is installed (Debian: apt install {program.package}). "
        f"Install it, or: {otherwise}.",
    )


def _write_pictures(builder: TextBuilder, pages: Sequence[Picture], first: int | None) -> None:
    """Write what was read of pictures, each paragraph with the third of its page that it begins in; `first` is the number of the
    first page, None for a picture that is no page."""
    lines = [page.lines for page in pages]

    def place(number: int, paragraph: Paragraph) -> str:
        third = THIRDS[min(2, int(-3 * paragraph.y / max(1.0, pages[number - 1].high)))]
        return third if first is None else f"page {first + number - 1}, {third}"

    write_pages(builder, lines, layout_of(lines, {}), place)


def _scanned(found: Reading) -> list[int]:
    """Return the numbers of the pages of a PDF that hold only a picture, as its reader noted them."""
    noted = next((note.removeprefix(SCANNED) for note in found.notes if note.startswith(SCANNED)), "")
    pairs = (part.partition("-") for part in noted.split(", ") if part)
    return [number for begins, _, ends in pairs for number in range(int(begins), int(ends or begins) + 1)]


def _with_page(found: Reading, number: int, page: Reading) -> Reading:
    """Return a reading with a page put in behind those before it; no paragraph is cut."""
    if not page.text:
        return found
    later = (place.start for place in found.places if (page_of := _NUMBERED.match(place.label)) and int(page_of[1]) > number)
    at = next(later, len(found.text))
    if 0 < at < len(found.text) and not found.text.endswith(BLOCK, 0, at):
        ends = found.text.find(BLOCK, at)
        at = ends + len(BLOCK) if ends >= 0 else len(found.text)
    return _put_in(found, at, page)


def _put_in(found: Reading, at: int, page: Reading) -> Reading:
    """Return a reading with another one put in at the beginning of a paragraph, or behind it."""
    before = BLOCK if found.text and at == len(found.text) else ""
    after = BLOCK if at < len(found.text) else ""
    put = f"{before}{page.text}{after}"
    places = [
        *(replace(each, end=min(each.end, at)) for each in found.places if each.start < at),
        *(Place(at + len(before) + each.start, at + len(before) + each.end, each.label) for each in page.places),
        *(Place(max(each.start, at) + len(put), each.end + len(put), each.label) for each in found.places if each.end > at),
    ]
    return replace(found, text=f"{found.text[:at]}{put}{found.text[at:]}", places=tuple(places))
