"""Bytes, names and dropped captures of any kind become something sound."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.capture import dropped
from lattice_common.capture.inbox_names import named, shown
from lattice_common.capture.plain_text import Decoded, decode, is_text


@given(st.binary(max_size=300))
def test_any_bytes_become_valid_text(content: bytes) -> None:
    read = decode(content)
    read.text.encode()
    assert "\r" not in read.text
    is_text(content)


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_name_can_be_shown_and_sorted_into_a_kind(name: str) -> None:
    tame = shown(os.fsdecode(os.fsencode(name)) if _encodes(os.fsencode, name) else "x")
    tame.encode()
    assert "\n" not in tame
    assert len(tame) <= 201
    assert named(name) in ("capture", "beside", "file", "ignored")


def _encodes(encode: Callable[[str], bytes], name: str) -> bool:
    try:
        encode(name)
    except UnicodeEncodeError:
        return False
    return True


@given(st.text(max_size=100), st.text(min_size=1, max_size=50).filter(str.isprintable), st.none() | st.just("a.pdf"))
def test_a_dropped_capture_reads_back_as_it_was_written(text: str, key: str, name: str | None) -> None:
    one = dropped.Dropped({"text": text, "metadata": {"channel": "lc"}}, key, name)
    if _encodes(str.encode, text):
        assert dropped.decode(dropped.encode(one), "x") == one


@pytest.mark.parametrize(
    ("content", "text", "notes"),
    [
        ("Grüße".encode(), "Grüße", ()),
        ("\ufeffGrüße".encode(), "Grüße", ()),
        ("Grüße".encode("utf-16"), "Grüße", ("encoding:utf-16",)),
        (b"one\r\ntwo\rthree", "one\ntwo\nthree", ()),
    ],
)
def test_text_is_read_in_the_encoding_it_is_in_and_what_was_assumed_is_noted(
    content: bytes, text: str, notes: tuple[str, ...]
) -> None:
    assert decode(content) == Decoded(text, notes)
