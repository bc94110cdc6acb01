"""The map looked at nearer, moved and taken apart: by buttons, by keys, by the pointer and by fingers."""

from __future__ import annotations

import pytest
from browsing import KEY, PHONE, box, open_page, sign_in, tell
from playwright.sync_api import Browser, Locator, Page, expect
from product import Product

pytestmark = pytest.mark.browser

METER = "The gas meter of Ingrid is behind the green door."


@pytest.fixture
def map_page(page: Page) -> Page:
    tell(page, KEY)
    tell(page, METER)
    return opened(page)


def opened(page: Page) -> Page:
    page.goto("/graph?about=Ingrid")
    expect(page.locator(".map a")).not_to_have_count(0)
    return page


def drawn(node: Locator) -> tuple[float, float]:
    """Where on the map, in its own measure."""
    circle = node.locator("circle").last
    return float(circle.get_attribute("cx") or "nan"), float(circle.get_attribute("cy") or "nan")


def middle(page: Page) -> Locator:
    return page.locator(".map .is-middle")


def memory(page: Page) -> Locator:
    return page.locator(f".map a[aria-label='{METER}']")


def on_screen(node: Locator) -> tuple[float, float]:
    around = node.locator("circle").last.bounding_box()
    assert around is not None
    return around["x"] + around["width"] / 2, around["y"] + around["height"] / 2


def test_buttons_go_nearer_and_away_and_show_all_of_it_again(map_page: Page) -> None:
    before = drawn(memory(map_page))
    near = map_page.get_by_role("group", name="How near")
    expect(near.get_by_role("status")).to_have_text("100 %")
    expect(near.get_by_role("button", name="whole map")).to_have_count(0)
    near.get_by_role("button", name="Nearer").click()
    expect(near.get_by_role("status")).to_have_text("150 %")
    assert drawn(middle(map_page)) == (360, 270)  # what is in the middle stays there, all else goes away from it
    across, down = drawn(memory(map_page))
    assert (across - 360, down - 270) == pytest.approx((1.5 * (before[0] - 360), 1.5 * (before[1] - 270)))
    near.get_by_role("button", name="Nearer").click()
    near.get_by_role("button", name="Further away").click()
    expect(near.get_by_role("status")).to_have_text("150 %")
    near.get_by_role("button", name="whole map").click()
    expect(near.get_by_role("status")).to_have_text("100 %")
    expect(near.get_by_role("button", name="Nearer")).to_be_focused()
    assert drawn(memory(map_page)) == before


def test_keys_go_nearer_and_move_the_map_and_none_of_them_lands_in_the_box(map_page: Page) -> None:
    before = drawn(middle(map_page))
    middle(map_page).focus()
    map_page.keyboard.press("+")
    map_page.keyboard.press("+")
    expect(map_page.get_by_role("group", name="How near").get_by_role("status")).to_have_text("225 %")
    map_page.keyboard.press("ArrowRight")
    assert drawn(middle(map_page)) == pytest.approx((before[0] - 48, before[1]))
    map_page.keyboard.press("ArrowLeft")
    map_page.keyboard.press("ArrowDown")
    assert drawn(middle(map_page)) == pytest.approx((before[0], before[1] - 48))
    map_page.keyboard.press("-")
    map_page.keyboard.press("0")
    assert drawn(middle(map_page)) == before
    expect(box(map_page)).to_have_value("")
    memory_before = drawn(memory(map_page))
    map_page.keyboard.press("Shift+ArrowUp")
    assert drawn(middle(map_page)) == pytest.approx((before[0], before[1] - 48))
    assert drawn(memory(map_page)) == memory_before
    map_page.keyboard.type("x")  # what means nothing here goes to the box, as everywhere
    expect(box(map_page)).to_have_value("x")


def test_what_tab_reaches_outside_of_what_is_seen_comes_into_sight(map_page: Page) -> None:
    middle(map_page).focus()
    for _ in range(4):
        map_page.keyboard.press("+")
    across, down = drawn(memory(map_page))
    assert not (0 <= across <= 720 and 0 <= down <= 540)
    memory(map_page).focus()
    assert drawn(memory(map_page)) == pytest.approx((360, 270), abs=200)
    across, down = drawn(memory(map_page))
    assert 0 <= across <= 720
    assert 0 <= down <= 540


def test_the_pointer_moves_the_map_or_one_node_and_a_drag_is_no_click(map_page: Page) -> None:
    whole, other = drawn(middle(map_page)), drawn(memory(map_page))
    x, y = on_screen(memory(map_page))
    drag(map_page, (x, y), (x + 60, y + 30))
    assert "/graph" in map_page.url  # the memory was not opened
    moved = drawn(memory(map_page))
    assert moved != other
    assert drawn(middle(map_page)) == whole
    ends = [float(line.get_attribute("x2") or "nan") for line in map_page.locator(".map line").all()]
    assert moved[0] in ends  # what joins it went along
    around = map_page.locator(".map").bounding_box()
    assert around is not None
    corner = around["x"] + around["width"] / 2 - 80, around["y"] + 12
    drag(map_page, corner, (corner[0] + 40, corner[1] + 40))
    assert drawn(middle(map_page)) != whole
    memory(map_page).locator("circle").last.click()
    expect(map_page.locator("lattice-panel .statement")).to_have_text(METER)


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=5)
    page.mouse.up()


def test_the_wheel_goes_nearer_with_control_and_moves_the_page_without(map_page: Page) -> None:
    near = map_page.get_by_role("group", name="How near").get_by_role("status")
    x, y = on_screen(middle(map_page))
    map_page.mouse.move(x, y)
    map_page.mouse.wheel(0, -100)
    expect(near).to_have_text("100 %")
    map_page.keyboard.down("Control")
    map_page.mouse.wheel(0, -100)
    map_page.keyboard.up("Control")
    expect(near).to_have_text("141 %")
    assert drawn(middle(map_page)) == pytest.approx((360, 270), abs=2)


def test_two_fingers_go_nearer_and_one_moves_the_map_then(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True)
    sign_in(page, product)
    tell(page, KEY)
    tell(page, METER)
    opened(page)
    x, y = on_screen(middle(page))
    touches = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        at = [{"x": across, "y": down, "id": number} for number, (across, down) in enumerate(points)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})

    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (30, 40, 50, 60):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    near = page.get_by_role("group", name="How near").get_by_role("status")
    expect(near).not_to_have_text("100 %")
    before = drawn(middle(page))
    touch("touchStart", (x + 60, y + 60))
    for further in (70, 80, 90):
        touch("touchMove", (x + further, y + 60))
    touch("touchEnd")
    assert drawn(middle(page))[0] > before[0]
    page.context.close()
    assert problems == []
