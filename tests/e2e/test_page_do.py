"""Requests on the page: shown before they destroy, carried out, taken back; the box says what it will do, and loses no words."""

from __future__ import annotations

import re

import httpx
import pytest
from browsing import say, tell
from page_life import told
from playwright.sync_api import Page, expect
from product import Product

pytestmark = pytest.mark.browser

THINGS = ("ladder", "bicycle", "kayak", "tent", "saddle", "helmet", "toolbox", "sledge")


def test_what_goes_is_shown_and_then_done_and_brought_back(page: Page) -> None:
    tell(page, "Tom plays darts.")
    say(page, "Forget what I said about Tom.")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("would go into the trash")
    expect(entry.locator(".memory")).to_contain_text("Tom plays darts.")
    entry.get_by_role("button", name="do it").click()
    expect(entry).to_contain_text("In the trash: one memory.")
    entry.get_by_role("button", name="undo").click()
    expect(entry).to_contain_text("Brought back.")


def test_all_that_would_go_can_be_seen_before(page: Page, product: Product) -> None:
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}, timeout=60) as http:
        news = " ".join(f"Tom's {thing} is in the {place}." for thing in THINGS for place in ("cellar", "attic", "shed"))
        http.post("/api/ingest", json={"text": news, "wait": True}).raise_for_status()
    say(page, "Forget what I said about Tom.")
    entry = page.locator("lattice-entry").last
    expect(entry.locator(".memory")).to_have_count(12)
    entry.get_by_role("button", name=re.compile(r"and \d+ more")).click()
    expect(entry).to_contain_text(re.compile(rf"would go into the trash: {entry.locator('.memory').count()} memories"))
    expect(entry).not_to_contain_text("more")


def test_the_rest_of_a_large_undo_is_led_on_to(page: Page, http: httpx.Client) -> None:
    lines = " ".join(f"The box {number} in the cellar holds lamp number {number}." for number in range(1, 231))
    told(http, lines, source_id="cellar")
    say(page, "Undo that.")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Take it back?")
    expect(entry.locator(".memory")).to_have_count(12)
    entry.get_by_role("button", name="and 218 more").click()
    expect(entry.locator(".memory")).to_have_count(100)
    entry.get_by_role("link", name="and 130 more").click()
    expect(page.locator(".view-head")).to_contain_text("230")
    page.go_back()
    entry.get_by_role("button", name="do it").click()
    expect(entry).to_contain_text("Taken back: 230 memories.")
    expect(entry).not_to_contain_text("more")  # there is no list of them any more
    assert http.get("/api/atoms").json()["total"] == 0
    entry.get_by_role("button", name="undo").click()
    expect(entry).to_contain_text("Brought back.")
    assert http.get("/api/atoms").json()["total"] == 230


def test_what_is_no_request_after_all_is_remembered_instead(page: Page) -> None:
    tell(page, "Tom plays darts.")
    say(page, "Forget everything about Tom")
    entry = page.locator("lattice-entry").last
    entry.get_by_role("button", name="remember it instead").click()
    expect(entry).to_contain_text("Remembered")


def test_the_box_says_what_the_server_takes_the_words_for(page: Page) -> None:
    box = page.get_by_role("textbox", name="Tell or ask")
    chip = page.locator("button.intent")
    for words, will in (("Undo that.", "do it"), ("Where is the key?", "ask"), ("Remember that Tom has it.", "remember")):
        box.fill(words)
        expect(chip).to_contain_text(will)


def test_while_the_server_says_nothing_neither_does_the_box_and_words_are_sent_all_the_same(page: Page) -> None:
    page.route("**/api/intent", lambda route: route.fulfill(json={"intent": None}))
    box = page.get_by_role("textbox", name="Tell or ask")
    with page.expect_response("**/api/intent"):
        box.fill("Anna plays chess.")
    expect(page.locator("button.intent")).to_have_count(0)
    box.press("Enter")
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered")
