"""Today: the conversation over reloads and tabs, what can be done with an answer, the opening strip."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from browsing import KEY, box, say, tell
from page_life import told
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

ENTRIES = "lattice-entry"

SOME_FRAMES = "async () => { for (let frame = 0; frame < 10; frame++) await new Promise(requestAnimationFrame); }"
"""In which what was answered is drawn."""


def asked(page: Page) -> None:
    tell(page, KEY)
    say(page, "Who has my spare key?")
    expect(page.locator(ENTRIES).last.locator(".answered")).to_contain_text("Ingrid")


def test_the_days_conversation_is_there_after_a_reload_with_its_citations_and_undo(page: Page) -> None:
    asked(page)
    page.reload()
    expect(page.locator(ENTRIES)).to_have_count(2)
    answer = page.locator(ENTRIES).last
    expect(answer.locator(".said")).to_contain_text("Who has my spare key?")
    answer.locator(".cite").click()
    expect(page.locator("lattice-panel mark")).to_contain_text("Ingrid")
    page.keyboard.press("Escape")
    page.locator(ENTRIES).first.get_by_role("button", name="undo").click()
    expect(page.locator(ENTRIES).first).to_contain_text("Taken back")


def test_after_a_reload_one_is_where_one_was_and_in_a_new_tab_at_the_end(page: Page, http: httpx.Client) -> None:
    for number in range(1, 16):
        told(http, f"The box {number} in the cellar holds lamp number {number}.", datetime.now(UTC).isoformat(), channel="page")
    other = page.context.new_page()
    other.goto("/")
    expect(other.locator(ENTRIES)).to_have_count(15)
    expect(other.locator(ENTRIES).last).to_be_in_viewport()
    eighth = other.locator(ENTRIES).nth(7)
    other.evaluate("scrollTo(0, document.querySelectorAll('lattice-entry')[7].offsetTop - 300)")
    other.wait_for_function("() => history.state?.top === scrollY && scrollY > 0")
    where = eighth.bounding_box()
    other.reload()
    expect(other.locator(ENTRIES)).to_have_count(15)
    expect(eighth).to_be_in_viewport()
    assert where is not None
    top = "(y) => document.querySelectorAll('lattice-entry')[7].getBoundingClientRect().y === y"
    other.wait_for_function(top, arg=where["y"])  # once what stands above it is there


def test_another_tab_follows_what_is_said_and_remembered(page: Page) -> None:
    other = page.context.new_page()
    other.goto("/")
    expect(box(other)).to_be_focused()
    asked(page)
    other.bring_to_front()
    expect(other.locator(ENTRIES)).to_have_count(2)
    expect(other.locator(ENTRIES).last.locator(".answer")).to_contain_text("Ingrid")
    expect(page.locator(ENTRIES)).to_have_count(2)
    other.goto("/memories")
    expect(other.locator(".rows .memory")).to_have_count(1)
    tell(page, "The bins go out on Tuesday.")
    expect(other.locator(".rows .memory")).to_have_count(2)


def test_a_memory_that_is_being_edited_stays_as_it_is_while_others_change(page: Page) -> None:
    tell(page, KEY)
    page.locator(f"{ENTRIES} .memory").click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="edit").click()
    other = page.context.new_page()
    other.goto("/")
    with page.expect_response("**/api/atoms?limit=200&ids=*"):  # what is shown of memories is looked at again
        tell(other, "The bins go out on Tuesday.")
        page.bring_to_front()
    page.evaluate(SOME_FRAMES)
    expect(panel.get_by_label("What should it say?")).to_have_value(KEY)


def test_an_editor_that_is_opened_while_a_change_is_looked_at_stays_open(page: Page, http: httpx.Client) -> None:
    tell(page, KEY)
    page.locator(f"{ENTRIES} .memory").click()
    panel = page.locator("lattice-panel")
    expect(panel.locator(".statement")).to_have_text(KEY)
    looking: list[Route] = []
    page.route("**/api/atoms?ids=*", lambda route: looking.append(route))
    with page.expect_request("**/api/atoms?ids=*"):
        told(http, "The bins go out on Tuesday.")
    panel.get_by_role("button", name="edit").click()
    with page.expect_response("**/api/atoms?ids=*"):
        looking[0].continue_()
    page.evaluate(SOME_FRAMES)
    expect(panel.get_by_label("What should it say?")).to_have_value(KEY)


def test_an_answer_can_be_judged_copied_and_asked_again(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    asked(page)
    answer = page.locator(ENTRIES).last
    with page.expect_request("**/api/feedback") as sent:
        answer.get_by_role("button", name="Good answer").click()
    assert (sent.value.post_data_json or {})["verdict"] == "up"
    expect(answer.get_by_role("button", name="Good answer")).to_have_attribute("aria-pressed", "true")
    answer.get_by_role("button", name="copy").click()
    expect(answer.get_by_role("button", name="copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert "Ingrid" in copied
    assert "[1]" not in copied
    answer.get_by_role("button", name="ask again").click()
    expect(page.locator(ENTRIES)).to_have_count(3)
    expect(page.locator(ENTRIES).last.locator(".answered")).to_contain_text("Ingrid")


def test_a_thumb_is_taken_back_by_the_same_click_again(page: Page) -> None:
    asked(page)
    answer = page.locator(ENTRIES).last
    thumb = answer.get_by_role("button", name="Bad answer")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/api/undo/*") as undone:
        thumb.click()
    assert undone.value.ok
    expect(thumb).to_have_attribute("aria-pressed", "false")
    answer.locator(".cite").click()
    panel = page.locator("lattice-panel")
    useful = panel.get_by_role("button", name="This is right")
    useful.click()
    expect(useful).to_have_attribute("aria-pressed", "true")
    useful.click()
    expect(useful).to_have_attribute("aria-pressed", "false")


def test_a_thumb_is_still_pressed_after_a_reload_and_is_taken_back_there(page: Page) -> None:
    asked(page)
    thumb = page.locator(ENTRIES).last.get_by_role("button", name="Good answer")
    thumb.click()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    page.reload()
    expect(thumb).to_have_attribute("aria-pressed", "true")
    with page.expect_response("**/api/undo/*") as undone:
        thumb.click()
    assert undone.value.ok
    expect(thumb).to_have_attribute("aria-pressed", "false")
    page.reload()
    expect(thumb).to_have_attribute("aria-pressed", "false")


def turns(*said: tuple[datetime, str, str]) -> str:
    """What `GET /api/chat/recent` answers, newest first."""
    shown = [{"ts": at.isoformat(), "question": question, "answer": answer, "atom_ids": []} for at, question, answer in said]
    return json.dumps({"turns": [{**turn, "session_id": "elsewhere", "channel": "page"} for turn in shown]})


def test_whoever_scrolls_up_to_the_top_goes_on_into_earlier_days(page: Page) -> None:
    now = datetime.now(UTC)
    today = [(now - timedelta(seconds=at), f"Question {at}?", "I don't know.") for at in range(20)]
    earlier = [(now - timedelta(days=2, minutes=at), f"Older question {at}?", "I don't know.") for at in range(10)]

    def recent(route: Route) -> None:
        limit = int(route.request.url.rpartition("=")[2])
        route.fulfill(content_type="application/json", body=turns(*[*today, *earlier][:limit]))

    page.route("**/api/chat/recent?*", recent)
    page.reload()
    expect(page.locator(ENTRIES)).to_have_count(20)
    page.mouse.move(500, 300)
    page.mouse.wheel(0, -20_000)
    expect(page.locator(ENTRIES)).to_have_count(30)
    expect(page.locator(ENTRIES).first).to_contain_text("Older question 9?")
    expect(page.get_by_role("button", name="earlier")).to_have_count(0)
    assert page.evaluate("scrollY") > 0  # what was in sight stays there


def test_a_table_that_a_model_wrote_is_one_after_a_reload_too(page: Page) -> None:
    said = turns((datetime.now(UTC), "What do I pay?", "**All of it:**\n\n| what | euros |\n|---|---|\n| rent | 850 |"))
    page.route("**/api/chat/recent?*", lambda route: route.fulfill(content_type="application/json", body=said))
    page.reload()
    answer = page.locator(ENTRIES).last.locator(".answer")
    expect(answer.locator("b")).to_have_text("All of it:")
    expect(answer.locator("td")).to_have_text(["rent", "850"])


def test_a_wrong_answer_asks_in_one_line_what_is_right_and_remembers_it(page: Page) -> None:
    asked(page)
    answer = page.locator(ENTRIES).last
    answer.get_by_role("button", name="wrong").click()
    right = answer.get_by_label("What is right?")
    expect(right).to_be_focused()
    right.fill("Tom in flat 3 has my spare key.")
    right.press("Enter")
    expect(page.locator(ENTRIES).last).to_contain_text("Tom in flat 3 has my spare key.")
    expect(page.locator(ENTRIES).last).to_contain_text("Remembered")


def test_not_knowing_is_called_wrong_by_saying_what_is_right(page: Page) -> None:
    say(page, "Who has my spare key?")
    answer = page.locator(ENTRIES).last
    expect(answer).to_contain_text("I don’t know")
    answer.get_by_role("button", name="wrong").click()
    answer.get_by_label("What is right?").fill(KEY)
    answer.get_by_label("What is right?").press("Enter")
    told = page.locator(ENTRIES).last
    expect(told).to_contain_text("Remembered 1 thing")
    expect(told).to_contain_text(KEY)


def test_an_answer_is_called_wrong_without_knowing_better_and_that_is_taken_back(page: Page) -> None:
    asked(page)
    answer = page.locator(ENTRIES).last
    wrong = answer.get_by_role("button", name="wrong")
    wrong.click()
    answer.get_by_label("What is right?").press("Escape")
    expect(wrong).to_be_focused()
    wrong.click()
    answer.get_by_label("What is right?").press("Enter")
    expect(wrong).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("link", name="Needs you 1")).to_be_visible()
    wrong.click()
    expect(wrong).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_role("link", name="Needs you", exact=True)).to_be_visible()


def test_a_wrong_memory_is_put_right_in_one_line_and_shows_what_it_said_before(page: Page) -> None:
    tell(page, KEY)
    page.locator(f"{ENTRIES} .memory").click()
    panel = page.locator("lattice-panel")
    panel.get_by_role("button", name="wrong").click()
    panel.get_by_label("What is right?").fill("Tom in flat 3 has my spare key.")
    panel.get_by_label("What is right?").press("Enter")
    expect(panel.locator(".statement")).to_have_text("Tom in flat 3 has my spare key.")
    expect(panel.locator(".change s")).to_have_text(KEY)
    changed = page.locator(ENTRIES).last
    expect(changed).to_contain_text("Put right")
    changed.get_by_role("button", name="undo").click()
    expect(panel.locator(".statement")).to_have_text(KEY)


def test_an_answer_that_is_being_written_can_be_stopped(page: Page) -> None:
    held: list[Route] = []
    page.route("**/api/query", lambda route: held.append(route))
    box(page).fill("Who has my spare key?")
    expect(page.get_by_role("button", name="Will ask")).to_be_visible()
    box(page).press("Enter")
    page.get_by_role("button", name="stop").click()
    entry = page.locator(ENTRIES).last
    expect(entry).to_contain_text("stopped")
    expect(entry.get_by_role("alert")).to_have_count(0)
    expect(entry.get_by_role("button", name="ask again")).to_be_visible()


def test_a_new_subject_ends_a_follow_up(page: Page) -> None:
    tell(page, "Ingrid works at the bakery.")
    asked(page)
    with page.expect_response("**/api/capture-log") as noted:
        page.get_by_role("button", name="new subject").click()
    assert noted.value.ok
    say(page, "Where does she work?")
    followed = page.locator(ENTRIES).last
    expect(followed.get_by_role("button", name="ask again")).to_be_visible()
    expect(followed).not_to_contain_text("asked as")


def test_the_strip_says_what_is_due_and_what_changed(page: Page) -> None:
    soon = datetime.now(UTC) + timedelta(days=1)
    tell(page, f"I have a dentist appointment on {soon.day} {soon:%B %Y}.")
    tell(page, "My rent is 890 euros a month.")
    tell(page, "My rent is 950 euros a month now.")
    strip = page.get_by_role("region", name="Today")
    expect(strip).to_contain_text("dentist")
    changed = strip.get_by_role("listitem").filter(has_text="950 euros")
    expect(changed).to_contain_text("today")
    expect(changed.locator("s")).to_contain_text("890 euros")
    strip.get_by_role("link", name="dentist").click()
    expect(page.locator("lattice-panel .statement")).to_contain_text("dentist")


def test_the_strip_says_what_was_asked_in_vain_and_is_known_now(page: Page) -> None:
    say(page, "Who has my spare key?")
    expect(page.locator(ENTRIES).last).to_contain_text("I don’t know")
    tell(page, KEY)
    page.reload()
    line = page.get_by_role("region", name="Today").get_by_role("listitem").filter(has_text="you asked")
    expect(line).to_contain_text("Who has my spare key?")
    line.get_by_role("link").click()
    expect(page.locator("lattice-panel .statement")).to_contain_text("Ingrid")


def test_what_was_said_and_had_not_arrived_when_the_page_was_loaded_again_waits_in_the_box(page: Page) -> None:
    held: list[Route] = []
    page.route(
        "**/api/query", lambda route: route.continue_() if held else held.append(route)
    )  # the first is on its way for ever
    say(page, "Where is the gas meter?")
    expect(box(page)).to_have_value("")
    expect(page.locator("lattice-entry")).to_contain_text("Looking")
    page.reload()
    expect(box(page)).to_have_value("Where is the gas meter?")
    box(page).press("Enter")
    expect(page.locator(".tools")).to_be_visible()
    page.reload()
    expect(page.locator(".tools")).to_be_visible()
    expect(box(page)).to_have_value("")
