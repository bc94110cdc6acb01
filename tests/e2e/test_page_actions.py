"""What each view offers and no other test uses: each action once, and what it does."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from browsing import KEY, PHONE, box, open_page, say, sign_in, tell
from page_life import told
from playwright.sync_api import Browser, Locator, Page, expect
from product import Product

pytestmark = pytest.mark.browser

METER = "The gas meter is behind the green door."


def button(within: Page | Locator, name: str) -> Locator:
    return within.get_by_role("button", name=name, exact=True)


# The bar, the keys, the palette


def test_the_bar_leads_to_each_view_and_its_name_back_to_today(page: Page) -> None:
    tell(page, KEY)
    for words, address in (
        ("Memories", "memories"),
        ("When", "when"),
        ("You", "me"),
        ("Needs you", "review"),
        ("Settings", "settings"),
    ):
        link = page.get_by_role("navigation", name="Views").get_by_role("link", name=re.compile(f"^{words}"))
        link.click()
        page.wait_for_url(f"**/{address}")
        expect(link).to_have_attribute("aria-current", "page")
    page.get_by_role("link", name="Lattice", exact=True).click()
    expect(page.locator("lattice-entry")).to_have_count(1)
    page.get_by_role("navigation", name="Views").get_by_role("link", name="When").click()
    button(page, "Search").click()
    page.wait_for_url("**/memories")
    expect(page.get_by_label("Search what is remembered")).to_be_focused()


def test_the_keys_are_shown_by_their_button_and_closed_in_three_ways(page: Page) -> None:
    keys = page.locator("dialog.keys")
    for close in ("button", "Escape", "beside"):
        button(page, "Keys").click()
        expect(keys).to_be_visible()
        if close == "button":
            button(keys, "close").click()
        elif close == "Escape":
            page.keyboard.press("Escape")
        else:
            page.mouse.click(5, 400)
        expect(keys).to_be_hidden()


def test_the_palette_does_what_the_bar_does_and_is_closed_beside_it(page: Page) -> None:
    palette = page.locator(".palette")

    def choose(words: str) -> None:
        button(page, "Menu").click()
        palette.get_by_role("combobox").fill(words)
        palette.get_by_role("option", name=f"Do {words}").click()

    choose("Switch to dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    choose("Switch to light")
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")
    choose("Show the keys")
    expect(page.locator("dialog.keys")).to_be_visible()
    page.keyboard.press("Escape")
    choose("Search what was said")
    page.wait_for_url("**/memories")
    button(page, "Menu").click()
    expect(palette).to_be_visible()
    page.mouse.click(5, 400)
    expect(palette).to_be_hidden()
    button(page, "Menu").click()
    palette.get_by_role("combobox").fill("meter")
    palette.get_by_role("option", name="“meter” in all memories").click()
    page.wait_for_url("**/memories?q=meter")


# The box and what was said in Today


def test_the_box_takes_lines_and_is_sent_by_its_button(page: Page) -> None:
    box(page).fill(KEY)
    box(page).press("Shift+Enter")
    page.keyboard.type(METER)
    expect(box(page)).to_have_value(f"{KEY}\n{METER}")
    page.locator("button.intent").click()
    expect(page.locator("button.intent")).to_have_class(re.compile("chosen"))
    page.locator("button.intent").click()
    button(page, "Remember").click()
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 2 things")
    expect(box(page)).to_have_value("")


def test_what_is_no_request_is_asked_instead_and_what_was_undone_is_done_again(page: Page) -> None:
    tell(page, "Tom plays darts.")
    say(page, "Forget what I said about Tom.")
    entry = page.locator("lattice-entry").last
    button(entry, "do it").click()
    button(entry, "undo").click()
    expect(entry).to_contain_text("Brought back.")
    button(entry, "do it again").click()
    expect(button(entry, "undo")).to_be_visible()
    button(entry, "undo").click()
    expect(entry).to_contain_text("Brought back.")
    say(page, "Forget what I said about Tom.")
    asked = page.locator("lattice-entry").last
    button(asked, "ask it instead").click()
    expect(asked.locator(".answer")).not_to_contain_text("would go")
    expect(button(asked, "ask again")).to_be_visible()


def test_an_export_that_was_asked_for_is_downloaded(page: Page) -> None:
    tell(page, KEY)
    say(page, "Export everything.")
    with page.expect_download() as download:
        page.locator("lattice-entry").last.get_by_role("button", name="download").click()
    assert KEY in download.value.path().read_text(encoding="utf-8")


def test_a_capture_that_takes_too_long_is_looked_at_again(page: Page) -> None:
    """Its stream breaks off for as long as the page looks; then it is there."""
    page.clock.install()
    page.route("**/api/captures/*/events", lambda route: route.fulfill(content_type="text/event-stream", body=": alive\n\n"))
    say(page, KEY)
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Received")
    tries = 0
    while not button(entry, "look again").is_visible():
        assert (tries := tries + 1) < 500
        page.clock.run_for(1_000)
    page.unroute("**/api/captures/*/events")
    button(entry, "look again").click()
    expect(entry).to_contain_text("Remembered 1 thing")


def test_what_a_document_says_instead_is_kept(page: Page) -> None:
    tell(page, "My name is Ada Miller. I live in Berlin.")
    form = {"name": "form.html", "mimeType": "text/html", "buffer": b"<p>Ada Miller lives in Lisbon.</p>"}
    page.locator("lattice-box input[type=file]").set_input_files(form)
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from form.html", timeout=30_000)
    say(page, "Where do I live?")
    entry = page.locator("lattice-entry").last
    button(entry, "keep this instead").click()
    expect(page.locator(".otherwise")).to_have_count(0)
    say(page, "Where do I live now?")
    expect(page.locator("lattice-entry").last.locator(".answered")).to_contain_text("Lisbon")


# A memory


def test_what_lies_around_a_sheet_closes_it(browser: Browser, product: Product) -> None:
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True)
    sign_in(page, product)
    tell(page, KEY)
    panel = page.locator("lattice-panel .panel")
    button(page.locator("lattice-entry"), "show").click()
    expect(panel).to_be_visible()
    page.locator(".backdrop").tap(position={"x": 100, "y": 20})
    expect(panel).to_have_count(0)
    page.context.close()
    assert problems == []


def test_a_memory_shows_its_details_and_leads_to_what_it_is_about(page: Page, http: httpx.Client) -> None:
    kept = told(http, "Nora plays the cello.")["atom_ids"][0]
    page.goto(f"/m/{kept}")
    panel = page.locator("lattice-panel")
    panel.get_by_text("Details").click()
    expect(panel.locator(".details dl")).to_contain_text(kept)
    panel.get_by_role("link", name="Nora", exact=True).click()
    page.wait_for_url("**/about/Nora")
    expect(page.locator(".rows")).to_contain_text("Nora plays the cello.")


def test_what_was_done_elsewhere_is_dismissed(page: Page, http: httpx.Client) -> None:
    kept = told(http, KEY)["atom_ids"][0]
    page.goto(f"/m/{kept}")
    button(page.locator("lattice-panel"), "forget").click()
    expect(page.locator(".did")).to_contain_text("In the trash")
    button(page.locator(".did"), "Dismiss").click()
    expect(page.locator(".did")).to_have_count(0)
    expect(page.locator(".rows")).to_have_count(0)


# The lists


def test_each_filter_finds_its_own_and_all_are_taken_away_at_once(page: Page, http: httpx.Client) -> None:
    told(http, "Nora plays the cello.", "2026-03-02T10:00:00Z", source_id="notes.md")
    told(http, "I prefer tea to coffee.", "2026-04-02T10:00:00Z")
    told(http, "I wish I had a boat.", "2026-05-02T10:00:00Z")
    page.goto("/memories")
    rows = page.locator(".rows .row")
    expect(rows).to_have_count(3)
    button(page, "filter").click()
    for label, value, found in (
        ("About", "Nora", "cello"),
        ("From the source", "notes.md", "cello"),
        ("Said from", "2026-05-01", "boat"),
        ("to", "2026-03-31", "cello"),
    ):
        field = page.locator("#filters").get_by_label(label, exact=True)
        field.fill(value)
        field.press("Enter")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(found)
        page.locator(".chips").get_by_role("button", name=re.compile("^Remove: ")).click()
        expect(rows).to_have_count(3)
    for label, option, found in (("Kind", "preference", "tea"), ("Meant as", "wished", "boat")):
        page.locator("#filters").get_by_label(re.compile(f"^{label}")).select_option(option)
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(found)
        button(page.locator(".chips"), "all of them").click()
        page.wait_for_url("**/memories")
        expect(rows).to_have_count(3)


def test_several_are_chosen_and_left_as_they_are(page: Page, http: httpx.Client) -> None:
    told(http, f"{KEY} {METER}")
    page.goto("/memories")
    button(page, "select").click()
    for each in page.locator(".pick input").all():
        each.check()
    expect(page.locator(".choices")).to_contain_text("2 memories")
    button(page, "change what it is about").click()
    page.get_by_label("What it is about").fill("nothing")
    button(page, "cancel").click()
    expect(button(page, "change what it is about")).to_be_visible()
    button(page, "archive").click()
    expect(page.locator(".did")).to_contain_text("2 memories archived")
    button(page, "select").click()
    for each in page.locator(".pick input").all():
        each.check()
    button(page, "bring back").click()
    expect(page.locator(".did")).to_contain_text("2 memories brought back")
    button(page, "select").click()
    button(page, "done").click()
    expect(page.locator(".pick")).to_have_count(0)


# A name, a day, the map


def test_a_name_leads_to_its_list_its_map_its_times_and_what_goes_with_it(page: Page, http: httpx.Client) -> None:
    told(http, "Nora plays the cello with Ingrid.", source_id="notes.md")
    told(http, "Nora moved to Porto with Ingrid.", source_id="notes.md")

    def follows(name: str, address: str) -> None:
        page.goto("/about/Nora")
        page.locator("main").get_by_role("link", name=re.compile(name)).first.click()
        page.wait_for_url(address)

    follows("^list all$", "**/memories?about=Nora")
    expect(page.locator(".rows .row")).to_have_count(2)
    follows("^map$", "**/graph?about=Nora")
    page.get_by_role("link", name="all about Nora").click()
    page.wait_for_url("**/about/Nora")
    follows("^over time$", "**/when?about=Nora")
    page.get_by_role("link", name="Remove: about Nora").click()
    page.wait_for_url(re.compile(r"/when$"))
    follows("^Ingrid 2$", "**/about/Ingrid")
    follows(r"^notes\.md$", "**/source/notes.md")
    page.goto("/about/Nora")
    within = page.get_by_label("Ask or search what is remembered about Nora")
    within.fill("cello")
    button(page.locator("main"), "search").click()
    page.wait_for_url("**/memories?about=Nora&q=cello")
    expect(page.locator(".rows .row")).to_have_count(1)


def test_more_of_a_name_than_its_page_holds_is_listed(page: Page, http: httpx.Client) -> None:
    told(http, " ".join(f"Nora plays piece number {number} with Ingrid." for number in range(1, 35)))
    page.goto("/about/Ingrid")
    page.locator("main").get_by_role("link", name="all 34").click()
    page.wait_for_url("**/memories?about=Ingrid")
    expect(page.locator(".rows .row")).to_have_count(34)


def test_a_day_is_chosen_by_its_date_and_what_was_so_leads_to_the_list(page: Page, http: httpx.Client) -> None:
    told(http, " ".join(f"Nora saw film number {number}." for number in range(1, 65)), "2025-01-10T10:00:00Z")
    page.goto("/when")
    page.get_by_label("or a day").fill("2025-02-01")
    page.wait_for_url("**/when?at=2025-02-01")
    expect(page.get_by_role("heading", name="As of 1 February 2025")).to_be_visible()
    page.get_by_role("link", name="all memories").click()
    page.wait_for_url("**/memories?until=2025-02")
    expect(page.locator(".rows .row").first).to_contain_text("Nora saw film")
    button(page, "↑ to the newest").click()
    page.wait_for_url("**/memories")


def test_what_happened_is_told_as_exactly_as_it_was_said(page: Page, http: httpx.Client) -> None:
    told(http, "I married in 2014. The boiler was serviced by Leitner in October 2025. I moved to Graz on 1 March 2024.")
    page.goto("/when?show=happened")
    dates = page.locator(".timeline li")
    expect(dates).to_have_count(3)
    said = {row.locator(".content").inner_text(): row.locator("time").first.inner_text() for row in dates.all()}
    assert [said[words] for words in sorted(said)] == ["2014", "1 Mar 2024", "Oct 2025"]
    page.get_by_role("link", name=re.compile("boiler")).click()
    expect(page.locator("lattice-panel .facts")).to_contain_text("Oct 2025")


def test_no_name_on_a_small_map_stands_in_the_words_of_a_memory(page: Page, http: httpx.Client) -> None:
    told(http, "I live in Graz with my husband Jonas and our kids Lena (9) and Felix (6). Lena is allergic to peanuts.")
    told(http, "Dentist appointment for Lena on 9 December 2026 at 14:30.")
    page.goto("/graph?about=Lena")
    expect(page.locator("svg.map .words").first).to_be_visible()
    boxes = [[each.bounding_box() for each in page.locator(f"svg.map {kind}").all()] for kind in (".is-name text", ".words")]
    for name in boxes[0]:
        for words in boxes[1]:
            assert name is not None
            assert words is not None
            across = name["x"] < words["x"] + words["width"] and words["x"] < name["x"] + name["width"]
            down = name["y"] < words["y"] + words["height"] and words["y"] < name["y"] + name["height"]
            assert not (across and down), (name, words)
    assert page.locator("svg.map .is-name").count() >= 4
    expect(page.locator("svg.map a[aria-label*='December 2026, 14']")).to_have_count(0)


# You, what needs you, the settings


def test_more_of_its_owner_than_a_page_holds_is_shown_in_place(page: Page, http: httpx.Client) -> None:
    told(http, " ".join(f"I like cheese number {number}." for number in range(1, 31)))
    page.goto("/me")
    expect(page.locator("main")).to_contain_text("You like cheese number 20.")
    expect(page.locator("main")).not_to_contain_text("You like cheese number 1.")
    page.locator("main").get_by_role("button", name="show all").click()
    expect(page.locator("main")).to_contain_text("You like cheese number 1.")


def test_what_was_set_aside_leads_to_where_it_was_said(page: Page, http: httpx.Client) -> None:
    capture = told(http, KEY)
    aside = {
        "rejected_id": "1",
        "capture_id": capture["capture_id"],
        "at": "2026-05-14T10:00:00Z",
        "content": "Ingrid has 2 keys.",
    }
    body = json.dumps({"rejected": [{**aside, "quote": "", "reason": "number-unlicensed", "detail": "2", "kept": False}]})
    page.route("**/api/rejected?*", lambda route: route.fulfill(content_type="application/json", body=body))
    page.goto("/review")
    page.get_by_role("link", name="where it was said").click()
    page.wait_for_url(f"**/source/{capture['capture_id']}")
    expect(page.locator(".document")).to_have_text(KEY)


def test_what_nobody_asked_for_in_a_long_time_is_archived(page: Page, http: httpx.Client) -> None:
    kept = told(http, f"{KEY} {METER}")["atom_ids"]
    atoms = [http.get(f"/api/atoms/{each}").json() for each in kept]
    long_ago = (datetime.now(UTC) - timedelta(days=300)).isoformat()
    body = json.dumps({"candidates": [{"atom": each, "confidence": 0.2, "unused_since": long_ago} for each in atoms]})
    page.route("**/api/archive/candidates?*", lambda route: route.fulfill(content_type="application/json", body=body))
    page.goto("/settings")
    page.get_by_text("Memories that nobody asked for in a long time").click()
    page.locator("#archive details").get_by_role("button", name="archive").first.click()
    expect(page.locator(".did")).to_contain_text("Archived")
    expect(page.locator("#archive")).to_contain_text("1 memory set aside")
