"""What somebody said, as it is in the journal.

A journal entry is a `Capture` (something to remember) or a `Command` (something to change). Neither is ever changed after it was
written, except that words which the owner had forgotten are erased in place (`domain.forgetting`). For a conversation,
`Capture.text` is its readable transcript (one `Name: words` line per message), and `turns` say who spoke which part of it, and
when: spans of turns cover the words only, not the name before them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

JsonValue: TypeAlias = "str | int | float | bool | list[JsonValue] | dict[str, JsonValue] | None"

Source: TypeAlias = Literal["user", "assistant", "document", "code", "system"]
Trust: TypeAlias = Literal["user", "assistant", "document", "web"]
SourceType: TypeAlias = Literal[
    "chat", "markdown", "code", "plain", "pdf", "docx", "pptx", "xlsx", "xls", "html", "csv", "eml", "rtf", "odt", "ods", "odp",
    "epub", "ics", "vcf", "srt", "vtt", "zip",
]  # fmt: skip
Role: TypeAlias = Literal["user", "assistant", "system", "tool"]
Priority: TypeAlias = Literal["interactive", "bulk"]

AUTO_SAVE = "auto_save"
"""The channel of programs that save conversations by themselves: nobody checked what they took for the owner's words."""
CLOCK_WAS_AHEAD = "clock-was-ahead:"
"""Note of what was told after a clock had been put back by days: up to which time that clock had dated what was there by then."""
RELAYING = frozenset(("mcp", AUTO_SAVE))
"""Channels through which an assistant, or a program beside it, passes on what its user said."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation: `[start, end)` are character offsets of its words into `Capture.text`."""

    start: int
    end: int
    role: Role
    speaker: str | None = None
    observed_at: datetime | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class Original:
    """A file as it was given: its bytes lie beside the journal entry and are never changed. `name` is the owner's name for it,
    for display only; `size` is in bytes; `sha256` in lower-case hex. With `note`, nobody said whose words they are: plain text or
    markdown then counts as the owner's own note. With `redacted`, words were erased from it, and `size` and `sha256` are those of
    the rest; of a type in which that is not possible nothing is left."""

    name: str
    size: int
    sha256: str
    note: bool = False
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """The location of a stretch of text in the original document, in words: `page 12`, `slide 3`, `sheet Budget, row 7`.

    `[start, end)` are character offsets into `Capture.text`; the places of a capture are in order and do not overlap.
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Capture:
    """Something to remember. `observed_at` is the caller's date where one was given, else `received_at`; both carry an offset.

    A file is journaled as its `original` with an empty text; `text`, `places`, `source_type` and further notes come from a
    reader, and are kept beside the entry once and for all (`ports.journal.WorkLog.write_reading`), so that spans stay valid.
    """

    capture_id: str
    received_at: datetime
    text: str
    observed_at: datetime
    source: Source = "user"
    trust: Trust = "user"
    source_type: SourceType | None = None
    turns: tuple[Turn, ...] = ()
    source_id: str | None = None
    session_id: str | None = None
    title: str | None = None
    channel: str | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Observations at intake, as short codes: `lossy`, `encoding:cp1252`, `invisible-removed`, `date-ignored`,
    `clock-was-ahead:` with a time."""
    idempotency_key: str | None = None
    body_hash: str = ""
    priority: Priority = "interactive"
    original: Original | None = None
    places: tuple[Place, ...] = ()
    redacted: bool = False
    """Whether words were erased from it since it was told."""

    def came_after(self, ingested_at: datetime) -> bool:
        """Return whether it was told after what a clock that was ahead dated later."""
        for note in self.notes:
            if note.startswith(CLOCK_WAS_AHEAD):
                # After a start that time is an id's, which has milliseconds.
                ahead = datetime.fromisoformat(note.removeprefix(CLOCK_WAS_AHEAD)) + timedelta(milliseconds=1)
                return self.received_at < ingested_at < ahead
        return False


@dataclass(frozen=True, slots=True)
class EditAtom:
    """Set fields of an atom. `expected_hash` is the content hash that the caller saw (None: any)."""

    atom_id: str
    fields: Mapping[str, JsonValue]
    expected_hash: str | None = None


@dataclass(frozen=True, slots=True)
class DeleteAtom:
    """Move an atom's file to the trash."""

    atom_id: str


@dataclass(frozen=True, slots=True)
class DeleteAtoms:
    """Move the files of several atoms to the trash, in one change."""

    atom_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeepRejected:
    """Keep a quarantined candidate as the user's own statement; or, given the id of a capture in which nothing was found, its
    whole text."""

    rejected_id: str


@dataclass(frozen=True, slots=True)
class UndoChange:
    """Undo what the journal entry `change_id` (a capture or a command) did."""

    change_id: str


@dataclass(frozen=True, slots=True)
class PreferAtom:
    """Of two atoms that contradict each other, take one as true: it supersedes the one named by `over`."""

    atom_id: str
    over: str


