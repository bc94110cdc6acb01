"""The items of an export, each with the key that makes importing it twice harmless."""

from __future__ import annotations

import hashlib
import re
from bisect import bisect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from lattice_common.capture.request import CaptureMetadata, FileMetadata, IngestRequest, Message
from lattice_common.domain.capture import Source, SourceType
from lattice_common.language.dates.notes import day_in_name

SHORTEST_CUT = 400
"""Characters of a text, or of a message, that is not cut any more."""


@dataclass(frozen=True, slots=True)
class FileInside:
    """A file of an export that is read like one that was given by itself."""

    name: str
    content: bytes
    facts: FileMetadata


@dataclass(frozen=True, slots=True)
class Item:
    """One thing of an export: a `request`, a `file`, or what is `skipped`, with the reason. `label` names it to its owner.
    `former` is the same as earlier versions brought it, under the name of the export alone."""

    label: str
    request: IngestRequest | None = None
    file: FileInside | None = None
    skipped: str | None = None
    former: Item | None = None
    day: str | None = None
    """The day that a note in it gives as its own, which comes before that of its file."""
    things: int = 1
    """How many things it is: the events of a calendar, the persons of a file of contacts, the mails of a box."""
    given_key: str | None = None
    """The key of what is known by its file and its place in it."""

    @property
    def key(self) -> str:
        """Return a key that is the same for the same words of the same export, wherever they stand in it, and in all versions."""
        if self.given_key is not None:
            return self.given_key
        if self.former is not None:
            return self.former.key
        if self.file is not None:
            told = self.file.facts.model_dump_json(exclude_none=True).encode()
            body = b"\0".join((self.file.name.encode("utf-8", "replace"), told, self.file.content))
        else:
            body = self.request.model_dump_json(exclude_none=True).encode() if self.request else b""
        return f"import:{hashlib.sha256(body).hexdigest()}"

    @property
    def source_id(self) -> str | None:
        """Return what it is taken back by, with all that was brought with it."""
        told = self.request.metadata if self.request else self.file.facts if self.file else None
        return told.source_id if told else None

    def brought_as(self, source_id: str) -> Item:
        """Return the item as one of an import with this source, and as it was before as its former ones."""
        if source_id == self.source_id or self.skipped:
            return self
        found = self
        for each in reversed(list(self._and_formers())):
            found = replace(each._of(source_id), former=found)
        return found

    def said_by(self, me: str) -> Item:
        """Return the item with what somebody called `me` says in it as its owner's words; brought without that, it is known."""
        messages = self.request.messages if self.request else None
        if self.request is None or not messages or not any(_is_called(each, me) for each in messages):
            return self
        said = [each.model_copy(update={"name": None}) if _is_called(each, me) else each for each in messages]
        return replace(self, request=self.request.model_copy(update={"messages": said}), former=self)

    def _and_formers(self) -> Iterator[Item]:
        item: Item | None = self
        while item is not None:
            yield item
            item = item.former

    def _of(self, source_id: str) -> Item:
        named = {"source_id": source_id}
        if self.request is not None:
            metadata = self.request.metadata.model_copy(update=named)
            return replace(self, request=self.request.model_copy(update={"metadata": metadata}))
        if self.file is not None:
            return replace(self, file=replace(self.file, facts=self.file.facts.model_copy(update=named)))
        return self

    def halves(self) -> tuple[Item, Item] | None:
        """Return it as two that follow each other, for a memory that takes no text of its length; None for what is not cut."""
        cut = halves_of(self.request) if self.request is not None else None
        if cut is None:
            return None
        keys = (f"{self.given_key}:1", f"{self.given_key}:2") if self.given_key else (None, None)
        first, second = (replace(self, request=half, former=None, given_key=key) for half, key in zip(cut, keys, strict=True))
        return first, second

    @property
    def date(self) -> str | None:
        """Return the date of the item."""
        if self.day:
            return self.day
        told = self.request.metadata.observed_at if self.request else self.file.facts.observed_at if self.file else None
        return told[:10] if told else None


def _is_called(message: Message, name: str) -> bool:
    return message.name is not None and message.name.strip().casefold() == name.strip().casefold()


