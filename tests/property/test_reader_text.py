"""Text put together with its places: whatever is added, the places stand where their words are."""

from __future__ import annotations

import codecs
import re

from hypothesis import given
from hypothesis import strategies as st
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.text import decoded
from lattice_common.capture.readers.text_builder import BLOCK, LINE, TextBuilder
from lattice_common.domain.capture import place_at

# Not only what people write: lone surrogates, controls and direction marks too.
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
PIECES = st.lists(
    st.tuples(ANY_TEXT, st.one_of(st.none(), st.sampled_from(["page 1", "page 2", "row 7"])), st.sampled_from([BLOCK, LINE]))
)


@given(PIECES, st.integers(0, 200))
def test_places_are_in_order_apart_and_of_the_words_they_name(pieces: list[tuple[str, str | None, str]], room: int) -> None:
    builder = TextBuilder(Limits(text_bytes=room))
    for text, place, between in pieces:
        builder.add(text, place, between=between)
    reading = builder.build("plain")
    end = 0
    for place in reading.places:
        assert end <= place.start < place.end <= len(reading.text)
        assert reading.text[place.start : place.end].strip()
        end = place.end
    assert len(reading.text.encode()) <= max(room, 0) + len(BLOCK)
    assert not re.search("[\x00-\x08\ud800-\udfff\u200b\u202e]", reading.text)
    assert builder.full == any(note.startswith("partial:") for note in reading.notes)


@given(st.lists(st.text("abc äß東", min_size=1, max_size=9).filter(str.strip), min_size=1, max_size=20))
def test_every_piece_is_found_at_its_place(words: list[str]) -> None:
    builder = TextBuilder(Limits())
    for number, word in enumerate(words):
        builder.add(word, f"page {number}")
    reading = builder.build("plain")
    assert [reading.text[place.start : place.end] for place in reading.places] == [word.rstrip() for word in words]
    assert all(place_at(reading.places, place.start) == place.label for place in reading.places)


@given(st.binary(max_size=400))
def test_any_bytes_become_text(content: bytes) -> None:
    text, _notes = decoded(content)
    assert not re.search("[\ud800-\udfff]", text)


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-8-sig"]))
def test_text_in_utf_8_comes_back_as_it_was(text: str, encoding: str) -> None:
    written = text.encode(encoding)
    if not written.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        assert decoded(written) == (text.removeprefix("\ufeff") if encoding == "utf-8" else text, ())
