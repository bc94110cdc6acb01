"""Turns what a client sent into what the journal stores.

Nothing is interpreted here: the words stay as they were sent, character by character. A conversation becomes a readable
transcript, one `Name: words` line per message, with a `Turn` for the words of each. A file is its bytes; what they say is found
out later.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import assert_never

import orjson

from lattice_common.capture.inbox_names import TEXT, ending_of, shown
from lattice_common.capture.incoming import Incoming
from lattice_common.capture.plain_text import INVISIBLE
from lattice_common.capture.request import CaptureMetadata, FileMetadata, IngestRequest, Message
from lattice_common.domain.capture import CLOCK_WAS_AHEAD, Capture, Original, Role, Source, Trust, Turn
from lattice_common.errors import InvalidInput
from lattice_common.ports.clock import Clock

EARLIEST_YEAR = 1000
"""A caller's date before this year is a mistake of a program, not a memory."""

CLOCK_SLACK = timedelta(days=2)
"""How far ahead of this server's clock a caller's date may be: time zones, and clocks that are wrong."""

LARGEST_METADATA = 8_000
"""The most bytes of JSON: it is written into every atom's file, whose header may have 32 KB."""

DEEPEST_METADATA = 12
"""The deepest nesting of lists and objects; an atom's header, which holds them, may have 16 (`adapters.files.strict_yaml`)."""

_SURROGATE = re.compile("[\ud800-\udfff]")


JUST_NOW = timedelta(minutes=1)
"""The longest time from the moment that a client on this machine sends until it is received."""


def accept(
    request: IngestRequest,
    clock: Clock,
    *,
    max_bytes: int,
    idempotency_key: str | None = None,
    channel: str | None = None,
    notes: Sequence[str] = (),
) -> Capture:
    """Return the journal entry for a request; `notes` are what was noticed before, when bytes became text.

    Raise `InvalidInput`: 422 for empty text or lone surrogates, 413 beyond `max_bytes`.
    """
    now = clock.now()
    notes = [*notes, *_of_the_clock(clock)]
    if request.messages is not None:
        text, turns = transcript(request.messages, now, notes)
        _refuse_unless_sound(text if any(turn.start < turn.end for turn in turns) else "", max_bytes)
    else:
        text, turns = request.text or "", ()
        _refuse_unless_sound(text, max_bytes)
    if INVISIBLE.search(text):
        notes.append("invisible-removed")
    metadata = request.metadata
    _refuse_large(metadata)
    observed_at = callers_date(metadata.observed_at, now, notes, clock.machine())
    if observed_at is None:
        observed_at = next((turn.observed_at for turn in turns if turn.observed_at), now)
    return Capture(
        capture_id=clock.new_id(),
        received_at=now,
        text=text,
        observed_at=observed_at,
        source=request.source,
        trust=trust_of(request.source),
        source_type=request.source_type or ("chat" if turns else None),
        turns=turns,
        source_id=metadata.source_id,
        session_id=metadata.session_id,
        title=metadata.title,
        channel=metadata.channel or channel,
        metadata=metadata.rest(),
        notes=tuple(notes),
        idempotency_key=idempotency_key,
        body_hash=body_hash(request),
        priority=request.priority,
    )


def accept_file(
    incoming: Incoming,
    name: str,
    request: FileMetadata,
    clock: Clock,
    *,
    notes_are_mine: bool,
    idempotency_key: str | None = None,
    channel: str | None = None,
    notes: Sequence[str] = (),
) -> Capture:
    """Return the journal entry for a file whose bytes have come. `name` may be anything, and is only shown. With
    `notes_are_mine`, text and markdown that come without a word about their source are the owner's own. Raise `InvalidInput` for
    its metadata."""
    now = clock.now()
    notes = [*notes, *_of_the_clock(clock)]
    _refuse_large(request)
    name = file_name(name)
    digest = incoming.sha256()
    told = request.model_dump(mode="json", exclude={"wait", "priority"}, exclude_none=True)
    body = {"name": name, "sha256": digest, "metadata": told}
    is_text = "." not in name or ending_of(name) in TEXT
    source = request.source or "document"
    return Capture(
        capture_id=clock.new_id(),
        received_at=now,
        text="",
        observed_at=callers_date(request.observed_at, now, notes, clock.machine()) or now,
        source=source,
        trust=trust_of(source),
        source_id=request.source_id,
        session_id=request.session_id,
        title=request.title,
        channel=request.channel or channel,
        metadata=request.rest(),
        notes=tuple(notes),
        idempotency_key=idempotency_key,
        body_hash=hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest(),
        priority=request.priority,
        original=Original(name, incoming.size, digest, note=notes_are_mine and request.source is None and is_text),
    )


