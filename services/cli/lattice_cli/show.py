"""Looking at what is remembered: `atoms`, `show`, `history`, `diff`, `timeline`, `profile`, `rejected`, `captures`.

With `--json` lists are one object a line, for `jq` and its like.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from lattice_cli import exits
from lattice_cli.lists import AsJson, Limit, write_each
from lattice_cli.words import day_of, memory_line, tell_change

SHOWN = ("kind", "subject", "observed_at", "valid_from", "valid_until", "source_id", "quality_score", "recall_count")
"""Fields that `show` names, in this order; --json has all."""

HALVES = {"lasting": "Lasting", "recent": "Of the last four weeks"}


class State(StrEnum):
    """Where a capture may stand."""

    WAITING = "waiting"
    WORKING = "working"
    STORED = "stored"
    DUPLICATE = "duplicate"
    REJECTED = "rejected"
    DEAD = "dead"


Day = Annotated[str | None, typer.Option(metavar="DATE", help="Like 2026-05-01.")]


def atoms(
    words: Annotated[list[str] | None, typer.Argument(help="What they are about; without any, the newest.")] = None,
    kind: Annotated[str | None, typer.Option(help="Of one kind: fact, preference, event, synthesis, insight …")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """List memories: the newest, or those that some words are about. Exit code 1 when there is none.

    Examples: lattice atoms · lattice atoms spare key · lattice atoms --kind insight · lattice atoms --json | jq -r .content
    """
    from lattice_cli.connection import connected

    with connected() as client:
        if words:
            selected = client.select(" ".join(words), limit=limit, judged=True, filter={"kind": [kind]} if kind else {})
            found: Sequence[Mapping[str, Any]] = selected["atoms"]
            if found and not selected["answerable"] and not as_json:
                sys.stderr.write("Nothing is about that for sure; these are the nearest.\n")
            sys.stderr.writelines(f"Searched without all of memory: {missing}.\n" for missing in selected["degraded"])
        else:
            found = client.recent(limit, kind=kind)
    none = "Nothing is remembered of that." if words or kind else 'Nothing is remembered yet. Tell it something: lc "…"'
    write_each(found, _line, none, as_json=as_json)


def show(
    atom_id: Annotated[str, typer.Argument(metavar="ID", help="As `lattice atoms` lists it.")],
    as_json: AsJson = False,
) -> None:
    """Show one memory: what it says, the words it comes from, what it replaced.

    Example: lattice show 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.atom(atom_id)
    if as_json:
        sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
        return
    lines = [found["content"], ""]
    lines += [f"  {name:<14} {found[name]}" for name in SHOWN if found.get(name) not in (None, "")]
    if entities := found.get("entities"):
        lines.append(f"  {'entities':<14} {', '.join(entities)}")
    if source := found["source"]:
        text, start, end = source["text"], source["start"], source["end"]
        named = f" ({source['original']})" if source["original"] else ""
        lines += ["", f"Said{named}:", *_indented(f"{text[:start]}»{text[start:end]}«{text[end:]}")]
    if replaced_by := found["replaced_by"]:
        lines += ["", f"Replaced by {replaced_by['atom_id']}: {replaced_by['content']}"]
    lines += [f"Until {each['until'][:10]} it said: {each['content']}" for each in found["edits"]]
    lines += [f"Replaced {day_of(old)}  {old['content']}{_why(old)}  ({old['atom_id']})" for old in found["history"]]
    lines += [f"Rests on {other['atom_id']}: {other['content']}" for other in found["related"] if other["type"] == "derives"]
    lines += [f"Disagrees with {other['atom_id']}: {other['content']}" for other in found["disagrees"]]
    doubted = [other for other in found["related"] if other["type"] == "may_update"]
    lines += [f"May have ended {other['atom_id']}: {other['content']}" for other in doubted]
    lines += [f"May be outdated by {other['atom_id']}: {other['content']}" for other in found["may_be_outdated_by"]]
    sys.stdout.write("\n".join(lines) + "\n")


