"""Answers that a language model wrote, and follow-up questions, on the page.

What a model says is written here, in the words of `POST /api/query`; the conversation is the product's own.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from browsing import KEY, say, tell
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

ATOM = {
    "atom_id": "01jd0000000000000000000001",
    "content": "The rent is 850 euros.",
    "metadata": {},
    "observed_at": "2026-05-01T09:00:00Z",
}
CITATION = {
    "n": 1, "atom_id": ATOM["atom_id"], "quote": "The rent is 850 euros.", "source_id": None,
    "observed_at": "2026-05-01T09:00:00Z", "supported": False,
}  # fmt: skip
WRITTEN = "🎉 You live in Lisbon [1]. The rent is 900 euros [1]. You like it."


def doubt(sentence: str, reason: str, words: str = "") -> dict[str, Any]:
    start = WRITTEN.index(sentence)
    return {"start": start, "end": start + len(sentence), "reason": reason, "words": words}


FINAL = {
    "type": "citations_applied", "answer": WRITTEN, "num_map": {},
    "citations": [CITATION], "answered": True, "used_llm": True, "model": "tiny:7b", "warnings": [], "pii_protected": False,
    "unsupported": [
        doubt("The rent is 900 euros [1].", "number", "900"),
        doubt("You like it.", "uncited"),
    ],
}  # fmt: skip


def answers(page: Page, final: dict[str, Any], *tokens: str) -> None:
    """What the next question is answered with."""
    events = [
        {"type": "intent", "intent": "ask"},
        {"type": "atoms", "atoms": [ATOM], "answered": True, "reformulated_query": None},
        *({"type": "token", "text": token} for token in tokens),
        final,
        {"type": "done", "trace_id": "t", "took_ms": 1.0},
    ]
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    page.route("**/api/query", lambda route: _fulfill(route, body))


def _fulfill(route: Route, body: str) -> None:
    route.fulfill(content_type="text/event-stream", body=body)


def test_sentences_that_memory_does_not_bear_out_are_marked(page: Page) -> None:
    answers(page, FINAL, "🎉 You live ", "in Lisbon.")
    say(page, "What is the rent?")
    answer = page.locator("lattice-entry .answer")
    doubts = answer.locator(".doubt")
    expect(doubts).to_have_count(2)
    expect(doubts.first).to_contain_text("The rent is 900 euros")
    expect(doubts.first).to_contain_text("not in your memory")
    expect(doubts.first).not_to_contain_text("Lisbon")
    expect(doubts.last).to_contain_text("You like it.")
    expect(doubts.last).to_contain_text("without a source in your memory")
    expect(answer.locator(".cite.unsure")).to_have_count(2)
    expect(page.locator("lattice-entry")).to_contain_text("written by tiny:7b")


def test_the_final_answer_replaces_what_was_streamed(page: Page) -> None:
    warning = "The language model tiny:7b broke off; this answer quotes what was remembered."
    final = {
        **FINAL,
        "answer": "The rent is 850 euros. [1]",
        "unsupported": [],
        "model": None,
        "used_llm": False,
        "warnings": [warning],
    }
    answers(page, final, "You pay 9,999 eu")
    say(page, "What is the rent?")
    entry = page.locator("lattice-entry")
    expect(entry.locator(".answer")).to_contain_text("The rent is 850 euros.")
    expect(entry).not_to_contain_text("9,999")
    expect(entry).to_contain_text("broke off")


def test_an_answer_is_text_and_nothing_in_it_becomes_a_link_or_a_picture(page: Page) -> None:
    evil = '<img src="https://evil.example/x"> ![x](https://evil.example/y) <script>alert(1)</script> [1]'
    answers(
        page,
        {**FINAL, "answer": evil, "unsupported": [{"start": 0, "end": len(evil), "reason": "content", "words": "<b>evil</b>"}]},
    )
    say(page, "What is the rent?")
    answer = page.locator("lattice-entry .answer")
    expect(answer).to_contain_text("<script>alert(1)</script>")
    expect(answer.locator("a, img, script, b")).to_have_count(0)


def test_a_follow_up_is_understood_and_says_how(page: Page) -> None:
    tell(page, KEY)
    tell(page, "Ingrid works at the bakery.")
    say(page, "Who has my spare key?")
    expect(page.locator("lattice-entry").last.locator(".answer")).to_contain_text("Ingrid")
    say(page, "Where does she work?")
    followed = page.locator("lattice-entry").last
    expect(followed).to_contain_text("asked as: Where does Ingrid work?")
    expect(followed.locator(".answer")).to_contain_text("bakery")
