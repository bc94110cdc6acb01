"""A whole document: its pages, its stretches where it is long, the sentences that something was remembered from, its original."""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
import pytest
from browsing import open_page, sign_in
from playwright.sync_api import Browser, Page, expect
from product import Product

from tests.data import documents

pytestmark = pytest.mark.browser

METER = "The gas meter is behind the green door."
STRETCH = 20_000
"""Characters that are shown at once."""
FILLER = "Nothing of note here, dear diary. "


def given(http: httpx.Client, name: str, content: bytes, **metadata: str) -> dict[str, Any]:
    sent = {"metadata": json.dumps({"wait": True, **metadata})}
    receipt: dict[str, Any] = http.post("/api/ingest-file", files={"file": (name, content)}, data=sent).raise_for_status().json()
    assert receipt["state"] == "stored"
    return receipt


def told(http: httpx.Client, text: str) -> tuple[str, str]:
    """The ids of the capture, and of what it says of the meter."""
    sent = {"text": text, "wait": True, "metadata": {"title": "Diary"}}
    receipt = http.post("/api/ingest", json=sent).raise_for_status().json()
    found = http.get("/api/atoms", params={"ids": receipt["atom_ids"], "limit": 200}).json()["atoms"]
    [meter] = [each["atom_id"] for each in found if each["content"] == METER]
    return receipt["capture_id"], meter


def page_of(number: int, lines: int) -> bytes:
    """A page of a list, with one sentence of its own."""
    kept = f"Locker {number} belongs to the tenant of flat {number}."
    other = [f"Row {line} of list {number} has nothing in it." for line in range(lines)]
    return documents.lines(*other[:2], "", kept, "", *other[2:])


def shown(page: Page) -> str:
    """The words of the document as they stand there, without the labels of its pages."""
    return str(
        page.locator(".document").evaluate(
            "(it) => { const copy = it.cloneNode(true); copy.querySelectorAll('.page-label').forEach((each) => each.remove());"
            " return copy.textContent; }"
        )
    )


def test_the_pages_of_a_document_are_labelled_and_jumped_to(page: Page, http: httpx.Client) -> None:
    receipt = given(http, "lockers.pdf", documents.pdf(*(page_of(number, 40) for number in (101, 102, 103))))
    page.goto(f"/source/{receipt['capture_id']}")
    labels = page.locator(".document .page-label")
    expect(labels).to_have_text(["page 1", "page 2", "page 3"])
    pages = page.get_by_label("Go to a page")
    expect(pages.locator("option")).to_have_text(["page 1", "page 2", "page 3"])
    expect(pages.locator("option:checked")).to_have_text("page 1")
    expect(labels.last).not_to_be_in_viewport()
    pages.select_option(label="page 3")
    expect(labels.last).to_be_in_viewport()
    assert page.url.endswith(receipt["capture_id"])  # it was there already: nothing was fetched for it


def test_a_page_of_a_later_stretch_is_fetched_when_it_is_chosen(page: Page, http: httpx.Client) -> None:
    pages = documents.pdf(*(page_of(number, 48) for number in range(101, 115)))
    receipt = given(http, "lockers.pdf", pages)
    page.goto(f"/source/{receipt['capture_id']}")
    expect(page.locator(".document")).to_contain_text("Locker 101")
    expect(page.locator(".document")).not_to_contain_text("Locker 114")
    page.get_by_label("Go to a page").select_option(label="page 14")
    expect(page.locator(".document")).to_contain_text("Locker 114")
    expect(page.locator(".document")).not_to_contain_text("Locker 101")
    expect(page.locator(".page-label", has_text="page 14")).to_be_in_viewport()
    expect(page.get_by_label("Go to a page").locator("option:checked")).to_have_text("page 14")
    page.go_back()
    expect(page.locator(".document")).to_contain_text("Locker 101")


def test_a_long_text_comes_in_stretches_of_which_nothing_is_lost_or_twice(page: Page, http: httpx.Client) -> None:
    text = f"🎉 {FILLER * 700}\n\n{METER}\n\n{FILLER * 600}The end."
    capture_id, meter = told(http, text)
    total = http.get(f"/api/captures/{capture_id}/text?limit=20000").json()["total"]
    assert total > 2 * STRETCH
    page.goto(f"/source/{capture_id}")
    expect(page.locator(".document")).to_contain_text("🎉")
    expect(page.get_by_role("link", name="what comes before")).to_have_count(0)
    parts = [shown(page)]
    assert len(parts[0]) == STRETCH
    for begins in (STRETCH, 2 * STRETCH):
        page.get_by_role("link", name="what comes after").click()
        page.wait_for_url(f"**?from={begins}")
        expect(page.get_by_role("link", name="what comes before")).to_have_attribute(
            "href", f"/source/{capture_id}?from={begins - STRETCH}"
        )
        expect(page.locator(".document")).to_contain_text("The end." if begins == 2 * STRETCH else METER)
        parts.append(shown(page))
    expect(page.get_by_role("link", name="what comes after")).to_have_count(0)
    assert len("".join(parts)) == total
    assert "".join(parts).count(METER) == 1
    assert "".join(parts).endswith("The end.")
    page.get_by_role("link", name="what comes before").click()
    expect(page.locator(f".document [data-atom='{meter}']")).to_have_text(METER)
    page.reload()
    expect(page.locator(f".document [data-atom='{meter}']")).to_have_text(METER)


