"""Notes of Obsidian, Notion and basic-memory: their dates, tags, links and other names are kept."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.importers.account import Account
from lattice_common.capture.importers.export import items
from lattice_common.capture.importers.intake import Intake
from lattice_common.composition import Embedded
from lattice_common.domain.capture import CorrectWho
from lattice_common.errors import NotFound

from tests.pipeline.living import atom_saying, change, current, finished, rebuilt, say, send_file, started
from tests.working import until

TOUCHED = datetime(2026, 1, 3, 9, tzinfo=UTC).timestamp()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path / "store", clock=FixedClock()) as found:
        yield found


def bring(store: Embedded, folder: Path, **notes: str) -> Account:
    folder.mkdir(exist_ok=True)
    for name, words in notes.items():
        path = folder / f"{name.replace('_', ' ')}.md"
        path.write_text(words)
        os.utime(path, (TOUCHED, TOUCHED))
    intake = Intake(items(folder), store.lattice, "import")

    def is_over() -> bool:
        intake.go_on(50)
        return intake.is_through and not intake.waiting

    until("the import", is_over)
    return intake.account


ANNA = """---
title: Anna Roe
type: person
permalink: people/anna-roe
---

# Anna Roe

She is a neighbour of Ines.

## Observations
- [job] Works as a nurse in Ghent #work (since 2024)
- [pet] Has a cat called Miro
- [allergy] Anna is allergic to peanuts
- [x] Call the plumber

