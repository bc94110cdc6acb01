"""`lattice review`: what something newer may have made untrue, and its owner's word on it."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from lattice_common.domain.feedback import Outcome

from lattice_cli import exits

if TYPE_CHECKING:
    from lattice_common.api_schema.replies import ReviewPairReply
    from lattice_common.client import LatticeClient

ANSWERS: dict[str, Outcome] = {"y": "both", "yes": "both", "n": "replaced", "no": "replaced"}
"""The answers to "Is this still so?"; anything else leaves it for later."""


class Settled(StrEnum):
    """What became of the older one."""

    REPLACED = "replaced"
    BOTH = "both"


def review(
    newer: Annotated[str | None, typer.Argument(metavar="NEWER", help="The newer one of a pair, as listed.")] = None,
    older: Annotated[str | None, typer.Argument(metavar="OLDER", help="The older one of it.")] = None,
    settle: Annotated[Settled | None, typer.Option(help="Settle that pair: the older one was replaced, or both hold.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=100, help="At most this many.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts; asks nothing.")] = False,
) -> None:
    """List memories that a newer one may have made untrue; on a terminal, ask of each whether it is still so.

    Examples: lattice review · lattice review NEWER OLDER --settle both · lattice review --json | jq -r .older.content
    """
    from lattice_cli.connection import connected

    if len({each is None for each in (newer, older, settle)}) > 1:
        raise typer.BadParameter("Name the newer and the older memory, and say --settle replaced or --settle both.")
    with connected() as client:
        if settle is not None:
            change_id = client.settle(str(newer), str(older), settle.value, channel="cli")
            said = json.dumps({"change_id": change_id}) if as_json else _noted(settle.value, change_id)
            sys.stdout.write(f"{said}\n")
            return
        found = client.review(limit)
        if not found["review"]:
            if not as_json:
                sys.stderr.write("Nothing waits for your word.\n")
            raise typer.Exit(exits.FAILED)
        if as_json:
            sys.stdout.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in found["review"])
        elif sys.stdin.isatty() and sys.stdout.isatty():
            _ask(client, found["review"])
        else:
            sys.stdout.writelines(f"{_listed(each)}\n" for each in found["review"])
        if not as_json and (more := found["count"] - len(found["review"])) > 0:
            sys.stderr.write(f"… and {more:,} more\n")


def _ask(client: LatticeClient, pairs: Sequence[ReviewPairReply]) -> None:
    """Ask about each pair in turn. A pair that was settled elsewhere meanwhile is skipped, with a message."""
    from lattice_common.errors import Conflict, NotFound

    sys.stdout.write("y: still so, both hold · n: no longer so · q: stop · anything else: later\n")
    for each in pairs:
        sys.stdout.write(f"\n{_listed(each)}\n")
        sys.stdout.write(f"{each['question']} [y/n/q] ")
        sys.stdout.flush()
        typed = sys.stdin.readline()
        answer = typed.strip().lower()
        if not typed or answer in ("q", "quit"):
            return
        if (outcome := ANSWERS.get(answer)) is None:
            continue
        try:
            change_id = client.settle(each["newer"]["atom_id"], each["older"]["atom_id"], outcome, channel="cli")
        except (NotFound, Conflict) as error:
            sys.stdout.write(f"{error}\n")
            continue
        sys.stdout.write(f"{_noted(outcome, change_id)}\n")


def _listed(each: ReviewPairReply) -> str:
    return f"{_line(each['older'])}\n  since {str(each['since'])[:10]}:\n{_line(each['newer'])}"


def _line(atom: Mapping[str, Any]) -> str:
    return f"{atom['atom_id']}  {str(atom['observed_at'])[:10]}  {atom['content']}"


def _noted(outcome: Outcome, change_id: str) -> str:
    words = "Both hold." if outcome == "both" else "No longer so."
    return f"{words} Take it back with: lattice undo {change_id}"
