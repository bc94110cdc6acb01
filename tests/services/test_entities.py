"""Who is who, through the doors: asked about, corrected, undone, and the same after everything derived was made anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.upkeep.doctor import Patient, examine

from tests.services.cli_product import Shell, running
from tests.services.door import Door, client, opened

TOLD = (
    ("2026-01-05T10:00:00Z", "My brother Ilya moved to Gothenburg."),
    ("2026-01-06T10:00:00Z", "Waffles, Dana's terrier, chewed the hose."),
    ("2026-01-07T10:00:00Z", "Our dentist is Dr. Roth."),
    ("2026-02-05T10:00:00Z", "Ilya lands at 18:40 on Friday."),
    ("2026-04-05T10:00:00Z", "Our new dentist is Dr. Adeyemi."),
    ("2026-04-06T10:00:00Z", "Adeyemi found a crack in a molar."),
    ("2026-04-07T10:00:00Z", "Walter was a signalman for forty years."),
    ("2026-04-08T10:00:00Z", "My colleague Walter Braun knits."),
    ("2026-04-09T10:00:00Z", "Jonas lands at noon."),
)


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data") as door:
        for observed_at, text in TOLD:
            door.tell(text, metadata={"observed_at": observed_at})
        yield door


def who(door: Door, name: str) -> dict[str, Any]:
    response = door.http.get("/api/entity", params={"name": name})
    assert response.status_code == 200, response.text
    return dict(response.json())


def corrected(door: Door, how: str, name: str, other: str) -> str:
    response = door.http.post(f"/api/entities/{how}", json={"name": name, "other": other})
    assert response.status_code == 200, response.text
    return str(response.json()["change_id"])


def test_a_question_by_a_role_finds_what_names_whoever_has_it(door: Door) -> None:
    found = door.select("Who lands when, as to my brother?", explain=True)
    landing = [atom for atom in found["atoms"] if " lands " in atom["content"]]
    assert [atom["content"].split()[0] for atom in landing] == ["Ilya", "Jonas"]
    assert [atom["signals"]["who"]["contribution"] > 0 for atom in landing] == [True, False]
    [meant] = found["meant"]
    assert (meant["asked"], meant["names"], meant["entities"]) == ("my brother", ["Ilya"], ["ilya"])
    assert len(meant["proofs"]) == 1


def test_what_is_meant_is_said_only_where_it_is_to_be_explained(door: Door) -> None:
    assert door.select("When does my brother land?").get("meant") is None


def test_a_role_is_asked_about_at_the_time_of_the_question(door: Door) -> None:
    def names(**more: Any) -> list[str]:
        return [name for each in door.select("Who is our dentist?", explain=True, **more)["meant"] for name in each["names"]]

    assert names() == ["Dr. Adeyemi"]
    assert names(as_of="2026-02-01T00:00:00Z") == ["Dr. Roth"]


def test_an_entity_comes_with_what_says_who_it_is_and_what_mentions_it(door: Door) -> None:
    found = who(door, "my brother")
    assert (found["name"], found["kind"], [role["phrase"] for role in found["roles"]]) == ("Ilya", "person", ["my brother"])
    assert [atom["content"] for atom in found["proofs"]] == ["My brother Ilya moved to Gothenburg."]
    landing, moving = (atom["content"] for atom in found["mentions"])
    assert landing.startswith("Ilya lands at 18:40 on Friday")
    assert moving == "My brother Ilya moved to Gothenburg."
    assert door.http.get("/api/entities/ilya").json() == found == who(door, "Ilja")
    assert door.http.get("/api/entity", params={"name": "Nobody"}).status_code == 404


def test_entities_are_listed_by_kind_and_by_name(door: Door) -> None:
    def listed(**asked: str) -> list[str]:
        return [each["name"] for each in door.http.get("/api/entities", params=asked).json()["entities"]]

    assert listed(kind="animal") == ["Waffles"]
    assert listed(named="ade") == ["Dr. Adeyemi"]
    [roth] = door.http.get("/api/entities", params={"named": "roth"}).json()["entities"]
    assert roth["roles"][0]["until"].startswith("2026-04-05")


def test_a_merge_joins_a_name_and_a_role_and_an_undo_parts_them(door: Door) -> None:
    change_id = corrected(door, "merge", "Walter", "my grandfather")
    assert who(door, "my grandfather")["proofs"][-1]["content"] == "Walter and my grandfather are the same."
    assert door.select("What was my grandfather?", explain=True)["meant"][0]["names"][0].startswith("Walter")
    assert door.http.post(f"/api/undo/{change_id}").status_code == 200
    assert door.http.get("/api/entity", params={"name": "my grandfather"}).status_code == 404


def test_a_merge_joins_a_name_and_a_role_of_which_memory_only_speaks(door: Door) -> None:
    door.tell("Edith won the quiz on Tuesday.")
    door.tell("My grandmother keeps bees.")
    change_id = corrected(door, "merge", "Edith", "my grandmother")
    assert who(door, "my grandmother")["names"] == ["Edith"]
    assert door.select("What did my grandmother win?", explain=True)["meant"][0]["names"] == ["Edith"]
    assert door.http.post(f"/api/undo/{change_id}").status_code == 200
    assert door.http.get("/api/entity", params={"name": "Edith"}).status_code == 404


def test_a_merge_joins_two_names_and_a_later_split_parts_them(door: Door) -> None:
    corrected(door, "merge", "Ilyusha", "Ilya")
    assert set(who(door, "Ilyusha")["names"]) == {"Ilya", "Ilyusha"}
    corrected(door, "split", "Ilyusha", "Ilya")
    assert who(door, "Ilya")["names"] == ["Ilya"]


def test_what_is_so_already_or_known_of_nobody_is_refused(door: Door) -> None:
    for how, name, other, status in [
        ("merge", "Ilya", "my brother", 409),
        ("split", "Ilya", "Waffles", 409),
        ("merge", "Nobody", "No One", 404),
    ]:
        assert door.http.post(f"/api/entities/{how}", json={"name": name, "other": other}).status_code == status


def test_corrections_outlive_a_rebuild_and_the_doctor_finds_the_register_whole(tmp_path: Path) -> None:
    root = tmp_path / "data"
    with opened(root) as door:
        for observed_at, text in TOLD:
            door.tell(text, metadata={"observed_at": observed_at})
        corrected(door, "merge", "Ilyusha", "Ilya")
        lived, known, token = door.embedded.state_hash(), door.http.get("/api/entities").json(), door.token
    with opened(root, start=False) as door:
        door.embedded.rebuild(lambda *_: None)
        assert door.embedded.state_hash() == lived
        with client(door.app, token) as http:
            assert http.get("/api/entities").json() == known
        stores = door.embedded.stores
        patient = Patient(stores.atoms, stores.worklog, stores.catalogue, stores.lexical, stores.dense, EmbeddedGraph(root))
        assert examine(patient, lambda *_: None).findings == ()


def test_the_command_says_who_somebody_is_and_takes_corrections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell(tmp_path, monkeypatch)
    with running(shell):
        shell.lc("My brother Ilya moved to Gothenburg.")
        assert shell.lattice("who", "my brother").out.startswith("Ilya: my brother\n")
        assert shell.lattice("who").out == "Ilya: my brother\n"
        noted = shell.lattice("who", "Ilyusha", "--same-as", "Ilya").out
        assert "lattice undo" in noted
        assert "Ilyusha" in shell.lattice("who", "Ilya").out
        assert shell.lattice("who", "Nobody").code == 1
