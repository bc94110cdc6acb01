"""What a language model answered, read and checked: strictly first, then as models write.

Nothing here believes what is said; it only finds out what is said. Never raises for any text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from lattice_common.domain.capture import JsonValue
from lattice_common.ingest.extract.model.loose_json import NotJsonError, blocks, put

LONGEST = 60_000
"""Characters of an answer that is looked at: fifteen times the longest segment. Beyond it, a model has lost its way."""

BEGINNINGS = 40
"""Places at which a JSON block may begin that are tried."""

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_OTHER_NAMES = {"fact": "content", "statement": "content", "source_quote": "quote", "evidence": "quote", "type": "kind"}


class Memory(BaseModel):
    """One fact as a model proposes it. `context` is what the quote answers, verbatim, where it is needed to understand it; `date`
    is not believed. `status` is one of `domain.judgement.STATUSES`, or says nothing."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True, json_schema_extra={"additionalProperties": False})

    content: str
    quote: str
    kind: str = "fact"
    subject: str = ""
    entities: list[str] = []
    context: str | None = None
    date: str | None = None
    about_owner: bool = False
    status: str | None = None

    @field_validator("entities", mode="before")
    @classmethod
    def _texts_only(cls, value: object) -> list[str]:
        given = value if isinstance(value, list) else [value]
        return [each for each in given if isinstance(each, str)]

    @field_validator("kind", "subject", "context", "date", "about_owner", "status", mode="before")
    @classmethod
    def _or_nothing(cls, value: object, info: Any) -> object:
        """Return the value of a field, or its default where it is not of the field's type; the memory may be right all the
        same."""
        wanted = bool if info.field_name == "about_owner" else str
        if isinstance(value, wanted):
            return value
        return cls.model_fields[info.field_name].default


class _Memories(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    memories: list[Memory]


class Pair(BaseModel):
    """A new statement and an older one, by their marks."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    new: str
    old: str


class _Outdated(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})

    outdated: list[Pair]


MEMORIES_SCHEMA: Mapping[str, JsonValue] = _Memories.model_json_schema(mode="serialization")
OUTDATED_SCHEMA: Mapping[str, JsonValue] = _Outdated.model_json_schema(mode="serialization")


@dataclass(frozen=True, slots=True)
class Unusable:
    """Why an answer cannot be used, in words that the model is told."""

    why: str


Answered: TypeAlias = "list[Memory] | Unusable"


def memories_in(text: str) -> Answered:
    """Return the memories of an answer; an empty list where it says that there is nothing to remember."""
    strict = _strict(text)
    if isinstance(strict, _Memories):
        return strict.memories
    if len(text) > LONGEST:
        return Unusable(f"the answer has {len(text)} characters, which is too long")
    alone: list[Memory] = []
    whole = True
    for value in blocks(_THOUGHTS.sub("", text), most=BEGINNINGS):
        if isinstance(value, NotJsonError):
            # What is inside of something broken is not all of it, but for a list under its name.
            whole, strict = False, Unusable(f"it is not JSON ({value})")
            continue
        if whole and (single := _memory(value)) is not None:
            alone.append(single)
            continue
        items = _items(value)
        found = [memory for item in items or [] if (memory := _memory(item)) is not None]
        if found or (whole and items == []):
            return alone + found
        if items:
            strict = Unusable('each memory needs "content" and "quote", both text')
    return alone if alone and whole else strict


def outdated_in(text: str) -> list[Pair]:
    """Return the pairs of an answer; none where it cannot be used."""
    if len(text) > LONGEST:
        return []
    for value in blocks(_THOUGHTS.sub("", text), most=BEGINNINGS):
        listed = value.get("outdated") if isinstance(value, dict) else None
        if isinstance(listed, list):
            return list(_pairs(listed))
    return []


def _strict(text: str) -> _Memories | Unusable:
    if len(text) > LONGEST:
        return Unusable("too long")
    try:
        return _Memories.model_validate(json.loads(text, object_pairs_hook=_joined))
    except ValidationError as error:
        first = error.errors()[0]
        return Unusable(f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}")
    except (ValueError, RecursionError) as error:
        return Unusable(f"it is not JSON ({str(error)[:120]})" if text.strip() else "it was empty")


def _joined(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        put(found, key, value)
    return found


def _items(value: JsonValue) -> list[JsonValue] | None:
    """Return the list of memories in a block: under its name, the only list of objects, or the block itself."""
    if isinstance(value, list):
        return value if all(isinstance(each, dict) for each in value) else None
    if not isinstance(value, dict):
        return None
    named = value.get("memories")
    if isinstance(named, list):
        return named
    lists = [each for each in value.values() if isinstance(each, list) and each and all(isinstance(item, dict) for item in each)]
    return lists[0] if len(lists) == 1 else None


def _memory(item: JsonValue) -> Memory | None:
    if not isinstance(item, dict):
        return None
    named = {
        _OTHER_NAMES.get(key, key): value
        for key, value in item.items()
        if key not in _OTHER_NAMES or _OTHER_NAMES[key] not in item
    }
    try:
        return Memory.model_validate(named)
    except ValidationError:
        return None


def _pairs(listed: list[JsonValue]) -> Iterable[Pair]:
    for each in listed:
        try:
            yield Pair.model_validate(each)
        except ValidationError:
            continue
