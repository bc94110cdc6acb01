"""`lattice forget`: have memories forgotten, after seeing what goes with them."""

from __future__ import annotations

import json
import sys
from datetime import datetime, timedelta
from typing import Annotated, Any

import typer

from lattice_cli import exits
from lattice_cli.terminal import agreed
from lattice_cli.words import counted

LONGEST = 120
SHOWN = 20


def forget(
    ids: Annotated[list[str] | None, typer.Argument(metavar="ID…", help="Memories, by their ids.", show_default=False)] = None,
    subject: Annotated[str | None, typer.Option(help="All of a subject.")] = None,
    about: Annotated[str | None, typer.Option(metavar="NAME", help="All that says this name, or all these words.")] = None,
    source: Annotated[str | None, typer.Option(help="All of a source, or of one capture, by its id.")] = None,
    search: Annotated[str | None, typer.Option(help="What a search finds that says all its words.")] = None,
    between: Annotated[
        tuple[str, str] | None, typer.Option(metavar="DAY DAY", help="All said between two days, both included (2026-03-01).")
    ] = None,
    now: Annotated[bool, typer.Option("--now", help="At once and for good, not into the trash first.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Without asking.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts: what would go; with --yes, what went.")] = False,
) -> None:
    """Forget, after showing what goes: into the trash, and for good when it leaves that (LATTICE_TRASH_DAYS); with --now at once.

    Examples: lattice forget 01m7zcs28a17w2rw7a0qzsdx9r · lattice forget --about Tom --now
    """
    from lattice_cli.connection import connected

    what = _what(ids or [], subject=subject, about=about, source=source, search=search, between=between)
    with connected() as client:
        shown = client.forget(what, now=now, channel="cli")
        if as_json and not yes:
            sys.stdout.write(json.dumps(shown, ensure_ascii=False) + "\n")
            return
        if not as_json:
            sys.stdout.write(_preview(shown))
        if not yes and not agreed():
            sys.stdout.write("Nothing was changed.\n")
            raise typer.Exit(exits.FAILED)
        done = client.forget(what, now=now, confirm=shown["confirm"], channel="cli")
    sys.stdout.write(json.dumps(done, ensure_ascii=False) + "\n" if as_json else _told(done))


def _what(ids: list[str], *, between: tuple[str, str] | None, **named: str | None) -> dict[str, Any]:
    what: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if ids:
        what["atom_ids"] = ids
    if between is not None:
        first, last = (_midnight(day) for day in between)
        what |= {"after": first.isoformat(), "before": (last + timedelta(days=1)).isoformat()}
    if len(what) != (2 if between else 1):
        raise typer.BadParameter("Say in one way what to forget: ids, or one of the options.")
    return what


def _midnight(day: str) -> datetime:
    try:
        return datetime.fromisoformat(day).astimezone()
    except ValueError as error:
        raise typer.BadParameter(f"{day} is no day: write it like 2026-03-01.", param_hint="--between") from error


def _preview(shown: dict[str, Any]) -> str:
    lines = [f"This would be forgotten ({len(shown['atom_ids'])}):"]
    lines += [f"  {each['atom_id']}  {' '.join(str(each['content']).split())[:LONGEST]}" for each in shown["atoms"][:SHOWN]]
    if (more := len(shown["atom_ids"]) - len(shown["atoms"][:SHOWN])) > 0:
        lines.append(f"  … and {more} more")
    touched = (
        (shown["conclusions"], "conclusion", "conclusions", " drawn from it"),
        (shown["captures"], "capture", "captures", ", in which it is redacted"),
        (shown["files"], "file", "files", " among them, of which what cannot be redacted goes"),
        (shown["backups"], "backup", "backups", ", out of which it goes"),
    )
    lines += [f"  {counted(len(found), one, many)}{what}" for found, one, many, what in touched if found]
    if shown["chat_turns"]:
        lines.append(f"  {counted(shown['chat_turns'], 'turn', 'turns')} of the conversation")
    if number := shown["passages"]:
        fate = "forgotten too" if not shown["until"] else "kept, for there is no trash of them, and forgotten with --now"
        lines.append(f"  {counted(number, 'sentence', 'sentences')} of documents, of which no memory was made: {fate}")
    lines += [f"  It stays in a backup that is out of reach: {each}" for each in shown["backups_out_of_reach"]]
    lines.append(
        f"It goes into the trash, can be undone until {shown['until'][:10]}, and is forgotten then."
        if shown["until"]
        else "It is forgotten at once, and cannot be brought back."
    )
    return "\n".join(lines) + "\n"


def _told(done: dict[str, Any]) -> str:
    count = len(done["atom_ids"])
    what = "1 memory" if count == 1 else f"{count} memories"
    if done["state"] == "in_trash":
        return f"In the trash until {done['until'][:10]}: {what}. To take that back: lattice undo {done['change_id']}\n"
    return f"Forgotten: {what}.\n"
