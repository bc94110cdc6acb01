"""A memory with something in each view, and the views' addresses in it."""

from __future__ import annotations

from typing import Any

import httpx
from playwright.sync_api import Page, ViewportSize, expect
from product import Product

TABLET = ViewportSize(width=820, height=1180)


def told(http: httpx.Client, text: str, at: str = "2026-05-14T10:00:00Z", **metadata: str) -> dict[str, Any]:
    """Tell something beside the page, and return its receipt."""
    sent = {"text": text, "wait": True, "metadata": {"observed_at": at, **metadata}}
    receipt: dict[str, Any] = http.post("/api/ingest", json=sent).raise_for_status().json()
    return receipt


def some_life(product: Product) -> dict[str, Any]:
    """Something in each view; the receipt of what was told last."""
    capture: dict[str, Any] = {}
    with httpx.Client(base_url=product.url, headers={"authorization": f"Bearer {product.token}"}, timeout=30) as http:
        lost = http.post("/api/ingest", json={"text": "The bins go out on Tuesday.", "wait": True}).json()["atom_ids"][0]
        http.delete(f"/api/atoms/{lost}").raise_for_status()
        for text, at in (
            ("I live in Berlin.", "2025-01-10T10:00:00Z"),
            ("I moved from Berlin to Lisbon.", "2026-05-14T10:00:00Z"),
        ):
            capture = http.post("/api/ingest", json={"text": text, "wait": True, "metadata": {"observed_at": at}}).json()
        http.post("/api/feedback", json={"atom_ids": capture["atom_ids"], "verdict": "wrong"}).raise_for_status()
    return capture


def addresses(capture: dict[str, Any], name: str = "Berlin") -> tuple[str, ...]:
    """Every view of it; `name` is somebody or something that is spoken of."""
    return (
        "/",
        "/memories?standing=replaced",
        f"/memories?q={name}",
        f"/m/{capture['atom_ids'][0]}",
        f"/source/{capture['capture_id']}",
        f"/about/{name}",
        "/when?at=2025-06-30",
        "/when?show=happened",
        "/me",
        "/review",
        "/settings",
        f"/graph?about={name}",
    )


EMPTY = (
    "/",
    "/memories",
    "/memories?q=Berlin",
    "/about/Berlin",
    "/when",
    "/when?show=happened",
    "/me",
    "/review",
    "/settings",
    "/graph",
)
"""Every view of a memory in which nothing is."""


def go_to(page: Page, address: str) -> None:
    """And wait until all of it is there."""
    page.goto(address)
    expect(page.locator("main h2, .lately, .welcome").first).to_be_visible()
    expect(page.locator("main .waiting, lattice-panel .waiting")).to_have_count(0)
