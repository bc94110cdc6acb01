"""A scripted endpoint in a process of its own: it answers after so many seconds, and costs as little as an endpoint can.

What it says is worked out with one regular expression, and it waits on an event loop: what is measured is the product, and an
endpoint takes no part of its time but what two processes on one machine take from each other.
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

EVERY = 5
"""Of so many sentences one is a fact: some ten for a segment."""

Answer = Callable[[dict[str, Any]], str]

_SENTENCE = re.compile(r"Parcel [^.]*\.")


@contextmanager
def scripted_endpoint(seconds: float, answer: Answer | None = None) -> Iterator[Endpoint]:
    """An endpoint whose calls take `seconds`, until the block ends. `answer` makes a reply of a request; `facts` by default. A
    function of a module, for it is used in another process."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, seconds, answer or facts), daemon=True)
    process.start()
    there.close()  # where it cannot start, nobody waits for it
    try:
        yield Endpoint(here, int(here.recv()))
    finally:
        process.kill()
        process.join()


class Endpoint:
    """`base_url` is where it is."""

    def __init__(self, connection: Connection, port: int) -> None:
        self._connection = connection
        self.base_url = f"http://127.0.0.1:{port}/v1"

    def calls(self) -> int:
        """How many completions it was asked for so far."""
        self._connection.send("calls")
        return int(self._connection.recv())


def facts(body: dict[str, Any]) -> str:
    """Every fifth sentence of the text is a fact in its own words."""
    found = _SENTENCE.findall(str(body["messages"][1]["content"]))[::EVERY]
    return json.dumps(
        {"memories": [{"content": each, "quote": each, "kind": "fact", "subject": "", "entities": []} for each in found]}
    )


def _serve(connection: Connection, seconds: float, answer: Answer) -> None:
    asyncio.run(_Served(connection, seconds, answer).serve())


class _Served:
    def __init__(self, connection: Connection, seconds: float, answer: Answer) -> None:
        self._connection = connection
        self._seconds = seconds
        self._answer = answer
        self._calls = 0

    async def serve(self) -> None:
        server = await asyncio.start_server(self._talk, "127.0.0.1", 0)
        asyncio.get_running_loop().add_reader(self._connection.fileno(), self._tell)
        self._connection.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    def _tell(self) -> None:
        self._connection.recv()
        self._connection.send(self._calls)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                [length] = re.findall(rb"(?i)content-length: *(\d+)", head)
                at = asyncio.get_running_loop().time()
                body = json.loads(await reader.readexactly(int(length)))
                self._calls += 1
                said = self._completion(self._answer(body))
                await asyncio.sleep(at + self._seconds - asyncio.get_running_loop().time())
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(said) + said
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    @staticmethod
    def _completion(text: str) -> bytes:
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return json.dumps(
            {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice]}
        ).encode()
