"""The journal's values as JSON and back: entries, plans, receipts, idempotency claims.

Exact: reading gives the value that was written (property test), with datetimes as the same instant and offset. Each file names
its `schema` and `type`. Unknown fields are ignored, and missing ones take their defaults, so that versions can read each other's
files. The text of a capture, or of a file that was read, is sealed with its SHA-256, and every file as a whole with a CRC
(`seal`); every reading checks both.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import hmac
import secrets
import types
import typing
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

import orjson

from lattice_common.domain.capture import (
    Action,
    ArchiveAtoms,
    Capture,
    Command,
    CorrectWho,
    CountRecalls,
    DeleteAtom,
    DeleteAtoms,
    Derive,
    EditAtom,
    Entry,
    ExtractAgain,
    ForgetAtoms,
    KeepBoth,
    KeepRejected,
    MergeAtoms,
    PreferAtom,
    RateAtoms,
    RemoveSource,
    SetStatuses,
    SettleJudged,
    UndoChange,
)
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import Receipt
from lattice_common.domain.seal import is_damaged, sealed
from lattice_common.errors import Corrupt, InvalidInput
from lattice_common.ports.journal import AgainMark, Plan
from lattice_common.ports.rejection_log import RejectedCandidate

SCHEMA = 1

_ACTIONS: dict[str, type[Action]] = {
    "edit_atom": EditAtom,
    "delete_atom": DeleteAtom,
    "delete_atoms": DeleteAtoms,
    "keep_rejected": KeepRejected,
    "undo_change": UndoChange,
    "prefer_atom": PreferAtom,
    "remove_source": RemoveSource,
    "extract_again": ExtractAgain,
    "rate_atoms": RateAtoms,
    "count_recalls": CountRecalls,
    "set_statuses": SetStatuses,
    "derive": Derive,
    "keep_both": KeepBoth,
    "settle_judged": SettleJudged,
    "forget_atoms": ForgetAtoms,
    "correct_who": CorrectWho,
    "archive_atoms": ArchiveAtoms,
    "merge_atoms": MergeAtoms,
}
_ACTION_NAMES = {action: name for name, action in _ACTIONS.items()}


@dataclass(frozen=True, slots=True)
class Claim:
    """The entry that an idempotency key belongs to, and the hash of its body; with a `salt`, once that is forgotten, the
    HMAC-SHA-256 of that hash."""

    entry_id: str
    body_hash: str
    salt: str = ""

    def is_of(self, body_hash: str) -> bool:
        """Return whether it was made for this body."""
        return self.body_hash == (_salted(self.salt, body_hash) if self.salt else body_hash)

    def salted(self) -> Claim:
        """Return the same without a hash that could be guessed at."""
        if self.salt:
            return self
        salt = secrets.token_hex(16)
        return Claim(self.entry_id, _salted(salt, self.body_hash), salt)


def _salted(salt: str, body_hash: str) -> str:
    return hmac.new(bytes.fromhex(salt), body_hash.encode(), "sha256").hexdigest()


T = TypeVar("T", Plan, Receipt, Claim, RejectedCandidate, AgainMark)


def encode_entry(entry: Entry) -> bytes:
    """Return the envelope. Raise `InvalidInput` for what JSON cannot represent: integers beyond 64 bits, lone surrogates."""
    record: dict[str, object] = {"schema": SCHEMA, "type": "capture" if isinstance(entry, Capture) else "command"}
    for field in dataclasses.fields(entry):
        record[field.name] = getattr(entry, field.name)
    if isinstance(entry, Capture):
        record["text_sha256"] = _seal(entry.text)
    else:
        action = entry.action
        record["action"] = {"type": _ACTION_NAMES[type(action)], **{f.name: getattr(action, f.name) for f in _fields(action)}}
    return _sealed(record)


def decode_entry(content: bytes, name: str) -> Entry:
    """Return the entry in an envelope. Raise `Corrupt` with `name` when it is damaged."""
    record = _load(content, name)
    kind = record.get("type")
    if kind == "capture":
        capture = _build(Capture, record, name)
        if _seal(capture.text) != record.get("text_sha256"):
            raise Corrupt(f"{name}: the text is not the one that was written: restore the file from a backup")
        return capture
    action = record.get("action")
    if kind == "command" and isinstance(action, dict) and action.get("type") in _ACTIONS:
        change = _build(_ACTIONS[action["type"]], action, name)
        return _build(Command, {**record, "action": change}, name)
    raise Corrupt(f"{name} is neither a capture nor a command this version knows: restore it, or run a newer version")


def encode_reading(reading: Reading) -> bytes:
    """Return a reading as JSON. Raise `InvalidInput` like `encode_entry`."""
    record = {field.name: getattr(reading, field.name) for field in _fields(reading)}
    sealed = {"schema": SCHEMA, **record, "text_sha256": _seal(reading.text)}
    return _dump({**sealed, "record_sha256": _seal(_dump(sealed).decode())})


def decode_reading(content: bytes, name: str) -> Reading:
    """Return a reading. Raise `Corrupt` with `name` when it is damaged."""
    record = _load(content, name)
    reading = _build(Reading, record, name)
    if _seal(reading.text) != record.get("text_sha256"):
        raise Corrupt(f"{name}: the text is not the one that was written: restore the file from a backup")
    seal = record.pop("record_sha256", None)  # places and title, too; older versions sealed the text alone
    if seal is not None and _seal(_dump(record).decode()) != seal:
        raise Corrupt(f"{name} is not what was written: restore the file from a backup")
    return reading


def encode(value: Plan | Receipt | Claim | RejectedCandidate | AgainMark) -> bytes:
    """Return a value as JSON. Raise `InvalidInput` like `encode_entry`."""
    return _sealed({"schema": SCHEMA, **{field.name: getattr(value, field.name) for field in _fields(value)}})


def decode(kind: type[T], content: bytes, name: str) -> T:
    """Return the value back. Raise `Corrupt` with `name` when it is not what was written."""
    return _build(kind, _load(content, name), name)


def _seal(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _fields(value: object) -> tuple[dataclasses.Field[object], ...]:
    return dataclasses.fields(value)  # type: ignore[arg-type]  # only called with dataclasses


def _sealed(record: Mapping[str, object]) -> bytes:
    return sealed(_dump(record)[:-1]) + b"\n"


def _dump(record: Mapping[str, object]) -> bytes:
    try:
        return orjson.dumps(record, default=_plain_mapping, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError as error:
        raise InvalidInput(f"this cannot be written as JSON ({error}): send text for it") from error
    except UnicodeEncodeError as error:
        raise InvalidInput(f"the text is not valid Unicode ({error}): send it as UTF-8") from error


def _plain_mapping(value: object) -> dict[object, object]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} in the journal")


def _load(content: bytes, name: str) -> dict[str, object]:
    if is_damaged(content):
        raise Corrupt(f"{name} is not what was written: restore it from a backup")
    try:
        record = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise Corrupt(f"{name} is not valid JSON ({error}): restore it from a backup") from error
    if not isinstance(record, dict):
        raise Corrupt(f"{name} holds no JSON object: restore it from a backup")
    return record


V = TypeVar("V")


def _build(kind: type[V], record: Mapping[str, object], name: str) -> V:
    try:
        value = _reader(typing.cast(Hashable, kind))(record)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Corrupt(f"{name} holds no valid {kind.__name__.lower()}: restore it from a backup") from error
    return typing.cast(V, value)


Read = Callable[[typing.Any], object]


@functools.cache
def _reader(kind: object) -> Read:
    """Return the function that reads a value of this type from JSON; None where JSON's own value is it."""
    if dataclasses.is_dataclass(kind) and isinstance(kind, type):
        return _dataclass_reader(kind)
    if kind is datetime:
        return _datetime
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        item = _reader(arguments[0])
        return lambda value: tuple([item(each) for each in _expect(list, value)])
    if origin in (types.UnionType, typing.Union) and type(None) in arguments and len(arguments) == 2:
        some = _reader(next(each for each in arguments if each is not type(None)))
        return lambda value: None if value is None else some(value)
    if kind is str or origin is typing.Literal:
        return functools.partial(_expect, str)
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        return functools.partial(_expect, dict)
    if kind is float:
        return lambda value: float(_expect((int, float), value))
    if kind is int or kind is bool:
        return functools.partial(_expect, kind)
    return lambda value: value  # a union of actions, read before


def _dataclass_reader(kind: type) -> Read:
    hints = typing.get_type_hints(kind)
    readers = [(field.name, _reader(hints[field.name])) for field in dataclasses.fields(kind)]

    def read(record: dict[str, object]) -> object:
        return kind(**{name: each(record[name]) for name, each in readers if name in record})

    return read


def _datetime(value: str) -> datetime:
    return datetime.fromisoformat(value)


def _expect(kind: typing.Any, value: typing.Any) -> typing.Any:
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} where {kind} was expected")  # never the value: it is what somebody said
    return value
