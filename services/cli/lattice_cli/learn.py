"""`lattice learn`: what the owner's own corrections teach, as examples that only the owner hands over."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from lattice_cli.changes import from_product_or_folder, write_whole

learning = typer.Typer(help="Examples to learn from, of what you corrected.", no_args_is_help=True, rich_markup_mode=None)


@learning.callback()
def _learning() -> None:
    """Export examples to learn from, of what you corrected."""


@learning.command()
def export(
    file: Annotated[Path | None, typer.Argument(help="Where to; without it, to standard output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts: what it writes anyway.")] = False,  # noqa: ARG001 - every command takes it
) -> None:
    """Write out what you did later (undo, "both hold", "no longer so", thumbs, told instead of asked) as labelled examples.

    They hold your words: look through them before you give them to anybody. With the server away it reads the folder.

    Examples: lattice learn export examples.jsonl · lattice learn export | jq -r .label | sort | uniq -c
    """
    lines = [json.dumps(each, ensure_ascii=False) + "\n" for each in from_product_or_folder("examples")]
    if file is None:
        sys.stdout.writelines(lines)
        return
    write_whole(file, lines)
    sys.stderr.write(f"{len(lines):,} examples written to {file}\n")
