"""What says how somebody is, and when, is no subject."""

from __future__ import annotations

import pytest
from lattice_common.language.facts.subjects import subject_of


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Thinking of selling the van.", "van"),
        ("Slept badly.", "me"),
        ("Kim rang", "Kim"),
        ("The quiet carriage is at the front.", "quiet carriage"),
        ("Paid for the meeting in town.", "meeting"),
    ],
)
def test_the_subject_is_a_thing_or_somebody(text: str, subject: str) -> None:
    assert subject_of(text, (), speaker=None) == subject
