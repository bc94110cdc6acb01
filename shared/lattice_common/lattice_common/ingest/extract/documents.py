"""The units of documents: blocks of markdown, comments and definitions of code."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from lattice_common.domain.capture import Capture
from lattice_common.domain.segment import Segment
from lattice_common.domain.unit import Unit, UnitKind
from lattice_common.ingest.segment.code import parts, remark_of
from lattice_common.ingest.segment.markdown import Block, blocks
from lattice_common.language.amounts import SUM
from lattice_common.language.dates.notes import is_called_by_a_day
from lattice_common.language.sentences.items import is_a_fact
from lattice_common.language.sentences.observations import Observation, observation_at, title_in
from lattice_common.language.sentences.split import DAY

TERSE = 5
"""Words: items no longer than this are read as one list ("tent; stove; lamp"), longer ones each by itself."""

LONGEST_LIST = 600
"""Characters of terse items read as one list."""

LONGEST_FENCE = 500
"""Characters of a code fence that may be worth remembering (a command); what is longer is a file."""

MOST_CONTACT, LONGEST_CONTACT = 8, 60
"""Lines of an address, and characters of each."""

_OWN = ("markdown", "plain", "chat")
_REACHED = re.compile(r"\w@\w|\+?\d[\d /().-]{6,}\d")
_MARKS = re.compile(
    r"(?m)^[ \t]*(?://[/!]?|#+|--|;;+|%%|/\*+!?|\*(?!/)|<!--|[rRbBuU]{0,2}(?:\"\"\"|'''))[ \t]?|"
    r"\*+/[ \t]*$|-->[ \t]*$|(?:\"\"\"|''')[ \t]*$"
)
_ITEM_MARK = re.compile(rf"(?m)[ \t]*(?:(?!{DAY})(?:[-*+•‣◦–]|\d{{1,4}}[.)])[ \t]+|(?:>[ \t]?)+)?")
_DRAWN = re.compile(
    r"(?:`{3,}|~{3,})[ \t]*(?:dataview(?:js)?|query|tasks|base|mermaid|plantuml|graphviz|dot|excalidraw|button)\b", re.I
)
"""Fences that a program draws something of, or looks something up for."""
_CALLOUT = re.compile(r"[ \t]*>[ \t]*\[![\w-]{1,30}\][+-]?[ \t]*(?P<title>[^\n]*)\n?")
"""How Obsidian and GitHub begin a box: "> [!note] Careful"."""
_ENDING = re.compile(r"\.(?:md|markdown|mdx|txt)\Z", re.IGNORECASE)
_KINDS: dict[str, UnitKind] = {
    "paragraph": "prose",
    "quote": "prose",
    "item": "item",
    "task": "task",
    "row": "row",
    "fence": "fence",
    "field": "field",
}


def blocks_of(capture: Capture, segment: Segment) -> Iterator[Unit]:
    """Yield one unit for each block of markdown under its headings; terse items of a list together."""
    every = blocks(capture.text, segment.start, segment.end, segment.headings, segment.context if "|" in segment.context else "")
    found = [block for block in every if block.kind != "heading"]
    title = title_in(capture.text)
    if title is None:
        yield from _units(capture, segment, found)
        return
    others = [block for block in found if _observation(capture, block) is None]
    units = (*_observed(capture, found, title), *_units(capture, segment, others))
    yield from sorted(units, key=lambda unit: unit.start)


def _units(capture: Capture, segment: Segment, found: list[Block]) -> Iterator[Unit]:
    for listed, group in groupby(_without_lead_ins(capture.text, found), key=lambda block: _list_key(capture.text, block)):
        if listed is None:
            for block in group:
                words = capture.text[block.start : block.end]
                if block.kind == "fence" and (len(words) > LONGEST_FENCE or _DRAWN.match(words)):
                    continue
                if block.kind == "paragraph" and segment.source_type not in _OWN and _is_contact(words):
                    yield _unit(capture, block, "list")
                elif block.kind != "paragraph" or not _PICTURES.fullmatch(words):
                    yield _unit(capture, block, _kind(capture.text, block))
            continue
        yield from _lists(capture, list(group))


def _observed(capture: Capture, found: list[Block], title: str) -> Iterator[Unit]:
    """Yield a unit for each line of basic-memory that says something of the note's title."""
    for block in found:
        if (said := _observation(capture, block)) is not None:
            at = capture.observed_at
            yield Unit(said.start, block.end, "user", at, headings=(title,), kind="observation", lead_in=said.category)


