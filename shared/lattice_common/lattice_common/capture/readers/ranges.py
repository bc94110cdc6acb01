"""Numbers of pages for reading."""

from __future__ import annotations

from collections.abc import Sequence


def ranges(numbers: Sequence[int]) -> str:
    """Return page numbers for reading, twenty parts at most: `3, 7-9`."""
    parts: list[tuple[int, int]] = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1] = (parts[-1][0], number)
        else:
            parts.append((number, number))
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in parts[:20])
