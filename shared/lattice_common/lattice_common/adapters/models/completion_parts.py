"""Reads completions, whole and in pieces, from whatever an endpoint sends: its shape is not believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lattice_common.domain.tokens import estimated_tokens
from lattice_common.ports.language_model import Completion, Finish, Message, ToolCall

_FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "content_filter": "refused",
}


class NoCompletion(ValueError):
    """What came back is none."""


@dataclass(slots=True)
class CompletionParts:
    """What has come so far of one completion. `take` gives the new text of each piece."""

    texts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    calls: dict[int, list[str]] = field(default_factory=dict)
    finish: str | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    characters: int = 0

    @property
    def text(self) -> str:
        return "".join(self.texts)

    @property
    def begun(self) -> bool:
        return bool(self.texts or self.calls or self.refusals)

    def take(self, sent: object, part: str) -> str:
        """A whole completion (`part` is `message`) or a piece of a streamed one (`delta`); its text.

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
        message = _fields(choice.get(part))
        if part == "message" and not message:
            raise NoCompletion("a completion without a message")
        self.finish = _text(choice.get("finish_reason")) or self.finish
        if refusal := _text(message.get("refusal")):
            self.refusals.append(refusal)
        self._take_calls(message.get("tool_calls"))
        text = _text(message.get("content"))
        if text:
            self.texts.append(text)
            self.characters += len(text)
        return text

    def completion(self, asked: Sequence[Message], *, cut_at: int | None = None, finish: Finish | None = None) -> Completion:
        """The whole; tokens that the endpoint did not count are estimated. A text of more than `cut_at` characters is cut."""
        text, refusal = self.text, "".join(self.refusals)
        calls = tuple(ToolCall(call_id, name, arguments) for _, (call_id, name, arguments) in sorted(self.calls.items()))
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
            parts = self.calls.setdefault(index if isinstance(index, int) else position, ["", "", ""])
            for at, piece in enumerate((fields.get("id"), function.get("name"), function.get("arguments"))):
                parts[at] += _text(piece)


def tokens_of(messages: Sequence[Message]) -> int:
    """Tokens of what is asked, estimated."""
    return sum(
        4 + estimated_tokens(each.content) + sum(estimated_tokens(call.arguments) for call in each.tool_calls)
        for each in messages
    )


def _fields(sent: object) -> dict[str, Any]:
    return sent if isinstance(sent, dict) else {}


def _text(sent: object) -> str:
    return sent if isinstance(sent, str) else ""


def _count(sent: object, known: int | None) -> int | None:
    return sent if isinstance(sent, int) and not isinstance(sent, bool) and sent > 0 else known
