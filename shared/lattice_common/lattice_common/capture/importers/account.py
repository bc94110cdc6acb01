"""The account of an import: every thing in an export once, as stored, known before, without anything to remember, or left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from lattice_common.capture.importers.items import Item
from lattice_common.capture.request import Message
from lattice_common.domain.capture import JsonValue

MOST_SPEAKERS = 6
"""How many of those who speak in its chats are named."""
MOST_TOLD = 20
"""How many of the things left out are named; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Begun:
    """An item whose receipt is waited for: its name, how many things it is, and its capture."""

    label: str
    things: int
    capture_id: str


@dataclass(slots=True)
class Talk:
    """Of the conversations of an import, how many `messages` they have (a chat is a thing for each month of it), the first who
    speak, by name, and whether one of those who do is known to be the owner."""

    messages: int = 0
    speakers: dict[str, None] = field(default_factory=dict)
    has_owner: bool = False

    def hear(self, messages: Sequence[Message]) -> None:
        """Note who speaks."""
        self.messages += len(messages)
        for message in messages:
            self.has_owner = self.has_owner or (message.name is None and message.role == "user")
            if message.name is not None and len(self.speakers) < MOST_SPEAKERS:
                self.speakers[message.name] = None

    @property
    def strangers(self) -> tuple[str, ...]:
        """Return the first who speak, where none of them is known to be the owner."""
        return () if self.has_owner else tuple(self.speakers)


@dataclass(slots=True)
class Account:
    """Counts every thing of an export once, as stored, known before, not understood, or left out; a calendar, a file of contacts
    or a box of mails is as many as there are in it."""

    found: int = 0
    atoms_new: int = 0
    stored: int = 0
    duplicate: int = 0
    rejected: int = 0
    skipped: int = 0
    dead: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    named: list[str] = field(default_factory=list)
    days: tuple[str, str] | None = None
    """The first and the last day that a thing is from."""
    source_id: str | None = None
    """What all of it is taken back by."""
    talk: Talk = field(default_factory=Talk)

    @property
    def first(self) -> str | None:
        """Return the first day that a thing is from."""
        return self.days[0] if self.days else None

    @property
    def last(self) -> str | None:
        """Return the last day that a thing is from."""
        return self.days[1] if self.days else None

    def see(self, item: Item) -> None:
        """Count an item as found, with its date."""
        self.found += item.things
        self.source_id = self.source_id or item.source_id
        self.talk.hear((item.request.messages or ()) if item.request else ())
        if item.date:
            self.days = (min(self.first or item.date, item.date), max(self.last or item.date, item.date))

    def cut(self, item: Item) -> None:
        """Count one more part of an item that was found as a whole, and is brought in parts."""
        self.found += item.things

    def leave_out(self, item: Item, reason: str) -> None:
        """Count an item as left out."""
        self.skipped += item.things
        self.reasons[reason] += item.things
        if len(self.named) < MOST_TOLD:
            self.named.append(f"{item.label}: {reason}")

    def know(self, item: Item) -> None:
        """Count an item whose key was there: nothing was kept anew."""
        self.duplicate += item.things

    def end(self, begun: Begun, state: str, *, atoms_new: int, reason: str | None) -> None:
        """Count how the capture of an item ended."""
        self.atoms_new += atoms_new
        label, things = begun.label, begun.things
        match state:
            case "stored":
                self.stored += things
            case "duplicate":
                self.duplicate += things
            case "dead":
                self.dead += things
                self.named.append(f"{label}: {reason}. Try again: lattice retry {begun.capture_id}")
            case _:
                self.rejected += things
                if len(self.named) < MOST_TOLD:
                    self.named.append(f"{label}: {reason or 'nothing in it could be understood'}")

    def as_fields(self) -> dict[str, JsonValue]:
        """Return the counts, the days it is from, and how many things were left out for which reason."""
        counts: dict[str, JsonValue] = {
            "found": self.found,
            "stored": self.stored,
            "duplicate": self.duplicate,
            "rejected": self.rejected,
            "skipped": self.skipped,
            "dead": self.dead,
            "atoms_new": self.atoms_new,
            "first": self.first,
            "last": self.last,
        }
        reasons: dict[str, JsonValue] = {**self.reasons}
        return {**counts, "left_out": reasons}

    def told(self, *, dry: bool = False) -> str:
        """Return the account as a sentence; `dry` where nothing was stored."""
        days = f", from {self.first} to {self.last}" if self.first and self.last else ""
        things = f"{self.found:,} thing{'' if self.found == 1 else 's'}"
        messages = (
            f" {self.talk.messages:,} message{'' if self.talk.messages == 1 else 's'} in all." if self.talk.messages else ""
        )
        if dry:
            return f"{things}{days}: {self.found - self.skipped:,} would be read, {self.skipped:,} left out.{messages}"
        memories = "memory" if self.atoms_new == 1 else "memories"
        dead = f", {self.dead:,} could not be read" if self.dead else ""
        return (
            f"{things}{days}: {self.stored:,} stored ({self.atoms_new:,} {memories}), {self.duplicate:,} known, "
            f"{self.rejected:,} without anything to remember, {self.skipped:,} left out{dead}.{messages}"
        )