def _observation(capture: Capture, block: Block) -> Observation | None:
    return observation_at(capture.text, block.start, block.end) if block.kind == "item" else None


def _is_contact(words: str) -> bool:
    """Return whether it is an address: short lines that say nothing each, and how to reach somebody among them."""
    lines = words.splitlines()
    return (
        2 <= len(lines) <= MOST_CONTACT
        and all(len(line) <= LONGEST_CONTACT and line.rstrip()[-1:] not in ".!?:;" for line in lines)
        and _REACHED.search(words) is not None
    )


def _without_lead_ins(text: str, found: list[Block]) -> Iterator[Block]:
    """Yield the blocks without those that only introduce a list: such a line goes with the list, and does not stand alone."""
    for at, block in enumerate(found):
        following = found[at + 1] if at + 1 < len(found) else None
        if (
            following is not None
            and block.kind == "paragraph"
            and following.lead_in
            and text.endswith(following.lead_in, block.start, block.end)
        ):
            end = block.end - len(following.lead_in)
            if text[block.start : end].strip():
                yield replace(block, end=end)
            continue
        yield block


def _kind(text: str, block: Block) -> UnitKind:
    return "done" if block.kind == "task" and _DONE.match(text, block.start) else _KINDS[block.kind]


_PICTURES = re.compile(
    r"\s*(?:(?:\[[^\]\n]{1,200}\]\((?![A-Za-z][\w+.-]{0,20}:|#)(?:[^()\s]|\([^()\s]{0,100}\)){1,500}\)|"
    r"!\[\[[^\]\n]{1,200}\]\]|!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|\[!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)\]\([^()\s]{0,500}\))\s*)+"
)
"""Links to files beside this one (Notion's subpages) and pictures, also as links (the badges of a README), and nothing else."""

_DONE = re.compile(r"\s*\S+\s+\[[xX]\]")


def _list_key(text: str, block: Block) -> tuple[tuple[str, ...], str] | None:
    words = text[block.start : block.end]
    if block.kind != "item" or len(words.split()) > TERSE + 1 or is_a_fact(words):
        return None
    return block.headings, f"{words.lstrip()[:1].isdecimal()} {block.lead_in}"


def _lists(capture: Capture, items: list[Block]) -> Iterator[Unit]:
    first = items[0]
    last = first
    for item in items[1:]:
        if item.end - first.start > LONGEST_LIST:
            yield _unit(capture, Block("item", first.start, last.end, first.headings, first.lead_in), "list")
            first = item
        last = item
    yield _unit(capture, Block("item", first.start, last.end, first.headings, first.lead_in), "list")


def _unit(capture: Capture, block: Block, kind: UnitKind) -> Unit:
    if block.kind == "field" and not block.headings and capture.title and not is_called_by_a_day(capture.title):
        # "budget: 900" in frontmatter: of what, the title says.
        block = replace(block, headings=(_ENDING.sub("", capture.title),))
    if block.kind == "quote" and (called := _CALLOUT.match(capture.text, block.start, block.end)):
        goes_on = called.end() < block.end
        block = replace(
            block, start=called.end() if goes_on else called.start("title"), lead_in=called["title"].strip() if goes_on else ""
        )
    marker = _ITEM_MARK.match(capture.text, block.start, block.end) if kind in ("item", "prose") else None
    start = marker.end() if marker else block.start
    return Unit(start, block.end, "user", capture.observed_at, headings=block.headings, kind=kind, lead_in=block.lead_in)


def parts_of(capture: Capture, segment: Segment) -> Iterator[Unit]:
    """Yield one unit for each comment, docstring or definition of code."""
    for part in parts(capture.text, segment.start, segment.end, segment.headings):
        if part.kind == "comment" and len(uncommented(capture.text[part.start : part.end]).split()) < 2:
            # "# retry.py", "# ---", "// eslint-disable": a mark, and no remark.
            continue
        if part.kind == "definition" and not _TELLING.search(capture.text, part.start, part.end):
            continue
        yield Unit(part.start, part.end, "user", capture.observed_at, headings=part.names, kind=part.kind)


_TELLING = re.compile(r"(?<!__)\((?!\s*(?:(?:self|cls|this|&self|&mut self)\s*,?\s*)?\))|(?i:\bcreate\s)")
"""A definition with more to it than a name: `class Solver:` and `def main():` say nothing that a remark beside them does not."""