def history(atom_id: Annotated[str, typer.Argument(metavar="ID")], as_json: AsJson = False) -> None:
    """Show what a memory replaced, oldest first, and why.

    Example: lattice history 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.atom(atom_id)
    now = {name: found.get(name) for name in ("atom_id", "content", "observed_at", "superseded_reason", "change", "replaced_on")}
    write_each([*reversed(found["history"]), now], _version, "", as_json=as_json)


def diff(
    atom_id: Annotated[str, typer.Argument(metavar="ID")],
    other: Annotated[str | None, typer.Argument(metavar="OTHER", help="Else what it replaced last.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed, word by word, from what a memory replaced, or from another memory. Exit code 1 when there is no other.

    Example: lattice diff 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    with connected() as client:
        new = client.atom(atom_id)
        old = client.atom(other) if other else next(iter(new["history"]), None)
    if old is None:
        sys.stderr.write("It replaced nothing. Name another memory to compare it with: lattice diff ID OTHER\n")
        raise typer.Exit(exits.FAILED)
    words = " ".join(_changes(old["content"].split(), new["content"].split()))
    if as_json:
        told = {"from": old["atom_id"], "to": new["atom_id"], "before": old["content"], "after": new["content"], "diff": words}
        sys.stdout.write(json.dumps(told, ensure_ascii=False) + "\n")
        return
    lines = [f"--- {old['atom_id']}  {day_of(old)}", f"+++ {new['atom_id']}  {day_of(new)}"]
    sys.stdout.write("\n".join([*lines, words]) + "\n")


def timeline(
    subject: Annotated[str | None, typer.Option(help="Of one subject.")] = None,
    after: Day = None,
    before: Day = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """Show memories in the order of what they speak of, oldest first; `(replaced)` marks what holds no more.

    Example: lattice timeline --after 2026-01-01 --subject home
    """
    from lattice_cli.connection import connected
    from lattice_cli.days import start_of

    with connected() as client:
        found = client.timeline(
            after=start_of(after, "--after"), before=start_of(before, "--before"), subject=subject, limit=limit
        )
    write_each(
        found,
        lambda each: f"{each['at'][:10]}  {each['atom']['content']}{_replaced(each['atom'])}",
        "There is nothing in that time.",
        as_json=as_json,
    )


def profile(
    limit: Limit = 10,
    tokens: Annotated[int | None, typer.Option(min=50, max=100_000, help="Within about so many tokens.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show who you are by what you told, as far as it holds: what lasts, then what the last four weeks brought.

    Examples: lattice profile --limit 3 · lattice profile --tokens 500
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.profile(limit, tokens=tokens)
    halves = (("lasting", found["lasting"]), ("recent", found["recent"]))
    groups = [{"half": half, **group} for half, every in halves for group in every]
    write_each(groups, _profile_group, "You said nothing of yourself yet.", as_json=as_json)
    if not as_json and found["left_out"]:
        sys.stderr.write(f"… and {found['left_out']:,} more\n")


def _profile_group(group: Mapping[str, Any]) -> str:
    return "\n".join([f"{HALVES[group['half']]}, {group['category']}", *map(_profile_line, group["lines"])])


def _profile_line(line: Mapping[str, Any]) -> str:
    learned = f", learned from {line['source']['title'] or line['source']['source_id'] or 'a document'}"
    return f"  {line['content']}  (since {line['since'][:10]}{learned if line['origin'] == 'learned' else ''})  {line['atom_id']}"


def rejected(
    keep: Annotated[str | None, typer.Option(metavar="ID", help="Keep this one all the same, as your own statement.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show what was set aside instead of remembered, and why; newest first.

    Examples: lattice rejected · lattice rejected --keep ID
    """
    from lattice_cli.connection import connected

    with connected() as client:
        if keep:
            tell_change("Remembered.", client.keep(keep), as_json=as_json)
            return
        found = client.rejected(limit)
    write_each(found, _set_aside, "Nothing was set aside.", as_json=as_json)


def captures(
    state: Annotated[State | None, typer.Option(help="Of these alone.")] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
) -> None:
    """Show what was told, and what became of it; newest first.

    Examples: lattice captures · lattice captures --state dead
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.captures(state=state, limit=limit)["captures"]
    none = f"There is none that is {state}." if state else 'Nothing was told yet. Begin with: lc "…"'
    write_each(found, _capture, none, as_json=as_json)


def _line(atom: Mapping[str, Any]) -> str:
    return f"{memory_line(atom)}{_replaced(atom)}"


def _version(atom: Mapping[str, Any]) -> str:
    return f"{memory_line(atom)}{_why(atom)}"


def _why(atom: Mapping[str, Any]) -> str:
    """Return the change as old → new, where that is a word or two, and else the reason."""
    if change := atom["change"]:
        return f"  ({change['before']} → {change['after'] or 'no longer so'})"
    return f"  ({atom['superseded_reason']})" if atom["superseded_reason"] else ""


def _set_aside(each: Mapping[str, Any]) -> str:
    kept = "  (kept)" if each["kept"] else ""
    return f"{each['rejected_id']}  {each['at'][:10]}  {each['content']}  [{each['reason']}]{kept}"


def _capture(each: Mapping[str, Any]) -> str:
    told = f"{each['atoms_new']} new, {each['atoms_updated']} updated"
    when = (each.get("received_at") or "")[:16].replace("T", " ")
    return f"{each['capture_id']}  {when:<16}  {each['state']:<9}  {each['reason'] or told}"


def _replaced(atom: Mapping[str, Any]) -> str:
    meant = atom.get("status") or "asserted"
    said = "" if meant == "asserted" else f"  ({meant})"
    return f"{said}  (replaced)" if atom.get("is_superseded") else said


def _indented(text: str) -> list[str]:
    return [f"  {line}" for line in text.splitlines()]


def _changes(old: list[str], new: list[str]) -> Iterator[str]:
    from difflib import SequenceMatcher

    for what, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            yield " ".join(old[a:b])
            continue
        if a < b:
            yield f"[-{' '.join(old[a:b])}-]"
        if c < d:
            yield "{+" + " ".join(new[c:d]) + "+}"
