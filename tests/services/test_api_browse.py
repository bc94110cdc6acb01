"""Looking through memory over HTTP: lists with filters, sources as a whole, what changed, what needs its owner, the trash."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lattice_api.access import Access
from lattice_api.app import create_app
from lattice_api.token_file import TokenFile
from lattice_common.composition import open_reader
from lattice_common.domain.capture import Derive
from lattice_common.settings import Settings

from tests.services.door import Door, client, opened

NOWHERE = "http://127.0.0.1:1"
BERLIN, LISBON = "I live in Berlin.", "I moved from Berlin to Lisbon."
METER = "The gas meter is behind the green door."


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    """A life in a few sentences, which tests look at and do not change."""
    with opened(tmp_path_factory.mktemp("browse") / "data") as door:
        door.tell(BERLIN, metadata={"observed_at": "2025-01-10T10:00:00Z"})
        door.tell(f"{METER} Ingrid from flat 12 waters the plants.", metadata={"observed_at": "2025-03-02T10:00:00Z"})
        door.tell("I want to learn to sail with Ingrid.", metadata={"observed_at": "2025-03-31T23:30:00Z"})
        door.tell(LISBON, metadata={"observed_at": "2026-05-14T10:00:00Z"})
        door.give(
            "house.md", b"# House\n\nThe boiler was serviced by Brandt.\n\nThe fuse box is in the hall.\n", source_id="house"
        )
        yield door


def browse(door: Door, **wanted: Any) -> dict[str, Any]:
    response = door.http.get("/api/atoms", params=wanted)
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def said(found: dict[str, Any]) -> list[str]:
    return [atom["content"] for atom in found["atoms"]]


def test_those_of_some_ids_that_are_there(life: Door) -> None:
    ids = [atom["atom_id"] for atom in browse(life, about="Ingrid")["atoms"]]
    found = browse(life, ids=[*ids, "01j00000000000000000000000"])
    assert sorted(atom["atom_id"] for atom in found["atoms"]) == sorted(ids)
    assert browse(life, ids=ids[:1], about="Berlin")["total"] == 0


def test_all_memories_come_newest_said_first_with_a_total_and_months(life: Door) -> None:
    found = browse(life)
    assert found["total"] == len(found["atoms"])
    assert found["cursor"] is None
    dates = [atom["observed_at"] for atom in found["atoms"]]
    assert dates == sorted(dates, reverse=True)
    months = {each["month"]: each["count"] for each in found["months"]}
    assert (months["2025-01"], months["2025-03"], months["2026-05"]) == (1, 3, 1)
    assert sum(months.values()) == found["total"]


def test_months_begin_where_the_reader_is(life: Door) -> None:
    months = {each["month"]: each["count"] for each in browse(life, offset=120)["months"]}
    assert (months["2025-03"], months["2025-04"]) == (2, 1)


def test_pages_follow_one_another_without_a_gap_or_a_repetition(life: Door) -> None:
    every, cursor, seen = said(browse(life)), None, []
    while True:
        page = browse(life, limit=2, **({"cursor": cursor} if cursor else {}))
        seen += said(page)
        cursor = page["cursor"]
        if cursor is None:
            break
    assert seen == every


def test_a_cursor_that_is_none_is_refused_by_name(life: Door) -> None:
    refused = life.http.get("/api/atoms", params={"cursor": "yesterday"})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "cursor"


def test_a_filter_leaves_what_fits_alone(life: Door) -> None:
    assert said(browse(life, about="berlin")) == [LISBON, BERLIN]
    assert browse(life, about="Nobody")["total"] == 0
    assert said(browse(life, standing="replaced")) == [BERLIN]
    [berlin], [lisbon] = (
        browse(life, about=name, standing=how)["atoms"] for name, how in (("Berlin", "replaced"), ("Lisbon", "current"))
    )
    assert berlin["successor"]["content"] == LISBON
    assert berlin["successor"]["on"].startswith("2026-05-14")
    assert "successor" not in lisbon
    assert [old["content"] for old in lisbon["predecessors"]] == [BERLIN]
    assert lisbon["predecessors"][0]["on"] == berlin["successor"]["on"]
    assert "predecessors" not in berlin


def test_whatever_lists_a_replaced_memory_names_what_took_its_place(life: Door) -> None:
    http = life.http
    found = http.post("/api/select", json={"query": "Where do I live?", "include_superseded": True}).json()["atoms"]
    lists = {
        "found": found,
        "recent": http.get("/api/atoms/recent?limit=50").json()["atoms"],
        "timeline": [each["atom"] for each in http.get("/api/timeline").json()["timeline"]],
        "text": http.get(f"/api/captures/{next(each for each in found if each['is_superseded'])['capture_id']}/text").json()[
            "remembered"
        ],
    }
    for name, atoms in lists.items():
        replaced = [atom for atom in atoms if atom["is_superseded"]]
        assert replaced, name
        assert {atom["successor"]["content"] for atom in replaced} == {LISBON}, name
        assert not [atom for atom in atoms if not atom["is_superseded"] and "successor" in atom], name
    assert BERLIN not in said(browse(life, standing="current"))
    assert said(browse(life, after="2026-01-01T00:00:00Z", before="2026-06-01T00:00:00Z")) == [LISBON]
    assert all(atom["kind"] == "goal" for atom in browse(life, kind="goal")["atoms"])
    assert browse(life, status="joked")["total"] == 0
    assert browse(life, source="house")["total"] == 2
    assert browse(life, disagreeing=True)["total"] == 0


def test_what_the_product_concluded_is_left_out_where_only_what_was_told_is_asked_for(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        door.tell("The cello came from my aunt.", metadata={"observed_at": "2026-03-02T09:00:00Z"})
        told = browse(door)["atoms"]
        sources = {atom["atom_id"]: atom["content_hash"] for atom in told}
        door.embedded.lattice.change(
            Derive("synthesis", "The cello is my aunt's.", "cello", sources, "model:scripted"), timeout=30
        )
        assert browse(door)["total"] == 2
        assert said(browse(door, concluded=False)) == ["The cello came from my aunt."]
        since = {"start": "2026-01-01T00:00:00Z", "end": "2100-01-01T00:00:00Z"}
        assert door.http.get("/api/difference", params=since).json()["learned_count"] == 1


def test_what_was_true_on_a_day_is_what_had_begun_and_not_been_replaced(life: Door) -> None:
    assert BERLIN in said(browse(life, as_of="2025-06-01T00:00:00Z"))
    now = said(browse(life, as_of="2026-06-01T00:00:00Z"))
    assert BERLIN not in now
    assert LISBON in now
    assert browse(life, as_of="2024-01-01T00:00:00Z")["total"] == 0


def test_the_difference_between_two_days_shows_old_beside_new(life: Door) -> None:
    asked = {"start": "2025-06-01T00:00:00Z", "end": "2026-06-01T00:00:00Z"}
    found = life.http.get("/api/difference", params=asked).json()
    assert [(each["old"]["content"], each["new"]["content"]) for each in found["replaced"]] == [(BERLIN, LISBON)]
    assert found["replaced_count"] == 1
    assert (found["learned"], found["learned_count"]) == ([], 0)
    earlier = life.http.get("/api/difference", params={"start": "2025-03-01T00:00:00Z", "end": "2025-04-01T00:00:00Z"}).json()
    assert earlier["learned_count"] == 3
    about = life.http.get("/api/difference", params=asked | {"about": "Lisbon"}).json()
    assert about["replaced_count"] == 0, "what was replaced spoke of Berlin"
    assert life.http.get("/api/difference", params=asked | {"about": "Berlin"}).json()["replaced_count"] == 1
    backwards = life.http.get("/api/difference", params={"start": asked["end"], "end": asked["start"]})
    assert backwards.status_code == 422


def test_names_are_found_by_how_a_word_of_them_begins(life: Door) -> None:
    names = [each["name"] for each in life.http.get("/api/names", params={"beginning": "gas"}).json()["names"]]
    assert [name.lower() for name in names] == ["gas meter"]
    assert life.http.get("/api/names", params={"beginning": "met"}).json()["names"]
    assert life.http.get("/api/names", params={"beginning": "zzz"}).json()["names"] == []


def test_names_beside_one_are_those_that_its_memories_mention(life: Door) -> None:
    life.tell("I flew from Berlin to Porto on 3 May 2040.")
    life.tell("I owe Nora 60 euros for the train to Berlin.")
    beside = {each["name"] for each in life.http.get("/api/names/beside", params={"name": "Berlin"}).json()["names"]}
    assert "Porto" in beside
    assert not any("2040" in name or "euros" in name for name in beside)
    assert "Nora" in beside
    assert "Lisbon" in beside
    assert "Berlin" not in beside


def test_a_source_is_shown_whole_with_spans_that_are_its_memories_quotes(life: Door) -> None:
    source = life.http.get("/api/sources/house").json()
    assert source["memories"] == 2
    [capture] = source["captures"]
    assert capture["opening"] == "# House The boiler was serviced by Brandt. The fuse box is in the hall."
    text = life.http.get(f"/api/captures/{capture['capture_id']}/text").json()
    assert text["original"] == "house.md"
    assert text["total"] == len(text["text"])
    marked = [text["text"][each["start"] : each["end"]] for each in text["remembered"]]
    assert marked == ["The boiler was serviced by Brandt.", "The fuse box is in the hall."]
    assert text["memories"] == 2
    assert life.http.get("/api/sources/nowhere").status_code == 404
    assert life.http.get("/api/captures/01j00000000000000000000000/text").status_code == 404


def test_a_long_text_comes_in_stretches_that_join_to_the_whole(tmp_path: Path) -> None:
    words = "".join(f"On day {day} the meter of flat {day} stood at {day * 7 + 4000}.\n" for day in range(1, 121))
    with opened(tmp_path / "data") as door:
        receipt = door.tell(words)
        parts, start, spans = [], 0, 0
        while True:
            asked = {"start": start, "limit": 1000}
            part = door.http.get(f"/api/captures/{receipt['capture_id']}/text", params=asked).json()
            parts.append(part["text"])
            for each in part["remembered"]:
                assert each["start"] < part["start"] + len(part["text"])
                assert each["end"] > part["start"]
            spans += len(part["remembered"])
            start = part["start"] + len(part["text"])
            if start == part["total"]:
                break
        assert "".join(parts) == words
        assert len(parts) > 3
        assert spans == part["memories"]


def test_a_conversations_speakers_are_named_where_they_speak(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        messages = [
            {"role": "user", "name": "Ada", "content": "I live in Porto."},
            {"role": "user", "name": "Ben", "content": "I live in Ghent."},
        ]
        sent = door.http.post("/api/ingest", json={"messages": messages, "source_type": "chat", "wait": True})
        text = door.http.get(f"/api/captures/{sent.json()['capture_id']}/text").json()
        spoken = {turn["speaker"]: text["text"][turn["start"] : turn["end"]] for turn in text["turns"]}
        assert spoken == {"Ada": "I live in Porto.", "Ben": "I live in Ghent."}


def test_what_was_deleted_lies_in_the_trash_and_is_restored_by_its_change(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        atom_id = door.tell(METER)["atom_ids"][0]
        assert door.http.get("/api/trash").json() == {"trash": []}
        change_id = door.http.delete(f"/api/atoms/{atom_id}").json()["change_id"]
        [trashed] = door.http.get("/api/trash").json()["trash"]
        assert trashed["change_id"] == change_id
        assert trashed["count"] == 1
        assert [atom["content"] for atom in trashed["atoms"]] == [METER]
        assert trashed["until"] > trashed["deleted_at"]
        assert browse(door)["total"] == 0
        assert door.http.post(f"/api/undo/{change_id}").status_code == 200
        assert door.http.get("/api/trash").json() == {"trash": []}
        assert said(browse(door)) == [METER]


def test_what_is_listed_goes_on_from_a_place(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        for text in (METER, "The fuse box is in the hall.", "Ingrid has my spare key."):
            kept = door.tell(text, metadata={"source_id": text})
            door.http.post("/api/feedback", json={"atom_ids": kept["atom_ids"], "verdict": "wrong"})
        for route, name in (("feedback", "to_correct"), ("imports", "imports")):
            listed = door.http.get(f"/api/{route}").json()[name]
            assert len(listed) == 3
            assert door.http.get(f"/api/{route}?start=1&limit=1").json()[name] == listed[1:2]
        for each in listed:
            door.http.delete(f"/api/sources/{each['source_id']}")
        deleted = door.http.get("/api/trash").json()["trash"]
        assert len(deleted) == 3
        assert door.http.get("/api/trash?start=2").json()["trash"] == deleted[2:]


def test_a_deletion_of_several_is_one_entry_of_the_trash(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        ids = door.tell(f"{METER} The fuse box is in the hall.")["atom_ids"]
        shown = door.http.post("/api/forget", json={"atom_ids": ids}).json()
        door.http.post("/api/forget", json={"atom_ids": ids, "confirm": shown["confirm"]})
        [trashed] = door.http.get("/api/trash").json()["trash"]
        assert trashed["count"] == 2


def test_all_that_one_deletion_took_can_be_read(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        words = [f"The box {number} in the cellar holds lamp number {number}." for number in range(1, 31)]
        door.tell(" ".join(words), metadata={"source_id": "cellar"})
        ids = [atom["atom_id"] for atom in browse(door, source="cellar")["atoms"]]
        assert len(ids) == len(words)
        change_id = door.http.delete("/api/sources/cellar").json()["change_id"]
        [trashed] = door.http.get("/api/trash").json()["trash"]
        first = said(trashed)
        assert (trashed["count"], len(first) < len(words)) == (len(words), True)

        def rest(start: int, limit: int = 100) -> list[str]:
            return said(door.http.get(f"/api/trash/{change_id}", params={"start": start, "limit": limit}).json())

        assert sorted([*first, *rest(len(first))]) == sorted(words)
        assert rest(0, 3) == first[:3]
        assert rest(len(words)) == []
        assert door.http.get(f"/api/trash/{ids[0]}").json() == {"atoms": []}
        door.http.post(f"/api/undo/{change_id}").raise_for_status()
        assert rest(0) == []


def test_what_was_called_wrong_needs_its_owner_until_it_is_corrected(tmp_path: Path) -> None:
    with opened(tmp_path / "data") as door:
        atom_id = door.tell(METER)["atom_ids"][0]
        assert door.http.get("/api/needs").json()["count"] == 0
        door.http.post("/api/feedback", json={"atom_ids": [atom_id], "verdict": "wrong"})
        needs = door.http.get("/api/needs").json()
        assert (needs["to_correct"], needs["count"]) == (1, 1)
        door.http.patch(f"/api/atoms/{atom_id}", json={"content": "The gas meter is in the cellar."}, headers={"if-match": "*"})
        assert door.http.get("/api/needs").json()["count"] == 0


def test_a_server_reads_the_same_folder_alike_with_none_of_its_engines_there(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with opened(root) as door:
        capture_id = door.tell(METER)["capture_id"]
        atom_id = door.tell("The fuse box is in the hall.")["atom_ids"][0]
        door.http.delete(f"/api/atoms/{atom_id}")
        paths = ("/api/atoms", f"/api/captures/{capture_id}/text", f"/api/sources/{capture_id}", "/api/trash", "/api/names")
        written = {path: door.http.get(path).json() for path in paths}
    settings = Settings(
        _env_file=None, data_dir=root, mode="server", embed_model="none", llm_provider="none", auth=False,
        redis_url="redis://127.0.0.1:1", opensearch_url=NOWHERE, qdrant_url=NOWHERE, graph_url=NOWHERE,
    )  # type: ignore[call-arg]  # fmt: skip
    with open_reader(settings) as reader:
        app = create_app(reader.lattice, Access(TokenFile(root), settings), settings)
        with client(app, None) as http:
            assert {path: http.get(path).json() for path in paths} == written
            assert http.get("/api/needs").json()["count"] == 0
            assert http.get("/memories").status_code == 200
