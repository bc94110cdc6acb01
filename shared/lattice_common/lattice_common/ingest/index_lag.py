"""Which search engines missed something, and wait to be brought up to date.

An engine in the process is as sound as its disk: when it cannot be written, nothing can, and the writer waits. One on a server
may be away for a while: canonical state goes on without it, and what the engine missed is added when it is back.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Literal, TypeAlias

from lattice_common.errors import Unavailable
from lattice_common.logs import logger

log = logger(__name__)

Leg: TypeAlias = Literal["lexical", "dense"]


class IndexLag:
    """`tolerates` says whether the engines may be away. One thread writes; any thread may read `legs`."""

    def __init__(self, *, tolerates: bool = False) -> None:
        self.tolerates = tolerates
        self._legs: frozenset[Leg] = frozenset()

    @property
    def legs(self) -> frozenset[Leg]:
        return self._legs

    @contextlib.contextmanager
    def tolerated(self, leg: Leg) -> Iterator[None]:
        """Record that a leg is behind where a write inside fails. Raise `Unavailable` where that is not tolerated."""
        try:
            yield
        except Unavailable as error:
            if not self.tolerates:
                raise
            if leg not in self._legs:
                log.warning("index_behind", index=leg, reason=str(error))
            self._legs |= {leg}

    def forget(self) -> frozenset[Leg]:
        """Return the legs that were behind, and count none as behind from here on."""
        legs, self._legs = self._legs, frozenset()
        return legs
