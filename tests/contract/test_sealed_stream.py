"""What was sealed opens with its passphrase, whole, and not otherwise."""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import sys
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lattice_common.adapters.files.sealed_stream import CHUNK, TAG, is_sealed, opened, sealed_into
from lattice_common.errors import InvalidInput

CHEAP = 10
"""log2 of scrypt's n: 1 MB instead of 128."""
HEADER = 56
PASSPHRASE = "correct horse"


def sealed(content: bytes, passphrase: str = PASSPHRASE, cost: int = CHEAP) -> bytes:
    out = io.BytesIO()
    with sealed_into(out, passphrase, cost=cost) as stream:
        stream.write(content)
    return out.getvalue()


def plain(content: bytes, passphrase: str = PASSPHRASE) -> bytes:
    return opened(io.BytesIO(content), passphrase, "b.tar.gz").read()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 17])
def test_what_was_sealed_comes_back(size: int) -> None:
    content = bytes(n % 251 for n in range(size))
    made = sealed(content)
    assert is_sealed(made)
    assert plain(made) == content


@settings(max_examples=20, deadline=None)
@given(st.lists(st.binary(max_size=CHUNK * 2), max_size=4))
def test_it_does_not_matter_in_what_pieces_it_is_written(pieces: list[bytes]) -> None:
    out = io.BytesIO()
    with sealed_into(out, "p", cost=CHEAP) as stream:
        for piece in pieces:
            stream.write(piece)
    assert plain(out.getvalue(), "p") == b"".join(pieces)


def test_nothing_of_it_can_be_read_in_the_file() -> None:
    assert b"spare key" not in sealed(b"the spare key is with Ines " * 10_000)


def test_the_same_twice_is_never_the_same() -> None:
    assert sealed(b"x")[HEADER:] != sealed(b"x")[HEADER:]


def test_the_key_of_what_was_just_written_is_not_derived_again() -> None:
    """It takes half a second and 128 MB, and a backup is tried as soon as it is made."""
    derived: list[object] = []

    def seen(frame: FrameType, event: str, called: object) -> None:
        if event == "c_call" and called is hashlib.scrypt:
            derived.append(called)

    sys.setprofile(seen)
    try:
        assert plain(sealed(b"secret")) == b"secret"
    finally:
        sys.setprofile(None)
    assert len(derived) == 1


def test_another_passphrase_is_said_to_be_one() -> None:
    with pytest.raises(InvalidInput, match=r"b\.tar\.gz was encrypted with another passphrase"):
        plain(sealed(b"secret"), "another")


@pytest.mark.parametrize("kept", [10, HEADER, HEADER + 5, HEADER + CHUNK, HEADER + CHUNK + TAG, HEADER + 2 * (CHUNK + TAG), -1])
def test_what_was_cut_off_is_said_to_be_and_gives_no_end(kept: int) -> None:
    """Also where it was cut between two chunks, which are whole by themselves."""
    made = sealed(b"x" * (CHUNK * 3))
    with pytest.raises(InvalidInput, match="cut off"):
        plain(made[:kept])


@pytest.mark.parametrize("at", [HEADER - 1, HEADER, HEADER + CHUNK, HEADER + CHUNK + TAG + 1, -1])
def test_a_changed_bit_is_noticed(at: int) -> None:
    made = bytearray(sealed(b"x" * (CHUNK * 3)))
    made[at] ^= 1
    with pytest.raises(InvalidInput, match="changed"):
        plain(bytes(made))


def test_chunks_that_changed_places_and_what_was_put_behind_are_noticed() -> None:
    made = sealed(b"".join(bytes([n]) * CHUNK for n in range(3)))
    first, second = made[HEADER : HEADER + CHUNK + TAG], made[HEADER + CHUNK + TAG : HEADER + 2 * (CHUNK + TAG)]
    for forged in (made[:HEADER] + second + first + made[HEADER + 2 * (CHUNK + TAG) :], made + b"more"):
        with pytest.raises(InvalidInput, match="changed"):
            plain(forged)


def test_a_header_that_asks_for_all_memory_is_refused() -> None:
    made = bytearray(sealed(b"x"))
    made[16] = 40
    with pytest.raises(InvalidInput, match="more memory"):
        plain(bytes(made))


def test_what_was_interrupted_opens_to_no_end() -> None:
    """Closed by an exception, or by the collector, it must not look whole."""
    gc.freeze()  # what other tests left is not looked at
    out = io.BytesIO()
    with contextlib.suppress(KeyboardInterrupt), sealed_into(out, "p", cost=CHEAP) as stream:
        stream.write(b"x" * (CHUNK + 1))
        raise KeyboardInterrupt
    del stream
    gc.collect()
    cut = out.getvalue()
    with pytest.raises(InvalidInput, match="cut off"):
        plain(cut, "p")
