"""The form in which front matter is written, and a quick reader for exactly that form.

One line per key; strings are quoted wherever they could be taken for something else; lists and mappings are JSON, which is YAML.
`read_lines` reads only what is certain, and returns None for all else: the strict YAML reader then decides. Both give the same
result for what `line` writes (property test); the quick one takes a tenth of the time.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache

import orjson

from lattice_common.adapters.files.strict_yaml import MAX_DEPTH, NotStrict, Plain, Value
from lattice_common.domain.capture import JsonValue
from lattice_common.errors import InvalidInput

_WORD_LIKE = re.compile(r"[^\W\d_](?:[\w ./'’()+@-]*[\w./'’()+@-])?")
_ID_LIKE = re.compile(r"[0-9a-f]{64}|[0-9a-hjkmnp-tv-z]{26}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,15}(?:[+-][0-9:.]{5,15}|Z)")
_TAKEN = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"))
_NOT_IN_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONG_KEY = 200
"""Characters from which a key is marked with `?`: YAML looks for the colon after a simple key within 1,024 characters only."""


def line(name: str, value: JsonValue, newline: str) -> str:
    """Return a key and its value as one line (two for a very long key). Raise `InvalidInput` for what YAML could not
    represent."""
    written = scalar(value) if isinstance(value, str) else flow(value)
    key = _key(name)
    return f"{key}: {written}{newline}" if len(key) < _LONG_KEY else f"? {key}{newline}: {written}{newline}"


def flow(value: JsonValue) -> str:
    """Return a value as JSON, which YAML is too. Raise `InvalidInput` for what is nested too deep."""
    return _json(value, 1)


@lru_cache(maxsize=256)
def _key(name: str) -> str:
    return scalar(name)


def scalar(text: str) -> str:
    """Return a string as YAML, unquoted where nobody could take it for anything else."""
    if (_WORD_LIKE.fullmatch(text) and text.lower() not in _TAKEN) or _ID_LIKE.fullmatch(text):
        return text
    return quote(text)


def quote(text: str) -> str:
    """Return a string in double quotes, both JSON and YAML, on one line."""
    try:
        quoted = orjson.dumps(text).decode()
    except orjson.JSONEncodeError as error:
        raise InvalidInput("the text holds half of a surrogate pair, which no file can hold: remove it") from error
    if quoted.isascii() and "\x7f" not in quoted:
        return quoted
    return _NOT_IN_YAML.sub(lambda match: f"\\u{ord(match.group()):04x}", quoted)


def _json(value: JsonValue, depth: int) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case str():
            return quote(value)
        case int():
            return str(value)
        case float():
            return repr(value) if value - value == 0 else "null"  # JSON knows neither NaN nor infinity
        case _ if depth >= MAX_DEPTH:
            raise InvalidInput(f"a value is nested deeper than {MAX_DEPTH}: flatten it", field="metadata")
        case list():
            return "[" + ", ".join([_json(item, depth + 1) for item in value]) + "]"
        case dict():
            return "{" + ", ".join([f"{_json_key(key)}: {_json(item, depth + 1)}" for key, item in value.items()]) + "}"


def _json_key(key: str) -> str:
    quoted = quote(key)
    return quoted if len(quoted) < _LONG_KEY else "? " + quoted


_OWN_LINE = re.compile(
    r"([a-z][a-z0-9_]*): (?:"
    r"(-?\w(?:[\w./'’()+@-]|:(?=\w)| (?=[\w./'’()+@-]))*)"  # unquoted
    r"|(\".*\")"  # a JSON string
    r"|([\[{].*[\]}])"  # a JSON list or mapping
    r")"
)


def read_lines(front: str) -> dict[str, Value] | None:
    """Return the fields of front matter in the form that `line` writes; None when it may mean anything else. Raise
    `NotStrict`."""
    if _NOT_IN_YAML.search(front) or "\\ud" in front or "\\uD" in front or not front.endswith("\n"):
        return None
    fields: dict[str, Value] = {}
    for text in front[:-1].split("\n"):
        match = _OWN_LINE.fullmatch(text)
        if match is None:
            return None
        name, plain, string, collection = match.groups()
        if name in fields:
            raise NotStrict("duplicate-key", f"the key `{name}` stands twice")
        try:
            if plain is not None:
                fields[name] = Plain(plain)
            elif string is not None:
                fields[name] = orjson.loads(string)
            elif collection.count("[") + collection.count("{") >= MAX_DEPTH:
                return None
            else:
                fields[name] = _read_json(collection)
        except ValueError:
            return None
    return fields


def _without_duplicates(pairs: list[tuple[str, Value]]) -> Value:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise NotStrict("duplicate-key", "a key stands twice in a mapping")
    return mapping


def _no_constant(name: str) -> Value:
    raise ValueError(name)


_read_json = json.JSONDecoder(
    object_pairs_hook=_without_duplicates, parse_int=Plain, parse_float=Plain, parse_constant=_no_constant
).decode
