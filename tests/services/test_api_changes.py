"""`GET /api/changes`: every open page hears of what changes, through whatever door it came."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.limits import RequestLimits
from lattice_api.token_file import TokenFile
from lattice_common.composition import open_reader
from lattice_common.settings import Settings

from tests.services.door import Door, opened
from tests.serving import serving

PATIENCE = 10.0


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Door, httpx2.Client]]:
    with opened(tmp_path / "data") as door, serving(door.app) as url:
        with httpx2.Client(base_url=url, headers={"authorization": f"Bearer {door.token}"}, timeout=PATIENCE) as http:
            yield door, http
        door.app.state.ending.set()


def heard(response: httpx2.Response) -> Iterator[tuple[str, dict[str, Any]]]:
    event = ""
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if name == "event":
            event = value
        elif name == "data":
            yield event, json.loads(value)


def test_who_looks_on_hears_of_memories_and_of_the_conversation(served: tuple[Door, httpx2.Client]) -> None:
    door, http = served
    with http.stream("GET", "/api/changes") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        events = heard(response)
        event, first = next(events)
        assert (event, list(first)) == ("mark", ["mark"])
        door.tell("The spare key is with Ines.")
        event, told = next(events)
        assert (event, told["memories"]) == ("changed", True)
        assert told["mark"] != first["mark"]
        door.stream("Who has the spare key?", intent="ask")
        assert any(each["conversation"] for _, each in (next(events), told))


def test_a_stream_that_is_taken_up_again_says_what_was_missed(served: tuple[Door, httpx2.Client]) -> None:
    door, http = served

    def first(since: str) -> tuple[str, dict[str, Any]]:
        with http.stream("GET", "/api/changes", params={"since": since} if since else {}) as response:
            return next(heard(response))

    mark = first("")[1]["mark"]
    assert first(mark) == ("mark", {"mark": mark})
    changed = door.tell("The spare key is with Ines.")
    event, missed = first(mark)
    assert (event, missed["memories"], missed["conversation"]) == ("changed", True, True)
    door.http.patch(
        f"/api/atoms/{changed['atom_ids'][0]}", json={"content": "The spare key is with Ana."}, headers={"if-match": "*"}
    )
    assert first(missed["mark"])[0] == "changed"


def test_who_looks_on_hears_nothing_any_more_once_their_token_is_revoked(served: tuple[Door, httpx2.Client]) -> None:
    door, http = served
    headers = {"authorization": f"Bearer {door.access.store.add_token('guest', ['read'])}"}
    with http.stream("GET", "/api/changes", headers=headers) as response:
        events = heard(response)
        assert next(events)[0] == "mark"
        assert door.http.delete("/api/tokens/guest").status_code == 200
        door.tell("The spare key is with Ines.")
        assert list(events) == []


def test_no_more_look_on_than_there_is_room_for(served: tuple[Door, httpx2.Client]) -> None:
    door, http = served
    door.app.state.limits = RequestLimits(watchers_at_once=1)
    with http.stream("GET", "/api/changes") as response:
        assert response.status_code == 200
        events = heard(response)  # held: a reader that is let go closes the connection, and its place is free again
        assert next(events)[0] == "mark"
        refused = http.get("/api/changes")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "30")


def test_the_stream_ends_when_lattice_does(served: tuple[Door, httpx2.Client]) -> None:
    door, http = served
    with http.stream("GET", "/api/changes") as response:
        events = heard(response)
        next(events)
        door.app.state.ending.set()
        assert list(events) == []


def test_a_deployments_reader_tells_of_what_its_writer_wrote(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell("I live in Porto.")
        settings = Settings(_env_file=None, data_dir=door.root, embed_model="none", mode="server")  # type: ignore[call-arg]
        with open_reader(settings) as reader:
            access = Access(TokenFile(tmp_path / "access"), settings)
            token = access.make_first_token()
            app = create_app(reader.lattice, access, settings)
            with serving(app) as url, httpx2.Client(base_url=url, timeout=PATIENCE) as http:
                with http.stream("GET", "/api/changes", headers={"authorization": f"Bearer {token}"}) as response:
                    events = heard(response)
                    assert next(events)[0] == "mark"
                    door.tell("The spare key is with Ines.")
                    assert next(events)[1]["memories"]
                app.state.ending.set()
