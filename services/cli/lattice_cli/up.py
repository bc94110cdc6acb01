"""`lattice up`: the whole product in one process, until Ctrl-C."""

from __future__ import annotations

import contextlib
import importlib
import signal
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from lattice_common.errors import Conflict, LatticeError

if TYPE_CHECKING:
    from lattice_common.settings import Settings


def up(
    demo: Annotated[bool, typer.Option("--demo", help="With a small invented life in it, to try things on.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open the page.")] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Instead of LATTICE_WEB_PORT; 0 takes a free one.")] = None,
) -> None:
    """Start Lattice on this machine: the page, the API, and the inbox. Ctrl-C stops it.

    Examples: lattice up · lattice up --demo · lattice up --no-browser --port 8080
    """
    from lattice_common.logs import configure
    from lattice_common.settings import Settings, mistyped

    from lattice_cli import assistants
    from lattice_cli.page import has_display
    from lattice_cli.telegram import beside
    from lattice_cli.terminal import Steps

    settings = Settings() if port is None else Settings(port=port)
    for name, meant in mistyped().items():
        typer.echo(f"{name} is no setting of Lattice and does nothing. Did you mean {meant}?", err=True)
    configure(settings.log_level if not sys.stderr.isatty() else "warning", json=settings.log_json)
    # Asked to end by the system, end as with Ctrl-C: finish what is in hand, and let go of the folder.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    steps = Steps()

    listening = threading.Event()

    def progress(what: str, done: int, total: int) -> None:
        steps.count(what, done, total)
        # What is mended goes on while questions are answered already: then nobody else takes the bar away.
        if listening.is_set() and done >= total:
            steps.done()

    def ready(door: Any) -> None:
        listening.set()
        steps.done()
        _greet(door)
        if bot is not None:
            bot.start(door.url)
        if mcp is not None:
            mcp.start(door.url)
        if demo:
            threading.Thread(target=_load_demo, args=(door.url,), name="lattice-demo", daemon=True).start()
        if not no_browser and has_display():
            webbrowser.open(door.login_url)

    # Doors never import each other; this one only starts the other, which is chosen here and nowhere else.
    api = importlib.import_module("lattice_api.app")
    try:
        steps.say("Opening your memory")
        with beside(settings) as bot, assistants.beside(settings) as mcp:
            api.serve(settings, on_ready=ready, on_progress=progress)
    except Conflict as error:
        steps.done()
        raise Conflict(_who_holds(error, settings)) from error
    except KeyboardInterrupt:
        pass
    finally:
        steps.done()
    sys.stdout.write("\nStopped. All that was kept is on disk.\n")


def _greet(door: Any) -> None:
    out = [f"Lattice is at {door.url}"]
    once = "works once, for ten minutes"
    out += [f"Sign {name} in with {link} ({once})" for name, link in door.logins.items()]
    if not door.logins:
        out.append(f"Sign a browser in with {door.login_url} ({once})")
    if door.token:
        out.append(f"Your token, for other programs; it is shown this once: {door.token}")
    if door.reads_only:
        out.append(f"It only reads, and answers, until the disk can be written: {door.reads_only}")
    out.append('Tell it something from another terminal: lc "…"   Stop it with Ctrl-C.')
    sys.stdout.write("\n".join(out) + "\n")
    sys.stdout.flush()


def _load_demo(url: str) -> None:
    from lattice_common.client import LatticeClient

    from lattice_cli.imports import load_demo
    from lattice_cli.target import find_target

    with LatticeClient(url, find_target().token()) as client:
        told = load_demo(client)
    sys.stdout.write(f"{told}\n")
    sys.stdout.flush()


def _who_holds(error: Conflict, settings: Settings) -> str:
    """Return the conflict: that it runs already, or the name of who holds the port where the system tells it."""
    from lattice_cli.target import find_target

    message = str(error)
    of_port = f"Port {settings.port}" in message
    if (of_port or find_target().found_url is not None) and _is_own():
        return "Lattice runs already. `lattice open` opens its page, signed in; Ctrl-C in its terminal stops it."
    if not of_port:
        return message
    return f"{message}\n{listener_on(settings.port).strip()}".rstrip()


def _is_own() -> bool:
    """Return whether what listens on the port is the Lattice of this data folder: it knows the command line's token."""
    from lattice_cli.connection import running

    try:
        client = running()
    except LatticeError:
        return False
    if client is not None:
        client.close()
    return client is not None


def listener_on(port: int) -> str:
    """Return who listens on a port of this machine, as a sentence; empty where the system does not say."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if not Path(table).exists():
            continue
        for line in Path(table).read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            if int(fields[1].rpartition(":")[2], 16) == port and fields[3] == "0A":  # LISTEN
                inodes.add(f"socket:[{fields[9]}]")
    for process in Path("/proc").glob("[0-9]*") if inodes else ():
        with contextlib.suppress(OSError):  # it ended meanwhile, or is somebody else's
            if any(_points_to(descriptor) in inodes for descriptor in (process / "fd").iterdir()):
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
                return f" It is held by process {process.name}: {command[:120]}"
    return ""


def _points_to(descriptor: Path) -> str:
    """Return what an open file of a process is; empty where it was closed meanwhile, which says nothing of its others."""
    try:
        return str(descriptor.readlink())
    except OSError:
        return ""
