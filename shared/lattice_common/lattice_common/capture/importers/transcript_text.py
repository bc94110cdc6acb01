"""Messages from the text of a conversation: `Ada: …`, `[10:02] Ada: …`, WhatsApp's export, and what is copied from an
assistant's page."""

from __future__ import annotations

import re

from lattice_common.capture.importers.whatsapp import is_whatsapp, whatsapp_messages
from lattice_common.capture.request import Message
from lattice_common.language.role_labels import labelled_turns

_LINE = re.compile(r"^(?:\[[^\]\n]{1,30}\]\s*)?(?P<name>[^\W\d_][\w .'’-]{0,40}):\s+(?P<words>\S.*)$")


def messages_of_text(text: str) -> list[Message]:
    """Return the messages in order; a line that begins no message belongs to the one before. Return none when no line begins with
    a name."""
    if turns := labelled_turns(text):
        return [Message(role=turn.role, content=text[turn.start : turn.end]) for turn in turns if turn.start < turn.end]
    if is_whatsapp(text):
        return whatsapp_messages(text)
    messages: list[Message] = []
    for line in text.splitlines():
        if begins := _LINE.match(line):
            messages.append(Message(name=begins["name"].strip(), content=begins["words"].strip()))
        elif messages and line.strip():
            messages[-1].content += f"\n{line.strip()}"
    return messages
