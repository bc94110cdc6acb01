"""What needs its owner: what could not be read, files that the inbox could not take, and what was set aside."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from browsing import KEY, tell
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.domain.segment import Candidate
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.rejection_log import RejectedCandidate
from playwright.sync_api import Page, expect
from product import Product, start_product

pytestmark = pytest.mark.browser

FROG = "The frog in the lab is called Curare."


class Choking(HashedEmbedder):
    """An embedding model with a defect that one text shows, until it is mended."""

    mended = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self.mended and any("Curare" in text for text in texts):
            raise RuntimeError("a defect of the model")
        return super().embed(texts)


@pytest.fixture
def embedder() -> Choking:
    return Choking()


@pytest.fixture
def product(tmp_path: Path, embedder: Choking) -> Iterator[Product]:
    """Its inbox takes a file as soon as it lies there."""
    yield from start_product(tmp_path, embedder=embedder, inbox_settle_seconds=0)


def needs(page: Page, many: int) -> None:
    expect(page.get_by_role("link", name=f"Needs you {many}" if many else "Needs you", exact=True)).to_be_visible()


def test_what_could_not_be_read_says_why_and_is_read_when_it_is_tried_again(
    page: Page, http: httpx.Client, embedder: Choking
) -> None:
    dead = http.post("/api/ingest", json={"text": FROG, "wait": True}).json()
    assert dead["state"] == "dead"
    page.goto("/review")
    review = page.locator("lattice-review")
    needs(page, 1)
    expect(page.locator(".going-on")).to_have_text("1 could not be read")
    expect(review.get_by_role("heading", name="Could not be read")).to_be_visible()
    line = review.get_by_role("listitem")
    expect(line.get_by_role("link", name="What was told today")).to_have_attribute("href", f"/source/{dead['capture_id']}")
    expect(line).to_contain_text(dead["reason"])
    expect(line).not_to_contain_text("No reason")
    embedder.mended = True
    line.get_by_role("button", name="try again").click()
    expect(review).to_contain_text("Nothing needs you")
    needs(page, 0)
    expect(page.locator(".going-on")).to_have_text("ready", timeout=30_000)
    page.goto("/memories")
    expect(page.locator(".rows .content")).to_have_text(FROG)


def test_what_cannot_be_read_still_is_listed_again(page: Page, http: httpx.Client) -> None:
    http.post("/api/ingest", json={"text": FROG, "wait": True})
    page.goto("/review")
    with page.expect_response("**/retry") as tried:
        page.get_by_role("button", name="try again").click()
    assert tried.value.ok
    tell(page, KEY)  # which is read after it, so that it was tried in vain by now
    page.get_by_role("navigation", name="Views").get_by_role("link", name="Needs you").click()
    expect(page.get_by_role("button", name="try again")).to_be_visible()
    needs(page, 1)


def test_files_that_the_inbox_could_not_take_are_told_as_soon_as_the_bar_says_so(page: Page, product: Product) -> None:
    page.goto("/review")
    review = page.locator("lattice-review")
    expect(review).to_contain_text("Nothing needs you")
    inbox = product.root / "inbox"
    (inbox / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (inbox / "elsewhere").symlink_to(product.root)
    expect(page.locator(".going-on")).to_contain_text("1 could not be read", timeout=30_000)
    needs(page, 2)
    expect(review.get_by_role("heading", name="Could not be read")).to_be_visible()
    expect(review.get_by_role("listitem")).to_have_count(2)
    expect(review).to_contain_text("1 of the inbox: could not be taken in")
    expect(review).to_contain_text("“lattice doctor” says which, and why.")
    expect(review).to_contain_text("1 of the inbox: no regular files")
    expect(review).not_to_contain_text("Nothing needs you")


def set_aside(product: Product, capture_id: str) -> None:
    """The rules set nothing aside that a test could rely on: as a language model that says more than was said would cause it."""
    said_more = Candidate("Ingrid has 3 keys.", KEY, "fact", "Ingrid", "s1")
    rejected = RejectedCandidate("r1", capture_id, datetime.now(UTC), said_more, "number-unlicensed", "3")
    product.embedded.stores.rejections.append([rejected])


def test_what_was_set_aside_says_why_and_is_kept_anyway_with_undo(page: Page, product: Product, http: httpx.Client) -> None:
    told = http.post("/api/ingest", json={"text": KEY, "wait": True}).json()
    set_aside(product, told["capture_id"])
    page.goto("/review")
    review = page.locator("lattice-review")
    expect(review.get_by_role("heading", name="Set aside")).to_be_visible()
    expect(review).to_contain_text("Nothing needs you")  # it may be left as it is
    line = review.get_by_role("listitem")
    expect(line).to_contain_text("Ingrid has 3 keys.")
    expect(line).to_contain_text("you did not say this number (3)")
    expect(line.get_by_role("link", name="where it was said")).to_have_attribute("href", f"/source/{told['capture_id']}")
    line.get_by_role("button", name="keep anyway").click()
    did = page.locator(".did")
    expect(did).to_contain_text("Kept, as your own words")
    expect(line).to_have_count(0)
    assert {each["content"] for each in http.get("/api/atoms").json()["atoms"]} == {KEY, "Ingrid has 3 keys."}
    did.get_by_role("button", name="undo").click()
    expect(did).to_contain_text("Taken back")
    expect(review.get_by_role("button", name="keep anyway")).to_be_visible()
    assert [each["content"] for each in http.get("/api/atoms").json()["atoms"]] == [KEY]
