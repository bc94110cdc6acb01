"""How fast the page is: to be used over a slow network, and to scroll through a hundred thousand memories."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from browsing import box, open_page, sign_in
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser(whole_browser: Browser) -> Browser:
    """Measured in the browser that people have."""
    return whole_browser


INTERACTIVE = 2.0
"""Seconds from the address to its view and a box that takes words, at 50 kB/s and 400 ms."""
COUNTED = 1.7
"""Seconds of these that the network takes; the rest is for the browser's own work."""

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}

READY = """(shown) => {
  const box = document.querySelector("lattice-box textarea");
  const isShown = shown ? document.querySelector(shown) : customElements.get("lattice-entry");
  return box && !box.disabled && isShown ? performance.now() : false;
}"""

VIEWS = ("", "memories", "m", "source", "about", "me", "when", "review", "graph", "settings")


def test_over_a_slow_network_every_address_can_be_used_within_two_seconds(browser: Browser, product: Product) -> None:
    """The best of three: other work on this machine is no network."""
    addresses = addressed(product)
    took: dict[str, list[float]] = {view: [] for view in VIEWS}
    for view in [*VIEWS] * 3:
        if min(took[view], default=INTERACTIVE + 1) > INTERACTIVE:
            page, problems = slowly(browser, product)
            page.goto(f"/{addresses.get(view, view)}", wait_until="commit")
            took[view].append(page.wait_for_function(READY, arg=shows(view), polling=20).json_value() / 1000)
            page.context.close()
            assert problems == []
    assert {view: times for view, times in took.items() if min(times) > INTERACTIVE} == {}, took


@pytest.mark.parametrize("view", VIEWS)
def test_what_an_address_needs_is_asked_for_with_its_page_and_is_little(browser: Browser, product: Product, view: str) -> None:
    """Counted, for other work on this machine is no network: two round trips, the page and all else at once, and the bytes."""
    addresses = addressed(product)
    page, problems = slowly(browser, product)
    page.goto(f"/{addresses.get(view, view)}", wait_until="commit")
    page.wait_for_function(READY, arg=shows(view), polling=20)
    fetched = {each["name"].rpartition("/")[2]: each for each in page.evaluate(FETCHED)}
    page.context.close()
    assert problems == []
    late = [name for name, each in fetched.items() if each["start"] > fetched["start.js"]["end"]]
    assert late == [], "asked for only when the page's script was there"
    assert {"all.css", {"": "talk.js", "m": "panel.js"}.get(view, f"{view}.js")} <= set(fetched)
    took = 2 * SLOW["latency"] / 1000 + sum(each["bytes"] for each in fetched.values()) / SLOW["downloadThroughput"]
    assert took <= COUNTED


def addressed(product: Product) -> dict[str, str]:
    """The addresses of those views that show something of its own."""
    told = {"text": "Ingrid in flat 12 has my spare key.", "wait": True}
    own = {"authorization": f"Bearer {product.token}"}
    kept = httpx.post(f"{product.url}/api/ingest", json=told, headers=own, timeout=30).json()
    return {"m": f"m/{kept['atom_ids'][0]}", "source": f"source/{kept['capture_id']}", "about": "about/Ingrid"}


def shows(view: str) -> str:
    """What of a view is there when it is: of a memory, its panel."""
    return {"": "", "m": "lattice-panel .panel"}.get(view, f"main lattice-{view} > *")


FETCHED = """() => performance.getEntries()
  .filter(({ entryType, name }) => entryType === "navigation" || /ui.*\\.(js|css)$/.test(name))
  .map(({ name, startTime, responseEnd, transferSize }) => ({ name, start: startTime, end: responseEnd, bytes: transferSize }))"""


def slowly(browser: Browser, product: Product) -> tuple[Page, list[str]]:
    """A page that is signed in, with nothing kept, on a slow line."""
    page, problems = open_page(browser, product)
    sign_in(page, product)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Network.enable")
    devtools.send("Network.clearBrowserCache")
    devtools.send("Network.emulateNetworkConditions", SLOW)
    return page, problems


FIRST_PAINT = 300.0
"""Milliseconds from the address to words on the screen, on localhost."""
TRIES = 10
PAINTED = """() => new Promise((done) => new PerformanceObserver((list) => {
  const found = list.getEntriesByName("first-contentful-paint");
  if (found.length) done(found[0].startTime);
}).observe({ type: "paint", buffered: true }))"""


