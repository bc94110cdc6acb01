"""Conversations of Signal: what signal-export writes (`chat.md` and `data.json` of each chat), what sigtop writes (JSON, text and
short text), and Signal's own export (`main.jsonl`: the frames of its backup, a line each).

The owner is who sent a message ("Me", "You", `outgoing`). What has no sender, calls, and news of a group are nobody's words; a
quoted message is somebody else's. Formats as of signal-export 3, sigtop 0.23 and Signal's `Backup.proto`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from lattice_common.capture.importers.items import Item, moment
from lattice_common.capture.importers.json_stream import Passed
from lattice_common.capture.importers.months import Months
from lattice_common.capture.request import Message

NOBODYS = "calls, pictures and what Signal says itself are not read"
_OWNER = ("Me", "You")
_NOBODY = ("No-Sender", "None", "")

_MARKDOWN = re.compile(
    r"^\[(?P<date>\d{4}-\d\d-\d\d),? (?P<clock>\d\d:\d\d(?::\d\d)?)\] (?P<name>[^:\n]{1,100}): ?", re.MULTILINE
)
_SHORT = re.compile(r"^(?P<date>\d{4}-\d\d-\d\d) (?P<clock>\d\d:\d\d) (?P<name>[^:\n]{1,100}):(?: |$)", re.MULTILINE)
_DETAILS = re.compile(r"\A\[(?:(?:reply to |edited|\d+ attachments?)[^\]\n]*|[\w-]+ message)\] ?")
"""What sigtop says of a message before its words: "[reply to Ada on 2026-05-12 09:14, 1 attachment]"."""
_HEADERS = re.compile(
    r"^(?:From: (?P<name>[^\n]*)\n)?Type: (?P<type>[\w-]+)\n(?:Sent: (?P<sent>[^\n]*)\n)?"
    r"(?:(?:Received|Attachment|Reaction|Edited): [^\n]*\n)*",
    re.MULTILINE,
)
_VERSION = re.compile(r"^\| Version: \d+$", re.MULTILINE)
_ADDED = re.compile(r"^(?:> ?.*|\(- .* -\)|\(\( .* \)\))$|!?\[[^\[\]\n]*+\]\((?:\./|\.\./)[^()\n]*+\)", re.MULTILINE)
"""What signal-export adds to the words of a message: what it quotes, reactions, stickers, and links to what was attached."""
_ITSELF = re.compile(r"\(This message was deleted\)|(?:Incoming|Outgoing|Missed) (?:\w+ )?call(?: \([^)\n]*\))?")
_NUMBER = re.compile(r" \([^()]*\)\Z")


def is_markdown(text: str) -> bool:
    """Return whether a text begins as signal-export's `chat.md` does."""
    return _MARKDOWN.match(text) is not None


def is_sigtop(text: str) -> bool:
    """Return whether a text begins as sigtop writes, in its long or its short form."""
    if text.startswith("Conversation: "):
        return _HEADERS.search(text) is not None
    return _SHORT.match(text) is not None and any(said["name"] in _OWNER for said in _SHORT.finditer(text))


def markdown(export: str, chat: str, text: str) -> Iterator[Item]:
    """Yield the months of signal-export's `chat.md`."""
    return _told(export, chat, ((*_stamp(found), _unadorned(words)) for found, words in _pieces(_MARKDOWN, text)))


def sigtop(export: str, chat: str, text: str) -> Iterator[Item]:
    """Yield the months of a conversation as sigtop writes it."""
    if text.startswith("Conversation: "):
        chat = _NUMBER.sub("", text.partition("\n")[0].removeprefix("Conversation: ")) or chat
        return _told(export, chat, (_headed(found, words) for found, words in _pieces(_HEADERS, text)))
    return _told(
        export, _NUMBER.sub("", chat), ((*_stamp(found), _DETAILS.sub("", words)) for found, words in _pieces(_SHORT, text))
    )


def _pieces(opening: re.Pattern[str], text: str) -> Iterator[tuple[re.Match[str], str]]:
    held: re.Match[str] | None = None
    for found in opening.finditer(text):
        if held:
            yield held, text[held.end() : found.start()]
        held = found
    if held:
        yield held, text[held.end() :]


def _stamp(found: re.Match[str]) -> tuple[str, str | None]:
    return found["name"], f"{found['date']}T{found['clock']}"


def _headed(found: re.Match[str], words: str) -> tuple[str, str | None, str]:
    if versions := list(_VERSION.finditer(words)):
        # The latest of an edited message comes first, each line behind a bar, below the fields of its own.
        words = words[versions[0].end() : versions[1].start() if len(versions) > 1 else len(words)]
        words = re.sub(r"^\| ?", "", words, flags=re.MULTILINE).partition("\n\n")[2]
    said = "\n".join(line for line in words.splitlines() if not line.startswith(">"))
    name = _NUMBER.sub("", found["name"] or "") if found["type"] in ("incoming", "outgoing") else ""
    return name, _mailed(found["sent"]), said


