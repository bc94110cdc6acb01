"""Telling and asking on the page, in a real browser against the real product.

Every test with the `page` fixture also fails on an error in the console, a breach of the content security policy, or a request
to another host.
"""

from __future__ import annotations

import json
import re

import pytest
from browsing import KEY, say, tell
from playwright.sync_api import Page, Route, expect

from tests.data import documents

pytestmark = pytest.mark.browser


def test_the_empty_page_teaches_and_a_click_tries_what_it_shows(page: Page) -> None:
    expect(page.get_by_role("heading", name="Nothing is remembered yet.")).to_be_visible()
    page.get_by_role("button", name=KEY).click()
    expect(page.locator("lattice-entry")).to_contain_text("Remembered 1 thing")
    page.get_by_role("button", name="Who has my spare key?").click()
    expect(page.locator("lattice-entry").last).to_contain_text("Ingrid")


def test_what_is_told_is_remembered_and_can_be_taken_back_and_put_back(page: Page) -> None:
    tell(page, "The gas meter is behind the green door. Ada is allergic to walnuts.")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Remembered 2 things")
    expect(entry.get_by_role("listitem").first).to_contain_text("green door")
    entry.get_by_role("button", name="undo").click()
    expect(entry).to_contain_text("Taken back")
    say(page, "What is Ada allergic to?")
    expect(page.locator("lattice-entry").last).to_contain_text("I don’t know")
    entry.first.get_by_role("button", name="put back").click()
    expect(entry.first).to_contain_text("Remembered 2 things")


def test_an_answer_cites_its_source_and_the_citation_opens_it_with_the_quote_marked(page: Page) -> None:
    tell(page, f"Coffee with the neighbours 🎉 was lovely. {KEY} Her dog is called Bruno.")
    say(page, "Who has my spare key?")
    answer = page.locator("lattice-entry").last
    expect(answer.locator(".answer")).to_contain_text("Ingrid")
    cite = answer.locator(".cite").first
    cite.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("spare key")
    cite.click()
    panel = page.get_by_role("complementary", name="Memory and its source")
    expect(panel).to_be_focused()
    expect(panel.locator("mark")).to_have_text(re.compile("^Ingrid in flat 12 has my spare key"))
    expect(panel.locator("blockquote")).to_contain_text("Coffee with the neighbours 🎉")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(cite).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(page.get_by_role("tooltip")).to_contain_text("spare key")


def test_what_replaced_an_older_memory_is_shown_with_it(page: Page) -> None:
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Remembered 1 thing")
    expect(entry.locator(".change")).to_have_text("Berlin → Lisbon")
    entry.get_by_role("button", name="show").click()
    panel = page.locator("lattice-panel")
    expect(panel.get_by_role("heading", name="What it replaced")).to_be_visible()
    panel.get_by_role("link", name=re.compile("^I live in Berlin")).click()
    expect(panel.locator(".note")).to_contain_text("Replaced")
    panel.get_by_role("button", name="Back").click()
    expect(panel.locator(".statement")).to_contain_text("Lisbon")


def test_what_was_told_before_is_already_known(page: Page) -> None:
    tell(page, KEY)
    say(page, KEY)
    expect(page.locator("lattice-entry").last).to_contain_text("Already known")


def test_small_talk_leaves_nothing_to_remember(page: Page) -> None:
    say(page, "Thanks!")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Nothing in it to remember")
    expect(entry.get_by_role("button")).to_have_count(0)


def test_what_is_set_aside_says_why_and_can_be_kept_all_the_same(page: Page) -> None:
    """The rules set nothing aside that a test could rely on, so what the server says is written here."""
    receipt = {"state": "rejected", "atoms_new": 0, "atoms_updated": 0, "duplicates_skipped": 0, "rejected": 1, "atom_ids": []}
    candidate = {
        "rejected_id": "r1",
        "content": "The rent is 900.",
        "reason": "number-unlicensed",
        "detail": "900",
        "kept": False,
    }

    def events(route: Route) -> None:
        capture_id = route.request.url.split("/")[-2]
        receipt["capture_id"] = candidate["capture_id"] = capture_id
        route.fulfill(content_type="text/event-stream", body=f"event: receipt\ndata: {json.dumps(receipt)}\n\n")

    page.route("**/api/captures/*/events", events)
    page.route("**/api/rejected?*", lambda route: route.fulfill(json={"rejected": [candidate]}))
    page.route("**/api/rejected/r1/keep", lambda route: route.fulfill(json={"change_id": "c1"}))
    say(page, "The rent is due.")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Set aside")
    expect(entry.get_by_role("listitem")).to_contain_text("set aside: you did not say this number (900)")
    entry.get_by_role("button", name="keep anyway").click()
    expect(entry.get_by_role("listitem")).to_contain_text("kept, as your own words")
    expect(entry.get_by_role("button", name="undo")).to_be_visible()


def test_stages_are_shown_while_a_capture_is_read(page: Page) -> None:
    stage = 'event: stage\ndata: {"stage": "extract", "done": 3, "total": 12}\n\n'
    page.route("**/api/captures/*/events", lambda route: route.fulfill(content_type="text/event-stream", body=stage))
    say(page, "The rent is due.")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Received, being read (3 of 12 parts)")
    page.unroute("**/api/captures/*/events")
    expect(entry).to_contain_text("Remembered 1 thing")


