"""The page's files as they lie on disk: what a browser is given, without a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UI = ROOT / "services" / "api" / "lattice_api" / "ui"
CODE = [path for path in sorted(UI.rglob("*")) if path.suffix in (".js", ".css", ".html", ".webmanifest")]
OWN = [path for path in CODE if "vendor" not in path.parts]

PAGE_BUDGET = 150_000
"""Bytes of page and scripts before compression (the page's design says so)."""


def _loaded_by_the_page() -> set[Path]:
    """What a browser fetches for the page: index.html and all that it and its scripts name."""
    found: set[Path] = set()
    todo = [UI / "index.html"]
    while todo:
        path = todo.pop()
        if path in found:
            continue
        found.add(path)
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            names = re.findall(r'(?:src|href)="(/ui/[^"]+\.(?:js|css|webmanifest))"', text)
        else:
            names = re.findall(r"""(?:from|import)\s*["'](\.{0,2}/[^"']+\.js)["']""", text)
        todo += [UI / name[4:] if name.startswith("/ui/") else (path.parent / name).resolve() for name in names]
    return found


def test_page_and_scripts_stay_small() -> None:
    assert sum(path.stat().st_size for path in _loaded_by_the_page()) < PAGE_BUDGET


def test_every_own_file_is_used() -> None:
    pages = {UI / "login.html", UI / "login.js"}
    assert set(OWN) - _loaded_by_the_page() - pages == set()


def test_vendored_files_are_what_was_locked() -> None:
    checked = subprocess.run([sys.executable, ROOT / "infra" / "vendor_ui.py", "--check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize("path", [path for path in OWN if path.suffix == ".html"], ids=lambda path: path.name)
def test_pages_keep_to_the_content_security_policy(path: Path) -> None:
    html = path.read_text(encoding="utf-8")
    assert not re.search(r"\sstyle=|\son[a-z]+=|<style|javascript:", html)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", html))


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_no_file_names_another_host(path: Path) -> None:
    named = re.findall(r"(?:https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text(encoding="utf-8"), re.IGNORECASE)
    assert named == []


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_scripts_never_put_markup_into_the_page(path: Path) -> None:
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|unsafeHTML|document\.write|eval\(", path.read_text(encoding="utf-8"))
