"""A letter's header is looked for once, however many segments the letter has: time grows with its length, not with its square."""

from __future__ import annotations

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.accept import accept
from lattice_common.capture.request import IngestRequest
from lattice_common.ingest.segment import segment
from lattice_common.language.letters import letter as letters


def test_the_bounds_of_a_letter_are_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "From: a@b.example\nSubject: hello\n" + "".join(f"X-H{n}: v\n" for n in range(5_000)) + "\nThe rent is 900 euros.\n"
    capture = accept(IngestRequest(text=text), FixedClock(), max_bytes=10**7)
    looked: list[int] = []
    found = letters._closing
    monkeypatch.setattr(letters, "_closing", lambda text, body: looked.append(body) or found(text, body))
    segments = segment(capture)
    assert len(segments) > 10
    units = [unit for piece in segments for unit in letters.letter_of(capture, piece)]
    assert [text[unit.start : unit.end] for unit in units][-1] == "The rent is 900 euros."
    assert len(looked) == 1


def test_the_fields_of_a_header_that_was_copied_whole_are_no_facts() -> None:
    fields = "".join(f"X-Trace-{n}: passed\n" for n in range(5_000))
    known = "From: a@b.example\nSubject: hello\nMessage-ID: <1@b.example>\nReceived: by c.example\n\tfor a\n"
    text = f"{known}{fields}\nThe rent is 900 euros.\n"
    capture = accept(IngestRequest(text=text), FixedClock(), max_bytes=10**7)
    said = [unit for piece in segment(capture) for unit in letters.letter_of(capture, piece)]
    assert [text[unit.start : unit.end] for unit in said] == ["From: a@b.example", "The rent is 900 euros."]
