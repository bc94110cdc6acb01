"""What kind of update it is, and who deals with it."""

from __future__ import annotations

from collections import deque

from lattice_common.errors import Unavailable
from telegram import Message, Update

from lattice_bot import buttons, render
from lattice_bot.commands import SAID_WITH, Commands, caption_of, command_in
from lattice_bot.context import Context
from lattice_bot.files import Files
from lattice_bot.receipts import Receipts
from lattice_bot.rich import Rich
from lattice_bot.talk import Talk

SEEN = "👀"
ALBUMS = 20
"""How many albums are remembered, so that each gets one answer about what cannot be read."""


class Handling:
    """Handles the updates of all chats."""

    def __init__(self, context: Context) -> None:
        self._context = context
        receipts = Receipts(context)
        self._talk = Talk(context, receipts)
        self._files = Files(context, receipts, self._talk)
        self._commands = Commands(context, self._talk)
        self._albums: deque[str] = deque(maxlen=ALBUMS)

    def say_away(self, chat: int) -> None:
        self._talk.say_away(chat, render.AWAY_ASKED)

    async def deal(self, update_id: int, update: Update) -> None:
        """Handle an update: in order within a chat, and quickly, while answers and receipts continue in tasks of their own. Raise
        `Unavailable` for an update that is to be handled later."""
        query = update.callback_query
        if update.message is not None:
            await self._message(update_id, update.message)
        elif update.edited_message is not None:
            await self._edited(update_id, update.edited_message)
        elif query is not None and query.message is not None:
            try:
                await buttons.pressed(self._context, query, query.message.chat.id, query.message.message_id)
            except Unavailable:
                await self._context.chats.notice(query.id, render.AWAY_PRESSED)
                raise
            self._context.state.finish([update_id])
        else:
            self._context.state.finish([update_id])

    async def _message(self, update_id: int, message: Message) -> None:
        if message.text is None and message.effective_attachment is None:  # a service message: a pin, a new photo of the chat
            self._context.state.finish([update_id])
            return
        self._context.begin(self._context.chats.react(message.chat_id, message.message_id, SEEN))
        if message.text is not None:
            command = command_in(message.text) if message.forward_origin is None else None
            if command is not None:
                await self._commands.run(update_id, message, command)
            else:
                await self._talk.message(update_id, message, message.text)
        elif message.document is not None:
            await self._files.document(update_id, message, message.document)
        else:
            await self._unreadable(update_id, message)

    async def _unreadable(self, update_id: int, message: Message) -> None:
        """Say what cannot be read; the words beside it are remembered all the same."""
        said, intent = caption_of(message)
        if said:
            await self._talk.message(update_id, message, said, intent, is_caption=True)
        finishes = [update_id] if not said or intent != "ask" else []
        album = message.media_group_id
        if album is not None and album in self._albums:
            self._context.state.finish(finishes)
            return
        words = render.NOT_READ
        if message.voice or message.audio or message.video_note:
            words = render.VOICE
        elif message.photo:
            words = render.PICTURES if album is not None else render.PICTURE
        if album is not None:
            self._albums.append(album)
        await self._context.chats.send(message.chat_id, Rich(words), reply_to=message.message_id)
        self._context.state.finish(finishes)

    async def _edited(self, update_id: int, message: Message) -> None:
        if (text := message.text) is None:
            text, intent = caption_of(message)
            if text or self._context.state.said(message.chat_id, -message.message_id) is not None:
                await self._talk.edited(update_id, message, text, intent, is_caption=True)
            else:  # a place that moves on a map
                self._context.state.finish([update_id])
            return
        intent = "auto"
        if message.forward_origin is None and (command := command_in(text)) is not None:
            if command.name not in SAID_WITH or not command.rest:
                self._context.state.finish([update_id])
                return
            text, intent = command.rest, SAID_WITH[command.name]
        await self._talk.edited(update_id, message, text, intent)
