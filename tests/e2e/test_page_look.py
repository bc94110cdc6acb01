"""How the page looks and lies on a device: colours, sizes and motion, the box that grows, what is pasted, how it is installed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from browsing import KEY, PHONE, WIDE, box, open_page, say, sign_in, tell
from page_life import TABLET, told
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser

TOKENS = {
    "paper": ("rgb(251, 250, 248)", "rgb(21, 21, 19)"),
    "raised": ("rgb(255, 255, 255)", "rgb(29, 29, 26)"),
    "ink": ("rgb(31, 30, 27)", "rgb(236, 235, 230)"),
    "quiet": ("rgb(107, 104, 97)", "rgb(160, 157, 149)"),
    "faint": ("rgb(165, 161, 154)", "rgb(109, 106, 99)"),
    "line": ("rgb(230, 227, 221)", "rgb(46, 45, 41)"),
    "accent": ("rgb(47, 111, 94)", "rgb(124, 196, 174)"),
    "on-accent": ("rgb(255, 255, 255)", "rgb(16, 32, 27)"),
    "warn": ("rgb(154, 103, 0)", "rgb(227, 179, 65)"),
    "bad": ("rgb(179, 38, 30)", "rgb(255, 138, 128)"),
    "highlight": ("rgb(255, 241, 184)", "rgb(74, 63, 20)"),
}
"""Each colour of the page, in light and in dark."""
COLOUR = """(name) => {
  const shown = document.body.appendChild(document.createElement("i"));
  shown.style.color = `var(--${name})`;
  const colour = getComputedStyle(shown).color;
  shown.remove();
  return colour;
}"""
MOVING = """() => [...document.querySelectorAll("*")].flatMap((it) => {
  const { transitionDuration, animationName } = getComputedStyle(it);
  const lasts = Math.max(...transitionDuration.split(",").map(parseFloat));
  return lasts > 0 || animationName !== "none" ? [[it.className, lasts, animationName]] : [];
})"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_has_its_colours_and_two_sizes_of_text(browser: Browser, product: Product, theme: str) -> None:
    page, problems = open_page(browser, product, color_scheme=theme)
    sign_in(page, product)
    for name, colours in TOKENS.items():
        assert page.evaluate(COLOUR, name) == colours[theme == "dark"], name
    tell(page, KEY)
    say(page, "Who has my spare key?")
    entry = page.locator("lattice-entry").last
    expect(entry.locator(".answer")).to_contain_text("Ingrid")  # what is streamed is drawn again and again until it is whole
    for part, size, line in ((".answer", "16px", "26px"), (".sources .source", "13px", "20px")):
        expect(entry.locator(part).first).to_have_css("font-size", size)
        expect(entry.locator(part).first).to_have_css("line-height", line)
    page.context.close()
    assert problems == []


def test_nothing_moves_for_longer_than_one_notices_and_nothing_where_that_is_not_wanted(page: Page) -> None:
    tell(page, KEY)
    page.locator("lattice-entry .memory").click()
    expect(page.locator("lattice-panel .statement")).to_be_visible()
    lasting = [each for each in page.evaluate(MOVING) if each[1] > 0.15]
    assert lasting == []
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("size", [WIDE, TABLET, PHONE], ids=["desk", "tablet", "phone"])
def test_the_column_is_as_wide_as_one_reads_and_a_memory_lies_beside_or_below_it(
    browser: Browser, product: Product, http: httpx.Client, size: dict[str, int]
) -> None:
    atom_id = told(http, KEY)["atom_ids"][0]
    page, problems = open_page(browser, product, viewport=size)
    sign_in(page, product)
    page.goto(f"/m/{atom_id}")
    expect(page.locator("lattice-panel .statement")).to_be_visible()
    page.evaluate("Promise.allSettled(document.getAnimations().map((each) => each.finished))")
    column, panel = page.locator("main.column").bounding_box(), page.locator(".panel").bounding_box()
    assert column is not None
    assert panel is not None
    assert column["width"] <= 44 * 16 + 40  # with its margins
    if size["width"] >= 72 * 16:
        assert panel["width"] == 22 * 16
        assert panel["x"] + panel["width"] == size["width"]
    else:
        assert panel["y"] + panel["height"] == size["height"]  # from below
    page.context.close()
    assert problems == []


def test_the_box_grows_with_its_text_and_back(page: Page) -> None:
    def height() -> float:
        found = page.locator(".box").bounding_box()
        assert found is not None
        return found["height"]

    one = height()
    box(page).fill("a line\nand another\nand a third\nand a fourth")
    expect(box(page)).to_have_value("a line\nand another\nand a third\nand a fourth")
    assert height() > one + 60
    box(page).fill("x\n" * 200)
    assert height() < WIDE["height"] / 2  # what one reads is still there
    box(page).fill("")
    assert height() == one


