"""What was asked of Gemini, as Google's Takeout has it under "My Activity": as JSON or as a page, in whatever language.

The headings, and the words before what was asked ("Prompted ", "Eingegebener Prompt: "), are in the language of the account; the
name of the product, and the classes of the page, are the same in all. An entry without such words before it tells that something
was done ("Used Gemini Apps"), which nobody said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html import unescape
from typing import IO, Any

from lattice_common.capture.importers.items import Item, conversation, moment
from lattice_common.capture.request import Message
from lattice_common.language.tables import TABLES
from lattice_common.language.words import months, short_months

PRODUCT = re.compile(r"(?<![A-Za-z])(?:Gemini|Bard)(?![a-z])")
"""In "Gemini Apps", "Gemini-Apps", "Aplicaciones de Gemini", "Gemini アプリ"."""
IN_JSON = re.compile(rb'"header"\s*:\s*"[^"]*(?:Gemini|Bard)')
NOT_SAID = "it tells what was done, and nothing that was said"
ANOTHERS = "it is of another product than Gemini"
LONGEST_CELL = 5_000_000
"""The most bytes of one entry of a page."""
FIRST_CELL = 2_000_000
"""How far a page is read to see whether it is Gemini's: its styles come first."""
_CHUNK = 1 << 20

_ASKED = re.compile(r"(?:Prompted|Said|Asked|Eingegeben)\s+|(?![^:：\n]*Gemini)[^:：\n]{2,40}[:：][\s\u00a0]*")
_TAG = re.compile(r"<[^<>]{0,5000}>")
_BREAK = re.compile(r"<br\s*/?>|</?(?:p|div|li|ul|ol|h[1-6]|tr|table|pre|blockquote)\b[^<>]{0,500}>", re.IGNORECASE)
_CELL = b'<div class="outer-cell'
_TITLE = re.compile(r'<p class="mdl-typography--title">([^<]{1,100})')
_CONTENT = re.compile(r'<div class="content-cell[^"]{0,200}mdl-cell--6-col[^"]{0,200}">')
_NEXT = '<div class="content-cell'
_LINES = re.compile(r"<br\s*/?>", re.IGNORECASE)
_WHEN = re.compile(
    r"(?=.{0,40}\b\d{4})(?=.{0,40}\b\d{1,2}[:.]\d{2}[:.]\d{2}).{10,60}?\b[A-Z]{1,5}(?:[+-][\d:]{1,5})?\Z", re.DOTALL
)
"""A moment, with its time zone behind it."""
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})[:.](\d{2})\s*([AP]M|[ap]\.?\s?m\.?)?\s*(UTC|GMT|Z)?\b")
_MONTHS = {**months(*TABLES), **short_months(*TABLES)}


def activity(export: str, found: Mapping[str, Any]) -> Item:
    """Return one entry of the JSON: what was asked, and what Gemini answered."""
    title = str(found.get("title") or "")
    if isinstance(header := found.get("header"), str) and not PRODUCT.search(header):
        return Item(title[:80] or export, skipped=ANOTHERS)
    told = found.get("safeHtmlItem")
    answer = " ".join(str(part.get("html") or "") for part in told if isinstance(part, dict)) if isinstance(told, list) else ""
    return _turn(export, title, " ".join(unescape(_TAG.sub(" ", answer)).split()), moment(found.get("time")))


def is_page(file: IO[bytes]) -> bool:
    """Return whether a page is the activity of Gemini, by the heading of its first entry."""
    read = b""
    while len(read) < FIRST_CELL and (chunk := file.read(_CHUNK)):
        read += chunk
        at = read.find(_CELL)
        if at >= 0 and len(read) > at + 2_000:
            break
    cell = read.partition(_CELL)[2][:2_000].decode("utf-8", "ignore")
    title = _TITLE.search(cell)
    return title is not None and PRODUCT.search(unescape(title[1])) is not None


def page(export: str, file: IO[bytes]) -> Iterator[Item]:
    """Yield the entries of the page, one by one."""
    for cell in _cells(file):
        yield _entry(export, cell.decode("utf-8", "replace"))


def _cells(file: IO[bytes]) -> Iterator[bytes]:
    held, first = b"", True
    while chunk := file.read(_CHUNK):
        *whole, held = (held + chunk).split(_CELL)
        yield from (whole[1:] if first else whole)
        first = first and not whole
        if len(held) > LONGEST_CELL:
            held = held[:LONGEST_CELL] if not first else held[-len(_CELL) :]
    if not first:
        yield held


def _entry(export: str, cell: str) -> Item:
    title = _TITLE.search(cell)
    if title is None or not PRODUCT.search(unescape(title[1])):
        return Item(export, skipped=ANOTHERS)
    opening = _CONTENT.search(cell)
    content = cell[opening.end() :].partition(_NEXT)[0] if opening else ""
    lines = _LINES.split(content)
    # The line with the moment is the only border between what was asked and what was answered.
    at = next((number for number, line in enumerate(lines) if number and _is_when(line)), None)
    if at is None:
        return Item(_plain(lines[0])[:80] or export, skipped="it has no date, so who said what cannot be told")
    return _turn(export, _plain("<br>".join(lines[:at])), _plain("<br>".join(lines[at + 1 :])), _date(unescape(lines[at])))


def _is_when(line: str) -> bool:
    return len(line) < 200 and _WHEN.match(unescape(line).strip()) is not None


def _turn(export: str, title: str, answer: str, date: str | None) -> Item:
    label = _ASKED.match(title)
    asked = title[label.end() :].strip() if label else ""
    if not asked:
        return Item(title[:80] or export, skipped=NOT_SAID)
    messages = [Message(role="user", content=asked, observed_at=date)]
    if answer:
        messages.append(Message(role="assistant", content=answer, observed_at=date))
    return conversation(export, asked[:80], messages, f"{date}:{asked[:80]}")


def _plain(html: str) -> str:
    text = unescape(_TAG.sub("", _BREAK.sub("\n", html))).replace("\u00a0", " ")
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def _date(written: str) -> str | None:
    """Return "18.04.2026, 17:38:51 MESZ" or "Feb 3, 2026, 8:00:00 AM UTC" as RFC 3339; None where its month is not known. Any
    zone but UTC counts as the local one."""
    clock = _CLOCK.search(written)
    if clock is None:
        return None
    day = written[: clock.start()]
    numbers = [int(each) for each in re.findall(r"\d+", day)]
    year = next((each for each in numbers if each > 31), 0)
    others = [each for each in numbers if each <= 31]
    names = (_MONTHS.get(word.lower()) for word in re.findall(r"[^\W\d_]+", day))
    month = next((each for each in names if each), None)
    if month is None and len(others) == 2:
        # With a slash the month comes first in English of America, and where the second cannot be one; years first: month, day.
        first_is_month = numbers[0] > 31 or ("/" in day and clock[4] is not None) or others[1] > 12
        month, others = (others[0], others[1:]) if first_is_month else (others[1], others[:1])
    hour = int(clock[1])
    if clock[4]:
        hour = hour % 12 + (12 if clock[4].lower().startswith("p") else 0)
    try:
        found = datetime(
            year, month or 0, others[0] if others else 0, hour, int(clock[2]), int(clock[3]), tzinfo=UTC if clock[5] else None
        )
    except ValueError:
        return None
    return (found if clock[5] else found.astimezone()).isoformat()
