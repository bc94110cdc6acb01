"""`lattice token`: who else may talk to Lattice."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

app = typer.Typer(help="Tokens for other programs: a bot, a browser extension, a phone.", no_args_is_help=True)


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="What it is for, such as `phone`.")],
    scope: Annotated[
        list[str] | None, typer.Option("--scope", help="read, capture or admin; may be given several times.")
    ] = None,
) -> None:
    """Make a token and show it, this once. Without --scope it may read and capture.

    Example: lattice token add phone --scope capture
    """
    from lattice_cli.connection import connected

    scopes = scope or ["read", "capture"]
    if unknown := set(scopes) - {"read", "capture", "admin"}:
        raise typer.BadParameter(f"{', '.join(sorted(unknown))}: it is read, capture or admin.", param_hint="--scope")
    with connected() as client:
        sys.stdout.write(f"{client.add_token(name, scopes)}\n")
    sys.stderr.write(f"Keep it: it is shown this once. It may {' and '.join(scopes)}. End it with: lattice token revoke {name}\n")


@app.command("list")
def listing() -> None:
    """Which tokens there are, and what they may do."""
    from lattice_cli.connection import connected

    with connected() as client:
        for token in client.tokens():
            sys.stdout.write(f"{token['name']:<20} {', '.join(token['scopes'])}\n")


@app.command()
def revoke(name: Annotated[str, typer.Argument(help="The name it was added under.")]) -> None:
    """End a token at once; browsers have to sign in again."""
    from lattice_cli.connection import connected

    with connected() as client:
        client.revoke_token(name)
    sys.stdout.write(f"The token {name} is not accepted any more.\n")
