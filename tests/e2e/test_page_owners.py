"""Several owners: the page is in the memory of whoever signed in, and one button leads to what all share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import PHONE, box, open_page, say, sign_in, tell
from playwright.sync_api import Browser, Page, expect
from product import Product

from tests.services.household import SHARED, House, found, opened
from tests.serving import serving

pytestmark = pytest.mark.browser


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with opened(tmp_path / "data") as house:
        yield house


@pytest.fixture
def page(browser: Browser, house: House) -> Iterator[Page]:
    """Ben's, signed in."""
    with serving(house.router) as url:
        bens = Product(url, "", house.parts["ben"].access, house.folder("ben"), house.embedded["ben"])
        page, problems = open_page(browser, bens)
        sign_in(page, bens)
        yield page
        page.context.close()
        for part in house.parts.values():
            part.app.state.ending.set()
        assert [each for each in problems if "ERR_FAILED" not in each] == [], "what a test cuts off is no problem of the page"


def test_what_is_told_goes_to_ones_own_memory_or_where_the_button_leads(page: Page, house: House) -> None:
    shared = page.get_by_role("button", name="shared")
    expect(shared).to_have_attribute("aria-pressed", "false")
    tell(page, "I keep the spare key with Ingrid.")
    shared.click()
    expect(shared).to_have_attribute("aria-pressed", "true")
    expect(page.locator("lattice-entry")).to_have_count(0)
    tell(page, "The boiler is serviced by Mr. Quist.")
    assert found(house.ada, "Who services the boiler?", **SHARED) == ["The boiler is serviced by Mr. Quist."]
    assert found(house.ben, "Who services the boiler?") != ["The boiler is serviced by Mr. Quist."]
    page.goto("/memories")
    expect(page.locator(".rows .memory")).to_have_count(1)
    expect(page.locator(".rows .memory")).to_contain_text("Quist")
    shared.click()
    expect(shared).to_have_attribute("aria-pressed", "false")
    expect(page.locator("lattice-entry")).to_contain_text("Ingrid")
    expect(page.locator("lattice-entry")).not_to_contain_text("Quist")


def test_what_was_told_to_the_shared_memory_while_away_is_not_sent_to_ones_own(page: Page, house: House) -> None:
    shared = page.get_by_role("button", name="shared")
    shared.click()
    expect(shared).to_have_attribute("aria-pressed", "true")
    page.route("**/api/**", lambda route: route.abort())
    say(page, "The bins go out on Tuesday.")
    expect(page.locator("lattice-entry").last).to_contain_text("bins")
    page.wait_for_function("localStorage.getItem('outboxshared') !== null")
    page.unroute_all()
    page.evaluate("localStorage.setItem('lattice-space', '')")
    page.goto("/")
    expect(shared).to_have_attribute("aria-pressed", "false")
    expect(box(page)).to_be_focused()
    assert found(house.ben, "When do the bins go out?") == []
    shared.click()
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered")
    assert found(house.ada, "When do the bins go out?", **SHARED) == ["The bins go out on Tuesday."]
    assert found(house.ben, "When do the bins go out?") == []


def test_signing_in_again_begins_in_ones_own_memory(page: Page, house: House) -> None:
    page.get_by_role("button", name="shared").click()
    expect(page.get_by_role("button", name="shared")).to_have_attribute("aria-pressed", "true")
    page.goto(f"/login?code={house.parts['ada'].access.make_login_code()}")
    expect(page.get_by_role("button", name="shared")).to_have_attribute("aria-pressed", "false")


def test_on_a_phone_the_button_fits_beside_the_rest(browser: Browser, house: House) -> None:
    with serving(house.router) as url:
        adas = Product(url, "", house.parts["ada"].access, house.root, house.embedded["ada"])
        page, problems = open_page(browser, adas, viewport=PHONE, has_touch=True)
        sign_in(page, adas)
        button = page.get_by_role("button", name="shared")
        button.tap()
        expect(button).to_have_attribute("aria-pressed", "true")
        place = button.bounding_box()
        assert place is not None
        assert place["height"] >= 44
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        page.context.close()
        for part in house.parts.values():
            part.app.state.ending.set()
        assert problems == []


def test_where_there_is_one_memory_there_is_no_button_and_a_page_that_was_elsewhere_is_back_in_it(
    browser: Browser, product: Product
) -> None:
    page, _ = open_page(browser, product)
    sign_in(page, product)
    page.evaluate("localStorage.setItem('lattice-space', 'shared')")
    page.goto("/")
    tell(page, "I keep the spare key with Ingrid.")
    expect(page.get_by_role("button", name="shared")).to_have_count(0)
    assert page.evaluate("localStorage.getItem('lattice-space')") == ""
    page.context.close()
