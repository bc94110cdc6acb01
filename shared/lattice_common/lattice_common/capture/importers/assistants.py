"""Conversations with assistants and with people, and what assistants remembered, as each program exports them.

ChatGPT, Claude, Telegram; memories of mem0 and of the MCP memory server.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from lattice_common.capture.importers.items import Item, conversation, file_inside, moment, note
from lattice_common.capture.importers.months import Months
from lattice_common.capture.request import Message
from lattice_common.domain.capture import Role

MOST_BRANCHES = 20
_SERVICE = "what Telegram says itself is nobody's words (who came or left, calls, pinned messages)"
_SOMEBODY = "Somebody"
_WORDLESS = "pictures, recordings and the like are not read"
_FENCED = re.compile(r"```(.*?)(?:```|\Z)", re.DOTALL)
"""The owner's words in what ChatGPT writes around them: "The user provided the following information about themselves …"."""

_CITED = re.compile(
    r"[ \t]*(?:\ue200(?P<kind>\w+)\ue202(?P<shown>[^\ue200\ue201]*)\ue201"
    r"|\b(?:file)?cite(?:turn\d+[a-z]+\d+)+|【[^【】\n]{0,80}†[^【】\n]{0,80}】|(?P<loose>[\ue200-\ue206]))"
)
"""What stands in replies for a source ("【4†source】", "cite" and "turn0search1" between signs that no font has). There it is
a link, or a name."""


def chatgpt(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield a conversation along its last branch; what was said on others, which were left for a new try, is a conversation
    each."""
    title = str(found.get("title") or "A conversation")
    session = str(found.get("conversation_id") or found.get("id") or title)
    nodes: Mapping[str, Any] = {key: node for key, node in found["mapping"].items() if isinstance(node, dict)}
    leaves = [key for key, node in nodes.items() if not node.get("children")]
    leaves.sort(key=lambda key: -_time(nodes[key]))
    last = found.get("current_node")
    ordered = [last, *(each for each in leaves if each != last)] if isinstance(last, str) and last in nodes else leaves
    seen: set[str] = set()
    for number, leaf in enumerate(ordered[:MOST_BRANCHES]):
        path = _path(nodes, leaf)
        fresh = [said for key in path if key not in seen and (said := _said(nodes[key])) is not None]
        seen.update(path)
        if fresh:
            branch = f" (another branch, {number + 1})" if number else ""
            yield _unmarked(conversation(export, f"{title}{branch}", fresh, f"{session}{branch}"))
        elif not number:
            yield Item(title, skipped="it holds no words")
    if len(ordered) > MOST_BRANCHES:
        yield Item(title, skipped=f"it has {len(ordered)} branches, of which {MOST_BRANCHES} were read")


class ChatGPT:
    """Reads the conversations of one export: what the owner had all of them told beforehand is in each, and brought once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def __call__(self, export: str, found: Mapping[str, Any]) -> Iterator[Item]:
        """Yield a conversation, and the instructions that none before it had."""
        for node in found["mapping"].values():
            words, date = _instructions(node)
            if words and words not in self._told:
                self._told.add(words)
                yield note(export, "What ChatGPT was to know", words, date=date or moment(found.get("create_time")))
        yield from chatgpt(export, found)


def _instructions(node: Any) -> tuple[str, str | None]:
    """Return what the owner wrote of himself in ChatGPT's settings, and when it was said; how it is to answer is not."""
    message = node.get("message") if isinstance(node, dict) else None
    content = message.get("content") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(content, dict) or content.get("content_type") != "user_editable_context":
        return "", None
    metadata = message.get("metadata")
    data = metadata.get("user_context_message_data") if isinstance(metadata, dict) else None
    told = _words(data.get("about_user_message")) if isinstance(data, dict) else ""
    fenced = _FENCED.search(_words(content.get("user_profile")))
    return (told or (fenced[1] if fenced else "")).strip(), moment(message.get("create_time"))


def _unmarked(item: Item) -> Item:
    """Return a conversation without the marks of sources in its replies, as one that an earlier version brought with them."""
    messages = item.request.messages or () if item.request else ()
    cleared = [
        each.model_copy(update={"content": _CITED.sub(_shown, each.content).strip()}) if each.role == "assistant" else each
        for each in messages
    ]
    said = [each for each in cleared if each.content]
    if item.request is None or not said or cleared == list(messages):
        return item
    return replace(item, request=item.request.model_copy(update={"messages": said}), former=item)


def _shown(found: re.Match[str]) -> str:
    """Return what ChatGPT shows in the place of a mark: the name of a thing or a page, and nothing for the number of a source."""
    space = found[0][: len(found[0]) - len(found[0].lstrip(" \t"))]
    if found["loose"]:
        return space
    names = {"entity": r'\[\s*"[^"]*"\s*,\s*"((?:[^"\\]|\\.)*)"', "url": r"([^\ue202]+)"}
    named = re.match(names[found["kind"]], found["shown"]) if found["kind"] in names else None
    return space + named[1] if named else ""


def _path(nodes: Mapping[str, Any], leaf: str) -> list[str]:
    path: list[str] = []
    key: Any = leaf
    while key in nodes and key not in path[-1:] and len(path) <= len(nodes):
        path.append(key)
        key = nodes[key].get("parent")
    return path[::-1]


def _time(node: Mapping[str, Any]) -> float:
    message = node.get("message")
    value = message.get("create_time") if isinstance(message, dict) else None
    return float(value) if isinstance(value, (int, float)) else 0.0


def _said(node: Mapping[str, Any]) -> Message | None:
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, dict) else None
    parts = content.get("parts", []) if isinstance(content, dict) else []
    words = "\n".join(filter(None, map(_part, parts))).strip() if isinstance(parts, list) else ""
    if role not in ("user", "assistant") or not words:
        return None
    known: Role = "user" if role == "user" else "assistant"
    identity = message.get("id")
    return Message(
        role=known, content=words, observed_at=moment(message.get("create_time")), id=str(identity)[:200] if identity else None
    )


