"""A week of an invented owner, from an empty memory: news, corrections and questions, and then what each view offers is done
once, by pointer and by keys, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from browsing import PHONE, WIDE, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Locator, Page, expect
from product import Product

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(whole_browser: Browser) -> Browser:
    """All of it in the browser that people have."""
    return whole_browser


WEEK = (
    ("I live in Ghent.", "Where do I live?", "Ghent"),
    ("My rent is 870 euros a month.", "How much is my rent?", "870"),
    ("Mrs Peeters on the second floor has my spare key.", "Who has my spare key?", "Peeters"),
    ("My rent is 890 euros a month now.", "How much is my rent?", "890"),
    ("I moved from Ghent to Bruges.", "Where do I live?", "Bruges"),
)

Do = Callable[[Locator], None]


def by_pointer(it: Locator) -> None:
    it.click()


def by_keys(it: Locator) -> None:
    it.focus()
    it.press("Enter")


@pytest.fixture(params=["desk", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, product: Product) -> Iterator[Page]:
    size = PHONE if request.param == "phone" else WIDE
    page, problems = open_page(browser, product, viewport=size)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    sign_in(page, product)
    yield page
    page.context.close()
    assert problems == []


@pytest.mark.parametrize("do", [by_pointer, by_keys])
def test_a_week_is_told_asked_about_and_looked_through(page: Page, do: Do) -> None:
    for told, question, answer in WEEK:
        tell(page, told)
        say(page, question)
        expect(page.locator("lattice-entry").last.locator(".answered")).to_contain_text(answer)
    for walk in (today, memories, memory, source, me, when, review, about, graph, settings):
        walk(page, do)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), walk.__name__


def button(within: Page | Locator, name: str | re.Pattern[str]) -> Locator:
    return within.get_by_role("button", name=name, exact=isinstance(name, str)).first


def undone(page: Page, do: Do) -> None:
    do(button(page.locator(".did"), "undo"))
    expect(page.locator(".did")).to_contain_text("Taken back")


def today(page: Page, do: Do) -> None:
    entries = page.locator("lattice-entry")
    answer, many = entries.last, entries.count()
    do(button(answer, "Good answer"))
    expect(button(answer, "Good answer")).to_have_attribute("aria-pressed", "true")
    do(button(answer, "copy"))
    expect(button(answer, "copied")).to_be_visible()
    do(button(answer, "ask again"))
    expect(entries).to_have_count(many + 1)
    expect(entries.last.locator(".answered")).to_contain_text("Bruges")
    do(button(entries.first, "undo"))
    expect(entries.first).to_contain_text("Taken back")
    do(button(entries.first, "put back"))
    expect(entries.first).to_contain_text("Remembered 1 thing")
    do(button(page, "new subject"))
    expect(box(page)).to_be_focused()
    say(page, "Forget what I said about Mrs Peeters.")
    do(button(entries.last, "do it"))
    expect(entries.last).to_contain_text("In the trash")
    do(button(entries.last, "undo"))
    expect(entries.last).to_contain_text("Brought back")


def memories(page: Page, do: Do) -> None:
    page.goto("/memories")
    rows = page.locator(".rows .row")
    expect(rows).to_have_count(5)
    do(button(page, "filter"))
    page.get_by_label("Is it so").select_option("replaced")
    expect(rows).to_have_count(2)
    do(button(page, "Remove: replaced"))
    expect(rows).to_have_count(5)
    do(button(page, "select"))
    page.get_by_role("checkbox").first.press("Space")
    do(button(page, "archive"))
    expect(page.locator(".did")).to_contain_text("1 memory archived")
    undone(page, do)
    page.get_by_label("Search what is remembered").fill("spare key")
    expect(page.get_by_role("heading", name="1 memory says that")).to_be_visible()


def memory(page: Page, do: Do) -> None:
    do(page.get_by_role("link", name=re.compile("spare key")))
    panel = page.locator("lattice-panel")
    do(button(panel, "edit"))
    panel.get_by_label("What should it say?").fill("Mrs Peeters on the third floor has my spare key.")
    do(button(panel, "Save"))
    expect(panel.locator(".statement")).to_contain_text("third floor")
    do(button(panel, "wrong"))
    panel.get_by_label("What is right?").fill("Joris has my spare key.")
    panel.get_by_label("What is right?").press("Enter")
    expect(panel.locator(".statement")).to_have_text("Joris has my spare key.")
    expect(panel.locator(".history")).to_contain_text("third floor")
    do(button(panel, "forget"))
    expect(panel).to_have_count(0)
    undone(page, do)


def source(page: Page, do: Do) -> None:
    page.goto("/memories?q=Joris")
    do(page.get_by_role("link", name=re.compile("Joris has my spare key")))
    do(page.locator("lattice-panel").get_by_role("link", name="whole text"))
    expect(page.locator(".document mark")).to_have_text("Mrs Peeters on the second floor has my spare key.")
    do(button(page, "forget all from this"))
    expect(page.locator(".did")).to_contain_text("1 memory in the trash")
    undone(page, do)


def me(page: Page, do: Do) -> None:
    page.goto("/me")
    do(button(page, "Edit: I moved from Ghent to Bruges."))
    page.get_by_label("What should it say?").fill("I moved from Ghent to Damme.")
    do(button(page, "save"))
    expect(page.locator("main")).to_contain_text("Damme")
    undone(page, do)
    expect(page.locator("main")).to_contain_text("Bruges")


def when(page: Page, do: Do) -> None:
    page.goto("/when")
    expect(page.locator(".rows").first).to_contain_text("Bruges")
    do(page.get_by_role("link", name="What happened"))
    page.wait_for_url("**/when?show=happened")
    expect(page.locator(".timeline").first).to_contain_text("Bruges")


def review(page: Page, do: Do) -> None:
    page.goto("/memories?q=890")
    do(page.get_by_role("link", name=re.compile("890 euros")).first)
    panel = page.locator("lattice-panel")
    do(button(panel, "wrong"))
    panel.get_by_label("What is right?").press("Enter")
    expect(button(panel, "wrong")).to_have_attribute("aria-pressed", "true")
    page.goto("/review")
    do(button(page, "put it right"))
    page.locator("main").get_by_label("What is right?").fill("My rent is 895 euros a month now.")
    page.locator("main").get_by_label("What is right?").press("Enter")
    expect(page.locator("main")).to_contain_text("Nothing needs you")


def about(page: Page, do: Do) -> None:
    page.goto("/about/Ghent")
    expect(page.locator("main")).to_contain_text("I live in Ghent.")
    within = page.get_by_label("Ask or search what is remembered about Ghent")
    within.fill("Where did I move to?")
    within.press("Enter")
    expect(page.locator(".within .answer")).to_contain_text("Bruges")


def graph(page: Page, do: Do) -> None:
    page.goto("/graph?about=Ghent")
    do(page.locator("svg.map a[aria-label='Bruges']"))
    expect(page.get_by_role("heading", name="Around Bruges")).to_be_visible()


def settings(page: Page, do: Do) -> None:
    page.goto("/settings")
    do(button(page.locator("#look"), "switch to dark"))
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    with page.expect_download():
        do(button(page, "make a backup"))
    expect(page.locator("#data")).to_contain_text("The last backup is of today.")
    with page.expect_download():
        do(button(page, "export all as JSON"))
    page.get_by_label("A token for").fill("phone")
    do(button(page, "make it"))
    expect(button(page, "Revoke phone")).to_be_visible()
    page.keyboard.press("Control+k")
    page.locator(".palette").get_by_role("combobox").fill("Today")
    page.keyboard.press("Enter")
    expect(page.locator("lattice-entry").first).to_be_visible()
