"""What the journal writes is what it reads, for every value there can be."""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.files.journal_codec import (
    Claim,
    decode,
    decode_entry,
    decode_reading,
    encode,
    encode_entry,
    encode_reading,
)
from lattice_common.domain.capture import Capture, Command
from lattice_common.domain.reading import Reading
from lattice_common.domain.receipt import Receipt
from lattice_common.errors import Corrupt, InvalidInput
from lattice_common.ports.journal import Plan

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | INTEGERS | FLOATS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OFFSETS = st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=OFFSETS)  # noqa: DTZ001 - bounds


def values(hint: typing.Any) -> st.SearchStrategy[typing.Any]:
    """Any value of a type of the domain."""
    plain: dict[object, st.SearchStrategy[typing.Any]] = {
        str: TEXT,
        int: INTEGERS,
        float: FLOATS,
        bool: st.booleans(),
        datetime: MOMENTS,
        type(None): st.none(),
    }
    if hint in plain:
        return plain[hint]
    if dataclasses.is_dataclass(hint):
        hints = typing.get_type_hints(hint)
        return st.builds(hint, **{field.name: values(hints[field.name]) for field in dataclasses.fields(hint)})  # type: ignore[arg-type]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return st.lists(values(arguments[0]), max_size=2).map(tuple)
    if origin is typing.Literal:
        return st.sampled_from(arguments)
    if origin in (types.UnionType, typing.Union):
        return st.one_of(*map(values, arguments))
    assert issubclass(origin, Mapping)
    return st.dictionaries(TEXT, JSON, max_size=3)


def offsets(value: object) -> list[timedelta | None]:
    """The UTC offsets of all datetimes in a value: equal instants may differ in them."""
    if isinstance(value, datetime):
        return [value.utcoffset()]
    if isinstance(value, tuple):
        return [each for item in value for each in offsets(item)]
    if dataclasses.is_dataclass(value):
        return [each for field in dataclasses.fields(value) for each in offsets(getattr(value, field.name))]
    return []


@given(values(Capture) | values(Command))
def test_an_entry_comes_back_as_it_was(entry: Capture | Command) -> None:
    back = decode_entry(encode_entry(entry), "entry")
    assert back == entry
    assert offsets(back) == offsets(entry)


@given(values(Plan) | values(Receipt) | values(Claim))
def test_a_plan_a_receipt_and_a_claim_come_back_as_they_were(value: typing.Any) -> None:
    back = decode(type(value), encode(value), "value")
    assert back == value
    assert offsets(back) == offsets(value)


@given(values(Receipt))
def test_what_a_newer_version_added_is_ignored_and_what_an_older_one_lacked_has_its_default(receipt: Receipt) -> None:
    record = {key: value for key, value in orjson.loads(encode(receipt)).items() if key != "crc"}  # theirs is of what they write
    newer = orjson.dumps(record | {"from_the_future": {"a": [1]}, "schema": 9})
    assert decode(Receipt, newer, "receipt") == receipt
    older = orjson.dumps({key: value for key, value in record.items() if key != "notes"})
    assert decode(Receipt, older, "receipt") == dataclasses.replace(receipt, notes=())


@given(values(Capture), st.data())
def test_a_file_that_was_cut_is_corrupt_and_never_half_read(capture: Capture, data: st.DataObject) -> None:
    content = encode_entry(capture).rstrip(b"\n")
    with pytest.raises(Corrupt):
        decode_entry(content[: data.draw(st.integers(0, len(content) - 1))], "entry")


@pytest.mark.parametrize("content", [b"", b"[]", b"null", b"{}", b'{"type":"capture"}', b'{"type":"poem"}', b"\xff"])
def test_what_is_no_entry_is_corrupt_and_says_which_file(content: bytes) -> None:
    with pytest.raises(Corrupt, match="the envelope"):
        decode_entry(content, "the envelope")


@given(values(Capture))
def test_a_text_that_was_changed_on_disk_is_noticed(capture: Capture) -> None:
    record = orjson.loads(encode_entry(capture))
    record["text"] += "!"
    del record["crc"]  # as an earlier version wrote it
    with pytest.raises(Corrupt, match="not the one that was written"):
        decode_entry(orjson.dumps(record), "entry")


@given(values(Capture) | values(Command) | values(Plan) | values(Receipt) | values(Claim), st.data())
def test_a_bit_that_the_disk_changed_is_noticed_wherever_it_is(value: typing.Any, data: st.DataObject) -> None:
    content = bytearray(encode_entry(value) if isinstance(value, (Capture, Command)) else encode(value))
    content[data.draw(st.integers(0, len(content) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    read = decode_entry if isinstance(value, (Capture, Command)) else functools.partial(decode, type(value))
    with pytest.raises(Corrupt):
        read(bytes(content), "value")


@pytest.mark.parametrize("metadata", [{"n": 2**64}, {"s": "\ud800"}])
def test_what_json_cannot_hold_is_refused(metadata: dict[str, typing.Any]) -> None:
    moment = datetime.fromisoformat("2026-01-05T09:00:00+00:00")
    with pytest.raises(InvalidInput):
        encode_entry(Capture("01jd00000000000000000000zz", moment, "a", moment, metadata=metadata))


def test_what_is_said_of_a_damaged_entry_holds_nothing_of_what_was_said() -> None:
    """It goes into receipts and logs."""
    envelope = b'{"schema":1,"type":"capture","capture_id":"x","text":["my secret plan"],"text_sha256":"0"}'
    with pytest.raises(Corrupt, match="no valid capture") as damaged:
        decode_entry(envelope, "the envelope")
    assert "secret" not in str(damaged.value)


@given(values(Reading))
def test_what_a_file_says_comes_back_as_it_was(reading: Reading) -> None:
    assert decode_reading(encode_reading(reading), "r") == reading


def test_a_reading_that_was_changed_on_disk_is_noticed() -> None:
    content = encode_reading(Reading("pdf", "The rent is 900 euros."))
    with pytest.raises(Corrupt, match="not the one"):
        decode_reading(content.replace(b"900", b"90"), "r")
