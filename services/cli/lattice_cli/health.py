"""`lattice status`, `doctor` and `rebuild`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lattice_cli import exits
from lattice_cli.words import counted

if TYPE_CHECKING:
    from lattice_common.settings import Settings
    from lattice_common.upkeep.doctor import Examined, Finding
    from lattice_common.upkeep.health import Health
    from lattice_common.upkeep.mending import Mended

    from lattice_cli.terminal import Steps

SHOWN = 50
"""Findings that are listed; the rest is counted (--json has all)."""


def status(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Show how much there is, and how it is. Works with the server away; then the exit code is 3.

    Examples: lattice status · lattice status --json | jq .atoms
    """
    from lattice_cli.status import read_status, short
    from lattice_cli.target import find_target

    target = find_target()
    found = read_status(target)
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")
    else:
        where = (
            f"Running at {target.base_url}, writer {found['writer']}"
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
    """Return which is used, or why none is."""
    if not state:
        return ""
    reads, writes = state["model"], state["synthesis_model"]
    used = f"{reads}, {writes} for answers" if writes not in (reads, None) else str(reads)
    return f"{used} at {state['host']}" if state["available"] else str(state["reason"])


def _reflection(state: Mapping[str, Any]) -> str:
    """Return what a language model does in quiet hours, where it may."""
    wanted = {"sums up": state.get("consolidate"), "seeks ideas": state.get("serendipity")}
    named = " and ".join(name for name, is_wanted in wanted.items() if is_wanted)
    return named and f"{named}; {state['calls']} of {state['limit']} calls in the last day"


def doctor(
    deep: Annotated[
        bool, typer.Option("--deep", help="Also what each index finds, every edge, orphans, echoes, duplicates, contradictions.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Look deeply, and make anew what is derived and damaged. Stop `lattice up` first.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Every finding, for scripts.")] = False,
) -> None:
    """See whether all is well: files, quotes, links, journal, indexes. Changes nothing, unless --repair is given, which touches
    only what is derived. Exit code 1 when something was found (and is not repaired).

    Examples: lattice doctor · lattice doctor --deep · lattice doctor --json | jq -r '.findings[].thing'
    """
    from lattice_common.inspection import look_through
    from lattice_common.logs import configure
    from lattice_common.settings import Settings
    from lattice_common.upkeep.health import health_of

    from lattice_cli.terminal import Steps

    settings = Settings()
    configure("warning", json=settings.log_json)
    mended = None
    with Steps() as steps:
        examined = look_through(settings, steps.count, deep=deep or repair)
        if repair and (mended := _mended(settings, examined.findings, steps)) is not None:
            examined = look_through(settings, steps.count, deep=True)
    health = health_of(examined) if deep or repair else None
    if as_json:
        found = {"atoms": examined.atoms, "captures": examined.captures, "findings": [asdict(each) for each in examined.findings]}
        more = {"health": asdict(health)} if health else {}
        more |= {"repaired": asdict(mended)} if mended else {}
        sys.stdout.write(json.dumps({**found, **more}, ensure_ascii=False, indent=2) + "\n")
    else:
        sys.stdout.write("\n".join(_examined(examined, health, mended)) + "\n")
    if examined.findings:
        raise typer.Exit(exits.FAILED)


def _mended(settings: Settings, findings: Sequence[Finding], steps: Steps) -> Mended | None:
    """Return what was made anew; None where nothing derived was damaged."""
    from lattice_common.composition import open_embedded
    from lattice_common.upkeep.mending import is_derived, mend

    if not any(map(is_derived, findings)):
        return None
    with open_embedded(settings, on_progress=steps.count) as embedded:
        return mend(embedded.stores, findings, steps.count)


def _examined(examined: Examined, health: Health | None, mended: Mended | None) -> Iterator[str]:
    yield f"Looked at {examined.atoms:,} memories from {counted(examined.captures, 'capture', 'captures')}."
    if mended is not None:
        memories = f"{counted(mended.memories, 'memory', 'memories')} in the catalogue and the indexes"
        made = ((memories, mended.memories), ("the graph", mended.graph), ("the passages", mended.passages))
        if anew := [name for name, was_made in made if was_made]:
            yield f"Made anew: {', '.join(anew)}."
        if mended.gone:
            yield f"Taken out of the indexes: {counted(mended.gone, 'memory', 'memories')} without a file that can be read."
    if health is not None:
        yield f"Health: {health.percent:g} of 100, that of the weakest part:"
        yield from (
            f"  {part.area:<13} {part.percent:>5.1f}  {part.unwell:,} of {part.looked_at:,} with a finding"
            for part in health.parts
        )
    yield from (f"  {each.area:<9} {each.thing}: {each.problem}; {each.next_step}" for each in examined.findings[:SHOWN])
    more = len(examined.findings) - SHOWN
    if more > 0:
        yield f"  … and {more:,} more (--json shows all)"
    left = "Nothing was changed." if mended is None else "That is yours to settle: only what is derived is repaired."
    yield f"Found {len(examined.findings):,}. {left}" if examined.findings else "All is well."


def rebuild(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Make every index and the graph anew, from the markdown and the journal. Stop `lattice up` first; in a
    deployment the worker.

    Example: lattice rebuild
    """
    from lattice_common.composition import open_embedded
    from lattice_common.logs import configure
    from lattice_common.settings import Settings

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
