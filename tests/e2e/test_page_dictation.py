"""Dictation, where the browser does it on this machine. What recognises speech is the browser's; a test speaks in its place."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from browsing import box, open_page, sign_in
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser

RECOGNITION = """
class Recognition {
  static available({ processLocally }) { return Promise.resolve(processLocally ? STATE : "unavailable"); }
  static install() { window.installed = true; return Promise.resolve(true); }
  start() { window.recognition = this; }
  stop() { this.onend(); }
  says(words, isFinal = true) {
    const result = Object.assign([{ transcript: ` ${words} ` }], { isFinal });
    this.onresult({ results: [result], resultIndex: 0 });
  }
}
window.SpeechRecognition = window.webkitSpeechRecognition = Recognition;
"""


def dictates(page: Page, state: str = "available") -> None:
    """Have the browser say that of speech on this machine. The page's first script is where it begins to."""

    def begin(route: Route) -> None:
        said = f"const STATE = {json.dumps(state)};{RECOGNITION}"
        route.fulfill(body=said + route.fetch().text(), content_type="text/javascript")

    page.route("**/theme.js", begin)


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    page, problems = open_page(browser, product)
    dictates(page)
    sign_in(page, product)
    yield page
    page.context.close()
    assert problems == []


def test_what_is_dictated_lands_in_the_box_behind_what_is_there_and_waits_to_be_sent(page: Page) -> None:
    box(page).fill("The spare key")
    dictate = page.get_by_role("button", name="Dictate")
    dictate.click()
    expect(dictate).to_have_attribute("aria-pressed", "true")
    page.evaluate("recognition.says('has not been said to its', false)")
    page.evaluate("recognition.says('is with Ingrid.')")
    expect(box(page)).to_have_value("The spare key is with Ingrid.")
    assert page.evaluate("[recognition.processLocally, recognition.continuous]") == [True, True]
    dictate.click()
    expect(dictate).to_have_attribute("aria-pressed", "false")
    expect(page.locator("lattice-entry")).to_have_count(0)


def test_what_speech_needs_is_fetched_by_the_browser_when_it_is_first_used(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)
    dictates(page, "downloadable")
    sign_in(page, product)
    page.get_by_role("button", name="Dictate").click()
    expect(page.get_by_role("button", name="Dictate")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.installed") is True
    page.context.close()


def test_why_nothing_is_heard_is_said_at_the_box(page: Page) -> None:
    page.get_by_role("button", name="Dictate").click()
    page.evaluate("recognition.onerror({ error: 'not-allowed' }), recognition.onend()")
    expect(page.locator("lattice-box").get_by_role("alert")).to_contain_text("may not use the microphone")
    page.get_by_role("button", name="Dictate").click()
    expect(page.locator("lattice-box").get_by_role("alert")).to_have_count(0)


def test_where_speech_would_be_sent_to_somebody_there_is_no_dictation(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)
    dictates(page, "unavailable")
    sign_in(page, product)
    expect(page.get_by_role("button", name="Add files")).to_be_visible()
    expect(page.get_by_role("button", name="Dictate")).to_have_count(0)
    page.context.close()
