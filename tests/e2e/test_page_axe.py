"""Nothing that axe knows keeps anybody out of a view: in light and in dark, at three widths, with and without memories."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import PHONE, WIDE, open_page, sign_in
from page_life import EMPTY, TABLET, addresses, go_to, some_life
from playwright.sync_api import Browser, Page, ViewportSize, expect
from product import Product

pytestmark = pytest.mark.browser


SIZES = {"desk": WIDE, "tablet": TABLET, "phone": PHONE}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_view_has_a_violation(browser: Browser, product: Product, theme: str, size: str) -> None:
    capture = some_life(product)
    atom_id = capture["atom_ids"][0]
    page, problems = seen(browser, product, theme, SIZES[size])
    for address in addresses(capture):
        go_to(page, address)
        assert violations(page) == [], address
    page.goto("/settings")
    page.get_by_role("button", name="Revoke").first.click()
    expect(page.locator("#devices .note.warn")).to_be_visible()
    assert violations(page) == []
    page.goto("/review")
    page.get_by_role("button", name="put it right").click()
    expect(page.get_by_label("What is right?")).to_be_focused()
    assert violations(page) == []
    page.goto(f"/m/{atom_id}")
    page.get_by_role("button", name="wrong").click()
    expect(page.locator("lattice-panel").get_by_label("What is right?")).to_be_focused()
    assert violations(page) == []
    page.goto("/memories?standing=replaced")  # with its filters unfolded
    page.get_by_role("button", name="select").click()
    page.get_by_role("checkbox").first.check()
    assert violations(page) == []
    page.keyboard.press("?" if size == "desk" else "Control+k")
    if size == "desk":
        expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
        assert violations(page) == []
        page.keyboard.press("Escape")
        page.keyboard.press("Control+k")
    expect(page.locator(".palette").get_by_role("option").first).to_be_visible()
    assert violations(page) == []
    page.context.close()
    assert problems == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_no_view_of_an_empty_memory_has_a_violation(browser: Browser, product: Product, theme: str) -> None:
    page, problems = seen(browser, product, theme, WIDE)
    for address in EMPTY:
        go_to(page, address)
        for size in SIZES.values():
            page.set_viewport_size(size)
            assert violations(page) == [], (address, size)
    page.context.close()
    assert problems == []


def seen(browser: Browser, product: Product, theme: str, size: ViewportSize) -> tuple[Page, list[str]]:
    page, problems = open_page(browser, product, color_scheme=theme, viewport=size)
    sign_in(page, product)
    return page, problems


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """The rules that are broken, and by what."""
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # colours on their way are no colours
    found = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]
