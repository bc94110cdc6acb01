"""Things."""

from __future__ import annotations

from collections.abc import Iterator

from lattice_common.domain.slot import Claim
from lattice_common.domain.slot_clause import Clause


def thing_claims(clause: Clause, author: str) -> Iterator[Claim]:
    yield from ()
