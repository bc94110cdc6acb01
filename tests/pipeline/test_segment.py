"""Segmentation by source type."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from lattice_common.domain.capture import Capture, Turn
from lattice_common.ingest.segment import LONGEST_SEGMENT, segment
from lattice_common.ingest.segment.markdown import blocks, headings_at

SAID_AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
CAPTURE_ID = "01jd0000000000000000000000"


def capture_of(text: str, **fields: Any) -> Capture:
    return Capture(CAPTURE_ID, SAID_AT, text, SAID_AT, **fields)


def talk(count: int, words: str = "I planted an apple tree.") -> Capture:
    text, turns = "", []
    for n in range(count):
        name = ("Ada", "Bob")[n % 2]
        start = len(text) + len(name) + 2
        text += f"{name}: {words}\n"
        turns.append(Turn(start, start + len(words), "user", name))
    return capture_of(text, turns=tuple(turns))


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("Just a note.", {}, "plain"),
        ("# Title\n\nText.", {}, "markdown"),
        ("- tea\n- milk", {}, "markdown"),
        ("```\nls\n```", {}, "markdown"),
        ("Note.", {"title": "notes.md"}, "markdown"),
        ("# not a heading", {"title": "run.py"}, "code"),
        ("import os\n\ndef f(x):\n    return x\n\nprint(f(1))", {}, "code"),
        ("x", {"source": "code"}, "code"),
        ("# Title", {"source_type": "plain"}, "plain"),
        ("# Title", {"source_type": "pdf"}, "pdf"),
        ("Ada: Hi!\nBob: Hello!\nAda: How are you?\nBob: Fine.", {}, "chat"),
        ("[10:02] Ada: Hi!\n[10:03] Bob: Hello!", {}, "chat"),
        ("User: Hi\nAssistant: Hello, how can I help?", {}, "chat"),
        ("Phone: 12345\nEmail: a@b.org\nPhone: 555\nEmail: c@d.org", {}, "plain"),
        ("Note: this is one.\nNote: and another.\nTip: look.\nTip: again.", {}, "plain"),
        ("Berlin: the capital of Germany.\nParis: the capital of France.", {}, "plain"),
    ],
)
def test_the_source_type_is_the_given_one_or_seen_in_the_text(text: str, fields: dict[str, Any], expected: str) -> None:
    assert {piece.source_type for piece in segment(capture_of(text, **fields))} == {expected}


def test_a_conversation_is_cut_into_windows_that_know_the_turn_before() -> None:
    capture = talk(30)
    pieces = segment(capture)
    assert len(pieces) == 3
    assert sum(len(piece.turns) for piece in pieces) == 30
    assert [piece.context for piece in pieces] == ["", "Bob: I planted an apple tree.", "Bob: I planted an apple tree."]
    assert all(capture.text[turn.start : turn.end] == "I planted an apple tree." for piece in pieces for turn in piece.turns)


def test_a_turn_longer_than_a_segment_is_cut_and_its_parts_keep_their_speaker() -> None:
    pieces = segment(talk(1, words="I planted an apple tree. " * 400))
    assert len(pieces) >= 3
    assert all(piece.turns[0].speaker == "Ada" for piece in pieces)
    assert all(turn.start >= piece.start and turn.end <= piece.end for piece in pieces for turn in piece.turns)


def test_a_pasted_transcript_has_its_speakers_and_roles() -> None:
    (piece,) = segment(capture_of("User: I'm Ada.\nAssistant: Hello,\nAda!\nUser: Bye."))
    assert [(turn.role, turn.speaker) for turn in piece.turns] == [("user", None), ("assistant", None), ("user", None)]
    assert piece.text[piece.turns[1].start : piece.turns[1].end] == "Hello,\nAda!"


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("[10:12] Ben: standup at 9:30\n[10:13] me: fine by me", [("Ben", "standup at 9:30"), (None, "fine by me")]),
        ("Sarah: I work at Fabrikam\nme: congrats", [("Sarah", "I work at Fabrikam"), (None, "congrats")]),
        ("From: Sarah\nI've moved to Bath.", [("Sarah", "I've moved to Bath.")]),
        (
            'Text from Tim:\n"I sold the car."\nAsk him for how much.',
            [("Tim", "I sold the car."), (None, "Ask him for how much.")],
        ),
    ],
)
def test_pasted_messages_are_of_those_who_sent_them(text: str, turns: list[tuple[str | None, str]]) -> None:
    (piece,) = segment(capture_of(text))
    assert [(turn.speaker, text[turn.start : turn.end]) for turn in piece.turns] == turns


@pytest.mark.parametrize("source_type", [None, "chat", "plain", "markdown"])
@pytest.mark.parametrize(
    ("person", "machine"),
    [
        ("You said:\n", "ChatGPT said:\n\n"),
        ("You said:\r\n", "ChatGPT said:\r\n"),
        ("## **User:** ", "## **Assistant:**\n"),
        ("You: ", "ChatGPT: "),
    ],
)
def test_what_is_copied_from_an_assistants_page_is_told_apart_however_long_its_answers_are(
    source_type: Any, person: str, machine: str
) -> None:
    answer = "I recommend the book Cat Days.\n\n" + "\n".join(f"- Tip {n}" for n in range(30))
    text = f"{person}I adopted a cat called Mimi.\n{machine}{answer}\n\n{person}Mimi is grey."
    turns = [turn for piece in segment(capture_of(text, source_type=source_type)) for turn in piece.turns]
    assert [(turn.role, text[turn.start : turn.end]) for turn in turns] == [
        ("user", "I adopted a cat called Mimi."),
        ("assistant", answer),
        ("user", "Mimi is grey."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "You said:\nonly one side speaks",
        "Notes first.\nYou said:\nhello\nChatGPT said:\nhi",
        "The user said: hello\nAssistant manager: Tom",
    ],
)
def test_what_is_no_conversation_with_an_assistant_has_no_turns(text: str) -> None:
    assert [turn for piece in segment(capture_of(text)) for turn in piece.turns] == []


def test_five_megabytes_on_one_line_are_cut_hard() -> None:
    capture = capture_of("x" * 5_000_000)
    pieces = segment(capture)
    assert len(pieces) == 5_000_000 / LONGEST_SEGMENT
    assert "".join(piece.text for piece in pieces) == capture.text


def test_long_texts_are_cut_between_paragraphs() -> None:
    paragraph = "A sentence of some length that says nothing. " * 20 + "\n\n"
    pieces = segment(capture_of(paragraph * 12))
    assert len(pieces) > 1
    assert all(piece.text.startswith("A sentence") for piece in pieces)


def test_a_hundred_thousand_headings_make_few_segments() -> None:
    text = "# a\n" * 100_000
    assert len(segment(capture_of(text))) <= len(text) / 1000


def test_headings_are_those_above_a_place() -> None:
    text = "# A\n\none\n\n## B\n\ntwo\n\n# C\n\nthree\n"
    (piece,) = segment(capture_of(text))
    assert [headings_at(piece, text.index(word)) for word in ("one", "two", "three")] == [("A",), ("A", "B"), ("C",)]


def test_markdown_is_read_by_its_blocks() -> None:
    text = (
        "---\ntitle: x\nowner: Ada\n---\nIntro\n=====\n\nWords\nand more.\n\nList:\n- one\n  goes on\n- [ ] two\n\n"
        "> said\n> so\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n```py\n# no heading\n```\n***\n## End ##\n"
    )
    assert [(block.kind, text[block.start : block.end]) for block in blocks(text)] == [
        ("field", "owner: Ada"),
        ("heading", "Intro\n====="),
        ("paragraph", "Words\nand more."),
        ("paragraph", "List:"),
        ("item", "- one\n  goes on"),
        ("task", "- [ ] two"),
        ("quote", "> said\n> so"),
        ("row", "| 1 | 2 |"),
        ("fence", "```py\n# no heading\n```"),
        ("heading", "## End ##"),
    ]


def test_an_unclosed_fence_ends_with_the_text() -> None:
    assert [block.kind for block in blocks("```\ncode\n# more")] == ["fence"]


@pytest.mark.parametrize(
    "text", ["# x" + " " * 30_000 + "y\n", "a|b\n--" + "|  " * 40 + "x\n", "a|b\n--|" + " " * 30_000 + "x\n", "- " * 20_000 + "x"]
)
def test_a_line_made_to_be_tried_in_many_ways_costs_no_more_than_its_length(text: str) -> None:
    began = time.process_time()
    list(blocks(text))
    assert time.process_time() - began < 0.5


def test_the_marks_that_close_a_heading_are_not_of_its_title() -> None:
    text = "## Tools ##  \n\na\n\n# C#\n\nb\n"
    assert [block.headings[-1] for block in blocks(text) if block.kind == "heading"] == ["Tools", "C#"]
