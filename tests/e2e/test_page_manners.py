"""How the page behaves: keys, screen readers, light and dark, phones, signing in, errors, hostile text."""

from __future__ import annotations

import pytest
from browsing import KEY, PHONE, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Page, expect
from product import Product

pytestmark = pytest.mark.browser


def test_the_box_says_what_it_will_do_and_tab_switches(page: Page) -> None:
    box(page).fill("Where is the gas meter?")
    expect(page.get_by_role("button", name="Will ask")).to_be_visible()
    box(page).press("Tab")
    expect(page.get_by_role("button", name="Will remember")).to_be_visible()
    expect(box(page)).to_be_focused()
    box(page).press("Escape")
    box(page).press("Tab")
    expect(box(page)).not_to_be_focused()


def test_the_keyboard_reaches_everything(page: Page) -> None:
    tell(page, KEY)
    page.get_by_role("button", name="undo").focus()
    page.keyboard.type("The bins")
    expect(box(page)).to_have_value("The bins")
    box(page).fill("")
    box(page).press("ArrowUp")
    expect(box(page)).to_have_value(KEY)
    box(page).press("ArrowDown")
    expect(box(page)).to_have_value("")
    page.get_by_role("button", name="undo").focus()
    page.keyboard.press("/")
    expect(box(page)).to_be_focused()
    expect(box(page)).to_have_value("")
    page.get_by_role("button", name="undo").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_answers_are_announced_to_screen_readers(page: Page) -> None:
    tell(page, KEY)
    say(page, "Who has my spare key?")
    expect(page.locator("#announced")).to_contain_text("Ingrid")
    expect(page.locator("#announced")).to_have_attribute("aria-live", "polite")


def test_what_a_phone_shares_waits_in_the_box(page: Page) -> None:
    page.goto("/?title=A%20recipe&text=Two%20eggs&url=https%3A%2F%2Fexample.org%2Fcake")
    expect(box(page)).to_have_value("A recipe\nTwo eggs\nhttps://example.org/cake")
    assert page.url.endswith("/")


PAYLOADS = [
    "<img src=x onerror=\"document.title='owned'\"> is what Eve wrote.",
    "<script>document.title='owned'</script> is what Eve wrote.",
    "[a link](javascript:document.title='owned') is what Eve wrote.",
    "\"><svg onload=document.title='owned'> is what Eve wrote.",
    "![picture](https://evil.example/leak.png) is what Eve wrote.",
]


def test_markup_in_what_was_said_stays_text(page: Page) -> None:
    for number, payload in enumerate(PAYLOADS):
        tell(page, f"Letter {number} came on Monday: {payload}")
        page.locator("lattice-entry").last.locator(".memory").last.click()
        expect(page.locator("lattice-panel blockquote")).to_contain_text(payload)
        page.keyboard.press("Escape")
    say(page, "What did Eve write in her letters?")
    expect(page.locator("lattice-entry").last.locator(".answer")).to_contain_text("Eve")
    assert page.title() == "Lattice"
    assert page.locator(":is(main, lattice-panel) :is(a:not([href^='/']), img, script)").count() == 0


def test_light_and_dark_follow_the_system_until_switched(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, color_scheme="dark")
    sign_in(page, product)
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(background) == "rgb(251, 250, 248)"
    page.get_by_role("button", name="Switch to dark").click()
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.reload()
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.context.close()
    assert problems == []


def test_a_phone_shows_the_source_as_a_sheet_and_never_scrolls_sideways(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product)
    page.set_viewport_size(PHONE)
    sign_in(page, product)
    sideways = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(sideways)
    tell(page, f"{KEY} The link is https://example.org/{'a' * 120} and so it goes.")
    assert not page.evaluate(sideways)
    box(page).fill("Who has my spare key, and where did I put the other one?")
    assert not page.evaluate(sideways)
    box(page).press("Enter")
    page.locator(".source").first.click()
    sheet = page.get_by_role("complementary", name="Memory and its source")
    expect(sheet.locator("mark")).to_be_visible()
    edges = sheet.bounding_box()
    assert edges is not None
    assert edges["x"] == 0
    assert edges["width"] == PHONE["width"]
    assert edges["y"] > 60
    assert not page.evaluate(sideways)
    page.context.close()
    assert problems == []


def test_without_a_session_the_login_page_asks_and_says_where_the_token_is(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)
    page.goto("/")
    page.wait_for_url("**/login**")
    expect(page.locator("body")).to_contain_text("lattice open")
    expect(page.locator("body")).to_contain_text("lattice token add")
    page.get_by_label("Token").fill("not the token")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not the token")
    page.get_by_label("Token").fill(product.token)
    page.get_by_role("button", name="Sign in").click()
    expect(box(page)).to_be_focused()
    page.context.close()


def test_an_error_says_the_thing_the_cause_and_the_next_step_where_it_happened(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports the failed request in its console
    sign_in(page, product)
    page.route("**/api/query", lambda route: route.abort())
    say(page, "Who has my spare key?")
    alert = page.locator("lattice-entry").get_by_role("alert")
    expect(alert).to_contain_text("Lattice did not answer")
    expect(alert).to_contain_text("lattice up")
    page.unroute("**/api/query")
    alert.get_by_role("button", name="try again").click()
    expect(page.locator("lattice-entry")).to_contain_text("I don’t know")
    page.context.close()


def test_on_a_phone_an_empty_box_is_one_row_with_its_buttons(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True, is_mobile=True)
    sign_in(page, product)
    rows = [page.locator(f".box {each}").last.bounding_box() for each in ("textarea", ".plain", ".send")]
    assert len({round(row["y"] + row["height"]) for row in rows if row}) == 1, rows
    page.context.close()
    assert problems == []
