"""What Today opens with: what needs its owner, what is due, what changed, and one thing from this day in an earlier year. Each
with something that causes it, and something that does not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

pytestmark = pytest.mark.browser

METER = "The gas meter is behind the green door."


class Door:
    """Tells beside the page, at any time."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http

    def tell(self, text: str, at: datetime | None = None) -> str:
        metadata = {"observed_at": at.isoformat()} if at else {}
        sent = self._http.post("/api/ingest", json={"text": text, "wait": True, "metadata": metadata}).raise_for_status()
        found: str = sent.json()["atom_ids"][0]
        return found

    def call_wrong(self, atom_id: str) -> dict[str, Any]:
        sent = self._http.post("/api/feedback", json={"atom_ids": [atom_id], "verdict": "wrong"}).raise_for_status()
        answered: dict[str, Any] = sent.json()
        return answered


@pytest.fixture
def door(http: httpx.Client) -> Door:
    return Door(http)


def years_ago(years: int, days: int = 0) -> datetime:
    """Noon of this day then, wherever this machine is; of 28 February on the 29th, in years without it."""
    now = datetime.now().astimezone()
    day = min(now.day, 28) if now.month == 2 else now.day
    return now.replace(year=now.year - years, day=day, hour=12) + timedelta(days=days)


LEAP_DAY = datetime.now().astimezone().strftime("%m%d") == "0229"
"""On which nothing was a year ago today."""


def today(page: Page) -> Locator:
    """The strip, of a page that has been told all it shows."""
    with page.expect_response("**/api/today"), page.expect_response("**/api/needs"), page.expect_response("**/api/chat/recent*"):
        page.goto("/")
    expect(page.locator(".lately, .welcome")).to_be_visible()
    return page.get_by_role("region", name="Today")


def test_a_day_with_nothing_to_say_has_no_strip(page: Page, door: Door) -> None:
    expect(today(page)).to_have_count(0)  # an empty memory
    door.tell(METER)
    expect(today(page)).to_have_count(0)


def test_what_needs_its_owner_stands_first_and_leads_there(page: Page, door: Door) -> None:
    atom_id = door.tell(METER)
    expect(today(page)).to_have_count(0)
    door.call_wrong(atom_id)
    strip = today(page)
    expect(strip.get_by_role("listitem")).to_have_text("1 thing needs you")
    door.call_wrong(door.tell("The fuse box is in the hall."))
    strip = today(page)
    expect(strip.get_by_role("listitem")).to_have_text("2 things need you")
    strip.get_by_role("link", name="2 things need you").click()
    page.wait_for_url("**/review")
    expect(page.get_by_role("heading", name="Called wrong")).to_be_visible()


@pytest.mark.skipif(LEAP_DAY, reason="Nothing was a year ago on 29 February.")
def test_what_was_told_a_year_ago_today_comes_up_and_opens(page: Page, door: Door) -> None:
    door.tell("I planted a cherry tree in the garden.", years_ago(1))
    strip = today(page)
    line = strip.get_by_role("listitem")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("a year ago")
    line.get_by_role("link", name="cherry tree").click()
    expect(page.locator("lattice-panel .statement")).to_contain_text("cherry tree")


@pytest.mark.skipif(LEAP_DAY, reason="Nothing was two years ago on 29 February.")
def test_of_several_years_the_latest_comes_up_with_how_long_ago_that_was(page: Page, door: Door) -> None:
    door.tell("I planted a pear tree in the garden.", years_ago(3))
    door.tell("I planted a cherry tree in the garden.", years_ago(2))
    line = today(page).get_by_role("listitem")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("2 years ago")
    expect(line).to_contain_text("cherry tree")


def test_what_was_told_on_another_day_of_an_earlier_year_does_not_come_up(page: Page, door: Door) -> None:
    door.tell("I planted a cherry tree in the garden.", years_ago(1, days=-2))
    door.tell("I planted a pear tree in the garden.", years_ago(1, days=2))
    expect(today(page)).to_have_count(0)


@pytest.mark.skipif(LEAP_DAY, reason="Nothing was a year ago on 29 February.")
def test_the_strip_says_all_of_it_in_its_order(page: Page, door: Door) -> None:
    now = datetime.now(UTC)
    soon = now + timedelta(days=3)
    door.tell("I planted a cherry tree in the garden.", years_ago(1))
    door.tell("My rent is 890 euros a month.", now - timedelta(days=60))
    door.tell("My rent is 950 euros a month now.", now)
    door.tell(f"I have a dentist appointment on {soon.day} {soon:%B %Y}.")
    door.call_wrong(door.tell(METER))
    lines = today(page).get_by_role("listitem")
    expect(lines).to_contain_text(["1 thing needs you", "dentist", "950 euros", "a year ago"])
    expect(lines).to_have_count(4)


def test_what_is_due_later_than_a_week_and_what_changed_before_it_are_left_out(page: Page, door: Door) -> None:
    now = datetime.now(UTC)
    later = now + timedelta(days=40)
    door.tell("My rent is 890 euros a month.", now - timedelta(days=90))
    door.tell("My rent is 950 euros a month now.", now - timedelta(days=30))
    door.tell(f"I have a dentist appointment on {later.day} {later:%B %Y}.", now - timedelta(days=30))
    expect(today(page)).to_have_count(0)