def test_not_knowing_is_an_answer_of_its_own(page: Page) -> None:
    tell(page, KEY)
    say(page, "What is the capital of Mongolia?")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("I don’t know")
    expect(entry.locator(".cite")).to_have_count(0)


def test_a_memory_can_be_edited_and_forgotten_and_both_undone(page: Page) -> None:
    tell(page, "The bins go out on Tuesday.")
    page.locator("lattice-entry .memory").click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").fill("The bins go out on Wednesday.")
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".statement")).to_have_text("The bins go out on Wednesday.")
    panel.get_by_role("button", name="forget").click()
    expect(panel).to_have_count(0)
    forgotten = page.locator("lattice-entry").last
    expect(forgotten).to_contain_text("In the trash")
    forgotten.get_by_role("button", name="undo").click()
    expect(forgotten).to_contain_text("Taken back")
    page.reload()
    page.get_by_role("button", name="Lately remembered").click()  # folded, for the conversation has it too
    expect(page.locator(".lately")).to_contain_text("The bins go out on Wednesday.")


def test_search_finds_while_typing(page: Page) -> None:
    tell(page, KEY)
    page.get_by_role("button", name="Search").click()
    field = page.get_by_label("Search what is remembered")
    expect(field).to_be_focused()
    field.fill("spare key")
    expect(page.locator(".rows .memory")).to_contain_text("Ingrid")
    field.press("Enter")
    expect(page.locator("lattice-panel .statement")).to_contain_text("Ingrid")


def test_files_can_be_dropped_anywhere(page: Page) -> None:
    transfer = page.evaluate_handle(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(["The fuse box is in the hall."], "house.txt", { type: "text/plain" }));
          transfer.items.add(new File(["The stopcock is under the sink."], "water.md", { type: "text/markdown" }));
          return transfer;
        }"""
    )
    page.dispatch_event("main", "dragover", {"dataTransfer": transfer})
    expect(page.locator("body")).to_contain_text("Drop to remember")
    page.dispatch_event("main", "drop", {"dataTransfer": transfer})
    expect(page.locator("lattice-entry").first).to_contain_text("Remembered 1 thing from house.txt")
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from water.md")
    expect(page.locator("body")).not_to_contain_text("Drop to remember")


def test_a_text_file_is_remembered_and_what_holds_no_words_says_why_not(page: Page) -> None:
    picker = page.locator("input[type=file]")
    picker.set_input_files(
        {"name": "house.md", "mimeType": "text/markdown", "buffer": b"# House\n\nThe fuse box is in the hall.\n"}
    )
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from house.md")
    picker.set_input_files({"name": "cat.png", "mimeType": "image/png", "buffer": b"\x89PNG\r\n\x1a\n" + bytes(64)})
    expect(page.locator("lattice-entry").last).to_contain_text("Not read")
    expect(page.locator("lattice-entry").last).to_contain_text("cat.png")


KEEP_BLOBS = "() => { const make = URL.createObjectURL; URL.createObjectURL = (it) => make((window.made = it)); }"
BYTES = "() => window.made.arrayBuffer().then((it) => [...new Uint8Array(it)])"


def test_a_pdf_shows_its_page_in_the_panel_and_its_original_opens(whole_page: Page) -> None:
    rent, deposit = "The rent of flat 12 is 900 euros a month.", "The deposit of flat 12 is 2,700 euros."
    pdf = documents.pdf(documents.lines(rent), documents.lines(deposit))
    whole_page.locator("input[type=file]").set_input_files({"name": "lease.pdf", "mimeType": "application/pdf", "buffer": pdf})
    entry = whole_page.locator("lattice-entry").last
    expect(entry).to_contain_text("Remembered 3 things from lease.pdf", timeout=30_000)
    entry.get_by_text("The deposit of flat 12").click()
    panel = whole_page.locator("lattice-panel")
    expect(panel).to_contain_text("lease.pdf, page 2")
    expect(panel.locator("mark")).to_contain_text("2,700 euros")
    whole_page.evaluate(KEEP_BLOBS)
    with whole_page.expect_popup() as opened:
        panel.get_by_role("button", name="open the original").click()
    opened.value.wait_for_url(re.compile("^blob:"), wait_until="commit")
    assert whole_page.evaluate("window.made.type") == "application/pdf"
    assert whole_page.evaluate(BYTES) == list(pdf)


def test_what_a_document_says_of_me_is_shown_where_it_disagrees_and_i_say_which_to_keep(page: Page) -> None:
    tell(page, "My name is Ada Miller. I live in Berlin.")
    page.locator("input[type=file]").set_input_files(
        {"name": "form.html", "mimeType": "text/html", "buffer": b"<p>Ada Miller lives in Lisbon.</p>"}
    )
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Remembered 1 thing from form.html", timeout=30_000)
    entry.get_by_text("Ada Miller lives in Lisbon.").click()
    panel = page.locator("lattice-panel")
    expect(panel).to_contain_text("learned from a document")
    expect(panel).to_contain_text("I live in Berlin.")
    panel.get_by_role("button", name="keep that").click()
    expect(panel).to_contain_text("you kept “I live in Berlin.”")
    page.locator("lattice-entry").last.get_by_role("button", name="undo").click()
    expect(panel.get_by_role("button", name="keep this")).to_be_visible()
