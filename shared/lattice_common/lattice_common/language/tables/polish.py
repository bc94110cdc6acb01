"""Polish names of months and days in the cases in which they stand behind "w", "od" and "do"."""

from __future__ import annotations

MONTHS_IN = (
    *("styczniu", "lutym", "marcu", "kwietniu", "maju", "czerwcu"),
    *("lipcu", "sierpniu", "wrześniu", "październiku", "listopadzie", "grudniu"),
)
"""Behind "w", from January."""
MONTHS_OF = (
    *("stycznia", "lutego", "marca", "kwietnia", "maja", "czerwca"),
    *("lipca", "sierpnia", "września", "października", "listopada", "grudnia"),
)
"""Behind "od", "do" and a number, from January."""
WEEKDAYS_OF = ("poniedziałku", "wtorku", "środy", "czwartku", "piątku", "soboty", "niedzieli")
"""Behind "od" and "do", from Monday."""
