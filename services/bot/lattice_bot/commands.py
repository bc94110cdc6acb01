"""The commands: /start /help /ask /save /status /sources /journey /reset /undo /forget."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lattice_common.client import LatticeClient
from lattice_common.client_replies import Json
from lattice_common.errors import Conflict, InvalidInput, LatticeError, NotFound, Unavailable
from telegram import Message

from lattice_bot import render
from lattice_bot.context import Context
from lattice_bot.messages import forward_of
from lattice_bot.product import atoms_of
from lattice_bot.rich import Rich, defanged, joined
from lattice_bot.state import Card, CardKind
from lattice_bot.talk import Intent, Talk, is_question, session_of
from lattice_bot.telegram_chats import Buttons

CHOICES = 5
"""Memories that /forget offers."""
LOOKED_BACK = 50
"""Turns that /start reads to tell what was talked of last."""

_COMMAND = re.compile(r"^/([a-z][a-z0-9_]*)(?:@\w+)?(?:\s+(.*))?$", re.IGNORECASE | re.DOTALL)
SAID_WITH: dict[str, Intent] = {"ask": "ask", "save": "tell"}
_USAGE = {
    "ask": "Put your question behind it: /ask where is the spare key",
    "save": "Put what is to be remembered behind it: /save The cat is called Will",
    "forget": "Put what it is about behind it: /forget the old gym. Or reply to one of my messages with it.",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A command, and the text after it."""

    name: str
    rest: str


def command_in(text: str) -> Said | None:
    found = _COMMAND.match(text.strip())
    return Said(found.group(1).lower(), (found.group(2) or "").strip()) if found else None


def caption_of(message: Message) -> tuple[str, Intent]:
    """Return the words beside a file, and what becomes of them: they are told, but for what is asked beyond doubt."""
    words = message.caption or ""
    if forward_of(message) is not None:
        return words, "tell"
    command = command_in(words)
    if command is not None and command.rest and (intent := SAID_WITH.get(command.name)) is not None:
        return command.rest, intent
    return words, "ask" if is_question(words) else "tell"


