"""`lattice status`, `doctor` and `rebuild`."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from typing import Annotated, Any

import typer

from lattice_cli import exits

SHOWN = 50
"""Findings in words; of more, the rest is counted (--json has all)."""


def status(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """How much there is, and how it is. Works with the server away; then the exit code is 3.

    Examples: lattice status · lattice status --json | jq .atoms
    """
    from lattice_cli.place import find_place
    from lattice_cli.status import look, short

    place = find_place()
    found = look(place)
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    else:
        where = (
            f"Running at {place.base_url}, writer {found['writer']}"
            if found["running"]
            else "Not running: start it with `lattice up`"
        )
        lines = [where, *short(found)]
        lines += (
            [f"Engines: {', '.join(f'{name} {engine}' for name, engine in found['engines'].items())}"] if found["engines"] else []
        )
        lines += [f"Model: {found['model']}"] if found["model"] else []
        lines += [f"Language model: {used}"] if (used := _language_model(found["language_model"])) else []
        lines += [f"Looks over: {looks}"] if (looks := _reflection(found["reflection"])) else []
        lines += [f"Goes without {reason}" for reason in found["degraded"]]
        lines.append(f"Folder: {found['folder']}")
        sys.stdout.write("\n".join(lines) + "\n")
    if not found["running"]:
        raise typer.Exit(exits.NOT_RUNNING)


def _language_model(state: Mapping[str, Any]) -> str:
    """Which is used, or why none is."""
    if not state:
        return ""
    reads, writes = state["model"], state["synthesis_model"]
    used = f"{reads}, {writes} for answers" if writes not in (reads, None) else str(reads)
    return f"{used} at {state['host']}" if state["available"] else str(state["reason"])


def _reflection(state: Mapping[str, Any]) -> str:
    """What a language model does in quiet hours, where it may."""
    wanted = {"sums up": state.get("consolidate"), "seeks ideas": state.get("serendipity")}
    named = " and ".join(name for name, is_wanted in wanted.items() if is_wanted)
    return named and f"{named}; {state['calls']} of {state['limit']} calls in the last day"


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Every finding, for scripts.")] = False) -> None:
    """See whether all is well: files, quotes, links, journal, indexes. Changes nothing. Exit code 1 when something was found.

    Examples: lattice doctor · lattice doctor --json | jq -r '.findings[].thing'
    """
    from lattice_common.inspection import look_through
    from lattice_common.logs import configure
    from lattice_common.settings import Settings

    from lattice_cli.terminal import Steps

    settings = Settings()
    configure("warning", json=settings.log_json)
    with Steps() as steps:
        examined = look_through(settings, steps.count)
    if as_json:
        sys.stdout.write(json.dumps(asdict(examined), ensure_ascii=False, indent=2) + "\n")
    else:
        captures = "capture" if examined.captures == 1 else "captures"
        lines = [f"Looked at {examined.atoms:,} memories from {examined.captures:,} {captures}."]
        lines += [f"  {each.area:<9} {each.thing}: {each.problem}; {each.next_step}" for each in examined.findings[:SHOWN]]
        more = len(examined.findings) - SHOWN
        lines += [f"  … and {more:,} more (--json shows all)"] if more > 0 else []
        lines.append("All is well." if not examined.findings else f"Found {len(examined.findings):,}. Nothing was changed.")
        sys.stdout.write("\n".join(lines) + "\n")
    if examined.findings:
        raise typer.Exit(exits.FAILED)


def rebuild(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Make every index and the graph anew, from the markdown and the journal. Stop `lattice up` first; in a
    deployment the worker.

    Example: lattice rebuild
    """
    from lattice_common.logs import configure
    from lattice_common.settings import Settings
    from lattice_common.wiring import open_embedded

    from lattice_cli.terminal import Steps

    settings = Settings()
    configure("warning", json=settings.log_json)
    with Steps() as steps:
        steps.say("Opening your memory")
        with open_embedded(settings, on_progress=steps.count) as embedded:
            made = embedded.rebuild(steps.count)
            found = embedded.state_hash()
    if as_json:
        sys.stdout.write(json.dumps({"memories": made.read, "unreadable": made.unreadable, "state": found}) + "\n")
    else:
        sys.stdout.write(f"Made anew: {made.read:,} memories. State {found}\n")
    if made.unreadable and not as_json:
        sys.stdout.write(f"{made.unreadable:,} files cannot be read: `lattice doctor` names them.\n")
    if made.unreadable:
        raise typer.Exit(exits.FAILED)
