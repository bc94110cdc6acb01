"""Fingers and mice: what one presses is large enough for a finger, and words in lists can be selected with the mouse."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from browsing import KEY, PHONE, open_page, say, sign_in, tell
from page_life import addresses, told
from playwright.sync_api import Browser, Locator, Page, expect
from product import Product

pytestmark = pytest.mark.browser

FINGER = 44
"""Pixels, as the page's manners have it."""

TABLET = {"width": 834, "height": 1112}

TOO_SMALL = """(finger) => {
  const inText = ".cite, .said-here, .outside *, noscript *"; // in the middle of a sentence: as large as a line allows
  const found = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=option]")];
  return found
    .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest("[inert], svg") && !it.matches(inText))
    .map((it) => (it.matches("[type=checkbox]") ? it.closest("label") : it))
    .map((it) => [it, it.getBoundingClientRect()])
    .filter(([, { width, height }]) => width && Math.round(height) < finger)
    .map(([it, { height }]) => `${it.localName}.${it.className} ${it.ariaLabel ?? it.textContent.trim()}: ${height}`);
}"""


def a_life(http: httpx.Client) -> dict[str, Any]:
    """Something in each view: changes, a name, an import, what disagrees, what is called wrong, trash and archive."""
    for text, at in (
        ("I live in Berlin.", "2025-01-10T10:00:00Z"),
        ("My sister Nora lives in Porto.", "2026-03-02T10:00:00Z"),
        ("Nora visited me on 3 June 2026.", "2026-06-04T10:00:00Z"),
    ):
        told(http, text, at)
    moved = told(http, "I moved from Berlin to Lisbon.", "2026-05-14T10:00:00Z", source_id="letters")
    http.post("/api/feedback", json={"atom_ids": moved["atom_ids"], "verdict": "wrong"}).raise_for_status()
    lost = told(http, "The bins go out on Tuesday.", "2026-04-01T10:00:00Z")["atom_ids"][0]
    http.delete(f"/api/atoms/{lost}").raise_for_status()
    old = told(http, "The red bicycle has a flat tyre.", "2026-04-01T10:00:00Z")["atom_ids"]
    http.post("/api/archive", json={"atom_ids": old}).raise_for_status()
    return moved


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_whatever_one_presses_is_large_enough_for_a_finger_in_every_view(
    browser: Browser, product: Product, http: httpx.Client, size: dict[str, int]
) -> None:
    moved = a_life(http)
    page, problems = open_page(browser, product, viewport=size, has_touch=True, is_mobile=True)
    sign_in(page, product)
    tell(page, KEY)
    say(page, "Where do I live?")
    expect(page.locator(".tools").first).to_be_visible()
    found = {"today": page.evaluate(TOO_SMALL, FINGER)}
    for address in (*addresses(moved, "Nora")[1:], "/source/letters"):
        page.goto(address)
        expect(page.locator("main h2").first).to_be_visible()
        expect(page.locator("main .waiting")).to_have_count(0)
        for summary in page.locator("main details:not(.outside) > summary").all():
            summary.click()
        found[address] = page.evaluate(TOO_SMALL, FINGER)
    page.goto("/memories")
    page.get_by_role("button", name="select").click()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="change what it is about").click()
    found["several selected"] = page.evaluate(TOO_SMALL, FINGER)
    page.get_by_role("button", name="Menu").click()
    expect(page.locator(".palette").get_by_role("option").first).to_be_visible()
    found["palette"] = page.evaluate(TOO_SMALL, FINGER)
    page.keyboard.press("Escape")
    page.goto("/login")
    found["login"] = page.evaluate(TOO_SMALL, FINGER)
    assert {view: small for view, small in found.items() if small} == {}
    page.context.close()
    assert problems == []


def test_a_checkbox_is_chosen_by_a_tap_beside_it(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True, is_mobile=True)
    sign_in(page, product)
    tell(page, KEY)
    page.goto("/memories")
    page.get_by_role("button", name="select").tap()
    page.locator(".pick").tap(position={"x": 3, "y": 3})
    expect(page.get_by_role("checkbox")).to_be_checked()
    expect(page.locator(".choices p")).to_have_text("1 memory")
    page.context.close()
    assert problems == []


SELECTED = "getSelection().toString()"

TWO_FRAMES = "new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)))"


