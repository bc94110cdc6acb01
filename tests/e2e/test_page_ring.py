"""By the keyboard alone through every view: each control is reached, has a name, is seen to have the focus, lies under nothing,
and comes in the order of the screen."""

from __future__ import annotations

from typing import Any

import pytest
from browsing import PHONE, WIDE, open_page, sign_in
from page_life import EMPTY, addresses, go_to, some_life
from playwright.sync_api import Browser, Page, ViewportSize, expect
from product import Product

pytestmark = pytest.mark.browser

CONTRAST = 3.0
"""What WCAG asks of a ring, against what is beside it."""

READ = """() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const drawn = canvas.getContext("2d", { willReadFrequently: true });

  /** The colour of what is painted in turn, as a browser paints it, from the page up. */
  const painted = (colours) => {
    drawn.clearRect(0, 0, 1, 1);
    for (const colour of ["white", ...colours]) (drawn.fillStyle = colour), drawn.fillRect(0, 0, 1, 1);
    return [...drawn.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (rgb) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = rgb.map((each) => linear(each / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const below = (it) => {
    const backgrounds = [];
    for (let at = it; at; at = at.parentElement) backgrounds.unshift(getComputedStyle(at).backgroundColor);
    return backgrounds;
  };
  const against = (colour, it) => contrast(painted([...below(it), colour]), painted(below(it)));

  /** The line below or around a field that stands for its ring: of itself, or of what it is the middle of. */
  const bordered = (it) => {
    const found = it.closest(".box, .list-search, .palette input");
    if (!found) return null;
    const line = () => getComputedStyle(found).borderBottomColor;
    const width = parseFloat(getComputedStyle(found).borderBottomWidth);
    const focused = line();
    it.blur();
    const plain = line();
    it.focus({ focusVisible: true, preventScroll: true });
    return { width, contrast: focused === plain ? 1 : against(focused, found.parentElement) };
  };

  /** The circle of what is on the map has a stronger line. */
  const encircled = (it) => {
    const circle = it.querySelector("circle:not(.reach)");
    const line = () => [getComputedStyle(circle).stroke, parseFloat(getComputedStyle(circle).strokeWidth)];
    const [colour, width] = line();
    it.blur();
    const plain = line().join();
    it.focus({ focusVisible: true, preventScroll: true });
    return { width, contrast: plain === [colour, width].join() ? 1 : against(colour, it.closest("svg")) };
  };

  /** What is left of the ring after everything around it that cuts off. */
  const cutOff = (it, room) => {
    const ring = it.getBoundingClientRect();
    const edges = { left: ring.left - room, right: ring.right + room, top: ring.top - room, bottom: ring.bottom + room };
    let cut = 0;
    for (let at = it.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      const around = at.getBoundingClientRect();
      const scrolls = at.scrollHeight > at.clientHeight;
      if (overflowX !== "visible") cut = Math.max(cut, around.left - edges.left, edges.right - around.right);
      if (overflowY !== "visible" && !scrolls) cut = Math.max(cut, around.top - edges.top, edges.bottom - around.bottom);
    }
    return cut;
  };

  const isStuck = (it) => it !== document.body && (getComputedStyle(it).position === "sticky" || isStuck(it.parentElement));

  const visited = new Set();
  let before = null;

  const read = (it) => {
    const again = visited.has(it) && it !== before; // of the fields of a date, Tab rests on each
    visited.add((before = it));
    const style = getComputedStyle(it);
    const { left, right, top, bottom, width, height } = it.getBoundingClientRect();
    const [outline, offset] = [parseFloat(style.outlineWidth), parseFloat(style.outlineOffset)];
    const hasOutline = style.outlineStyle !== "none" && outline > 0;
    const ring = hasOutline
      ? { width: outline, contrast: against(style.outlineColor, offset < 0 ? it : it.parentElement) }
      : it.closest("svg") ? encircled(it) : bordered(it) ?? { width: 0, contrast: 1 };
    const [x, y] = [Math.min(innerWidth - 1, left + width / 2), top + Math.min(height, 40) / 2];
    const there = document.elementFromPoint(x, y);
    return {
      again,
      what: it.outerHTML.slice(0, 160),
      name: (it.ariaLabel || it.innerText || it.labels?.[0]?.innerText || it.textContent || it.placeholder || "").trim(),
      where: it.closest(".bar, main, lattice-panel, .dock, dialog")?.localName ?? "nowhere",
      drawn: Boolean(it.closest("svg")),
      stuck: isStuck(it), // to an edge of the sheet, whatever is above it
      column: it.closest(".examples > div")?.matches(":last-child"), // the one that is read after the other
      ring,
      cut: hasOutline ? cutOff(it, offset + outline) - offset : 0,
      covered: !there || !(it.contains(there) || there.contains(it)) ? there?.outerHTML.slice(0, 80) ?? "out of sight" : "",
      box: { left: left + scrollX, right: right + scrollX, top: top + scrollY, bottom: bottom + scrollY },
    };
  };
  return { read };
}"""

CONTROLS = """() => [
  ...document.querySelectorAll("a[href], button, input:not([type=file]), select, textarea, summary, [tabindex='0']"),
]
  .filter((it) => !it.disabled && it.checkVisibility({ visibilityProperty: true }) && !it.closest("[inert]"))
  .forEach((it, at) => (it.dataset.control = at))"""
