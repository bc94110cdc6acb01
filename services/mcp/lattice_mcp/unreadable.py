"""An answer to what is no message: the library logs such a line and says nothing, and its sender would wait for ever.

What cannot be read is answered as JSON-RPC 2.0 wants it: a parse error where it is no JSON, or nested too deeply to be read, and
an invalid request where it is JSON of another kind; under the id that the line gives its request, if one can be made out.
"""

from __future__ import annotations

import contextvars
import re
from types import TracebackType
from typing import Protocol, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]|[^\s"\[\]{}:,]+|[:,]', re.DOTALL)
_NUMBER = re.compile(r"-?\d{1,18}")
LONGEST_ID = 200
"""The longest id that is given back; no client sends longer ones."""


class Reading(Protocol):
    """The stream that the library reads; it closes what it was given."""

    async def receive(self) -> SessionMessage | Exception: ...
    async def aclose(self) -> None: ...


class Writing(Protocol):
    """The stream that the library writes."""

    async def send(self, item: SessionMessage, /) -> None: ...


class Answering:
    """Passes on what it reads from `reading`, and answers lines that are no messages on `writing`."""

    def __init__(self, reading: Reading, writing: Writing) -> None:
        self._reading = reading
        self._writing = writing

    @property
    def last_context(self) -> contextvars.Context | None:
        """Return what is known of the sender of the last message: the library looks for it by this name."""
        context: contextvars.Context | None = getattr(self._reading, "last_context", None)
        return context

    async def receive(self) -> SessionMessage | Exception:
        while True:
            item = await self._reading.receive()
            if not isinstance(item, ValidationError):
                return item
            if (refusal := refusal_of(item)) is not None:
                await self._writing.send(SessionMessage(refusal))

    async def aclose(self) -> None:
        await self._reading.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        await self.aclose()
        return None


def refusal_of(error: ValidationError) -> JSONRPCError | None:
    """Return the answer to a line that is no message; None for an empty one, which asks for nothing."""
    first = error.errors(include_url=False)[0]
    line = first["input"]
    if first["type"] != "json_invalid":
        detail = "This is JSON, and no message of JSON-RPC 2.0. Send an object with `jsonrpc`, `id`, `method` and `params`."
        return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=detail))
    text = line if isinstance(line, str) else ""
    if not text.strip():
        return None
    if "recursion" in first["msg"]:
        detail = "The message is nested too deeply to be read. Send it flat."
    else:
        detail = "The message is no JSON. Send one JSON object a line."
    return JSONRPCError(jsonrpc="2.0", id=id_in(text), error=ErrorData(code=PARSE_ERROR, message=detail))


def id_in(line: str) -> str | int | None:
    """Return the `id` of the outermost object, as far as it can be made out in what is no JSON, or is nested too deeply to be
    read."""
    depth = 0
    before = ("", "")
    for found in _PIECE.finditer(line):
        piece = found.group()
        if depth == 1 and before == ('"id"', ":"):
            if piece.startswith('"') and len(piece) <= LONGEST_ID and "\\" not in piece:
                return piece[1:-1]
            return int(piece) if _NUMBER.fullmatch(piece) else None
        if piece in "[{":
            depth += 1
        elif piece in "]}":
            depth -= 1
        before = (before[1], piece)
    return None
