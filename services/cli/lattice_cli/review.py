"""`lattice review`: what waits for its owner's word. Memories that something newer may have made untrue, pairs of which only one
can be so, and those that were called wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer
from lattice_common.domain.feedback import Outcome

from lattice_cli import exits
from lattice_cli.words import memory_line, tell_change

if TYPE_CHECKING:
    from lattice_common.api_schema.replies import ConflictReply, ReviewPairReply
    from lattice_common.client import LatticeClient

ANSWERS: dict[str, Outcome] = {"y": "both", "yes": "both", "n": "replaced", "no": "replaced"}
"""The answers to "Is this still so?"; anything else leaves it for later."""
NOTED: dict[Outcome, str] = {"both": "Both hold.", "replaced": "No longer so."}
WHICH = "Only one can be so. Which?"
QUIT = ("q", "quit")


class Settled(StrEnum):
    """What became of the older one."""

    REPLACED = "replaced"
    BOTH = "both"


def review(
    newer: Annotated[str | None, typer.Argument(metavar="NEWER", help="The newer one of a pair; or the one that holds.")] = None,
    older: Annotated[str | None, typer.Argument(metavar="OLDER", help="The other one of it.")] = None,
    settle: Annotated[Settled | None, typer.Option(help="Settle that pair: the other one was replaced, or both hold.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-l", min=1, max=100, help="At most this many of each.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts; asks nothing.")] = False,
) -> None:
    """List memories that a newer one may have made untrue, two of which only one can be so, and those you called wrong; on a
    terminal, ask about each.

    Examples: lattice review · lattice review NEWER OLDER --settle both · lattice review --json | jq -r .older.content
    """
    from lattice_cli.connection import connected

    if len({each is None for each in (newer, older, settle)}) > 1:
        raise typer.BadParameter("Name the newer and the older memory, and say --settle replaced or --settle both.")
    with connected() as client:
        if settle is not None:
            change_id = client.settle(str(newer), str(older), settle.value, channel="cli")
            tell_change(NOTED[settle.value], change_id, as_json=as_json)
            return
        _list(client, limit, as_json=as_json)


def _list(client: LatticeClient, limit: int, *, as_json: bool) -> None:
    found = client.review(limit)
    pairs, conflicts, wrong = found["review"], client.conflicts(limit), client.to_correct(limit)
    if not (pairs or conflicts or wrong):
        if not as_json:
            sys.stderr.write("Nothing waits for your word.\n")
        raise typer.Exit(exits.FAILED)
    if as_json:
        lines = [{"type": "may_update", **each} for each in pairs]
        lines += [{"type": "contradicts", **each} for each in conflicts]
        lines += [{"type": "wrong", **each} for each in wrong]
        sys.stdout.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)
        return
    stopped = False
    if sys.stdin.isatty() and sys.stdout.isatty():
        stopped = _ask(client, pairs) or _ask_which(client, conflicts)
    else:
        sys.stdout.writelines(f"{_listed(each)}\n" for each in pairs)
        sys.stdout.writelines(f"{_disagreeing(each)}\n" for each in conflicts)
    if not stopped:
        sys.stdout.writelines(f"{_called_wrong(each)}\n" for each in wrong)
    if (more := found["count"] - len(pairs)) > 0:
        sys.stderr.write(f"… and {more:,} more\n")


def _ask(client: LatticeClient, pairs: Sequence[ReviewPairReply]) -> bool:
    """Ask about each pair in turn; return whether the owner stopped."""
    if pairs:
        sys.stdout.write("y: still so, both hold · n: no longer so · q: stop · anything else: later\n")
    for each in pairs:
        answer = _typed(f"\n{_listed(each)}\n{each['question']} [y/n/q] ")
        if answer in QUIT:
            return True
        if (outcome := ANSWERS.get(answer)) is not None:
            _settle(client, each["newer"], each["older"], outcome)
    return False


def _ask_which(client: LatticeClient, conflicts: Sequence[ConflictReply]) -> bool:
    """Ask of each two that disagree which is so; return whether the owner stopped."""
    if conflicts:
        sys.stdout.write("1: the first is so · 2: the second · b: both are · q: stop · anything else: later\n")
    for each in conflicts:
        answer = _typed(f"\n{_disagreeing(each)}\n{WHICH} [1/2/b/q] ")
        one, other = each["disagrees_with"], each["atom"]
        match answer:
            case "q" | "quit":
                return True
            case "1":
                _settle(client, one, other, "replaced")
            case "2":
                _settle(client, other, one, "replaced")
            case "b" | "both":
                _settle(client, one, other, "both")
    return False


def _typed(question: str) -> str:
    """Return what is typed below a question; `q` where nobody types any more."""
    sys.stdout.write(question)
    sys.stdout.flush()
    typed = sys.stdin.readline()
    return typed.strip().lower() if typed else "q"


def _settle(client: LatticeClient, newer: Mapping[str, Any], older: Mapping[str, Any], outcome: Outcome) -> None:
    """Keep the owner's word. A pair that was settled elsewhere meanwhile is skipped, with a message."""
    from lattice_common.errors import Conflict, NotFound

    try:
        change_id = client.settle(newer["atom_id"], older["atom_id"], outcome, channel="cli")
    except (NotFound, Conflict) as error:
        sys.stdout.write(f"{error}\n")
        return
    tell_change(NOTED[outcome], change_id, as_json=False)


def _listed(each: ReviewPairReply) -> str:
    return f"{memory_line(each['older'])}\n  since {str(each['since'])[:10]}:\n{memory_line(each['newer'])}"


def _disagreeing(each: ConflictReply) -> str:
    """Return two that disagree, first the one that was there before."""
    return f"{memory_line(each['disagrees_with'])}\n  says otherwise:\n{memory_line(each['atom'])}"


def _called_wrong(each: Mapping[str, Any]) -> str:
    return f"{memory_line(each['atom'])}\n  called wrong {str(each['at'])[:10]}: lattice edit {each['atom']['atom_id']}"
