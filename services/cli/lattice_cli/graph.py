"""`lattice graph`: how it is, a way between two things, and making it anew."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from lattice_cli import exits

graph = typer.Typer(
    help="Look at what memories have to do with each other.",
    epilog='Examples: lattice graph status · lattice graph path Ines "my brother" · lattice graph rebuild',
    no_args_is_help=True,
)

AsJson = Annotated[bool, typer.Option("--json", help="For scripts.")]
LONGEST = 80


@graph.command()
def status(as_json: AsJson = False) -> None:
    """Show how large the graph is, since when it is this one, and whether all is well with it. Exit code 1 when it is not.

    Example: lattice graph status
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.graph_stats()
    lines = [f"{found['nodes']:,} nodes, {found['edges']:,} edges. State {found['state_hash']}"]
    if found.get("built_at"):
        lines.append(f"Generation {found['generation']} of schema {found['schema_version']}, begun {found['built_at'][:16]}")
    lines += [f"Something is wrong with it: {found['trouble']}"] if found["trouble"] else []
    sys.stdout.write((json.dumps(found) if as_json else "\n".join(lines)) + "\n")
    if found["trouble"]:
        raise typer.Exit(exits.FAILED)


@graph.command()
def path(
    start: Annotated[str, typer.Argument(metavar="A", help="A memory's id, or a name.")],
    end: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    as_json: AsJson = False,
) -> None:
    """Show the shortest ways from A to B: who and what stands between them. Exit code 1 when there is none.

    Example: lattice graph path Ines Lisbon
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.graph_paths(start, end)
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    else:
        sys.stdout.writelines(f"{' → '.join(_short(node) for node in way)}\n" for way in found)
    if not found:
        sys.stderr.write("Nothing joins the two.\n")
        raise typer.Exit(exits.FAILED)


def _short(node: dict[str, Any]) -> str:
    said = " ".join(str(node["name"]).split())
    said = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    return f"“{said}”" if node["kind"] == "atom" else f"{said} ({node['kind']})"


@graph.command()
def rebuild(as_json: AsJson = False) -> None:
    """Make the graph anew from the memories; indexes stay. Stop `lattice up` first; in a deployment the worker.

    Example: lattice graph rebuild
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
            embedded.rebuild_graph()
            found = embedded.lattice.graph_about().stats
    told = json.dumps({"nodes": found.nodes, "edges": found.edges, "state": found.state_hash})
    sys.stdout.write(f"{told if as_json else f'Made anew: {found.nodes:,} nodes, {found.edges:,} edges.'}\n")
