"""Telegram's Bot API over real HTTP on 127.0.0.1, as far as the bot uses it; it does what it is told to.

    with telegram_server() as telegram:
        message = telegram.say("I live in Berlin.")
        reply = telegram.reply_to(message)

Updates are delivered until a later getUpdates confirms them with its offset, as the real one does. `flood` answers the next calls
with 429, `away` breaks every connection, `twice` delivers each update a second time after it was confirmed.
"""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from tests.services.telegram_http import TelegramHttp

T = TypeVar("T")

TOKEN = "700000001:AAcanaryCANARY-canary_token_0123456789"
OWNER = 7301994412
STRANGER = 666
WITHIN = 20.0
"""Seconds; what is waited for takes well under one on a quiet machine."""
LARGEST = 20 * 1024 * 1024
FLOODED = ("sendMessage", "editMessageText", "setMessageReaction")
SAID_FROM = int(time.time()) - 3600
"""Seconds since 1970; each message is a second later than the one before."""


@dataclass
class Sent:
    """A message of the bot's, as it is now. `versions` are its texts and when they came, the first included."""

    message_id: int
    chat: int
    text: str
    entities: list[dict[str, Any]]
    buttons: dict[str, str]
    reply_to: int | None
    preview_off: bool
    versions: list[tuple[float, str]] = field(default_factory=list)
    deleted: bool = False
    """By its reader."""


@dataclass
class _Trouble:
    floods: int = 0
    retry_after: int = 0
    flooded: tuple[str, ...] = ()
    away: bool = False
    webhook: bool = False
    rivals: int = 0
    broken: int = 0
    breaking: str = ""
    twice: bool = False


