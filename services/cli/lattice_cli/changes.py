"""Commands that change, or take everything out: `undo`, `retry`, `export`."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from lattice_common.domain.replacement import without_values
from lattice_common.errors import InvalidInput

from lattice_cli import exits
from lattice_cli.words import tell_change


def undo(
    change_id: Annotated[str, typer.Argument(help="What `lc` or the page named: the id of a capture, or of a change.")],
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Take back all that one capture brought, or one change. That can be undone too.

    Example: lattice undo 01m7zcs28a17w2rw7a0qzsdx9r
    """
    from lattice_cli.connection import connected

    with connected() as client:
        undone = client.undo(change_id)
    sys.stdout.write(
        json.dumps({"change_id": undone}) + "\n" if as_json else f"Taken back. Bring it back with: lattice undo {undone}\n"
    )


def merge(
    kept: Annotated[str, typer.Argument(metavar="ID", help="The memory that stays.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The one that says the same, and is replaced by it.")],
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Make one memory of two that say the same. Nothing is lost: the other one stays as what was replaced.

    Example: lattice merge 01m7zcs28a17w2rw7a0qzsdx9r 01m7zcs28ayc1639ecsmey20js
    """
    from lattice_cli.connection import connected

    with connected() as client:
        change_id = client.merge(kept, other)
    tell_change("Merged.", change_id, as_json=as_json)


def retry(
    capture_id: Annotated[str | None, typer.Argument(help="A capture that could not be read.")] = None,
    every: Annotated[bool, typer.Option("--all", help="All of them.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")] = False,
) -> None:
    """Try again to read what could not be read (`lattice status` counts those as dead).

    Examples: lattice retry 01m7zcs28a17w2rw7a0qzsdx9r · lattice retry --all
    """
    from lattice_cli.connection import connected

    if (capture_id is None) != every:
        raise typer.BadParameter("Name one capture, or say --all.")
    with connected() as client:
        dead = (
            [each["capture_id"] for each in client.captures(state="dead", limit=200)["captures"]]
            if capture_id is None
            else [capture_id]
        )
        failed = 0
        for each in dead:
            client.retry(each)
            reply = client.wait_for(each, 60.0)
            failed += reply["state"] == "dead"
            words = f"{each}  {reply['state']}{'  ' + reply['reason'] if reply['reason'] else ''}"
            sys.stdout.write((json.dumps(reply, ensure_ascii=False) if as_json else words) + "\n")
    if not dead and not as_json:
        sys.stdout.write("There is nothing to try again.\n")
    if failed:
        raise typer.Exit(exits.FAILED)


def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, to standard output.")] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="jsonl|markdown", help="One JSON object a line, or one readable page.")
    ] = "jsonl",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts: what it writes anyway.")] = False,
) -> None:
    """Write out every memory. With the server away it reads the folder.

    Examples: lattice export --format markdown me.md · lattice export | jq -r .content
    """
    if form not in ("jsonl", "markdown"):
        raise typer.BadParameter("It is `jsonl` or `markdown`.", param_hint="--format")
    if as_json and form != "jsonl":
        raise typer.BadParameter(f"Say either --json or --format {form}.")
    lines = _lines(form, from_product_or_folder("export"))  # type: ignore[arg-type]
    if file is None:
        for line in lines:
            sys.stdout.write(line)
        return
    write_whole(file, lines)
    sys.stderr.write(f"Written to {file}\n")


def write_whole(file: Path, lines: Iterable[str]) -> None:
    """Write all of the lines or none, readable by the owner only. A target that is no regular file (a pipe, a device) is written
    to directly. Raise `InvalidInput` where it cannot be written."""
    try:
        _write_whole(file.resolve(), lines)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {error.strerror}. Nothing was written; name another file.") from error


def _write_whole(file: Path, lines: Iterable[str]) -> None:
    if file.exists() and not file.is_file():
        with file.open("w", encoding="utf-8") as out:
            out.writelines(lines)
        return
    beside = file.with_name(f".{file.name}.part")
    beside.unlink(missing_ok=True)
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        with open(descriptor, "w", encoding="utf-8") as out:  # noqa: PTH123 - a descriptor, not a path
            out.writelines(lines)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)


def from_product_or_folder(what: Literal["export", "examples"]) -> Iterator[dict[str, Any]]:
    """Yield what the running product gives under this name; with it away, what its folder does."""
    from lattice_cli.connection import running

    client = running()
    if client is not None:
        with client:
            yield from client.export() if what == "export" else client.examples()
        return
    from lattice_common.inspection import inspect

    from lattice_cli.target import find_target

    with inspect(find_target().data_dir, whole=False) as inspection:
        yield from inspection.export() if what == "export" else inspection.examples()


def _lines(form: Literal["jsonl", "markdown"], memories: Iterable[dict[str, Any]]) -> Iterator[str]:
    if form == "jsonl":
        yield from (json.dumps(each, ensure_ascii=False, default=str) + "\n" for each in memories)
        return
    yield "# What I told\n"
    day = ""
    for each in sorted(memories, key=lambda memory: str(memory["observed_at"])):
        said = str(each["observed_at"])[:10]
        if said != day:
            day = said
            yield f"\n## {day}\n\n"
        content = " ".join(str(each["content"]).split())
        yield (
            f"- ~~{content}~~ ({without_values(each.get('superseded_reason')) or 'replaced'})\n"
            if each.get("is_superseded")
            else f"- {content}\n"
        )
