"""Bytes, names and dropped captures of any kind become something sound."""

from __future__ import annotations

import os
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_common.capture import dropped
from lattice_common.capture.inbox_names import named, shown
from lattice_common.capture.plain_text import decode, is_text


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_become_valid_text(content: bytes) -> None:
    read = decode(content)
    read.text.encode()
    assert "\r" not in read.text
    is_text(content)


@settings(max_examples=300, deadline=None)
@given(st.text(st.characters(codec=None), max_size=300))
def test_any_name_can_be_shown_and_sorted_into_a_kind(name: str) -> None:
    tame = shown(os.fsdecode(os.fsencode(name)) if _encodes(os.fsencode, name) else "x")
    tame.encode()
    assert "\n" not in tame
    assert len(tame) <= 201
    assert named(name) in ("capture", "text", "unnamed", "other", "ignored")


def _encodes(encode: Callable[[str], bytes], name: str) -> bool:
    try:
        encode(name)
    except UnicodeEncodeError:
        return False
    return True


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=100), st.text(min_size=1, max_size=50).filter(str.isprintable))
def test_a_dropped_capture_reads_back_as_it_was_written(text: str, key: str) -> None:
    one = dropped.Dropped({"text": text, "metadata": {"channel": "lc"}}, key)
    if _encodes(str.encode, text):
        assert dropped.decode(dropped.encode(one), "x") == one
