"""`lattice edit`: a memory in your editor, its fields above its words."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from lattice_common.errors import InvalidInput, NotConfigured

from lattice_cli import exits
from lattice_cli.words import tell_change

FIELDS = ("subject", "kind", "entities", "valid_from", "valid_until", "importance", "confidence")
"""What an edit may set beside the words; times as they stand, entities with commas between."""
NUMBERS = frozenset({"importance", "confidence"})
HEAD = "# Change what is to be changed, save, and close. Nothing is changed when nothing differs.\n"


def edit(
    atom_id: Annotated[str, typer.Argument(metavar="ID", help="As `lattice atoms` lists it.")],
    content: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What it is to say, without an editor; `-` reads the pipe.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help=f"A field, without an editor: {', '.join(FIELDS)}.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For scripts.")] = False,
) -> None:
    """Edit a memory in $VISUAL or $EDITOR; what somebody else changed meanwhile is not overwritten.

    Examples: lattice edit ID · lattice edit ID --content "The spare key is with Tom." · lattice edit ID --set importance=0.9
    """
    from lattice_cli.connection import connected

    with connected() as client:
        found = client.atom(atom_id)
        if content is None and not set_:
            wanted = fields_in(_edited(page_of(found)))
        else:
            wanted = dict(_assigned(each) for each in set_ or [])
            if content is not None:
                wanted["content"] = (sys.stdin.read() if content == "-" else content).strip()
        changed = {name: value for name, value in wanted.items() if value != _as_is(found, name)}
        if not changed:
            sys.stdout.write(json.dumps({"change_id": None}) + "\n" if as_json else "Nothing differs: nothing was changed.\n")
            return
        change_id = client.edit(atom_id, changed, etag=found["etag"])
    tell_change("Changed.", change_id, as_json=as_json)


def page_of(atom: Mapping[str, Any]) -> str:
    """Return a memory as a page to edit."""
    lines = [f"{name}: {_written(_as_is(atom, name))}".rstrip() for name in FIELDS]
    return HEAD + "\n".join(lines) + f"\n\n{atom['content']}\n"


def fields_in(page: str) -> dict[str, Any]:
    """Return what a page says: the fields up to the first empty line, then the words. Raise `InvalidInput`."""
    head, _, body = page.partition("\n\n")
    found: dict[str, Any] = {}
    for line in head.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, value = _assigned(line, ":")
        found[name] = value
    if not body.strip():
        raise InvalidInput(
            "The page has no words below its fields. Nothing was changed; `lattice undo` and the page delete things."
        )
    return {**found, "content": body.strip()}


def _assigned(text: str, mark: str = "=") -> tuple[str, Any]:
    name, sign, value = text.partition(mark)
    name, value = name.strip(), value.strip()
    if not sign or name not in FIELDS:
        raise InvalidInput(f"{text.strip()[:60]!r} sets no field: write one of {', '.join(FIELDS)}, then `{mark}` and its value.")
    if name == "entities":
        return name, [each.strip() for each in value.split(",") if each.strip()]
    if name in NUMBERS:
        try:
            return name, float(value)
        except ValueError as error:
            raise InvalidInput(f"{name} is a number from 0 to 1, and {value[:20]!r} is none.") from error
    return name, value or None


def _as_is(atom: Mapping[str, Any], name: str) -> Any:
    return atom.get(name) or ([] if name == "entities" else None if name not in NUMBERS else 0.0)


def _written(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else "" if value is None else str(value)


def _edited(page: str) -> str:
    """Return the page as it was left. Raise `NotConfigured` where there is no editor, `typer.Exit` where it ended badly."""
    # What runs an editor takes longer to import than `lattice --help` to print.
    import shlex
    import subprocess
    import tempfile

    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="lattice-") as folder:
        path = Path(folder) / "memory.md"
        path.write_text(page, encoding="utf-8")
        try:
            ended = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode  # noqa: S603 - the owner's own editor
        except FileNotFoundError as error:
            line = "EDITOR=nano"
            raise NotConfigured(f"There is no editor {editor!r} here. Name yours: export {line}", env_line=line) from error
        if ended != 0:
            sys.stderr.write(f"The editor ended with {ended}: nothing was changed.\n")
            raise typer.Exit(exits.FAILED)
        return path.read_text(encoding="utf-8")
