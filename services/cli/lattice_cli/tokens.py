"""`lattice token`: who else may talk to Lattice."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

app = typer.Typer(
    help="Tokens for other programs: a bot, a browser extension, a phone.",
    epilog="Examples: lattice token add phone --scope capture · lattice token revoke phone",
    no_args_is_help=True,
)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What it is for, such as `phone`.")],
    scope: Annotated[
        list[str] | None,
        typer.Option("--scope", help="read (ask, look, export), capture (tell) or admin (all), several times; or calendar."),
    ] = None,
    days: Annotated[int | None, typer.Option(min=1, max=3650, help="After so many days it opens nothing any more.")] = None,
    source: Annotated[str | None, typer.Option(help="The one source that it tells into; it opens nothing else.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Make a token and show it, this once. Without --scope it may read and capture; with capture alone it only tells, with read
    alone it only asks.

    Examples: lattice token add phone --scope capture · lattice token add guest --scope read --days 7
    · lattice token add sensor --source greenhouse
    """
    from lattice_cli.connection import connected, opened_at

    scopes = scope or (["capture"] if source is not None else ["read", "capture"])
    if unknown := set(scopes) - {"read", "capture", "admin", "calendar"}:
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: it is read, capture, admin or calendar.", param_hint="--scope")
    with connected() as client:
        token = client.add_token(name, scopes, days=days, source_id=source)
        reached = client.base_url
    sys.stdout.write((json.dumps({"name": name, "scopes": scopes, "token": token}) if as_json else token) + "\n")
    if "calendar" in scopes:
        sys.stderr.write(f"For a calendar program, the days to come: {opened_at(reached)}/calendar/{token}.ics\n")
    until = f" for {days} days" if days is not None else ""
    into = f" into {source} alone" if source is not None else ""
    sys.stderr.write(
        f"Keep it: it is shown this once. It may {_allowed(scopes)}{into}{until}. End it with: lattice token revoke {name}\n"
    )


def _allowed(scopes: Sequence[str]) -> str:
    """Return what a token with these scopes may do, in words."""
    words = {"read": "ask, look and export", "capture": "tell", "calendar": "show the days to come"}
    return "do all that you may" if "admin" in scopes else " and ".join(each for name, each in words.items() if name in scopes)


@app.command("list")
def listing(as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")] = False) -> None:
    """Show which tokens there are, and what they may do.

    Example: lattice token list
    """
    from lattice_cli.connection import connected

    with connected() as client:
        for token in client.tokens():
            until = f"  until {token['expires_at'][:10]}" if token["expires_at"] else ""
            into = f"  into {token['source_id']}" if token["source_id"] else ""
            words = f"{token['name']:<20} {', '.join(token['scopes'])}{into}{until}"
            sys.stdout.write((json.dumps(token, ensure_ascii=False) if as_json else words) + "\n")


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The name it was added under.")],
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """End a token at once; browsers have to sign in again.

    Example: lattice token revoke phone
    """
    from lattice_cli.connection import connected

    with connected() as client:
        client.revoke_token(name)
    words = f"The token {name} is not accepted any more."
    sys.stdout.write((json.dumps({"revoked": name}) if as_json else words) + "\n")
