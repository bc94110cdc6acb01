"""Memory looked through."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from lattice_common.api_schema.replies import AtomReply, BrowsedReply, SuccessorReply
from lattice_common.api_schema.values import Moment


class MonthReply(TypedDict):
    """A month as `2026-05`, and how many memories of it there are."""

    month: str
    count: int


class BrowseReply(TypedDict):
    """A page of memories; `total` and `months` (newest first) count all that is meant, and `earliest` is the first day that any
    of it is about or was said on. `cursor` asks for the next page, and is null on the last."""

    atoms: list[BrowsedReply]
    total: int
    months: list[MonthReply]
    earliest: Moment | None
    cursor: str | None


class NameReply(TypedDict):
    """A name as it was written, and how many memories there are."""

    name: str
    count: int


class NamesReply(TypedDict):
    """Names, those with most memories first."""

    names: list[NameReply]


class ReplacementReply(TypedDict):
    """`old` was true until `at`; `new` took its place, and is null where that is gone."""

    old: AtomReply
    new: AtomReply | None
    at: Moment


class DifferenceReply(TypedDict):
    """What was said and is current, and what was replaced, newest first. What takes the place of something that is shown is with
    that alone. The counts are of all there are."""

    learned: list[AtomReply]
    learned_count: int
    replaced: list[ReplacementReply]
    replaced_count: int


class RememberedReply(TypedDict):
    """A memory, and where its quote stands in the whole text; `successor` where it was replaced by one that is there."""

    atom_id: str
    content: str
    is_superseded: bool
    start: int
    end: int
    successor: NotRequired[SuccessorReply]


class TurnSpanReply(TypedDict):
    """Whose words stand where."""

    speaker: str
    start: int
    end: int


class PlaceReply(TypedDict):
    """A page, a slide or a row, and where in the text it begins."""

    label: str
    start: int
    end: int


class SourceTextReply(TypedDict):
    """`text` is the stretch that begins at the character `start` of `total`. `remembered` and `turns` are those in it, `places`
    all; `memories` counts all that was remembered. `original` is the name of the file that it came as."""

    capture_id: str
    source_id: str | None
    session_id: str | None
    title: str
    channel: str | None
    observed_at: Moment
    original: str | None
    text: str
    start: int
    total: int
    remembered: list[RememberedReply]
    memories: int
    turns: list[TurnSpanReply]
    places: list[PlaceReply]


class CaptureOfSourceReply(TypedDict):
    """A capture, when it was said, how many memories came from it, and how its text begins."""

    capture_id: str
    title: str
    observed_at: Moment
    memories: int
    opening: str


class SourceReply(TypedDict):
    """What came from one source, newest first."""

    source_id: str
    captures: list[CaptureOfSourceReply]
    memories: int


class UnreadFileReply(TypedDict):
    """A file that was given and could not be read, by its capture."""

    capture_id: str
    name: str
    reason: str | None
    at: Moment


class UnreadReply(TypedDict):
    """Files that could not be read and were not dismissed, newest first."""

    unread: list[UnreadFileReply]


class DismissedReply(TypedDict):
    """A file that could not be read, and whether it is `dismissed` now."""

    capture_id: str
    dismissed: bool


class UndoneReply(TypedDict):
    """How changes stand that were taken back at some time, by their ids; others are left out."""

    undone: dict[str, StandingReply]


class StandingReply(TypedDict):
    """Whether a change is `undone` now, and the change whose undoing turns that round."""

    undone: bool
    change_id: str


class NeedsReply(TypedDict):
    """How much only you can settle: pairs in review and pairs that disagree, captures and files that could not be read, memories
    that you called wrong; `count` is all of it."""

    in_review: int
    disagreeing: int
    dead: int
    files: int
    to_correct: int
    count: int


class TrashedReply(TypedDict):
    """What one deletion moved to the trash: the first of `count` memories, and until when they can be brought back."""

    change_id: str
    deleted_at: Moment
    until: Moment
    atoms: list[AtomReply]
    count: int


class TrashReply(TypedDict):
    """The trash, newest deletion first."""

    trash: list[TrashedReply]


class TrashedAtomsReply(TypedDict):
    """More memories of one deletion."""

    atoms: list[AtomReply]
