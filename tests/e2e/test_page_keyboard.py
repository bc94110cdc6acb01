"""Every view by the keyboard alone."""

from __future__ import annotations

import pytest
from browsing import KEY, tell
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

REACHED = """() => {
  const it = document.activeElement;
  const name = it.getAttribute("aria-label") || it.innerText || it.placeholder || it.title || it.labels?.[0]?.innerText || "";
  const ring = getComputedStyle(it);
  const seen = it.matches(":focus-visible") && (ring.outlineStyle !== "none" || ring.borderColor !== "" );
  return { tag: it.localName, name: name.trim(), seen, top: it.getBoundingClientRect().top };
}"""
VISIBLE = """() => [...document.querySelectorAll("main :is(a[href], button, input, select, summary, [tabindex='0'])")]
  .filter((it) => !it.disabled && it.checkVisibility({ visibilityProperty: true }) && !it.closest("[inert]")).length"""


def go_to(page: Page, view: str) -> None:
    """By the palette."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type(view)
    expect(field).to_have_value(view)
    expect(page.get_by_role("option", selected=True)).to_contain_text(view)
    page.keyboard.press("Enter")


@pytest.mark.parametrize(
    "view", ["/", "/memories", "/me", "/when", "/review", "/about/Ingrid", "/settings", "/graph?about=Ingrid"]
)
def test_tab_reaches_every_control_of_a_view_and_each_has_a_name(page: Page, view: str) -> None:
    tell(page, KEY)
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    page.goto(view)
    expect(page.locator("main")).not_to_contain_text("Looking …")
    wanted = page.evaluate(VISIBLE)
    page.evaluate("document.activeElement.blur(); document.querySelector('main').focus()")
    inside = 0
    for _ in range(wanted + 5):
        page.keyboard.press("Tab")
        reached = page.evaluate(REACHED)
        if not page.evaluate("Boolean(document.activeElement.closest('main'))"):
            break
        inside += 1
        assert reached["name"], reached
        assert reached["seen"], reached
    assert inside >= wanted * 0.9  # of several fields of a date, Tab may rest on each


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
