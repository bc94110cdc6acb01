"""How smoothly the page scrolls through a store as it is served: `python -m bench.scrolling FOLDER [--frames 600]`.

The list of all memories is scrolled frame by frame in Debian's chromium, first on into what has to be fetched, then through what
was. Printed are the page's own work for a frame, on the clock of its thread, so that what else runs on the machine does not
count; and the longest task and the frames that came in a second, where it does. Beside these stands what an empty page reaches
before and after it: what is missing there to 60 frames is the machine's. What `infra.screens` has made is such a folder:
`build/large-store-100000`.
"""

from __future__ import annotations

import argparse
import secrets
import shutil
from pathlib import Path

from playwright.sync_api import CDPSession, Page, ViewportSize, sync_playwright

from bench.product import served

TOKEN = secrets.token_urlsafe(24)
STEP = 90
"""Pixels a frame: 5,400 a second, faster than one reads."""
FETCHED = 40
"""Steps of the wheel before anything is measured."""
SIZE = ViewportSize(width=1280, height=860)
EMPTY = "<body style='height: 1000000px'>nothing but this"
SCROLL = """([frames, step]) => new Promise((done) => {
  const at = [];
  const next = (now) => {
    at.push(now);
    scrollBy(0, step);
    at.length < frames ? requestAnimationFrame(next) : done(at.at(-1) - at[0]);
  };
  requestAnimationFrame(next);
})"""
LONGEST = """() => {
  window.longest = 0;
  const took = (list) => (window.longest = Math.max(window.longest, ...list.getEntries().map(({ duration }) => duration)));
  new PerformanceObserver(took).observe({ type: "longtask" });
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--frames", type=int, default=600)
    given = parser.parse_args()
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    with served(given.folder, TOKEN, LATTICE_EMBED_MODEL="none") as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-background-networking"])
        empty = browser.new_page(viewport=SIZE)
        empty.set_content(EMPTY)
        alone(empty, given.frames)
        page = browser.new_page(base_url=url, viewport=SIZE)
        page.goto("/login")
        page.get_by_label("Token").fill(TOKEN)
        page.get_by_role("button", name="Sign in").click()
        page.get_by_label("Tell or ask").wait_for()
        page.goto("/memories")
        page.locator(".rows .memory").first.wait_for()
        print(f"{page.locator('.view-head .quiet').inner_text()} memories")
        page.evaluate(LONGEST)
        for _ in range(FETCHED):
            page.mouse.wheel(0, 6_000)
            page.wait_for_timeout(30)
        devtools = page.context.new_cdp_session(page)
        devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
        measure(page, devtools, "on into what has to be fetched", given.frames, STEP)
        page.evaluate("scrollTo(0, 0)")
        measure(page, devtools, "through what was fetched", given.frames, STEP)
        print(f"longest task {page.evaluate('window.longest'):.0f} ms, rows in the page {page.locator('.rows .memory').count()}")
        empty.bring_to_front()
        alone(empty, given.frames)
        browser.close()


def measure(page: Page, devtools: CDPSession, words: str, frames: int, step: int) -> None:
    """Scroll so many frames and print what they cost."""
    before = busy(devtools)
    a_second = scrolled(page, frames, step)
    own = (busy(devtools) - before) / frames * 1000
    print(f"{words}: {own:.1f} ms of work a frame (16.7 at 60 frames), {a_second:.1f} frames a second")


def alone(page: Page, frames: int) -> None:
    """Scroll a page in which nothing is, and print what this machine can do at this moment."""
    print(f"an empty page: {scrolled(page, frames, STEP):.1f} frames a second")


def scrolled(page: Page, frames: int, step: int) -> float:
    """Scroll so many frames and return how many came in a second."""
    return (frames - 1) / (float(page.evaluate(SCROLL, [frames, step])) / 1000)


def busy(devtools: CDPSession) -> float:
    """Return the seconds that the page's thread has worked."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in metrics if each["name"] == "TaskDuration"))


if __name__ == "__main__":
    main()
