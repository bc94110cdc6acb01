"""Lists on a terminal and in a pipe: one thing a line, or with `--json` one object a line, for `jq` and its like."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import typer

from lattice_cli import exits

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")]
Limit = Annotated[int, typer.Option("--limit", "-l", min=1, max=100, help="At most this many.")]


def write_each(found: Iterable[Mapping[str, Any]], line: Any, none: str, *, as_json: bool) -> None:
    """Write each item on a line of its own. With no items write `none` to standard error and exit with 1, like `grep`."""
    empty = True
    for each in found:
        empty = False
        sys.stdout.write((json.dumps(each, ensure_ascii=False) if as_json else line(each)) + "\n")
    if empty:
        if not as_json:
            sys.stderr.write(f"{none}\n")
        raise typer.Exit(exits.FAILED)