LEFT_OUT = "[...document.querySelectorAll('[data-control]')].map((it) => it.outerHTML.slice(0, 160))"


@pytest.mark.parametrize(
    ("theme", "size"),
    [("light", WIDE), ("dark", WIDE), ("light", PHONE), ("dark", PHONE)],
    ids=["light", "dark", "phone", "phone-dark"],
)
def test_every_control_of_every_view_is_reached_by_tab_and_seen_to_be(
    browser: Browser, product: Product, theme: str, size: ViewportSize
) -> None:
    capture = some_life(product)
    page, problems = open_page(browser, product, color_scheme=theme, viewport=size, reduced_motion="reduce")
    sign_in(page, product)
    found = {address: walk(page, address) for address in addresses(capture)}
    page.context.close()
    assert problems == []
    assert told(found) == ""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_control_of_an_empty_memory_is_reached_by_tab_and_seen_to_be(
    browser: Browser, product: Product, theme: str
) -> None:
    page, problems = open_page(browser, product, color_scheme=theme, reduced_motion="reduce")
    sign_in(page, product)
    found = {address: walk(page, address) for address in EMPTY}
    page.context.close()
    assert problems == []
    assert told(found) == ""


def test_what_is_opened_on_demand_is_reached_by_tab_and_seen_to_be(browser: Browser, product: Product) -> None:
    """Filters, choices, an editor, a warning, what asks for a line, the palette and the keys."""
    capture = some_life(product)
    page, problems = open_page(browser, product, reduced_motion="reduce")
    sign_in(page, product)
    go_to(page, "/memories?standing=replaced")
    page.get_by_role("button", name="select").click()
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="change what it is about").click()
    expect(page.get_by_label("What it is about")).to_be_focused()
    assert stops(page) == []
    go_to(page, f"/m/{capture['atom_ids'][0]}")
    page.get_by_role("button", name="edit").click()
    expect(page.get_by_label("What should it say?")).to_be_focused()
    assert stops(page) == []
    go_to(page, "/settings")
    page.get_by_role("button", name="Revoke").first.click()
    expect(page.locator("#devices .note.warn")).to_be_visible()
    assert stops(page) == []
    go_to(page, "/review")
    page.get_by_role("button", name="put it right").click()
    expect(page.get_by_label("What is right?")).to_be_focused()
    assert stops(page) == []
    for key, dialog in (("Control+k", ".palette"), ("?", ".keys")):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        expect(page.locator(dialog)).to_be_visible()
        seen = page.evaluate(f"({READ})().read(document.activeElement)")
        assert wrong_with(seen, None) == [], dialog
        page.keyboard.press("Escape")
    page.context.close()
    assert problems == []


def told(found: dict[str, list[str]]) -> str:
    return "\n".join(f"{address}: {wrong}" for address, of_it in found.items() for wrong in of_it)


def walk(page: Page, address: str) -> list[str]:
    go_to(page, address)
    return stops(page)


def stops(page: Page) -> list[str]:
    """What is wrong with the ways of the Tab key, from the top of the page until it leaves it."""
    page.evaluate("document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus(); scrollTo(0, 0)")
    page.evaluate(CONTROLS)
    reader = page.evaluate_handle(READ)
    wrong: list[str] = []
    before: dict[str, Any] | None = None
    for _ in range(400):
        page.keyboard.press("Tab")
        seen = page.evaluate("({ read }) => read(document.activeElement)", reader)
        if seen["again"] or seen["what"].startswith("<body"):
            break
        wrong += wrong_with(seen, before)
        before = seen
        page.evaluate("delete document.activeElement.dataset.control")
    else:
        wrong.append("Tab goes round and round")
    return wrong + [f"not reached: {each}" for each in page.evaluate(LEFT_OUT)]


def wrong_with(seen: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    wrong = []
    if not seen["name"]:
        wrong.append("no name")
    if seen["ring"]["width"] < 1 or seen["ring"]["contrast"] < CONTRAST:
        wrong.append(f"no ring that is seen: {seen['ring']}")
    if seen["cut"] > 0:
        wrong.append(f"its ring is cut off by {seen['cut']}")
    if seen["covered"]:
        wrong.append(f"covered by {seen['covered']}")
    if before is not None and in_order(seen, before) and comes_before(seen["box"], before["box"]):
        wrong.append(f"comes after {before['what']}, and stands before it")
    return [f"{each}: {seen['what']}" for each in wrong]


def in_order(seen: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether one stands after the other on the screen: not so on the map, in two columns, and below what is stuck to an edge."""
    if before["stuck"] != seen["stuck"]:
        return False
    return before["where"] == seen["where"] and not seen["drawn"] and before.get("column") == seen.get("column")


def comes_before(one: dict[str, float], other: dict[str, float]) -> bool:
    """Whether it stands above the other, or in the same line left of it."""
    in_line = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"]) > 0.5 * min(
        one["bottom"] - one["top"], other["bottom"] - other["top"]
    )
    return one["right"] <= other["left"] + 1 if in_line else one["bottom"] <= other["top"] + 1
