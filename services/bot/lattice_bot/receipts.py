"""Receipts: each capture is followed until it ends, and its message is answered once.

In one chat a second passes between two replies; where many messages end at the same time, one reply speaks of them all. What
waits in the inbox is followed from there: sent again under its key once the API is back, which brings back the capture that the
inbox made of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace

from lattice_common.api_schema.replies import CaptureReply, ReviewPairReply
from lattice_common.client import LatticeClient
from lattice_common.client_replies import FINAL_STATES
from lattice_common.errors import LatticeError, NotFound, Unavailable
from lattice_common.logs import logger
from telegram.error import BadRequest, Forbidden

from lattice_bot import dropping, render
from lattice_bot.context import Context
from lattice_bot.product import atoms_of
from lattice_bot.rich import Rich
from lattice_bot.state import Said
from lattice_bot.telegram_chats import Buttons

log = logger(__name__)

FIRST_LOOK_SECONDS = 0.05
LONGEST_LOOK_SECONDS = 2.0
LOOKED_AT = 50
UNFINISHED_LOOKED_AT = 2
"""Captures end about in the order they came: when so many have not, the ones after them are asked for by a later look."""
EACH_UP_TO = 3
"""How many messages that ended at the same time get a reply each."""


@dataclass(slots=True)
class _Open:
    said: Said
    update_id: int | None
    has_ended: bool = False


class Receipts:
    """Answers messages of all chats with their receipts. `follow` returns at once."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._open: dict[int, list[_Open]] = {}

    def follow(self, said: Said, update_id: int | None) -> None:
        """Answer the message when its capture has ended, and then finish the update."""
        waiting = self._open.setdefault(said.chat, [])
        waiting.append(_Open(said, update_id))
        if len(waiting) == 1:
            self._context.begin(self._chat(said.chat))

    async def settled(self, chat: int, message: int, within: float) -> None:
        """Return once what was told in a chat before a message has ended, after `within` seconds at the latest."""
        deadline = time.monotonic() + within

        def is_before(each: _Open) -> bool:
            return abs(each.said.message) < message and not each.has_ended

        while any(is_before(each) for each in self._open.get(chat, ())) and time.monotonic() < deadline:
            await asyncio.sleep(FIRST_LOOK_SECONDS)

    async def _chat(self, chat: int) -> None:
        waiting = self._open[chat]
        pause = FIRST_LOOK_SECONDS
        try:
            while waiting:
                ended, gone = await self._look(waiting[:LOOKED_AT])
                answered = await self._answer(chat, ended)
                for each in (*answered, *gone):
                    waiting.remove(each)
                self._context.state.finish([each.update_id for each in (*answered, *gone) if each.update_id is not None])
                if answered:
                    pause = FIRST_LOOK_SECONDS
                elif waiting:
                    await asyncio.sleep(pause)
                    pause = min(pause * 1.5, LONGEST_LOOK_SECONDS)
        finally:  # a defect must not keep what comes next from being followed
            del self._open[chat]

    async def _look(self, waiting: list[_Open]) -> tuple[list[tuple[_Open, CaptureReply]], list[_Open]]:
        """Return those that have ended, with their receipts, and those that nothing will be heard of any more."""
        ended, gone = list[tuple[_Open, CaptureReply]](), list[_Open]()
        unfinished = 0
        for each in waiting:
            if unfinished >= UNFINISHED_LOOKED_AT:
                break
            try:
                reply = await self._receipt(each)
            except NotFound:
                gone.append(each)
                continue
            except Unavailable:
                break  # away: the pause is the caller's
            except LatticeError as error:
                await self._refused(each.said, error)
                gone.append(each)
                continue
            if reply["state"] in FINAL_STATES:
                each.has_ended = True
                ended.append((each, reply))
            else:
                unfinished += 1
        return ended, gone

    async def _receipt(self, each: _Open) -> CaptureReply:
        context, said = self._context, each.said
        if (capture_id := said.capture_id) is not None:
            return await context.product.ask(lambda client: client.capture(capture_id))
        try:
            return await self._sent_again(each)
        except FileNotFoundError as error:
            raise Unavailable("The inbox is moving what was left in it: it is looked for again.") from error

    async def _sent_again(self, each: _Open) -> CaptureReply:
        """Send what was left in the inbox once more, under its key: the answer is the capture it became.

        Raise `FileNotFoundError` while the inbox moves its bytes, and `NotFound` when it is gone.
        """
        context, said = self._context, each.said
        left = await asyncio.to_thread(dropping.found, context.inbox, said.dropped or "")
        verified = dropping.verified(context.state, context.bot_id, left) if left is not None else None
        if verified is None or verified.chat != said.chat or verified.key != said.key:
            log.warning("telegram_left_lost")
            kept = context.state.said(said.chat, said.message) or said
            context.state.keep_said(replace(kept, dropped=None))  # an edit need not wait
            raise NotFound("What was left in the inbox is not there any more, or is not what the bot left.")
        reply = await context.product.ask(lambda client: _send(client, verified))
        each.said = replace(said, capture_id=reply["capture_id"], dropped=None)
        context.state.keep_said(each.said)
        return reply

    async def _answer(self, chat: int, ended: list[tuple[_Open, CaptureReply]]) -> list[_Open]:
        """Return those that need no more: answered, or nobody takes the answer. The others come again once the API is back."""
        if ended:
            self._context.told_away.discard(chat)
        if len(ended) > EACH_UP_TO:
            await self._unless_refused(self._one_for_all(chat, [reply for _, reply in ended]))
            return [each for each, _ in ended]
        answered = list[_Open]()
        for each, reply in ended:
            try:
                await self._unless_refused(self._one(each.said, reply))
            except Unavailable:
                break
            except LatticeError as error:
                await self._refused(each.said, error)
            answered.append(each)
        return answered

    async def _refused(self, said: Said, error: LatticeError) -> None:
        """Tell the owner why the API refused a message for good."""
        await self._unless_refused(self._context.chats.send(said.chat, Rich(str(error)), reply_to=abs(said.message)))

    async def _unless_refused(self, work: Awaitable[object]) -> None:
        """Await the work; a final refusal by Telegram is logged: the person has blocked the bot, or the chat is gone."""
        try:
            await work
        except (BadRequest, Forbidden) as error:
            log.warning("telegram_refused", reason=type(error).__name__)

    async def _one(self, said: Said, reply: CaptureReply) -> None:
        context = self._context
        memories = await context.product.ask(lambda client: atoms_of(client, reply["atom_ids"][: render.SHOWN_MEMORIES]))
        text = render.stored(reply, [str(each["content"]) for each in memories])
        buttons: Buttons = ()
        if reply["atoms_new"] or reply["atoms_updated"]:
            card = context.state.add_card(said.chat, "stored", [reply["capture_id"]])
            buttons = (("Undo", f"u:{card}"), ("Show", f"s:{card}"))
        if any(each["type"] == "may_update" for memory in memories for each in memory["related"]):
            pair = await context.product.ask(lambda client: _doubted(client, reply["atom_ids"]))
            if pair is not None:
                asked = context.state.add_card(said.chat, "review", [pair["newer"]["atom_id"], pair["older"]["atom_id"]])
                text = text + "\n\n" + render.still_so(pair)
                buttons = (*buttons, ("Yes, still", f"y:{asked}"), ("No longer", f"n:{asked}"))
        said = context.state.said(said.chat, said.message) or said
        if ":edit:" in (said.key or ""):
            text = Rich("Corrected. ") + text
        if said.reply is not None:  # of the first version's, or sent before the bot was killed
            sent = await context.chats.edit(said.chat, said.reply, text, buttons, reply_to=abs(said.message))
            if sent != said.reply:
                context.state.keep_said(replace(context.state.said(said.chat, said.message) or said, reply=sent))
            return
        sent = await context.chats.send(said.chat, text, buttons, reply_to=abs(said.message))
        context.state.keep_said(replace(context.state.said(said.chat, said.message) or said, reply=sent))

    async def _one_for_all(self, chat: int, replies: list[CaptureReply]) -> None:
        card = self._context.state.add_card(chat, "stored", [each["capture_id"] for each in replies])
        buttons: Buttons = (("Undo", f"u:{card}"), ("Show", f"s:{card}")) if any(each["atoms_new"] for each in replies) else ()
        await self._context.chats.send(chat, render.stored_many(replies), buttons)


def _send(client: LatticeClient, left: dropping.Left) -> CaptureReply:
    if left.name is None or left.file is None:
        return client.ingest(left.body, idempotency_key=left.key)
    with left.file.open("rb") as file:
        return client.ingest_file(left.name, file, left.body, idempotency_key=left.key)


def _doubted(client: LatticeClient, atom_ids: list[str]) -> ReviewPairReply | None:
    """Return the first of what these memories may have made untrue; of more, `/status` and the other doors tell."""
    pairs = client.review(limit=LOOKED_AT)["review"]
    return next((each for each in pairs if each["newer"]["atom_id"] in atom_ids), None)
