"""An atom as the fields of its file: their names, their order, and how each is read.

Writing gives every field of docs/data-format.md that has a value (None and empty collections have none). Reading is lenient where
a hand may have slipped, and reports it: a number out of its range or not finite becomes the default, an unreadable date none, an
unknown word of a closed list its default, each with a note such as `confidence:out-of-range`. Hashes are always those of the
actual content; where the file names another, a hand wrote the words, and they are the owner's own.

An atom's position in the order of writing is its `seq`. A hand-made file has none, and is not changed to get one: its position is
the time of its id, in milliseconds since 1970, the same whenever it is read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TypeAlias, TypeVar, get_args

from lattice_common.adapters.files.strict_yaml import Value, as_json
from lattice_common.domain.atom import (
    Atom,
    Category,
    MemoryType,
    Persistence,
    Relation,
    RelationType,
    Span,
    Tier,
    content_hash,
    normalized_content_hash,
)
from lattice_common.domain.capture import JsonValue, Source, SourceType, Trust
from lattice_common.domain.ids import ID, milliseconds_of
from lattice_common.domain.judgement import Status

FIELDS: tuple[str, ...] = (
    "atom_id", "kind", "subject", "entities",
    "category", "status", "memory_type", "persistence", "tier",
    "source", "trust", "source_type", "source_id", "session_id", "segment_id", "capture_id",
    "source_quote", "source_span", "extractor", "metadata",
    "observed_at", "ingested_at", "valid_from", "valid_until", "date_phrase",
    "quality_score", "confidence", "importance", "recall_count", "last_recalled_at", "episode_id",
    "is_superseded", "superseded_by", "supersedes", "superseded_reason", "relations",
    "content_hash", "normalized_content_hash", "seq",
)  # fmt: skip
"""Every key this version knows, in the order of the table in docs/data-format.md."""

KNOWN = frozenset((*FIELDS, "id", "body"))
_MAX_INT = 2**62
_LAST_MILLISECOND = 253_402_300_799_000
"""The end of year 9999: a made-up ULID may name a later time, which no date can hold."""
_Word = TypeVar("_Word", bound=str)
_NONE = frozenset(("", "null", "~", "Null", "NULL"))

Notes: TypeAlias = list[str]


def to_fields(atom: Atom) -> dict[str, JsonValue]:
    """Return the fields that have a value, in the order in which they are written, without `content`. Dates are ISO 8601."""
    fields: dict[str, JsonValue] = {}
    for name in FIELDS:
        value = getattr(atom, name)
        if value is None or value == () or value == {}:
            continue
        if isinstance(value, datetime):
            fields[name] = value.isoformat()
        elif name == "source_span":
            fields[name] = {"start": value.start, "end": value.end}
        elif name == "relations":
            fields[name] = [{"type": relation.type, "target": relation.target} for relation in value]
        elif isinstance(value, tuple):
            fields[name] = list(value)
        elif name == "metadata":
            fields[name] = dict(value)
        else:
            fields[name] = value
    fields |= {name: value for name, value in atom.extra.items() if name not in KNOWN}
    return fields


def from_fields(fields: Mapping[str, Value], *, atom_id: str, content: str) -> tuple[Atom, tuple[str, ...]]:
    """Return the atom `atom_id` (its file's name) with that content, and notes about fields that were read otherwise than they
    are written."""
    notes: Notes = []
    written_id = _text(fields, "atom_id") or _text(fields, "id")
    if written_id is not None and written_id != atom_id:
        notes.append("atom_id:differs-from-file-name")
    exact, normalized = content_hash(content), normalized_content_hash(content)
    by_hand = _text(fields, "content_hash") not in {None, exact}
    if by_hand:
        notes.append("content_hash:content-changed")
    elif _text(fields, "normalized_content_hash") not in {None, normalized}:
        notes.append("normalized_content_hash:not-of-the-content")
    created = time_of(atom_id)
    observed_at = _date(fields, "observed_at", notes)
    superseded_by, supersedes = _supersession(fields, atom_id, notes)
    return Atom(
        atom_id=atom_id,
        content=content,
        kind=_text(fields, "kind") or "fact",
        subject=_text(fields, "subject") or "",
        entities=_texts(fields, "entities", notes),
        category=_word(fields, "category", _CATEGORY, "fact", notes),
        status=_word(fields, "status", _STATUS, "asserted", notes),
        memory_type=_word(fields, "memory_type", _MEMORY_TYPE, "semantic", notes),
        persistence=_word(fields, "persistence", _PERSISTENCE, "long_term", notes),
        tier=_word(fields, "tier", _TIER, "episodic", notes),
        source=_word(fields, "source", _SOURCE, "user", notes),
        trust="user" if by_hand else _word(fields, "trust", _TRUST, "user", notes),
        source_type=_word(fields, "source_type", _SOURCE_TYPE, "plain", notes),
        source_id=_text(fields, "source_id"),
        session_id=_text(fields, "session_id"),
        segment_id=_text(fields, "segment_id"),
        capture_id=_text(fields, "capture_id") or "",
        source_quote=_text(fields, "source_quote") or "",
        source_span=_span(fields, notes),
        extractor="user" if by_hand else _text(fields, "extractor") or "rules",
        metadata=_metadata(fields, notes),
        observed_at=observed_at or created,
        ingested_at=_date(fields, "ingested_at", notes) or created,
        valid_from=_date(fields, "valid_from", notes),
        valid_until=_date(fields, "valid_until", notes),
        date_phrase=_text(fields, "date_phrase"),
        quality_score=_number(fields, "quality_score", 0.1, 2.0, 1.0, notes),
        confidence=_number(fields, "confidence", 0.0, 1.0, 0.8, notes),
        importance=_number(fields, "importance", 0.0, 1.0, 0.5, notes),
        recall_count=_count(fields, "recall_count", notes),
        last_recalled_at=_date(fields, "last_recalled_at", notes),
        episode_id=_text(fields, "episode_id"),
        is_superseded=_is_superseded(fields, notes),
        superseded_by=superseded_by,
        supersedes=supersedes,
        superseded_reason=_text(fields, "superseded_reason"),
        relations=_relations(fields, notes),
        content_hash=exact,
        normalized_content_hash=normalized,
        seq=_count(fields, "seq", notes) if "seq" in fields else int(created.timestamp() * 1000),
        extra={name: as_json(value) for name, value in fields.items() if name not in KNOWN},
    ), tuple(notes)


_CATEGORY: dict[str, Category] = {word: word for word in get_args(Category)}
_STATUS: dict[str, Status] = {word: word for word in get_args(Status)}
_MEMORY_TYPE: dict[str, MemoryType] = {word: word for word in get_args(MemoryType)}
_PERSISTENCE: dict[str, Persistence] = {word: word for word in get_args(Persistence)}
_TIER: dict[str, Tier] = {word: word for word in get_args(Tier)}
_SOURCE: dict[str, Source] = {word: word for word in get_args(Source)}
_TRUST: dict[str, Trust] = {word: word for word in get_args(Trust)}
_SOURCE_TYPE: dict[str, SourceType] = {word: word for word in get_args(SourceType)}
_RELATION: dict[str, RelationType] = {word: word for word in get_args(RelationType)}
_FLAGS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def time_of(atom_id: str) -> datetime:
    """Return when the capture of an atom was made, to the millisecond, by the atom's id. Raise `ValueError` for what is no
    ULID."""
    small = atom_id.lower()
    if ID.fullmatch(small) is None:
        raise ValueError(f"{atom_id!r} is no ULID")
    return datetime.fromtimestamp(min(milliseconds_of(small), _LAST_MILLISECOND) / 1000, UTC)


def _plain_text(value: Value) -> str | None:
    """Return a scalar as the text it stands for; None for null. Quoted text is never null."""
    if value is None:
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        if type(value) is str:
            return value
        return None if value in _NONE else str(value)
    return None


def _text(fields: Mapping[str, Value], name: str) -> str | None:
    value = fields.get(name)
    return value if type(value) is str else _plain_text(value)


def _texts(fields: Mapping[str, Value], name: str, notes: Notes) -> tuple[str, ...]:
    value = fields.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        single = _plain_text(value)
        if isinstance(value, dict):
            notes.append(f"{name}:not-a-list")
        return () if single is None else (single,)
    texts = [_plain_text(item) for item in value]
    if any(text is None for text in texts):
        notes.append(f"{name}:not-text")
    return tuple(text for text in texts if text is not None)


def _word(fields: Mapping[str, Value], name: str, words: Mapping[str, _Word], default: _Word, notes: Notes) -> _Word:
    text = _text(fields, name)
    if text is None:
        return default
    word = words.get(text)
    if word is None:
        notes.append(f"{name}:unknown")
        return default
    return word


def _date(fields: Mapping[str, Value], name: str, notes: Notes) -> datetime | None:
    text = _text(fields, name)
    if text is None:
        return None
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        notes.append(f"{name}:no-date")
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)


def _number(fields: Mapping[str, Value], name: str, low: float, high: float, default: float, notes: Notes) -> float:
    text = _text(fields, name)
    if text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not low <= number <= high:
        notes.append(f"{name}:out-of-range")
        return default
    return number


def _count(fields: Mapping[str, Value], name: str, notes: Notes) -> int:
    text = _text(fields, name)
    if text is None:
        return 0
    # The length is checked first: a number of thousands of digits takes long, and then raises.
    number = int(text) if text.isdecimal() and len(text) < 20 else -1
    if not 0 <= number <= _MAX_INT:
        notes.append(f"{name}:out-of-range")
        return 0
    return number


def _is_superseded(fields: Mapping[str, Value], notes: Notes) -> bool:
    text = _text(fields, "is_superseded")
    if text is None:
        return False
    flag = _FLAGS.get(text.lower())
    if flag is None:
        notes.append("is_superseded:unknown")
    return bool(flag)


def _metadata(fields: Mapping[str, Value], notes: Notes) -> dict[str, JsonValue]:
    metadata = as_json(fields.get("metadata"))
    if metadata is not None and not isinstance(metadata, dict):
        notes.append("metadata:not-a-mapping")
    return metadata if isinstance(metadata, dict) else {}


def _supersession(fields: Mapping[str, Value], atom_id: str, notes: Notes) -> tuple[str | None, tuple[str, ...]]:
    """Return what superseded the atom, and what it superseded; never itself."""
    superseded_by = _text(fields, "superseded_by")
    supersedes = _texts(fields, "supersedes", notes)
    if superseded_by == atom_id or atom_id in supersedes:
        notes.append("supersedes:itself")
        superseded_by = None if superseded_by == atom_id else superseded_by
        supersedes = tuple(target for target in supersedes if target != atom_id)
    return superseded_by, supersedes


def _span(fields: Mapping[str, Value], notes: Notes) -> Span:
    value = fields.get("source_span")
    if value is None:
        return Span(0, 0)
    if isinstance(value, dict):
        start, end = _count(value, "start", notes), _count(value, "end", notes)
        if start <= end:
            return Span(start, end)
    notes.append("source_span:unreadable")
    return Span(0, 0)


def _relations(fields: Mapping[str, Value], notes: Notes) -> tuple[Relation, ...]:
    value = fields.get("relations")
    relations: list[Relation] = []
    for item in value if isinstance(value, list) else ([] if value is None else [value]):
        kind = _RELATION.get(_text(item, "type") or "") if isinstance(item, dict) else None
        target = _text(item, "target") if isinstance(item, dict) else None
        if kind is None or target is None:
            notes.append("relations:unreadable")
        else:
            relations.append(Relation(kind, target))
    return tuple(relations)
