"""The bot: long polling, one conversation after the other within a chat, and all chats side by side.

    getUpdates -> who is it? -> kept on disk -> the offset is confirmed by the next getUpdates -> dealt with -> finished

An update is dealt with from the disk, so that a kill at any moment loses none; its key, its id and what is known of its message
keep it from being dealt with twice. Private chats of the owner's only: everybody else gets nothing, and is counted.
"""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from lattice_common.domain.space import SHARED
from lattice_common.errors import LatticeError, NotConfigured, Unavailable
from lattice_common.logs import logger
from lattice_common.settings import Settings
from lattice_common.spaces import owners_of, spaces_of
from telegram import Update
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError

from lattice_bot import pairing, render
from lattice_bot.context import Context
from lattice_bot.handling import Handling
from lattice_bot.morning import Mornings, hour_of
from lattice_bot.product import Product, token_of
from lattice_bot.rich import Rich
from lattice_bot.state import State
from lattice_bot.telegram_chats import Came, Chats, Pace, seconds_of

log = logger(__name__)

HEARTBEAT = "alive.json"
GATHERED_SECONDS = 0.1
"""The time between two looks that find something: many messages at once then share a call and a flush."""

_ONLY_ITS_OWNER_MENDS: dict[type[Exception], str] = {
    Conflict: "Another program asks Telegram with the same token. Stop it, or give it a token of its own.",
    InvalidToken: "Telegram does not know this token. Put the one that @BotFather gave you into LATTICE_TELEGRAM_TOKEN.",
}


def run(settings: Settings, base_url: str, stop: threading.Event, *, pace: Pace | None = None) -> None:
    """Run the bot until `stop` is set. Raise `NotConfigured` without a token, or with an invalid one."""
    asyncio.run(_run(settings, base_url, stop, pace or Pace()))


async def _run(settings: Settings, base_url: str, stop: threading.Event, pace: Pace) -> None:
    token = settings.telegram_token.get_secret_value().strip() if settings.telegram_token else ""
    if not token.partition(":")[0].isdigit() or not token.partition(":")[2]:
        line = "LATTICE_TELEGRAM_TOKEN=<what @BotFather gave you>"
        raise NotConfigured("There is no token for the Telegram bot, or it is none.", env_line=line)
    api = settings.telegram_api.strip().rstrip("/")
    if not api.startswith(("http://", "https://")):
        line = "LATTICE_TELEGRAM_API=https://api.telegram.org"
        raise NotConfigured("LATTICE_TELEGRAM_API is no address that begins with https:// or http://.", env_line=line)
    memories = {each.name: each.settings for each in spaces_of(settings) if each.name != SHARED} or {"": settings}
    named = pairing.named_users(settings.telegram_users, owners_of(settings))
    folder = pairing.folder_of(settings.data_dir)
    state = State(folder)
    chats = Chats(token, api, pace)
    contexts = {
        name: Context(state, chats, Product(base_url, partial(token_of, each)), pace, folder, each.inbox)
        for name, each in memories.items()
    }
    bot = Bot(contexts, lambda: named | state.people())
    if (hour := hour_of(settings.telegram_morning)) is not None:
        for name, context in contexts.items():
            mornings = Mornings(context, hour, partial(bot.people_of, name), lambda: datetime.now().astimezone())
            context.begin(mornings.run(pace.look))
    polling = asyncio.create_task(bot.poll())
    try:
        await _until(stop, polling)
    finally:
        polling.cancel()
        await asyncio.gather(polling, return_exceptions=True)
        for context in contexts.values():
            await context.leave()
        await chats.close()
        for context in contexts.values():
            await asyncio.to_thread(context.product.close)
        state.close()


