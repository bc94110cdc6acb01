"""A browser for each file of tests, a product and a signed-in page for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from browsing import launch_chromium, open_page, sign_in
from playwright.sync_api import Browser, Page, expect
from product import Product, start_product

expect.set_options(timeout=15_000)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    yield from launch_chromium()


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
    page, problems = open_page(browser, product)
    sign_in(page, product)
    yield page
    page.context.close()
    assert problems == []
