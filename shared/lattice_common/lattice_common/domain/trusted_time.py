"""How far a machine's clock is believed when something is to be removed for its age.

A clock that is ahead makes everything old. Nothing but the clock tells the time while the machine is off, so what it says is
believed only as far as an earlier look confirms it, and a part of the time at a look: a clock that is wrong at several starts in
a row moves it by that part each time, and not by years.
"""

from __future__ import annotations

from datetime import datetime, timedelta

LEAST_STEP = timedelta(days=2)
STEP_SHARE = 4
"""A step is this part of the time that is kept: of 30 days a week, so that a machine that is started once a week is on time."""


def believed(before: datetime, looked: datetime, keep: timedelta) -> datetime:
    """Return the time that is believed now, given the one `before` and what the clock said at the last look, which a look a day
    later has confirmed. Never goes back."""
    return max(before, min(looked, before + max(LEAST_STEP, keep / STEP_SHARE)))
