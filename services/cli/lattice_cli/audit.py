"""`lattice audit`: who told, asked, looked, changed and exported."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lattice_cli.lists import AsJson, write_each

DID = ("told", "asked", "looked", "changed", "exported", "access", "refused")


def audit(
    who: Annotated[str | None, typer.Option(help="Of one token, by its name.")] = None,
    did: Annotated[str | None, typer.Option(help=f"One kind alone: {', '.join(DID)}.")] = None,
    since: Annotated[str | None, typer.Option(help="From this time on, such as 2026-05-01T00:00:00Z.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=1000, help="At most this many.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show who told, asked, looked, changed and exported, with which token and from where, the newest first. It holds no words.

    Examples: lattice audit --did exported · lattice audit --who phone --since 2026-05-01T00:00:00Z --json
    """
    from lattice_cli.connection import connected

    if did is not None and did not in DID:
        raise typer.BadParameter(f"{did}: it is one of {', '.join(DID)}.", param_hint="--did")
    with connected() as client:
        found = client.audit(limit, who=who, did=did, since=since)
    none = "Nothing of that kind was noted." if found["days"] else "Nothing is noted: LATTICE_AUDIT_DAYS is 0."
    write_each(found["requests"], _line, none, as_json=as_json)


def _line(each: dict[str, Any]) -> str:
    device = f"{each['address']} {each['program']}".strip()
    return f"{each['at'][:19].replace('T', ' ')}  {each['did']:<8}  {each['who']:<20}  {each['route']} {each['status']}  {device}"
