"""Words: told, asked, or corrected.

What is told and what is asked the API decides, as for every other door. With the API away, what ends or begins with a `?` waits
here, and all else in the inbox. An edit takes back what the first version left, and remembers the new one at the time of the
first: a correction leaves no history.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypeAlias, TypeVar

from lattice_common import drop
from lattice_common.api_schema.replies import CaptureReply, OrderReply
from lattice_common.client_replies import FINAL_STATES, Json
from lattice_common.errors import Conflict, InvalidInput, LatticeError, NotFound, Unavailable
from telegram import Message

from lattice_bot import render
from lattice_bot.answers import Asked, answer
from lattice_bot.context import Context
from lattice_bot.dropping import digest_of
from lattice_bot.messages import body_of, facts, forward_of, key_of
from lattice_bot.receipts import Receipts
from lattice_bot.rich import Rich, defanged, joined
from lattice_bot.state import Said
from lattice_bot.telegram_chats import Buttons

T = TypeVar("T")
Intent: TypeAlias = Literal["auto", "tell", "ask"]
Heard: TypeAlias = CaptureReply | AsyncIterator[Json] | Literal["do"]

QUESTION_MARKS = ("?", "？", "؟", "\u037e")
LOOK_SECONDS = 0.05
LONGEST_LOOK_SECONDS = 2.0
SHOWN = 20
"""Memories of what would go that are listed; the rest is counted."""


def is_question(text: str) -> bool:
    """Return whether its marks say so: what nobody can be asked about is sorted by them."""
    words = text.strip()
    return words.endswith(QUESTION_MARKS) or words.startswith(QUESTION_MARKS)


def session_of(context: Context, chat: int, *, anew: bool = False) -> str:
    """Return a chat's conversation: one a day, and another after /reset."""
    return context.state.session(chat, datetime.now().astimezone().date().isoformat(), anew=anew)


def order_shown(context: Context, chat: int, done: OrderReply) -> tuple[Rich, Buttons]:
    """Return what became of a request, with a button to confirm it or to take it back; one not understood may be told or
    asked."""
    if done["state"] == "unclear":
        return Rich(f"{done['message']}\n\n/save remembers what stands behind it, /ask answers it."), ()
    lines = [Rich(str(done["message"]))]
    if done["state"] == "confirm":
        lines += [defanged(f"· {each['content']}") for each in done["atoms"][:SHOWN]]
        if (more := done["found"] - SHOWN) > 0:
            lines.append(Rich(f"… and {more} more"))
        card = context.state.add_card(chat, "order", [str(done["token"])])
        return joined(lines, "\n"), (("Do it", f"d:{card}"),)
    if done["href"]:
        lines.append(Rich("It is on the page, and `lattice export` writes it to a file."))
    if (change_id := done["change_id"]) is not None:
        card = context.state.add_card(chat, "undone" if done["action"] == "undo" else "change", [change_id])
        return joined(lines, "\n"), (("Undo that", f"u:{card}"),)
    return joined(lines, "\n"), ()