def _part(part: object) -> str:
    """Return the words of a part of a message: what was written, or what was said aloud and written down by ChatGPT."""
    if isinstance(part, dict) and part.get("content_type") == "audio_transcription":
        return _words(part.get("text"))
    return _words(part)


def claude(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield a conversation of Claude's export, and what was attached to its messages: documents, whoever wrote them."""
    messages, attached = [], []
    for said in found["chat_messages"]:
        if not isinstance(said, dict):
            continue
        words = str(said.get("text") or "").strip()
        parts = said.get("content")
        if not words and isinstance(parts, list):
            words = "\n".join(
                str(part.get("text") or "") for part in parts if isinstance(part, dict) and part.get("type") == "text"
            )
        role: Role = "assistant" if said.get("sender") == "assistant" else "user"
        date = moment(said.get("created_at"))
        messages.append(Message(role=role, content=words, observed_at=date))
        attached += [_document(export, each, "file_name", "extracted_content", date) for each in _dicts(said.get("attachments"))]
    title = str(found.get("name") or "A conversation")
    yield conversation(export, title, messages, str(found.get("uuid") or title))
    yield from attached


def claude_memory(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield what Claude noted of its user: over all conversations, and of each project."""
    yield note(export, "Claude's memory", _words(found.get("conversations_memory")), source="assistant", source_type="markdown")
    projects = found.get("project_memories")
    for words in projects.values() if isinstance(projects, dict) else ():
        yield note(export, "Claude's memory of a project", _words(words), source="assistant", source_type="markdown")


def claude_project(export: str, found: Mapping[str, Any]) -> Iterator[Item]:
    """Yield the documents of a project of Claude's."""
    documents = _dicts(found.get("docs"))
    for each in documents:
        yield _document(export, each, "filename", "content", moment(each.get("created_at") or found.get("created_at")))
    if not documents:
        yield Item(str(found.get("name") or "a project"), skipped="the project holds no documents")


def claude_user(export: str, found: Mapping[str, Any]) -> Item:
    """Return that the owner of the account is not read."""
    return Item(str(found.get("full_name") or export), skipped="it says whose account it was")


def _document(export: str, found: Mapping[str, Any], named: str, held: str, date: str | None) -> Item:
    """Return a text that was given to an assistant, under the name of its file: what was a PDF there is its text here."""
    name = re.split(r"[/\\]", str(found.get(named) or "").strip())[-1] or "pasted.txt"
    name = name if name.lower().endswith((".txt", ".md", ".csv")) else f"{name}.txt"
    return file_inside(export, name, _words(found.get(held)).encode("utf-8", "replace"), date=date, source="document")


def _words(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def telegram(export: str, chat: Mapping[str, Any], owner: str | None = None) -> Iterator[Item]:
    """Yield a chat of Telegram Desktop's export, a conversation each month; what it holds beside words is counted. `owner` is the
    id of the account, where the export says it."""
    name = str(chat.get("name") or "Saved messages")
    held = Months(export, _WORDLESS)
    left: Counter[str] = Counter()
    own: str | None = None
    read = False
    for said in chat.get("messages") or ():
        if not isinstance(said, dict) or said.get("type") != "message":
            left[_SERVICE] += 1
            continue
        text = said.get("text")
        parts = text if isinstance(text, list) else [text]
        words = "".join(part if isinstance(part, str) else str(part.get("text") or "") for part in parts if part)
        if not words.strip():
            left[_WORDLESS] += 1
            continue
        read, sender = True, str(said.get("from") or "")[:200] or None
        if "forwarded_from" in said:
            sender = str(said["forwarded_from"] or _SOMEBODY)[:200]
        elif _is_owners(said, chat, owner):
            own, sender = sender, None
        date = moment(said.get("date_unixtime") or said.get("date"))
        message = Message(name=sender, content=words, observed_at=date, id=str(said.get("id") or "")[:200] or None)
        yield from (_formerly_named(each, own) for each in held.take(name, message))
    if not read and not left:
        yield Item(name, skipped="it holds no words")
    yield from (_formerly_named(each, own) for each in held.rest())
    for reason, count in left.items():
        yield Item(f"{name}, messages: {count:,}", skipped=reason)


def _is_owners(said: Mapping[str, Any], chat: Mapping[str, Any], owner: str | None) -> bool:
    """Return whether the owner of the account wrote a message: by the account's id; without it, in a chat with one other, which
    has the other's id and name, whoever is not the other one."""
    sender = said.get("from_id")
    if chat.get("type") == "saved_messages":
        return True
    if owner is not None or not isinstance(sender, str):
        return sender == owner and owner is not None
    alone = chat.get("type") in ("personal_chat", "bot_chat")
    return alone and sender != f"user{chat.get('id')}" and said.get("from") != chat.get("name")


def _formerly_named(item: Item, own: str | None) -> Item:
    """Return an item as one that an earlier version brought with the owner's words under the name that he has in Telegram."""
    if item.request is None or own is None or not any(each.name is None for each in item.request.messages or ()):
        return item
    named = [each if each.name else each.model_copy(update={"name": own}) for each in item.request.messages or ()]
    return replace(item, former=replace(item, request=item.request.model_copy(update={"messages": named})))


def mem0(export: str, found: Mapping[str, Any]) -> Item:
    """Return a memory of mem0: an assistant's words about somebody."""
    said = found.get("memory")
    words = said if isinstance(said, str) else ""
    return note(export, words[:60], words, date=moment(found.get("created_at") or found.get("updated_at")), source="assistant")


def mcp_memory(export: str, found: Mapping[str, Any]) -> Item:
    """Return an entity or relation of the MCP memory server (`memory.json`)."""
    if found.get("type") == "relation":
        words = f"{found.get('from')} {str(found.get('relationType') or '').replace('_', ' ')} {found.get('to')}."
        return note(export, words[:60], words, source="assistant")
    name = str(found.get("name") or "")
    told = [str(each).strip() for each in found.get("observations") or ()]
    lines = [f"{each if name.lower() in each.lower() else f'{name}: {each}'}" for each in told if each]
    return note(export, name, "\n".join(lines), source="assistant")
