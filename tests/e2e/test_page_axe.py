"""Nothing that axe knows keeps anybody out of a view, in light and in dark, wide and on a phone."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from browsing import PHONE, WIDE, open_page, sign_in
from playwright.sync_api import Browser, Page, expect
from product import Product

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(("theme", "size"), [("light", WIDE), ("dark", WIDE), ("light", PHONE), ("dark", PHONE)])
def test_no_view_has_a_violation(browser: Browser, product: Product, theme: str, size: dict[str, int]) -> None:
    capture = some_life(product)
    atom_id = capture["atom_ids"][0]
    page, problems = open_page(browser, product, color_scheme=theme)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    sign_in(page, product)
    for address in (
        "/",
        "/memories?standing=replaced",
        "/memories?q=Berlin",
        f"/m/{atom_id}",
        f"/source/{capture['capture_id']}",
        "/about/Berlin",
        "/when?at=2025-06-30",
        "/when?show=happened",
        "/me",
        "/review",
        "/settings",
        "/graph?about=Berlin",
    ):
        page.goto(address)
        expect(page.locator("main h2, .lately").first).to_be_visible()
        expect(page.locator("main .waiting")).to_have_count(0)
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
    page.keyboard.press("Control+k")
    expect(page.locator(".palette").get_by_role("option").first).to_be_visible()
    assert violations(page) == []
    page.context.close()
    assert problems == []


def some_life(product: Product) -> dict[str, Any]:
    """Something in each view; the receipt of what was told last."""
    capture: dict[str, Any] = {}
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}, timeout=30) as http:
        lost = http.post("/api/ingest", json={"text": "The bins go out on Tuesday.", "wait": True}).json()["atom_ids"][0]
        http.delete(f"/api/atoms/{lost}").raise_for_status()
        for text, at in (
            ("I live in Berlin.", "2025-01-10T10:00:00Z"),
            ("I moved from Berlin to Lisbon.", "2026-05-14T10:00:00Z"),
        ):
            capture = http.post("/api/ingest", json={"text": text, "wait": True, "metadata": {"observed_at": at}}).json()
        http.post("/api/feedback", json={"atom_ids": capture["atom_ids"], "verdict": "wrong"}).raise_for_status()
    return capture


def violations(page: Page) -> list[tuple[str, list[str]]]:
    """The rules that are broken, and by what."""
    page.evaluate("Promise.all(document.getAnimations().map((each) => each.finished))")  # colours on their way are no colours
    found = Axe().run(page).response["violations"]
    return [(each["id"], [node["html"][:200] for node in each["nodes"]]) for each in found]
