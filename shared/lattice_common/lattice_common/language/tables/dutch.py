"""Days of the week and months of Dutch, which has no further words here."""

from __future__ import annotations

WEEKDAYS = ("maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag")
"""From Monday."""
MONTHS = (
    *("januari", "februari", "maart", "april", "mei", "juni"),
    *("juli", "augustus", "september", "oktober", "november", "december"),
)
