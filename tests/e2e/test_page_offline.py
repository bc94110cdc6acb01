"""While Lattice is away: the page opens, shows what it last had, keeps what is told, and sends it when Lattice is back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import KEY, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Page, Route, expect
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


def test_views_show_what_was_seen_in_them_last_and_when_and_go_on_when_lattice_is_back(page: Page) -> None:
    tell(page, "I live in Berlin.")
    tell(page, "My sister Nora lives in Porto.")
    page.locator("lattice-entry .memory").last.click()
    whole = page.locator("lattice-panel").get_by_role("link", name="whole text")
    source = str(whole.get_attribute("href")).partition("?")[0]
    page.locator("lattice-panel").get_by_role("button", name="wrong").click()
    page.locator("lattice-panel").get_by_label("What is right?").press("Enter")
    expect(page.locator("lattice-panel").get_by_role("button", name="wrong")).to_have_attribute("aria-pressed", "true")
    views = {"/review": ".todo, .nothing", "/about/Nora": ".rows .memory", "/when": ".rows .memory", source: ".document mark"}
    for address, shown in views.items():
        page.goto(address)
        expect(page.locator(f"main :is({shown})").first).to_be_visible()
        expect(page.locator("main").get_by_text("Lattice does not answer")).to_have_count(0)
    page.context.set_offline(True)
    for address, shown in views.items():
        page.goto(address)
        expect(page.locator(f"main :is({shown})").first).to_be_visible()
        expect(page.locator("main")).to_contain_text(re.compile(r"This is what was seen here last, today at \d\d:\d\d\."))
        expect(page.locator("main").get_by_role("alert")).to_have_count(0)
    page.goto("/about/Ingrid")  # which was never seen
    expect(page.locator("main").get_by_role("alert")).to_contain_text("Lattice did not answer")
    expect(page.locator("main").get_by_role("button", name="try again")).to_be_visible()
    page.goto("/when")
    expect(page.locator("main").get_by_role("button", name="try again")).to_be_visible()
    page.context.set_offline(False)  # the page looks again by itself
    expect(page.locator("main").get_by_text("Lattice does not answer")).to_have_count(0)
    expect(page.locator(".rows .memory").first).to_be_visible()


def test_a_view_that_failed_while_the_first_look_at_the_status_was_on_its_way_is_looked_at_again(
    browser: Browser, product: Product
) -> None:
    page, _ = open_page(browser, product)
    sign_in(page, product)
    tell(page, KEY)
    held: list[Route] = []
    page.route("**/api/status", lambda route: held.append(route))
    page.route("**/api/atoms?*", lambda route: route.abort())
    page.goto("/memories")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("Lattice did not answer")
    page.unroute("**/api/atoms?*")
    page.unroute("**/api/status")  # which lets go those that were held
    expect(page.locator(".rows .memory")).to_have_count(1)
    page.context.close()


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
