"""Files: a document goes through the readers, its caption is remembered as the owner's own words, or answered where it is a
question. Each file of an album is a capture of its own; the caption, which Telegram puts on the first, counts once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from lattice_common import drop
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.client import LatticeClient
from lattice_common.errors import LatticeError, Unavailable
from telegram import Document, Message
from telegram.error import BadRequest

from lattice_bot import render
from lattice_bot.commands import caption_of
from lattice_bot.context import Context
from lattice_bot.dropping import digest_of
from lattice_bot.messages import facts, forward_of, key_of
from lattice_bot.receipts import Receipts
from lattice_bot.rich import Rich
from lattice_bot.state import Said
from lattice_bot.talk import Talk, session_of

LARGEST = 20 * 1024 * 1024
"""Bytes that Telegram gives a bot (core.telegram.org/bots/api, getFile)."""
LONGEST_TITLE = 500
NAMELESS = "file without a name"


class Files:
    """Takes the files of all chats."""

    def __init__(self, context: Context, receipts: Receipts, talk: Talk) -> None:
        self._context = context
        self._receipts = receipts
        self._talk = talk

    async def document(self, update_id: int, message: Message, document: Document) -> None:
        """Store the file durably, and arrange its answer."""
        context, chat = self._context, message.chat_id
        words, intent = caption_of(message)
        if words and intent == "tell":
            await self._talk.message(update_id, message, words, intent, is_caption=True)
        said = context.state.said(chat, message.message_id)
        if said is None:
            digest = context.state.signature(document.file_unique_id)
            said = Said(chat, message.message_id, digest, session=session_of(context, chat))
            context.state.keep_said(said)
        if said.capture_id is not None or said.dropped is not None:
            await self._heard(said, update_id, message)
            return
        if (document.file_size or 0) > LARGEST:
            await self._sorry(said, update_id, render.TOO_LARGE)
            return
        coming = context.folder / "coming" / str(update_id)
        coming.parent.mkdir(mode=0o700, exist_ok=True)
        try:
            await context.chats.download(document.file_id, coming)
            await self._keep(said, update_id, message, document, coming)
        except BadRequest as error:
            words = (
                render.TOO_LARGE if "too big" in str(error) else "Telegram does not give me this file any more. Send it again."
            )
            await self._sorry(said, update_id, words)
        except Unavailable:
            raise
        except LatticeError as error:
            await self._sorry(said, update_id, str(error))
        finally:
            coming.unlink(missing_ok=True)

    async def _keep(self, said: Said, update_id: int, message: Message, document: Document, path: Path) -> None:
        context = self._context
        name, key = document.file_name or NAMELESS, key_of(context.bot_id, message)
        metadata = facts(context.state, context.bot_id, message, said.session or "", await asyncio.to_thread(digest_of, path))
        words, intent = caption_of(message)
        if words and intent == "tell":
            metadata["title"] = words[:LONGEST_TITLE]
        if (forward := forward_of(message)) is not None:
            metadata |= {"forwarded_from": forward.author, "source": "document"}
        try:
            reply = await context.product.ask(lambda client: _send(client, name, path, metadata, key))
        except Unavailable:
            left = await asyncio.to_thread(_leave, context.inbox, path, name, metadata, key)
            said = replace(said, key=key, dropped=left.name)
            self._talk.say_away(said.chat, render.AWAY)
        else:
            said = replace(said, key=key, capture_id=reply["capture_id"])
        context.state.keep_said(said)
        await self._heard(said, update_id, message)

    async def _heard(self, said: Said, update_id: int, message: Message) -> None:
        """Follow a file to its receipt, and answer what was asked beside it after that."""
        words, intent = caption_of(message)
        if words and intent == "ask":
            self._receipts.follow(said, None)
            await self._talk.message(update_id, message, words, intent, is_caption=True)
        else:
            self._receipts.follow(said, update_id)

    async def _sorry(self, said: Said, update_id: int, words: str) -> None:
        await self._context.chats.send(said.chat, Rich(words), reply_to=said.message)
        self._context.state.finish([update_id])


def _send(client: LatticeClient, name: str, path: Path, metadata: dict[str, Any], key: str) -> CaptureReply:
    with path.open("rb") as file:
        return client.ingest_file(name, file, metadata, idempotency_key=key)


def _leave(inbox: Path, path: Path, name: str, metadata: dict[str, Any], key: str) -> Path:
    with path.open("rb") as file:
        return drop.drop_file(inbox, file, name, metadata, key)
