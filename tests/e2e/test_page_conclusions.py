"""What the language model concluded, beside what was told: it says that it was, and what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import PHONE, open_page, sign_in
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Model, open_embedded
from lattice_common.domain.capture import Derive
from lattice_common.settings import Settings
from playwright.sync_api import Browser, Page, expect
from product import Product, start_product

pytestmark = pytest.mark.browser

TOLD = {"2026-03-02": "The cello came from my aunt.", "2026-04-06": "The cello needs a new bow."}
MADE = "The cello came from my aunt and needs a new bow."
IDEA = "My aunt may know who makes a bow for the cello."
PATIENCE = 30.0


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """One in which two statements are summed up, and seen together."""
    settings = Settings(_env_file=None, data_dir=tmp_path / "data", embed_model="none")
    with open_embedded(settings, model=Model(None)) as store:
        store.start()
        for day, words in TOLD.items():
            told = IngestRequest(text=words, metadata=CaptureMetadata(observed_at=f"{day}T09:00:00+00:00"))
            assert store.lattice.wait_for(store.lattice.accept(told).status.capture_id, PATIENCE).receipt
        sources = {atom.atom_id: atom.content_hash for atom in store.stores.catalogue.all()}
        for kind, words in (("synthesis", MADE), ("insight", IDEA)):
            store.lattice.change(Derive(kind, words, "cello", sources, "model:scripted"), timeout=PATIENCE)
    yield from start_product(tmp_path)


@pytest.fixture(params=["wide", "phone"])
def page(request: pytest.FixtureRequest, browser: Browser, product: Product) -> Iterator[Page]:
    page, problems = open_page(browser, product)
    if request.param == "phone":
        page.set_viewport_size(PHONE)
    sign_in(page, product)
    yield page
    page.context.close()
    assert problems == []


def test_a_conclusion_says_what_it_is_and_rests_on_and_can_be_taken_over_or_forgotten(page: Page) -> None:
    expect(page.locator("lattice-entry")).to_have_count(2)  # the day's conversation is back
    page.get_by_role("button", name="Lately remembered").click()
    expect(page.locator(".lately .memory")).to_have_count(2)  # what was told
    page.goto("/memories")
    expect(page.locator(".row", has_text=MADE).locator(".where")).to_contain_text("concluded")
    page.get_by_text(MADE).first.click()
    panel = page.locator("lattice-panel")
    expect(panel).to_contain_text("concluded by the language model")
    expect(panel).to_contain_text("Rests on")
    for words in TOLD.values():
        expect(panel.get_by_role("link", name=words)).to_be_visible()
    expect(panel.get_by_text("Said", exact=True)).to_have_count(0)
    expect(panel.locator("mark")).to_have_count(0)
    panel.get_by_role("button", name="edit").click()
    panel.get_by_label("What should it say?").fill("My aunt gave me the cello.")
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".statement")).to_have_text("My aunt gave me the cello.")
    expect(panel).not_to_contain_text("concluded by the language model")
    panel.get_by_role("button", name="forget").click()
    did = page.locator(".did")
    expect(did).to_contain_text("In the trash")
    did.get_by_role("button", name="undo").click()
    expect(did).to_contain_text("Taken back")


def test_an_idea_is_offered_with_what_it_is_drawn_from(page: Page) -> None:
    strip = page.locator(".strip")
    expect(strip).to_contain_text("an idea")
    expect(strip.get_by_role("link", name=IDEA)).to_be_visible()
    for words in TOLD.values():
        expect(strip.get_by_role("link", name=words)).to_be_visible()
