"""`lattice service`: Lattice as a service of this user, started when they sign in: systemd on Linux, launchd on macOS."""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from lattice_common.errors import Conflict, InvalidInput, Unavailable

service = typer.Typer(
    help="Have this machine start Lattice by itself.",
    epilog="Examples: lattice service install · lattice service show · lattice service remove",
    no_args_is_help=True,
)

UNIT = "lattice.service"
LABEL = "local.lattice"
KEPT = ("LATTICE_DIR", "LATTICE_INBOX", "LATTICE_ACCESS_DIR", "LATTICE_WEB_PORT", "LATTICE_HOST", "LATTICE_MODE", "TZ")
"""Variables that are copied from the shell into the unit: a service does not see them. Secrets stay in `.env` and in files."""


@service.command()
def install(
    no_start: Annotated[bool, typer.Option("--no-start", help="Only write the file.")] = False,
    force: Annotated[bool, typer.Option("--force", help="In place of one that says something else.")] = False,
) -> None:
    """Write the unit and start it; it runs from now on whenever you are signed in. `.env` of this folder is read by it.

    Example: lattice service install
    """
    path, content = wanted()
    if path.exists() and path.read_bytes() != content and not force:
        raise Conflict(f"{path} is there, and says something else: look at it, or write over it with --force.")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    sys.stdout.write(f"Written: {path}\n")
    if no_start:
        return
    for command in _starting(path):
        _run(command)
    sys.stdout.write("Lattice is started, and will be whenever you sign in. " + _where_its_log_is() + "\n")


@service.command()
def show() -> None:
    """Show what `install` would write, and where.

    Example: lattice service show
    """
    path, content = wanted()
    sys.stdout.write(f"# {path}\n{content.decode()}")


@service.command()
def remove() -> None:
    """Stop it, and take the unit away. Your memory stays.

    Example: lattice service remove
    """
    path, _ = wanted()
    if not path.exists():
        raise InvalidInput(f"There is no {path}: Lattice is no service of yours here.", field="service")
    for command in _stopping(path):
        _run(command)
    path.unlink()
    sys.stdout.write(f"Removed: {path}. Your memory stays where it is.\n")


def wanted(platform: str | None = None, environ: dict[str, str] | None = None) -> tuple[Path, bytes]:
    """Return the path of the unit and its content. Raise `InvalidInput` where there is neither systemd nor launchd."""
    system = platform or sys.platform
    given = os.environ if environ is None else environ
    kept = {name: given[name] for name in KEPT if given.get(name)}
    home = Path(given.get("HOME") or Path.home())
    command = [str(Path(sys.executable).with_name("lattice")), "up", "--no-browser"]
    if system == "darwin":
        return home / "Library" / "LaunchAgents" / f"{LABEL}.plist", _plist(command, kept, home)
    if system.startswith("linux"):
        config = Path(given.get("XDG_CONFIG_HOME") or home / ".config")
        return config / "systemd" / "user" / UNIT, _unit(command, kept)
    raise InvalidInput(f"There is no recipe for a service on {system}: let it start `lattice up --no-browser`.", field="service")


def _unit(command: Sequence[str], kept: dict[str, str]) -> bytes:
    lines = [
        "# Made by `lattice service install`.",
        "[Unit]",
        "Description=Lattice, a personal memory",
        "After=network.target",
        "",
        "[Service]",
        f"ExecStart={' '.join(_quoted(each) for each in command)}",
        f"WorkingDirectory={_escaped(str(Path.cwd()))}",
        *(f"Environment={_quoted(f'{name}={value}')}" for name, value in kept.items()),
        "Restart=on-failure",
        "RestartSec=5",
        "# It finishes what is in hand.",
        "KillSignal=SIGTERM",
        "TimeoutStopSec=60",
        "NoNewPrivileges=true",
        "UMask=0077",
        "",
        "[Install]",
        "WantedBy=default.target",
    ]
    return ("\n".join(lines) + "\n").encode()


def _escaped(value: str) -> str:
    """Return a value with each `%` doubled: a single one begins a specifier in a unit (systemd.unit(5))."""
    return value.replace("%", "%%")


def _quoted(value: str) -> str:
    """Return a word quoted as systemd.syntax(7) and systemd.service(5) require."""
    plain = _escaped(value).replace("\\", "\\\\").replace('"', '\\"').replace("$", "$$")
    return f'"{plain}"'


def _plist(command: Sequence[str], kept: dict[str, str], home: Path) -> bytes:
    log = str(home / "Library" / "Logs" / "lattice.log")
    return plistlib.dumps(
        {
            "Label": LABEL,
            "ProgramArguments": list(command),
            "WorkingDirectory": str(Path.cwd()),
            "EnvironmentVariables": kept,
            "RunAtLoad": True,
            "KeepAlive": {"SuccessfulExit": False},
            "ProcessType": "Background",
            "Umask": 0o077,
            "StandardOutPath": log,
            "StandardErrorPath": log,
        }
    )


def _starting(path: Path) -> list[list[str]]:
    if sys.platform == "darwin":
        return [["launchctl", "bootstrap", f"gui/{os.getuid()}", str(path)]]
    return [["systemctl", "--user", "daemon-reload"], ["systemctl", "--user", "enable", "--now", UNIT]]


def _stopping(path: Path) -> list[list[str]]:
    if sys.platform == "darwin":
        return [["launchctl", "bootout", f"gui/{os.getuid()}", str(path)]]
    return [["systemctl", "--user", "disable", "--now", UNIT]]


def _where_its_log_is() -> str:
    if sys.platform == "darwin":
        return "Its log: ~/Library/Logs/lattice.log"
    return "Its log: journalctl --user -u lattice. To have it run while you are signed out: loginctl enable-linger"


def _run(command: Sequence[str]) -> None:
    said = " ".join(command)
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - our own words
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"`{said}` cannot be run: {error}. The file is written; start it by hand.") from error
    if done.returncode:
        raise Unavailable(f"`{said}` failed: {(done.stderr or done.stdout).strip()[:500]}. The file is written.")
