"""The page: which addresses are its views."""

from __future__ import annotations

import re
from pathlib import Path

UI = Path(__file__).parent / "ui"

PLAIN_VIEWS = ("memories", "review", "when", "me", "graph", "settings")
NAMED_VIEWS = ("m", "source", "about")
"""Followed by an id or a name."""

OPS = "/ops"
"""A page of its own: how Lattice runs."""

VIEWS = ("/", "/index.html", *(f"/{name}" for name in PLAIN_VIEWS), *(f"/{name}/{{which:path}}" for name in NAMED_VIEWS))
"""As routes."""

_VIEW = re.compile(rf"/|/index\.html|{OPS}|/(?:{'|'.join(PLAIN_VIEWS)})|/(?:{'|'.join(NAMED_VIEWS)})/.{{1,2000}}", re.DOTALL)


MODULES = {
    "": ("talk.js",),
    **{name: (f"views/{name}.js",) for name in (*PLAIN_VIEWS, "source", "about")},
    "m": ("panel.js",),
    "graph": ("views/graph.js", "views/graph.css"),
}
"""What a view needs beside the page's own script, by the first word of its address. The list beside a memory comes after it."""


def needed_by(route: str) -> tuple[str, ...]:
    """Return the files that the view of a route needs beside the page's own script."""
    return MODULES.get(route.split("/")[1], MODULES[""])


def is_view(path: str) -> bool:
    """Return whether a decoded path is the address of a view of the page, or of `/ops`. The page itself finds what is there."""
    return _VIEW.fullmatch(path) is not None
