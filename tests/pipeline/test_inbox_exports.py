"""Exports of other programs in the inbox: kept thing by thing, with an account beside the file in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.inbox import Portion
from lattice_common.capture.request import IngestRequest
from lattice_common.errors import Unavailable

from tests.pipeline.inbox_harness import InboxHarness

DONE = "processed/2026-01-05/conversations.json"


def talks(*said: str) -> str:
    return json.dumps(
        [
            {"uuid": f"u{at}", "name": f"Talk {at}", "chat_messages": [{"sender": "human", "text": words}]}
            for at, words in enumerate(said)
        ]
    )


def kept(harness: InboxHarness) -> list[str]:
    return [
        said.messages[0].content for said in harness.journal.kept.values() if isinstance(said, IngestRequest) and said.messages
    ]


@pytest.fixture
def harness(tmp_path: Path) -> Iterator[InboxHarness]:
    harness = InboxHarness(tmp_path / "inbox")
    yield harness
    harness.inbox.close()


def test_a_dropped_export_is_kept_thing_by_thing_and_accounted_for(harness: InboxHarness) -> None:
    harness.drop("conversations.json", talks("I adopted a cat.", "My rent is 950 euros.", ""))
    harness.settle()
    harness.look(0)
    harness.look(0)
    assert kept(harness) == ["I adopted a cat.", "My rent is 950 euros."]
    assert {each.metadata.source_id for each in harness.journal.kept.values() if isinstance(each, IngestRequest)} == {
        "conversations.json (Claude)"
    }
    assert harness.files() == {DONE, f"{DONE}.why.txt"}
    account = (harness.root / f"{DONE}.why.txt").read_text()
    assert "3 things: 2 stored" in account
    assert "1 left out" in account
    assert "Talk 2: it holds no words" in account
    assert 'lattice import undo "conversations.json (Claude)"' in account


def test_it_lies_there_until_all_receipts_have_come(harness: InboxHarness) -> None:
    harness.journal.end = None
    harness.drop("conversations.json", talks("I adopted a cat."))
    harness.settle()
    for _ in range(3):
        assert harness.look().pending
    assert harness.files() == {"conversations.json"}
    assert harness.inbox.state().reading == 1
    harness.journal.end = "stored"
    harness.look()
    assert DONE in harness.files()
    assert harness.inbox.state().reading == 0


def test_a_second_start_keeps_only_what_is_missing(harness: InboxHarness) -> None:
    harness.portion = Portion(most=3)
    harness.reopen()
    said = [f"The box number {at} is red." for at in range(7)]
    harness.journal.end = None
    harness.drop("conversations.json", talks(*said))
    harness.settle()
    harness.look(0)
    assert len(kept(harness)) == 3
    harness.reopen()
    harness.settle()
    for _ in range(4):
        harness.look(0)
    assert kept(harness) == said
    assert harness.journal.asked == 3 + 7
    harness.journal.end = "stored"
    harness.look(0)
    harness.look(0)
    assert "7 things: 7 stored" in (harness.root / f"{DONE}.why.txt").read_text()


def test_while_receipts_are_missing_no_more_is_kept_than_is_bearable(harness: InboxHarness) -> None:
    harness.portion = Portion(waiting=2)
    harness.reopen()
    harness.journal.end = None
    harness.drop("conversations.json", talks(*(f"The box number {at} is red." for at in range(5))))
    harness.settle()
    for _ in range(3):
        assert not harness.look().more
    assert len(kept(harness)) == 2
    harness.journal.end = "stored"
    for _ in range(4):
        harness.look(0)
    assert len(kept(harness)) == 5
    assert DONE in harness.files()


def test_what_could_not_be_kept_now_is_kept_by_the_next_look(harness: InboxHarness) -> None:
    harness.drop("conversations.json", talks("I adopted a cat.", "My rent is 950 euros."))
    harness.settle()
    harness.journal.fault = Unavailable("the disk is full")
    with pytest.raises(Unavailable):
        harness.look(0)
    assert kept(harness) == []
    harness.journal.fault = None
    harness.look(0)
    harness.look(0)
    assert kept(harness) == ["I adopted a cat.", "My rent is 950 euros."]
    assert "2 things: 2 stored" in (harness.root / f"{DONE}.why.txt").read_text()


def test_an_export_that_breaks_off_goes_to_failed_with_what_was_kept(harness: InboxHarness) -> None:
    harness.drop("conversations.json", talks("I adopted a cat.", *(f"The box number {at} is red." for at in range(30)))[:-40])
    harness.settle()
    harness.look(0)
    harness.look(0)
    (why,) = [path for path in harness.files() if path.endswith(".why.txt")]
    told = (harness.root / why).read_text()
    assert kept(harness)[0] == "I adopted a cat."
    assert "cannot be read" in told or "could not be read" in told


def test_an_export_that_is_taken_away_meanwhile_is_let_go(harness: InboxHarness) -> None:
    harness.journal.end = None
    path = harness.drop("conversations.json", talks("I adopted a cat."))
    harness.settle()
    path.unlink()
    harness.look()
    assert harness.inbox.state().reading == 0
    assert harness.files() == set()


def test_notes_of_a_vault_are_the_owners_in_a_folder_that_the_owner_named(harness: InboxHarness) -> None:
    from tests.unit.test_exports import zipped

    vault = zipped(_dot_obsidian__app_dot_json=b"{}", boat_dot_md=b"The boat is in berth 12.")
    harness.drop("mine/vault.zip", vault)
    harness.drop("other.zip", vault)
    harness.settle()
    harness.look(0)
    harness.look(0)
    assert {(each.request.source_id, each.request.source) for each in harness.journal.files} == {
        ("vault.zip (Obsidian)", "user"),
        ("other.zip (Obsidian)", None),
    }