async def _until(stop: threading.Event, polling: asyncio.Task[None]) -> None:
    """Wait until `stop` is set or the polling ends, which it does only with an error; raise that error."""
    asked = asyncio.create_task(_asked(stop))
    done, _ = await asyncio.wait([asked, polling], return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if polling in done:
        polling.result()


async def _asked(stop: threading.Event) -> None:
    while not stop.is_set():
        await asyncio.sleep(0.1)


class Bot:
    """The bot of all owners. `contexts` are by the names of their memories, the first owner's first. `people` returns the owner
    of each person, empty for the first one; it is called with each batch, for somebody may have been paired meanwhile. A person
    whose owner no longer exists is a stranger."""

    def __init__(self, contexts: Mapping[str, Context], people: Callable[[], Mapping[int, str]]) -> None:
        self._first = next(iter(contexts))
        self._context = contexts[self._first]
        self._people = people
        self._handlings = {name: Handling(context) for name, context in contexts.items()}
        self._queues: dict[int, asyncio.Queue[tuple[int, Update]]] = {}
        self._beaten = -self._context.pace.heartbeat
        self._stuck: str | None = None

    def people_of(self, owner: str) -> frozenset[int]:
        """Return the people, and so the private chats, of an owner."""
        return frozenset(person for person, whose in self._known().items() if whose == owner)

    def _known(self) -> dict[int, str]:
        found = {person: owner or self._first for person, owner in self._people().items()}
        return {person: owner for person, owner in found.items() if owner in self._handlings}

    async def poll(self) -> None:
        """Poll without end. Updates that were begun and not finished are dealt with first."""
        for person in self._known():  # a private chat has the number of its person
            self._context.begin(self._context.chats.offer(person, render.COMMANDS))
        for update_id, body in self._context.state.unfinished().items():
            if (update := self._context.chats.parsed(body)) is not None:
                self._hand_over(update_id, update)
        offset: int | None = None
        pause = self._context.pace.retry
        came = -GATHERED_SECONDS
        while True:
            await self._live()
            try:
                await asyncio.sleep(came + GATHERED_SECONDS - time.monotonic())
                updates = await self._context.chats.updates(offset)
                if updates:
                    came = time.monotonic()
                    self._take(updates)
                    offset = max(each.update_id for each in updates) + 1
                else:
                    offset = None  # all before is confirmed; after a week without any their numbers begin anew, maybe lower
                    self._context.state.tidy()
                pause, self._stuck = self._context.pace.retry, None
            except (TelegramError, sqlite3.OperationalError) as error:
                self._stuck = _ONLY_ITS_OWNER_MENDS.get(type(error))
                if self._stuck is not None:
                    pause = self._context.pace.longest
                elif isinstance(error, RetryAfter):
                    pause = max(pause, seconds_of(error))
                log.warning("telegram_away", reason=": ".join(filter(None, (type(error).__name__, self._stuck))), seconds=pause)
                await self._rest(pause)
                pause = min(pause * 2, self._context.pace.longest)

    async def _rest(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            await self._live()
            await asyncio.sleep(min(left, self._context.pace.heartbeat))

    async def _live(self) -> None:
        """Write the heartbeat now and then. A full disk is seen by whoever reads the heartbeat, and does not end the bot."""
        if time.monotonic() - self._beaten < self._context.pace.heartbeat:
            return
        self._beaten = time.monotonic()
        try:
            await asyncio.to_thread(beat, self._context.folder, self._context.state.numbers(), self._stuck)
        except (OSError, sqlite3.OperationalError):
            log.exception("log_not_written")

    def _take(self, updates: Sequence[Came]) -> None:
        """Store the updates; they are on disk when this returns."""
        people = self._known()
        bodies, kept, strangers = dict[int, Mapping[str, Any]](), dict[int, Update](), list[int]()
        for each in updates:
            update_id, update = each.update_id, each.update
            if update is None or self._context.state.was_taken(update_id):
                continue
            user, chat = update.effective_user, update.effective_chat
            if user is None or chat is None:
                continue
            message = update.message
            if (
                chat.type == "private"
                and message is not None
                and pairing.pair(self._context.state, user.id, message.text or "", update_id=update_id)
            ):
                log.info("telegram_paired")
                self._context.begin(self._welcome(chat.id, render.PAIRED_ALREADY if user.id in people else render.PAIRED))
                people = self._known()
                continue
            if user.id in people:
                if chat.type == "private":
                    bodies[update_id], kept[update_id] = each.body, update
                continue
            strangers.append(update_id)
        new = self._context.state.take(bodies, strangers=strangers)
        if strangers:
            log.info("telegram_strangers", updates=len(strangers))
        for update_id in new:
            self._hand_over(update_id, kept[update_id])

    async def _welcome(self, chat: int, words: str) -> None:
        await self._context.chats.send(chat, Rich(words))
        await self._context.chats.offer(chat, render.COMMANDS)

    def _hand_over(self, update_id: int, update: Update) -> None:
        chat = update.effective_chat
        if chat is None:
            self._context.state.finish([update_id])
            return
        if chat.id not in self._queues:
            self._queues[chat.id] = asyncio.Queue()
            self._context.begin(self._chat(chat.id))
        self._queues[chat.id].put_nowait((update_id, update))

    async def _chat(self, chat: int) -> None:
        waiting = self._queues[chat]
        while True:
            update_id, update = await waiting.get()
            await self._one(chat, update_id, update, self._context.pace.retry)

    async def _one(self, chat: int, update_id: int, update: Update, pause: float) -> None:
        handling = self._handlings.get(self._known().get(chat, ""))
        if handling is None:  # somebody's who is no owner any more: their words are not another's
            self._context.state.finish([update_id])
            return
        try:
            await handling.deal(update_id, update)
        except Unavailable:
            if update.callback_query is None:  # whoever pressed a button was told so in a notice
                handling.say_away(chat)
            self._context.begin(self._later(chat, update_id, update, pause))
        except (BadRequest, Forbidden) as error:
            log.warning("telegram_refused", reason=type(error).__name__)
            self._context.state.finish([update_id])
        except (RetryAfter, NetworkError, InvalidToken) as error:  # of a file: what was said after it does not wait for it
            wait = max(pause, seconds_of(error)) if isinstance(error, RetryAfter) else pause
            log.warning("telegram_away", reason=type(error).__name__, seconds=wait)
            self._context.begin(self._later(chat, update_id, update, wait))
        except LatticeError as error:
            await self._context.chats.send(chat, Rich(str(error)))
            self._context.state.finish([update_id])
        except Exception:  # one message must not end the bot; it stays on disk, and is tried at the next start
            log.exception("telegram_update_failed")

    async def _later(self, chat: int, update_id: int, update: Update, pause: float) -> None:
        await asyncio.sleep(pause)
        await self._one(chat, update_id, update, min(pause * 2, self._context.pace.longest))


def beat(folder: Path, numbers: Mapping[str, int], stuck: str | None = None) -> None:
    """Write the heartbeat that `lattice_common.healthcheck` reads. The API reads it too, and adds the numbers to its own in
    `/metrics`."""
    path = folder / HEARTBEAT
    coming = path.with_suffix(f".{os.getpid()}.new")
    coming.touch(mode=0o600)
    coming.write_text(json.dumps({"at": time.time(), "stuck": stuck, **numbers}), encoding="ascii")
    coming.replace(path)
