"""What a press on a button does. Each carries a letter and the number of its card; a card of another chat is none."""

from __future__ import annotations

import contextlib
from typing import Literal

from lattice_common.client import LatticeClient
from lattice_common.domain.feedback import Outcome
from lattice_common.errors import Conflict, InvalidInput, NotFound
from telegram import CallbackQuery

from lattice_bot import render
from lattice_bot.commands import UNDOES, captured_ids, take_back
from lattice_bot.context import Context
from lattice_bot.product import atoms_of
from lattice_bot.rich import Rich, joined
from lattice_bot.state import Card
from lattice_bot.talk import order_shown

GONE = "That is too old, or was done already."
MOST_DIGITS = 18
"""Of a number in what a press sends back: SQLite counts as far."""
SHOWN = 10
"""Memories that "Show" shows; the others are on the page."""


async def pressed(context: Context, query: CallbackQuery, chat: int, message: int) -> None:
    """Raise `Unavailable`: then it is done later."""
    letter, _, rest = (query.data or "").partition(":")
    number, _, choice = rest.partition(":")
    card = context.state.card(_number(number))
    if card is None or card.chat != chat:
        await context.chats.notice(query.id, GONE)
        return
    match letter:
        case "u" if card.kind in UNDOES:
            try:
                text, buttons = await take_back(context, card)
            except (NotFound, Conflict, InvalidInput) as error:
                text, buttons = Rich(str(error)), ()
            await context.chats.notice(query.id)
            await context.chats.send(chat, text, buttons, reply_to=message)
        case "d" if card.kind == "order":
            await _confirmed(context, query, card, message)
        case "s":
            await context.chats.notice(query.id)
            await context.chats.send(chat, await _shown(context, card), reply_to=message)
        case "g" | "b":
            await context.chats.notice(query.id, await _rated(context, card, "up" if letter == "g" else "down"))
        case "y" | "n" if card.kind == "review":
            await _settled(context, query, card, "both" if letter == "y" else "replaced", message)
        case "f" if 0 < _number(choice) <= len(card.ids):
            await _forget(context, query, card, card.ids[_number(choice) - 1], message)
        case _:
            await context.chats.notice(query.id, GONE)


def _number(digits: str) -> int:
    """Return 0, which no card and no choice has, for what is none, or has too many digits to be one."""
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else 0


async def _shown(context: Context, card: Card) -> Rich:
    """Return the memories that a card's captures left, as they are now."""

    try:
        ids = await context.product.ask(lambda client: captured_ids(client, card.ids))
    except NotFound:
        return Rich(GONE)
    atoms = await context.product.ask(lambda client: atoms_of(client, ids[:SHOWN]))
    if not atoms:
        return Rich("Nothing of it is in memory now.")
    more = [Rich(f"… and {len(ids) - SHOWN} more")] if len(ids) > SHOWN else []
    return joined([*(render.memory(each) for each in atoms), *more], "\n\n")


async def _rated(context: Context, card: Card, verdict: Literal["up", "down"]) -> str:
    """Record a verdict and return what to show. A thumb counts once; the other one takes its place."""
    if card.trace_id is None:
        return GONE
    trace_id, before = card.trace_id, context.state.rating(card.card_id)
    if before is not None and before[0] == verdict:
        return "Noted already."
    if before is not None and before[1] is not None:
        change = before[1]
        with contextlib.suppress(NotFound, Conflict, InvalidInput):  # taken back by hand
            await context.product.ask(lambda client: client.undo(change))
    try:
        judged = await context.product.ask(lambda client: client.feedback(trace_id, card.ids, verdict, channel="telegram"))
    except NotFound:
        return "What it rested on is not in memory any more."
    context.state.keep_rating(card.card_id, verdict, judged["change_id"])
    return "Thank you. Noted." if before is None else "Changed. Noted."


async def _confirmed(context: Context, query: CallbackQuery, card: Card, message: int) -> None:
    token = card.ids[0]
    try:
        done = await context.product.ask(lambda client: client.do(token=token, channel="telegram"))
    except (NotFound, Conflict, InvalidInput) as error:
        await context.chats.notice(query.id, str(error)[:200])
        return
    context.state.drop_card(card.card_id)
    text, buttons = order_shown(context, card.chat, done)
    await context.chats.notice(query.id)
    await context.chats.send(card.chat, text, buttons, reply_to=message)


async def _settled(context: Context, query: CallbackQuery, card: Card, outcome: Outcome, message: int) -> None:
    """Record what the owner says of an older memory. It is asked once: the buttons do nothing after that."""
    newer, older = card.ids
    try:
        change = await context.product.ask(lambda client: client.settle(newer, older, outcome, channel="telegram"))
    except (NotFound, Conflict, InvalidInput):  # deleted, or settled at another door
        context.state.drop_card(card.card_id)
        await context.chats.notice(query.id, GONE)
        return
    context.state.drop_card(card.card_id)
    made = context.state.add_card(card.chat, "change", [change])
    await context.chats.notice(query.id)
    said = "Noted: both hold." if outcome == "both" else "Noted: it is no longer so."
    await context.chats.send(card.chat, Rich(said), (("Undo", f"u:{made}"),), reply_to=message)


async def _forget(context: Context, query: CallbackQuery, card: Card, atom_id: str, message: int) -> None:
    def delete(client: LatticeClient) -> tuple[str, str]:
        return str(client.atom(atom_id)["content"]), client.delete(atom_id)

    try:
        content, change = await context.product.ask(delete)
    except NotFound:
        await context.chats.notice(query.id, GONE)
        return
    except (Conflict, InvalidInput) as error:
        await context.chats.notice(query.id, str(error)[:200])
        return
    made = context.state.add_card(card.chat, "change", [change])
    await context.chats.notice(query.id)
    await context.chats.send(card.chat, render.taken("In the trash", [content]), (("Undo", f"u:{made}"),), reply_to=message)
