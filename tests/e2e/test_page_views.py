"""The views: their addresses, Back and reload, and what can be done in each, in a real browser against the real product."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from browsing import KEY, PHONE, box, open_page, say, sign_in, tell
from lattice_common.adapters.files.backup_archive import restore
from lattice_common.adapters.files.egress_log import EgressLog
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.ports.language_model import Message, ModelRequest
from page_life import told as tell_beside
from playwright.sync_api import Browser, Page, Route, expect
from product import Product

pytestmark = pytest.mark.browser

METER = "The gas meter is behind the green door."
Told = Callable[..., dict[str, Any]]


@pytest.fixture
def told(http: httpx.Client) -> Told:
    """Tell something beside the page, and wait for its receipt."""

    def telling(text: str, observed_at: str = "2026-05-14T10:00:00Z", **metadata: str) -> dict[str, Any]:
        return tell_beside(http, text, observed_at, **metadata)

    return telling


def wait_until(page: Page, holds: str) -> None:
    """In the page itself, whose policy lets no condition in as a text."""
    late = f"setTimeout(() => no(new Error({json.dumps(holds)})), 10_000)"
    page.evaluate(
        f"new Promise((yes, no) => {{ {late}; const look = () => ({holds} ? yes() : requestAnimationFrame(look)); look(); }})"
    )


def heading(page: Page, words: str | re.Pattern[str]) -> None:
    expect(page.get_by_role("heading", name=words, level=2).first).to_be_visible()


def test_every_view_has_an_address_that_survives_a_reload_and_back_leads_where_one_was(page: Page, told: Told) -> None:
    told(METER)
    for name, words in (("Memories", "Memories"), ("When", "As of now"), ("You", "You"), ("Needs you", "Needs you")):
        page.get_by_role("navigation", name="Views").get_by_role("link", name=name, exact=True).click()
        heading(page, words)
        page.reload()
        heading(page, words)
    assert page.url.endswith("/review")
    page.go_back()
    heading(page, "You")
    page.go_back()
    heading(page, "As of now")
    page.go_forward()
    heading(page, "You")
    page.get_by_role("link", name="Lattice", exact=True).click()
    expect(page.get_by_role("button", name="Lately remembered")).to_be_visible()


def test_a_memory_opens_beside_the_list_under_its_own_address_and_back_closes_it(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    page.goto("/memories")
    page.get_by_role("link", name=re.compile("I moved from Berlin")).click()
    panel = page.get_by_role("complementary", name="Memory and its source")
    expect(panel).to_be_focused()
    assert "/m/" in page.url
    panel.get_by_role("link", name=re.compile("I live in Berlin")).click()
    expect(panel.locator(".statement")).to_have_text("I live in Berlin.")
    page.reload()
    expect(panel.locator(".statement")).to_have_text("I live in Berlin.")
    heading(page, "Memories")
    page.go_back()
    expect(panel.locator(".statement")).to_have_text("I moved from Berlin to Lisbon.")
    page.go_back()
    expect(panel).to_have_count(0)
    assert page.url.endswith("/memories")
    page.go_forward()
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    page.wait_for_url("**/memories")


def test_a_memory_that_was_opened_in_todays_conversation_leads_back_to_it(page: Page) -> None:
    tell(page, METER)
    page.locator("lattice-entry .memory").click()
    expect(page.locator("lattice-panel .statement")).to_be_visible()
    page.go_back()
    expect(page.locator("lattice-panel")).to_have_count(0)
    expect(page.locator("lattice-entry")).to_contain_text("Remembered 1 thing")


def test_the_list_is_grouped_by_month_and_goes_on_to_its_end(page: Page, told: Told) -> None:
    words = [f"On 3 May the meter of flat {number} stood at {number * 7 + 4000}." for number in range(1, 141)]
    told(" ".join(words), "2026-05-03T10:00:00Z")
    told(METER, "2026-09-14T10:00:00Z")
    page.goto("/memories")
    expect(page.get_by_role("heading", level=3).first).to_contain_text("September 2026")
    total = page.locator(".view-head p")
    expect(total).to_have_text("141")
    page.locator(".rows .row").last.scroll_into_view_if_needed()
    expect(page.locator(".rows .row")).to_have_count(141)
    page.get_by_label("Go to a month").select_option("2026-05")
    expect(page.get_by_role("heading", level=3).first).to_contain_text("May 2026")
    assert "until=2026-05" in page.url
    page.get_by_role("button", name="to the newest").click()
    expect(page.get_by_role("heading", level=3).first).to_contain_text("September 2026")


def test_one_comes_back_to_where_one_was_in_a_long_list(page: Page, told: Told) -> None:
    told(" ".join(f"On 3 May the meter of flat {number} stood at {number * 7 + 4000}." for number in range(1, 90)))
    page.goto("/memories")
    page.locator(".rows .row").nth(60).scroll_into_view_if_needed()
    wait_until(page, "history.state?.top > 200")
    page.get_by_role("navigation", name="Views").get_by_role("link", name="You", exact=True).click()
    heading(page, "You")
    page.go_back()
    wait_until(page, "scrollY > 200")


def test_filters_stand_in_the_address_and_can_be_taken_away_one_by_one(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    told(METER)
    page.goto("/memories")
    page.get_by_role("button", name="filter").click()
    page.get_by_label("Is it so").select_option("replaced")
    expect(page.locator(".rows .row")).to_have_count(1)
    expect(page.locator(".rows")).to_contain_text("I live in Berlin.")
    assert "standing=replaced" in page.url
    page.reload()
    expect(page.locator(".rows .row")).to_have_count(1)
    page.get_by_role("button", name="Remove: replaced").click()
    expect(page.locator(".rows .row")).to_have_count(3)
    page.get_by_label("About").fill("Berlin")
    page.get_by_label("About").press("Enter")
    expect(page.locator(".rows .row")).to_have_count(2)
    page.go_back()
    expect(page.locator(".rows .row")).to_have_count(3)


def test_a_search_that_is_opened_is_asked_once_and_shows_nothing_else_before(page: Page, told: Told) -> None:
    told("The spare key is with Ines.", "The boat is in berth 12.")
    held: list[Route] = []
    page.route("**/api/select", lambda route: held.append(route))  # playwright takes no method of a list
    with page.expect_response("**/api/atoms?*"):
        page.goto("/memories?q=key")
    page.evaluate("async () => { for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame); }")
    assert len(held) == 1
    expect(page.locator("main .waiting")).to_be_visible()
    expect(page.locator("main .rows .content")).to_have_count(0)
    held[0].continue_()
    expect(page.locator("main .rows .content").first).to_have_text("The spare key is with Ines.")
    page.get_by_role("link", name="Settings").first.click()
    expect(page.locator("main .rows")).to_have_count(0)
    # It is looked for again, for something may have changed; what was found is there meanwhile.
    with page.expect_request("**/api/select"):
        page.go_back()
    expect(page.locator("main .rows .content").first).to_have_text("The spare key is with Ines.")


def test_searching_shows_what_says_it_apart_from_what_is_near_and_marks_the_words(page: Page, told: Told) -> None:
    told(f"{METER} The gas bill comes on the 3rd of each month.")
    page.goto("/memories")
    search = page.get_by_label("Search what is remembered")
    search.fill("gas meter")
    expect(page.get_by_role("heading", name="1 memory says that")).to_be_visible()
    expect(page.locator(".rows mark").first).to_have_text("gas")
    expect(page.get_by_role("heading", name="Nearest")).to_be_visible()
    page.wait_for_url("**q=gas+meter")
    page.reload()
    expect(page.get_by_role("heading", name="1 memory says that")).to_be_visible()
    search.press("ArrowDown")
    expect(page.locator(".rows a").first).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("lattice-panel .statement")).to_have_text(METER)
    page.keyboard.press("Escape")
    search.press("Escape")
    expect(search).to_have_value("")


def test_several_memories_are_forgotten_at_once_and_brought_back_by_one_undo(page: Page, told: Told) -> None:
    told(f"{METER} The fuse box is in the hall. {KEY}")
    page.goto("/memories")
    page.get_by_role("button", name="select").click()
    boxes = page.get_by_role("checkbox")
    boxes.first.check()
    boxes.last.click(modifiers=["Shift"])
    expect(page.get_by_role("group", name="What was selected")).to_contain_text("3 memories")
    page.get_by_role("button", name="forget").click()
    expect(page.locator(".did")).to_contain_text("3 memories in the trash")
    expect(page.locator(".rows .row")).to_have_count(0)
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(page.locator(".rows .row")).to_have_count(3)
    expect(page.locator(".did")).to_contain_text("Taken back")


def select_both(page: Page) -> None:
    """Select two memories, once both are in the list."""
    expect(page.get_by_role("checkbox")).to_have_count(2)
    for memory in page.get_by_role("checkbox").all():
        memory.check()


def test_what_several_memories_are_about_is_corrected_with_one_undo(page: Page, told: Told, http: httpx.Client) -> None:
    told(f"{METER} The fuse box is in the hall.")
    page.goto("/memories")
    page.get_by_role("button", name="select").click()
    select_both(page)
    page.get_by_role("button", name="change what it is about").click()
    page.get_by_label("What it is about").fill("the flat")
    page.get_by_role("button", name="set", exact=True).click()
    expect(page.locator(".did")).to_contain_text("2 memories are about the flat now")
    subjects = {atom["subject"] for atom in http.get("/api/atoms").json()["atoms"]}
    assert subjects == {"the flat"}
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(page.locator(".did")).to_contain_text("Taken back")
    assert "the flat" not in {atom["subject"] for atom in http.get("/api/atoms").json()["atoms"]}


def test_several_memories_are_archived_at_once_say_so_and_come_back_by_one_undo(page: Page, told: Told) -> None:
    for words in (METER, KEY):
        told(words)
    page.goto("/memories")
    page.get_by_role("button", name="select").click()
    select_both(page)
    page.get_by_role("button", name="archive").click()
    expect(page.locator(".did")).to_contain_text("2 memories archived")
    expect(page.locator(".rows .where", has_text="archived")).to_have_count(2)
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(page.locator(".rows .where", has_text="archived")).to_have_count(0)


def test_where_a_memory_was_said_is_never_taken_from_the_row_above_it(page: Page, told: Told) -> None:
    told(METER, "2026-05-16T10:00:00Z", title="Notes")
    told("The boiler is in the cellar.", "2026-05-15T10:00:00Z", title="Notes")
    told(KEY, "2026-05-14T10:00:00Z", channel="page")
    page.goto("/memories")
    expect(page.locator(".row")).to_have_count(3)
    shown = [row.locator(".where").inner_text().strip() for row in page.locator(".row").all()]
    assert shown[0] == "Notes"
    assert shown[2] == "here"


def test_what_replaced_a_memory_stands_below_it_in_every_list(page: Page, told: Told) -> None:
    told("The rent is 890 euros a month.", "2025-01-10T10:00:00Z")
    told("The rent is now 1,050 euros a month.", "2026-05-14T10:00:00Z")
    page.goto("/memories")
    expect(page.locator(".row.replaced .became")).to_contain_text("→ 1,050 euros")
    expect(page.locator(".became")).to_have_count(1)
    page.get_by_label("Search what is remembered").fill("rent")
    expect(page.get_by_role("heading", name="2 memories say that")).to_be_visible()
    expect(page.locator(".row.replaced .became")).to_contain_text(re.compile("→ 1,050 euros.* · 14 May"))
    page.goto("/")
    page.get_by_role("button", name="Lately remembered").click()  # folded: something was told today
    expect(page.locator(".lately .memory.replaced .became")).to_contain_text(re.compile("→ 1,050 euros.* · 14 May"))


def test_what_an_answer_cites_and_was_replaced_says_by_what_and_when(page: Page, told: Told) -> None:
    told("I live in Leeds.", "2025-01-10T10:00:00Z")
    told("I live in York now.", "2026-05-14T10:00:00Z")
    say(page, "Where did I live before?")
    expect(page.locator(".sources .became")).to_contain_text(re.compile("→ York.* · 14 May"))


def test_what_happened_and_was_moved_is_struck_through_with_what_replaced_it(page: Page, told: Told) -> None:
    told("My dentist appointment is on 3 June 2026.", "2026-05-01T10:00:00Z")
    told("My dentist appointment is moved to 5 June 2026.", "2026-05-14T10:00:00Z")
    page.goto("/when?show=happened")
    expect(page.locator(".timeline .replaced .content")).to_contain_text("3 June 2026")
    expect(page.locator(".timeline .replaced .became")).to_contain_text("→")


def test_only_what_is_near_is_listed_as_nearest(page: Page, told: Told, http: httpx.Client) -> None:
    told(f"{METER} The gas bill for the meter comes on the 3rd. The door of the shed sticks. {KEY}")
    query = "where is the gas meter behind the green door in the hall"
    found = http.post("/api/select", json={"query": query, "limit": 60, "include_superseded": True}).json()["atoms"]
    best = max(atom["score"] for atom in found)
    near = [atom["content"] for atom in found if atom["score"] >= min(best, best / 3)]
    assert 0 < len(near) < len(found), "some are near and some are not"
    page.goto("/memories")
    page.get_by_label("Search what is remembered").fill(query)
    expect(page.locator(".nearest-hits .content")).to_have_text(near)


def test_why_a_change_of_several_memories_failed_stays_on_the_page(browser: Browser, product: Product, told: Told) -> None:
    told(f"{METER} {KEY}")
    page, _ = open_page(browser, product)
    sign_in(page, product)
    page.goto("/memories")
    page.get_by_role("button", name="select").click()
    select_both(page)
    full = {"type": "about:blank", "title": "Insufficient Storage", "status": 507, "detail": "There is no room left on /data."}
    page.route("**/api/archive", lambda route: route.fulfill(status=507, content_type="application/problem+json", json=full))
    page.get_by_role("button", name="archive").click()
    expect(page.locator("lattice-memories .trouble")).to_contain_text("There is no room left on /data.")
    expect(page.get_by_role("button", name="archive")).to_be_enabled()  # it is over, and the list is as it will be
    expect(page.locator("lattice-memories .trouble")).to_contain_text("There is no room left on /data.")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)  # and nothing has to be selected anew
    page.context.close()


def test_a_memory_as_long_as_a_page_takes_a_few_lines_of_a_list(page: Page, told: Told) -> None:
    told(
        "The landlord said that "
        + "the boiler in the cellar is checked every spring by the same plumber and " * 20
        + "that is that."
    )
    page.goto("/memories")
    longest = page.locator(".rows .memory").first
    expect(longest).to_be_visible()
    tallest = max(row.evaluate("(it) => it.offsetHeight") for row in page.locator(".rows .memory").all())
    assert tallest < 260
    longest.click()
    expect(page.locator("lattice-panel .statement")).to_contain_text("plumber")


def test_what_is_told_in_any_view_is_answered_in_todays_conversation(page: Page) -> None:
    page.goto("/settings")
    heading(page, "Settings")
    say(page, METER)
    expect(page.locator("lattice-entry")).to_contain_text("Remembered 1 thing")
    page.wait_for_url(re.compile(r"/$"))
    page.go_back()
    heading(page, "Settings")


def test_what_is_in_the_trash_is_restored_in_the_settings(page: Page, told: Told, http: httpx.Client) -> None:
    atom_id = told(METER)["atom_ids"][0]
    http.delete(f"/api/atoms/{atom_id}").raise_for_status()
    page.goto("/settings")
    trash = page.locator("#trash")
    expect(trash).to_contain_text(METER)
    trash.get_by_role("button", name="restore").click()
    expect(trash).to_contain_text("It is empty")
    assert http.get("/api/atoms").json()["total"] == 1


def test_tokens_are_made_and_revoked_in_the_settings(browser: Browser, product: Product, http: httpx.Client) -> None:
    page, _ = open_page(browser, product)
    sign_in(page, product)
    page.goto("/settings")
    page.get_by_label("A token for").fill("phone")
    page.get_by_role("button", name="make it").click()
    expect(page.locator(".setting .note")).to_contain_text("shown this once")
    expect(page.get_by_role("button", name="Revoke phone")).to_be_visible()
    assert {each["name"] for each in http.get("/api/tokens").json()["tokens"]} == {"first", "phone"}
    revoke = page.get_by_role("button", name="Revoke phone")
    revoke.click()
    expect(page.locator("#devices .note.warn")).to_contain_text("for good: phone opens nothing any more, and every browser")
    page.get_by_role("button", name="keep it").click()
    revoke.click()
    assert {each["name"] for each in http.get("/api/tokens").json()["tokens"]} == {"first", "phone"}
    page.get_by_role("button", name="revoke it for good").click()
    expect(page.get_by_label("Token", exact=True)).to_be_visible()
    assert [each["name"] for each in http.get("/api/tokens").json()["tokens"]] == ["first"]
    page.context.close()


def test_what_a_token_may_is_said_in_words(page: Page, http: httpx.Client) -> None:
    for token in (
        {"name": "phone", "scopes": ["read", "capture"]},
        {"name": "scanner", "scopes": ["capture"], "source_id": "letters", "days": 1},
        {"name": "kitchen", "scopes": ["calendar"]},
    ):
        http.post("/api/tokens", json=token).raise_for_status()
    page.goto("/settings")
    lines = page.locator("#devices li")
    expect(lines).to_contain_text(
        [
            "The token of the first start may ask, tell, change and forget",
            "phone may ask and tell",
            "scanner may tell into letters · until",
            "kitchen may show",
        ]
    )


def test_a_backup_is_made_in_the_settings_and_can_be_restored(page: Page, told: Told, tmp_path: Path) -> None:
    told(METER)
    page.goto("/settings")
    expect(page.locator("#data")).to_contain_text("There is no backup yet.")
    with page.expect_download() as given:
        page.get_by_role("button", name="make a backup").click()
    assert re.fullmatch(r"lattice-\d{8}T\d{6}Z\.tar\.gz", given.value.suggested_filename)
    packed = tmp_path / given.value.suggested_filename
    given.value.save_as(packed)
    assert restore(packed, tmp_path / "copy", lambda *_: None).atoms == 1
    expect(page.locator("#data")).to_contain_text("The last backup is of today.")


def test_an_export_is_counted_brought_in_and_taken_back_in_the_settings(page: Page, http: httpx.Client, tmp_path: Path) -> None:
    said = {"sender": "human", "text": METER, "created_at": "2026-01-02T10:00:00Z"}
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([{"uuid": "u1", "name": "Home", "chat_messages": [said]}, {"uuid": "u2", "chat_messages": []}]))
    page.goto("/settings")
    bring = page.locator("#bring")
    bring.get_by_label("An export").set_input_files(export)
    expect(bring.get_by_role("status")).to_contain_text(re.compile("2 things from 2 Jan.* to 2 Jan.*, 1 left out"))
    assert http.get("/api/atoms").json()["total"] == 0
    bring.get_by_role("button", name="bring it in").click()
    expect(bring.get_by_role("status")).to_contain_text("Brought in from conversations.json (Claude): 1 memory.")
    bring.get_by_text("What was brought in").click()
    bring.get_by_role("button", name="Take back conversations.json (Claude)").click()
    expect(page.locator(".did")).to_contain_text("Taken back")
    expect(bring.get_by_role("button", name="Take back conversations.json (Claude)")).to_have_count(0)
    assert http.get("/api/atoms").json()["total"] == 0


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(page: Page, tmp_path: Path) -> None:
    large = tmp_path / "box.mbox"
    with large.open("wb") as file:
        file.truncate(60_400_000)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    page.goto("/settings")
    page.get_by_label("An export").set_input_files(large)
    expect(page.get_by_role("alert")).to_contain_text("It has 61 MB, and 50 MB is the limit")
    expect(page.get_by_role("alert")).to_contain_text("lattice import export")
    page.goto("/")
    page.locator("lattice-box input[type=file]").set_input_files(large)
    expect(page.locator("lattice-entry").last).to_contain_text("It has 61 MB, and 50 MB is the limit")
    assert not [url for url in sent if "/api/i" in url]


def test_how_much_of_a_file_was_sent_is_shown(page: Page, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(f"{METER}\n")
    page.evaluate(
        """() => {
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function (body) {
            this.upload.onprogress({ loaded: 2, total: 5 });
            setTimeout(() => send.call(this, body), 1500);
          };
        }"""
    )
    page.locator("lattice-box input[type=file]").set_input_files(notes)
    entry = page.locator("lattice-entry").last
    expect(entry).to_contain_text("Sending … 40 %")
    expect(entry).to_contain_text("Remembered 1 thing", timeout=30_000)


def test_what_is_no_export_is_said_where_it_was_given(browser: Browser, product: Product, tmp_path: Path) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports a request that was refused
    sign_in(page, product)
    lease = tmp_path / "lease.txt"
    lease.write_text("The rent is 950 euros.")
    page.goto("/settings")
    page.get_by_label("An export").set_input_files(lease)
    expect(page.get_by_role("alert")).to_contain_text("lease.txt")
    page.context.close()


def test_the_settings_say_what_left_this_machine(page: Page, product: Product) -> None:
    page.goto("/settings")
    expect(page.locator("#model")).to_contain_text("Nothing was ever sent elsewhere.")
    ledger = EgressLog(product.root, SystemClock())
    asked = ModelRequest(purpose="answer", messages=(Message("user", METER),), max_tokens=9, redacted={"EMAIL": 2})
    ledger.leaving("models.example", "large", asked, 12)
    page.reload()
    page.locator("#model summary").click()
    expect(page.locator("#model li")).to_contain_text(f"answer, to models.example {len(METER)} characters, 2 email redacted")


def test_the_demo_is_taken_out_in_the_settings(page: Page, told: Told, http: httpx.Client) -> None:
    told(METER, source_id="demo")
    page.goto("/settings")
    page.locator("#demo").get_by_role("button", name="take it out").click()
    expect(page.locator("#demo")).to_contain_text("lattice demo load")
    assert http.get("/api/atoms").json()["total"] == 0


def test_light_and_dark_are_switched_in_the_settings(page: Page) -> None:
    page.goto("/settings")
    look = page.locator("#look")
    expect(look).to_contain_text("Light.")
    look.get_by_role("button", name="switch to dark").click()
    expect(look).to_contain_text("Dark.")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    look.get_by_role("button", name="switch to light").click()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_all_memories_are_exported_in_the_settings(page: Page, told: Told, tmp_path: Path) -> None:
    told(METER)
    page.goto("/settings")
    with page.expect_download() as given:
        page.get_by_role("button", name="export all as JSON").click()
    assert given.value.suggested_filename.endswith(".ndjson")
    given.value.save_as(tmp_path / "all.ndjson")
    lines = [json.loads(line) for line in (tmp_path / "all.ndjson").read_text(encoding="utf-8").splitlines()]
    assert METER in json.dumps(lines)


def test_files_are_taken_in_from_the_settings(page: Page, tmp_path: Path) -> None:
    (tmp_path / "home.txt").write_text(METER)
    page.goto("/settings")
    with page.expect_file_chooser() as asked:
        page.get_by_role("button", name="take in files").click()
    asked.value.set_files(tmp_path / "home.txt")
    expect(page.locator("lattice-entry").last).to_contain_text("Remembered 1 thing from home.txt")


def test_an_export_that_was_looked_into_can_be_left(page: Page, tmp_path: Path, http: httpx.Client) -> None:
    said = {"sender": "human", "text": METER, "created_at": "2026-01-02T10:00:00Z"}
    export = tmp_path / "conversations.json"
    export.write_text(json.dumps([{"uuid": "u1", "name": "Home", "chat_messages": [said]}]))
    page.goto("/settings")
    bring = page.locator("#bring")
    with page.expect_file_chooser() as asked:
        bring.get_by_role("button", name="look into an export").click()
    asked.value.set_files(export)
    bring.get_by_role("button", name="leave it").click()
    expect(bring.get_by_role("status")).to_have_count(0)
    assert http.get("/api/atoms").json()["total"] == 0


def test_what_is_archived_is_brought_back_in_the_settings(page: Page, told: Told, http: httpx.Client) -> None:
    atom_ids = told(METER)["atom_ids"]
    http.post("/api/archive", json={"atom_ids": atom_ids}).raise_for_status()
    page.goto("/settings")
    archive = page.locator("#archive")
    expect(archive).to_contain_text("1 memory set aside")
    expect(archive.get_by_role("link", name=METER)).to_be_visible()
    archive.get_by_role("button", name="bring back").click()
    expect(archive).to_contain_text("Nothing is archived.")
    expect(page.locator(".did")).to_contain_text("Brought back")
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(archive).to_contain_text("1 memory set aside")


def test_the_settings_lead_to_how_lattice_runs_and_back(page: Page) -> None:
    page.goto("/settings")
    page.locator("#health").get_by_role("link", name="how it runs").click()
    expect(page.get_by_role("heading", name="How it runs")).to_be_visible()
    page.go_back()
    heading(page, "Settings")


def test_what_lattice_knows_of_its_owner_is_said_to_them_and_edited_as_they_said_it(page: Page, told: Told) -> None:
    told("I live in Porto.")
    page.goto("/me")
    expect(page.locator(".rows .content")).to_have_text("You live in Porto.")
    page.get_by_role("button", name="Edit: I live in Porto.").click()
    expect(page.get_by_label("What should it say?")).to_have_value("I live in Porto.")


def test_what_was_so_then_is_not_struck_through(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-03-01T10:00:00Z")
    told("I moved from Berlin to Lisbon.", "2026-03-01T10:00:00Z")
    page.goto("/when?at=2025-06-30")
    was = page.locator("section", has_text="What was so").locator(".row", has_text="I live in Berlin.")
    expect(was).to_be_visible()
    expect(was).not_to_have_class(re.compile("replaced"))


def test_signing_out_leads_to_the_login_page_and_the_view_is_closed(browser: Browser, product: Product) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports requests of one who is signed out
    sign_in(page, product)
    page.goto("/settings")
    page.get_by_role("button", name="sign out").click()
    page.wait_for_url("**/login**")
    page.goto("/memories")
    page.wait_for_url("**/login?next=**memories**")
    page.context.close()


def test_two_memories_in_review_are_settled_by_one_click_with_undo(page: Page) -> None:
    """The rules ask about no pair that a test could rely on, so what the server says is written here."""
    atom = {"observed_at": "2026-05-14T10:00:00Z", "kind": "fact", "subject": "key"}
    pair = {
        "newer": {**atom, "atom_id": "n1", "content": "Tiago has the key."},
        "older": {**atom, "atom_id": "o1", "content": "Ines has the key."},
        "question": "Is this still so?",
        "since": "2026-05-14T10:00:00Z",
    }
    sent: list[dict[str, Any]] = []
    needs = {"in_review": 1, "disagreeing": 0, "dead": 0, "files": 0, "to_correct": 0, "count": 1}
    page.route("**/api/needs", lambda route: route.fulfill(json={**needs, "count": 0 if sent else 1}))

    def review(route: Any) -> None:
        if route.request.method == "POST":
            sent.append(json.loads(route.request.post_data))
            route.fulfill(json={"change_id": "c1"})
        else:
            route.fulfill(json={"review": [] if sent else [pair], "count": 0 if sent else 1})

    page.route(re.compile(r"/api/review(\?|$)"), review)
    page.goto("/")
    page.get_by_role("link", name="Needs you 1").click()
    expect(page.get_by_role("heading", name="Is this still so?")).to_be_visible()
    page.get_by_role("button", name="no, it was replaced").click()
    expect(page.locator(".did")).to_contain_text("Replaced")
    expect(page.locator("lattice-review")).to_contain_text("Nothing needs you")
    assert sent == [{"newer": "n1", "older": "o1", "outcome": "replaced", "channel": "page"}]
    expect(page.get_by_role("link", name="Needs you", exact=True)).to_be_visible()


def test_what_is_called_wrong_asks_in_one_line_what_is_right_and_is_listed_until_somebody_says(page: Page, told: Told) -> None:
    told(METER)
    page.goto("/memories")
    page.get_by_role("link", name=re.compile(METER)).click()
    panel = page.locator("lattice-panel")
    wrong, right = panel.get_by_role("button", name="wrong"), panel.get_by_label("What is right?")
    wrong.click()
    expect(right).to_be_focused()
    page.keyboard.press("Escape")  # nothing was said
    expect(right).to_have_count(0)
    expect(wrong).to_be_focused()
    expect(panel.locator(".statement")).to_have_text(METER)
    wrong.click()
    right.press("Enter")  # nobody knows yet
    expect(wrong).to_have_attribute("aria-pressed", "true")
    page.goto("/review")
    expect(page.get_by_role("heading", name="Called wrong")).to_be_visible()
    page.get_by_role("button", name="put it right").click()
    listed = page.locator("lattice-review").get_by_label("What is right?")
    expect(listed).to_be_focused()
    listed.fill("The gas meter is in the cellar.")
    listed.press("Enter")
    expect(page.locator("lattice-review")).to_contain_text("Nothing needs you")
    expect(page.locator(".did")).to_contain_text("Put right")
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(page.locator("lattice-review")).to_contain_text(METER)


def test_a_memory_is_called_wrong_and_that_is_taken_back_by_the_same_click_again(page: Page, told: Told) -> None:
    atom_id = told(METER)["atom_ids"][0]
    page.goto(f"/m/{atom_id}")
    wrong = page.locator("lattice-panel").get_by_role("button", name="wrong")
    wrong.click()
    page.locator("lattice-panel").get_by_label("What is right?").press("Enter")
    expect(page.get_by_role("link", name="Needs you 1")).to_be_visible()
    wrong.click()
    expect(wrong).to_have_attribute("aria-pressed", "false")
    expect(page.locator("lattice-panel").get_by_label("What is right?")).to_have_count(0)


def learned(http: httpx.Client) -> None:
    """A form that says otherwise than its owner, of which neither gives way."""
    http.post("/api/ingest", json={"text": "My name is Ada Miller. I live in Berlin.", "wait": True}).raise_for_status()
    form = {"file": ("form.html", b"<p>Ada Miller lives in Lisbon.</p>")}
    http.post("/api/ingest-file", files=form, data={"metadata": json.dumps({"wait": True})}).raise_for_status()


def test_of_two_that_disagree_one_is_kept_or_both_with_undo(page: Page, http: httpx.Client) -> None:
    learned(http)
    page.goto("/review")
    review = page.locator("lattice-review")
    expect(page.get_by_role("heading", name="Only one can be true")).to_be_visible()
    review.get_by_role("button", name="both hold").click()
    expect(page.locator(".did")).to_contain_text("Both hold")
    expect(review).to_contain_text("Nothing needs you")
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(review.get_by_role("button", name="both hold")).to_be_visible()
    review.get_by_role("listitem").get_by_role("button", name="keep this").first.click()
    expect(page.locator(".did")).to_contain_text("Kept")
    expect(review).to_contain_text("Nothing needs you")


def test_files_that_wait_are_told_beside_what_needs_somebody(page: Page) -> None:
    def status(route: Route) -> None:
        answered = route.fetch()
        route.fulfill(response=answered, json=answered.json() | {"inbox": {"waiting": 3}})

    page.route("**/api/status", status)
    page.goto("/review")
    expect(page.locator("lattice-review")).to_contain_text("3 files of the inbox")
    expect(page.locator("lattice-review")).to_contain_text("Nothing needs you")


def test_a_source_says_in_its_text_what_took_the_place_of_a_sentence(page: Page, told: Told) -> None:
    capture = told("I live in Berlin. I like tea.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    page.goto(f"/source/{capture['capture_id']}")
    expect(page.locator(".document .replaced mark")).to_have_text("I live in Berlin.")
    expect(page.locator(".document .became")).to_have_text("→ Lisbon · 14 May")
    expect(page.locator(".document")).to_have_text("I live in Berlin.→ Lisbon · 14 May I like tea.")


def test_the_settings_say_what_finds_by_meaning_and_how_to_choose_another(page: Page) -> None:
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Settings").click()
    heading(page, "Settings")
    finding = page.locator("#finding")
    expect(finding).to_contain_text("found by its words only")
    expect(finding).to_contain_text("LATTICE_EMBED_MODEL")
    expect(page.locator("#demo")).to_contain_text("lattice demo load")


def test_a_source_shows_its_whole_text_with_the_remembered_sentences_linked_both_ways(page: Page, http: httpx.Client) -> None:
    text = f"# House\n\nThe boiler was serviced by Brandt 🎉.\n\n{'Nothing of note here, dear diary. ' * 30}\n\n{METER}\n"
    sent = {"metadata": json.dumps({"wait": True, "title": "House book"})}
    http.post("/api/ingest-file", files={"file": ("house.md", text.encode())}, data=sent).raise_for_status()
    page.goto("/memories")
    page.get_by_role("link", name=re.compile("gas meter")).click()
    page.locator("lattice-panel").get_by_role("link", name="whole text").click()
    heading(page, "House book")
    mark = page.locator(".document mark", has_text="The gas meter")
    expect(mark).to_have_text(METER)
    expect(mark).to_be_in_viewport()
    mark.click()
    expect(page.locator("lattice-panel .statement")).to_contain_text("gas meter")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="forget all from this").click()
    expect(page.locator(".did")).to_contain_text(
        re.compile(r"[2-9] memories in the trash")
    )  # at once: what can be undone asks nothing
    expect(page.locator(".document mark")).to_have_count(0)
    page.locator(".did").get_by_role("button", name="undo").click()
    expect(page.locator(".document mark").first).to_be_visible()


def test_a_name_has_a_page_of_its_own_with_what_is_so_and_how_it_changed(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    page.goto("/about/Berlin")
    heading(page, "Berlin")
    expect(page.get_by_role("heading", name="So now")).to_be_visible()
    expect(page.locator(".turned")).to_contain_text("I live in Berlin.")
    expect(page.locator(".turned")).to_contain_text("I moved from Berlin to Lisbon.")
    page.get_by_role("link", name=re.compile("^Lisbon")).click()
    heading(page, "Lisbon")
    page.go_back()
    heading(page, "Berlin")
    page.get_by_label("search what is remembered about Berlin").fill("moved")
    page.get_by_role("search").get_by_role("button", name="search").click()
    expect(page.get_by_role("heading", name="1 memory says that")).to_be_visible()
    page.goto("/about/Nobody%20at%20all")
    expect(page.locator("main")).to_contain_text("Nothing is remembered about Nobody at all.")


def test_a_name_is_shown_before_it_is_known_who_that_is(page: Page, told: Told) -> None:
    told("My brother Ilya lives in Porto.")
    waits: list[Route] = []
    page.route("**/api/entities?*", lambda route: waits.append(route))
    page.goto("/about/Ilya")
    expect(page.locator(".rows .content")).to_have_text("My brother Ilya lives in Porto.")
    expect(page.locator("main")).not_to_contain_text("your brother")
    waits[0].continue_()
    expect(page.locator("main")).to_contain_text("your brother")


def test_who_is_asked_about_within_a_name_is_meant_and_nothing_from_elsewhere_answers(page: Page, told: Told) -> None:
    told("My sister Nora loves hiking. Nora's birthday is on 14 June.")
    told("Tiago has my spare key.")
    page.goto("/about/Nora")
    expect(page.locator("main")).to_contain_text("your sister")
    within = page.get_by_label("Ask or search what is remembered about Nora")
    within.fill("When is her birthday?")
    within.press("Enter")
    expect(page.locator(".within .answer")).to_contain_text("14 June")
    within.fill("Who has my spare key?")
    within.press("Enter")
    expect(page.locator(".within .answer")).to_have_text("I don’t know. Nothing you have told me about Nora answers this.")


def test_a_part_of_a_source_that_has_a_title_is_named_by_it_and_leads_to_it_alone(page: Page, told: Told) -> None:
    told("I got an offer from Atlas Charts.", source_id="diary", title="Planning the move")
    told("I started a new job at Atlas Charts.", "2026-05-15T10:00:00Z", source_id="diary")
    page.goto("/about/Atlas%20Charts")
    sources = page.locator("section", has=page.get_by_role("heading", name="Where it was said")).get_by_role("listitem")
    expect(sources).to_have_count(2)
    page.get_by_role("link", name="diary", exact=True).click()
    heading(page, "diary")
    expect(page.locator(".rows")).to_contain_text("Planning the move")
    expect(page.locator(".rows")).to_contain_text("I started a new job at Atlas Charts.")


def test_two_names_are_joined_and_parted_on_the_page_of_one(page: Page, told: Told) -> None:
    told("My brother is called Ilya. Ilyusha plays the cello. Ilya lives in Porto.")
    page.goto("/about/Ilya")
    heading(page, "Ilya")
    expect(page.locator("main")).to_contain_text("your brother")
    page.get_by_text("the same as another name?").click()
    page.get_by_label("Ilya is the same as").fill("Ilyusha")
    page.keyboard.press("Enter")
    expect(page.locator(".did")).to_contain_text("Ilya and Ilyusha are one")
    expect(page.locator("main")).to_contain_text("also called Ilyusha")
    expect(page.locator(".rows")).to_contain_text("cello")
    page.get_by_role("button", name="Ilyusha is somebody or something else").click()
    expect(page.locator(".did")).to_contain_text("Ilya and Ilyusha are two")
    expect(page.locator("main")).not_to_contain_text("also called")


def test_the_slider_shows_what_was_so_then_and_what_changed_since(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    page.goto("/when")
    expect(page.locator(".rows")).to_contain_text("Lisbon")
    expect(page.locator(".rows")).not_to_contain_text("I live in Berlin.")
    slider = page.get_by_role("slider", name="As of when")
    slider.focus()
    slider.press("Home")
    expect(page.locator(".rows").last).to_contain_text("I live in Berlin.")
    page.wait_for_url("**/when?at=2025-01-31")
    expect(page.locator(".turned")).to_contain_text("I moved from Berlin to Lisbon.")
    page.reload()
    expect(page.get_by_role("heading", name="As of 31 January 2025")).to_be_visible()
    expect(page.locator(".rows").last).to_contain_text(re.compile("I live in Berlin.*→.*Lisbon.*14 May"))


def test_two_days_are_compared_and_what_changed_later_is_left_out(page: Page, told: Told) -> None:
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Porto.", "2025-06-10T10:00:00Z")
    told("I moved from Porto to Lisbon.", "2026-05-14T10:00:00Z")
    page.goto("/when?at=2025-02-01")
    expect(page.get_by_role("heading", name="Changed since then")).to_be_visible()
    page.get_by_label("compared with").fill("2025-12-31")
    page.wait_for_url("**/when?at=2025-02-01&until=2025-12-31")
    expect(page.get_by_role("heading", name="Changed by 31 December 2025")).to_be_visible()
    expect(page.locator(".turned")).to_have_count(1)
    expect(page.locator(".turned")).to_contain_text("Porto")
    expect(page.locator(".since")).not_to_contain_text("Lisbon")


def test_the_timeline_holds_what_happened_and_what_lies_ahead_also_for_now(page: Page, told: Told) -> None:
    told("I moved from Berlin to Lisbon.")
    told("My sister visits me on 3 May 2040.")
    told("I like rye bread.")
    page.goto("/when")
    page.get_by_role("link", name="What happened").click()
    page.wait_for_url("**/when?show=happened")
    expect(page.get_by_role("heading", name="Ahead")).to_be_visible()
    expect(page.locator(".timeline").first).to_contain_text("3 May 2040")
    expect(page.locator(".timeline").last).to_contain_text("I moved from Berlin to Lisbon.")
    expect(page.locator("main")).not_to_contain_text("rye bread")
    page.go_back()
    expect(page.locator(".rows")).to_contain_text("rye bread")


def test_the_palette_goes_to_views_people_and_memories_by_keys_alone(page: Page, told: Told) -> None:
    told(f"{METER} {KEY}")
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Go to a view, a person, a memory")
    expect(field).to_be_focused()
    field.fill("sett")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Settings")
    page.keyboard.press("Enter")
    heading(page, "Settings")
    page.keyboard.press("Control+k")
    field.fill("green door")
    expect(page.get_by_role("option").filter(has_text="Memory").first).to_contain_text(METER)
    page.keyboard.press("Enter")
    expect(page.locator("lattice-panel .statement")).to_have_text(METER)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").filter(has_text="About").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()


def test_the_map_draws_no_more_than_is_asked_for(page: Page, told: Told) -> None:
    for at in range(4):
        told(
            "\n".join(
                f"Nora repaired the {thing} number {at}."
                for thing in ["boiler", "lamp", "gate", "clock", "fence", "chair", "table", "roof", "bell", "mill"]
            )
        )
    page.goto("/graph?about=Nora")
    expect(page.locator(".map a").first).to_be_visible()
    assert page.locator(".map a").count() <= 60
    page.get_by_role("button", name="draw more").click()
    expect(page.locator(".map a:not(.is-name)")).to_have_count(40)


def test_the_map_draws_names_and_memories_that_lead_on(page: Page, told: Told) -> None:
    told("I moved from Berlin to Lisbon.")
    page.goto("/graph?about=Berlin")
    heading(page, "Around Berlin")
    page.locator("svg.map a[aria-label='Lisbon']").click()
    heading(page, "Around Lisbon")
    page.locator("svg.map a[aria-label='I moved from Berlin to Lisbon.']").click()
    expect(page.locator("lattice-panel .statement")).to_have_text("I moved from Berlin to Lisbon.")


def test_a_memory_that_is_open_leads_to_the_map_around_it_and_back(page: Page, told: Told) -> None:
    atom_id = told("Nora moved from Berlin to Lisbon.")["atom_ids"][0]
    page.goto(f"/m/{atom_id}")
    page.locator("lattice-panel").get_by_role("link", name="map").click()
    heading(page, re.compile("Around"))
    expect(page.locator("svg.map a[aria-label='Nora moved from Berlin to Lisbon.']")).to_be_visible()
    page.go_back()
    expect(page.locator("lattice-panel .statement")).to_have_text("Nora moved from Berlin to Lisbon.")


def test_no_name_on_the_map_of_a_phone_stands_in_the_words_of_a_memory(browser: Browser, product: Product, told: Told) -> None:
    told("Nora got an offer from Bosch in Lisbon.")
    told("The contract of Nora with Bosch begins in Turin.")
    told("Nora met Helena at the harbour.")
    page, problems = open_page(browser, product)
    page.set_viewport_size(PHONE)
    sign_in(page, product)
    page.goto("/graph?about=Nora")
    expect(page.locator(".map .is-name").nth(2)).to_be_visible()
    expect(page.locator(".map .words").first).to_be_visible()
    words = [each.bounding_box() for each in page.locator(".map .words").all()]
    names = [each.bounding_box() for each in page.locator(".map .is-name:not(.is-middle) circle").all()]
    assert words
    assert names
    for name in names:
        across, down = name["x"] + name["width"] / 2, name["y"] + name["height"] / 2
        for line in words:
            assert not (line["x"] < across < line["x"] + line["width"] and line["y"] < down < line["y"] + line["height"])
    page.context.close()
    assert problems == []


def test_views_fit_a_phone_and_the_menu_leads_everywhere(browser: Browser, product: Product, told: Told) -> None:
    told(f"{METER} A word that is long: {'a' * 90}.")
    told("I live in Berlin.", "2025-01-10T10:00:00Z")
    told("I moved from Berlin to Lisbon.")
    page, problems = open_page(browser, product)
    page.set_viewport_size(PHONE)
    sign_in(page, product)
    for address in ("/memories", "/when?at=2025-06-30", "/me", "/review", "/settings", "/about/Berlin", "/graph?about=Berlin"):
        page.goto(address)
        expect(page.locator("main h2").first).to_be_visible()
        expect(page.locator("main .waiting")).to_have_count(0)
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), address
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("option", name=re.compile("Memories")).click()
    heading(page, "Memories")
    expect(box(page)).to_be_visible()
    page.context.close()
    assert problems == []


def test_markup_in_what_was_said_stays_text_in_every_view(page: Page, told: Told) -> None:
    payload = "<img src=x onerror=\"document.title='owned'\"> is what Eve wrote to Mallory."
    capture = told(payload)
    atom_id = capture["atom_ids"][0]
    for address in (
        "/memories",
        "/memories?q=Eve",
        f"/m/{atom_id}",
        f"/source/{capture['capture_id']}",
        "/about/%3Cimg%20src=x%20onerror=%22document.title='owned'%22%3E",
        "/when",
        "/graph?about=Eve",
    ):
        page.goto(address)
        expect(page.locator("main h2").first).to_be_visible()
        expect(page.locator("main .waiting")).to_have_count(0)
        assert "owned" not in page.title().split(" · ")[0] or "<img" in page.title(), address
        assert page.locator("main img, main script, lattice-panel img").count() == 0, address


def test_a_day_stays_one_word_on_a_phone(browser: Browser, product: Product, told: Told) -> None:
    told(METER, (datetime.now(UTC) - timedelta(days=1)).isoformat())
    page, problems = open_page(browser, product, viewport=PHONE, has_touch=True)
    sign_in(page, product)
    page.goto("/when")
    day = page.locator(".rows time")
    expect(day).to_have_text("yesterday")
    lines = (
        "(it) => { const words = document.createRange(); words.selectNodeContents(it); return words.getClientRects().length; }"
    )
    assert day.evaluate(lines) == 1
    page.context.close()
    assert problems == []


def test_a_search_in_memories_says_that_not_all_is_found_yet(page: Page) -> None:
    said = {"atoms": [], "answerable": False, "degraded": ["search: looking through what changed", "dense: away"]}
    page.route("**/api/select", lambda route: route.fulfill(json=said))
    page.goto("/memories?q=key")
    expect(page.get_by_text("Not all is found yet: looking through what changed.")).to_be_visible()
    expect(page.get_by_text("Not all is found yet")).to_have_count(1)