def halves_of(request: IngestRequest) -> tuple[IngestRequest, IngestRequest] | None:
    """Return a request as two of about the same length, cut between two messages, lines or words; None for one that is short."""
    messages = request.messages
    if messages is None or len(messages) == 1:
        words = request.text or "" if messages is None else messages[0].content
        if len(words) < SHORTEST_CUT:
            return None
        middle = len(words) // 2
        at = 1 + max(words.rfind("\n", 1, middle), words.rfind(" ", middle - SHORTEST_CUT // 4, middle)) or middle
        parts = (words[:at], words[at:])
        if messages is None:
            return request.model_copy(update={"text": parts[0]}), request.model_copy(update={"text": parts[1]})
        first, second = ([messages[0].model_copy(update={"content": part})] for part in parts)
    else:
        ends = list(accumulate(len(each.content) for each in messages))
        at = min(max(1, bisect(ends, ends[-1] // 2)), len(messages) - 1)
        first, second = list(messages[:at]), list(messages[at:])
    later = next((each.observed_at for each in second if each.observed_at), None)
    metadata = request.metadata.model_copy(update={"observed_at": later or request.metadata.observed_at})
    return request.model_copy(update={"messages": first}), request.model_copy(update={"messages": second, "metadata": metadata})


def conversation(export: str, title: str, messages: Sequence[Message], session: str | None = None) -> Item:
    """Return what was said to and fro."""
    said = [each for each in messages if each.content.strip()]
    if not said:
        return Item(title, skipped="it holds no words")
    metadata = CaptureMetadata(
        source_id=export[:500],
        session_id=f"{export}:{session or title}"[:500],
        title=title[:1000],
        channel="import",
        observed_at=next((each.observed_at for each in said if each.observed_at), None),
    )
    return Item(title, IngestRequest(messages=said, source_type="chat", priority="bulk", metadata=metadata))


def note(
    export: str,
    title: str,
    words: str,
    *,
    date: str | None = None,
    source: Source = "user",
    source_type: SourceType = "plain",
    tags: Sequence[str] | None = None,
) -> Item:
    """Return what somebody wrote down: the owner, or a `document` that was marked."""
    if not words.strip():
        return Item(title or "a note", skipped="it holds no words")
    about: dict[str, Any] = {"source_id": export[:500], "title": title[:1000] or None, "channel": "import", "observed_at": date}
    metadata = CaptureMetadata.model_validate({**about, "tags": list(tags)} if tags else about)
    request = IngestRequest(text=words, source=source, source_type=source_type, priority="bulk", metadata=metadata)
    return Item(title or words[:60], request)


def file_inside(export: str, name: str, content: bytes, *, date: str | None = None, source: Source | None = None) -> Item:
    """Return a file, read as files are."""
    facts = FileMetadata(source_id=export[:500], channel="import", observed_at=date, priority="bulk", source=source)
    if not content:
        return Item(name, skipped="it is empty")
    return Item(name, file=FileInside(re.split(r"[/\\]", name)[-1], content, facts), things=_things_in(name, content))


_BEGINS = {
    ".ics": re.compile(rb"^BEGIN:(?:VEVENT|VTODO|VJOURNAL)\b", re.MULTILINE | re.IGNORECASE),
    ".vcf": re.compile(rb"^BEGIN:VCARD\b", re.MULTILINE | re.IGNORECASE),
}
"""How each thing begins in a file that holds many, by the file's ending."""


def _things_in(name: str, content: bytes) -> int:
    begins = _BEGINS.get(name[name.rfind(".") :].lower())
    return max(1, sum(1 for _ in begins.finditer(content))) if begins else 1


def day_named(name: str) -> str | None:
    """Return the day in the name of a daily note ("2026-03-02.md", "2026-03-02 Lunch.md"), at noon in the local time zone."""
    found = day_in_name(name)
    try:
        return datetime(*found, 12).astimezone().isoformat() if found else None
    except ValueError:  # a day that no calendar has
        return None


def moment(value: Any) -> str | None:
    """Return seconds, milliseconds or microseconds since 1970 as RFC 3339, and text unchanged."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        while abs(value) > 1e11:
            value /= 1000
        try:
            return datetime.fromtimestamp(value, UTC).isoformat()
        except (OverflowError, OSError, ValueError):
            return None
    return value.strip() or None if isinstance(value, str) else None