def uncommented(text: str) -> str:
    """Return a comment's words without its marks, on one line."""
    return " ".join(_MARKS.sub("", text).split())


def remarked(line: str) -> str:
    """Return a line of code with what is remarked on it: "MOST = 20: the database refuses more"; the remark alone where the code
    says nothing."""
    at = remark_of(line)
    if at is None:  # with the meaning of a date in it, it may read otherwise
        return uncommented(line)
    code, remark = line[:at].strip(" \t;,{"), line[at:].strip().removesuffix("*/").strip("#/-* \t")
    return f"{code}: {remark}" if any(map(str.isalnum, code)) else remark


def row_words(row: str, head: str) -> str:
    """Return a table's row with the names of its columns: "Name: Ada; City: Rome"; a label with its value: "City: Rome"; where
    only the first column has no name, or holds a total, it is what the others are about: "Rent – 2025: 900; 2026: 950". A sum, a
    tax or what is due, alone in its row, is of no column: "Total: 2,746.20"."""
    cells, names = _cells(row), _cells(head)
    if head.startswith("|") and not row.lstrip().startswith("|"):
        # The rest of a row so long that it is read by its sentences: its columns cannot be counted.
        return "; ".join(cell for cell in cells if cell)
    names += [""] * (len(cells) - len(names))
    if _is_labelled(cells, names):
        label, *values = [cell for cell in cells if cell] or [""]
        return f"{label.rstrip(': ')}: {'; '.join(values)}" if values else label
    named = [(name, cell) for name, cell in zip(names, cells, strict=False) if cell]
    if len(named) == 2 and SUM.match(named[0][1]) and any(map(str.isdigit, named[1][1])):
        return f"{named[0][1].rstrip(': ')}: {named[1][1]}"  # the gross total of an invoice stands below "Net"
    if len(named) == 2 and not cells[0] and _WORD.search(named[0][1]) and any(map(str.isdigit, named[1][1])):
        # "VAT 20 %" in the column before its amount, below the rows that it is the tax of.
        return (
            f"{named[0][1].rstrip(': ')} – {named[1][0]}: {named[1][1]}" if named[1][0] else ": ".join(cell for _, cell in named)
        )
    about = f"{named[0][1]} – " if len(named) > 1 and ((cells[0] and not names[0]) or _TOTAL.match(named[0][1])) else ""
    return about + "; ".join(f"{name.rstrip(': ')}: {cell}" if name else cell for name, cell in named[bool(about) :])


def row_subject(row: str) -> str:
    """Return what a row is about: its first cell that is neither a number nor a date; "" if it has none."""
    return next((cell.partition(" (note: ")[0][:80].rstrip(": ") for cell in _cells(row) if _WORD.search(cell)), "")


def row_values(row: str, head: str) -> str:
    """Return a row without what only labels its values: "Phone" names nothing, "Ada" does."""
    cells = _cells(row)
    return " | ".join(cells[1:] if _is_labelled(cells, _cells(head)) else cells)


_TOTAL = re.compile(r"(?:grand |sub)?totals?\b|sum\b|summe\b|gesamt", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{2}")


def _is_labelled(cells: list[str], names: list[str]) -> bool:
    return not any(names) or (len(cells) == 2 and tuple(name.lower() for name in names) in _LABEL_AND_VALUE)


_LABEL_AND_VALUE = frozenset(
    (label, value)
    for label in ("field", "key", "property", "attribute", "label", "item", "feld", "eigenschaft", "merkmal", "")
    for value in ("value", "wert", "details", "")
)
"""Heads that say no more than that the first column names the second."""


def _cells(line: str) -> list[str]:
    line = line.strip().removeprefix("|")
    line = line.removesuffix("|") if not line.endswith("\\|") else line
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)] if line else []


def fence_words(text: str) -> str:
    """Return the lines of a command or of code as they are, without what stands around them and without the indent that all
    have."""
    lines = [line.rstrip() for line in text.splitlines() if not line.lstrip().startswith(("```", "~~~"))]
    return textwrap.dedent("\n".join(line for line in lines if line))


def list_words(text: str) -> str:
    """Return terse items on one line: "tent; stove; lamp"."""
    items = (re.sub(r"^[ \t]*(?:[-*+•‣◦–]|\d{1,4}[.)])[ \t]+", "", line).strip() for line in text.splitlines())
    *before, last = [item for item in items if item] or [""]
    return "; ".join([*(item.rstrip(".,;") for item in before), last])