def test_a_sentence_across_two_stretches_is_marked_in_both(page: Page, http: httpx.Client) -> None:
    before = FILLER * (STRETCH // len(FILLER))  # in one line, for a stretch ends with a line where it can
    assert len(before) < STRETCH < len(before) + len(METER)
    capture_id, meter = told(http, f"{before}{METER} {FILLER * 20}")
    page.goto(f"/source/{capture_id}")
    mark = page.locator(f".document [data-atom='{meter}'] mark")
    expect(mark).to_have_count(1)
    first = mark.inner_text()
    assert first
    page.get_by_role("link", name="what comes after").click()
    page.wait_for_url("**?from=20000")
    expect(mark).not_to_have_text(first)
    assert first + mark.inner_text() == METER


def test_a_memory_from_far_in_opens_its_source_at_its_sentence(page: Page, http: httpx.Client) -> None:
    capture_id, meter = told(http, f"The fuse box is in the hall.\n\n{FILLER * 1300}\n\n{METER}\n")
    page.goto(f"/m/{meter}")
    page.locator("lattice-panel").get_by_role("link", name="whole text").click()
    page.wait_for_url(f"**/source/{capture_id}?at={meter}")
    sentence = page.locator(f".document [data-atom='{meter}']")
    expect(sentence).to_have_text(METER)
    expect(sentence).to_be_in_viewport()
    expect(sentence).to_be_focused()
    expect(page.get_by_role("link", name="what comes before")).to_be_visible()


def test_the_marks_of_a_document_are_what_was_said_and_each_opens_its_memory(page: Page, http: httpx.Client) -> None:
    said = ["The fuse box is in the hall.", "🎉 Ingrid has my spare key.", METER]
    receipt = given(http, "house.md", "\n\n".join(["# House", *said]).encode())
    remembered = http.get(f"/api/captures/{receipt['capture_id']}/text").json()["remembered"]
    page.goto(f"/source/{receipt['capture_id']}")
    marks = page.locator(".document mark")
    expect(marks).to_have_count(len(remembered))
    for mark, memory in zip(marks.all(), remembered, strict=True):
        assert mark.inner_text().removeprefix("🎉 ") in memory["content"]
        mark.click()
        page.wait_for_url(f"**/m/{memory['atom_id']}")
        expect(page.locator("lattice-panel .statement")).to_have_text(memory["content"])
        page.keyboard.press("Escape")
        expect(page.locator("lattice-panel")).to_have_count(0)
        page.wait_for_url(f"**/source/{receipt['capture_id']}")  # the history follows


def test_the_original_opens_in_a_tab_of_its_own_and_is_not_downloaded(whole_page: Page, http: httpx.Client) -> None:
    text = given(http, "house.txt", METER.encode())
    pdf = given(http, "lease.pdf", documents.pdf(documents.lines("The rent of flat 12 is 900 euros a month.")))
    downloads: list[Any] = []

    def follow(opened: Page) -> None:
        opened.on("download", lambda download: downloads.append(download))

    whole_page.context.on("page", follow)
    follow(whole_page)
    whole_page.goto(f"/source/{text['capture_id']}")
    with whole_page.expect_popup() as opened:
        whole_page.get_by_role("button", name="open the original").click()
    expect(opened.value.locator("body")).to_have_text(METER)
    opened.value.close()
    whole_page.goto(f"/source/{pdf['capture_id']}")
    with whole_page.expect_popup() as opened:
        whole_page.get_by_role("button", name="open the original").click()
    opened.value.wait_for_url(re.compile("^blob:"), wait_until="commit")
    expect(whole_page.get_by_role("button", name="open the original")).to_be_enabled()
    assert downloads == []
    assert whole_page.url.endswith(f"/source/{pdf['capture_id']}")


def test_an_original_that_does_not_arrive_says_so_and_leaves_no_empty_tab(
    browser: Browser, product: Product, http: httpx.Client
) -> None:
    text = given(http, "house.txt", METER.encode())
    page, _ = open_page(browser, product)  # the browser itself reports the failed request
    sign_in(page, product)
    page.route("**/original?*", lambda route: route.abort())
    page.goto(f"/source/{text['capture_id']}")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="open the original").click()
    expect(page.get_by_role("alert")).to_contain_text("Lattice did not answer")
    expect(page.locator(".document")).to_contain_text(METER)
    assert opened.value.is_closed()
    page.context.close()


def test_a_conversation_of_several_parts_lists_them_and_all_of_it_can_be_forgotten(
    browser: Browser, product: Product, http: httpx.Client
) -> None:
    page, _ = open_page(browser, product)  # the browser itself reports that there is no such source any more
    sign_in(page, product)
    for text in (METER, "The fuse box is in the hall."):
        http.post("/api/ingest", json={"text": text, "wait": True, "metadata": {"source_id": "diary"}}).raise_for_status()
    page.goto("/source/diary")
    main = page.locator("main")
    expect(main).to_contain_text("2 memories in 2 parts")
    parts = page.locator(".rows .memory")
    expect(parts).to_have_count(2)
    parts.first.click()
    expect(page.locator(".document mark")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="list them").click()
    page.wait_for_url("**/memories?source=diary")
    expect(page.locator(".rows .row")).to_have_count(2)
    page.go_back()
    page.get_by_role("button", name="forget all from this").click()
    did = page.locator(".did")
    expect(did).to_contain_text("2 memories in the trash")
    expect(main).to_contain_text("Nothing of it is left.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert http.get("/api/atoms").json()["total"] == 0
    did.get_by_role("button", name="undo").click()
    expect(did).to_contain_text("Taken back")
    expect(main).to_contain_text("2 memories in 2 parts")
    page.context.close()
