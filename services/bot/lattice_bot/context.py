"""What the parts of the bot share, and the tasks that run beside the polling."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lattice_common.logs import logger

from lattice_bot.product import Product
from lattice_bot.state import State
from lattice_bot.telegram_chats import Chats, Pace

log = logger(__name__)


@dataclass(slots=True)
class Context:
    """What the parts of the bot share. `folder` is the bot's own, `inbox` where captures wait while the API is away."""

    state: State
    chats: Chats
    product: Product
    pace: Pace
    folder: Path
    inbox: Path
    told_away: set[int] = field(default_factory=set)
    """Chats that know that the API is away: they are told once."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def bot_id(self) -> int:
        return self.chats.bot_id

    def begin(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start a task. A defect in it is logged, and does not end the bot."""
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception:  # what it was about stays open, and is begun again at the next start
            log.exception("telegram_update_failed")

    async def leave(self) -> None:
        """Cancel all tasks; what they were about is begun again at the next start."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
