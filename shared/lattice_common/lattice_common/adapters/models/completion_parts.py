"""Reads completions, whole and in pieces, from whatever an endpoint sends: its shape is not believed."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.ports.language_model import Completion, Finish, Message, ToolCall

_FINISHES: dict[str, Finish] = {
    **dict.fromkeys(("length", "max_tokens", "max_output_tokens", "max_length", "model_length", "token_limit"), "length"),
    **dict.fromkeys(("tool_calls", "tool_call", "tool_use", "function_call"), "tool_calls"),
    **dict.fromkeys(
        (
            "content_filter", "refusal", "safety", "recitation", "blocklist", "prohibited_content", "spii",
            "guardrail_intervened",
        ),
        "refused",
    ),
}  # fmt: skip
"""Beside OpenAI's own words those of gateways to other makers' models, in small letters. What is not here is taken for an end."""

_BROKEN_OFF = frozenset(
    (
        "error", "abort", "aborted", "cancelled", "canceled", "insufficient_system_resource", "malformed_function_call",
        "load", "unload", "other",
    )
)  # fmt: skip
"""Ends that are none: the model fell over, or (Ollama's `load`) was not asked at all."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_FIRST_HALF = re.compile("[\ud800-\udbff]\\Z")


class NoCompletion(ValueError):
    """What came back is none."""


class BrokenOff(NoCompletion):
    """What came back has no end."""


@dataclass(slots=True)
class CompletionParts:
    """What has come so far of one completion. `take` gives the new text of each piece."""

    texts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    calls: list[list[str]] = field(default_factory=list)
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    characters: int = 0
    _half: str = ""
    _call_at: dict[int, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def begun(self) -> bool:
        return bool(self.texts or self.calls or self.refusals)

    def take(self, sent: object, part: str) -> str:
        """Take a whole completion (`part` is `message`) or a piece of a streamed one (`delta`); return its text.

        Raises `NoCompletion` when a whole one is not there, or a piece says that something went wrong.
        """
        fields = _fields(sent)
        usage = _fields(fields.get("usage"))
        self.prompt_tokens = _count(usage.get("prompt_tokens"), self.prompt_tokens)
        self.completion_tokens = _count(usage.get("completion_tokens"), self.completion_tokens)
        choices = fields.get("choices")
        if not isinstance(choices, list) or not choices:
            if part == "message" or "error" in fields:
                raise NoCompletion("an answer without a completion")
            return ""
        choice = _fields(choices[0])
        if choice.get("index") not in (0, None):
            return ""  # one answer was asked for
        message = _fields(choice.get(part))
        if not message and not self.begun:
            message = _fields(choice.get("message"))
        if part == "message" and not message:
            raise NoCompletion("a completion without a message")
        ended = _text(choice.get("finish_reason")).lower()
        if ended in _BROKEN_OFF:
            raise BrokenOff("a completion that ended with an error")
        self.finish = ended or self.finish
        if refusal := _text(message.get("refusal")):
            self.refusals.append(_sendable(refusal))
        self._take_calls(message.get("tool_calls"))
        text = self._with_halves_joined(_content(message.get("content")))
        if text:
            self.texts.append(text)
            self.characters += len(text)
        return text

    def completion(self, asked: Sequence[Message], *, cut_at: int | None = None, finish: Finish | None = None) -> Completion:
        """Return the whole; tokens that the endpoint did not count are estimated. A text of more than `cut_at` characters is
        cut."""
        text, refusal = self.text, "".join(self.refusals)
        calls = tuple(
            ToolCall(call_id or f"call_{number}", name, _sendable(arguments))
            for number, (call_id, name, arguments) in enumerate(self.calls, start=1)
        )
        ended = finish or ("tool_calls" if calls else _FINISHES.get(self.finish or "", "stop"))
        if refusal:
            text, ended = text or refusal, "refused"
        if cut_at is not None and len(text) > cut_at:
            text, ended = text[:cut_at], "length"
        read = self.prompt_tokens or tokens_of(asked)
        written = self.completion_tokens or estimated_tokens(text) + sum(estimated_tokens(call.arguments) for call in calls)
        return Completion(text, ended, calls, read, written)

    def _take_calls(self, sent: object) -> None:
        if not isinstance(sent, list):
            return
        for position, each in enumerate(sent):
            fields = _fields(each)
            function = _fields(fields.get("function"))
            index = fields.get("index")
            call_id, name, arguments = _text(fields.get("id")), _text(function.get("name")), _arguments(function.get("arguments"))
            call = self._call(index if isinstance(index, int) else position, call_id, name, arguments)
            call[0] = call[0] or call_id
            call[1] += name if name != call[1] else ""  # some repeat it with every piece
            call[2] += arguments

    def _call(self, index: int, call_id: str, name: str, arguments: str) -> list[str]:
        """Return the call that a piece belongs to. Some endpoints give all calls of an answer the same index, or none."""
        at = self._call_at.get(index)
        if at is not None:
            known_id, known_name, known_arguments = self.calls[at]
            another = (
                call_id != known_id if call_id and known_id else name and known_name and arguments and _whole(known_arguments)
            )
            if not another:
                return self.calls[at]
        self._call_at[index] = len(self.calls)
        self.calls.append(["", "", ""])
        return self.calls[-1]

    def _with_halves_joined(self, text: str) -> str:
        """Return the text that can be passed on: a character that was cut between the two halves of its escape
        (`\\ud83d\\ude00`) comes with its second half."""
        text, self._half = self._half + text, ""
        if first := _FIRST_HALF.search(text):
            text, self._half = text[: first.start()], first[0]
        return _sendable(text)


def tokens_of(messages: Sequence[Message]) -> int:
    """Return the tokens of what is asked, estimated."""
    return sum(
        4 + estimated_tokens(each.content) + sum(estimated_tokens(call.arguments) for call in each.tool_calls)
        for each in messages
    )


def _fields(sent: object) -> dict[str, Any]:
    return sent if isinstance(sent, dict) else {}


def _text(sent: object) -> str:
    return sent if isinstance(sent, str) else ""


def _content(sent: object) -> str:
    """Return the text of a text, or of a list of parts of which some are text and some the model thinking aloud."""
    if not isinstance(sent, list):
        return _text(sent)
    parts = [_fields(each) for each in sent]
    return "".join(_text(each.get("text")) for each in parts if each.get("type") in ("text", "output_text", None))


def _arguments(sent: object) -> str:
    """Return the arguments as the model wrote them; some endpoints have read them already."""
    return json.dumps(sent, ensure_ascii=False) if isinstance(sent, dict) else _text(sent)


def _whole(arguments: str) -> bool:
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return False
    return True


def _sendable(text: str) -> str:
    """Return a text without NUL and halves of characters, which nothing can be written with."""
    if _SURROGATE.search(text):
        text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "")


def _count(sent: object, known: int | None) -> int | None:
    return sent if isinstance(sent, int) and not isinstance(sent, bool) and sent > 0 else known
