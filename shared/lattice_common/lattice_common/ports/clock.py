"""Time and ids, as arguments of the product rather than facts of the machine."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """`now` carries an offset, and does not go back when the machine's clock is put back by up to two days: it stands nearly
    still until that has caught up. `machine` is what that clock shows. `new_id` is a fresh lower-case ULID whose time is `now`,
    greater than every id this clock gave before."""

    def now(self) -> datetime: ...

    def machine(self) -> datetime: ...

    def new_id(self) -> str: ...
