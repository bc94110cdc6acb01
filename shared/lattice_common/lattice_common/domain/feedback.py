"""What the owner thinks of an answer, and of a memory that something newer may have made untrue."""

from __future__ import annotations

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["up", "down", "wrong"]
Outcome: TypeAlias = Literal["replaced", "both"]
"""Of two memories of which the newer may have made the older untrue: it did, or both hold."""