class TelegramServer:
    """One bot and whoever writes to it. Chats with people have the number of the person."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        self.sent: list[Sent] = []
        self.calls: list[tuple[float, str, int]] = []
        """When, which method, and for which chat (0: for none) calls were answered well."""
        self.reactions: list[tuple[int, str]] = []
        self.notices: list[str] = []
        self.offered: dict[int, list[str]] = {}
        """The commands that a chat offers."""
        self.refused = 0
        self._files: dict[str, bytes] = {}
        self._updates: list[dict[str, Any]] = []
        self._messages: dict[int, dict[str, Any]] = {}
        self._ids = itertools.count(1)
        self._update_ids = itertools.count(9001)
        self._changed = threading.Condition()
        self._trouble = _Trouble()
        self._http = TelegramHttp(self, TOKEN, host)

    @property
    def url(self) -> str:
        host, port = self._http.server_address[:2]
        return f"http://{host!s}:{port}"

    # What people do

    def say(self, text: str | None, *, user: int = OWNER, kind: str = "private", **more: Any) -> int:
        """A message; its number."""
        chat = user if kind == "private" else -100_500
        return self._message(chat, kind, user, {**({"text": text} if text is not None else {}), **more})

    def give(self, name: str, content: bytes, *, size: int | None = None, **more: Any) -> int:
        """A document; `size` is what is claimed of it."""
        file_id = f"file-{next(self._ids)}"
        self._files[file_id] = content
        known = {"file_id": file_id, "file_unique_id": f"u-{file_id}", "file_name": name, "file_size": size or len(content)}
        return self._message(OWNER, "private", OWNER, {"document": known, **more})

    def edit(self, message_id: int, text: str) -> None:
        self._edit(message_id, text=text)

    def edit_caption(self, message_id: int, caption: str) -> None:
        self._edit(message_id, caption=caption)

    def take_caption(self, message_id: int) -> None:
        """Out of a message."""
        self._messages[message_id].pop("caption")
        self._edit(message_id)

    def _edit(self, message_id: int, **changed: str) -> None:
        message = self._messages[message_id]
        self._messages[message_id] = {**message, **changed, "edit_date": message["date"] + 5}
        self._push({"edited_message": self._messages[message_id]})

    def press(self, sent: Sent, label: str, *, user: int = OWNER, is_old: bool = False) -> None:
        """An old message is shown without its words, and with no date."""
        self.send_back(sent, sent.buttons[label], user=user, is_old=is_old)

    def send_back(self, sent: Sent, data: str | None, *, user: int = OWNER, is_old: bool = False) -> None:
        """Any data at all, as of a press on a button of this message."""
        shown = {
            "message_id": sent.message_id,
            "date": SAID_FROM,
            "chat": {"id": sent.chat, "type": "private"},
            "text": sent.text,
        }
        if is_old:
            shown = {**shown, "date": 0}
            del shown["text"]
        query = {"id": str(next(self._ids)), "from": _person(user), "chat_instance": "1"}
        if data is not None:
            query["data"] = data
        self._push({"callback_query": {**query, "message": shown}})

    def message(self, message_id: int) -> dict[str, Any]:
        """One of the people's, as Telegram shows it within a reply to it."""
        return self._messages[message_id]

    def forget_replying(self, sent: Sent) -> Sent:
        """Say /forget as a reply to a message of the bot's; what the bot says to that."""
        rows = [[{"text": label, "callback_data": data}] for label, data in sent.buttons.items()]
        shown = {**_shape(sent), "reply_markup": {"inline_keyboard": rows}}
        return self.reply_to(self.say("/forget", reply_to_message=shown))

    def again(self) -> None:
        """Deliver the last update once more, under its own number."""
        with self._changed:
            self._updates.append(self._last)
            self._changed.notify_all()

    def _message(self, chat: int, kind: str, user: int, content: dict[str, Any]) -> int:
        number = next(self._ids)
        message = {
            "message_id": number,
            "date": SAID_FROM + number,
            "chat": {"id": chat, "type": kind, **({"title": "Friends"} if kind != "private" else {"first_name": "Ada"})},
            "from": _person(user),
            **content,
        }
        self._messages[number] = message
        self._push({"message": message})
        return number

    def _push(self, update: dict[str, Any]) -> None:
        with self._changed:
            self._last = {"update_id": next(self._update_ids), **update}
            self._updates.append(self._last)
            self._changed.notify_all()

    # What goes wrong

    def flood(self, calls: int, retry_after: int, of: tuple[str, ...] = FLOODED) -> None:
        """Answer so many calls of these methods with 429."""
        self._trouble.floods, self._trouble.retry_after, self._trouble.flooded = calls, retry_after, of

    def set_webhook(self) -> None:
        """As a program that had the token before left it."""
        self._trouble.webhook = True

    def compete(self, calls: int) -> None:
        """Give so many of the next calls for updates to another program with the same token."""
        self._trouble.rivals = calls

    def number_from(self, update_id: int) -> None:
        """As after a week without updates."""
        self._update_ids = itertools.count(update_id)

    def push(self, update: dict[str, Any]) -> None:
        """Any update at all."""
        self._push(update)

    def break_calls(self, calls: int, of: str) -> None:
        """Answer so many calls of a method with 502."""
        self._trouble.broken, self._trouble.breaking = calls, of

    def go_away(self) -> None:
        self._trouble.away = True
        with self._changed:
            self._changed.notify_all()

    def come_back(self) -> None:
        self._trouble.away = False

    def deliver_twice(self) -> None:
        self._trouble.twice = True

    # What is seen

    def wait(self, found: Callable[[], T | None], what: str = "it") -> T:
        """What is found once it is there; bounded."""
        deadline = time.monotonic() + WITHIN
        with self._changed:
            while not (there := found()):
                left = deadline - time.monotonic()
                assert left > 0, f"{what} did not happen; sent: {[each.text for each in self.sent]}"
                self._changed.wait(min(left, 0.05))
            return there

    def reply_to(self, message_id: int, *, containing: str = "") -> Sent:
        """The bot's reply to a message, once it is there."""
        return self.wait(
            lambda: next((each for each in self.sent if each.reply_to == message_id and containing in each.text), None),
            f"a reply to {message_id} with {containing!r}",
        )

    def message_with(self, text: str) -> Sent:
        """The latest message of the bot's that has this in it."""
        return self.wait(lambda: next((each for each in reversed(self.sent) if text in each.text), None), f"{text!r}")

    @property
    def confirmed(self) -> bool:
        """Whether all updates were taken."""
        return not self._updates

    # What the bot calls

    def answer(self, method: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Status and body."""
        if method in self._trouble.flooded and self._trouble.floods > 0:
            self._trouble.floods -= 1
            self.refused += 1
            after = self._trouble.retry_after
            told = f"Too Many Requests: retry after {after}"
            return 429, {"ok": False, "error_code": 429, "description": told, "parameters": {"retry_after": after}}
        if method == self._trouble.breaking and self._trouble.broken > 0:
            self._trouble.broken -= 1
            return 502, {"ok": False, "error_code": 502, "description": "Bad Gateway"}
        if method == "getUpdates" and (self._trouble.webhook or self._trouble.rivals > 0):
            self._trouble.rivals -= 1
            why = "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first"
            other = "terminated by other getUpdates request; make sure that only one bot instance is running"
            return 409, {"ok": False, "error_code": 409, "description": f"Conflict: {why if self._trouble.webhook else other}"}
        chat = given.get("chat_id") or json.loads(given.get("scope", "{}")).get("chat_id", 0)
        self.calls.append((time.monotonic(), method, int(chat)))
        result: Any = {
            "getUpdates": self._get_updates,
            "sendMessage": self._send_message,
            "editMessageText": self._edit_message,
            "setMessageReaction": self._react,
            "answerCallbackQuery": self._notice,
            "getFile": self._get_file,
            "deleteWebhook": self._delete_webhook,
            "setMyCommands": self._offer,
        }[method](given)
        if isinstance(result, str):
            return 400, {"ok": False, "error_code": 400, "description": f"Bad Request: {result}"}
        return 200, {"ok": True, "result": result}

    def download(self, path: str) -> bytes | None:
        return self._files.get(path.rpartition("/")[2])

    def _get_updates(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        offset, deadline = int(given.get("offset", 0)), time.monotonic() + float(given.get("timeout", 0))
        with self._changed:
            confirmed = [each for each in self._updates if each["update_id"] < offset]
            self._updates = [each for each in self._updates if each["update_id"] >= offset]
            if self._trouble.twice and confirmed:
                self._trouble.twice = False
                return confirmed
            while not self._updates and not self._trouble.away and not self._http.closing and time.monotonic() < deadline:
                self._changed.wait(0.05)
            return [each for each in self._updates if each["update_id"] >= offset][: int(given.get("limit", 100))]

    def _send_message(self, given: dict[str, Any]) -> dict[str, Any] | str:
        text = given["text"]
        if not text.strip():
            return "message text is empty"
        if len(text.encode("utf-16-le")) // 2 > 4096:
            return "message is too long"
        answered = json.loads(given.get("reply_parameters", "{}")).get("message_id")
        number = next(self._ids)
        preview_off = bool(json.loads(given.get("link_preview_options", "{}")).get("is_disabled"))
        made = Sent(
            number, int(given["chat_id"]), text, json.loads(given.get("entities", "[]")), _buttons(given), answered, preview_off
        )
        made.versions.append((time.monotonic(), text))
        with self._changed:
            self.sent.append(made)
            self._changed.notify_all()
        return _shape(made)

    def _edit_message(self, given: dict[str, Any]) -> dict[str, Any] | str:
        made = next(each for each in self.sent if each.message_id == int(given["message_id"]))
        if made.deleted:
            return "message to edit not found"
        if len(given["text"].encode("utf-16-le")) // 2 > 4096:
            return "message is too long"
        if (given["text"], _buttons(given)) == (made.text, made.buttons):
            return "message is not modified: specified new message content is exactly the same"
        with self._changed:
            made.text, made.buttons = given["text"], _buttons(given)
            made.entities = json.loads(given.get("entities", "[]"))
            made.versions.append((time.monotonic(), made.text))
            self._changed.notify_all()
        return _shape(made)

    def _react(self, given: dict[str, Any]) -> bool:
        with self._changed:
            self.reactions.append((int(given["message_id"]), json.loads(given["reaction"])[0]["emoji"]))
            self._changed.notify_all()
        return True

    def _notice(self, given: dict[str, Any]) -> bool:
        with self._changed:
            self.notices.append(given.get("text", ""))
            self._changed.notify_all()
        return True

    def _delete_webhook(self, given: dict[str, Any]) -> bool:
        assert "drop_pending_updates" not in given, "what was said is not thrown away"
        self._trouble.webhook = False
        return True

    def _offer(self, given: dict[str, Any]) -> bool:
        with self._changed:
            self.offered[int(json.loads(given["scope"])["chat_id"])] = [each["command"] for each in json.loads(given["commands"])]
            self._changed.notify_all()
        return True

    def _get_file(self, given: dict[str, Any]) -> dict[str, Any] | str:
        content = self._files[given["file_id"]]
        if len(content) > LARGEST:
            return "file is too big"
        path = f"documents/{given['file_id']}"
        return {"file_id": given["file_id"], "file_unique_id": "u", "file_size": len(content), "file_path": path}

    def start(self) -> None:
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, name="telegram-server").start()

    def close(self) -> None:
        self._http.closing = True
        self._http.shutdown()
        self._http.hang_up()
        self._http.server_close()

    @property
    def is_away(self) -> bool:
        return self._trouble.away


@contextmanager
def telegram_server(host: str = "127.0.0.1") -> Iterator[TelegramServer]:
    """A server that answers until the block ends, at an address of this machine."""
    server = TelegramServer(host)
    server.start()
    try:
        yield server
    finally:
        server.close()


def _person(user: int) -> dict[str, Any]:
    return {"id": user, "is_bot": False, "first_name": "Ada" if user == OWNER else "Mallory"}


def _buttons(given: dict[str, Any]) -> dict[str, str]:
    rows = json.loads(given.get("reply_markup", "{}")).get("inline_keyboard", [])
    return {each["text"]: each["callback_data"] for row in rows for each in row}


def _shape(sent: Sent) -> dict[str, Any]:
    chat = {"id": sent.chat, "type": "private", "first_name": "Ada"}
    return {"message_id": sent.message_id, "date": SAID_FROM, "chat": chat, "text": sent.text}
