"""Pictures of the page as people see it: every view, light and dark, on a desk, a tablet and a phone, of the demo and of a large
store. All of them go to build/screens, and a dozen of them to docs/images. Needs Debian's chromium. The font is the
system's: those in docs/images were taken with Debian's fonts-inter as `system-ui`.

    python -m infra.screens                     the demo, and a store of some 20,000 memories
    python -m infra.screens --large 6000        and one of some 100,000, which takes ten minutes more
    python -m infra.screens --large 0           the demo alone
    python -m infra.screens --documents         the dozen for docs/images alone
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import tempfile
import time
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from lattice_cli.imports import load_demo
from lattice_common.client import LatticeClient
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.product import served
from bench.synthetic import Life

ROOT = Path(__file__).resolve().parent.parent
ALL = ROOT / "build" / "screens"
SHOWN = ROOT / "docs" / "images"
TOKEN = secrets.token_urlsafe(24)
PATIENCE = 120_000.0
"""Milliseconds for one picture: a view that does not come is an error."""

QUIET = ["--no-sandbox", "--disable-background-networking"]

WIDTHS = {"desk": (1280, 860), "tablet": (834, 1112), "phone": (390, 844)}
IN_DOCUMENTS = frozenset(
    {
        "demo-today-light-desk",
        "demo-today-dark-phone",
        "demo-memory-light-desk",
        "demo-memories-light-desk",
        "demo-memories-dark-phone",
        "demo-about-light-desk",
        "demo-when-dark-desk",
        "demo-source-light-desk",
        "demo-me-light-tablet",
        "demo-review-light-desk",
        "demo-graph-dark-desk",
        "demo-settings-light-phone",
    }
)
TOLD = ("I have a dentist appointment on {soon:%-d %B %Y}.", "The spare key is with Ines now.")
ASKED = ("Where do I live now?", "How much is my rent?", "Who has my spare key?")
"""In the demo, before Today is pictured."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", type=int, default=1_200, help="captures of the large store, of 17 memories each; 0: none")
    parser.add_argument("--documents", action="store_true", help="only what docs/images shows")
    given = parser.parse_args()
    large, wanted = (0, IN_DOCUMENTS) if given.documents else (given.large, None)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    shutil.rmtree(ALL, ignore_errors=True)
    ALL.mkdir(parents=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        _pictures("demo", browser, 0, wanted)
        if large:
            _pictures("large", browser, large, wanted)
        browser.close()
    for name in IN_DOCUMENTS:
        shutil.copyfile(ALL / f"{name}.png", SHOWN / f"{name}.png")


def _pictures(store: str, browser: Browser, captures: int, wanted: Collection[str] | None) -> None:
    """Every view of a store in both themes and three widths; of them only those that are `wanted`, where that is given."""
    settings = {"LATTICE_EMBED_MODEL": "none"} if captures else {}  # no picture shows by what a large store is searched
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder), TOKEN, **settings) as url,
        LatticeClient(url, TOKEN) as client,
    ):
        if captures:
            for number, request in enumerate(islice(Life().captures(), captures)):
                client.ingest(request.model_dump(mode="json", exclude_none=True), idempotency_key=f"screens-{number}")
        else:
            load_demo(client)
        while client.status()["captures"].get("waiting"):
            time.sleep(0.5)
        for theme in ("light", "dark"):
            for width, (across, down) in WIDTHS.items():
                context = browser.new_context(
                    base_url=url,
                    viewport={"width": across, "height": down},
                    color_scheme=theme,
                    has_touch=width == "phone",
                    locale="en-GB",
                    service_workers="block",
                )
                context.set_default_timeout(PATIENCE)
                page = context.new_page()
                _sign_in(page)
                if not captures and (theme, width) == ("light", "desk"):
                    _talk(page)
                name = f"{store}-{{}}-{theme}-{width}"
                for view, address in _addresses(page).items():
                    if wanted is None or name.format(view) in wanted:
                        _picture(page, address, ALL / f"{name.format(view)}.png")
                context.close()


def _sign_in(page: Page) -> None:
    page.goto("/login")
    page.get_by_label("Token").fill(TOKEN)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Tell or ask").wait_for()


def _talk(page: Page) -> None:
    """Tell and ask what Today is pictured with."""
    soon = datetime.now(UTC) + timedelta(days=2)
    for number, told in enumerate(TOLD):
        page.get_by_label("Tell or ask").fill(told.format(soon=soon))
        page.get_by_label("Tell or ask").press("Enter")
        expect(page.locator("lattice-entry").nth(number)).to_contain_text("Remembered", timeout=PATIENCE)
    for number, question in enumerate(ASKED):
        page.get_by_label("Tell or ask").fill(question)
        page.get_by_label("Tell or ask").press("Enter")
        page.locator(".tools").nth(number).wait_for()


def _addresses(page: Page) -> dict[str, str]:
    """Each view by what the store holds: a memory that replaced another one, where the demo was talked to, and a source."""
    found = {"today": "/", "memories": "/memories", "me": "/me", "when": "/when?at=2026-09-30"}
    found |= {"review": "/review", "settings": "/settings"}
    page.goto("/memories")
    page.locator(".rows .memory").nth(3).wait_for()
    newest, other = (page.locator(".rows .memory").nth(number).get_attribute("data-atom") for number in (0, 3))
    [about] = page.evaluate(FIRST_NAME) or [None]
    if about:
        found |= {"about": f"/about/{about}", "graph": f"/graph?about={about}"}
    page.goto(f"/m/{other}")
    source = page.get_by_role("link", name="whole text").get_attribute("href")
    if about:  # one with several memories, where there is one
        page.goto(found["about"])
        page.locator("main section").first.wait_for()
        said = page.locator(".plain-list a[href^='/source/']")
        source = said.first.get_attribute("href") if said.count() else source
    return found | {"memory": f"/m/{newest}", "source": str(source)}


def _picture(page: Page, address: str, file: Path) -> None:
    page.goto(address)
    page.locator("main h2, .strip, .lately").first.wait_for()
    expect(page.locator("main .waiting")).to_have_count(0, timeout=PATIENCE)
    page.wait_for_timeout(200)
    if address == "/":
        page.evaluate("scrollTo(0, 0)")  # what is due and what changed stands above the conversation
    page.screenshot(path=str(file), animations="disabled")


FIRST_NAME = """() => fetch("/api/names?limit=1", { headers: { "lattice-page-key": localStorage.getItem("lattice-page-key") } })
  .then((it) => it.json()).then(({ names }) => names.map(({ name }) => name))"""

if __name__ == "__main__":
    main()
