"""What the routes for looking through memory answer, for the OpenAPI document and on the way out."""

from __future__ import annotations

from datetime import datetime

from lattice_common.lattice import Lattice
from lattice_common.recall.browse import Difference
from lattice_common.recall.source_view import SourceText, title_of
from lattice_common.upkeep.trash import Trashed
from pydantic import BaseModel

from lattice_api.replies import AtomReply
from lattice_api.shapes import Json


class MonthReply(BaseModel):
    """A month as `2026-05`, and how many memories of it there are."""

    month: str
    count: int


class BrowseReply(BaseModel):
    """A page of memories; `total` and `months` (newest first) count all that is meant. `cursor` asks for the next page, and is
    null on the last."""

    atoms: list[AtomReply]
    total: int
    months: list[MonthReply]
    cursor: str | None


class NameReply(BaseModel):
    """A name as it was written, and how many memories there are."""

    name: str
    count: int


class NamesReply(BaseModel):
    """Names, those with most memories first."""

    names: list[NameReply]


class ReplacementReply(BaseModel):
    """`old` was true until `at`; `new` took its place, and is null where that is gone."""

    old: AtomReply
    new: AtomReply | None
    at: datetime


class DifferenceReply(BaseModel):
    """What was said and is current, and what was replaced, newest first. What takes the place of something that is shown is with
    that alone. The counts are of all there are."""

    learned: list[AtomReply]
    learned_count: int
    replaced: list[ReplacementReply]
    replaced_count: int


class RememberedReply(BaseModel):
    """A memory, and where its quote stands in the whole text."""

    atom_id: str
    content: str
    is_superseded: bool
    start: int
    end: int


class TurnSpanReply(BaseModel):
    """Whose words stand where."""

    speaker: str
    start: int
    end: int


class PlaceReply(BaseModel):
    """A page, a slide or a row, and where in the text it begins."""

    label: str
    start: int
    end: int


class SourceTextReply(BaseModel):
    """`text` is the stretch that begins at the character `start` of `total`. `remembered` and `turns` are those in it, `places`
    all; `memories` counts all that was remembered. `original` is the name of the file that it came as."""

    capture_id: str
    source_id: str | None
    session_id: str | None
    title: str
    channel: str | None
    observed_at: datetime
    original: str | None
    text: str
    start: int
    total: int
    remembered: list[RememberedReply]
    memories: int
    turns: list[TurnSpanReply]
    places: list[PlaceReply]


class CaptureOfSourceReply(BaseModel):
    """A capture, when it was said, and how many memories came from it."""

    capture_id: str
    title: str
    observed_at: datetime
    memories: int


class SourceReply(BaseModel):
    """What came from one source, newest first."""

    source_id: str
    captures: list[CaptureOfSourceReply]
    memories: int


class NeedsReply(BaseModel):
    """How much only you can settle: pairs in review and pairs that disagree, captures and files that could not be read, memories
    that you called wrong; `count` is all of it."""

    in_review: int
    disagreeing: int
    dead: int
    files: int
    to_correct: int
    count: int


class TrashedReply(BaseModel):
    """What one deletion moved to the trash: the first of `count` memories, and until when they can be brought back."""

    change_id: str
    deleted_at: datetime
    until: datetime
    atoms: list[AtomReply]
    count: int


class TrashReply(BaseModel):
    """The trash, newest deletion first."""

    trash: list[TrashedReply]


def difference_json(found: Difference, lattice: Lattice) -> Json:
    """What changed between two times."""
    return {
        "learned": [lattice.fields(atom) for atom in found.learned],
        "learned_count": found.learned_count,
        "replaced": [
            {
                "old": lattice.fields(each.old),
                "new": lattice.fields(each.new) if each.new else None,
                "at": each.at.isoformat(),
            }
            for each in found.replaced
        ],
        "replaced_count": found.replaced_count,
    }


def source_text_json(found: SourceText) -> Json:
    """A stretch of what was said, with what was remembered from it."""
    capture = found.capture
    return {
        "capture_id": capture.capture_id,
        "source_id": capture.source_id,
        "session_id": capture.session_id,
        "title": title_of(capture),
        "channel": capture.channel,
        "observed_at": capture.observed_at.isoformat(),
        "original": capture.original.name if capture.original else None,
        "text": found.text,
        "start": found.start,
        "total": found.total,
        "remembered": [
            {
                "atom_id": each.atom.atom_id,
                "content": each.atom.content,
                "is_superseded": each.atom.is_superseded,
                "start": each.start,
                "end": each.end,
            }
            for each in found.remembered
        ],
        "memories": found.memories,
        "turns": [{"speaker": turn.speaker or turn.role, "start": turn.start, "end": turn.end} for turn in found.turns],
        "places": [{"label": place.label, "start": place.start, "end": place.end} for place in found.places],
    }


def trashed_json(each: Trashed, lattice: Lattice) -> Json:
    """One deletion in the trash."""
    return {
        "change_id": each.change_id,
        "deleted_at": each.deleted_at.isoformat(),
        "until": each.until.isoformat(),
        "atoms": [lattice.fields(atom) for atom in each.atoms],
        "count": each.count,
    }
