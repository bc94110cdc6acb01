"""The messages of chats as conversations of a month each: a chat of any length is read, and one that has grown since is known but
for its last month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from lattice_common.capture.importers.items import Item, conversation
from lattice_common.capture.request import Message

LONGEST_PART = 1_000_000
"""The most characters of a month that are held and given out together, but for a message that is longer."""


@dataclass(slots=True)
class _Part:
    """What is held of a month: its messages and how long they are."""

    month: str
    number: int = 1
    length: int = 0
    messages: list[Message] = field(default_factory=list)


class Months:
    """The messages of chats, given out a month at a time: of each chat one month is held, or a part of it."""

    def __init__(self, export: str, wordless: str) -> None:
        """`wordless` is why messages without words are left out."""
        self._export = export
        self._wordless = wordless
        self._held: dict[str, _Part] = {}
        self._left: Counter[str] = Counter()

    def take(self, chat: str, message: Message) -> Iterator[Item]:
        """Keep a message, and yield what is held of its chat where it begins another month, or would be too much."""
        held = self._held.get(chat)
        month = (message.observed_at or "")[:7] or (held.month if held else "")
        if held is None or held.month != month:
            if held is not None:
                yield self._item(chat, held)
            held = self._held[chat] = _Part(month)
        elif held.messages and held.length + len(message.content) > LONGEST_PART:
            yield self._item(chat, held)
            held = self._held[chat] = _Part(month, held.number + 1)
        held.messages.append(message)
        held.length += len(message.content)

    def leave(self, chat: str) -> None:
        """Count a message without words of anybody."""
        self._left[chat] += 1

    def rest(self) -> Iterator[Item]:
        """Yield the last months, and how many messages had no words of anybody."""
        for chat, held in self._held.items():
            yield self._item(chat, held)
        for chat, count in self._left.items():
            yield Item(f"{chat}: {count:,} without words", skipped=self._wordless)

    def _item(self, chat: str, held: _Part) -> Item:
        title = f"{chat}, {held.month}" if held.month else chat
        return conversation(self._export, title if held.number == 1 else f"{title} (part {held.number})", held.messages)
