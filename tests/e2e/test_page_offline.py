"""While Lattice is away: the page opens, shows what it last had, keeps what is told, and sends it when Lattice is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import KEY, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Page, expect
from product import Product

pytestmark = pytest.mark.browser

ACTIVE = "navigator.serviceWorker.ready.then((it) => Boolean(it.active))"
KEPT = """async () => {
  const cache = await caches.open((await caches.keys()).find((name) => name.startsWith("page")));
  return (await cache.keys()).length;
}"""

WAITING_FILES = "caches.open('outbox').then((it) => it.keys()).then((keys) => keys.length)"


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    """With its service worker, which the browser reports failed requests of."""
    page, _ = open_page(browser, product, service_workers="allow")
    sign_in(page, product)
    assert page.evaluate(ACTIVE)
    assert page.evaluate(KEPT) > 10
    yield page
    page.context.close()


def test_the_page_opens_without_lattice_and_shows_what_it_last_had(page: Page) -> None:
    tell(page, KEY)
    page.goto("/memories")
    expect(page.locator(".rows .memory")).to_have_count(1)
    page.locator(".rows .memory").click()
    expect(page.locator("lattice-panel")).to_contain_text("Ingrid")
    page.goto("/")
    expect(page.locator("lattice-entry")).to_contain_text("Ingrid")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("lattice-entry")).to_contain_text("Ingrid")
    expect(page.locator(".going-on")).to_contain_text("not answering")
    page.goto("/memories")
    expect(page.locator(".rows .memory")).to_contain_text("Ingrid")
    page.locator(".rows .memory").click()
    expect(page.locator("lattice-panel")).to_contain_text("Ingrid")


def test_what_is_told_meanwhile_is_kept_over_a_reload_and_sent_once(page: Page, product: Product) -> None:
    page.context.set_offline(True)
    say(page, "The bins go out on Tuesday.")
    expect(page.locator("lattice-entry")).to_contain_text("Kept here, sent when Lattice is back")
    page.reload()
    expect(page.locator("lattice-entry")).to_contain_text("The bins go out on Tuesday.")
    page.context.set_offline(False)
    expect(page.locator("lattice-entry")).to_contain_text("Remembered", timeout=20_000)
    page.goto("/memories")
    expect(page.locator(".rows .memory")).to_have_count(1)
    assert page.evaluate("localStorage.getItem('outbox')") is None


def test_the_network_cut_midway_loses_no_words(page: Page) -> None:
    tell(page, KEY)
    box(page).fill("The gas meter is behind")
    page.context.set_offline(True)
    expect(page.locator(".going-on")).to_contain_text("not answering", timeout=20_000)
    expect(box(page)).to_have_value("The gas meter is behind")
    box(page).fill("The gas meter is behind the green door.")
    box(page).press("Enter")
    say(page, "Who has my spare key?")
    expect(page.locator("lattice-entry").last.get_by_role("alert")).to_contain_text("Lattice did not answer")
    page.context.set_offline(False)
    expect(page.locator("lattice-entry").nth(1)).to_contain_text("Remembered", timeout=20_000)
    page.locator("lattice-entry").last.get_by_role("button", name="try again").click()
    expect(page.locator("lattice-entry").last).to_contain_text("Ingrid")


def test_a_file_given_meanwhile_is_kept_over_a_reload_and_sent_once(page: Page, tmp_path: Path) -> None:
    note = tmp_path / "tap.txt"
    note.write_text("The water tap is behind the sink.")
    page.context.set_offline(True)
    page.locator("lattice-box input[type=file]").set_input_files(note)
    expect(page.locator("lattice-entry")).to_contain_text("Kept here, sent when Lattice is back")
    page.reload()
    expect(page.locator("lattice-entry")).to_contain_text("tap.txt")
    expect(page.locator("lattice-entry")).to_contain_text("Kept here, sent when Lattice is back")
    page.context.set_offline(False)
    expect(page.locator("lattice-entry")).to_contain_text("The water tap is behind the sink.", timeout=20_000)
    assert page.evaluate(WAITING_FILES) == 0
    page.goto("/memories")
    expect(page.locator(".rows .memory")).to_have_count(1)


def test_files_that_a_phone_shares_are_captured(page: Page, tmp_path: Path) -> None:
    """As an installed page is given them: a form that its service worker answers."""
    note = tmp_path / "note.txt"
    note.write_text("The water tap is behind the sink.")
    page.evaluate(
        """() => {
          const form = document.createElement("form");
          Object.assign(form, { method: "POST", action: "/share", enctype: "multipart/form-data", id: "sharing" });
          form.innerHTML = '<input name="title" value="A note"><input type="file" name="files">';
          document.body.append(form);
        }"""
    )
    page.locator("#sharing input[type=file]").set_input_files(note)
    page.evaluate("document.querySelector('#sharing').submit()")
    expect(box(page)).to_have_value("A note")
    expect(page.locator("lattice-entry")).to_contain_text("note.txt")
    expect(page.locator("lattice-entry")).to_contain_text("The water tap is behind the sink.", timeout=20_000)
    assert page.url.endswith("/")


def test_signing_out_leaves_nothing_that_was_remembered_in_the_browser(page: Page) -> None:
    tell(page, KEY)
    page.goto("/settings")
    page.get_by_role("button", name="sign out").click()
    page.wait_for_url("**/login**")
    assert page.evaluate("caches.has('last')") is False
