"""The address that `search` and `fetch` give for a memory leads to it."""

from __future__ import annotations

import pytest
from browsing import tell
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_an_address_with_a_memorys_id_opens_it(page: Page) -> None:
    tell(page, "The gas meter is behind the green door.")
    atom_id = str(page.locator(".memory").first.get_attribute("href")).removeprefix("/m/")
    root = page.url.split("?")[0]
    page.goto(f"{root}?atom={atom_id}")
    panel = page.get_by_role("complementary", name="Memory and its source")
    expect(panel).to_contain_text("green door")
    assert page.url == f"{root}m/{atom_id}"
    page.reload()
    expect(panel).to_contain_text("green door")