def _of_the_clock(clock: Clock) -> list[str]:
    ahead = clock.ahead()
    return [] if ahead is None else [f"{CLOCK_WAS_AHEAD}{ahead.isoformat()}"]


def file_name(name: str) -> str:
    """Return what a file is called, without the folders it lay in, fit to be shown."""
    return shown(re.split(r"[/\\]", name)[-1]).strip() or "file without a name"


def _refuse_large(metadata: CaptureMetadata) -> None:
    if _deeper_than(metadata.rest(), DEEPEST_METADATA):
        raise InvalidInput(f"The metadata is nested more than {DEEPEST_METADATA} levels deep. Send it flat.", field="metadata")
    try:
        size = len(orjson.dumps(metadata.rest()))
    except TypeError as error:
        raise InvalidInput(f"The metadata cannot be kept: {error}. Send plain JSON values.", field="metadata") from error
    if size > LARGEST_METADATA:
        detail = (
            f"The metadata has {size:,} bytes, and {LARGEST_METADATA:,} is the limit. Put what is to be remembered into the text."
        )
        raise InvalidInput(detail, field="metadata")


def _deeper_than(value: object, levels: int) -> bool:
    if not isinstance(value, (dict, list)):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_deeper_than(each, levels - 1) for each in inner)


def body_hash(request: IngestRequest) -> str:
    """Return the SHA-256 of what is to be remembered; `wait` and `priority` are left out."""
    body = request.model_dump(mode="json", exclude={"wait", "priority"}, exclude_none=True)
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def trust_of(source: Source) -> Trust:
    """Return how far words from this source may speak for the owner."""
    match source:
        case "user":
            return "user"
        case "assistant" | "system":
            return "assistant"
        case "document" | "code":
            return "document"
    assert_never(source)


def transcript(messages: Sequence[Message], now: datetime, notes: list[str]) -> tuple[str, tuple[Turn, ...]]:
    """Return the transcript of a conversation and its turns; dates that cannot be read are noted and left out."""
    lines: list[str] = []
    turns: list[Turn] = []
    at = 0
    for message in messages:
        name = " ".join((message.name or "").split()) or None
        opening = f"{name or _ROLE_NAMES[message.role]}: "
        start = at + len(opening)
        end = start + len(message.content)
        observed_at = callers_date(message.observed_at, now, notes)
        turns.append(Turn(start, end, message.role, name, observed_at, message.id))
        lines.append(f"{opening}{message.content}\n")
        at = end + 1
    return "".join(lines), tuple(turns)


_ROLE_NAMES: dict[Role, str] = {"user": "User", "assistant": "Assistant", "system": "System", "tool": "Tool"}


def callers_date(value: str | None, now: datetime, notes: list[str], machine: datetime | None = None) -> datetime | None:
    """Return the date that a caller gave in RFC 3339 (a date alone is its midnight; without an offset it is this server's local
    time). For a text that is no date, or lies ahead of the clock, return None and note `date-ignored`. While the clock of the
    `machine` is behind `now`, a time that is just now by that clock becomes `now`."""
    if not value:
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        moment = moment if moment.tzinfo else moment.astimezone()
        if machine is not None and machine < now and abs(moment - machine) <= JUST_NOW:
            return now
        if moment.year >= EARLIEST_YEAR and moment <= now + CLOCK_SLACK:
            return moment
    except (ValueError, OverflowError):
        pass
    if "date-ignored" not in notes:
        notes.append("date-ignored")
    return None


def _refuse_unless_sound(text: str, max_bytes: int) -> None:
    if not text.strip():
        raise InvalidInput("There is nothing to remember: the text is empty. Send some words.", field="text")
    if surrogate := _SURROGATE.search(text):
        raise InvalidInput(
            f"The text has a lone surrogate at character {surrogate.start()}: it is not Unicode. Send valid UTF-8.", field="text"
        )
    # Four bytes are the most a character takes, so most texts need no encoding to know that they fit.
    if len(text) * 4 > max_bytes and len(text.encode()) > max_bytes:
        raise InvalidInput(
            f"The text has {len(text.encode()):,} bytes, and {max_bytes:,} is the limit (LATTICE_MAX_TEXT_BYTES). Split it.",
            status=413,
            field="text",
        )