PASTE = """([where, name, words]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([words], name, { type: "text/plain" }));
  const event = new ClipboardEvent("paste", { bubbles: true, cancelable: true, clipboardData: transfer });
  document.querySelector(where).dispatchEvent(event);
}"""


def test_files_are_captured_wherever_they_are_pasted(page: Page) -> None:
    page.evaluate(PASTE, ["main", "house.txt", "The fuse box is in the hall."])
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from house.txt")
    page.evaluate(PASTE, [".box textarea", "water.txt", "The stopcock is under the sink."])
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from water.txt")
    expect(page.locator("lattice-entry")).to_have_count(2)


def test_the_bar_says_in_words_what_is_done_in_place_of_a_part_that_is_away(page: Page) -> None:
    def without_meaning(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, json=answered.json() | {"degraded": ["dense: qdrant is away"]})

    page.route("**/api/status", without_meaning)
    page.reload()
    expect(page.locator(".going-on.degraded")).to_contain_text("searching by words only")
    expect(page.locator(".going-on span[title]")).to_have_attribute("title", "dense: qdrant is away")


def test_what_disagrees_can_be_listed_and_searched_alone(page: Page, http: httpx.Client) -> None:
    told(http, "My name is Ada Miller. I live in Berlin.")
    form = {"file": ("form.html", b"<p>Ada Miller lives in Lisbon.</p>")}
    http.post("/api/ingest-file", files=form, data={"metadata": '{"wait": true}'}).raise_for_status()
    page.goto("/memories")
    rows = page.locator(".rows .row")
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="filter").click()
    page.get_by_label("Is it so").select_option("disagreeing")
    expect(rows).to_have_count(2)
    expect(rows.filter(has_text="My name is")).to_have_count(0)
    page.get_by_label("Search what is remembered").fill("Lisbon")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Lisbon")


def test_the_settings_say_how_telegram_and_assistants_are_let_in(page: Page) -> None:
    page.goto("/settings")
    expect(page.locator("#others")).to_contain_text("LATTICE_TELEGRAM_TOKEN")
    expect(page.locator("#others")).to_contain_text("lattice mcp-config")


def test_the_page_can_be_installed(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product, service_workers="allow")
    sign_in(page, product)
    devtools = page.context.new_cdp_session(page)
    found = devtools.send("Page.getAppManifest")
    assert found["url"].endswith(".webmanifest")
    assert found["errors"] == []
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [each["errorId"] for each in errors if each["errorId"] != "in-incognito"] == []  # which a test's browser is
    page.context.close()


OVERLAPPING = """() => {
  const shown = (it) => Number(getComputedStyle(it).opacity) > 0;
  const [first, ...others] = [...document.querySelectorAll(".ends span")].filter(shown);
  const end = first.getBoundingClientRect().right;
  return others.filter((it) => it.getBoundingClientRect().left < end + 4).map((it) => it.textContent);
}"""


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["desk", "phone"])
def test_no_year_below_the_slider_stands_in_the_first_month(
    browser: Browser, product: Product, http: httpx.Client, size: dict[str, int]
) -> None:
    page, problems = open_page(browser, product, viewport=size)
    sign_in(page, product)
    years = 0
    for days in (400, 500, 600, 700, 1500):
        told(http, f"The lamp of {days} days is old.", (datetime.now(UTC) - timedelta(days=days)).isoformat())
        page.goto("/when")
        expect(page.get_by_role("slider", name="As of when")).to_be_visible()
        assert page.evaluate(OVERLAPPING) == []
        years += page.locator(".ends .year").count()
    assert years > 0
    page.context.close()
    assert problems == []


def test_sources_that_only_repeat_an_answer_take_one_line(page: Page, http: httpx.Client) -> None:
    told(http, "Moos weighs 5 kilos.", "2026-03-02T10:00:00Z")
    told(http, "Moos is allergic to chicken.", "2026-05-14T10:00:00Z")
    say(page, "What do you know about Moos?")
    folded = page.locator("lattice-entry .folded .source")
    expect(folded).to_have_count(2)
    # Both at once: the page may still be moving to the answer.
    tops = folded.evaluate_all("(them) => them.map((it) => Math.round(it.getBoundingClientRect().top))")
    assert len(set(tops)) == 1
    expect(folded.first).to_have_attribute("aria-label", re.compile(r"^Source \d: “Moos .*”, .*\d"))
