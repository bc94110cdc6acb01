"""Defects that people met on the page, each with the behaviour that took its place."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browsing import KEY, PHONE, WIDE, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Locator, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser

BINS = "The bins go out on Tuesday."


def open_memory(page: Page, words: str = BINS) -> Locator:
    """Tell something, and open what is remembered of it."""
    tell(page, words)
    page.locator("lattice-entry .memory").last.click()
    panel = page.locator("lattice-panel")
    expect(panel.locator(".statement")).to_have_text(words)
    return panel


def with_status(page: Page, **fields: Any) -> None:
    """What `GET /api/status` says from now on, beside what is so."""

    def answer(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), **fields})

    page.route("**/api/status", answer)


# The editor


def test_edit_takes_the_focus_so_that_typing_changes_the_memory_and_nothing_else(page: Page) -> None:
    panel = open_memory(page)
    panel.get_by_role("button", name="edit").click()
    editor = panel.get_by_label("What should it say?")
    expect(editor).to_be_focused()
    page.keyboard.type(" Early!")
    expect(editor).to_have_value(f"{BINS} Early!")
    expect(box(page)).to_have_value("")
    panel.get_by_role("button", name="cancel").click()
    expect(panel.get_by_role("button", name="edit")).to_be_focused()


def test_escape_in_the_editor_loses_no_words(page: Page) -> None:
    panel = open_memory(page)
    panel.get_by_role("button", name="edit").click()
    editor = panel.get_by_label("What should it say?")
    editor.fill("The bins go out on Friday.")
    editor.press("Escape")
    expect(editor).to_have_value("The bins go out on Friday.")
    expect(panel).to_contain_text("Not saved yet")
    panel.get_by_role("button", name="Close").click()
    page.locator("lattice-entry .memory").last.click()
    expect(panel.get_by_label("What should it say?")).to_have_value("The bins go out on Friday.")
    panel.get_by_role("button", name="cancel").click()
    expect(panel.locator(".statement")).to_have_text(BINS)
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").press("Escape")
    expect(panel.locator("textarea")).to_have_count(0)
    expect(panel.locator(".panel")).to_be_visible()


def test_control_enter_saves_what_was_edited(page: Page) -> None:
    panel = open_memory(page)
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").fill("The bins go out on Friday.")
    panel.get_by_label("What should it say?").press("Control+Enter")
    expect(panel.locator(".statement")).to_have_text("The bins go out on Friday.")


# What is shown stays true


def test_an_entry_shows_the_new_words_of_a_memory_that_was_edited(page: Page) -> None:
    panel = open_memory(page)
    say(page, "When do the bins go out?")
    answer = page.locator("lattice-entry").nth(1)
    expect(answer.locator(".answer")).to_contain_text("Tuesday")
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").fill("The bins go out on Friday.")
    panel.get_by_role("button", name="Save").click()
    expect(page.locator("lattice-entry").first.locator(".memory")).to_contain_text("Friday")
    expect(page.locator("lattice-entry").first).not_to_contain_text("Tuesday")
    expect(answer.locator(".sources")).to_contain_text(f"{BINS} → The bins go out on Friday.")
    page.locator("lattice-entry").last.get_by_role("button", name="undo").click()
    expect(page.locator("lattice-entry").first.locator(".memory")).to_contain_text("Tuesday")


def test_undo_with_the_memory_open_says_calmly_that_it_is_taken_back(page: Page) -> None:
    panel = open_memory(page)
    page.locator("lattice-entry").get_by_role("button", name="undo").click()
    expect(page.locator("lattice-entry")).to_contain_text("Taken back")
    expect(panel).to_contain_text("not there any more")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.locator("lattice-entry").get_by_role("button", name="put back").click()
    expect(panel.locator(".statement")).to_have_text(BINS)


def test_lately_holds_what_was_just_told(page: Page) -> None:
    tell(page, KEY)
    page.reload()
    page.get_by_role("button", name="Lately remembered").click()  # folded, for the conversation has it too
    expect(page.locator(".lately")).to_contain_text("Ingrid")
    tell(page, BINS)
    expect(page.locator(".lately")).to_contain_text(BINS)


def test_the_page_does_not_go_on_saying_that_nothing_is_remembered(page: Page) -> None:
    expect(page.get_by_role("heading", name="Nothing is remembered yet.")).to_be_visible()
    tell(page, BINS)
    expect(page.get_by_role("heading", name="Nothing is remembered yet.")).to_have_count(0)


def test_the_rest_of_what_a_file_brought_can_be_shown(page: Page) -> None:
    lines = "".join(f"Locker {n} belongs to the {n}th tenant.\n\n" for n in range(101, 121))
    page.locator("input[type=file]").set_input_files(
        {"name": "lockers.md", "mimeType": "text/markdown", "buffer": lines.encode()}
    )
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Remembered 20 things", timeout=30_000)
    expect(entry.locator(".memory")).to_have_count(12)
    entry.get_by_role("button", name="and 8 more").click()
    expect(entry.locator(".memory")).to_have_count(20)
    expect(entry).to_contain_text("Locker 120")


def test_a_statement_said_again_that_retires_another_says_so_and_can_be_undone(page: Page) -> None:
    """Told twice in different order; what came of it is written here, for it takes days between them."""
    tell(page, "I live in Berlin.")
    receipt = {
        "state": "stored", "atoms_new": 0, "atoms_updated": 2, "duplicates_skipped": 1, "rejected": 0, "atom_ids": [],
        "reason": None, "notes": [],
    }  # fmt: skip

    def events(route: Route) -> None:
        receipt["capture_id"] = route.request.url.split("/")[-2]
        route.fulfill(content_type="text/event-stream", body=f"event: receipt\ndata: {json.dumps(receipt)}\n\n")

    page.route("**/api/captures/*/events", events)
    say(page, "I live in Berlin!")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Already known, and 2 memories brought up to date")
    expect(entry).not_to_contain_text("Nothing in it to remember")
    expect(entry.get_by_role("button", name="undo")).to_be_visible()


def test_a_question_that_was_to_be_remembered_can_be_kept_all_the_same(page: Page) -> None:
    question = "Where is my key?"
    box(page).fill(question)
    expect(page.get_by_role("button", name="Will ask")).to_be_visible()
    box(page).press("Tab")
    box(page).press("Enter")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Nothing in it to remember")
    entry.get_by_role("button", name="keep anyway").click()
    expect(entry).to_contain_text("Remembered 1 thing")
    expect(entry.locator(".memory")).to_contain_text(question)
    entry.get_by_role("button", name="undo").click()
    expect(entry).to_contain_text("Taken back")
    entry.get_by_role("button", name="put back").click()
    expect(entry).to_contain_text("Remembered 1 thing")


# The bar


def test_what_could_not_be_read_stands_in_the_bar(page: Page) -> None:
    with_status(page, captures={"dead": 2}, inbox={"failed": 1})
    tell(page, KEY)
    expect(page.locator(".going-on")).to_contain_text("3 could not be read")
    expect(page.locator(".going-on span[title]")).to_have_attribute("title", re.compile("2 captures .* 1 file "))


def test_that_older_memories_are_read_again_is_not_called_a_capture(page: Page) -> None:
    with_status(page, captures={"waiting": 1}, migration={"migration": 1, "looked_at": 1200, "of": 90000})
    page.reload()
    expect(page.locator(".going-on")).to_contain_text("older memories read again")
    expect(page.locator(".going-on span[title]")).to_have_attribute("title", re.compile("1,200 of 90,000"))


def test_what_the_bar_says_never_makes_a_phones_page_wider_than_the_phone(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True)
    sign_in(page, product)
    page.route("**/api/needs", lambda route: route.fulfill(json={"count": 12}))
    with_status(page, captures={"waiting": 1234})
    page.reload()
    expect(page.locator(".going-on")).to_contain_text("being read")
    expect(page.locator(".count")).to_have_text("12")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    page.context.close()
    assert problems == []


def test_the_bar_is_well_again_soon_after_lattice_is(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports the failed request in its console
    sign_in(page, product)
    page.route("**/api/status", lambda route: route.abort())
    tell(page, KEY)
    expect(page.locator(".going-on")).to_contain_text("not answering")
    page.unroute("**/api/status")
    expect(page.locator(".going-on")).not_to_contain_text("not answering", timeout=4_000)
    page.context.close()


# Keys, search, text


def test_in_an_empty_box_the_keys_of_the_page_do_what_they_say(page: Page) -> None:
    expect(box(page)).to_be_focused()
    page.keyboard.press("/")
    expect(box(page)).to_have_value("")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(box(page)).to_have_value("")
    page.keyboard.type("And/or?")
    expect(box(page)).to_have_value("And/or?")


def test_search_keeps_its_query_marks_what_it_found_and_goes_by_keys(page: Page) -> None:
    tell(page, KEY)
    tell(page, "The other spare key lies in the drawer.")
    page.get_by_role("button", name="Search").click()
    field = page.get_by_label("Search what is remembered")
    field.fill("spare key")
    found = page.locator(".rows .memory")
    expect(found).to_have_count(2)
    expect(found.first.locator("mark").first).to_have_text(re.compile("spare|key", re.IGNORECASE))
    field.press("ArrowDown")
    expect(found.first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(found.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(field).to_be_focused()
    page.get_by_role("link", name="Lattice").click()
    page.get_by_role("button", name="Search").click()
    expect(field).to_have_value("spare key")
    expect(found).to_have_count(2)


def test_search_can_leave_out_what_was_replaced(page: Page) -> None:
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Search what is remembered").fill("Berlin")
    found = page.locator(".rows .memory")
    expect(found).to_have_count(2)
    page.get_by_role("button", name="filter").click()
    page.get_by_label("Is it so").select_option("current")
    expect(found).to_have_count(1)
    expect(found).to_contain_text("Lisbon")


def test_the_text_of_a_memory_can_be_selected_without_opening_it(page: Page) -> None:
    tell(page, KEY)
    words = page.locator("lattice-entry .memory .content").bounding_box()
    assert words is not None
    page.mouse.move(words["x"] + 2, words["y"] + 12)
    page.mouse.down()
    page.mouse.move(words["x"] + 120, words["y"] + 12, steps=5)
    page.mouse.up()
    assert "Ingrid" in page.evaluate("getSelection().toString()")
    expect(page.locator("lattice-panel")).to_have_count(0)
    page.locator("lattice-entry .memory").press("Enter")
    expect(page.locator("lattice-panel .statement")).to_be_visible()


def test_what_was_said_stands_in_the_direction_of_its_own_script(page: Page) -> None:
    panel = open_memory(page, "מפתח הדירה אצל אינגריד.")
    page.keyboard.press("Escape")
    direction = "(element) => getComputedStyle(element).direction"
    assert page.locator("lattice-entry .memory .content").evaluate(direction) == "rtl"
    page.locator("lattice-entry .memory").click()
    assert panel.locator(".statement").evaluate(direction) == "rtl"
    assert panel.locator("blockquote").evaluate(direction) == "rtl"
    box(page).fill("שלום")
    assert box(page).evaluate(direction) == "rtl"


# Layout


def test_long_words_have_the_whole_width_of_the_box(page: Page) -> None:
    box(page).fill("The spare key lies in the drawer. " * 6)
    expect(page.locator("button.intent")).to_be_visible()
    widths = page.evaluate("['.box textarea', '.box'].map((name) => document.querySelector(name).clientWidth)")
    assert widths[0] > 0.94 * widths[1]


@pytest.mark.parametrize("width", [1160, 1280, 1440, 1680])
def test_the_column_stays_where_it_is_when_a_memory_is_opened(page: Page, width: int) -> None:
    page.set_viewport_size({**WIDE, "width": width})
    tell(page, KEY)
    place = "document.querySelector('.entry').getBoundingClientRect().x"
    before = page.evaluate(place)
    page.locator("lattice-entry .memory").click()
    expect(page.locator("lattice-panel .statement")).to_be_visible()
    assert page.evaluate(place) == before
    edges = page.evaluate(
        "[document.querySelector('.entry').getBoundingClientRect().right,"
        " document.querySelector('.panel').getBoundingClientRect().left]"
    )
    assert edges[0] < edges[1]


def test_text_grows_with_the_browsers_own_text_size(page: Page) -> None:
    tell(page, KEY)
    sizes = """["body", ".bar h1", ".memory .content", ".memory .where", ".said, .line .words", ".box textarea"].map((name) =>
        parseFloat(getComputedStyle(document.querySelector(name)).fontSize))"""
    before = page.evaluate(sizes)
    page.evaluate("document.documentElement.style.fontSize = '24px'")
    after = page.evaluate(sizes)
    assert after == [pytest.approx(size * 1.5) for size in before]


def test_the_colour_of_the_browsers_own_bar_follows_the_switch(page: Page) -> None:
    colours = "[...document.querySelectorAll('meta[name=theme-color]')].map((meta) => meta.content)"
    page.get_by_role("button", name="Switch to dark").click()
    assert set(page.evaluate(colours)) == {"#151513"}
    page.reload()
    assert set(page.evaluate(colours)) == {"#151513"}
    page.get_by_role("button", name="Switch to light").click()
    assert page.evaluate(colours) == ["#fbfaf8", "#151513"]


def test_nothing_under_the_sheet_can_be_reached(page: Page) -> None:
    page.set_viewport_size(PHONE)
    panel = open_memory(page)
    expect(panel.locator(".panel")).to_be_visible()
    assert page.evaluate("['.bar', 'main', '.dock'].every((name) => document.querySelector(name).closest('[inert]'))")


def test_the_box_stands_in_a_landmark(page: Page) -> None:
    landmark = page.get_by_role("region", name="Say something")
    expect(landmark.get_by_label("Tell or ask")).to_be_visible()


def test_an_original_opens_where_nothing_in_it_can_run_and_is_kept_as_a_file_otherwise(page: Page) -> None:
    give = page.locator("input[type=file]")
    give.set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"The <b>fuse box</b> is red."})
    page.locator("lattice-entry .memory").click()
    with page.expect_popup() as opened:
        page.get_by_role("button", name="open the original").click()
    expect(opened.value.locator("body")).to_have_text("The <b>fuse box</b> is red.")
    opened.value.close()
    page.keyboard.press("Escape")
    html = b"<script>document.title = 'owned'</script><p>The water tap is behind the sink."
    give.set_input_files({"name": "b.html", "mimeType": "text/html", "buffer": html})
    page.locator("lattice-entry").last.locator(".memory").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="open the original").click()
    assert download.value.suggested_filename == "b.html"
    assert Path(download.value.path()).read_bytes() == html


# Words that are the machine's


def test_the_words_of_the_machine_do_not_leak(page: Page) -> None:
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    page.locator("lattice-entry").last.get_by_role("button", name="show").click()
    panel = page.locator("lattice-panel")
    expect(panel.get_by_role("heading", name="What it replaced")).to_be_visible()
    expect(panel).not_to_contain_text("residence")
    expect(panel.locator(".facts")).not_to_contain_text("Kind")
    panel.get_by_role("link", name=re.compile("^I live in Berlin")).click()
    expect(panel.locator(".note")).to_contain_text("Replaced")
    expect(panel).not_to_contain_text("residence")


# Change shown as change


def test_what_replaced_what_is_shown_as_old_and_new_with_its_day(page: Page) -> None:
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    entry = page.locator("lattice-entry").last
    expect(entry.locator(".change")).to_have_text("Berlin → Lisbon")
    entry.get_by_role("button", name="show").click()
    panel = page.locator("lattice-panel")
    expect(panel.locator(".history")).to_contain_text("Berlin → Lisbon · today")
    panel.get_by_role("link", name=re.compile("^I live in Berlin")).click()
    expect(panel.locator(".note")).to_contain_text("Replaced · today")
    expect(panel.locator(".note .change")).to_have_text("Berlin → Lisbon")


def test_an_edited_memory_shows_what_it_said_before_and_is_cited_with_its_new_words(page: Page) -> None:
    panel = open_memory(page)
    for words in ("The bins go out on Wednesday.", "The bins go out on Friday."):
        panel.get_by_role("button", name="edit").click()
        panel.get_by_label("What should it say?").fill(words)
        panel.get_by_role("button", name="Save").click()
        expect(panel.locator(".statement")).to_have_text(words)
    before = panel.locator(".history .change")
    expect(before.first).to_have_text("The bins go out on Wednesday. → The bins go out on Friday. · today")
    expect(before.last).to_have_text(f"{BINS} → The bins go out on Wednesday. · today")
    expect(panel.locator("mark")).to_have_text(BINS)
    say(page, "When do the bins go out?")
    answer = page.locator("lattice-entry").last
    expect(answer.locator(".cite")).to_have_attribute("aria-label", "Source 1: “The bins go out on Friday.”")
    expect(answer).not_to_contain_text("Tuesday")


# A phone


def test_a_finger_finds_what_it_needs_on_a_phone(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, has_touch=True, is_mobile=True)
    page.set_viewport_size(PHONE)
    sign_in(page, product)
    tell(page, "The manual says so. " * 40 + KEY)
    page.locator("lattice-entry .memory", has_text="Ingrid").tap()
    sheet = page.locator(".panel")
    actions = sheet.locator(".panel-body > .actions")
    expect(actions.get_by_role("button", name="edit")).to_be_in_viewport()
    sheet.evaluate("(panel) => panel.scrollTo(0, 0)")
    expect(actions.get_by_role("button", name="forget")).to_be_in_viewport()
    assert sheet.locator("blockquote").evaluate("(quote) => quote.scrollHeight === quote.clientHeight")
    small = """() => [...document.querySelectorAll('.bar button, .dock button, .panel button, .line button, .memory')]
        .filter((button) => button.checkVisibility())
        .map((button) => [button.textContent.trim() || button.ariaLabel, button.getBoundingClientRect()])
        .filter(([, { width, height }]) => height < 44 || (width < 24 && height < 44)).map(([name]) => name)"""
    assert page.evaluate(small) == []
    bar = sheet.locator(".panel-bar")
    edges = bar.bounding_box()
    assert edges is not None
    x, y = edges["x"] + 60, edges["y"] + 20
    finger = page.context.new_cdp_session(page)
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for down in (30, 70, 120):
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x, "y": y + down}]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(sheet).to_have_count(0)
    page.context.close()
    assert problems == []


def test_a_memory_that_is_brought_back_by_a_request_can_be_opened_again(page: Page) -> None:
    tell(page, "Tom plays darts.")
    say(page, "Forget what I said about Tom.")
    entry = page.locator("lattice-entry").last
    entry.get_by_role("button", name="do it").click()
    expect(entry).to_contain_text("In the trash")
    page.locator("lattice-entry").first.locator(".memory").click()
    panel = page.locator("lattice-panel")
    expect(panel).to_contain_text("not there any more")
    entry.get_by_role("button", name="undo").click()
    expect(panel.locator(".statement")).to_have_text("Tom plays darts.")
