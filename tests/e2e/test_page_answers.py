"""Answers that a language model wrote, and follow-up questions, on the page.

What a model says is written here, in the words of `POST /api/query`; the conversation is the product's own.
"""

from __future__ import annotations

import json
import re
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


def test_what_was_not_searched_yet_is_said_beside_an_answer_and_where_nothing_is_known(page: Page) -> None:
    missing = "Searched without all of memory: search: looking through what changed"
    for known in (True, False):
        said = {"answer": "You live in Lisbon.", "answered": known, "citations": [], "unsupported": [], "used_llm": False}
        answers(page, {**FINAL, **said, "model": None, "warnings": [missing, "Searched without all of memory: dense: away"]})
        say(page, "Where do I live?" if known else "Where did I live?")
        entry = page.locator(".entry.asked").last
        expect(entry.get_by_text("You live in Lisbon." if known else "Nothing you have told me answers this.")).to_be_visible()
        expect(entry.get_by_text(missing)).to_be_visible()
        expect(entry.get_by_text("dense")).to_have_count(0)  # the bar says that
        page.unroute("**/api/query")


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
    expect(answer.locator("a:not(.cite), img, script, b")).to_have_count(0)


def test_a_follow_up_is_understood_and_says_how(page: Page) -> None:
    tell(page, KEY)
    tell(page, "Ingrid works at the bakery.")
    say(page, "Who has my spare key?")
    expect(page.locator("lattice-entry").last.locator(".answer")).to_contain_text("Ingrid")
    say(page, "Where does she work?")
    followed = page.locator("lattice-entry").last
    expect(followed).to_contain_text("asked as: Where does Ingrid work?")
    expect(followed.locator(".answer")).to_contain_text("bakery")


def test_an_answer_speaks_to_its_owner_and_gives_a_value_where_a_value_was_asked(page: Page) -> None:
    tell(page, "I am allergic to walnuts.")
    tell(page, "My rent is 890 euros a month.")
    tell(page, "My rent is 1,050 euros a month.")
    say(page, "What am I allergic to?")
    expect(page.locator("lattice-entry").last.locator(".answer")).to_have_text("You are allergic to walnuts.1")
    say(page, "How much is my rent?")
    answer = page.locator("lattice-entry").last.locator(".answer")
    expect(answer).to_have_text(re.compile(r"^1,050 euros a month1; 890 euros until \d+ \w+ \d{4}2$"))


def test_a_source_that_only_repeats_the_answer_is_its_number_alone(page: Page) -> None:
    tell(page, "I am allergic to walnuts.")
    say(page, "What am I allergic to?")
    sources = page.locator("lattice-entry").last.locator(".sources")
    expect(sources).to_contain_text("here, today")
    expect(sources).not_to_contain_text("walnuts")
    sources.get_by_role("link", name="Source 1").click()
    expect(page.locator("lattice-panel mark")).to_have_text("I am allergic to walnuts.")


TABLE = """## What you pay

- **Rent**: 850 euros [1]
- Heating: 90 euros

| what | euros |
|---|---|
| rent | `850` |
| <b>heating</b> | 90 |

1. First the rent.
2. Then the rest. See https://example.org/x"""


def test_the_lists_and_tables_that_a_model_writes_are_shown_as_such(page: Page) -> None:
    heating = {"start": TABLE.index("Heating"), "end": TABLE.index("90 euros") + 8, "reason": "number", "words": "90"}
    answers(page, {**FINAL, "answer": TABLE, "unsupported": [heating]})
    say(page, "What do I pay?")
    answer = page.locator("lattice-entry .answer")
    expect(answer.locator("ul > li")).to_have_count(2)
    expect(answer.locator("ul b")).to_have_text("Rent")
    expect(answer.locator("ul > li").last.locator(".doubt")).to_contain_text("Heating: 90 euros")
    expect(answer.locator("ol > li")).to_have_count(2)
    expect(answer.locator("th")).to_have_text(["what", "euros"])
    expect(answer.locator("td")).to_have_text(["rent", "850", "<b>heating</b>", "90"])
    expect(answer.locator(".cite")).to_have_count(1)
    expect(answer).not_to_contain_text("**")
    expect(answer).to_contain_text("https://example.org/x")
    expect(answer.locator("a:not(.cite)")).to_have_count(0)


def test_a_link_that_a_model_writes_shows_where_it_leads_and_is_inert_until_clicked(page: Page) -> None:
    answers(
        page,
        {
            **FINAL,
            "answer": "See [your bank](https://example.org/a?b=1) [1] and https://example.net/c, or [this](javascript:alert(1)).",
            "unsupported": [],
        },
    )
    say(page, "What is the rent?")
    answer = page.locator("lattice-entry .answer")
    expect(answer).to_contain_text("See your bank example.org1 and https://example.net/c, or [this](javascript:alert(1)).")
    expect(answer.locator("a:not(.cite)")).to_have_count(0)
    bank = answer.locator("summary").first
    bank.focus()
    page.keyboard.press("Enter")
    link = answer.get_by_role("link", name="https://example.org/a?b=1")
    expect(link).to_be_visible()
    expect(link).to_have_attribute("rel", "noopener noreferrer nofollow")
    page.keyboard.press("Enter")
    expect(link).to_be_hidden()


def test_a_document_that_disagrees_is_said_in_the_answer_with_the_choice_beside_it(page: Page) -> None:
    tell(page, "My name is Ada Miller. I live in Berlin.")
    page.locator("input[type=file]").set_input_files(
        {"name": "form.html", "mimeType": "text/html", "buffer": b"<p>Ada Miller lives in Lisbon.</p>"}
    )
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from form.html", timeout=30_000)
    say(page, "Where do I live?")
    entry = page.locator("lattice-entry").last
    expect(entry.locator(".otherwise")).to_contain_text("form.html says otherwise: Ada Miller lives in Lisbon.")
    entry.get_by_role("button", name="keep what you said").click()
    expect(page.locator(".otherwise")).to_have_count(0)
    kept = page.locator("lattice-entry").last
    expect(kept).to_contain_text("Kept")
    kept.get_by_role("button", name="undo").click()
    expect(kept).to_contain_text("Taken back")


def test_an_answer_and_what_disagrees_with_it_may_both_hold(page: Page) -> None:
    tell(page, "My name is Ada Miller. I live in Berlin.")
    form = {"name": "form.html", "mimeType": "text/html", "buffer": b"<p>Ada Miller lives in Lisbon.</p>"}
    page.locator("input[type=file]").set_input_files(form)
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from form.html", timeout=30_000)
    say(page, "Where do I live?")
    page.locator(".otherwise").get_by_role("button", name="both hold").click()
    held = page.locator("lattice-entry").last
    expect(held).to_contain_text("Both hold")
    expect(page.locator(".otherwise")).to_have_count(0)
    held.get_by_role("button", name="undo").click()
    expect(page.locator(".otherwise")).to_contain_text("Ada Miller lives in Lisbon.")
    page.locator("lattice-entry .memory").filter(has_text="I live in Berlin.").first.click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="both hold").click()
    expect(panel).not_to_contain_text("Disagrees with")
    page.locator("lattice-entry").last.get_by_role("button", name="undo").click()
    expect(panel).to_contain_text("Disagrees with")
