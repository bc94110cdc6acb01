"""Time and ids, passed to the product as arguments."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """`now` has an offset, and does not go back when the machine's clock is set back by up to two days: it stands nearly still
    until the machine's clock has caught up. `machine` is what that clock shows. `ahead` is the latest time that was noted before
    a clock that was wrong by more than that was put back, until it is reached again: what is dated up to then may be older than
    what comes now. `new_id` is a new lower-case ULID with the time `now`, greater than every id this clock gave before."""

    def now(self) -> datetime: ...

    def machine(self) -> datetime: ...

    def ahead(self) -> datetime | None: ...

    def new_id(self) -> str: ...
