"""An answer that is stopped after its first words, and the network cut: within an answer, and between views.

The browser comes in through a door of its own (`tests.forwarding`): shut, everybody who is inside is thrown out, as when a
network breaks off.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from browsing import KEY, box, open_page, say, sign_in
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.ports.language_model import Completion, ModelRequest, StreamEvent, TextDelta
from playwright.sync_api import Browser, Locator, Page, expect
from product import Product, start_product

from tests.forwarding import Door, forwarding

pytestmark = pytest.mark.browser

FIRST = "You gave it to her:"
WHOLE = f"{FIRST} Ingrid in flat 12 has your spare key [1]."
PATIENCE = 20.0


class Slow(ScriptedModel):
    """A language model that gives the first words of an answer, and the others when it may."""

    def __init__(self) -> None:
        self.first, self.whole = FIRST, WHOLE
        super().__init__(lambda _: self.whole)
        self.may = threading.Event()
        self.stopped = threading.Event()

    def stream(self, request: ModelRequest, cancel: threading.Event) -> Iterator[StreamEvent]:
        whole = self.complete(request)
        yield TextDelta(f"{self.first} ")  # a word is shown when the next one begins
        try:
            while not self.may.wait(0.02):
                if cancel.is_set():
                    yield Completion(self.first, "length", (), 1, 1)
                    return
            yield TextDelta(self.whole.removeprefix(f"{self.first} "))
            yield whole
        finally:
            if not self.may.is_set():
                self.stopped.set()


@pytest.fixture
def model() -> Slow:
    return Slow()


@pytest.fixture
def product(tmp_path: Path, model: Slow) -> Iterator[Product]:
    yield from start_product(tmp_path, language=model, llm_model="scripted")


@pytest.fixture
def door(product: Product) -> Iterator[Door]:
    with forwarding(0, ("127.0.0.1", urlsplit(product.url).port or 0)) as door:
        yield door


@pytest.fixture
def page(browser: Browser, product: Product, door: Door) -> Iterator[Page]:
    """Through the door. The browser reports in its console what does not come through it."""
    sent = {"text": KEY, "wait": True}
    httpx.post(f"{product.url}/api/ingest", json=sent, headers={"authorization": f"Bearer {product.token}"}, timeout=30)
    outside = replace(product, url=f"http://127.0.0.1:{door.port}")
    page, _ = open_page(browser, outside)
    sign_in(page, outside)
    yield page
    page.context.close()


def asked(page: Page) -> Locator:
    """The entry of a question of which the first words of the answer are there."""
    expect(page.locator("lattice-entry")).to_have_count(1)  # what was told
    say(page, "Who has my spare key?")
    entry = page.locator("lattice-entry").nth(1)
    expect(entry.locator(".answer")).to_have_text(FIRST)
    expect(entry.get_by_role("button", name="stop")).to_be_visible()
    return entry


def answered(entry: Locator) -> None:
    expect(entry.locator(".answered")).to_have_text("You gave it to her: Ingrid in flat 12 has your spare key1.")


def test_an_answer_that_is_stopped_keeps_the_words_it_had_and_asks_no_more_of_the_model(page: Page, model: Slow) -> None:
    entry = asked(page)
    entry.get_by_role("button", name="stop").click()
    expect(entry).to_contain_text("stopped")
    expect(entry.locator(".answer")).to_have_text(FIRST)
    expect(entry.get_by_role("alert")).to_have_count(0)
    expect(entry.get_by_role("button", name="stop")).to_have_count(0)
    assert model.stopped.wait(PATIENCE)  # what nobody waits for is not worked at
    model.may.set()
    entry.get_by_role("button", name="ask again").click()
    expect(page.locator("lattice-entry")).to_have_count(3)
    answered(page.locator("lattice-entry").last)
    expect(entry.locator(".answer")).to_have_text(FIRST)
    expect(box(page)).to_have_value("")


def test_words_of_an_answer_stay_selected_while_the_rest_of_it_is_written(page: Page, model: Slow) -> None:
    model.first, model.whole = f"{FIRST}\n\nIngrid", f"{FIRST}\n\nIngrid has it [1]."
    say(page, "Who has my spare key?")
    entry = page.locator("lattice-entry").nth(1)
    expect(entry.locator(".answer p")).to_have_text([FIRST, "Ingrid"])
    entry.locator(".answer p").first.evaluate("(it) => getSelection().selectAllChildren(it)")
    model.may.set()
    expect(entry.locator(".answered p")).to_have_text([FIRST, "Ingrid has it1."])
    assert page.evaluate("getSelection().toString()").strip() == FIRST


def test_what_was_said_before_the_network_broke_off_stays_with_an_honest_word(page: Page, model: Slow, door: Door) -> None:
    entry = asked(page)
    door.shut()
    alert = entry.get_by_role("alert")
    expect(alert).to_contain_text("The connection broke off")
    expect(alert).to_contain_text("What is above may not be all of it.")
    expect(entry.locator(".answer")).to_have_text(FIRST)
    expect(entry.get_by_role("button", name="stop")).to_have_count(0)
    alert.get_by_role("button", name="try again").click()  # still away
    expect(alert).to_contain_text("Lattice did not answer")
    model.may.set()
    door.open()
    alert.get_by_role("button", name="try again").click()
    answered(entry)
    expect(entry.get_by_role("alert")).to_have_count(0)
    expect(page.locator("lattice-entry")).to_have_count(2)  # with what was told


def test_a_view_that_is_opened_while_the_network_is_cut_says_so_and_is_there_when_it_is_back(page: Page, door: Door) -> None:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Memories").click()
    row = page.locator(".rows .memory")
    expect(row).to_contain_text("Ingrid")
    door.shut()
    expect(page.locator(".going-on")).to_contain_text("not answering", timeout=30_000)
    expect(row).to_contain_text("Ingrid")  # what is there stays
    page.get_by_role("navigation", name="Views").get_by_role("link", name="You", exact=True).click()
    alert = page.locator("main").get_by_role("alert")
    expect(alert).to_contain_text("Lattice")
    expect(box(page)).to_be_visible()
    page.go_back()
    expect(row).to_contain_text("Ingrid")
    page.go_forward()
    expect(alert).to_be_visible()
    door.open()
    alert.get_by_role("button", name="try again").click()
    expect(page.get_by_role("heading", name="You", level=2)).to_be_visible()
    expect(page.locator("main .rows")).to_contain_text("Ingrid")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".going-on")).to_have_text("ready", timeout=30_000)


def test_a_memory_that_is_opened_while_the_network_is_cut_says_so_and_opens_when_it_is_back(page: Page, door: Door) -> None:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Memories").click()
    row = page.locator(".rows .memory")
    expect(row).to_contain_text("Ingrid")
    page.evaluate("customElements.whenDefined('lattice-panel').then(() => true)")  # it comes a moment after the page
    door.shut()
    row.click()
    panel = page.locator("lattice-panel")
    alert = panel.get_by_role("alert")
    expect(alert).to_contain_text("Lattice did not answer")
    door.open()
    alert.get_by_role("button", name="try again").click()
    expect(panel.locator(".statement")).to_have_text(KEY)
    expect(alert).to_have_count(0)


def test_what_is_changed_while_the_network_is_cut_says_so_and_loses_no_words(page: Page, door: Door) -> None:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Memories").click()
    page.locator(".rows .memory").click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="edit").click()
    editor = panel.get_by_label("What should it say?")
    editor.fill("Tom in flat 3 has my spare key.")
    door.shut()
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("alert")).to_contain_text("Lattice did not answer")
    expect(editor).to_have_value("Tom in flat 3 has my spare key.")
    door.open()
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".statement")).to_have_text("Tom in flat 3 has my spare key.")


def test_a_verdict_that_does_not_arrive_leaves_the_answer_where_it_is(page: Page, model: Slow, door: Door) -> None:
    model.may.set()
    expect(page.locator("lattice-entry")).to_have_count(1)  # what was told
    say(page, "Who has my spare key?")
    entry = page.locator("lattice-entry").nth(1)
    answered(entry)
    door.shut()
    thumb = entry.get_by_role("button", name="Good answer")
    thumb.click()
    alert = entry.get_by_role("alert")
    expect(alert).to_contain_text("Lattice did not answer")
    expect(alert.get_by_role("button")).to_have_count(0)  # to try again would be to ask again
    answered(entry)
    expect(thumb).to_have_attribute("aria-pressed", "false")
    door.open()
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    expect(alert).to_have_count(0)
