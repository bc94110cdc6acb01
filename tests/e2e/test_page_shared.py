"""What comes from other pages and apps: the bookmarklet of docs/clients.md as it stands there, and a phone's share menu."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from browsing import box, open_page, sign_in
from playwright.sync_api import Browser, Page, expect
from product import Product

pytestmark = pytest.mark.browser

ROOT = Path(__file__).parents[2]
[BOOKMARKLET] = [
    line.strip().removeprefix("javascript:")
    for line in (ROOT / "docs" / "clients.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("    javascript:")
]
ELSEWHERE = "<title>A recipe</title><p id=eggs>Two eggs &amp; a cup of flour.</p>"


def test_the_bookmarklet_brings_the_words_that_are_marked_on_a_page(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)
    sign_in(page, product)
    page.route("https://recipes.example/**", lambda route: route.fulfill(body=ELSEWHERE, content_type="text/html"))
    page.goto("https://recipes.example/cake?a=1&b=2")
    page.evaluate("getSelection().selectAllChildren(document.getElementById('eggs'))")
    with page.context.expect_page() as opened:
        page.evaluate(BOOKMARKLET.replace("http://localhost:7337", product.url))
    told = opened.value
    expect(box(told)).to_have_value("A recipe\nTwo eggs & a cup of flour.\nhttps://recipes.example/cake?a=1&b=2")
    told.get_by_role("button", name="Will").first.wait_for()
    box(told).press("Enter")
    expect(told.locator("lattice-entry")).to_have_count(1)
    page.context.close()


def test_what_a_phone_shares_is_kept_once_it_is_sent(page: Page) -> None:
    """As the manifest says it is sent; nothing is kept before it is."""
    manifest = json.loads((ROOT / "services" / "api" / "lattice_api" / "ui" / "manifest.webmanifest").read_text())
    target = manifest["share_target"]
    assert (target["method"], target["action"]) == ("POST", "/share")  # the service worker leads on to this address
    shared = {target["params"]["title"]: "A recipe", target["params"]["text"]: "The cake takes two eggs."}
    page.goto(f"/?{urlencode(shared)}")
    expect(box(page)).to_have_value("A recipe\nThe cake takes two eggs.")
    expect(page.locator("lattice-entry")).to_have_count(0)
    with page.expect_request("**/api/query") as sent:
        box(page).press("Enter")
    assert json.loads(sent.value.post_data or "{}")["channel"] == "page"
    expect(page.locator("lattice-entry")).to_contain_text("The cake takes two eggs.")