class Talk:
    """Handles the text messages of all chats."""

    def __init__(self, context: Context, receipts: Receipts) -> None:
        self._context = context
        self._receipts = receipts
        self._edits: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._answers: dict[tuple[int, int], asyncio.Task[None]] = {}

    async def message(
        self, update_id: int, message: Message, text: str, intent: Intent = "auto", *, is_caption: bool = False
    ) -> None:
        """Store the message durably, and arrange its answer. `is_caption`: the words beside a file, which has an answer of its
        own; a question there may be about the file, and is answered once that is read. Only such a question ends the update
        itself."""
        chat, number = message.chat_id, -message.message_id if is_caption else message.message_id
        said = self._context.state.said(chat, number)
        if said is None:
            said = Said(chat, number, self._context.state.signature(text), session=session_of(self._context, chat))
            self._context.state.keep_said(said)
        finishes = None if is_caption else update_id
        if said.capture_id is not None or said.dropped is not None:
            self._receipts.follow(said, finishes)
            return
        if intent == "ask":
            self._answer(Asked(said, text, update_id, is_settled=not is_caption))
            return
        if said.reply is not None:  # a question of an outage, before the bot was stopped: what was told before it comes first
            self._answer(Asked(said, text, finishes, is_settled=not is_caption))
            return
        key = key_of(self._context.bot_id, message, part=":caption" if is_caption else "")
        await self._tell(said, message, text, key, intent, finishes)

    async def edited(
        self, update_id: int, message: Message, text: str, intent: Intent = "auto", *, is_caption: bool = False
    ) -> None:
        """Correct what the first version left; edits of one message one after the other, and beside all other talk. No words: a
        caption that was taken away."""
        place = (message.chat_id, -message.message_id if is_caption else message.message_id)
        before = self._edits.get(place)
        self._edits[place] = self._context.begin(self._edited(update_id, message, text, intent, place, before))

    async def _edited(
        self,
        update_id: int,
        message: Message,
        text: str,
        intent: Intent,
        place: tuple[int, int],
        before: asyncio.Task[None] | None,
    ) -> None:
        if under_way := [task for task in (before, self._answers.get(place)) if task is not None]:
            await asyncio.wait(under_way)  # what it is answered with is known then
        said = self._context.state.said(*place)
        digest = self._context.state.signature(text)
        key = key_of(self._context.bot_id, message, update_id=update_id, part=":caption" if place[1] < 0 else "")
        if said is None:
            await self.message(update_id, message, text, intent, is_caption=place[1] < 0)
            if place[1] < 0 and intent != "ask":
                self._context.state.finish([update_id])
            return
        if said.digest == digest:
            if said.key == key:  # the bot was stopped before its receipt
                self._receipts.follow(said, update_id)
            else:  # Telegram sends an edit for a link's preview, too
                self._context.state.finish([update_id])
            return
        first = said
        await self._patiently(said.chat, lambda: self._take_back(first))
        said = self._context.state.said(*place) or said
        forgotten = replace(said, key=None, capture_id=None, dropped=None)
        try:
            heard = await self._heard_anew(forgotten, message, text, key, intent)
        except LatticeError as error:
            await self._context.chats.send(said.chat, Rich(str(error)), reply_to=message.message_id)
            self._context.state.finish([update_id])
            return
        said = self._context.state.said(*place) or said  # its first reply may have been sent meanwhile
        if isinstance(heard, dict):
            said = replace(said, digest=digest, key=key, capture_id=heard["capture_id"], dropped=None)
            self._context.state.keep_said(said)
            self._receipts.follow(said, update_id)
            return
        forgotten = replace(forgotten, reply=said.reply)
        if text:  # its digest is kept once it is answered: until then a stop of the bot's begins it again
            await answer(self._context, Asked(forgotten, text, update_id), self._receipts.settled, heard)
        else:
            await self._taken_away(forgotten, update_id)
        self._context.state.keep_said(replace(self._context.state.said(*place) or forgotten, digest=digest))

    async def _heard_anew(
        self, said: Said, message: Message, text: str, key: str, intent: Intent
    ) -> CaptureReply | AsyncIterator[Json] | None:
        """Return the capture of an edit; or, of a question, its answer as it comes, or None where that is still to be asked
        for."""
        is_forward = forward_of(message) is not None
        if not text or intent == "ask":
            return None
        body = self._body(said, message, text)
        if intent == "auto" and not is_forward:
            heard = await self._patiently(said.chat, lambda: self._told_or_asked(said, text, body, key))
            if heard != "do":  # a correction asks for nothing to be done: its words are kept
                return heard
        return await self._patiently(
            said.chat, lambda: self._context.product.ask(lambda client: client.ingest(body, idempotency_key=key))
        )

    async def _taken_away(self, said: Said, update_id: int) -> None:
        self._context.state.keep_said(said)
        if said.reply is not None:
            await self._context.chats.edit(said.chat, said.reply, Rich("Taken back."), reply_to=abs(said.message))
        self._context.state.finish([update_id])

    async def _take_back(self, said: Said) -> None:
        """Undo everything that the first version of a message stored. What is gone already is no error. Raise `Unavailable`."""
        product = self._context.product
        pause = LOOK_SECONDS
        while (said := self._context.state.said(said.chat, said.message) or said).dropped is not None:
            await asyncio.sleep(pause)  # in the inbox: the receipts find its capture
            pause = min(pause * 1.5, LONGEST_LOOK_SECONDS)
        if (capture_id := said.capture_id) is None:
            return
        try:
            while (await product.ask(lambda client: client.capture(capture_id)))["state"] not in FINAL_STATES:
                await asyncio.sleep(pause)
                pause = min(pause * 1.5, LONGEST_LOOK_SECONDS)
            await product.ask(lambda client: client.undo(capture_id))
        except (NotFound, Conflict, InvalidInput):
            return  # forgotten, taken back already, or it left nothing

    async def _tell(self, said: Said, message: Message, text: str, key: str, intent: Intent, finishes: int | None) -> None:
        """Store the message, in the journal or in the inbox, before this returns; a question is then answered in a task of its
        own."""
        context = self._context
        body = self._body(said, message, text)
        try:
            if intent == "auto" and "text" in body:
                heard = await self._told_or_asked(said, text, body, key)
                if heard == "do":
                    await self._do(said, text, finishes)
                    return
                if not isinstance(heard, dict):
                    self._answer(Asked(said, text, finishes), heard)
                    return
                taken = heard
            else:
                taken = await context.product.ask(lambda client: client.ingest(body, idempotency_key=key))
        except Unavailable:
            if intent == "auto" and is_question(text) and forward_of(message) is None:
                self._answer(Asked(said, text, finishes))  # once the API is back
                return
            path = await asyncio.to_thread(drop.drop, context.inbox, body, key)
            said = replace(said, key=key, dropped=path.name)
            context.state.keep_said(said)
            self.say_away(said.chat, render.AWAY)
        except LatticeError as error:
            context.begin(self._refused(said, error, finishes))
            return
        else:
            said = replace(said, key=key, capture_id=taken["capture_id"])
            context.state.keep_said(said)
        self._receipts.follow(said, finishes)

    async def _told_or_asked(self, said: Said, text: str, body: Json, key: str) -> Heard:
        """Return the capture; when it is a question, its answer as it comes; when it is to be done, that."""
        events = self._context.product.stream(
            lambda client: client.query_stream(
                text, session_id=said.session, channel="telegram", metadata=body["metadata"], idempotency_key=key
            )
        )
        reply: CaptureReply | None = None
        is_request = False
        async for event in events:  # to its end: then the connection can be used again
            match event["type"]:
                case "intent" if event["intent"] == "ask":
                    return events
                case "intent" if event["intent"] == "do":
                    is_request = True
                case "captured":
                    reply = event["receipt"]
        if is_request:
            return "do"
        if reply is None:
            raise Unavailable("The API ended before it had taken the message.")
        return reply

    async def _do(self, said: Said, text: str, finishes: int | None) -> None:
        """Carry out a request, or show what would be done. Its update is finished first: it must not be carried out twice."""
        context = self._context
        if finishes is not None:
            context.state.finish([finishes])
        try:
            done = await context.product.ask(lambda client: client.do(text, channel="telegram"))
        except Unavailable:
            await context.chats.send(said.chat, Rich(render.AWAY_COMMAND), reply_to=abs(said.message))
            return
        except LatticeError as error:
            await context.chats.send(said.chat, Rich(str(error)), reply_to=abs(said.message))
            return
        text_, buttons = order_shown(context, said.chat, done)
        await context.chats.send(said.chat, text_, buttons, reply_to=abs(said.message))

    async def _refused(self, said: Said, error: LatticeError, finishes: int | None) -> None:
        await self._context.chats.send(said.chat, Rich(str(error)), reply_to=abs(said.message))
        if finishes is not None:
            self._context.state.finish([finishes])

    def _body(self, said: Said, message: Message, text: str) -> Json:
        """Return the same for the same words, whenever it is asked for: one key always goes with one body."""
        forward = forward_of(message)
        context = self._context
        return body_of(text, facts(context.state, context.bot_id, message, said.session or "", digest_of(text)), forward)

    def _answer(self, asked: Asked, events: AsyncIterator[Json] | None = None) -> None:
        place = (asked.said.chat, asked.said.message)
        task = self._answers[place] = self._context.begin(answer(self._context, asked, self._receipts.settled, events))
        task.add_done_callback(lambda _: self._answers.pop(place, None))

    def say_away(self, chat: int, words: str) -> None:
        """Tell that the API is away: once in each chat, until something is remembered again."""
        if chat not in self._context.told_away:
            self._context.told_away.add(chat)
            self._context.begin(self._send(chat, words))

    async def _send(self, chat: int, words: str) -> None:
        await self._context.chats.send(chat, Rich(words))

    async def _patiently(self, chat: int, work: Callable[[], Awaitable[T]]) -> T:
        """Repeat the work until the API is there, and return its result."""
        pause = self._context.pace.retry
        while True:
            try:
                return await work()
            except Unavailable:
                self.say_away(chat, render.AWAY_EDIT)
                await asyncio.sleep(pause)
                pause = min(pause * 2, self._context.pace.longest)
