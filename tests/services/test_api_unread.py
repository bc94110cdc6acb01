"""Files that could not be read wait for their owner, and what was taken back is known as that in every window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.door import Door, opened

TORN = b"%PDF-1.7\n1 0 obj << /Type /Catalog"


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data") as door:
        yield door


def test_a_file_that_could_not_be_read_is_listed_and_counted_until_it_is_dismissed(door: Door) -> None:
    given = door.give("boiler-manual.pdf", TORN)
    assert given["state"] == "rejected"
    [unread] = door.http.get("/api/unread").json()["unread"]
    assert (unread["capture_id"], unread["name"]) == (given["capture_id"], "boiler-manual.pdf")
    assert unread["reason"]
    assert door.http.get("/api/needs").json()["files"] == 1
    path = f"/api/unread/{given['capture_id']}/dismiss"
    assert door.http.post(path).json() == {"capture_id": given["capture_id"], "dismissed": True}
    assert door.http.get("/api/unread").json()["unread"] == []
    assert door.http.get("/api/needs").json()["count"] == 0
    assert door.http.delete(path).json()["dismissed"] is False
    assert door.http.get("/api/needs").json()["count"] == 1


def test_what_was_never_unreadable_cannot_be_dismissed(door: Door) -> None:
    told = door.tell("The spare fuse is in the drawer by the door.")
    assert door.http.post(f"/api/unread/{told['capture_id']}/dismiss").status_code == 404


def test_a_turn_says_what_became_of_what_it_told(door: Door) -> None:
    door.give("boiler-manual.pdf", TORN)
    door.tell("Thanks!")
    door.tell("The spare fuse is in the drawer by the door.")
    remembered, thanks, file = door.http.get("/api/chat/recent").json()["turns"]
    assert (file["question"], file["told"]["file"], file["told"]["unreadable"]) == ("boiler-manual.pdf", True, True)
    assert file["told"]["reason"]
    assert (thanks["told"]["state"], thanks["told"]["file"]) == ("stored", False)
    assert (remembered["told"]["state"], remembered["told"]["unreadable"]) == ("stored", False)


def test_what_was_taken_back_is_known_as_that_with_what_puts_it_back(door: Door) -> None:
    told = door.tell("The spare fuse is in the drawer by the door.")["capture_id"]
    other = door.tell("Piet repairs bicycles.")["capture_id"]
    undo = door.http.post(f"/api/undo/{told}").json()["change_id"]

    def standing() -> object:
        return door.http.get("/api/undone", params={"ids": [told, other]}).json()["undone"]

    assert standing() == {told: {"undone": True, "change_id": undo}}
    again = door.http.post(f"/api/undo/{undo}").json()["change_id"]
    assert standing() == {told: {"undone": False, "change_id": again}}
    assert door.http.post(f"/api/undo/{again}").status_code == 200
    assert door.http.get("/api/undone", params={"ids": [told]}).json()["undone"][told]["undone"] is True
