"""Links and tags of notes as names that memories go by, and as edges of the graph."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.domain.capture import Capture
from lattice_common.ingest.prove import atoms_of, parts_of, prove
from lattice_common.language.notes.linked import linked

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("Met [[Ada Brandl]] about [[bread recipe]].", ("Ada Brandl", "bread recipe")),
        ("[[People/Ada Brandl#Birthday|She]] likes rye. [[Ada Brandl]]", ("Ada Brandl",)),
        ("Booked the ferry #trip/oslo #2026 #to-do", ("#trip/oslo", "#to-do")),
        ("See [[2026-03-04]], ![[plan.png]], [[plan.pdf]] and [[2026-W10]].", ()),
        ("# Heading and item #1 of C# and a#b", ()),
        ("[[unclosed and [[]] [[|x]]", ()),
        ("Nothing is linked.", ()),
    ],
)
def test_what_a_note_links_to_is_named(words: str, named: tuple[str, ...]) -> None:
    assert linked(words) == named


@pytest.mark.parametrize(
    "line", ["#family #lunch", "#company", "[[Ada Brandl]], [[bread]]", "![[photo.png]]", "- #to-do [[2026-W10]]"]
)
def test_links_and_tags_alone_are_no_memory(line: str) -> None:
    text = f"The ferry leaves at nine.\n\n{line}\n"
    capture = Capture("0" * 26, SAID_AT, text, SAID_AT, source="user", trust="user", source_type="markdown")
    proved = [prove(capture, part) for part in parts_of(capture)]
    told = [each.content for part in proved for each in atoms_of(capture, part, ordinal=0, seq=0)]
    assert told == ["The ferry leaves at nine."]


def test_a_memory_of_a_note_goes_by_what_it_links_to() -> None:
    text = "# Ferry\n\nThe ferry is booked by [[People/Ada Brandl|my friend]] #trip/oslo and leaves at nine.\n"
    capture = Capture("0" * 26, SAID_AT, text, SAID_AT, source="user", trust="user", source_type="markdown")
    proved = [prove(capture, part) for part in parts_of(capture)]
    atoms = [each for part in proved for each in atoms_of(capture, part, ordinal=0, seq=0)]
    booked = next(each for each in atoms if "booked" in each.content)
    assert {"Ada Brandl", "#trip/oslo"} <= set(booked.entities)
    assert not any("[[" in each.content for each in atoms)
