"""What a press on a button does. Each carries a letter and the number of its card; a card of another chat is none."""

from __future__ import annotations

from typing import Literal

from lattice_common.client import LatticeClient
from lattice_common.errors import Conflict, InvalidInput, NotFound
from telegram import CallbackQuery

from lattice_bot import render
from lattice_bot.commands import atoms_of, take_back
from lattice_bot.desk import Desk
from lattice_bot.rich import Rich, joined
from lattice_bot.state import Card

GONE = "That is too old, or was done already."
SHOWN = 10
"""Memories that "Show" shows; the others are on the page."""


async def pressed(desk: Desk, query: CallbackQuery, chat: int, message: int) -> None:
    """Raises `Unavailable`: then it is done later."""
    letter, _, rest = (query.data or "").partition(":")
    number, _, choice = rest.partition(":")
    card = desk.state.card(int(number)) if number.isascii() and number.isdigit() else None
    if card is None or card.chat != chat:
        await desk.chats.notice(query.id, GONE)
        return
    match letter:
        case "u":
            text, buttons = await take_back(desk, card)
            await desk.chats.notice(query.id)
            await desk.chats.send(chat, text, buttons, reply_to=message)
        case "s":
            await desk.chats.notice(query.id)
            await desk.chats.send(chat, await _shown(desk, card), reply_to=message)
        case "g" | "b":
            await desk.chats.notice(query.id, await _rated(desk, card, "up" if letter == "g" else "down"))
        case "f" if choice.isascii() and choice.isdigit() and 0 < int(choice) <= len(card.ids):
            await _forget(desk, query, card, card.ids[int(choice) - 1], message)
        case _:
            await desk.chats.notice(query.id, GONE)


async def _shown(desk: Desk, card: Card) -> Rich:
    """The memories that a card's captures left, as they are now."""

    def look(client: LatticeClient) -> list[str]:
        return [atom_id for capture_id in card.ids for atom_id in client.capture(capture_id)["atom_ids"]]

    try:
        ids = await desk.product.ask(look)
    except NotFound:
        return Rich(GONE)
    atoms = await desk.product.ask(lambda client: atoms_of(client, tuple(ids[:SHOWN])))
    if not atoms:
        return Rich("Nothing of it is in memory now.")
    more = [Rich(f"… and {len(ids) - SHOWN} more")] if len(ids) > SHOWN else []
    return joined([*(render.memory(each) for each in atoms), *more], "\n\n")


async def _rated(desk: Desk, card: Card, verdict: Literal["up", "down"]) -> str:
    if card.trace_id is None:
        return GONE
    trace_id = card.trace_id
    try:
        await desk.product.ask(lambda client: client.feedback(trace_id, card.ids, verdict))
    except NotFound:
        return "This Lattice takes no ratings yet. Update it."
    return "Thank you. Noted."


async def _forget(desk: Desk, query: CallbackQuery, card: Card, atom_id: str, message: int) -> None:
    try:
        change = await desk.product.ask(lambda client: client.delete(atom_id))
    except (NotFound, Conflict, InvalidInput) as error:
        await desk.chats.notice(query.id, str(error)[:200])
        return
    made = desk.state.add_card(card.chat, "change", [change])
    await desk.chats.notice(query.id)
    words = Rich("In the trash, from where it goes for good after 30 days.")
    await desk.chats.send(card.chat, words, (("Undo", f"u:{made}"),), reply_to=message)
