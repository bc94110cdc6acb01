"""Every view by the keyboard alone: what can be done there. Where Tab leads is in `test_page_ring`."""

from __future__ import annotations

import pytest
from browsing import KEY, tell
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def go_to(page: Page, view: str) -> None:
    """By the palette."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type(view)
    expect(field).to_have_value(view)
    expect(page.get_by_role("option", selected=True)).to_contain_text(view)
    page.keyboard.press("Enter")


def test_views_are_opened_used_and_left_without_a_pointer(page: Page) -> None:
    tell(page, KEY)
    go_to(page, "Memories")
    page.wait_for_url("**/memories")
    expect(page.locator(".rows .row")).to_have_count(1)
    field = page.get_by_label("Search what is remembered")
    field.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    panel = page.locator("lattice-panel")
    expect(panel.locator(".statement")).to_contain_text("Ingrid")
    panel.get_by_role("button", name="edit").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("Tom in flat 3 has my spare key.")
    page.keyboard.press("Control+Enter")
    expect(panel.locator(".statement")).to_contain_text("Tom")
    panel.get_by_role("button", name="wrong").focus()
    page.keyboard.press("Enter")
    expect(panel.get_by_label("What is right?")).to_be_focused()
    page.keyboard.type("Ines in flat 4 has my spare key.")
    page.keyboard.press("Enter")
    expect(panel.locator(".statement")).to_contain_text("Ines")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    go_to(page, "Today")
    expect(page.locator("lattice-entry").first).to_be_visible()
