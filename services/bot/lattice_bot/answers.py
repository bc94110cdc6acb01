"""An answer grows in one message, edited once a second at most, and ends with its citations, a footer and two thumbs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from lattice_common.client_replies import Json
from lattice_common.errors import LatticeError, Unavailable
from lattice_common.logs import logger
from telegram.error import BadRequest, Forbidden

from lattice_bot import render
from lattice_bot.context import Context
from lattice_bot.rich import Rich, defanged, shortened
from lattice_bot.state import Said
from lattice_bot.telegram_chats import Buttons

log = logger(__name__)

FIRST_LOOK_SECONDS = 0.7
"""An answer that is complete within this time is sent in one piece."""
SETTLED_WITHIN_SECONDS = 60.0
"""How long to wait, after an outage, for earlier messages to be remembered."""

Settled: TypeAlias = Callable[[int, int, float], Awaitable[None]]
"""Waits until the captures of a chat before a message have ended, so many seconds at most."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the message of the bot's that its answer replaces, where there is one."""

    said: Said
    question: str
    update_id: int | None
    is_settled: bool = True
    """Else what was told before it, and beside it, is remembered first."""


def opened(context: Context, asked: Asked) -> AsyncIterator[Json]:
    """Return the stream of its answer."""
    return context.product.stream(
        lambda client: client.query_stream(asked.question, intent="ask", session_id=asked.said.session, channel="telegram")
    )


async def answer(context: Context, asked: Asked, settled: Settled, events: AsyncIterator[Json] | None = None) -> None:
    """Return once the question is answered, however long the API is away; `events` is a stream that was opened already. After an
    outage, wait first for what was told before the question (`settled`): it may be what is asked for."""
    said, pause = asked.said, context.pace.retry
    was_away = events is None and (said.reply is not None or not asked.is_settled)  # also before a restart of the bot's
    while True:
        try:
            if was_away:
                await context.product.ask(lambda client: client.ready())
                await settled(said.chat, -said.message + 1 if said.message < 0 else said.message, SETTLED_WITHIN_SECONDS)
            said = await _answered(context, replace(asked, said=said), events or opened(context, asked))
            break
        except Unavailable:
            events, was_away = None, True
            if said.reply is None:
                reply = await context.chats.send(said.chat, Rich(render.AWAY_ASKED), reply_to=abs(said.message))
                said = replace(said, reply=reply)
                context.state.keep_said(said)
            await asyncio.sleep(pause)
            pause = min(pause * 2, context.pace.longest)
        except LatticeError as error:
            await context.chats.send(said.chat, Rich(str(error)), reply_to=abs(said.message))
            break
        except (BadRequest, Forbidden) as error:  # the person has blocked the bot: nobody is left to answer
            log.warning("telegram_refused", reason=type(error).__name__)
            break
    if asked.update_id is not None:
        context.state.finish([asked.update_id])


async def _answered(context: Context, asked: Asked, events: AsyncIterator[Json]) -> Said:
    """Return one try. Raise `Unavailable` before its end, or the error that the API ended it with."""
    said, text, shown_at = asked.said, "", time.monotonic() + FIRST_LOOK_SECONDS - context.pace.chat
    final: Json | None = None
    done: Json = {}
    async for event in events:
        match event["type"]:
            case "token":
                text += str(event["text"])
                if text.strip() and time.monotonic() - shown_at >= context.pace.chat:
                    said = await _show(context, said, text)
                    shown_at = time.monotonic()
            case "citations_applied":
                final = event
            case "done":
                done = event
    if final is None:
        raise Unavailable("The answer broke off.")
    context.told_away.discard(said.chat)
    whole = render.answer(final, float(done.get("took_ms", 0.0)))
    buttons: Buttons = ()
    if atom_ids := [each["atom_id"] for each in final["citations"]]:  # a thumb is on what was cited
        card = context.state.add_card(said.chat, "answer", atom_ids, done.get("trace_id"))
        buttons = (("👍", f"g:{card}"), ("👎", f"b:{card}"))
    if said.reply is not None:
        sent = await context.chats.edit(said.chat, said.reply, whole, buttons, reply_to=abs(said.message))
    else:
        sent = await context.chats.send(said.chat, whole, buttons, reply_to=abs(said.message))
    if sent != said.reply:
        said = replace(said, reply=sent)
        context.state.keep_said(said)
    return said


async def _show(context: Context, said: Said, text: str) -> Said:
    """Return what there is so far, in the message that the whole answer will be in: also after a restart."""
    growing = defanged(text) + " ▍"
    if said.reply is not None:
        await context.chats.show(said.chat, said.reply, growing)
        return said
    said = replace(said, reply=await context.chats.send(said.chat, shortened(growing), reply_to=abs(said.message)))
    context.state.keep_said(said)
    return said
