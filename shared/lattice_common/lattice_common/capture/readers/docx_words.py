"""The words of a docx paragraph, in the order they are read, as if all changes were accepted."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml import etree

from lattice_common.capture.readers.docx_styles import on
from lattice_common.capture.readers.ooxml import attribute, local

_SKIPPED = frozenset(("", "t", "rPr", "del", "moveFrom", "Fallback", "delText", "fldData", "pPr", "sectPr", "tblPr", "tblGrid"))
_SIGNS = {"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "br": "\n", "cr": "\n"}
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
        return "\n".join(" ".join(line.split()) for line in self.lines)

    @property
    def lines(self) -> list[str]:
        """Return the lines that hold words, with a tab where one stands between words."""
        told = (
            "\t".join(" ".join(part.split()) for part in line.split("\t")).strip() for line in "".join(self.parts).split("\n")
        )
        return [line for line in told if line]


def read_words(element: etree._Element) -> Words:
    gathering = _Gathering(Words(), [])
    gathering.below(element)
    return gathering.words


@dataclass(frozen=True, slots=True)
class _Gathering:
    """`fields` are the open fields, each with whether its words only repeat something."""

    words: Words
    fields: list[bool]

    def below(self, element: etree._Element) -> None:
        """Gather the words below an element."""
        for child in element:
            name = local(child)
            match name:
                case "t" if not any(self.fields):
                    self.words.parts.append(child.text or "")
                    self.words.begun = True
                case "r":
                    self._run(child)
                case "lastRenderedPageBreak" if self.words.begun:
                    self.words.breaks += 1
                case "lastRenderedPageBreak":
                    self.words.breaks_before += 1
                case "fldChar" | "instrText" | "fldSimple":
                    self._field(name, child)
                case _ if name in _NOTES:
                    self.words.references.append((_NOTES[name], attribute(child, "id") or ""))
                case _ if name in _SIGNS:
                    self.words.parts.append(_SIGNS[name])
                case "p":
                    self.words.parts.append("\n")
                    self.below(child)
                case _ if name not in _SKIPPED:
                    self.below(child)

    def _run(self, run: etree._Element) -> None:
        properties = run.find("{*}rPr")
        if properties is not None and on(properties.find("{*}vanish")):
            self.words.hidden = self.words.hidden or run.find("{*}t") is not None
            return
        if (run.findtext("{*}t") or "").strip() and not (properties is not None and on(properties.find("{*}b"))):
            self.words.strong = False
        self.below(run)

    def _field(self, name: str, element: etree._Element) -> None:
        match name, attribute(element, "fldCharType"):
            case "fldChar", "begin" if len(self.fields) < DEEPEST_FIELD:
                self.fields.append(False)
            case "fldChar", "end" if self.fields:
                self.fields.pop()
            case "instrText", _ if self.fields and _repeats(element.text or ""):
                self.fields[-1] = True
            case "fldSimple", _ if not _repeats(attribute(element, "instr") or ""):
                self.below(element)


def _repeats(instruction: str) -> bool:
    """Return whether a field shows what is no part of the text: the number of its page."""
    return instruction.strip().partition(" ")[0].upper() in _PAGE_FIELDS
