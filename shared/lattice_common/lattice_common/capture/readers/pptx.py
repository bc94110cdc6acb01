"""Presentations (pptx, pptm): slides in their order, each under its title, text from top to bottom, then the speaker's notes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from lxml import etree

from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.ooxml import Package, Relation, local, read_package
from lattice_common.capture.readers.tables import EMPTY, Cell, Row, write_table
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder
from lattice_common.capture.readers.titles import is_title
from lattice_common.domain.reading import ReadResult

_TITLES = frozenset(("title", "ctrTitle"))
_FURNITURE = frozenset(("dt", "ftr", "sldNum", "hdr"))
_LISTS = frozenset(("body", "obj", ""))
"""Placeholders whose paragraphs are items of a list, unless they say otherwise."""
DEEPEST_GROUP = 16
LONGEST_TITLE = 90
"""Characters of a line that may be a slide's title, though nothing says that it is."""

Spot: TypeAlias = tuple[int, int]
"""Where a shape begins: down, then across, in EMU."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """A shape of a slide that may hold words; `holder` is the type of its placeholder, None where it is none."""

    element: etree._Element
    holder: str | None
    spot: Spot


@dataclass(slots=True)
class _Show:
    package: Package
    builder: TextBuilder
    limits: Limits
    cells: int = 0
    layouts: dict[str, dict[str, Spot]] = field(default_factory=dict)
    titled: bool = False
    """Whether it began with a slide that is its title: the others stand below that."""


def read(path: Path, name: str, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:  # noqa: ARG001 - every reader's signature
    """Return a presentation as markdown; places are `slide 3`."""
    return read_package(path, limits, lambda package: _presentation(package, limits, on_progress))


def _presentation(package: Package, limits: Limits, on_progress: Callable[[int, int], None]) -> ReadResult:
    main = package.main_part()
    root = package.root(main)
    relations = package.relations(main)
    ids = [_relation_id(entry) for entry in root.iterfind("{*}sldIdLst/{*}sldId")] if root is not None else []
    slides = [relations[key].target for key in ids if key in relations and package.has(relations[key].target)]
    show = _Show(package, TextBuilder(limits), limits)
    count = min(len(slides), limits.pages)
    if count < len(slides):
        show.builder.note(f"partial:{count} of {len(slides)} slides")
    if package.macros:
        show.builder.note("macros")
    hidden = said = 0
    for number, part in enumerate(slides[:count], 1):
        slide = package.root(part)
        if slide is not None:
            hidden += slide.get("show") in ("0", "false")
            said += _slide(show, slide, package.relations(part), number)
        on_progress(number, count)
        if show.builder.full:
            break
    if hidden:
        show.builder.note(f"hidden-slides:{hidden}")
    return show.builder.build("pptx", () if said else ("empty",), package.title())


def _relation_id(entry: etree._Element) -> str:
    """Return the attribute `r:id`: the plain `id` beside it is a number of the slide's own."""
    return next((str(value) for key, value in entry.attrib.items() if key.endswith("}id")), "")


def _slide(show: _Show, slide: etree._Element, relations: dict[str, Relation], number: int) -> bool:
    """Add a slide to the text; False when there are no words on it."""
    place = f"slide {number}"
    tree = slide.find("{*}cSld/{*}spTree")
    layout = next((relation.target for relation in relations.values() if relation.kind == "slideLayout"), "")
    shapes = list(_shapes(tree, _layout(show, layout), 0)) if tree is not None else []
    titles = [" ".join(_text(shape.element).split()) for shape in shapes if shape.holder in _TITLES]
    title = " ".join(title for title in titles if title)
    rest = sorted((shape for shape in shapes if shape.holder not in _TITLES), key=lambda shape: shape.spot)
    notes = _notes(show, relations)
    diagrams = [
        words
        for relation in relations.values()
        if relation.kind == "diagramData" and (root := show.package.root(relation.target)) is not None
        for point in root.iter("{*}pt")
        if (words := " ".join(_text(point).split()))
    ]
    if not (title or notes or diagrams or any(_text(shape.element).strip() for shape in rest)):
        return False
    if not title and rest and (title := _drawn_title(rest)):
        rest = [shape for shape in rest if shape is not _topmost(rest)]
    # A slide without a title must not stand below that of the slide before.
    show.builder.add(f"{'##' if show.titled else '#'} {title or f'Slide {number}'}", place)
    show.titled = show.titled or (number == 1 and bool(title) and any(shape.holder == "ctrTitle" for shape in shapes))
    for shape in rest:
        _shape(show, shape, place)
    for at, words in enumerate(diagrams):
        show.builder.add(f"- {words}", place, between=LINE if at else BLOCK)
    if notes:
        show.builder.add(f"Notes: {notes}", place)
    return True


def _topmost(shapes: list[_Shape]) -> _Shape | None:
    return next((shape for shape in shapes if _text(shape.element).strip()), None)


def _drawn_title(shapes: list[_Shape]) -> str:
    """Return the text at the top of a slide whose title is a plain text box, where it is one short line that is no sentence."""
    top = _topmost(shapes)
    if top is None or top.holder in _LISTS - {""} or top.element.find("{*}txBody") is None:
        return ""
    lines = [words for element in top.element.iterfind("{*}txBody/{*}p") if (words := _words(element))]
    title = lines[0] if len(lines) == 1 else ""
    return title if title[-1:] not in tuple(".,;:") and len(title) <= LONGEST_TITLE and is_title(title) else ""


