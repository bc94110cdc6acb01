"""What is shown more of, what is for good, and how Lattice runs."""

from __future__ import annotations

import httpx
import pytest
from browsing import open_page, sign_in, tell
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser

BOXES = """(nodes) => nodes.map((node) => {
  const words = [...node.querySelectorAll('.words')].map((each) => each.getBoundingClientRect());
  const [left, top] = ["left", "top"].map((side) => Math.min(...words.map((box) => box[side])));
  const [right, bottom] = ["right", "bottom"].map((side) => Math.max(...words.map((box) => box[side])));
  return { l: left, t: top, r: right, b: bottom };
})"""
"""Where the words of each node are drawn."""
METER = "The gas meter is behind the green door."


def test_what_lies_in_the_trash_is_forgotten_for_good_after_a_question(page: Page, http: httpx.Client) -> None:
    ids = http.post("/api/ingest", json={"text": METER, "wait": True}).json()["atom_ids"]
    shown = http.post("/api/forget", json={"atom_ids": ids}).json()
    http.post("/api/forget", json={"atom_ids": ids, "confirm": shown["confirm"]})
    page.goto("/settings")
    trash = page.locator("#trash")
    expect(trash).to_contain_text(METER)
    trash.get_by_role("button", name="Forget for good").click()
    expect(trash.get_by_role("button", name="keep it")).to_be_focused()
    expect(trash).to_contain_text("Forget 1 memory for good? Nothing brings it back")
    trash.get_by_role("button", name="keep it").click()
    expect(trash).to_contain_text(METER)
    trash.get_by_role("button", name="Forget for good").click()
    trash.get_by_role("button", name="forget for good", exact=True).click()
    expect(trash).to_contain_text("It is empty")
    assert http.get("/api/trash").json()["trash"] == []


def test_tokens_say_whose_they_are_and_what_they_may_do(page: Page) -> None:
    page.goto("/settings")
    devices = page.locator("#devices")
    expect(devices).to_contain_text("The token of the first start may ask, tell, change and forget")
    devices.get_by_label("A token for").fill("phone")
    devices.get_by_role("button", name="make it").click()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    devices.get_by_role("button", name="copy").click()
    expect(devices.get_by_role("button", name="copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == devices.locator("code").inner_text()


def test_all_of_what_you_said_of_yourself_is_shown_in_place(page: Page, http: httpx.Client) -> None:
    for what in (
        "rye",
        "oat",
        "spelt",
        "corn",
        "rice",
        "barley",
        "millet",
        "teff",
        "sorghum",
        "wheat",
        "buckwheat",
        "amaranth",
        "quinoa",
    ):
        assert http.post("/api/ingest", json={"text": f"I like {what} bread.", "wait": True}).status_code == 200
    page.goto("/me")
    rows = page.locator(".rows .content")
    expect(rows).to_have_count(12)
    page.get_by_role("button", name="show all").click()
    expect(rows).to_have_count(13)
    expect(page.get_by_role("button", name="show all")).to_have_count(0)


def test_many_doubts_are_settled_together_and_taken_back_together(page: Page) -> None:
    """The rules ask about no pairs that a test could rely on, so what the server says is written here."""

    def memory(name: str) -> dict[str, object]:
        return {"atom_id": f"01j000000000000000000000{name}", "content": f"Memory {name}.", "observed_at": "2026-05-14T10:00:00Z"}

    pairs = [{"newer": memory(f"{n}1"), "older": memory(f"{n}2")} for n in range(3)]
    settled: list[str] = []
    page.route(
        "**/api/review?*",
        lambda route: route.fulfill(json={"review": [] if len(settled) == 3 else pairs, "count": 350 if not settled else 0}),
    )

    def settle(route: Route) -> None:
        settled.append("both")
        route.fulfill(json={"change_id": f"change-{len(settled)}"})

    undone: list[str] = []
    page.route("**/api/review", settle)
    page.route(
        "**/api/undo/*",
        lambda route: (undone.append(route.request.url.rpartition("/")[2]), route.fulfill(json={"change_id": "x"})),
    )
    page.goto("/review")
    expect(page.get_by_role("button", name="show more, of 347 others")).to_be_visible()
    page.get_by_role("button", name="all 3 are still so").click()
    expect(page.locator("lattice-did")).to_contain_text("3 memories are still so")
    expect(page.locator("lattice-review")).to_contain_text("Nothing needs you")
    page.locator("lattice-did").get_by_role("button", name="undo").click()
    expect(page.locator("lattice-did")).to_contain_text("Taken back")
    assert undone == ["change-3", "change-2", "change-1"]


def test_how_it_runs_has_the_bar_and_the_box(page: Page) -> None:
    tell(page, METER)
    page.goto("/ops")
    expect(page.get_by_role("heading", name="How it runs")).to_be_visible()
    expect(page.get_by_text("“make a backup” in Settings")).to_be_visible()
    assert page.locator("th").evaluate_all("heads => heads.filter((head) => !head.textContent.trim()).length") == 0
    page.get_by_label("Tell or ask").fill("Where is the gas meter?")
    page.get_by_role("button", name="on to Today").click()
    expect(page.get_by_label("Tell or ask")).to_have_value("Where is the gas meter?")
    page.goto("/ops")
    page.get_by_role("link", name="Lattice").click()
    expect(page.locator("lattice-page")).to_be_visible()


def test_a_map_of_many_shows_the_words_of_those_with_most_links_and_of_what_is_tapped(
    browser: Browser, product: Product, http: httpx.Client
) -> None:
    page, _ = open_page(browser, product, has_touch=True)
    sign_in(page, product)
    for n, what in enumerate(
        (
            "anchor",
            "bell",
            "candle",
            "drum",
            "easel",
            "flute",
            "globe",
            "hammer",
            "inkpot",
            "jar",
            "kite",
            "lamp",
            "mirror",
            "needle",
        )
    ):
        with_whom = " and Piet" if n < 3 else ""
        assert (
            http.post("/api/ingest", json={"text": f"The {what} of Ingrid{with_whom} is in the attic.", "wait": True}).status_code
            == 200
        )
    page.goto("/graph?about=Ingrid")
    labelled = page.locator(".map.many .is-labelled .words")
    expect(labelled.first).to_be_visible()
    assert labelled.first.evaluate("(it) => getComputedStyle(it).opacity") == "1"
    hidden = page.locator(".map.many a:not(.is-name, .is-labelled) .words").first
    assert hidden.evaluate("(it) => getComputedStyle(it).opacity") == "0"
    boxes = page.locator(".map .is-labelled").evaluate_all(BOXES)
    for n, one in enumerate(boxes):
        for other in boxes[n + 1 :]:
            assert not (one["l"] < other["r"] and other["l"] < one["r"] and one["t"] < other["b"] and other["t"] < one["b"])
    node = page.locator(".map a:not(.is-name, .is-labelled)").first
    name = node.get_attribute("data-node")
    node.locator("circle").last.tap()
    tapped = page.locator(f".map a[data-node='{name}']")
    expect(tapped.locator(".words").first).to_have_css("opacity", "1")
    assert "/graph" in page.url
    tapped.locator("circle").last.tap()
    page.wait_for_url(f"**/m/{name}")
    page.context.close()
