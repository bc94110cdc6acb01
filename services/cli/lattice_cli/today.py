"""`lattice today`: what is due, what changed, what was on this day."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from lattice_cli import exits

if TYPE_CHECKING:
    from lattice_common.api_schema.usage import BriefingReply


def today(
    days: Annotated[int, typer.Option("--days", min=1, max=60, help="Look so many days ahead.")] = 7,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Show what is due, what changed this week, what was on this day, what waits for your word. Exit code 1 when there is
    nothing.

    Examples: lattice today · lattice today --days 30
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.today(days)
    lines = list(_lines(found))
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n" if as_json else "".join(f"{line}\n" for line in lines))
    if not lines:
        if not as_json:
            sys.stderr.write("Nothing is due, and nothing changed.\n")
        raise typer.Exit(exits.FAILED)


def _lines(found: BriefingReply) -> Iterator[str]:
    for each in found["due"]:
        how = {"date": "", "end": "  (until then)", "yearly": "  (every year)"}[each["by"]]
        yield f"{each['on']}  {each['atom']['content']}{how}"
    for changed in found["changed"]:
        before = "; ".join(old["content"] for old in changed["replaced"])
        yield f"Changed {changed['atom']['observed_at'][:10]}  {changed['atom']['content']}  (before: {before})"
    for then in found["on_this_day"]:
        ago = "a year" if then["years"] == 1 else f"{then['years']} years"
        yield f"{ago.capitalize()} ago  {then['atom']['content']}"
    for now in found["answerable"]:
        yield f"You asked {now['asked_at'][:10]}: {now['question']}  Now: {now['atom']['content']}"
    if (idea := found["idea"]) is not None:
        why = " · ".join(atom["content"] for atom in idea["because"])
        yield f"An idea: {idea['atom']['content']}  (because: {why})"
    if waiting := found["in_review"] + found["disagreeing"] + found["to_correct"]:
        yield f"{waiting:,} to review: lattice review"
