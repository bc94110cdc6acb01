"""One capture does not fill the list with its sentences while others answer, too."""

from __future__ import annotations

from lattice_common.domain.recall import Query
from recalled_store import atom, recall_over

PLACES = ("hall", "kitchen", "attic", "cellar", "garage", "study", "porch", "pantry", "nursery", "shed", "loft", "bathroom")
LONG = [atom(f"The lamp in the {place} was mended by Tadeusz.", at, capture_id="long") for at, place in enumerate(PLACES)]
SHORT = [atom(f"Bought number {100 + at} at {place} fair, a lamp.", 50 + at) for at, place in enumerate(PLACES)]
QUESTION = Query("lamp mended Tadeusz", limit=10, explain=True)


def test_a_capture_takes_three_of_ten_places_while_others_are_near() -> None:
    near = [atom(f"A lamp was mended by Tadeusz, the {place} one.", 80 + at) for at, place in enumerate(PLACES)]
    chosen = recall_over([*LONG, *near]).select(QUESTION).atoms
    assert len(chosen) == 10
    assert sum(each.atom.capture_id == "long" for each in chosen) <= 3


def test_a_capture_takes_all_places_when_nothing_else_is_there() -> None:
    chosen = recall_over(LONG).select(QUESTION).atoms
    assert [each.atom.capture_id for each in chosen] == ["long"] * 10
    assert "same_capture" not in chosen[2].signals
    assert chosen[3].signals["same_capture"].contribution < 0
    for each in chosen:
        assert abs(sum(signal.contribution for signal in each.signals.values()) - each.score) < 1e-6


def test_messages_of_one_conversation_are_not_held_back() -> None:
    talk = [
        atom(f"The lamp in the {place} was mended by Tadeusz.", at, capture_id="chat", speaker=f"Guest {at}", segment_id=str(at))
        for at, place in enumerate(PLACES)
    ]
    chosen = recall_over([*talk, *SHORT]).select(QUESTION).atoms
    assert sum(each.atom.capture_id == "chat" for each in chosen) > 3
