"""Reasons name old and new values, and give them out again."""

from __future__ import annotations

import pytest
from lattice_common.domain.replacement import Change, change_in, reason_of, without_values


@pytest.mark.parametrize(
    ("slot", "before", "after", "change"),
    [
        ("residence", "Berlin", "Lisbon", Change("Berlin", "Lisbon")),
        ("rent attribute", "890 euros", "1,050 euros", Change("890 euros", "1,050 euros")),
        ("employer", "the bakery (old town)", "City Hall", Change("the bakery (old town)", "City Hall")),
        ("keeper", "Tom", None, Change("Tom", None)),
        ("schedule", "", "10:30", None),
    ],
)
def test_a_reason_gives_back_the_values_that_it_was_made_of(
    slot: str, before: str, after: str | None, change: Change | None
) -> None:
    reason = reason_of("I moved (at last): to Lisbon.", slot, before, after)
    assert change_in(reason) == change
    assert without_values(reason) == "replaced by “I moved (at last): to Lisbon.”"


@pytest.mark.parametrize("reason", [None, "", "you kept “I live in Berlin.”", "replaced by “(a: b)”", "moved"])
def test_a_reason_without_values_stays_as_it_is(reason: str | None) -> None:
    assert change_in(reason) is None
    assert without_values(reason) == reason
