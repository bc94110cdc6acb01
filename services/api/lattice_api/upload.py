"""One file in a `multipart/form-data` body, streamed to the journal's disk, and never all of it in memory.

Everything is counted here, whatever the headers claim: the parts, the bytes of the file, and the rest. The file's name is for
display only.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from fastapi import Request, Response
from lattice_common.capture.incoming import Incoming, too_large
from lattice_common.errors import InvalidInput, LatticeError
from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.requests import ClientDisconnect

from lattice_api.body import IDLE_SECONDS
from lattice_api.problem import problem_of, trace_id_of
from lattice_api.threads import in_thread

MOST_PARTS = 10
"""There are two; a browser's form may have some more."""

LARGEST_METADATA = 64 * 1024
"""Bytes of the part `metadata`, before it is checked like every metadata."""

AROUND = 256 * 1024
"""Bytes of a body besides the file's: headers, metadata, boundaries."""

WRITTEN_AT_ONCE = 256 * 1024

_NO_FORM = (
    "Send the file as `multipart/form-data`, in a part `file` with its name, and what is known of it as JSON in `metadata`."
)


@dataclass(slots=True)
class Form:
    """The other fields of the form, and the name of the file."""

    name: str | None = None
    metadata: bytes = b""


@dataclass(slots=True)
class _Part:
    headers: dict[bytes, bytes] = field(default_factory=dict)
    name: str = ""


async def receive(request: Request, incoming: Incoming, limit: int, seconds: float) -> Form:
    """Take the file of a request into `incoming`. `limit` is the most bytes that a file may have; all of it has to come within
    `seconds`.

    Raise `InvalidInput` (400, 408, 413, 415, 422), `Unavailable` when the disk is full, `ClientDisconnect`.
    """
    kind, options = parse_options_header(request.headers.get("content-type", ""))
    if kind != b"multipart/form-data":
        raise InvalidInput(_NO_FORM, status=415)
    boundary = options.get(b"boundary", b"")
    if not 0 < len(boundary) <= 70:  # RFC 2046, 5.1.1
        raise InvalidInput(f"The Content-Type names no boundary. {_NO_FORM}", status=400)
    claimed = request.headers.get("content-length", "")
    if claimed.isdigit() and int(claimed[:20]) > limit + AROUND:
        raise too_large(limit)
    reader = _Reader(boundary)
    total = 0
    async for chunk in _chunks(request, seconds):
        total += len(chunk)
        reader.feed(chunk)
        if total > limit + AROUND:
            raise too_large(limit)
        if len(reader.pending) >= WRITTEN_AT_ONCE:
            await in_thread(incoming.write, reader.taken())
    await in_thread(incoming.write, reader.taken())
    return reader.form()


async def refusal(request: Request, error: LatticeError, seconds: float) -> Response:
    """Return the answer to a file that is not taken, when its body was read on for `seconds`: so the client sees it."""
    refused = problem_of(error, trace_id_of(request))
    await _drain(request, seconds)
    refused.headers["Connection"] = "close"
    return refused


async def _drain(request: Request, seconds: float) -> None:
    until = time.monotonic() + seconds
    try:
        async with asyncio.timeout(seconds):  # of who sends nothing there is nothing to hear
            async for _ in request.stream():
                if time.monotonic() > until:
                    return
    except (TimeoutError, ClientDisconnect, RuntimeError):  # silent, gone, or the body was read to its end already
        return


async def _chunks(request: Request, seconds: float) -> AsyncIterator[bytes]:
    """Yield the body, which has to come within `seconds`."""
    stream = request.stream()
    deadline = time.monotonic() + seconds
    while True:
        left = min(IDLE_SECONDS, deadline - time.monotonic())
        try:
            chunk = await asyncio.wait_for(anext(stream, None), max(left, 0))
        except TimeoutError as error:
            raise InvalidInput("The file did not come to its end in time. Send it again.", status=408) from error
        if chunk is None:
            return
        yield chunk


class _Reader:
    """The parts of one body. `pending` are bytes of the file that were not written yet."""

    def __init__(self, boundary: bytes) -> None:
        self.pending = bytearray()
        self._form = Form()
        self._metadata = bytearray()
        self._parts = 0
        self._part = _Part()
        self._header: bytes = b""
        self._value: bytes = b""
        self._ended = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._field,
                "on_header_value": self._said,
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
                "on_part_data": self._data,
                "on_end": self._end,
            },
        )

    def feed(self, chunk: bytes) -> None:
        try:
            self._parser.write(chunk)
        except FormParserError as error:
            raise InvalidInput(f"The body is no multipart form: {error}. {_NO_FORM}", status=400) from error

    def taken(self) -> bytes:
        pending, self.pending = bytes(self.pending), bytearray()
        return pending

    def form(self) -> Form:
        """Return the form, once all of it has come."""
        if self._form.name is None:
            raise InvalidInput(f"There is no file in it. {_NO_FORM}", status=400, field="file")
        if not self._ended:
            raise InvalidInput("The body ends before the file does. Send it again.", status=400, field="file")
        self._form.metadata = bytes(self._metadata)
        return self._form

    def _begin(self) -> None:
        self._parts += 1
        if self._parts > MOST_PARTS:
            raise InvalidInput(f"The body has more than {MOST_PARTS} parts. {_NO_FORM}", status=400)
        self._part = _Part()

    def _field(self, content: bytes, start: int, end: int) -> None:
        self._header += content[start:end]

    def _said(self, content: bytes, start: int, end: int) -> None:
        self._value += content[start:end]

    def _header_end(self) -> None:
        self._part.headers[self._header.lower()] = self._value
        self._header, self._value = b"", b""

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._part.headers.get(b"content-disposition", b""))
        self._part.name = options.get(b"name", b"").decode("utf-8", "replace")
        match self._part.name:
            case "file":
                if not options.get(b"filename"):
                    raise InvalidInput(f"The part `file` has no file name. {_NO_FORM}", status=400, field="file")
                if self._form.name is not None:
                    raise InvalidInput("There are two files in it. Send each by itself.", status=400, field="file")
                self._form.name = options[b"filename"].decode("utf-8", "replace")
            case "metadata":
                pass
            case other:
                detail = f"There is no field `{other[:100]}` here: send `file` and `metadata`."
                raise InvalidInput(detail, field=other[:100] or "body")

    def _data(self, content: bytes, start: int, end: int) -> None:
        if self._part.name == "file":
            self.pending += content[start:end]
            return
        self._metadata += content[start:end]
        if len(self._metadata) > LARGEST_METADATA:
            detail = f"The metadata has more than {LARGEST_METADATA:,} bytes. Put what is to be remembered into a file."
            raise InvalidInput(detail, field="metadata")

    def _end(self) -> None:
        self._ended = True
