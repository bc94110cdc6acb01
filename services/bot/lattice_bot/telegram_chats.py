"""Telegram as the bot uses it: calls that keep to its rates, wait when it says so, and outlast its absence.

One message or edit a second in a chat (a few at once after a pause), as Telegram asks of bots; `RetryAfter` is obeyed for the
whole chat. When Telegram is away a call is tried again until it is back: whoever was promised an answer gets it then. A call
whose answer was lost may be made twice; a reply that comes twice is better than none.
"""

from __future__ import annotations

import asyncio
import logging
import time
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from lattice_common.logs import logger
from telegram import (
    Bot,
    BotCommandScopeChat,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    LinkPreviewOptions,
    MessageEntity,
    ReplyParameters,
    Update,
)
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.request import HTTPXRequest
from telegram.warnings import PTBDeprecationWarning, PTBUserWarning

from lattice_bot.rich import Rich, shortened, split, units

log = logger(__name__)

T = TypeVar("T")
Buttons: TypeAlias = Sequence[tuple[str, str]]
"""Labels, and what a press sends back (64 bytes at most)."""

WANTED = ("message", "edited_message", "callback_query")
POLL_READ_SECONDS = 5.0
"""Seconds that an answer may take beyond the time that Telegram was asked to wait."""
PLAIN = ("message_id", "date", "edit_date", "from", "chat", "forward_origin", "media_group_id", "text", "caption", "document")
"""The fields of a message that are kept: its words, whose they are, and a file."""
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds. `chat`: between two messages or edits of one chat, of which `burst` may come at once. `poll`: how long a look for
    updates waits. `retry`: before the second try of a call, doubled up to `longest`. `look`: between two looks whether the
    morning message is due. `heartbeat`: between two heartbeats, at least."""

    chat: float = 1.0
    burst: int = 3
    poll: int = 25
    retry: float = 1.0
    longest: float = 60.0
    look: float = 30.0
    heartbeat: float = 5.0


@dataclass(frozen=True, slots=True)
class Came:
    """An update as it came, which can be stored, and as the library parses it, if it can."""

    update_id: int
    body: dict[str, Any]
    update: Update | None


class Chats:
    """The chats of one bot. `api` is the address of the Bot API."""

    def __init__(self, token: str, api: str, pace: Pace) -> None:
        # It says so each time Telegram names a time to wait, in whole seconds as ever.
        warnings.filterwarnings("ignore", category=PTBDeprecationWarning)
        warnings.filterwarnings("ignore", "Please use 'Bot.getUpdates'", PTBUserWarning)
        # What it says of an answer that it cannot read has the answer in it.
        logging.getLogger("telegram").setLevel(logging.CRITICAL + 1)
        # On this machine no proxy is wanted; the way to Telegram may need the one that the environment names.
        # Reading the certificates that a machine trusts takes a moment, and only TLS asks for them.
        is_tls = api.startswith("https:")
        more = {"trust_env": is_tls, "verify": is_tls}
        self._requests = (HTTPXRequest(httpx_kwargs=more), HTTPXRequest(read_timeout=10.0, httpx_kwargs=more))
        self._bot = Bot(
            token,
            base_url=f"{api}/bot",
            base_file_url=f"{api}/file/bot",
            request=self._requests[1],
            get_updates_request=self._requests[0],
        )
        self._pace = pace
        self._due: dict[int, float] = {}
        self._still: dict[int, float] = {}
        self.bot_id = int(token.partition(":")[0])

    async def close(self) -> None:
        for request in self._requests:
            await request.shutdown()

    async def updates(self, offset: int | None) -> list[Came]:
        """Return what came since; asking for it with an offset confirms all before. Raise `TelegramError`."""
        try:
            came = await self._raw_updates(offset)
        except Conflict as error:
            if "webhook" not in str(error).lower():
                raise
            await self._bot.delete_webhook()  # of a program that had the token before: what it did not take comes this way
            came = await self._raw_updates(offset)
        return [Came(each["update_id"], each, self.parsed(each)) for each in came]

    async def _raw_updates(self, offset: int | None) -> list[dict[str, Any]]:
        """Return the updates as plain JSON. The library parses all of them or none, and one that it cannot parse would be
        delivered for ever."""
        known = {"limit": 100, "timeout": self._pace.poll, "allowed_updates": list(WANTED)}
        asked = known if offset is None else {**known, "offset": offset}
        came: list[dict[str, Any]] = await self._bot.do_api_request(
            "getUpdates", asked, read_timeout=self._pace.poll + POLL_READ_SECONDS
        )
        return came

    def parsed(self, body: dict[str, Any]) -> Update | None:
        """Return an update without the parts that the library cannot parse, such as a field of a later Bot API; None where
        nothing is left."""
        for known in (body, _plain(body)):
            try:
                return Update.de_json(known, self._bot)
            except Exception:  # whatever it makes of what it does not know
                log.exception("telegram_update_failed")
        return None

    async def send(self, chat: int, rich: Rich, buttons: Buttons = (), *, reply_to: int | None = None) -> int:
        """Send a text in as many messages as it needs, with the buttons below the last, and return the id of the first."""
        pieces = split(rich)
        first = 0
        for number, piece in enumerate(pieces):
            rows = _rows(buttons) if number == len(pieces) - 1 else None
            answered = ReplyParameters(reply_to, allow_sending_without_reply=True) if reply_to and number == 0 else None
            sent = await self._do(
                chat,
                partial(
                    self._bot.send_message,
                    chat,
                    piece.text,
                    entities=_entities(piece),
                    link_preview_options=NO_PREVIEW,
                    reply_markup=rows,
                    reply_parameters=answered,
                ),
            )
            first = first or sent.message_id
        return first

    async def edit(self, chat: int, message: int, rich: Rich, buttons: Buttons = (), *, reply_to: int | None = None) -> int:
        """Replace a message of the bot's; what does not fit follows in messages of its own. Return the id of the first: a new one
        where the reader has deleted the message."""
        first, *more = split(rich)
        try:
            await self._edit(chat, message, first, () if more else buttons)
        except BadRequest:
            return await self.send(chat, rich, buttons, reply_to=reply_to)
        if more:
            rest = more[0]
            for piece in more[1:]:
                rest = rest + piece
            await self.send(chat, rest, buttons)
        return message

    async def show(self, chat: int, message: int, rich: Rich) -> None:
        """Replace a message with the text so far. A failure is ignored: the whole text is sent in any case."""
        try:
            await self._edit(chat, message, shortened(rich), ())
        except BadRequest:
            log.debug("telegram_reaction_left")

    async def _edit(self, chat: int, message: int, piece: Rich, buttons: Buttons) -> None:
        try:
            await self._do(
                chat,
                lambda: self._bot.edit_message_text(
                    piece.text,
                    chat,
                    message,
                    entities=_entities(piece),
                    link_preview_options=NO_PREVIEW,
                    reply_markup=_rows(buttons),
                ),
            )
        except BadRequest as error:
            if "not modified" not in str(error).lower():
                raise

    async def react(self, chat: int, message: int, emoji: str) -> None:
        """React to a message. It is tried once, and skipped when it fails or while Telegram limits the rate."""
        if time.monotonic() < self._still.get(chat, 0.0):
            return
        try:
            await self._bot.set_message_reaction(chat, message, emoji)
        except RetryAfter as error:
            self._still[chat] = time.monotonic() + seconds_of(error)
        except TelegramError:
            log.debug("telegram_reaction_left")

    async def offer(self, chat: int, commands: Sequence[tuple[str, str]]) -> None:
        """Set the commands that are offered behind a `/` in this chat, each with a description. It is tried once, like
        `react`."""
        try:
            await self._bot.set_my_commands(commands, scope=BotCommandScopeChat(chat))
        except TelegramError:
            log.debug("telegram_reaction_left")

    async def notice(self, query_id: str, text: str | None = None) -> None:
        """End the waiting sign on a button that was pressed; like `react`."""
        try:
            await self._bot.answer_callback_query(query_id, text)
        except TelegramError:
            log.debug("telegram_reaction_left")

    async def download(self, file_id: str, into: Path) -> None:
        """Download a file. It is tried once, for other messages wait behind it. Raise `BadRequest` for a file that bots cannot
        download (more than 20 MB), and `RetryAfter`, `NetworkError` or `InvalidToken` for one that may be available later."""
        file = await self._bot.get_file(file_id)
        try:
            await file.download_to_drive(into)
        except InvalidToken as error:  # what the library makes of a 404
            raise BadRequest("the file is gone") from error

    async def _do(self, chat: int, call: Callable[[], Awaitable[T]]) -> T:
        """Repeat a call until it succeeds, and return its result. Raise `BadRequest`, and `Forbidden` where the person has
        blocked the bot."""
        pause = self._pace.retry
        while True:
            await self._turn(chat)
            try:
                return await call()
            except RetryAfter as error:
                seconds = seconds_of(error)
                log.info("telegram_waits", seconds=seconds)
                self._due[chat] = max(self._due.get(chat, 0.0), time.monotonic() + seconds + self._pace.chat * self._pace.burst)
            except (BadRequest, Forbidden):
                raise
            except (InvalidToken, NetworkError) as error:
                log.warning("telegram_away", reason=type(error).__name__, seconds=pause)
                await asyncio.sleep(pause)
                pause = min(pause * 2, self._pace.longest)

    async def _turn(self, chat: int) -> None:
        """Wait until the chat may have another message: a leaky bucket, so that a second each holds over any length of time."""
        now = time.monotonic()
        due = max(self._due.get(chat, 0.0), now) + self._pace.chat
        self._due[chat] = due
        if len(self._due) > 1000:
            self._due = {each: at for each, at in self._due.items() if at > now}
        await asyncio.sleep(max(0.0, due - self._pace.chat * self._pace.burst - now))


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    """Return an update's words, and no more."""
    messages = {part: body[part] for part in ("message", "edited_message") if isinstance(body.get(part), dict)}
    plain = {part: {name: each[name] for name in PLAIN if name in each} for part, each in messages.items()}
    return {"update_id": body["update_id"], **plain}


def seconds_of(error: RetryAfter) -> float:
    """Return the seconds for which Telegram takes no more calls."""
    wait = error.retry_after
    return wait.total_seconds() if isinstance(wait, timedelta) else float(wait)


def _rows(buttons: Buttons) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    return InlineKeyboardMarkup([[InlineKeyboardButton(label, callback_data=data) for label, data in buttons]])


def _entities(rich: Rich) -> list[MessageEntity]:
    """Return the emphasis as entities, which count in UTF-16 units."""
    return [
        MessageEntity(span.kind, units(rich.text[: span.start]), units(rich.text[span.start : span.end])) for span in rich.spans
    ]