def test_on_this_machine_the_page_is_painted_within_a_third_of_a_second(page: Page) -> None:
    """The best of some: other work on this machine is not the page's."""
    took = []
    while len(took) < TRIES and min(took, default=FIRST_PAINT) >= FIRST_PAINT:
        page.goto("/")
        took.append(page.evaluate(PAINTED))
    assert min(took) < FIRST_PAINT, took


MEMORIES = 100_000
PAGE = 200
FRAME = 1 / 60
MOST_IN_PAGE = 1_500
"""Rows that are in the page at once, however long the list is."""


def listed(start: int) -> dict[str, Any]:
    """What `GET /api/atoms` answers of a store of a hundred thousand, forty a day."""
    atoms = []
    for number in range(start, min(start + PAGE, MEMORIES)):
        day = 2_500 - number // 40
        at = f"{2019 + day // 365}-{day % 365 // 31 + 1:02}-{day % 28 + 1:02}T09:00:00+00:00"
        words = f"Memory {number} is of the walk to the harbour, where the boats lay" + " and the wind blew" * (number % 7)
        atoms.append({"atom_id": f"01{number:024}", "content": words, "observed_at": at, "metadata": {}, "is_superseded": False})
    months = [{"month": f"{2019 + m // 12}-{m % 12 + 1:02}", "count": MEMORIES // 84} for m in range(83, -1, -1)]
    following = str(start + PAGE) if start + PAGE < MEMORIES else None
    return {"atoms": atoms, "total": MEMORIES, "months": months, "cursor": following}


def answered(route: Route) -> None:
    _, _, cursor = route.request.url.partition("cursor=")
    route.fulfill(content_type="application/json", body=json.dumps(listed(int(cursor.partition("&")[0] or 0))))


FRAMES = 240
SMOOTH = 0.95
"""Share of the frames that are ready in time; where a page is fetched, or a stretch comes into sight, one may be late."""
STILL = 0.1
"""Seconds after which one sees that something stands still."""
OPENED = 1.0
"""Seconds of work until the first of a hundred thousand are there. All of them at once take some ten."""
NEXT_FRAME = """() => new Promise((done) => {
  scrollBy(0, 90);
  requestAnimationFrame(() => requestAnimationFrame(done));
})"""


class Clock:
    """The page's own work, in seconds of its thread: what else runs on this machine does not count."""

    def __init__(self, page: Page) -> None:
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        self._read = 0.0
        self.lap()

    def lap(self) -> float:
        """Return what was worked since the last time."""
        metrics = self._devtools.send("Performance.getMetrics")["metrics"]
        before, self._read = self._read, float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))
        return self._read - before


def test_a_hundred_thousand_memories_scroll_at_sixty_frames_a_second(page: Page) -> None:
    page.route("**/api/atoms?*", answered)
    clock = Clock(page)
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Memories").click()
    expect(page.locator(".view-head")).to_contain_text("100,000")
    expect(page.locator(".rows .memory").first).to_be_visible()
    assert clock.lap() <= OPENED
    frames = []
    for far in (False, True):
        if far:
            for _ in range(60):
                page.mouse.wheel(0, 6_000)
                page.wait_for_timeout(30)
            expect(page.locator("lattice-block").nth(20)).to_be_attached()
            page.wait_for_function("(most) => document.querySelectorAll('.rows .memory').length <= most", arg=MOST_IN_PAGE)
            clock.lap()
        for _ in range(FRAMES):
            page.evaluate(NEXT_FRAME)
            frames.append(clock.lap())
    frames.sort()
    assert sum(frames) / len(frames) <= FRAME
    assert frames[int(SMOOTH * len(frames))] <= FRAME
    assert frames[-1] <= STILL


def test_one_comes_far_down_and_back_up_again(page: Page) -> None:
    page.route("**/api/atoms?*", answered)
    page.goto("/memories")
    expect(page.locator(".rows .memory").first).to_be_visible()
    for _ in range(20):
        page.mouse.wheel(0, 8_000)
        page.wait_for_timeout(30)
    page.evaluate("scrollTo(0, 0)")
    expect(page.locator(".rows .memory").first).to_contain_text("Memory 0 is")
    box(page).fill("still there")
