"""Where the focus is after what is done by keys, and that nothing moves under it."""

from __future__ import annotations

import httpx
import pytest
from browsing import KEY, box, tell
from playwright.sync_api import Page, expect
from product import Product

pytestmark = pytest.mark.browser

METER = "The gas meter is behind the green door."
MANY = " ".join(f"On 3 May the meter of flat {number} stood at {number * 7 + 4000}." for number in range(1, 60))


def told(product: Product, *texts: str) -> list[str]:
    """Told beside the page; the ids of the first memories of each."""
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}, timeout=30) as http:
        sent = [http.post("/api/ingest", json={"text": text, "wait": True}).raise_for_status() for text in texts]
    return [response.json()["atom_ids"][0] for response in sent]


def scrolled(page: Page) -> float:
    return float(page.evaluate("scrollY"))


def test_neither_the_box_nor_the_bar_moves_what_one_reads_when_it_has_the_focus(page: Page, product: Product) -> None:
    told(product, MANY)
    page.goto("/memories")
    expect(page.locator(".rows .memory").first).to_be_visible()
    page.evaluate("document.activeElement.blur(); scrollTo(0, 500)")
    assert scrolled(page) == 500
    page.keyboard.press("/")
    expect(box(page)).to_be_focused()
    page.keyboard.type("where")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("is")
    expect(box(page)).to_have_value("where\nis")
    assert scrolled(page) == 500
    page.get_by_role("button", name="Search", exact=True).focus()
    page.get_by_role("button", name="Add files").focus()
    assert scrolled(page) == 500


def test_what_has_the_focus_in_a_list_does_not_hide_under_the_box(page: Page, product: Product) -> None:
    told(product, MANY)
    page.goto("/memories")
    rows = page.locator(".rows .memory")
    expect(rows.first).to_be_visible()
    rows.first.focus()
    for _ in range(20):
        page.keyboard.press("Tab")
    bottom = page.evaluate("document.activeElement.getBoundingClientRect().bottom")
    assert bottom <= page.evaluate("document.querySelector('.dock').getBoundingClientRect().top")


def test_the_bar_stays_where_it_is_when_a_memory_is_opened(page: Page) -> None:
    tell(page, KEY)
    places = "[...document.querySelectorAll('.bar a, .bar button')].map((it) => it.getBoundingClientRect().x)"
    before = page.evaluate(places)
    page.locator("lattice-entry .memory").click()
    expect(page.locator("lattice-panel .statement")).to_be_visible()
    assert page.evaluate(places) == before
    page.get_by_role("navigation", name="Views").get_by_role("link", name="You", exact=True).click()
    page.wait_for_url("**/me")


def test_who_brings_something_back_goes_on_at_the_one_in_its_place(page: Page, product: Product) -> None:
    ids = told(product, METER, KEY)
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}) as http:
        http.post("/api/archive", json={"atom_ids": ids}).raise_for_status()
    page.goto("/settings")
    lines = page.locator("#archive li")
    expect(lines).to_have_count(2)
    left = lines.last.inner_text()
    lines.first.get_by_role("button", name="bring back").focus()
    page.keyboard.press("Enter")
    expect(lines).to_have_count(1)
    expect(lines).to_be_focused()  # and not its button, which a key that is held down would press
    assert lines.inner_text() == left
    undo = page.locator(".did").get_by_role("button", name="undo")
    undo.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".did").get_by_role("button", name="put back")).to_be_focused()


def test_who_leaves_a_line_unedited_is_at_its_edit_again(page: Page) -> None:
    tell(page, "I live in Porto.")
    page.goto("/me")
    edit = page.get_by_role("button", name="Edit: I live in Porto.")
    edit.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("What should it say?")).to_be_focused()
    page.keyboard.press("Escape")
    expect(edit).to_be_focused()


def test_a_warning_has_the_focus_where_a_second_enter_does_no_harm(page: Page) -> None:
    page.goto("/settings")
    revoke = page.get_by_role("button", name="Revoke first")
    revoke.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="keep it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(revoke).to_be_focused()


def test_filters_are_taken_away_one_by_one_by_keys(page: Page) -> None:
    tell(page, KEY)
    page.goto("/memories?kind=fact&standing=current")
    chips = page.get_by_role("list", name="Filters").get_by_role("button", name="Remove")
    expect(chips).to_have_count(2)
    chips.first.focus()
    page.keyboard.press("Enter")
    expect(chips).to_have_count(1)
    expect(chips).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="filter", exact=True)).to_be_focused()


def test_several_are_given_another_subject_by_keys(page: Page) -> None:
    tell(page, KEY)
    page.goto("/memories")
    select = page.get_by_role("button", name="select", exact=True)
    select.focus()
    page.keyboard.press("Enter")
    page.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="change what it is about").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("What it is about")).to_be_focused()
    page.keyboard.type("the flat")
    page.keyboard.press("Enter")
    expect(page.locator(".did")).to_contain_text("1 memory is about the flat now")
    expect(select).to_be_focused()


def test_enter_in_the_palette_means_the_words_that_stand_there(page: Page) -> None:
    """Also before what they find is there: what is still listed belongs to earlier words."""
    tell(page, KEY)
    tell(page, "Nora lives in Hamburg.")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").filter(has_text="About").first).to_be_visible()
    page.keyboard.insert_text("Nora")
    page.keyboard.press("Enter")
    page.wait_for_url("**/about/Nora")
