"""Around the views: addresses that nothing has, a used link, a server that ends, years before anything was told, and paper."""

from __future__ import annotations

import httpx
import pytest
from browsing import open_page, sign_in, sign_in_by_link, tell
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("address", ["/nothing/here", "/m/", "/shelf"])
def test_an_address_that_nothing_has_says_so_in_the_page(browser: Browser, product: Product, address: str) -> None:
    page, _ = open_page(browser, product)  # Chromium writes each 404 to the console
    sign_in(page, product)
    answer = page.goto(address)
    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Not here")).to_be_visible()
    page.get_by_role("main").get_by_role("link", name="Today").click()
    page.wait_for_url(f"{product.url}/")
    page.context.close()


def test_a_program_is_told_of_an_address_that_nothing_has_in_json(http: httpx.Client) -> None:
    assert http.get("/shelf").headers["content-type"] == "application/problem+json"
    assert http.get("/api/shelf", headers={"accept": "text/html"}).headers["content-type"] == "application/problem+json"


def test_a_link_that_was_used_goes_in_where_one_is_signed_in(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)  # Chromium writes the 401 to the console
    code = product.access.make_login_code()
    page.goto(f"/login?code={code}")
    page.wait_for_url(f"{product.url}/")
    page.goto(f"/login?code={code}")
    page.wait_for_url(f"{product.url}/")
    page.context.close()
    other, _ = open_page(browser, product)
    other.goto(f"/login?code={code}")
    expect(other.get_by_text("This link was used already")).to_be_visible()
    sign_in_by_link(other, product)
    other.context.close()


def test_years_before_anything_was_told_can_be_gone_to(page: Page, http: httpx.Client) -> None:
    for text in ("I was born in Utrecht on 3 May 1988.", "I moved to Delft on 1 September 2012."):
        assert http.post("/api/ingest", json={"text": text, "wait": True}).status_code == 200
    page.goto("/when")
    expect(page.locator(".slider")).to_contain_text("May 1988")
    expect(page.locator(".row", has_text="Delft").locator("time")).to_have_text("1 Sept 2012")
    slider = page.get_by_role("slider", name="As of when")
    slider.focus()
    slider.press("Home")
    page.wait_for_url("**/when?at=1988-05-31")
    expect(page.locator(".rows").last).to_contain_text("Utrecht")
    expect(page.locator(".rows").last).not_to_contain_text("Delft")


def test_a_day_can_be_given_where_all_was_told_today(page: Page) -> None:
    tell(page, "I like rye bread.")
    page.goto("/when")
    page.get_by_label("or a day").fill("2025-06-30")
    page.wait_for_url("**/when?at=2025-06-30")


def test_what_is_waited_for_can_be_read_all_the_time(page: Page) -> None:
    page.route("**/api/query", lambda route: None)  # never answered
    page.get_by_label("Tell or ask").fill("Where is the fuse box?")
    page.get_by_label("Tell or ask").press("Enter")
    waiting = page.locator(".waiting").first
    expect(waiting).to_be_visible()
    assert waiting.evaluate("(it) => getComputedStyle(it).animationName") == "none"
    assert waiting.evaluate("(it) => getComputedStyle(it).opacity") == "1"


def test_paper_has_the_words_and_nothing_that_one_can_do_with_them(page: Page) -> None:
    tell(page, "The spare fuse is in the drawer by the door.")
    page.emulate_media(media="print")
    expect(page.locator(".memory .content").last).to_be_visible()
    for gone in (".bar", ".dock", "lattice-entry button >> nth=0"):
        expect(page.locator(gone)).to_be_hidden()
    page.emulate_media(media="screen")


def test_a_page_notices_at_once_that_its_stream_broke(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)
    sign_in(page, product)
    streams: list[Route] = []
    page.route("**/api/changes*", lambda route: streams.append(route))  # open until the test ends them
    with page.expect_request("**/api/changes*"):
        page.reload()
    expect(page.locator(".going-on")).to_have_text("ready")
    page.route("**/api/status", lambda route: route.abort())
    streams[0].abort()
    expect(page.locator(".going-on")).to_have_text("not answering", timeout=4_000)
    page.context.close()
