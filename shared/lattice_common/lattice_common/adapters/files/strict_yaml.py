"""A strict reader of YAML mappings that guesses nothing.

Plain scalars come as `Plain` strings (`NO`, `010`, `12:30:45` stay what they are), quoted ones as `str`. Refused, each with a
code: anchors and aliases (306 bytes of them can fill the memory), tags, duplicate keys (PyYAML silently keeps the last), keys
that are no scalars, nesting deeper than `MAX_DEPTH`. The text is parsed as events by libyaml, so nothing is built that was not
checked; the caller checks the size before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml

from lattice_common.domain.capture import JsonValue

MAX_DEPTH = 16
"""Nesting of lists and mappings; what the product writes has four."""


class Plain(str):
    """An unquoted scalar: its type is the reader's to decide."""

    __slots__ = ()


Value: TypeAlias = "str | bool | list[Value] | dict[str, Value] | None"
"""A value as read: `bool` and `None` come from JSON values only, where they are unambiguous."""


class NotStrict(Exception):
    """The text is refused: `code` is short, `detail` a sentence."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class KeySpan:
    """The span of a key and its value, as character offsets: `[start, end)`."""

    start: int
    end: int


def read_mapping(text: str) -> tuple[dict[str, Value], dict[str, KeySpan]]:
    """Return the top-level mapping of `text`, and where each of its keys stands. Raise `NotStrict`."""
    events = _events(text)
    first = next(events, None)
    if first is None:
        return {}, {}
    if not isinstance(first, yaml.MappingStartEvent):
        raise NotStrict("not-a-mapping", "the front matter is no list of `key: value` lines")
    values: dict[str, Value] = {}
    places: dict[str, KeySpan] = {}
    for event in events:
        if isinstance(event, yaml.MappingEndEvent):
            break
        key = _key(event, values)
        values[key], end = _value(next(events), events, 1)
        places[key] = KeySpan(_start(event), max(end, _end(event)))
    if next(events, None) is not None:
        raise NotStrict("invalid-yaml", "the front matter holds more than one document")
    return values, places


_JSON_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_JSON_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_JSON_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None, "~": None, "": None}
_LONGEST_NUMBER = 40


def as_json(value: Value) -> JsonValue:
    """Return a value as JSON: plain scalars become numbers, true, false and null by JSON's grammar, or stay text."""
    if isinstance(value, Plain):
        if value in _JSON_WORDS:
            return _JSON_WORDS[value]
        if _JSON_INT.fullmatch(value):
            return int(value)
        if len(value) <= _LONGEST_NUMBER and _JSON_FLOAT.fullmatch(value) and not value.lstrip("-").isdigit():
            return float(value)
        return str(value)
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return value


def _events(text: str) -> Iterator[yaml.Event]:
    try:
        for event in yaml.parse(text, Loader=yaml.CSafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise NotStrict("alias", f"anchors and aliases are not read (line {_line(event)})")
            if getattr(event, "tag", None):
                raise NotStrict("tag", f"tags are not read (line {_line(event)})")
            if isinstance(event, yaml.DocumentStartEvent | yaml.StreamStartEvent | yaml.DocumentEndEvent | yaml.StreamEndEvent):
                continue
            yield event
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 2})" if mark is not None else ""
        raise NotStrict("invalid-yaml", f"the front matter is no valid YAML{where}") from error


def _start(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark is not None else 0


def _end(event: yaml.Event) -> int:
    return event.end_mark.index if event.end_mark is not None else 0


def _line(event: yaml.Event) -> int:
    """Return the line of the file, from 1; the front matter begins on its second."""
    return event.start_mark.line + 2 if event.start_mark is not None else 0


def _key(event: yaml.Event, known: dict[str, Value]) -> str:
    if not isinstance(event, yaml.ScalarEvent):
        raise NotStrict("key-not-text", f"a key is a list or a mapping (line {_line(event)})")
    if event.value in known:
        raise NotStrict("duplicate-key", f"the key `{event.value[:80]}` stands twice (line {_line(event)})")
    return str(event.value)


def _value(event: yaml.Event, events: Iterator[yaml.Event], depth: int) -> tuple[Value, int]:
    """Return the value that begins with `event`, and the offset at which its last visible part ends."""
    if isinstance(event, yaml.ScalarEvent):
        return (event.value if event.style else Plain(event.value)), _end(event)
    if depth >= MAX_DEPTH:
        raise NotStrict("too-deep", f"lists or mappings are nested deeper than {MAX_DEPTH} (line {_line(event)})")
    end = _end(event)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        for inner in events:
            if isinstance(inner, yaml.SequenceEndEvent):
                # A block's end mark lies past the comments that follow it; a flow's is its bracket.
                return items, (_end(inner) if event.flow_style else end)
            item, end = _value(inner, events, depth + 1)
            items.append(item)
    mapping: dict[str, Value] = {}
    for inner in events:
        if isinstance(inner, yaml.MappingEndEvent):
            return mapping, (_end(inner) if getattr(event, "flow_style", False) else end)
        key = _key(inner, mapping)
        mapping[key], end = _value(next(events), events, depth + 1)
        end = max(end, _end(inner))
    raise NotStrict("invalid-yaml", "the front matter ends in the middle of a value")