## Relations
- married_to [[Ben Roe]]
- lives_in [[Ghent]]
"""


def test_what_basic_memory_observes_and_relates_is_said_of_the_notes_title(store: Embedded, tmp_path: Path) -> None:
    bring(store, tmp_path / "memory", Anna_Roe=ANNA)
    said = {atom.content: atom for atom in store.stores.catalogue.all()}
    observed = {
        "Anna Roe: works as a nurse in Ghent (since 2024)": "job",
        "Anna Roe: has a cat called Miro": "pet",
        "Anna Roe: Anna is allergic to peanuts": "allergy",
        "Anna Roe married to Ben Roe": None,
        "Anna Roe lives in Ghent": None,
    }
    assert {words: said[words].metadata.get("lead_in") for words in observed} == observed
    assert {said[words].subject for words in observed} == {"Anna Roe"}
    assert "#work" in said["Anna Roe: works as a nurse in Ghent (since 2024)"].entities
    assert "Ben Roe" in said["Anna Roe married to Ben Roe"].entities
    assert len(said) == len(observed) + 2  # her being a neighbour, and what was done
    seqs = [said[words].seq for words in observed]
    assert seqs == sorted(seqs)


def test_such_lines_of_any_other_note_stay_what_they_are(store: Embedded, tmp_path: Path) -> None:
    bring(store, tmp_path / "vault", Anna=ANNA.replace("permalink: people/anna-roe\n", ""))
    assert not {"Anna Roe lives in Ghent", "Anna Roe: has a cat called Miro"} & set(current(store))


def test_the_date_of_a_note_is_the_one_it_gives(store: Embedded, tmp_path: Path) -> None:
    account = bring(
        store,
        tmp_path / "vault",
        Trip="---\ncreated: 2023-05-04\n---\nWe leave tomorrow.\n",
        Boat="# Boat\n\nCreated: May 4, 2023 10:00 AM\nTags: sea\n\nThe boat is painted tomorrow.\n",
        Rent="My rent is 950 euros.\n",
    )
    assert current(store) == [
        "My rent is 950 euros.",
        "The boat is painted tomorrow (5 May 2023).",
        "Trip: We leave tomorrow (5 May 2023).",
    ]
    assert (account.first, account.last) == ("2023-05-04", "2026-01-03")
    assert atom_saying(store, "We leave").observed_at.date().isoformat() == "2023-05-04"
    assert atom_saying(store, "My rent").observed_at.date().isoformat() == "2026-01-03"


def test_a_note_without_a_heading_is_about_what_its_file_is_called(store: Embedded, tmp_path: Path) -> None:
    words = "My landlord at [[Quay House]]. Based in Leith. Teetotal.\n\n## Dogs\n\nKeeps two whippets.\n"
    bring(store, tmp_path / "vault", Dev_Anand=f"---\ntags: [person]\n---\n{words}")
    assert current(store) == [
        "Dev Anand › Dogs: Keeps two whippets.",
        "Dev Anand: Based in Leith. Teetotal.",
        "Dev Anand: My landlord at Quay House.",
    ]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("2026-01-02", "Teetotal.\n"),
        ("2026_01_02", "Teetotal.\n"),
        ("2 January 2026", "Teetotal.\n"),
        ("Untitled 3", "Teetotal.\n"),
        ("Journal", "Teetotal.\n"),
        ("Ada", "---\ntags: [x]\n---\n\n# Me\n\nTeetotal.\n"),
        ("Ada", "Me\n==\n\nTeetotal.\n"),
    ],
)
def test_a_day_or_a_name_of_no_matter_is_no_title_nor_is_one_beside_a_heading(
    store: Embedded, tmp_path: Path, name: str, words: str
) -> None:
    bring(store, tmp_path / "vault", **{name: words})
    assert current(store) == ["Me: Teetotal." if "Me" in words else "Teetotal."]


def test_properties_with_two_colons_are_values_of_their_page_or_block_each(store: Embedded, tmp_path: Path) -> None:
    words = (
        "type:: person\nalias:: Nettie, [[A. Roe]]\ntags:: family\ncoat-size:: 40\nallergy:: wasps\n"
        "- Plays [[Badminton]] on Mondays\n  with:: Ida\n  id:: 64a1-22\n  collapsed:: true\n"
        "- optician:: Ms Varga\n- tram:: line 4\n- Likes figs\n\n**Dentist**:: Dr Moll\n"
    )
    bring(store, tmp_path / "graph", Annette=words)
    assert current(store) == [
        "Annette: Dentist: Dr Moll",
        "Annette: Likes figs",
        "Annette: Plays Badminton on Mondays",
        "Annette: Plays Badminton on Mondays: with: Ida",
        "Annette: allergy: wasps",
        "Annette: coat-size: 40",
        "Annette: optician: Ms Varga",
        "Annette: tram: line 4",
    ]
    assert set(store.lattice.entity("Nettie").names) == {"Annette", "Nettie", "A. Roe"}
    assert atom_saying(store, "wasps").metadata["tags"] == ["family"]


def test_a_property_of_a_day_is_not_said_of_its_file(store: Embedded, tmp_path: Path) -> None:
    bring(store, tmp_path / "graph", **{"2026-01-02": "slept:: 6 hours\n- Tea with Ida\n"})
    assert current(store) == ["Tea with Ida", "slept: 6 hours"]


def test_a_file_that_is_given_by_itself_says_its_date_as_well(store: Embedded) -> None:
    note = b"---\ndate: 2023-05-04\n---\nWe leave tomorrow.\n"
    finished(store, send_file(store, "trip.md", note, source="user", observed_at="2026-01-03T10:00:00Z"))
    assert current(store) == ["We leave tomorrow (5 May 2023)."]


def test_what_is_linked_is_known_by_name_and_by_its_other_names(store: Embedded, tmp_path: Path) -> None:
    bring(
        store,
        tmp_path / "vault",
        Ines="---\naliases: [Inez Costa]\n---\nMet at the [[Harbour Club]] in 2019.\nI lent her the book on [[bread recipes]].\n",
        Log="Called [[Ines]] about the mooring fee of 200 euros.\n",
    )
    lattice = store.lattice
    assert lattice.entity("harbour club").names == ("Harbour Club",)
    ines = lattice.entity("Inez Costa")
    assert ines.names == ("Ines", "Inez Costa")
    assert {"Called Ines about the mooring fee of 200 euros.", "Ines: Met at the Harbour Club in 2019."} <= {
        atom.content for atom in lattice.mentions(ines, 10)
    }
    with pytest.raises(NotFound):
        lattice.entity("bread recipes")
    say(store, "Ines is my nurse.")
    known = lattice.entity("Inez Costa")
    assert [role.phrase for role in known.roles] == ["my nurse"]
    assert [atom.content for atom in store.stores.catalogue.get(list(known.proofs))] == ["Ines is my nurse."]


def test_a_rebuild_knows_the_same_names(tmp_path: Path) -> None:
    root = tmp_path / "life"
    with started(root, clock=FixedClock()) as store:
        bring(store, tmp_path / "vault", Ines="---\naliases: [Inez Costa]\n---\nMet at the [[Harbour Club]] in 2019. #friend\n")
        before = store.state_hash()
    assert rebuilt(root)[0] == before


def test_somebody_elses_note_makes_no_two_names_one(store: Embedded) -> None:
    say(store, "My brother Ilya moved to Gothenburg.")
    note = b"---\naliases: [Ilya]\n---\nMallory runs the [[Harbour Club]] of Kiel.\n"
    finished(store, send_file(store, "Mallory.md", note, source="document"))
    assert store.lattice.entity("Ilya").names == ("Ilya",)
    assert store.lattice.entity("Harbour Club").names == ("Harbour Club",)


def test_two_names_of_a_note_that_the_owner_calls_two_are_two(store: Embedded, tmp_path: Path) -> None:
    bring(store, tmp_path / "vault", Ines="---\naliases: [Inez Costa]\n---\nThe boat of Ines is blue.\n")
    change(store, CorrectWho("Ines", "Inez Costa", "apart"))
    assert "Inez Costa" not in store.lattice.entity("Ines").names


def test_a_tag_behind_the_full_stop_belongs_to_the_statement(store: Embedded, tmp_path: Path) -> None:
    bring(store, tmp_path / "vault", Boat="The hull is white. The boat is blue. #sea #summer/oslo\nMy rent is 950 euros.\n")
    assert {"#sea", "#summer/oslo"} <= set(atom_saying(store, "boat").entities)
    assert not {"#sea"} & {name for words in ("hull", "rent") for name in atom_saying(store, words).entities}


def test_tags_of_front_matter_and_below_a_title_are_kept(store: Embedded, tmp_path: Path) -> None:
    bring(
        store,
        tmp_path / "vault",
        Boat="---\ntags:\n- sea\n- summer\n---\nThe boat is blue.\n",
        Rent="# Home\n\nTags: money, flat\nCreated: 2023-05-04\n\nMy rent is 950 euros.\n",
    )
    assert atom_saying(store, "boat").metadata["tags"] == ["sea", "summer"]
    assert atom_saying(store, "rent").metadata["tags"] == ["money", "flat"]
    assert len(current(store)) == 2


def test_a_link_to_a_page_below_is_no_memory(store: Embedded, tmp_path: Path) -> None:
    page = "Boat%20" + "1" * 32
    bring(store, tmp_path / "notion", Boat=f"# Boat\n\nThe boat lies in berth 12.\n\n[Crew]({page}/Crew%20(old).csv)\n")
    assert current(store) == ["The boat lies in berth 12."]