def _mailed(date: str | None) -> str | None:
    try:
        return parsedate_to_datetime(date).isoformat() if date else None
    except (ValueError, TypeError):
        return None


def lines_of_json(export: str, chat: str, found: Iterable[Mapping[str, Any] | Passed]) -> Iterator[Item]:
    """Yield the months of signal-export's `data.json`."""
    return _told(export, chat, (_exported(each) for each in found))


def _exported(said: Mapping[str, Any] | Passed) -> tuple[str, str | None, str]:
    if isinstance(said, Passed) or said.get("deleted"):
        return "", None, ""
    return str(said.get("sender") or ""), moment(said.get("date")), _unadorned(str(said.get("body") or ""))


def sigtop_json(export: str, chat: str, found: Iterable[Mapping[str, Any] | Passed]) -> Iterator[Item]:
    """Yield the months of a conversation that sigtop wrote as JSON. It names others by number or id only: in a chat of two the
    other is whom the file is called by."""
    told = [each for each in found if isinstance(each, Mapping)]
    sources = {_sent_by(each) for each in told if each.get("type") == "incoming"}
    alone = _NUMBER.sub("", chat) if len(sources) == 1 else None
    return _told(export, alone or chat, (_stored(each, alone) for each in told))


def _stored(said: Mapping[str, Any], alone: str | None) -> tuple[str, str | None, str]:
    name = {"incoming": alone or _sent_by(said), "outgoing": "You"}.get(str(said.get("type")), "")
    return name, moment(said.get("sent_at") or said.get("timestamp")), str(said.get("body") or "")


def _sent_by(said: Mapping[str, Any]) -> str:
    return str(said.get("source") or said.get("sourceServiceId") or said.get("sourceUuid") or "Somebody")


def frames(export: str, found: Iterable[Mapping[str, Any] | Passed]) -> Iterator[Item]:
    """Yield the months of every chat in Signal's own export. A frame that is spoken of comes before those that do so."""
    names: dict[str, str] = {}
    chats: dict[str, str] = {}
    held = Months(export, NOBODYS)
    for frame in found:
        if isinstance(frame, Passed):
            yield Item(export, skipped=frame.reason)
        elif isinstance(recipient := frame.get("recipient"), dict):
            names[str(recipient.get("id"))] = _recipient(recipient)
        elif isinstance(chat := frame.get("chat"), dict):
            chats[str(chat.get("id"))] = names.get(str(chat.get("recipientId")), "")
        elif isinstance(item := frame.get("chatItem"), dict):
            title = chats.get(str(item.get("chatId")), "") or "Signal"
            author = "You" if "outgoing" in item else names.get(str(item.get("authorId")), "") if "incoming" in item else ""
            message = item.get("standardMessage")
            text = message.get("text") if isinstance(message, dict) else None
            words = str(text.get("body") or "") if isinstance(text, dict) else ""
            yield from _taken(held, title if title != "You" else "Note to Self", author, moment(item.get("dateSent")), words)
    yield from held.rest()


def _recipient(found: Mapping[str, Any]) -> str:
    """Return what somebody, or a group, is called by the owner; "You" for the owner."""
    if "self" in found:
        return "You"
    if isinstance(group := found.get("group"), dict):
        title = ((group.get("snapshot") or {}).get("title") or {}).get("title")
        return str(title or "A group")
    contact = found.get("contact")
    if not isinstance(contact, dict):
        return ""
    nickname = contact.get("nickname") or {}
    named = (
        (nickname.get("given"), nickname.get("family")),
        (contact.get("systemGivenName"), contact.get("systemFamilyName")),
        (contact.get("profileGivenName"), contact.get("profileFamilyName")),
        (contact.get("username"), None),
        (contact.get("e164"), None),
    )
    return next((" ".join(str(part) for part in parts if part) for parts in named if any(parts)), "Somebody")


def _unadorned(words: str) -> str:
    left = _ADDED.sub("", words).strip()
    return "" if _ITSELF.fullmatch(left) else "\n".join(line.strip() for line in left.splitlines() if line.strip())


def _told(export: str, chat: str, said: Iterable[tuple[str, str | None, str]]) -> Iterator[Item]:
    held = Months(export, NOBODYS)
    for name, date, words in said:
        yield from _taken(held, chat, name, date, words)
    yield from held.rest()


def _taken(held: Months, chat: str, name: str, date: str | None, words: str) -> Iterator[Item]:
    """Keep what somebody said; the owner's words have no name."""
    if name in _NOBODY or not words.strip():
        held.leave(chat)
    else:
        yield from held.take(chat, Message(name=None if name in _OWNER else name[:200], content=words.strip(), observed_at=date))
