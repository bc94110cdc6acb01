"""`lattice stats`, `trace` and `debug`: looking inside, without a word of what anybody said."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from lattice_cli import exits

MOST_SIGNALS = 6
"""How many signals of a memory a trace shows: those that moved it most."""
WIDTH = 30


def stats(as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Show how long questions take, what failed, how your memories are distributed. Numbers only, which stay on this machine.

    Examples: lattice stats · lattice stats --json | jq .latencies.answer
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found, usage = client.stats(), client.usage_summary()
    if as_json:
        sys.stdout.write(json.dumps({**found, "usage": usage}, ensure_ascii=False) + "\n")
        return
    lines = [f"Asked {usage['asked']:,}, told {usage['told']:,}, recalled {usage['recalled']:,} memories."]
    lines += ["", f"Milliseconds since {found['since'][:16].replace('T', ' ')}{'p50':>16}{'p95':>10}{'longest':>10}{'count':>8}"]
    lines += [
        f"  {kind:<{WIDTH}}{each['p50']:>10.1f}{each['p95']:>10.1f}{each['longest']:>10.1f}{each['count']:>8,}"
        for kind, each in found["latencies"].items()
    ] or ["  Nothing was asked yet."]
    lines += ["", "Failures: " + (", ".join(_failures(found["failures"])) or "none")]
    for name, groups in found["distributions"].items():
        lines += ["", name.capitalize()]
        lines += [f"  {group:<{WIDTH}}{count:>10,}" for group, count in groups.items()]
    sys.stdout.write("\n".join(lines) + "\n")


def _failures(counts: Mapping[str, int]) -> Iterator[str]:
    return (f"{kind.replace('_', ' ')} {count:,}" for kind, count in counts.items() if count)


def trace(
    trace_id: Annotated[str, typer.Argument(help="The trace_id of an answer or a search.")],
    as_json: Annotated[bool, typer.Option("--json", help="All of it, for scripts.")] = False,
) -> None:
    """Show how an answer was found: milliseconds of each stage, how many were looked at, what spoke for each memory. Only with
    LATTICE_TRACE=true; without a word of the question.

    Example: lattice trace 01m7wn75w2ecgja07tfe8tr9q6
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.trace(trace_id)
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n" if as_json else "\n".join(_trace(found)) + "\n")


def _trace(found: Mapping[str, Any]) -> Iterator[str]:
    named = ("answered", "answerable", "shape", "confidence", "used_llm", "fell_back", "reformulated")
    said = [f"{name.replace('_', ' ')} {found[name]}" for name in named if found.get(name) is not None]
    yield f"{found['ts']}  {found['kind']}  " + ", ".join(said)
    for name, unit in (("stages_ms", " ms"), ("counts", "")):
        if found.get(name):
            yield ", ".join(f"{each.replace('_', ' ')} {round(number, 2)}{unit}" for each, number in found[name].items())
    cited = set(found.get("cited") or ())
    for each in found["atoms"]:
        moved = sorted(each["signals"].items(), key=lambda signal: -abs(signal[1]["contribution"]))[:MOST_SIGNALS]
        why = ", ".join(f"{name} {signal['contribution']:+.2f}" for name, signal in moved if signal["contribution"])
        yield f"  {each['atom_id']}{' *' if each['atom_id'] in cited else '  '} {each['score']:>7.2f}  {why}"


def debug(
    file: Annotated[Path | None, typer.Argument(help="Where to write it; lattice-debug-DAY.zip here, if not said.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Write it without asking.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Only show it, for scripts.")] = False,
) -> None:
    """Write a zip for a bug report. It is shown before: versions, settings without names and addresses, counts, durations.
    Nothing that you told or asked is in it, no name and no path. Works with the server away.

    Examples: lattice debug · lattice debug report.zip --yes
    """
    from lattice_common.bug_report import report, zipped
    from lattice_common.errors import InvalidInput, LatticeError
    from lattice_common.logs import configure
    from lattice_common.settings import Settings

    from lattice_cli.connection import running
    from lattice_cli.target import find_target
    from lattice_cli.terminal import agreed

    settings = Settings()
    configure("error", json=settings.log_json)
    known: dict[str, Any] | None = None
    if (client := running(find_target())) is not None:
        with client:
            try:
                known = {"status": client.status(), "stats": client.stats()}
            except LatticeError as error:
                sys.stderr.write(f"Lattice runs, and does not say how it is: {error}\n")
    files = report(settings, known)
    if as_json:
        sys.stdout.write(json.dumps({name: json.loads(content) for name, content in files.items()}, ensure_ascii=False) + "\n")
        return
    for name, content in files.items():
        sys.stdout.write(f"--- {name}\n{content}\n")
    path = file or Path(f"lattice-debug-{datetime.now().astimezone().date().isoformat()}.zip")
    sys.stdout.write(f"This, and nothing else, would be in {path}.\n")
    if not yes and not agreed():
        sys.stdout.write("Nothing was written.\n")
        raise typer.Exit(exits.FAILED)
    try:
        path.write_bytes(zipped(files))
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {error.strerror}. Name another file.") from error
    path.chmod(0o600)
    sys.stdout.write(f"Written: {path}\n")
