"""The commands: /start /help /ask /save /status /sources /journey /reset /undo /forget."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lattice_common.client import LatticeClient
from lattice_common.client_replies import Json
from lattice_common.errors import Conflict, InvalidInput, NotFound
from telegram import Message

from lattice_bot import render
from lattice_bot.desk import Desk
from lattice_bot.rich import Rich, inert, joined
from lattice_bot.state import Card
from lattice_bot.talk import Intent, Talk, session_of
from lattice_bot.telegram_chats import Buttons

CHOICES = 5
"""Memories that /forget offers."""

_COMMAND = re.compile(r"^/([a-z]+)(?:@\w+)?(?:\s+(.*))?$", re.IGNORECASE | re.DOTALL)
_SAID_WITH: dict[str, Intent] = {"ask": "ask", "save": "tell"}
_USAGE = {
    "ask": "Put your question behind it: /ask where is the spare key",
    "save": "Put what is to be remembered behind it: /save Will the cat is called Will",
    "forget": "Put what it is about behind it: /forget the old gym. Or reply to one of my messages with it.",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A command, and what stands behind it."""

    name: str
    rest: str


def command_in(text: str) -> Said | None:
    found = _COMMAND.match(text.strip())
    return Said(found.group(1).lower(), (found.group(2) or "").strip()) if found else None


class Commands:
    """Of all chats."""

    def __init__(self, desk: Desk, talk: Talk) -> None:
        self._desk = desk
        self._talk = talk

    async def run(self, update_id: int, message: Message, said: Said) -> None:
        """Raises `Unavailable`: then it is run again later."""
        if (intent := _SAID_WITH.get(said.name)) is not None:
            if said.rest:
                await self._talk.message(update_id, message, said.rest, intent)
                return
            text, buttons = Rich(_USAGE[said.name]), _NONE
        else:
            text, buttons = await self._answer(message, said)
        await self._desk.chats.send(message.chat_id, text, buttons, reply_to=message.message_id)
        self._desk.state.finish([update_id])

    async def _answer(self, message: Message, said: Said) -> tuple[Rich, Buttons]:
        chat, ask = message.chat_id, self._desk.product.ask
        match said.name:
            case "start":
                return render.opening(await ask(lambda client: client.status()), await ask(_last_question)), _NONE
            case "help":
                return Rich(render.HELP), _NONE
            case "status":
                state = self._desk.state
                found = await ask(lambda client: client.status())
                return render.status(found, state.counted("strangers"), len(state.unfinished()) - 1), _NONE
            case "sources":
                return await self._sources(chat), _NONE
            case "journey":
                return await ask(_journey), _NONE
            case "reset":
                return await self._reset(chat), _NONE
            case "undo":
                card = self._desk.state.last_card(chat, "stored", "change")
                return await take_back(self._desk, card) if card else (Rich("There is nothing to take back."), _NONE)
            case "forget":
                return await self._forget(message, said.rest)
        return Rich(f"There is no /{said.name}.\n\n{render.HELP}"), _NONE

    async def _reset(self, chat: int) -> Rich:
        before = session_of(self._desk, chat)
        session_of(self._desk, chat, anew=True)
        await self._desk.product.ask(lambda client: _note_reset(client, before))
        return Rich("A new conversation begins. Nothing was forgotten.")

    async def _sources(self, chat: int) -> Rich:
        card = self._desk.state.last_card(chat, "answer")
        atoms = await self._desk.product.ask(lambda client: atoms_of(client, card.ids)) if card else []
        if not atoms:
            return Rich("There is no answer here yet that rests on something.")
        return joined([Rich(f"{number} · ") + render.memory(each) for number, each in enumerate(atoms, start=1)], "\n\n")

    async def _forget(self, message: Message, about: str) -> tuple[Rich, Buttons]:
        """What was meant is picked by its owner; a memory is in the trash for 30 days, and can be brought back at once."""
        if not about:
            return Rich(_USAGE["forget"]), _NONE
        found = await self._desk.product.ask(lambda client: client.select(about, limit=CHOICES))
        atoms = found["atoms"]
        if not atoms:
            return Rich("Nothing that I remember is about that."), _NONE
        card = self._desk.state.add_card(message.chat_id, "found", [each["atom_id"] for each in atoms])
        lines = [Rich(f"{number} · ") + inert(str(each["content"])) for number, each in enumerate(atoms, start=1)]
        buttons = [(str(number), f"f:{card}:{number}") for number in range(1, len(atoms) + 1)]
        return joined([Rich("Which of these goes into the trash?"), *lines]), buttons


_NONE: Buttons = ()


async def take_back(desk: Desk, card: Card) -> tuple[Rich, Buttons]:
    """Undo what a card is about, the latest first; with a button for the way back."""
    done, refused = list[str](), list[str]()
    for each in reversed(card.ids):
        try:
            done.append(await desk.product.ask(lambda client, each=each: client.undo(each)))  # type: ignore[misc]
        except (NotFound, Conflict, InvalidInput) as error:
            refused.append(str(error))
    desk.state.drop_card(card.card_id)
    if not done:
        return Rich(refused[0] if refused else "There is nothing to take back."), _NONE
    undone = desk.state.add_card(card.chat, "undone", done)
    return Rich("Brought back." if card.kind == "undone" else "Taken back."), (("Undo that", f"u:{undone}"),)


def atoms_of(client: LatticeClient, atom_ids: tuple[str, ...]) -> list[Json]:
    """Those that are still there."""
    found = []
    for atom_id in atom_ids:
        try:
            found.append(client.atom(atom_id))
        except NotFound:
            continue
    return found


def _journey(client: LatticeClient) -> Rich:
    try:
        return render.journey(dict(client.chat_today()))
    except NotFound:
        return Rich("This Lattice keeps no journey of the day yet. Update it.")


def _last_question(client: LatticeClient) -> Json | None:
    """From whatever door; what was told is none."""
    try:
        turns = client.chat_recent(50)
    except NotFound:
        return None
    asked = (turn for turn in turns if turn["question"] and not turn["answer"].startswith("[captured:"))
    return next((dict(turn) for turn in asked), None)


def _note_reset(client: LatticeClient, session_id: str) -> None:
    try:
        client.log_turn(context_reset=True, session_id=session_id, channel="telegram")
    except NotFound:
        return  # a server that keeps no log: the new session id is enough
