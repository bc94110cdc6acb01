"""What failed, and what was taken back: after a reload and in another tab."""

from __future__ import annotations

import httpx
import pytest
from browsing import open_page, say, sign_in, tell
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect
from product import Product

pytestmark = pytest.mark.browser

TORN: FilePayload = {"name": "boiler-manual.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\n1 0 obj << /Type /Catalog"}
FUSE = "The spare fuse is in the drawer by the door."


def last(page: Page) -> Locator:
    return page.locator("lattice-entry").last


def other_tab(page: Page) -> Page:
    other = page.context.new_page()
    key = page.evaluate("localStorage['lattice-page-key']")
    other.add_init_script(f"localStorage['lattice-page-key'] ??= {key!r};")
    other.goto("/")
    return other


def test_a_file_that_could_not_be_read_needs_its_owner_until_it_is_dismissed(page: Page) -> None:
    page.locator("lattice-box input[type=file]").set_input_files(TORN)
    expect(last(page)).to_contain_text("Not read")
    expect(page.get_by_role("link", name="Needs you 1", exact=True)).to_be_visible()
    page.reload()
    expect(last(page)).to_contain_text("boiler-manual.pdf")
    expect(last(page)).to_contain_text("Not read")
    expect(last(page).locator(".because")).not_to_be_empty()
    page.goto("/review")
    line = page.locator("lattice-review").get_by_role("listitem")
    expect(line).to_contain_text("boiler-manual.pdf")
    line.get_by_role("button", name="Dismiss boiler-manual.pdf").click()
    expect(page.locator("lattice-review")).to_contain_text("Nothing needs you")
    expect(page.get_by_role("link", name="Needs you", exact=True)).to_be_visible()
    page.locator("lattice-did").get_by_role("button", name="undo").click()
    expect(line).to_contain_text("boiler-manual.pdf")


def test_after_a_reload_a_line_says_what_it_said_before(page: Page) -> None:
    say(page, "Thanks!")
    expect(last(page)).to_contain_text("Nothing in it to remember")
    page.reload()
    expect(last(page)).to_contain_text("Nothing in it to remember")
    note: FilePayload = {"name": "bicycle.md", "mimeType": "text/markdown", "buffer": b"Piet repairs bicycles in the yard.\n"}
    page.locator("lattice-box input[type=file]").set_input_files(note)
    expect(last(page)).to_contain_text("Remembered 1 thing from bicycle.md")
    page.reload()
    expect(last(page)).to_contain_text("Remembered 1 thing from bicycle.md")


def test_what_was_taken_back_is_shown_as_that_in_another_tab_and_after_a_reload(page: Page) -> None:
    tell(page, FUSE)
    other = other_tab(page)
    expect(last(other)).to_contain_text("Remembered 1 thing")
    last(page).get_by_role("button", name="undo").click()
    expect(last(page)).to_contain_text("Taken back")
    expect(last(other)).to_contain_text("Taken back")
    page.reload()
    expect(last(page)).to_contain_text("Taken back")
    expect(last(page)).to_contain_text(FUSE)
    last(page).get_by_role("button", name="put back").click()
    expect(last(page)).to_contain_text("Remembered 1 thing")
    expect(last(page).get_by_role("link")).to_contain_text(FUSE)
    expect(last(other)).to_contain_text("Remembered 1 thing")
    other.close()


def test_an_undo_that_was_done_elsewhere_is_no_error(browser: Browser, product: Product, http: httpx.Client) -> None:
    page, _ = open_page(browser, product)  # Chromium writes the 409 to the console
    sign_in(page, product)
    page.route("**/api/changes*", lambda route: route.abort())  # this tab hears of nothing
    page.reload()
    tell(page, FUSE)
    [turn] = http.get("/api/chat/recent").json()["turns"]
    http.post(f"/api/undo/{turn['trace_id']}")
    last(page).get_by_role("button", name="undo").click()
    expect(last(page)).to_contain_text("Taken back")
    expect(last(page).locator(".trouble")).to_have_count(0)
    page.context.close()
