"""Debian's Chromium, and what a person does on the page."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Playwright, Request, ViewportSize, expect
from product import Product

WIDE = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=360, height=740)
KEY = "Ingrid in flat 12 has my spare key."

QUIET = [
    "--no-sandbox",  # CI runs as root
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
"""Chromium asks no other host for anything of its own."""

WITHOUT_WINDOWS = "--disable-blink-features=OnDeviceWebSpeechAvailable"
"""Chromium without windows ends a page that asks whether speech can be recognised: it lacks that part of the browser."""


def launch_chromium(playwright: Playwright, *, whole: bool = False) -> Iterator[Browser]:
    """A fixture's body: the page's engine without windows where it is installed (a page is there in half the time), or else, and
    with `whole`, the browser that people have. Without either the test is skipped with the reason; where CI runs it fails."""
    shell = None if whole else shutil.which("chromium-headless-shell")
    path = shell or shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        reason = "Chromium is not installed: `apt-get install chromium`."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    browser = playwright.chromium.launch(executable_path=path, args=[*QUIET, WITHOUT_WINDOWS] if shell else QUIET)
    yield browser
    browser.close()


def open_page(browser: Browser, product: Product, **options: Any) -> tuple[Page, list[str]]:
    """A page of its own browser context, and the list into which goes what goes wrong on it. Without a service worker unless it
    is asked for: what one fetches, `page.route` would not see."""
    context = browser.new_context(base_url=product.url, **{"viewport": WIDE, "service_workers": "block", **options})
    context.set_default_timeout(10_000)
    page = context.new_page()
    problems: list[str] = []

    def console(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not is_expected(message):
            problems.append(f"console {message.type}: {message.text} ({message.location['url']})")

    def request(request: Request) -> None:
        if not request.url.startswith((product.url, "data:", "blob:")):
            problems.append(f"request to another host: {request.url}")

    page.on("console", console)
    page.on("pageerror", lambda error: problems.append(f"error: {error}"))
    page.on("request", request)
    return page, problems


def is_expected(message: ConsoleMessage) -> bool:
    """Chromium writes each answer of 404 to the console, also of a memory that is taken back while the page reads it again, which
    the page itself tells calmly."""
    gone = "status of 404" in message.text and "/api/atoms/" in message.location["url"]
    return gone or "blocked by Playwright" in message.text


def sign_in(page: Page, product: Product) -> None:
    """What the login page does, without showing it."""
    session = page.context.request.post("/api/login", data={"code": product.access.make_login_code()}).json()
    page.add_init_script(f"localStorage['lattice-page-key'] ??= {session['page_key']!r};")
    page.goto("/")
    expect(box(page)).to_be_focused()


def sign_in_by_link(page: Page, product: Product) -> None:
    """A one-time link, as `lattice up` opens it."""
    page.goto(f"/login?code={product.access.make_login_code()}")
    page.wait_for_url(f"{product.url}/")
    expect(box(page)).to_be_focused()


def box(page: Page) -> Locator:
    return page.get_by_label("Tell or ask")


def say(page: Page, words: str) -> None:
    box(page).fill(words)
    box(page).press("Enter")


def tell(page: Page, words: str) -> None:
    """Say it, and wait until it is remembered."""
    say(page, words)
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered")