def drawn_over(page: Page, words: Locator) -> str:
    """What is selected after the mouse was drawn over the beginning of some words."""
    words.scroll_into_view_if_needed()
    words.click(trial=True)  # waits until it stands still, and clicks nothing
    edges = words.bounding_box()
    assert edges is not None
    x, y = edges["x"] + 1, edges["y"] + min(12.0, edges["height"] / 2)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + min(90.0, edges["width"] - 4), y, steps=6)
    page.mouse.up()
    return str(page.evaluate(SELECTED))


def test_words_in_every_list_are_selected_by_drawing_over_them_and_opened_by_a_click(page: Page, http: httpx.Client) -> None:
    moved = a_life(http)
    for address, listed in (
        ("/", ".memories .content"),
        ("/memories", ".rows .content"),
        ("/memories?q=Lisbon", ".rows .content"),
        ("/when?show=happened", ".timeline .content"),
        ("/when?at=2025-06-30", ".turned .new"),
        ("/me", ".rows .content"),
        ("/about/Nora", ".rows .content"),
        ("/review", ".todo .content"),
        ("/settings", ".gone li"),
        ("/settings", "#archive .content"),
        (f"/source/{moved['capture_id']}", ".said-here mark"),
    ):
        with page.expect_response("**/api/today"), page.expect_response("**/api/needs"):  # what comes above the lists of Today
            page.goto(address)
        expect(page.locator("main .waiting")).to_have_count(0)
        words = page.locator(listed).first
        expect(words).to_be_visible()
        text = words.inner_text()
        selected = drawn_over(page, words)
        assert len(selected) > 5, (address, selected)
        assert selected in text, (address, selected)
        expect(page.locator("lattice-panel")).to_have_count(0)
        assert page.url.endswith(address), page.url
        if "gone" in listed:
            continue  # what lies in the trash has no address
        words.click()
        expect(page.locator("lattice-panel .statement")).to_be_visible()
    page.goto("/memories")
    words = page.locator(".rows .content").first
    drawn_over(page, words)
    page.locator(".rows .memory").first.press("Enter")  # a key opens it, whatever is selected
    expect(page.locator("lattice-panel .statement")).to_be_visible()


def test_the_words_that_an_answer_rests_on_can_be_selected(page: Page) -> None:
    tell(page, KEY)
    tell(page, "I live in Berlin.")
    tell(page, "I moved from Berlin to Lisbon.")
    say(page, "Where do I live?")
    answer = page.locator("lattice-entry").last
    quote = answer.locator(".sources q, .sources s").first
    expect(quote).to_be_visible()
    expect(answer.locator(".tools")).to_be_visible()  # it is whole
    # and what the news changed above it is there
    expect(page.locator(".strip")).to_contain_text("Lisbon")
    expect(page.locator("lattice-entry").nth(1).locator(".became")).to_be_visible()
    assert len(drawn_over(page, quote)) > 5
    expect(page.locator("lattice-panel")).to_have_count(0)
    quote.click()
    panel = page.locator("lattice-panel")
    expect(panel.locator(".statement")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    focused = page.evaluate("[document.activeElement.className, document.activeElement.hasAttribute('tabindex')]")
    assert focused == ["source", False]  # where one was, and a link as before


def test_words_stay_under_the_mouse_that_is_drawn_over_them_while_something_is_told_elsewhere(
    page: Page, http: httpx.Client
) -> None:
    tell(page, "I live in Berlin.")
    tell(page, KEY)
    say(page, "Who has my spare key?")
    answer = page.locator("lattice-entry").nth(2)
    expect(answer.locator(".tools")).to_be_visible()
    words = answer.locator(".answer")
    words.click(trial=True)
    edges = words.bounding_box()
    assert edges is not None
    x, y = edges["x"] + 1, edges["y"] + 12
    page.mouse.move(x, y)
    page.mouse.down()
    with page.expect_response("**/api/today"), page.expect_response("**/api/atoms?limit=200&ids=*"):
        told(http, "I moved from Berlin to Lisbon.", datetime.now(UTC).isoformat())
    page.evaluate(TWO_FRAMES)
    assert words.bounding_box() == edges
    page.mouse.move(x + 90, y, steps=6)
    page.mouse.up()
    selected = page.evaluate(SELECTED)
    assert len(selected) > 5
    assert selected in words.inner_text()
    expect(page.locator(".strip")).to_contain_text("Lisbon")  # what was held back
    expect(page.locator("lattice-entry").first.locator(".became")).to_be_visible()
    assert page.evaluate(SELECTED) == selected