def _layout(show: _Show, part: str) -> dict[str, Spot]:
    """Return where a layout puts its placeholders, by their index and by their type."""
    if part not in show.layouts:
        root = show.package.root(part) if part else None
        tree = root.find("{*}cSld/{*}spTree") if root is not None else None
        spots: dict[str, Spot] = {}
        for shape in tree if tree is not None else ():
            holder, spot = shape.find("{*}nvSpPr/{*}nvPr/{*}ph"), _spot(shape)
            if holder is not None and spot is not None:
                spots[f"index {holder.get('idx', '0')}"] = spot
                spots.setdefault(holder.get("type", "obj"), spot)
        show.layouts[part] = spots
    return show.layouts[part]


def _shapes(tree: etree._Element, layout: dict[str, Spot], depth: int) -> Iterator[_Shape]:
    """Yield the shapes of a slide; those of a group stand where the group stands."""
    for element in tree:
        match local(element):
            case "AlternateContent":
                chosen = element.find("{*}Choice")
                if chosen is not None and depth < DEEPEST_GROUP:
                    yield from _shapes(chosen, layout, depth + 1)
            case "grpSp" if depth < DEEPEST_GROUP:
                spot = _spot(element)
                inner = sorted(_shapes(element, layout, depth + 1), key=lambda shape: shape.spot)
                yield from (replace(shape, spot=spot or shape.spot) for shape in inner)
            case "sp" | "graphicFrame" | "cxnSp":
                holder = element.find("{*}nvSpPr/{*}nvPr/{*}ph")
                kind = holder.get("type", "") if holder is not None else None
                if kind in _FURNITURE:
                    continue
                inherited = (
                    (layout.get(f"index {holder.get('idx', '0')}") or layout.get(kind or "obj")) if holder is not None else None
                )
                yield _Shape(element, kind, _spot(element) or inherited or (0, 0))


def _spot(element: etree._Element) -> Spot | None:
    offset = next((found for way in _WAYS if (found := element.find(way)) is not None), None)
    across, down = (offset.get("x", ""), offset.get("y", "")) if offset is not None else ("", "")
    try:
        return int(down), int(across)
    except ValueError:
        return None


_WAYS = ("{*}spPr/{*}xfrm/{*}off", "{*}grpSpPr/{*}xfrm/{*}off", "{*}xfrm/{*}off")


def _shape(show: _Show, shape: _Shape, place: str) -> None:
    table = shape.element.find("{*}graphic/{*}graphicData/{*}tbl")
    if table is not None:
        write_table(show.builder, list(_rows(show, table, place)))
        return
    paragraphs = [(element, _words(element)) for element in shape.element.iterfind("{*}txBody/{*}p")]
    paragraphs = [(element, words) for element, words in paragraphs if words]
    listed = shape.holder in _LISTS and len(paragraphs) > 1
    for at, (element, words) in enumerate(paragraphs):
        properties = element.find("{*}pPr")
        marked = properties is not None and any(local(mark) in ("buChar", "buAutoNum", "buBlip") for mark in properties)
        if marked or (listed and (properties is None or properties.find("{*}buNone") is None)):
            level = properties.get("lvl", "0") if properties is not None else "0"
            indent = "  " * int(level) if level in tuple("012345678") else ""
            show.builder.add(f"{indent}- {words}", place, between=LINE if at else BLOCK)
        else:
            show.builder.add(words, place)


def _rows(show: _Show, table: etree._Element, place: str) -> Iterator[Row]:
    properties = table.find("{*}tblPr")
    headed = properties is not None and properties.get("firstRow") in ("1", "true")
    above: list[Cell] = []
    for at, row in enumerate(table.iterfind("{*}tr")):
        cells: list[Cell] = []
        for held in row.iterfind("{*}tc"):
            if held.get("vMerge") in ("1", "true") and len(cells) < len(above):
                cells.append(above[len(cells)])
            elif held.get("hMerge") in ("1", "true"):
                cells.append(EMPTY)
            else:
                text = "; ".join(words for element in held.iterfind("{*}txBody/{*}p") if (words := _words(element)))
                cells.append(Cell(text, strong=headed and not at))
        show.cells += len(cells)
        if show.cells > show.limits.cells:
            show.builder.note(f"partial:the first {show.limits.cells} cells")
            return
        above = cells
        yield Row(tuple(cells[: show.limits.columns]), place)


def _notes(show: _Show, relations: dict[str, Relation]) -> str:
    part = next((relation.target for relation in relations.values() if relation.kind == "notesSlide"), "")
    root = show.package.root(part) if part else None
    tree = root.find("{*}cSld/{*}spTree") if root is not None else None
    shapes = _shapes(tree, {}, 0) if tree is not None else iter(())
    return "\n".join(
        words
        for shape in shapes
        if shape.holder == "body"
        for element in shape.element.iterfind("{*}txBody/{*}p")
        if (words := _words(element))
    )


def _words(paragraph: etree._Element) -> str:
    parts = [child.text or "" if local(child) == "t" else " " for child in paragraph.iter("{*}t", "{*}br", "{*}tab")]
    return " ".join("".join(parts).split())


def _text(element: etree._Element) -> str:
    return "\n".join(_words(paragraph) for paragraph in element.iter("{*}p"))
