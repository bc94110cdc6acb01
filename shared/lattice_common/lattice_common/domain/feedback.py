"""What the owner thinks of an answer."""

from __future__ import annotations

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["up", "down", "wrong"]
