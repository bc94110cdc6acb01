"""What people have, do and like: many at once, each over only when that is said of it ("I sold the Golf", "I quit smoking")."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_common.domain.slot import Claim
from lattice_common.domain.slot_clause import Clause


def habit_claims(clause: Clause, author: str) -> Iterator[Claim]:
    yield from ()