class Commands:
    """The commands of all chats."""

    def __init__(self, context: Context, talk: Talk) -> None:
        self._context = context
        self._talk = talk

    async def run(self, update_id: int, message: Message, said: Said) -> None:
        """Raise `Unavailable` for what is told with the disk full. Other commands are not kept for later: they are about now."""
        if (intent := SAID_WITH.get(said.name)) is not None:
            if said.rest:
                await self._talk.message(update_id, message, said.rest, intent)
                return
            text, buttons = Rich(_USAGE[said.name]), _NONE
        else:
            try:
                text, buttons = await self._answer(message, said)
                self._context.told_away.discard(message.chat_id)
            except Unavailable:
                text, buttons = Rich(render.AWAY_COMMAND), _NONE
        await self._context.chats.send(message.chat_id, text, buttons, reply_to=message.message_id)
        self._context.state.finish([update_id])

    async def _answer(self, message: Message, said: Said) -> tuple[Rich, Buttons]:
        chat, ask = message.chat_id, self._context.product.ask
        match said.name:
            case "start":
                found, turns = await ask(lambda client: (client.status(), client.chat_recent(LOOKED_BACK)))
                return render.opening(found, turns), _NONE
            case "help":
                return Rich(render.HELP), _NONE
            case "status":
                state = self._context.state
                found = await ask(lambda client: client.status())
                return render.status(found, state.counted("strangers"), len(state.unfinished()) - 1), _NONE
            case "sources":
                return await self._sources(chat), _NONE
            case "journey":
                return render.journey(dict(await ask(lambda client: client.chat_today()))), _NONE
            case "reset":
                return await self._reset(chat), _NONE
            case "undo":
                return await self._undo(chat)
            case "forget":
                return await self._forget(message, said.rest)
        return Rich(f"There is no /{said.name}.\n\n{render.HELP}"), _NONE

    async def _reset(self, chat: int) -> Rich:
        before = session_of(self._context, chat)
        session_of(self._context, chat, anew=True)
        with contextlib.suppress(Unavailable):  # the new conversation has a name of its own: the log can do without
            await self._context.product.ask(
                lambda client: client.log_turn(context_reset=True, journey_ended=True, session_id=before, channel="telegram")
            )
        return Rich("A new conversation begins. Nothing was forgotten.")

    async def _sources(self, chat: int) -> Rich:
        card = self._context.state.last_card(chat, "answer")
        atoms = await self._context.product.ask(lambda client: atoms_of(client, card.ids)) if card else []
        if card is None or not atoms:
            return Rich("There is no answer here yet that rests on a memory.")
        numbers = {atom_id: number for number, atom_id in enumerate(card.ids, start=1)}  # as the answer cites them
        return joined([Rich(f"{numbers[each['atom_id']]} · ") + render.memory(each) for each in atoms], "\n\n")

    async def _undo(self, chat: int) -> tuple[Rich, Buttons]:
        """Return the last thing that can be taken back: what was corrected since, or undone elsewhere, is passed over."""
        while (card := self._context.state.last_card(chat, "stored", "change")) is not None:
            try:
                return await take_back(self._context, card)
            except (NotFound, Conflict, InvalidInput):
                continue  # its card is gone
        return Rich("There is nothing to take back."), _NONE

    async def _forget(self, message: Message, about: str) -> tuple[Rich, Buttons]:
        """Return the candidates with a button each: the owner picks the one that is meant. A memory then stays in the trash for a
        while, and can be brought back at once."""
        ask = self._context.product.ask
        if about:
            atoms: Sequence[Mapping[str, Any]] = (await ask(lambda client: client.select(about, limit=CHOICES)))["atoms"]
        elif (pointed := message.reply_to_message) is not None:
            atoms = await self._behind(pointed)
        else:
            return Rich(_USAGE["forget"]), _NONE
        if not atoms:
            return Rich("Nothing that I remember is about that." if about else "Nothing of that message is in memory."), _NONE
        atoms = atoms[:CHOICES]
        card = self._context.state.add_card(message.chat_id, "found", [each["atom_id"] for each in atoms])
        lines = [Rich(f"{number} · ") + defanged(str(each["content"])) for number, each in enumerate(atoms, start=1)]
        buttons = [(str(number), f"f:{card}:{number}") for number in range(1, len(atoms) + 1)]
        which = "Does this go into the trash?" if len(atoms) == 1 else "Which of these goes into the trash?"
        return joined([Rich(which), *lines]), buttons

    async def _behind(self, message: Message) -> list[Json]:
        """Return the memories that a message is about: the owner's own, or one of the bot's, which has its card on its
        buttons."""
        card = self._card_of(message)
        if card is not None:
            found_by, ids = (stored_by if card.kind == "stored" else atoms_of), card.ids
            return await self._context.product.ask(lambda client: found_by(client, ids))
        said = self._context.state.said(message.chat_id, message.message_id)
        if said is None or (capture_id := said.capture_id) is None:
            return []
        return await self._context.product.ask(lambda client: stored_by(client, (capture_id,)))

    def _card_of(self, message: Message) -> Card | None:
        """Return what the buttons below a message of the bot's are about, where that is memories."""
        rows = message.reply_markup.inline_keyboard if message.reply_markup is not None else ()
        for button in (each for row in rows for each in row):
            number = str(button.callback_data or "").split(":")[1:2]
            card = self._context.state.card(int(number[0])) if number and number[0].isdecimal() else None
            if card is not None and card.chat == message.chat_id and card.kind in ("answer", "found", "stored"):
                return card
        return None


_NONE: Buttons = ()
UNDOES: dict[CardKind, tuple[str, CardKind]] = {
    "stored": ("Taken back", "undone"),
    "redone": ("Taken back", "undone"),
    "undone": ("Brought back", "redone"),
    "change": ("Brought back", "redone"),
}
"""What undoing a card is called, and what can be undone after that."""


async def _undone(context: Context, change_id: str) -> str:
    return await context.product.ask(lambda client: client.undo(change_id))


async def take_back(context: Context, card: Card) -> tuple[Rich, Buttons]:
    """Undo what a card is about, the latest first; with a button for the way back. Its card is gone then. Raise what the first
    that could not be undone was refused with, when none could."""
    words, following = UNDOES[card.kind]
    stored = await context.product.ask(lambda client: stored_by(client, card.ids)) if card.kind == "stored" else []
    done, refused = list[str](), list[LatticeError]()
    for each in reversed(card.ids):
        try:
            done.append(await _undone(context, each))
        except (NotFound, Conflict, InvalidInput) as error:
            refused.append(error)
    context.state.drop_card(card.card_id)
    if not done:
        raise refused[0]
    undone = context.state.add_card(card.chat, following, done)
    return render.taken(words, [str(each["content"]) for each in stored]), (("Undo that", f"u:{undone}"),)


def stored_by(client: LatticeClient, captures: tuple[str, ...]) -> list[Json]:
    """Return the memories that captures left, those that are still there."""
    try:
        return atoms_of(client, captured_ids(client, captures))
    except NotFound:
        return []


def captured_ids(client: LatticeClient, captures: tuple[str, ...]) -> tuple[str, ...]:
    """Return the memories that captures left, whether or not they are there now. Raise `NotFound` for a capture that is
    forgotten."""
    return tuple(atom_id for capture_id in captures for atom_id in client.capture(capture_id)["atom_ids"])
