"""The morning message: once a day, at the hour its owner set, what is worth knowing before anything is asked. Off by default.

A day on which there is nothing to say brings no message. One that could not be sent in time (the bot or the API was away) is sent
late, but not after half a day.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, time, timedelta

from lattice_common.errors import LatticeError, NotConfigured

from lattice_bot import render
from lattice_bot.context import Context

LATE = timedelta(hours=12)
DAYS = 2
"""What is due today and tomorrow."""


def hour_of(setting: str) -> time | None:
    """Return the time of day in LATTICE_TELEGRAM_MORNING; None where it is empty. Raise `NotConfigured` for what is no time."""
    if not setting.strip():
        return None
    try:
        return time.fromisoformat(setting.strip())
    except ValueError as error:
        line = "LATTICE_TELEGRAM_MORNING=07:30"
        raise NotConfigured("LATTICE_TELEGRAM_MORNING is no time of day like 07:30.", env_line=line) from error


class Mornings:
    """Sends the morning messages. `chats` are those of the bot's owners; `now` returns the local time."""

    def __init__(self, context: Context, hour: time, chats: Callable[[], frozenset[int]], now: Callable[[], datetime]) -> None:
        self._context = context
        self._hour = hour
        self._chats = chats
        self._now = now

    async def run(self, every: float) -> None:
        """Check every `every` seconds, without end, what is due."""
        while True:
            await self.look()
            await asyncio.sleep(every)

    async def look(self) -> None:
        """Send what is due now."""
        now = self._now()
        since = now.replace(hour=self._hour.hour, minute=self._hour.minute, second=0, microsecond=0)
        if now < since:  # an hour late in the evening: it may be late until after midnight
            since -= timedelta(days=1)
        if now - since >= LATE:
            return
        day = since.date().isoformat()
        for chat in sorted(self._chats()):
            if self._context.state.morning(chat) == day:
                continue
            try:
                found = await self._context.product.ask(lambda client: client.today(DAYS))
            except LatticeError:
                return  # away: the next look tries again
            self._context.state.keep_morning(chat, day)  # before it is sent: rather none than two
            if said := render.morning(found):
                await self._context.chats.send(chat, said)
