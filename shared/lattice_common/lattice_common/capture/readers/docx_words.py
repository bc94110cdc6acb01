"""The words of a docx paragraph, in the order they are read, as if all changes were accepted."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from lattice_common.capture.readers.docx_styles import on
from lattice_common.capture.readers.ooxml import attribute, local

_SKIPPED = frozenset(("del", "moveFrom", "Fallback", "instrText", "delText", "fldData", "pPr", "sectPr", "tblPr", "tblGrid"))
_NOTES = {"footnoteReference": "Footnote", "endnoteReference": "Endnote", "commentReference": "Comment"}
_PAGE_FIELDS = ("PAGE", "NUMPAGES", "SECTIONPAGES")
DEEPEST_FIELD = 32


@dataclass(slots=True)
class Words:
    """The words of a paragraph as they are gathered, with the pages that end before (`breaks_before`) and within them, and the
    notes they refer to (kind and id). `strong`: all are bold; `hidden`: there were hidden ones, which are left out."""

    parts: list[str] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    strong: bool = True
    begun: bool = False
    breaks_before: int = 0
    breaks: int = 0
    hidden: bool = False

    @property
    def text(self) -> str:
        lines = (" ".join(line.split()) for line in "".join(self.parts).split("\n"))
        return "\n".join(line for line in lines if line)


def read_words(element: etree._Element) -> Words:
    words = Words()
    fields: list[bool] = []
    _gather(element, words, fields)
    return words


def _gather(element: etree._Element, words: Words, fields: list[bool]) -> None:
    """The words below an element; `fields` are the open fields, each with whether its words only repeat something."""
    for child in element:
        name = local(child)
        match name:
            case "t":
                if not any(fields):
                    words.parts.append(child.text or "")
                    words.begun = True
            case "r":
                properties = child.find("{*}rPr")
                if properties is not None and on(properties.find("{*}vanish")):
                    words.hidden = words.hidden or child.find("{*}t") is not None
                    continue
                if (child.findtext("{*}t") or "").strip() and not (properties is not None and on(properties.find("{*}b"))):
                    words.strong = False
                _gather(child, words, fields)
            case "tab" | "ptab":
                words.parts.append(" ")
            case "noBreakHyphen":
                words.parts.append("-")
            case "lastRenderedPageBreak":
                if words.begun:
                    words.breaks += 1
                else:
                    words.breaks_before += 1
            case "br" | "cr":
                words.parts.append("\n")
            case "fldChar":
                match attribute(child, "fldCharType"):
                    case "begin" if len(fields) < DEEPEST_FIELD:
                        fields.append(False)
                    case "end" if fields:
                        fields.pop()
            case "instrText":
                if fields and _repeats(child.text or ""):
                    fields[-1] = True
            case "fldSimple":
                if not _repeats(attribute(child, "instr") or ""):
                    _gather(child, words, fields)
            case "footnoteReference" | "endnoteReference" | "commentReference":
                words.references.append((_NOTES[name], attribute(child, "id") or ""))
            case "p":
                words.parts.append("\n")
                _gather(child, words, fields)
            case "" | "rPr":
                continue
            case _ if name not in _SKIPPED:
                _gather(child, words, fields)


def _repeats(instruction: str) -> bool:
    """Whether a field shows what is no part of the text: the number of its page."""
    return instruction.strip().partition(" ")[0].upper() in _PAGE_FIELDS
