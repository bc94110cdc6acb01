"""The owner's verdicts: on an answer, and on a memory that a newer one may have made untrue."""

from __future__ import annotations

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["up", "down", "wrong"]
Outcome: TypeAlias = Literal["replaced", "both"]
"""The owner's decision on a pair of which the newer may have made the older untrue: `replaced`, it did; `both`, it did not."""
