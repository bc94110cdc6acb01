"""The page in a real browser, against the real product started here on a free port.

Every test also fails on an error in the console, a breach of the content security policy, or a request to another host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from product import Product, launch_chromium, start_product

pytestmark = pytest.mark.browser

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
KEY = "Ingrid in flat 12 has my spare key."


@dataclass
class Watch:
    """What went wrong in the browser while a test ran."""

    problems: list[str]

    def console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console {message.type}: {message.text}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launch_chromium()


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    yield from start_product(tmp_path)


def _open(browser: Browser, product: Product, **options: object) -> tuple[Page, Watch]:
    context = browser.new_context(viewport=WIDE, base_url=product.url, **options)
    context.set_default_timeout(10_000)
    page = context.new_page()
    watch = Watch([])
    page.on("console", watch.console)
    page.on("pageerror", lambda error: watch.problems.append(f"error: {error}"))

    def request(request: Request) -> None:
        if not request.url.startswith((product.url, "data:", "blob:")):
            watch.problems.append(f"request to another host: {request.url}")

    page.on("request", request)
    return page, watch


def _sign_in(page: Page, product: Product) -> None:
    page.goto(f"/login?code={product.access.make_login_code()}")
    page.wait_for_url(f"{product.url}/")
    expect(_box(page)).to_be_focused()


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    page, watch = _open(browser, product)
    _sign_in(page, product)
    yield page
    page.context.close()
    assert watch.problems == []


def _box(page: Page):  # noqa: ANN202
    return page.get_by_label("Tell or ask")


def _say(page: Page, words: str) -> None:
    _box(page).fill(words)
    _box(page).press("Enter")


def _tell(page: Page, words: str) -> None:
    _say(page, words)
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered")


def test_the_empty_page_teaches_and_a_click_tries_what_it_shows(page: Page) -> None:
    expect(page.get_by_role("heading", name="Nothing is remembered yet.")).to_be_visible()
    page.get_by_role("button", name=KEY).click()
    expect(page.locator("lattice-entry")).to_contain_text("Remembered 1 thing")
    page.get_by_role("button", name="Who has my spare key?").click()
    expect(page.locator("lattice-entry").last).to_contain_text("Ingrid")


def test_what_is_told_is_remembered_and_can_be_taken_back_and_put_back(page: Page) -> None:
    _tell(page, "The gas meter is behind the green door. Ada is allergic to walnuts.")
    entry = page.locator("lattice-entry")
    expect(entry).to_contain_text("Remembered 2 things")
    expect(entry.get_by_role("listitem").first).to_contain_text("green door")
    entry.get_by_role("button", name="undo").click()
    expect(entry).to_contain_text("Taken back")
    _say(page, "What is Ada allergic to?")
    expect(page.locator("lattice-entry").last).to_contain_text("I don’t know")
    entry.first.get_by_role("button", name="put back").click()
    expect(entry.first).to_contain_text("Remembered 2 things")


def test_an_answer_cites_its_source_and_the_citation_opens_it_with_the_quote_marked(page: Page) -> None:
    _tell(page, f"Coffee with the neighbours 🎉 was lovely. {KEY} Her dog is called Bruno.")
    _say(page, "Who has my spare key?")
    answer = page.locator("lattice-entry").last
    expect(answer.locator(".answer")).to_contain_text("Ingrid")
    cite = answer.locator(".cite").first
    cite.hover()
    expect(page.get_by_role("tooltip")).to_contain_text("spare key")
    cite.click()
    panel = page.get_by_role("complementary", name="Memory and its source")
    expect(panel).to_be_focused()
    expect(panel.locator("mark")).to_have_text(re.compile("^Ingrid in flat 12 has my spare key"))
    expect(panel.locator("blockquote")).to_contain_text("Coffee with the neighbours 🎉")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(cite).to_be_focused()


def test_what_replaced_an_older_memory_is_shown_with_it(page: Page) -> None:
    _tell(page, "I live in Berlin.")
    _tell(page, "I moved from Berlin to Lisbon.")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("replaces “I live in Berlin.”")
    entry.get_by_role("button", name="show").click()
    panel = page.locator("lattice-panel")
    expect(panel.get_by_role("heading", name="What it replaced")).to_be_visible()
    panel.get_by_role("button", name=re.compile("^I live in Berlin")).click()
    expect(panel.locator(".note")).to_contain_text("Replaced")
    panel.get_by_role("button", name="Back").click()
    expect(panel.locator(".statement")).to_contain_text("Lisbon")


def test_what_was_told_before_is_already_known(page: Page) -> None:
    _tell(page, KEY)
    _say(page, KEY)
    expect(page.locator("lattice-entry").last).to_contain_text("Already known")


def test_not_knowing_is_an_answer_of_its_own(page: Page) -> None:
    _tell(page, KEY)
    _say(page, "What is the capital of Mongolia?")
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("I don’t know")
    expect(entry.locator(".cite")).to_have_count(0)


def test_a_memory_can_be_edited_and_forgotten_and_both_undone(page: Page) -> None:
    _tell(page, "The bins go out on Tuesday.")
    page.locator("lattice-entry .memory").click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").fill("The bins go out on Wednesday.")
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".statement")).to_have_text("The bins go out on Wednesday.")
    panel.get_by_role("button", name="forget").click()
    expect(panel).to_have_count(0)
    forgotten = page.locator("lattice-entry").last
    expect(forgotten).to_contain_text("Forgotten")
    forgotten.get_by_role("button", name="undo").click()
    expect(forgotten).to_contain_text("Taken back")
    page.reload()
    expect(page.locator(".lately")).to_contain_text("The bins go out on Wednesday.")


def test_the_box_says_what_it_will_do_and_tab_switches(page: Page) -> None:
    _box(page).fill("Where is the gas meter?")
    expect(page.get_by_role("button", name="Will ask")).to_be_visible()
    _box(page).press("Tab")
    expect(page.get_by_role("button", name="Will remember")).to_be_visible()
    expect(_box(page)).to_be_focused()
    _box(page).press("Escape")
    _box(page).press("Tab")
    expect(_box(page)).not_to_be_focused()


def test_the_keyboard_reaches_everything(page: Page) -> None:
    _tell(page, KEY)
    page.get_by_role("button", name="undo").focus()
    page.keyboard.type("The bins")
    expect(_box(page)).to_have_value("The bins")
    _box(page).fill("")
    _box(page).press("ArrowUp")
    expect(_box(page)).to_have_value(KEY)
    _box(page).press("ArrowDown")
    expect(_box(page)).to_have_value("")
    page.get_by_role("button", name="undo").focus()
    page.keyboard.press("/")
    expect(_box(page)).to_be_focused()
    expect(_box(page)).to_have_value("")
    page.get_by_role("button", name="undo").focus()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_answers_are_announced_to_screen_readers(page: Page) -> None:
    _tell(page, KEY)
    _say(page, "Who has my spare key?")
    expect(page.locator("#announced")).to_contain_text("Ingrid")
    expect(page.locator("#announced")).to_have_attribute("aria-live", "polite")


def test_search_finds_while_typing(page: Page) -> None:
    _tell(page, KEY)
    page.get_by_role("button", name="Search").click()
    page.get_by_label("Search what was said").fill("spare key")
    expect(page.locator(".search .memory")).to_contain_text("Ingrid")
    page.keyboard.press("Escape")
    expect(_box(page)).to_be_focused()


def test_a_text_file_is_remembered_and_another_kind_says_why_not(page: Page) -> None:
    picker = page.locator("input[type=file]")
    picker.set_input_files({"name": "house.md", "mimeType": "text/markdown", "buffer": b"# House\n\nThe fuse box is in the hall.\n"})
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from house.md")
    picker.set_input_files({"name": "cat.png", "mimeType": "image/png", "buffer": b"\x89PNG"})
    expect(page.locator("lattice-entry").last.get_by_role("alert")).to_contain_text("Only text files (.txt and .md) can be read here")


def test_what_a_phone_shares_waits_in_the_box(page: Page) -> None:
    page.goto("/?title=A%20recipe&text=Two%20eggs&url=https%3A%2F%2Fexample.org%2Fcake")
    expect(_box(page)).to_have_value("A recipe\nTwo eggs\nhttps://example.org/cake")
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
        _tell(page, f"Letter {number} came on Monday: {payload}")
        page.locator("lattice-entry").last.locator(".memory").last.click()
        expect(page.locator("lattice-panel blockquote")).to_contain_text(payload)
        page.keyboard.press("Escape")
    _say(page, "What did Eve write in her letters?")
    expect(page.locator("lattice-entry").last.locator(".answer")).to_contain_text("Eve")
    assert page.title() == "Lattice"
    assert page.locator("main a, main img, main script, lattice-panel a, lattice-panel img").count() == 0


def test_light_and_dark_follow_the_system_until_switched(browser: Browser, product: Product) -> None:
    page, watch = _open(browser, product, color_scheme="dark")
    _sign_in(page, product)
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.emulate_media(color_scheme="light")
    assert page.evaluate(background) == "rgb(251, 250, 248)"
    page.get_by_role("button", name="Switch to dark").click()
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.reload()
    assert page.evaluate(background) == "rgb(21, 21, 19)"
    page.context.close()
    assert watch.problems == []


def test_a_phone_shows_the_source_as_a_sheet_and_never_scrolls_sideways(browser: Browser, product: Product) -> None:
    page, watch = _open(browser, product)
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    _sign_in(page, product)
    sideways = "document.documentElement.scrollWidth > innerWidth"
    assert not page.evaluate(sideways)
    _tell(page, f"{KEY} The link is https://example.org/{'a' * 120} and so it goes.")
    assert not page.evaluate(sideways)
    _box(page).fill("Who has my spare key, and where did I put the other one?")
    assert not page.evaluate(sideways)
    _box(page).press("Enter")
    page.locator(".source").first.click()
    sheet = page.get_by_role("complementary", name="Memory and its source")
    expect(sheet.locator("mark")).to_be_visible()
    box = sheet.bounding_box()
    assert box is not None
    assert box["x"] == 0
    assert box["width"] == PHONE["width"]
    assert box["y"] > 60
    assert not page.evaluate(sideways)
    page.context.close()
    assert watch.problems == []


def test_without_a_session_the_login_page_asks_and_says_where_the_token_is(browser: Browser, product: Product) -> None:
    page, _ = _open(browser, product)
    page.goto("/")
    page.wait_for_url("**/login**")
    expect(page.locator("body")).to_contain_text("printed in the terminal")
    page.get_by_label("Token").fill("not the token")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("This is not the token")
    page.get_by_label("Token").fill(product.token)
    page.get_by_role("button", name="Sign in").click()
    expect(_box(page)).to_be_focused()
    page.context.close()


def test_an_error_says_the_thing_the_cause_and_the_next_step_where_it_happened(browser: Browser, product: Product) -> None:
    page, _ = _open(browser, product)  # the browser itself reports the failed request in its console
    _sign_in(page, product)
    page.route("**/api/query", lambda route: route.abort())
    _say(page, "Who has my spare key?")
    alert = page.locator("lattice-entry").get_by_role("alert")
    expect(alert).to_contain_text("Lattice did not answer")
    expect(alert).to_contain_text("lattice up")
    page.unroute("**/api/query")
    alert.get_by_role("button", name="try again").click()
    expect(page.locator("lattice-entry")).to_contain_text("I don’t know")
    page.context.close()
