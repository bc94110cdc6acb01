"""The only way out of a deployment's API and worker: `python -m lattice_common.model_gate` passes connections to the language
model that the settings name, and to nothing else.

They are on networks without a route outside, and use this as a proxy (`LATTICE_LLM_GATE`): for https by CONNECT, so that the
content is encrypted to the model; for http by the full URL. Imports nothing of ours, so that it takes some 20 MB. Prints one line
for each refusal, with the name that was asked for and nothing of what was sent.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

PORT = 7340
HEAD_BYTES = 16_384
HEAD_SECONDS = 10.0
CONNECT_SECONDS = 10.0
IDLE_SECONDS = 3_600.0
"""As long as the longest call may take (`LATTICE_LLM_TIMEOUT_SECONDS`): after this time without a byte both ends are closed."""
MOST_CONNECTIONS = 64
PIECE = 65_536
USUAL_PORTS = {"http": 80, "https": 443}
OPENAI_URL = "https://api.openai.com/v1"

Where = tuple[str, int]


def where_of(parts: SplitResult) -> Where | None:
    """Return name and port of a URL; None where it has none."""
    try:
        port = parts.port or USUAL_PORTS.get(parts.scheme)
    except ValueError:
        return None
    return ((parts.hostname or "").rstrip("."), port) if parts.hostname and port else None


def asked_for(method: str, target: str) -> SplitResult | None:
    """Return the address that a request names, as a proxy is told it; None where it names none."""
    try:
        parts = urlsplit(f"//{target}" if method == "CONNECT" else target)
    except ValueError:
        return None
    return parts if method == "CONNECT" or parts.scheme == "http" else None


def allowed_by(environment: Mapping[str, str]) -> Where | None:
    """Return the address of the model in the settings; None where they name none beyond this container."""
    provider = environment.get("LLM_PROVIDER", "").strip() or "auto"
    url = environment.get("LLM_BASE_URL", "").strip() or (OPENAI_URL if provider == "openai" else "")
    try:
        return where_of(urlsplit(url)) if provider != "none" and url else None
    except ValueError:
        return None


class Gate:
    """Serves until it is cancelled."""

    def __init__(self, allowed: Where | None) -> None:
        self._allowed = allowed
        self._free = asyncio.Semaphore(MOST_CONNECTIONS)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection, from its first byte to its last."""
        try:
            if self._free.locked():
                await _answer(writer, "503 Service Unavailable", "too many connections at once: try again in a moment")
                return
            async with self._free:
                await self._serve(reader, writer)
        except (OSError, EOFError, asyncio.LimitOverrunError, TimeoutError):
            return  # whoever is there has gone, or dawdles
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HEAD_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        line, *headers = head.decode("latin-1").split("\r\n")[:-2]
        method, target, version = [*line.split(" "), "", ""][:3]
        if (method, target) == ("GET", "/health"):
            await _answer(writer, "200 OK", "up")
            return
        parts = asked_for(method, target)
        if parts is None or self._allowed is None or where_of(parts) != self._allowed:
            name = (parts.hostname if parts else None) or ""
            sys.stderr.write(f"refused: {name[:253]!r}\n")
            await _answer(writer, "403 Forbidden", "only the language model that LLM_BASE_URL names is reached from here")
            return
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                model, to_model = await asyncio.open_connection(*self._allowed)
        except (OSError, TimeoutError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or "it does not answer"
            await _answer(writer, "502 Bad Gateway", f"the language model cannot be reached: {why}")
            return
        try:
            if method == "CONNECT":
                writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await writer.drain()
            else:
                # One request a connection: the next one's address is looked at, too.
                kept = [each for each in headers if not each.lower().startswith(("proxy-", "connection:"))]
                path = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
                lines = [f"{method} {path} {version}", *kept, "Connection: close", "", ""]
                to_model.write("\r\n".join(lines).encode("latin-1"))
                await to_model.drain()
            await _both_ways(reader, writer, model, to_model)
        finally:
            to_model.close()


async def _both_ways(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, model: asyncio.StreamReader, to_model: asyncio.StreamWriter
) -> None:
    """Pass on what either side sends, until one of them has ended: a model whose reader has gone is told at once."""
    both = [asyncio.create_task(_hand_on(reader, to_model)), asyncio.create_task(_hand_on(model, writer))]
    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    for each in both:
        each.cancel()
    await asyncio.gather(*both, return_exceptions=True)


async def _hand_on(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while True:
        async with asyncio.timeout(IDLE_SECONDS):
            piece = await source.read(PIECE)
        if not piece:
            return
        target.write(piece)
        await target.drain()


async def _answer(writer: asyncio.StreamWriter, status: str, says: str) -> None:
    body = says.encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + body)
    await writer.drain()


async def run(host: str = "0.0.0.0", port: int = PORT) -> None:  # noqa: S104 - in a container, on a network that leads nowhere
    allowed = allowed_by(os.environ)
    server = await asyncio.start_server(Gate(allowed).serve, host, port, limit=HEAD_BYTES)
    where = f"{allowed[0]}:{allowed[1]}" if allowed else "nowhere: no language model is named"
    sys.stderr.write(f"leads to {where}\n")
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(run())
