"""A client of one endpoint, that can reach nothing else.

No redirects, no proxy but the settings' own (`LATTICE_LLM_GATE`), no certificates from the environment, TLS checked, plain bodies
of bounded size, and of the headers only those that a completion needs: the openai package would tell the endpoint what machine
and what Python it runs on.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

import httpx2
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionChunk

from lattice_common.adapters.models.call_failure import CallFailed
from lattice_common.adapters.models.endpoint import Endpoint
from lattice_common.adapters.models.model_failures import CONNECT_SECONDS, failure_of
from lattice_common.errors import ModelUnavailable

MOST_BYTES = 8_000_000
"""Of one response: twenty times the longest answer that is ever asked for."""

_NEEDED_HEADERS = ("host", "content-type", "content-length", "accept", "authorization", "connection")

for _name in ("openai", "httpx2", "httpcore2"):
    # Their lines carry addresses and, at the finest level, bodies; OPENAI_LOG in the environment must not bring them out.
    logging.getLogger(_name).setLevel(logging.WARNING)


class EndpointClient:
    """Sends bodies to /chat/completions, and gives back what comes as plain JSON values. Of one event loop.

    Its methods raise `CallFailed`. Nothing is retried: whoever calls knows how long there is.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        http = httpx2.AsyncClient(
            transport=_OnlyThere(httpx2.URL(endpoint.base_url), endpoint.through.geturl() if endpoint.through else None),
            timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
            follow_redirects=False,
            trust_env=False,
        )
        parts = endpoint.parts
        address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
        self._client = AsyncOpenAI(base_url=address, api_key=endpoint.api_key or "none", max_retries=0, http_client=http)
        self._chat = self._client.chat.completions

    async def whole(self, body: dict[str, Any]) -> object:
        """Return a completion in one piece."""
        try:
            # `chat.completions.create` would hold the body against its types first, and the body is plain JSON already.
            response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=body)
            return json.loads(response.content)
        except Exception as error:
            raise CallFailed(failure_of(error, self._endpoint, body["model"])) from error

    async def pieces(self, body: dict[str, Any]) -> AsyncGenerator[object, None]:
        """Yield a completion as it is written; the connection ends with the iterator."""
        try:
            async with await self._chat.create(**body) as stream:
                async for chunk in stream:
                    # With `warnings` a shape that is not OpenAI's is printed to stderr, with what the model said.
                    yield chunk.to_dict(warnings=False) if isinstance(chunk, ChatCompletionChunk) else chunk
        except Exception as error:
            raise CallFailed(failure_of(error, self._endpoint, body["model"])) from error

    async def close(self) -> None:
        await self._client.close()


class _OnlyThere(httpx2.AsyncBaseTransport):
    """Sends to one origin, with few headers, and reads no more than `MOST_BYTES` of what comes back."""

    def __init__(self, allowed: httpx2.URL, gate: str | None = None) -> None:
        self._allowed = allowed
        # Reading all certificates takes longer than asking a model on this machine; without TLS nobody looks at them.
        self._inner = httpx2.AsyncHTTPTransport(verify=allowed.scheme == "https", trust_env=False, proxy=gate)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if (request.url.scheme, request.url.host, request.url.port) != (
            self._allowed.scheme,
            self._allowed.host,
            self._allowed.port,
        ):
            raise ModelUnavailable(f"Nothing is sent to {request.url.host}: only LLM_BASE_URL is ever asked.")
        headers = [(name, value) for name, value in request.headers.items() if name in _NEEDED_HEADERS]
        sent = httpx2.Request(
            request.method,
            request.url,
            headers=[*headers, ("accept-encoding", "identity")],
            stream=request.stream,
            extensions=request.extensions,
        )
        response = await self._inner.handle_async_request(sent)
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise ModelUnavailable(f"{self._allowed.host} packs its answers though it was asked not to: they are not unpacked.")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, self._allowed.host)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, host: str) -> None:
        self._inner = inner
        self._host = host

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._inner:
            size += len(chunk)
            if size > MOST_BYTES:
                raise ModelUnavailable(
                    f"{self._host} sent more than {MOST_BYTES // 1_000_000} MB as one answer: it was not read."
                )
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
