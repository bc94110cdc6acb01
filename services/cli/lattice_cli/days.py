"""Days as people write them on a command line."""

from __future__ import annotations

from datetime import datetime

import typer


def end_of(day: str | None, option: str) -> str | None:
    """Return the last moment of a day, in the local time zone: what was known that evening."""
    return _moment(day, option, at_end=True)


def start_of(day: str | None, option: str) -> str | None:
    """Return the first moment of a day, in the local time zone."""
    return _moment(day, option, at_end=False)


def _moment(day: str | None, option: str, *, at_end: bool) -> str | None:
    if day is None:
        return None
    try:
        moment = datetime.fromisoformat(day)
        if at_end and len(day) <= len("2026-05-01"):
            moment = moment.replace(hour=23, minute=59, second=59)
        return moment.astimezone().isoformat() if moment.tzinfo is None else moment.isoformat()
    except (ValueError, OverflowError) as error:  # also of the first and the last day of all, which have no offset
        raise typer.BadParameter(f"{day} is no date: write it as 2026-05-01.", param_hint=option) from error
