"""What the styles and the numbering of a docx say about a paragraph: a heading, a list item, a line of a table of contents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from lxml import etree

from lattice_common.capture.readers.ooxml import Package, attribute

DEEPEST = 12
"""Styles that a style may be based on, one after the other."""


@dataclass(frozen=True, slots=True)
class Style:
    """`level` of a heading (1 to 9; 0 is the title), `numbering` (list id) and `depth` of a list, where the style sets them."""

    level: int | None = None
    contents: bool = False
    numbering: str | None = None
    depth: int = 0
    strong: bool = False
    of_list: Literal["term", "definition"] | None = None
    """Of a list of terms and what they are, as programs write `<dl>`."""


_OF_LIST: Mapping[str, Literal["term", "definition"]] = {
    "definition term": "term", "definition": "definition", "list heading": "term", "list contents": "definition",
}  # fmt: skip
"""Names of their styles, of Pandoc and of LibreOffice."""
PLAIN = Style()


@dataclass(slots=True)
class Numbering:
    """Counts the items of the lists of one document."""

    forms: dict[tuple[str, int], tuple[str, int]] = field(default_factory=dict)
    """(`numFmt`, start) by list id and depth."""
    counts: dict[str, dict[int, int]] = field(default_factory=dict)

    def mark(self, numbering: str, depth: int) -> str:
        """Return what stands before the next item: "-" for bullets, "3." for numbers."""
        form, start = self.forms.get((numbering, depth), ("bullet", 1))
        counted = self.counts.setdefault(numbering, {})
        counted[depth] = counted.get(depth, start - 1) + 1
        for deeper in [level for level in counted if level > depth]:
            del counted[deeper]
        return "-" if form in ("bullet", "none") or counted[depth] > 9999 else f"{counted[depth]}."


def styles_of(package: Package, part: str) -> dict[str, Style]:
    """Return the paragraph and table styles by their ids. Names are the English ones, whatever the language of Word."""
    root = package.root(part) if part else None
    if root is None:
        return {}
    entries = {attribute(entry, "styleId") or "": entry for entry in root.iterfind("{*}style")}
    return {key: _style(entry, entries) for key, entry in entries.items()}


def _style(entry: etree._Element, entries: dict[str, etree._Element]) -> Style:
    """Return a style with what it has from those it is based on."""
    level: int | None = None
    contents = strong = False
    numbering: str | None = None
    depth = 0
    following: etree._Element | None = entry
    for _ in range(DEEPEST):
        if following is None:
            break
        name = (value_of(following, "name") or "").lower()
        contents = contents or name.startswith("toc ") or name == "toc heading"
        strong = strong or on(following.find("{*}rPr/{*}b"))
        if level is None:
            level = 0 if name == "title" else heading_level(name) or outline(following.find("{*}pPr"))
        if numbering is None:
            numbering, depth = numbering_of(following.find("{*}pPr"))
        following = entries.get(value_of(following, "basedOn") or "")
    own = (value_of(entry, "name") or "").lower()
    return Style(level, contents, numbering, depth, strong, _OF_LIST.get(own))


def heading_level(name: str) -> int | None:
    word, _, number = name.partition(" ")
    return int(number) if word == "heading" and number in tuple("123456789") else None


def outline(properties: etree._Element | None) -> int | None:
    """Return the level that a paragraph has in the outline, 1 to 9; 9 in the file is body text."""
    level = value_of(properties, "outlineLvl")
    return int(level) + 1 if level is not None and level in tuple("012345678") else None


def numbering_of(properties: etree._Element | None) -> tuple[str | None, int]:
    """Return the list that a paragraph belongs to, "0" for none in spite of its style, and how deep."""
    listed = properties.find("{*}numPr") if properties is not None else None
    depth = value_of(listed, "ilvl") or "0"
    return value_of(listed, "numId"), int(depth) if depth in tuple("012345678") else 0


def numbering(package: Package, part: str) -> Numbering:
    """Return the lists that the document defines."""
    root = package.root(part) if part else None
    if root is None:
        return Numbering()
    abstract = {attribute(entry, "abstractNumId") or "": entry for entry in root.iterfind("{*}abstractNum")}
    found = Numbering()
    for entry in root.iterfind("{*}num"):
        definition = abstract.get(value_of(entry, "abstractNumId") or "")
        for level in definition.iterfind("{*}lvl") if definition is not None else ():
            depth, start = attribute(level, "ilvl") or "0", value_of(level, "start") or "1"
            if depth.isdecimal() and start.isdecimal() and len(start) < 6:
                found.forms[attribute(entry, "numId") or "", int(depth)] = value_of(level, "numFmt") or "bullet", int(start)
    return found


def value_of(element: etree._Element | None, child: str) -> str | None:
    """Return the `val` of a child element, the way Word writes properties."""
    found = element.find(f"{{*}}{child}") if element is not None else None
    return attribute(found, "val") if found is not None else None


def on(mark: etree._Element | None) -> bool:
    """Return whether a property that is on by being there is not switched off."""
    return mark is not None and (attribute(mark, "val") or "1") not in ("0", "false", "off", "none")
