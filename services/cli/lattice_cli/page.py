"""`lattice open`: the page, signed in."""

from __future__ import annotations

import os
import sys
import webbrowser
from typing import Annotated

import typer


def open_page(no_browser: Annotated[bool, typer.Option("--no-browser", help="Only show the link.")] = False) -> None:
    """Show a link that signs a browser in, once, within ten minutes, and open it where this machine has a screen.

    Examples: lattice open · lattice open --no-browser · docker compose exec api lattice open
    """
    from lattice_cli.connection import connected, opened_at

    with connected() as client:
        link = f"{opened_at(client.base_url)}/login?code={client.login_code()}"
    sys.stdout.write(f"{link}\n")
    sys.stderr.write("It signs one browser in, within ten minutes.\n")
    if not no_browser and has_display():
        webbrowser.open(link)


def has_display() -> bool:
    """Return whether a browser can be opened here, by somebody who sits before this machine."""
    if sys.platform == "darwin" or os.name == "nt":
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")) and sys.stdout.isatty()
