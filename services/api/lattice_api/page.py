"""The page: which addresses are its views, and its HTML with all of its scripts named at once.

A browser learns of a module's imports only when it has read the module, so a page of many small modules waits for one round trip
after another. What the page imports is therefore read here, once, and put into the HTML as one list to fetch ahead.
"""

from __future__ import annotations

import re
from pathlib import Path, PurePosixPath

UI = Path(__file__).parent / "ui"

PLAIN_VIEWS = ("memories", "review", "when", "me", "graph", "settings")
NAMED_VIEWS = ("m", "source", "about")
"""Followed by an id or a name."""

VIEWS = ("/", "/index.html", *(f"/{name}" for name in PLAIN_VIEWS), *(f"/{name}/{{which:path}}" for name in NAMED_VIEWS))
"""As routes."""

_VIEW = re.compile(rf"/|/index\.html|/(?:{'|'.join(PLAIN_VIEWS)})|/(?:{'|'.join(NAMED_VIEWS)})/.{{1,2000}}", re.DOTALL)
_STATIC_IMPORT = re.compile(r"""(?:\bfrom|\bimport)\s*["'](\.{0,2}/[^"']+\.js)["']""")
_ENTRY = "/ui/app.js"
_PRELOADS = "<!-- preloads -->"


def is_view(path: str) -> bool:
    """Whether a decoded path is the address of a view of the page. The page itself finds out what is there."""
    return _VIEW.fullmatch(path) is not None


def page_html() -> str:
    """index.html, with a `modulepreload` for each module that is imported when the page starts. Views that are fetched when they
    are first opened are not among them."""
    links = "\n    ".join(f'<link rel="modulepreload" href="{address}">' for address in modules_of(_ENTRY))
    return (UI / "index.html").read_text(encoding="utf-8").replace(_PRELOADS, links)


def modules_of(entry: str) -> list[str]:
    """The address of a module and of all that it imports, directly or not, breadth first."""
    found = [entry]
    for address in found:
        source = (UI / address.removeprefix("/ui/")).read_text(encoding="utf-8")
        for name in _STATIC_IMPORT.findall(source):
            imported = name if name.startswith("/") else _resolved(address, name)
            if imported not in found:
                found.append(imported)
    return found


def _resolved(address: str, name: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(address).parent / name).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return str(PurePosixPath(*parts))
