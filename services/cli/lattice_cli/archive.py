"""`lattice archive`: memories that are set aside, out of recall until they are asked for."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from lattice_common.errors import InvalidInput

from lattice_cli.lists import AsJson, Limit, write_each
from lattice_cli.words import memory_line, tell_change

archiving = typer.Typer(help="Memories set aside: out of recall until they are asked for.", no_args_is_help=True)

Ids = Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Memories, as listed; `-` reads them from the pipe.")]


@archiving.command()
def candidates(limit: Limit = 20, as_json: AsJson = False) -> None:
    """Show what may be archived: nobody has told or recalled it for long. Nothing is archived by itself.

    Examples: lattice archive candidates · lattice archive candidates --json | jq -r .atom.atom_id | lattice archive add -
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.archive_candidates(limit)
    write_each(found, _candidate, "Nothing has faded: there is nothing to archive.", as_json=as_json)


@archiving.command()
def add(atom_ids: Ids = None, as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Set memories aside: no question finds them any more, but with --archived.

    Example: lattice archive add 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    wanted = _named(atom_ids)
    with connected() as client:
        change_id = client.archive(wanted, channel="cli")
    tell_change("Archived.", change_id, as_json=as_json)


@archiving.command()
def restore(atom_ids: Ids = None, as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False) -> None:
    """Bring archived memories back into recall.

    Example: lattice archive restore 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    wanted = _named(atom_ids)
    with connected() as client:
        change_id = client.unarchive(wanted, channel="cli")
    tell_change("Back in recall.", change_id, as_json=as_json)


@archiving.command("list")
def listing(limit: Limit = 20, as_json: AsJson = False) -> None:
    """Show what is archived, newest memory first.

    Example: lattice archive list --json | jq -r .content
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.archived(limit)
    write_each(found["atoms"], memory_line, "Nothing is archived.", as_json=as_json)
    if not as_json and (more := found["count"] - len(found["atoms"])) > 0:
        sys.stderr.write(f"… and {more:,} more\n")


def _named(atom_ids: list[str] | None) -> list[str]:
    named = sys.stdin.read().split() if atom_ids == ["-"] else atom_ids or []
    if not named:
        raise InvalidInput("Name at least one memory: `lattice archive candidates` and `list` show their ids.", field="usage")
    return named


def _candidate(each: dict[str, Any]) -> str:
    unused = str(each["unused_since"])[:10]
    return f"{memory_line(each['atom'])}  (unused since {unused}, confidence {each['confidence']:.2f})"
