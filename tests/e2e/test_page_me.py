"""What Lattice knows of its owner: put right line by line, of these weeks and lasting, each line with where it comes from."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from browsing import open_page, sign_in
from playwright.sync_api import Browser, Page, expect
from product import Product

pytestmark = pytest.mark.browser


def told(product: Product, text: str, days_ago: float, **metadata: str) -> dict[str, Any]:
    at = (datetime.now(UTC) - timedelta(days=days_ago)).isoformat()
    sent = {"text": text, "wait": True, "metadata": {"observed_at": at, **metadata}}
    answered = httpx.post(
        f"{product.url}/api/ingest", json=sent, headers={"authorization": f"Bearer {product.token}"}, timeout=30
    )
    receipt: dict[str, Any] = answered.raise_for_status().json()
    return receipt


def test_a_line_is_put_right_as_its_owner_said_it_and_taken_back(page: Page, product: Product) -> None:
    told(product, "I live in Porto.", 400)
    page.goto("/me")
    line = page.locator(".rows .content")
    expect(line).to_have_text("You live in Porto.")
    page.get_by_role("button", name="Edit: I live in Porto.").click()
    field = page.get_by_label("What should it say?")
    field.fill("I live in Braga.")
    field.press("Enter")
    expect(line).to_have_text("You live in Braga.")
    expect(field).to_have_count(0)
    did = page.locator(".did")
    expect(did).to_contain_text("Changed “I live in Braga.”")
    page.reload()
    expect(line).to_have_text("You live in Braga.")
    page.get_by_role("button", name="Edit: I live in Braga.").click()
    field.fill("I live in Faro.")
    page.get_by_role("button", name="save").click()
    expect(line).to_have_text("You live in Faro.")
    did.get_by_role("button", name="undo").click()
    expect(line).to_have_text("You live in Braga.")


def test_a_line_that_could_not_be_saved_keeps_its_words_and_says_why(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports a request that was refused
    sign_in(page, product)
    told(product, "I live in Porto.", 400)
    page.goto("/me")
    full = {"type": "about:blank", "title": "Insufficient Storage", "status": 507, "detail": "There is no room left on /data."}
    page.route("**/api/atoms/*", lambda route: route.fulfill(status=507, content_type="application/problem+json", json=full))
    page.get_by_role("button", name="Edit: I live in Porto.").click()
    field = page.get_by_label("What should it say?")
    field.fill("I live in Braga.")
    field.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is no room left on /data.")
    expect(field).to_have_value("I live in Braga.")
    page.unroute("**/api/atoms/*")
    field.press("Enter")
    expect(page.locator(".rows .content")).to_have_text("You live in Braga.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.context.close()


def test_what_was_told_lately_stands_apart_from_what_has_held_for_long(page: Page, product: Product) -> None:
    told(product, "I live in Porto.", 400)
    told(product, "I am learning to play the cello.", 3)
    page.goto("/me")
    lately = page.locator("section.todos", has=page.get_by_role("heading", name="Of these weeks"))
    expect(lately.locator(".content")).to_contain_text(["cello"])
    lasting = page.locator("section.todos").filter(has=page.get_by_role("heading", name="Lasting"))
    expect(lasting.locator(".content")).to_have_text("You live in Porto.")
    expect(lately).not_to_contain_text("Porto")


def test_what_was_told_long_ago_is_not_of_these_weeks(page: Page, product: Product) -> None:
    told(product, "I live in Porto.", 400)
    page.goto("/me")
    expect(page.locator(".rows .content")).to_have_text("You live in Porto.")
    expect(page.get_by_role("heading", name="Of these weeks")).to_have_count(0)


def test_a_line_names_where_it_was_said_and_leads_to_the_words_themselves(page: Page, product: Product) -> None:
    receipt = told(product, "Coffee with Nora. I live in Porto.", 400, title="Diary of May")
    page.goto("/me")
    line = page.locator(".rows .row", has_text="You live in Porto.")
    expect(line.locator(".where")).to_have_text("Diary of May")
    line.get_by_role("link").click()
    panel = page.locator("lattice-panel")
    expect(panel.locator("mark")).to_have_text("I live in Porto.")
    expect(panel).to_contain_text("Diary of May")
    panel.get_by_role("link", name="whole text").click()
    page.wait_for_url(f"**/source/{receipt['capture_id']}**")
    expect(page.locator(".document")).to_have_text("Coffee with Nora. I live in Porto.")
    page.go_back()
    page.go_back()
    page.wait_for_url("**/me")
