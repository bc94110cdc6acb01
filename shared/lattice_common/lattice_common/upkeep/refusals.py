"""How the reasons begin for which a command is refused, by which doors tell them apart."""

from __future__ import annotations

NOT_FOUND = "not found: "
CHANGED = "changed meanwhile: "