@dataclass(frozen=True, slots=True)
class MergeAtoms:
    """Of two atoms that say the same, keep `atom_id`, with what was known of `other`, which it supersedes."""

    atom_id: str
    other: str


@dataclass(frozen=True, slots=True)
class RemoveSource:
    """Move every atom of one `source_id` to the trash (the demo, a wrong import)."""

    source_id: str


@dataclass(frozen=True, slots=True)
class ExtractAgain:
    """Read again what the language model could not read of a capture the first time. Journaled by the product itself."""

    capture_id: str


@dataclass(frozen=True, slots=True)
class RateAtoms:
    """Change the quality of atoms by `step`, within 0.1 to 2.0: a verdict on the answer that cited them. `steps` are those of
    single atoms, where they differ: for an answer that was rated before, only the difference to the earlier verdict counts."""

    atom_ids: tuple[str, ...]
    step: float
    steps: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CountRecalls:
    """Add to the usage counters of atoms: `recalls` maps an id to `{count, last}`. `up_to` is the position in the log of recalls
    where this ends. Journaled by the product itself."""

    recalls: Mapping[str, JsonValue]
    up_to: int


@dataclass(frozen=True, slots=True)
class SetStatuses:
    """Set the status of atoms that were stored without asking how they are meant, from an import or from before there was one:
    `statuses` maps an id to `{status, content_hash}`, the hash of the content that was read. Journaled by the product itself."""

    statuses: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Derive:
    """Store a conclusion of a language model from several memories: a synthesis of them, or an insight. `sources` maps their ids
    to the content hashes that it was shown; `extractor` names the model. It replaces the earlier conclusions `instead_of`.
    Journaled by the product itself."""

    kind: Literal["synthesis", "insight"]
    content: str
    subject: str
    sources: Mapping[str, JsonValue]
    extractor: str
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeepBoth:
    """Of two statements of which the newer, `atom_id`, may have made the older untrue, or contradicts it: both hold."""

    atom_id: str
    beside: str


@dataclass(frozen=True, slots=True)
class SettleJudged:
    """The judge's verdicts on statements that were stored without it (an import): `retire`, `ask` and `precede` map an older
    atom's id to that of the newer one. The atoms up to the number `up_to` have been judged. Journaled by the product itself."""

    retire: Mapping[str, JsonValue]
    ask: Mapping[str, JsonValue]
    up_to: int
    precede: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ForgetAtoms:
    """Forget memories: move them to the trash, and erase them once they have been there for as long as the owner set; with `now`
    erase them at once. With `barred`, only the owner's own new telling brings them back, no import, sync or backup. It holds ids
    only, because what is to be forgotten must not be written down again. `stretches` are sentences of documents without a memory
    of their own, each as `capture:start-end`: they have no trash, and are only erased at once."""

    atom_ids: tuple[str, ...]
    now: bool = False
    barred: bool = True
    stretches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorrectWho:
    """The owner's word on who is who: `name` and `other` are one (`same`) or two (`apart`). `other` is a name, or a role such as
    "my brother"."""

    name: str
    other: str
    how: Literal["same", "apart"]


@dataclass(frozen=True, slots=True)
class ArchiveAtoms:
    """Archive memories: they are recalled only on request or, with `archived` false, again as before."""

    atom_ids: tuple[str, ...]
    archived: bool = True


Action: TypeAlias = (
    EditAtom
    | DeleteAtom
    | DeleteAtoms
    | KeepRejected
    | UndoChange
    | PreferAtom
    | RemoveSource
    | ExtractAgain
    | RateAtoms
    | CountRecalls
    | SetStatuses
    | Derive
    | KeepBoth
    | SettleJudged
    | ForgetAtoms
    | CorrectWho
    | ArchiveAtoms
    | MergeAtoms
)


@dataclass(frozen=True, slots=True)
class Command:
    """A change that the owner asks for; `command_id` is the `change_id` that undoes it."""

    command_id: str
    received_at: datetime
    action: Action
    channel: str | None = None
    idempotency_key: str | None = None
    body_hash: str = ""


Entry: TypeAlias = Capture | Command


def place_at(places: Sequence[Place], offset: int) -> str | None:
    """Return the label of the place that `offset` stands in; None outside of all. O(log places)."""
    following = bisect_right(places, offset, key=lambda place: place.start)
    if not following or offset >= places[following - 1].end:
        return None
    return places[following - 1].label


def entry_id(entry: Entry) -> str:
    """Return the id of a journal entry, whatever it is."""
    return entry.capture_id if isinstance(entry, Capture) else entry.command_id


def turn_at(turns: Sequence[Turn], offset: int) -> int | None:
    """Return the index into `turns` of the one whose words, or the name before them, are at `offset`; None before the first.

    O(log turns): turns are in the order of their spans.
    """
    following = bisect_right(turns, offset, key=lambda turn: turn.start)
    return following - 1 if following else None
