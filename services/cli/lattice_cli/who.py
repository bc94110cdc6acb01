"""`lattice who`: people, animals, places, organisations and things that memory knows, and the owner's word on them."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

from lattice_cli import exits
from lattice_cli.words import tell_change

SHOWN_MENTIONS = 5
"""How many of the memories that mention somebody are shown."""


def who(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help='A name, or a role as "my brother".')] = None,
    same_as: Annotated[str | None, typer.Option("--same-as", help='NAME and this are one: a name, or "my brother".')] = None,
    not_: Annotated[str | None, typer.Option("--not", help="NAME and this are two.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only person, animal, place, organisation or thing.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=1000, help="At most this many.")] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")] = False,
) -> None:
    """Say who somebody is, with the memories that say so; without NAME, list all who are known.

    Examples: lattice who Ilya · lattice who "my brother" · lattice who Walter --same-as "my grandfather"
    """
    from lattice_cli.connection import connected

    if (same_as is not None or not_ is not None) and (name is None or (same_as is not None and not_ is not None)):
        raise typer.BadParameter("Say who: lattice who NAME --same-as OTHER, or lattice who NAME --not OTHER.")
    with connected() as client:
        if name is not None and (other := same_as or not_) is not None:
            change_id = client.correct_who("same" if same_as else "apart", name, other, channel="cli")
            tell_change("Noted.", change_id, as_json=as_json)
        elif name is not None:
            found = client.entity(name)
            sys.stdout.write(f"{json.dumps(found, ensure_ascii=False) if as_json else _shown(found)}\n")
        else:
            listed = client.entities(kind=kind, limit=limit)
            if not listed:
                sys.stderr.write("Nobody is known by name or role yet.\n")
                raise typer.Exit(exits.FAILED)
            sys.stdout.writelines(f"{json.dumps(each, ensure_ascii=False) if as_json else _line(each)}\n" for each in listed)


def _line(entity: Mapping[str, Any]) -> str:
    also = f" ({', '.join(entity['names'][1:])})" if entity["names"][1:] else ""
    roles = ", ".join(_role(role) for role in entity["roles"])
    return f"{entity['name']}{also}: {roles or entity['kind']}"


def _role(role: Mapping[str, Any]) -> str:
    return f"{role['phrase']} until {str(role['until'])[:10]}" if role["until"] else str(role["phrase"])


def _shown(entity: Mapping[str, Any]) -> str:
    lines = [_line(entity)]
    lines += [f"  {each['observed_at'][:10]}  {each['content']}" for each in entity["proofs"]]
    proofs = {each["atom_id"] for each in entity["proofs"]}
    mentions = [each for each in entity["mentions"] if each["atom_id"] not in proofs]
    if mentions:
        lines.append("Mentioned in:")
        lines += [f"  {each['observed_at'][:10]}  {each['content']}" for each in mentions[:SHOWN_MENTIONS]]
    return "\n".join(lines)
