"""The one address that a language model is asked at, and a client that can reach nothing else.

No redirects, no proxies or certificates from the environment, TLS checked, plain bodies of bounded size, and of the headers only
those that a completion needs: the openai package would tell the endpoint what machine and what Python it runs on.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

import httpx2
from openai import AsyncOpenAI

from lattice_common.errors import ModelUnavailable, NotConfigured

CONNECT_SECONDS = 5.0
MOST_BYTES = 8_000_000
"""Of one response: twenty times the longest answer that is ever asked for."""

_NEEDED_HEADERS = ("host", "content-type", "content-length", "accept", "authorization", "connection")

for _name in ("openai", "httpx2", "httpcore2"):
    # Their lines carry addresses and, at the finest level, bodies; OPENAI_LOG in the environment must not bring them out.
    logging.getLogger(_name).setLevel(logging.WARNING)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`base_url` as the settings have it; `provider` is `ollama` or `openai`, whatever else speaks its language included. The key
    is in no text that this makes of itself."""

    base_url: str
    provider: str
    api_key: str | None = field(default=None, repr=False)

    @property
    def parts(self) -> SplitResult:
        return urlsplit(self.base_url)

    @property
    def host(self) -> str:
        """Name and port, as shown to people: without whatever credentials stand in the address."""
        port = self.parts.port
        return f"{self.parts.hostname or ''}{f':{port}' if port else ''}"

    @property
    def local(self) -> bool:
        """Whether it is this machine, by what it is called: names are not looked up, for they may mean something else later."""
        name = self.parts.hostname or ""
        try:
            return ipaddress.ip_address(name).is_loopback
        except ValueError:
            return name == "localhost" or name.endswith(".localhost")


def checked_endpoint(base_url: str, provider: str, api_key: str | None) -> Endpoint:
    """Raises `NotConfigured` when the address is none."""
    endpoint = Endpoint(base_url.strip().rstrip("/"), provider, api_key)
    try:
        good = endpoint.parts.scheme in ("http", "https") and bool(endpoint.host)
    except ValueError:  # a port that is no number
        good = False
    if not good:
        line = "LLM_BASE_URL=http://127.0.0.1:11434/v1"
        raise NotConfigured(f"LLM_BASE_URL is no address of an endpoint: give one like in {line}.", env_line=line)
    return endpoint


def open_client(endpoint: Endpoint) -> AsyncOpenAI:
    """A client of that endpoint. It retries nothing: whoever calls it knows how long there is."""
    parts = endpoint.parts
    http = httpx2.AsyncClient(
        transport=_OnlyThere(httpx2.URL(endpoint.base_url)),
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        follow_redirects=False,
        trust_env=False,
    )
    address = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return AsyncOpenAI(base_url=address, api_key=endpoint.api_key or "none", max_retries=0, http_client=http)


class _OnlyThere(httpx2.AsyncBaseTransport):
    """Sends to one origin, with few headers, and reads no more than `MOST_BYTES` of what comes back."""

    def __init__(self, allowed: httpx2.URL) -> None:
        self._allowed = allowed
        self._inner = httpx2.AsyncHTTPTransport(verify=True, trust_env=False)

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
