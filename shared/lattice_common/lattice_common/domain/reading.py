"""The result of reading a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.domain.capture import Place, SourceType


@dataclass(frozen=True, slots=True)
class Reading:
    """The text of a document, as markdown where it has a structure (titles as headings, tables as tables), and the place of each
    stretch in the original.

    `notes` are short codes of observations (`partial:2000 of 5000 pages`, `macros`, `hidden-text`, `encoding:cp1252`, `lossy`,
    `type-mismatch:html`, `attachments:2`, `javascript`, `empty`); `title` is the document's own title.
    """

    source_type: SourceType
    text: str
    places: tuple[Place, ...] = ()
    notes: tuple[str, ...] = ()
    title: str | None = None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a file gives no text: a sentence for its owner with the cause and the next step. `code` is one of `encrypted`,
    `broken`, `too-large`, `unsupported`, `no-text`."""

    code: str
    reason: str


ReadResult: TypeAlias = Reading | Unreadable
