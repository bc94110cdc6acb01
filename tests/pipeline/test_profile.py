"""The profile: what lasts and what is of late, current statements only, within a budget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import ArchiveAtoms, DeleteAtom, RateAtoms
from lattice_common.recall.profile import Profile

from tests.pipeline.living import atom_saying, change, finished, say, send, started

NOW = datetime(2026, 6, 1, 9, tzinfo=UTC)
LONG_AGO = "2026-01-10T10:00:00Z"
LATELY = "2026-05-20T10:00:00Z"


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(NOW)


@pytest.fixture
def store(tmp_path: Path, clock: FixedClock) -> Iterator[Embedded]:
    with started(tmp_path / "data", clock=clock, owner_names="Ada Miller") as store:
        yield store


def lasting(known: Profile) -> list[str]:
    return [line.atom.content for lines in known.lasting.values() for line in lines]


def recent(known: Profile) -> list[str]:
    return [line.atom.content for lines in known.recent.values() for line in lines]


def test_what_was_held_for_weeks_lasts_and_what_is_young_is_of_late(store: Embedded) -> None:
    say(store, "I live in Porto.", observed_at=LONG_AGO)
    say(store, "I love rye bread.", observed_at=LATELY)
    known = store.lattice.profile(10)
    assert (lasting(known), recent(known)) == (["I live in Porto."], ["I love rye bread."])
    assert list(known.lasting) == ["fact"]
    assert list(known.recent) == ["preference"]


def test_what_is_told_again_or_thumbed_up_lasts_though_it_is_young(store: Embedded) -> None:
    say(store, "I love rye bread.", observed_at=LATELY)
    say(store, "I live in Porto.", observed_at=LATELY)
    say(store, "I live in Porto.", observed_at="2026-05-25T10:00:00Z")
    change(store, RateAtoms((atom_saying(store, "rye").atom_id,), 0.1))
    known = store.lattice.profile(10)
    assert set(lasting(known)) == {"I live in Porto.", "I love rye bread."}
    assert recent(known) == []


def test_what_was_replaced_is_never_shown(store: Embedded) -> None:
    say(store, "I live in New York.", observed_at=LONG_AGO)
    say(store, "I moved to San Francisco.", observed_at=LATELY)
    known = store.lattice.profile(10)
    assert (lasting(known), recent(known)) == ([], ["I moved to San Francisco."])


def test_where_somebody_moved_is_where_they_live_though_it_was_told_as_an_event(store: Embedded) -> None:
    say(store, "I live in Porto.", observed_at="2025-01-10T10:00:00Z")
    say(store, "I moved from Porto to Lisbon.", observed_at=LONG_AGO)
    assert atom_saying(store, "Lisbon").kind == "event"
    assert lasting(store.lattice.profile(10)) == ["I moved from Porto to Lisbon."]


def test_of_two_in_one_slot_that_ingest_left_standing_the_later_is_shown(store: Embedded) -> None:
    say(store, "I live in Leeds.", observed_at=LONG_AGO)
    say(store, "I live in York.", observed_at=LATELY)
    old = atom_saying(store, "Leeds")
    fields = {"is_superseded": False, "superseded_by": None, "superseded_reason": None}
    changed = store.stores.atoms.set_fields(old.atom_id, fields)
    assert changed is not None
    store.stores.catalogue.put([changed])
    known = store.lattice.profile(10)
    assert (lasting(known), recent(known)) == ([], ["I live in York."])


def test_what_something_newer_puts_in_doubt_is_not_shown_until_it_is_settled(tmp_path: Path, clock: FixedClock) -> None:
    older, newer = "I live in Leeds.", "Finally unpacked the last box here in York."
    with started(tmp_path / "data", clock=clock, judge=ScriptedJudge({(older, newer): 0.7})) as store:
        say(store, older, observed_at=LONG_AGO)
        say(store, newer, observed_at=LATELY)
        assert older not in lasting(store.lattice.profile(10))
        store.lattice.settle(atom_saying(store, "York").atom_id, atom_saying(store, "Leeds").atom_id, "both")
        assert older in lasting(store.lattice.profile(10))


def test_what_is_only_going_to_hold_takes_the_place_of_nothing_before_its_day(store: Embedded, clock: FixedClock) -> None:
    say(store, "I work at Fabrikam.", observed_at=LONG_AGO)
    say(store, f"From {clock.now() + timedelta(days=40):%d %B %Y} I work at Contoso.", observed_at=LATELY)
    assert lasting(store.lattice.profile(10)) == ["I work at Fabrikam."]


def test_what_is_wished_archived_deleted_or_over_is_not_shown(store: Embedded) -> None:
    for words in ("I wish I lived in Rome.", "I love rye bread.", "I live in Porto.", "I am on a diet until April 2026."):
        say(store, words, observed_at=LONG_AGO)
    change(store, ArchiveAtoms((atom_saying(store, "rye").atom_id,)))
    change(store, DeleteAtom(atom_saying(store, "Porto").atom_id))
    over = replace(atom_saying(store, "diet"), valid_until=datetime(2026, 4, 30, tzinfo=UTC))
    store.stores.catalogue.put([(over, store.stores.catalogue.marks([over.atom_id])[over.atom_id][0])])
    known = store.lattice.profile(10)
    assert (lasting(known), recent(known)) == ([], [])


def test_what_a_document_says_of_the_owner_is_learned_and_gives_way_to_their_word(store: Embedded) -> None:
    letter = "Ada Miller works as a nurse. Ada Miller lives in Leeds. Bruno lives in Ghent."
    metadata = CaptureMetadata(title="letter.pdf", observed_at="2026-01-02T10:00:00Z")
    finished(store, send(store, IngestRequest(text=letter, source="document", metadata=metadata)))
    before = store.lattice.profile(10)
    learned = [line for lines in before.lasting.values() for line in lines]
    assert {line.atom.content for line in learned} == {"Ada Miller works as a nurse.", "Ada Miller lives in Leeds."}
    assert {line.origin for line in learned} == {"learned"}
    say(store, "I live in Porto.", observed_at="2026-01-01T10:00:00Z")
    known = {line.atom.content: line.origin for lines in store.lattice.profile(10).lasting.values() for line in lines}
    assert known == {"Ada Miller works as a nurse.": "learned", "I live in Porto.": "stated"}


def test_what_nobody_confirmed_for_years_no_longer_lasts(store: Embedded, clock: FixedClock) -> None:
    say(store, "I live in Porto.")
    clock.advance(timedelta(days=365))
    assert lasting(store.lattice.profile(10)) == ["I live in Porto."]
    clock.advance(timedelta(days=9 * 365))
    assert lasting(store.lattice.profile(10)) == []


def test_a_budget_of_tokens_is_kept_and_what_has_no_room_is_counted(store: Embedded) -> None:
    for number in range(6):
        say(store, f"My sister number {number} works as a teacher in town number {number}.", observed_at=LONG_AGO)
        say(store, f"I love rye bread from bakery number {number}.", observed_at=LATELY)
    whole, cut = store.lattice.profile(100), store.lattice.profile(100, tokens=100)
    assert cut.tokens <= 100 < whole.tokens
    assert len(lasting(cut)) + len(recent(cut)) + cut.left_out == len(lasting(whole)) + len(recent(whole))
    assert lasting(cut)
    assert recent(cut)
    assert whole.left_out == 0
    assert max(len(lines) for lines in store.lattice.profile(3).lasting.values()) == 3
