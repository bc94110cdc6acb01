"""What the bot says: short, exact, and in words of people's."""

from __future__ import annotations

from typing import Any, cast

import pytest
from lattice_bot import render
from lattice_common.api_schema.conversation import TurnReply
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.api_schema.server import StatusReply


def status(**more: Any) -> StatusReply:
    known = {"atoms": 1, "captures": {"waiting": 0, "dead": 0}, "subjects": {}, "streak": 1, "degraded": []}
    return cast(StatusReply, {**known, **more})


def receipt(**more: Any) -> CaptureReply:
    counts = {"atoms_new": 0, "atoms_updated": 0, "duplicates_skipped": 0, "rejected": 0}
    return cast(CaptureReply, {"state": "stored", "atom_ids": [], "reason": None, "notes": [], **counts, **more})


def turn(question: str, answer: str = "Here.", topic: str | None = None) -> TurnReply:
    return cast(TurnReply, {"question": question, "answer": answer, "query_topic": topic})


def test_how_it_is_says_only_what_there_is_to_say() -> None:
    assert render.status(status(), 0, 0).text == "1 memory, 1 day deep"


def test_how_it_is_names_what_waits_and_what_is_missing() -> None:
    found = status(
        atoms=12,
        captures={"waiting": 2, "working": 1, "dead": 1},
        subjects={"home": 3, "www.c.example": 1},
        degraded=["dense: the model is not there", "graph: it is away", "memories: 1 of their files cannot be read"],
    )
    assert render.status(found, 1, 2).text.splitlines() == [
        "12 memories, 1 day deep",
        "Most about home, www[.]c[.]example",
        "Being read: 3 messages",
        "Could not be read: 1 message",
        "I still owe an answer to 2 messages",
        "Search by meaning: the model is not there",
        "Links between memories: it is away",
        "Memories: 1 of their files cannot be read",
        "Ignored: 1 message from others",
    ]


def test_the_opening_has_the_latest_topics_and_the_last_question_from_any_door() -> None:
    turns = [
        turn("I live in Porto.", "[captured: 1 new, 0 updated]", "home"),
        turn("", ""),
        turn("where is the key?", topic="key"),
        turn("where is the other key?", topic="key"),
    ]
    lines = render.opening(status(), turns).text.splitlines()
    assert lines[:3] == ["1 memory, 1 day deep", "Lately: home, key", "You last asked: where is the key?"]
    assert render.opening(status(), []).text.splitlines()[1] == ""


@pytest.mark.parametrize(
    ("reply", "memories", "said"),
    [
        (receipt(atoms_new=1), ["I live in Porto."], "Remembered: I live in Porto."),
        (receipt(atoms_new=7), ["A.", "B."], "Remembered 7 things:\n· A.\n· B.\n… and 5 more"),
        (receipt(atoms_new=1, atoms_updated=2), ["A."], "Remembered: A.\n2 older memories replaced."),
        (receipt(duplicates_skipped=1), [], "Already known."),
        (receipt(), [], "Nothing to remember in that."),
        (receipt(rejected=1), [], "Set aside: 1 statement that your words do not bear out."),
        (receipt(state="dead", reason="the disk is full"), [], "Kept, but it could not be read: the disk is full"),
    ],
)
def test_what_became_of_a_message(reply: CaptureReply, memories: list[str], said: str) -> None:
    assert render.stored(reply, memories).text == said


def test_what_became_of_many_is_one_sentence() -> None:
    replies = [receipt(atoms_new=2), receipt(duplicates_skipped=1), receipt(state="dead"), receipt(rejected=1)]
    said = "4 messages: 2 things remembered, 1 known already, 1 set aside, 1 kept that could not be read."
    assert render.stored_many(replies).text == said


def test_what_is_taken_back_is_named_where_it_is_one() -> None:
    assert render.taken("Taken back", ["I live in Porto."]).text == "Taken back: I live in Porto."
    assert render.taken("Taken back", ["A.", "B."]).text == "Taken back: 2 memories."
    assert render.taken("Brought back", []).text == "Brought back."


def test_an_answer_says_what_was_not_searched() -> None:
    missing = "Searched without all of memory: search: looking through what changed"
    final = {
        "answer": "I don't know.",
        "answered": False,
        "citations": [],
        "warnings": [missing, "The language model x is away."],
    }
    assert render.answer(final, 12.0).text.split("\n\n") == ["I don't know.", missing]


def test_what_says_otherwise_is_told_below_the_answer_with_where_it_stands() -> None:
    other = {
        "content": "Ada Miller lives in Lisbon, see www.c.example.",
        "source_id": "form.html",
        "metadata": {"title": "form.html"},
    }
    final = {"answer": "You live in Berlin.", "answered": True, "citations": [], "disagreements": [{"disagrees_with": other}]}
    lines = render.answer(final, 12.0).text.split("\n\n")
    assert lines[:2] == ["You live in Berlin.", "form.html says otherwise: Ada Miller lives in Lisbon, see www.c.example."]
