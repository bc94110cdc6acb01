"""`lattice ask`: a question, an answer, and where it comes from."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from lattice_cli import exits


def ask(
    question: Annotated[list[str], typer.Argument(help="The question, in your own words.")],
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="DATE", help="As things stood then: 2026-05-01.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The API's answer, for scripts.")] = False,
) -> None:
    """Ask what you once told. Exit code 1 when nothing answers it.

    Example: lattice ask "where is the spare key?"
    """
    from lattice_cli.connection import connected

    with connected() as client:
        reply = client.answer(" ".join(question), as_of=_moment(as_of))
    if as_json:
        sys.stdout.write(json.dumps(reply, ensure_ascii=False, indent=2) + "\n")
    else:
        lines = [reply["answer"]]
        if reply["citations"]:
            lines.append("")
        for each in reply["citations"]:
            origin = f", {each['source_id']}" if each["source_id"] else ""
            doubt = "" if each["supported"] else "  (not borne out)"
            lines.append(f"  [{each['n']}] “{each['quote']}”  {each['observed_at'][:10]}{origin}  {each['atom_id']}{doubt}")
        lines += [f"  ! {warning}" for warning in reply["warnings"]]
        sys.stdout.write("\n".join(lines) + "\n")
    if not reply["answered"]:
        raise typer.Exit(exits.FAILED)


def _moment(day: str | None) -> str | None:
    """A day alone means its end, here: what was known that evening."""
    from datetime import datetime

    if day is None:
        return None
    try:
        moment = datetime.fromisoformat(day)
    except ValueError as error:
        raise typer.BadParameter(f"{day} is no date: write it as 2026-05-01.", param_hint="--as-of") from error
    if len(day) <= len("2026-05-01"):
        moment = moment.replace(hour=23, minute=59, second=59)
    return moment.astimezone().isoformat() if moment.tzinfo is None else moment.isoformat()
