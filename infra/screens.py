"""Pictures of the page as people see it: every view, light and dark, on a desk, a tablet and a phone, of the demo and of a large
store. All of them go to build/screens, and a dozen of them to docs/images. Needs Debian's chromium. The font is the
system's: those in docs/images were taken with Debian's fonts-inter as `system-ui`.

    python -m infra.screens                     the demo, and a store of 100,000 memories
    python -m infra.screens --large 20000       and one of 20,000, which is made in a fifth of the time
    python -m infra.screens --large 0           the demo alone
    python -m infra.screens --only large        the large store alone
    python -m infra.screens --documents         the dozen for docs/images alone

The large store is written as files once, in build/ (`bench.large_store`, without vectors, which no picture shows), and the demo
is told on top of it: what a made-up life lacks, changes and what needs its owner, is in that.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from lattice_cli.memory import OverHttp
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.demo import SOURCE_ID, demo_life
from lattice_common.client import LatticeClient
from lattice_common.composition import Model, open_embedded
from lattice_common.settings import Settings
from playwright.sync_api import Browser, Page, expect, sync_playwright

from bench.large_store import Steps, captures, write
from bench.product import served

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
ABOUT = {"demo": "Nora", "large": "Hoffmann"}
"""Of each store, whom a page and a map are pictured about: who has relations and changes, and who is often met."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--large", type=int, default=100_000, help="memories of the large store; 0: none")
    parser.add_argument("--only", choices=("demo", "large"), help="pictures of one store, beside those that are there")
    parser.add_argument("--documents", action="store_true", help="only what docs/images shows")
    given = parser.parse_args()
    wanted = IN_DOCUMENTS if given.documents else None
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    if not given.only:
        shutil.rmtree(ALL, ignore_errors=True)
    ALL.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        if given.only != "large":
            with _demo() as url:
                _pictures("demo", browser, url, wanted)
        if given.large and given.only != "demo" and not given.documents:
            with _large(given.large) as url:
                _pictures("large", browser, url, wanted)
        browser.close()
    for name in IN_DOCUMENTS:
        if given.only != "large":
            shutil.copyfile(ALL / f"{name}.png", SHOWN / f"{name}.png")


@contextmanager
def _demo() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), TOKEN) as url:
        _tell_demo(url)
        yield url


@contextmanager
def _large(memories: int) -> Iterator[str]:
    """A store of so many memories, which is made when it is not there yet."""
    folder = ROOT / "build" / f"large-store-{memories}"
    made = folder / "made"
    if not made.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        write(folder, captures(memories))
        with open_embedded(Settings(_env_file=None, data_dir=folder, embed_model="none"), model=Model(None)) as product:
            product.rebuild(Steps().show)
        made.touch()
    with served(folder, TOKEN, LATTICE_EMBED_MODEL="none") as url:
        _tell_demo(url)
        yield url


def _tell_demo(url: str) -> None:
    """Beside whatever else is there, which `lattice demo load` refuses. Where it was told before, nothing is said."""
    with LatticeClient(url, TOKEN) as client:
        memory, clock = OverHttp(client), SystemClock()
        if not memory.has_source(SOURCE_ID):
            for each in demo_life(clock.now(), clock.new_id()):
                memory.take(each.request, each.idempotency_key)
        while any(client.status()["captures"].get(state) for state in ("waiting", "working")):
            time.sleep(0.5)  # what is being read would stand in the pictures


def _pictures(store: str, browser: Browser, url: str, wanted: Collection[str] | None) -> None:
    """Every view of a store in both themes and three widths; of them only those that are `wanted`, where that is given."""
    addresses: dict[str, str] = {}
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
            if store == "demo" and not addresses:
                _talk(page)
            addresses = addresses or _addresses(page, ABOUT[store])
            name = f"{store}-{{}}-{theme}-{width}"
            for view, address in addresses.items():
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


def _addresses(page: Page, about: str) -> dict[str, str]:
    """Each view by what the store holds: a memory that replaced another one, where the demo was talked to, and a source."""
    found = {"today": "/", "memories": "/memories", "me": "/me", "when": "/when?at=2026-09-30", "about": f"/about/{about}"}
    found |= {"review": "/review", "settings": "/settings", "search": "/memories?q=spare+key", "graph": f"/graph?about={about}"}
    page.goto("/memories")
    newest = page.locator(".rows .memory").first.get_attribute("data-atom")
    page.goto(found["about"])
    page.locator(".rows .memory").first.wait_for()
    named = page.locator(".plain-list a[href^='/source/']")
    if not named.count():  # nothing of it came from a source with a name
        page.goto(str(page.locator(".rows .memory").first.get_attribute("href")))
        named = page.get_by_role("link", name="whole text")
    address = str(named.last.get_attribute("href"))
    return found | {"memory": f"/m/{newest}", "source": address}


def _picture(page: Page, address: str, file: Path) -> None:
    page.goto(address)
    page.locator("main h2, .strip, .lately").first.wait_for()
    looking = page.locator("main .waiting").filter(has_not_text="More")  # below a long list there is always more
    expect(looking).to_have_count(0, timeout=PATIENCE)
    page.wait_for_timeout(200)
    if address == "/":
        page.evaluate("scrollTo(0, 0)")  # what is due and what changed stands above the conversation
    page.screenshot(path=str(file), animations="disabled")


if __name__ == "__main__":
    main()
