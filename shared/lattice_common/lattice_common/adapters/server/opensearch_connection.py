"""One OpenSearch cluster: where it is, and what its failures mean to us."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
from opensearchpy import OpenSearch
from opensearchpy.exceptions import ConnectionError as Unreachable
from opensearchpy.exceptions import OpenSearchException, SerializationError, TransportError
from opensearchpy.serializer import JSONSerializer

from lattice_common.adapters.server.breaker import Breaker
from lattice_common.causes import cause_of
from lattice_common.errors import InvalidInput, Unavailable
from lattice_common.language.pii.log_line import shown_address

SEARCH_SECONDS = 2.0
"""A search that takes longer is not waited for: the other leg answers meanwhile."""
OTHER_SECONDS = 30.0
"""Everything else nobody waits for."""


@dataclass(frozen=True, slots=True)
class OpenSearchAddress:
    """`urls` are the nodes of one cluster. `ca` verifies their certificates where the system's authorities do not."""

    urls: Sequence[str]
    user: str | None = None
    password: str | None = None
    ca: Path | None = None


SHARDS_GONE = "search_phase_execution_exception"
"""What a search says whose index was removed while it ran, after the next generation took its place."""


class Gone(Unavailable):
    """What was asked is not there any more."""


class _Json(JSONSerializer):
    """What is sent is values of JSON only; what comes back of a search, thousands of them."""

    def dumps(self, data: Any) -> Any:
        return data if isinstance(data, (str, bytes)) else orjson.dumps(data).decode()

    def loads(self, s: str) -> Any:
        try:
            return orjson.loads(s)
        except orjson.JSONDecodeError as error:
            raise SerializationError(s, error) from error


class Connection:
    """Safe to use from several threads. Everything it raises is `Unavailable`, with a sentence that names the server."""

    def __init__(self, address: OpenSearchAddress) -> None:
        for url in address.urls:
            if urlsplit(url).scheme not in ("http", "https"):
                raise InvalidInput(f"{url!r} is no address of an OpenSearch node: write http://host:9200 or https://host:9200.")
        self.name = ", ".join(map(shown_address, address.urls))
        self._breaker = Breaker()
        self.client = OpenSearch(
            hosts=list(address.urls),
            http_auth=(address.user, address.password or "") if address.user else None,
            ca_certs=str(address.ca) if address.ca else None,
            verify_certs=True,
            timeout=OTHER_SECONDS,
            max_retries=len(address.urls) - 1,  # another node is asked at once; the same one never twice
            retry_on_timeout=False,
            serializer=_Json(),
            pool_maxsize=16,
        )

    @contextlib.contextmanager
    def calling(self) -> Iterator[OpenSearch]:
        """Lend the client, and raise its failures as `Unavailable`; at once, while the cluster is known to be away."""
        if not self._breaker.lets_through():
            raise Unavailable(f"OpenSearch at {self.name} is away; it is tried again every few seconds.")
        try:
            yield self.client
        except TransportError as error:
            gone = error.status_code == 404 or error.error == SHARDS_GONE
            # 4xx are answers: the cluster is there.
            away = isinstance(error, Unreachable) or not isinstance(error.status_code, int) or error.status_code >= 500
            if away and not gone:
                self._breaker.failed()
            kind = Gone if gone else Unavailable
            raise kind(f"OpenSearch at {self.name} did not do it: {_brief(error)}.") from error
        except OpenSearchException as error:
            self._breaker.failed()
            raise Unavailable(f"OpenSearch at {self.name} did not do it: {_brief(error)}.") from error
        self._breaker.succeeded()

    def close(self) -> None:
        self.client.close()


def _brief(error: OpenSearchException) -> str:
    if isinstance(error, Unreachable):  # what it says itself names the host three times
        return f"it cannot be reached ({str(error.info).partition(': ')[2] or error.error})"
    said = cause_of(error)
    return f"it answered {said.strip('()')}" if isinstance(error, TransportError) else said
