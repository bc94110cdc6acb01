"""What several commands say in the same words."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any


def counted(number: int, one: str, many: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {one if number == 1 else many}"


def memory_line(atom: Mapping[str, Any]) -> str:
    """Return a memory as a line of a list: its id, its day, and what it says."""
    return f"{atom['atom_id']}  {day_of(atom)}  {atom['content']}"


def day_of(atom: Mapping[str, Any]) -> str:
    """Return the day on which a memory was told."""
    return str(atom["observed_at"])[:10]


def tell_change(words: str, change_id: str, *, as_json: bool) -> None:
    """Write what was done, and how to take it back; for scripts, the id of the change."""
    told = json.dumps({"change_id": change_id}) if as_json else f"{words} Take it back with: lattice undo {change_id}"
    sys.stdout.write(f"{told}\n")
