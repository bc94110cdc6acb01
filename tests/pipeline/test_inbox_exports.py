"""Exports of other programs in the inbox: kept thing by thing, with an account beside the file in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.importers import intake
from lattice_common.capture.request import IngestRequest
from lattice_common.errors import Unavailable

from tests.pipeline.inbox_desk import Desk

DONE = "processed/2026-01-05/conversations.json"


def talks(*said: str) -> str:
    return json.dumps(
        [
            {"uuid": f"u{at}", "name": f"Talk {at}", "chat_messages": [{"sender": "human", "text": words}]}
            for at, words in enumerate(said)
        ]
    )


def kept(desk: Desk) -> list[str]:
    return [said.messages[0].content for said in desk.journal.kept.values() if isinstance(said, IngestRequest) and said.messages]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path / "inbox")
    yield desk
    desk.inbox.close()


def test_a_dropped_export_is_kept_thing_by_thing_and_accounted_for(desk: Desk) -> None:
    desk.drop("conversations.json", talks("I adopted a cat.", "My rent is 950 euros.", ""))
    desk.settle()
    desk.look(0)
    desk.look(0)
    assert kept(desk) == ["I adopted a cat.", "My rent is 950 euros."]
    assert {each.metadata.source_id for each in desk.journal.kept.values() if isinstance(each, IngestRequest)} == {
        "conversations.json"
    }
    assert desk.files() == {DONE, f"{DONE}.why.txt"}
    account = (desk.root / f"{DONE}.why.txt").read_text()
    assert "3 things: 2 stored" in account
    assert "1 left out" in account
    assert "Talk 2: it holds no words" in account
    assert 'lattice import undo "conversations.json"' in account


def test_it_lies_there_until_all_receipts_have_come(desk: Desk) -> None:
    desk.journal.end = None
    desk.drop("conversations.json", talks("I adopted a cat."))
    desk.settle()
    for _ in range(3):
        assert desk.look().pending
    assert desk.files() == {"conversations.json"}
    assert desk.inbox.state().reading == 1
    desk.journal.end = "stored"
    desk.look()
    assert DONE in desk.files()
    assert desk.inbox.state().reading == 0


def test_a_second_start_keeps_only_what_is_missing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    said = [f"The box number {at} is red." for at in range(7)]
    desk.journal.end = None
    desk.drop("conversations.json", talks(*said))
    monkeypatch.setattr("lattice_common.capture.inbox.BATCH", 3)
    desk.settle()
    desk.look(0)
    assert len(kept(desk)) == 3
    desk.reopen()
    desk.settle()
    for _ in range(4):
        desk.look(0)
    assert kept(desk) == said
    assert desk.journal.asked == 3 + 7
    desk.journal.end = "stored"
    desk.look(0)
    desk.look(0)
    assert "7 things: 7 stored" in (desk.root / f"{DONE}.why.txt").read_text()


def test_while_receipts_are_missing_no_more_is_kept_than_is_bearable(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake.Intake.__init__, "__defaults__", (2,))
    desk.journal.end = None
    desk.drop("conversations.json", talks(*(f"The box number {at} is red." for at in range(5))))
    desk.settle()
    for _ in range(3):
        assert not desk.look().more
    assert len(kept(desk)) == 2
    desk.journal.end = "stored"
    for _ in range(4):
        desk.look(0)
    assert len(kept(desk)) == 5
    assert DONE in desk.files()


def test_what_could_not_be_kept_now_is_kept_by_the_next_look(desk: Desk) -> None:
    desk.drop("conversations.json", talks("I adopted a cat.", "My rent is 950 euros."))
    desk.settle()
    desk.journal.fault = Unavailable("the disk is full")
    with pytest.raises(Unavailable):
        desk.look(0)
    assert kept(desk) == []
    desk.journal.fault = None
    desk.look(0)
    desk.look(0)
    assert kept(desk) == ["I adopted a cat.", "My rent is 950 euros."]
    assert "2 things: 2 stored" in (desk.root / f"{DONE}.why.txt").read_text()


def test_an_export_that_breaks_off_goes_to_failed_with_what_was_kept(desk: Desk) -> None:
    desk.drop("conversations.json", talks("I adopted a cat.", *(f"The box number {at} is red." for at in range(30)))[:-40])
    desk.settle()
    desk.look(0)
    desk.look(0)
    (why,) = [path for path in desk.files() if path.endswith(".why.txt")]
    told = (desk.root / why).read_text()
    assert kept(desk)[0] == "I adopted a cat."
    assert "cannot be read" in told or "could not be read" in told


def test_an_export_that_is_taken_away_meanwhile_is_let_go(desk: Desk) -> None:
    desk.journal.end = None
    path = desk.drop("conversations.json", talks("I adopted a cat."))
    desk.settle()
    path.unlink()
    desk.look()
    assert desk.inbox.state().reading == 0
    assert desk.files() == set()


def test_notes_of_a_vault_are_the_owners_in_a_folder_that_the_owner_named(desk: Desk) -> None:
    from tests.unit.test_exports import zipped

    vault = zipped(_dot_obsidian__app_dot_json=b"{}", boat_dot_md=b"The boat is in berth 12.")
    desk.drop("mine/vault.zip", vault)
    desk.drop("other.zip", vault)
    desk.settle()
    desk.look(0)
    desk.look(0)
    assert {(each.request.source_id, each.request.source) for each in desk.journal.files} == {
        ("vault.zip", "user"),
        ("other.zip", None),
    }
