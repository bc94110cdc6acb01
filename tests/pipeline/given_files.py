"""What is asked of a reading in tests; the fixtures `reading` and `refusal` are in `conftest`."""

from __future__ import annotations

from collections.abc import Callable

from lattice_common.domain.capture import place_at
from lattice_common.domain.reading import Reading, Unreadable

Read = Callable[..., Reading]
Refuse = Callable[..., Unreadable]


def assert_places(found: Reading) -> None:
    """Places are in order, do not overlap, and lie within the text."""
    end = 0
    for place in found.places:
        assert end <= place.start < place.end <= len(found.text)
        end = place.end


def place_of(found: Reading, words: str) -> str | None:
    return place_at(found.places, found.text.index(words))
