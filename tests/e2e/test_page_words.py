"""What is said, in every view: in the direction of its own script, without words of the machine, and all of it on demand."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from browsing import say, tell
from page_life import addresses, told
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser

KEY = "מפתח הדירה אצל אינגריד."
"""The key to the flat is with Ingrid."""
NOW_KEY = "מפתח הדירה אצל תום."
BEFORE = "2026-03-02T10:00:00Z"


def answer(page: Page, path: str, body: dict[str, Any]) -> None:
    """Have the API give that."""

    def fulfil(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps(body))

    page.route(path, fulfil)


def test_what_was_said_stands_in_the_direction_of_its_own_script_in_every_view(page: Page, http: httpx.Client) -> None:
    old = http.get(f"/api/atoms/{told(http, KEY, BEFORE)['atom_ids'][0]}").json()
    new = http.get(f"/api/atoms/{told(http, NOW_KEY, '2026-05-14T10:00:00Z')['atom_ids'][0]}").json()
    lost = told(http, "הפח יוצא ביום שלישי.", BEFORE)["atom_ids"][0]
    http.delete(f"/api/atoms/{lost}").raise_for_status()
    http.post("/api/feedback", json={"atom_ids": [new["atom_id"]], "verdict": "wrong"}).raise_for_status()
    change = {"old": old, "new": new, "at": "2026-05-14T10:00:00Z"}
    since = {"learned": [], "learned_count": 0, "replaced": [change], "replaced_count": 1}
    answer(page, "**/api/difference?*", since)
    aside = {"content": KEY, "rejected_id": "r", "capture_id": old["capture_id"], "reason": "too-long", "detail": ""}
    answer(page, "**/api/rejected?*", {"rejected": [{**aside, "kept": False, "at": "2026-03-02T10:00:00Z"}]})
    answer(page, "**/api/review?*", {"review": [{"newer": new, "older": old}], "count": 1})
    with page.expect_response("**/api/today") as asked:
        page.goto("/")
    briefing = asked.value.json()
    changed = {"atom": new, "replaced": [{"atom_id": old["atom_id"], "content": KEY, "replaced_on": "2026-05-14"}]}
    answer(page, "**/api/today", {**briefing, "changed": [changed]})
    for address, places in (
        ("/", (".strip s", ".strip a >> text=תום")),
        ("/memories", (".rows .content",)),
        ("/review", (".todo .content >> nth=0", ".todo .content >> nth=1", ".todo p[dir=auto]")),
        ("/when?at=2026-04-30", (".turned .old", ".turned .new", ".rows .content")),
        ("/settings", (".gone li",)),
    ):
        page.goto(address)
        for place in places:
            expect(page.locator(place).first).to_have_css("direction", "rtl")
    page.get_by_role("button", name="restore").click()
    expect(page.locator(".did .because")).to_have_css("direction", "rtl")


def test_what_was_done_and_what_a_memory_leads_to_stand_in_the_direction_of_their_script(page: Page, http: httpx.Client) -> None:
    told(http, KEY, BEFORE)
    new = told(http, NOW_KEY, "2026-05-14T10:00:00Z")["atom_ids"][0]
    old = http.get("/api/atoms").json()["atoms"][-1]
    open_one = http.get(f"/api/atoms/{new}").json()
    answer(page, f"**/api/atoms/{new}", {**open_one, "history": [old]})
    page.goto(f"/m/{new}")
    link = page.locator("lattice-panel .history .source .content")
    expect(link).to_have_text(KEY)
    expect(link).to_have_css("direction", "rtl")
    page.goto("/")
    page.locator("lattice-entry .memory", has_text="תום").click()
    page.locator("lattice-panel").get_by_role("button", name="forget").click()
    because = page.locator("lattice-entry").last.locator(".because")
    expect(because).to_contain_text("תום")
    expect(because).to_have_css("direction", "rtl")


LEAKS = re.compile(
    r"\b(kind:|synthes[ie]\w*|insight|atoms?|ingest\w*|embedd?ing\w*|asserted|supersed\w*|extractor|quarantin\w*|tantivy|qdrant|"
    r"lexical|dense|numpy|null|undefined|NaN|\[object)\b",
    re.IGNORECASE,
)


def test_no_view_says_words_of_the_machine(page: Page, http: httpx.Client) -> None:
    told(http, "I live in Berlin.", "2025-01-10T10:00:00Z")
    moved = told(http, "I moved from Berlin to Lisbon.", "2026-05-14T10:00:00Z")
    told(http, "My sister Nora visited me on 3 June 2026. I prefer tea. I plan to learn to sail. Tom may move to Rome.")
    http.post("/api/feedback", json={"atom_ids": moved["atom_ids"], "verdict": "wrong"}).raise_for_status()
    tell(page, "The spare key is with Ines.")
    say(page, "Where do I live?")
    expect(page.locator(".tools").first).to_be_visible()
    filters = ("kind=event&status=asserted", "kind=insight", "kind=synthesis&status=rejected")
    for address in (*addresses(moved, "Nora"), *(f"/memories?{each}" for each in filters)):
        page.goto(address)
        expect(page.locator("main h2, .strip").first).to_be_visible()
        expect(page.locator("main .waiting")).to_have_count(0)
        said = page.locator("main, lattice-panel, .bar").all_inner_texts()  # but for the folded details of a memory
        assert [found[0] for text in said for found in LEAKS.finditer(text)] == [], address
    page.goto("/memories?kind=event&status=asserted")
    expect(page.get_by_role("button", name="Remove: something that happened")).to_be_visible()
    expect(page.get_by_role("button", name="Remove: meant as said as so")).to_be_visible()
    options = page.locator("#filters option").all_inner_texts()
    assert [found[0] for text in options for found in LEAKS.finditer(text)] == []


def test_the_rest_of_a_deletion_can_be_read_in_the_trash(page: Page, http: httpx.Client) -> None:
    words = [f"The box {number} in the cellar holds lamp number {number}." for number in range(1, 31)]
    told(http, " ".join(words), source_id="cellar")
    http.delete("/api/sources/cellar").raise_for_status()
    page.goto("/settings")
    listed = page.locator(".gone li")
    expect(listed.first).to_be_visible()
    assert listed.count() < len(words)
    page.locator("#trash").get_by_role("button", name=re.compile(r"and \d+ more")).click()
    expect(listed).to_have_count(len(words))
    assert sorted(listed.all_inner_texts()) == sorted(words)
    expect(page.locator("#trash").get_by_role("button", name=re.compile(r"and \d+ more"))).to_have_count(0)


def test_all_that_needs_its_owner_is_shown_on_demand(page: Page, http: httpx.Client) -> None:
    newer = http.get(f"/api/atoms/{told(http, 'I moved from Berlin to Lisbon.')['atom_ids'][0]}").json()
    pairs = [{"newer": newer, "older": {**newer, "content": f"Older statement {number}."}} for number in range(1130)]

    def review(route: Route) -> None:
        asked = {name: int(value) for name, (value,) in parse_qs(urlsplit(route.request.url).query).items()}
        start = asked.get("start", 0)
        found = {"review": pairs[start : start + asked["limit"]], "count": len(pairs)}
        route.fulfill(content_type="application/json", body=json.dumps(found))

    page.route("**/api/review?*", review)
    page.goto("/review")
    listed = page.locator(".todo")
    for shown in (100, 200, 400, 800):
        expect(listed).to_have_count(shown)
        page.get_by_role("button", name=f"show more, of {len(pairs) - shown:,} others").click()
    expect(listed).to_have_count(len(pairs))
    expect(listed.last).to_contain_text("Older statement 1129.")
    expect(page.get_by_role("button", name=re.compile("more"))).to_have_count(0)


def test_all_that_was_deleted_and_archived_is_listed_on_demand(page: Page, http: httpx.Client) -> None:
    words = [f"The box {number} in the cellar holds lamp number {number}." for number in range(1, 53)]
    kept = told(http, " ".join(words))["atom_ids"]
    for lost in kept[:26]:
        http.delete(f"/api/atoms/{lost}").raise_for_status()
    http.post("/api/archive", json={"atom_ids": kept[26:]}).raise_for_status()
    page.goto("/settings")
    for part, row in (("#trash", ".deletion"), ("#archive", "li")):
        listed, more = page.locator(f"{part} {row}"), page.locator(part).get_by_role("button", name="show more")
        expect(listed.first).to_be_visible()
        if more.count():
            expect(listed).to_have_count(20)
            more.click()
        expect(listed).to_have_count(26)
        expect(more).to_have_count(0)


def test_more_changes_than_a_view_lists_are_led_on_to(page: Page, http: httpx.Client) -> None:
    told(http, "I live in Berlin.", "2025-01-10T10:00:00Z")
    news = [f"The box {number} in the cellar holds lamp number {number}." for number in range(1, 63)]
    told(http, " ".join(news), "2026-05-14T10:00:00Z")
    page.goto("/when?at=2026-05-01")
    page.locator("summary", has_text="New since then").click()
    page.get_by_role("link", name="all of them").click()
    expect(page.locator(".view-head")).to_contain_text("62 of them")
    expect(page.get_by_role("button", name="Remove: since 2026-05-02")).to_be_visible()
