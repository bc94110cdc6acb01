"""The formats of files that are read: how each is recognised, its reader, and the layout of its text. Each is defined here, once.

A row is all that the rest of the product knows of a format: files are recognised (`capture/readers/kind.py`) and dispatched to
their reader by it, and their text is segmented, extracted and described by it. Readers load libraries that take a while to
import, and are imported on demand; so the rows are here. docs/extending.md walks through a new one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.domain.capture import SourceType

Kind: TypeAlias = str
"""The `kind` of a `Format`."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format of files. `kind` is its name in messages and notes, and that of its reader's module in `capture/readers` unless
    `reader` names another; its text has the type `source_type`.

    It is recognised by the mark `begins` of a text; for a zip by the `mimetype` of its first entry, or the folder `part` in it;
    among texts without a mark by the ending of the name, one of `endings` (lower case, without the dot).

    `is_text`: people write it by hand. `structured`: its reader writes markdown (headings, tables, lists). `tabular`: each row is
    a statement by itself. `called` is the word for the file in a memory about it; `prompt` names the file of `ingest/prompts` for
    a language model.
    """

    kind: Kind
    source_type: SourceType
    endings: tuple[str, ...]
    reader: str = ""
    begins: re.Pattern[bytes] | None = None
    mimetype: str = ""
    part: str = ""
    is_text: bool = False
    structured: bool = True
    tabular: bool = False
    called: str = ""
    prompt: str = "plain"

    @property
    def module(self) -> str:
        """Return the module in `capture/readers` that reads it."""
        return self.reader or self.kind


def _ends(words: str) -> tuple[str, ...]:
    return tuple(words.split())


_OPEN_DOCUMENT = "application/vnd.oasis.opendocument"

FORMATS: tuple[Format, ...] = (
    Format("pdf", "pdf", ("pdf",), called="PDF", prompt="pdf"),
    Format("docx", "docx", _ends("docx docm dotx"), part="word/", called="Word document", prompt="docx"),
    Format("pptx", "pptx", _ends("pptx pptm ppsx potx"), part="ppt/", called="presentation", prompt="pptx"),
    Format("xlsx", "xlsx", _ends("xlsx xlsm xltx"), part="xl/", tabular=True, called="workbook", prompt="xlsx"),
    Format("xlsb", "xlsx", ("xlsb",), tabular=True, called="workbook", prompt="xlsx"),
    Format("xls", "xls", ("xls",), tabular=True, called="workbook", prompt="xlsx"),
    Format("odt", "odt", _ends("odt ott"), "odf", mimetype=f"{_OPEN_DOCUMENT}.text", called="text document", prompt="docx"),
    Format(
        "ods",
        "ods",
        _ends("ods ots"),
        "odf",
        mimetype=f"{_OPEN_DOCUMENT}.spreadsheet",
        tabular=True,
        called="workbook",
        prompt="xlsx",
    ),
    Format(
        "odp", "odp", _ends("odp otp"), "odf", mimetype=f"{_OPEN_DOCUMENT}.presentation", called="presentation", prompt="pptx"
    ),
    Format("rtf", "rtf", ("rtf",), begins=re.compile(rb"\{\\rtf"), called="text document", prompt="docx"),
    Format("epub", "epub", ("epub",), mimetype="application/epub+zip", called="book"),
    Format("html", "html", _ends("html htm xhtml"), called="web page"),
    Format("csv", "csv", _ends("csv tsv tab psv"), is_text=True, tabular=True, called="table", prompt="xlsx"),
    Format("eml", "eml", _ends("eml mbox mht mhtml"), called="mail"),
    Format("msg", "eml", ("msg",), called="mail"),
    Format("ics", "ics", _ends("ics ical"), "records", re.compile(rb"(?i)BEGIN:VCALENDAR\b"), tabular=True, prompt="xlsx"),
    Format("vcf", "vcf", _ends("vcf vcard"), "records", re.compile(rb"(?i)BEGIN:VCARD\b"), tabular=True, prompt="xlsx"),
    Format(
        "srt",
        "srt",
        ("srt",),
        "subtitles",
        re.compile(rb"\d{1,6}[ \t]*\r?\n\d{1,3}:\d\d:\d\d[,.]\d{1,3} *--> *\d"),
        called="subtitles",
    ),
    Format("vtt", "vtt", ("vtt",), "subtitles", re.compile(rb"WEBVTT\b"), called="subtitles"),
    Format("zip", "zip", ("zip",), called="archive"),
    Format("markdown", "markdown", _ends("md markdown mdown mkd mdx"), "text", is_text=True, called="text", prompt="markdown"),
    Format("plain", "plain", _ends("txt text log"), "text", is_text=True, structured=False, called="text"),
    Format(
        "code",
        "code",
        _ends(
            """py pyi js jsx ts tsx mjs cjs java kt kts scala go rs c h cc cpp hpp cs rb php swift m sh bash zsh fish ps1 bat
            cmd sql lua r jl pl pm ex exs erl hs clj ml vue svelte css scss less tf proto json jsonl ndjson yaml yml toml xml xsl
            svg ini cfg conf env properties gradle dockerfile makefile cmake ipynb tex bib diff patch graphql asm s f90 dart nim
            zig el lisp vim"""
        ),
        "text",
        is_text=True,
        structured=False,
        called="source code",
        prompt="code",
    ),
)

BY_KIND: dict[Kind, Format] = {each.kind: each for each in FORMATS}
BY_ENDING: dict[str, Format] = {ending: each for each in FORMATS for ending in each.endings}

STRUCTURED: frozenset[SourceType] = frozenset(each.source_type for each in FORMATS if each.structured)
"""Source types whose text is markdown: readers write titles as headings and tables as tables."""
TABULAR: frozenset[SourceType] = frozenset(each.source_type for each in FORMATS if each.tabular)
"""Source types of which each row is a statement by itself."""
# Of several formats with one source type, the first decides.
CALLED: dict[str, str] = {each.source_type: each.called for each in reversed(FORMATS) if each.called}
"""The word for a file of a source type in a memory about it."""
PROMPTS: dict[str, str] = {each.source_type: each.prompt for each in reversed(FORMATS)}
"""The file of `ingest/prompts` for a source type of files."""
