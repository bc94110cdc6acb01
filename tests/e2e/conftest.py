"""A browser for each file of tests, a product and a signed-in page for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browsing import launch_chromium, open_page, sign_in
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright
from product import Product, start_product

expect.set_options(timeout=15_000)


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="module")
def browser(playwright: Playwright) -> Iterator[Browser]:
    yield from launch_chromium(playwright)


@pytest.fixture(scope="module")
def whole_browser(playwright: Playwright) -> Iterator[Browser]:
    """The browser that people have: for what is measured, and for what only it has, like a view of PDFs."""
    yield from launch_chromium(playwright, whole=True)


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    yield from start_product(tmp_path)


@pytest.fixture
def http(product: Product) -> Iterator[httpx.Client]:
    """The API of the product, beside the page."""
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}, timeout=60) as client:
        yield client


@pytest.fixture
def page(browser: Browser, product: Product) -> Iterator[Page]:
    """Fails the test when the console, the content security policy or a foreign request has something to say."""
    yield from signed_in(browser, product)


@pytest.fixture
def whole_page(whole_browser: Browser, product: Product) -> Iterator[Page]:
    yield from signed_in(whole_browser, product)


def signed_in(browser: Browser, product: Product) -> Iterator[Page]:
    page, problems = open_page(browser, product)
    sign_in(page, product)
    yield page
    page.unroute_all(behavior="ignoreErrors")  # what a test answered in the product's place has nobody left to answer
    page.context.close()
    assert problems == []
