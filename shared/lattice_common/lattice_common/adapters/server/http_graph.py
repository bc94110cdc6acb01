"""The graph service, asked over HTTP.

What is asked while it is away raises `Unavailable`; recall goes on without it then, and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import httpx2
import orjson

from lattice_common.adapters.server.breaker import Breaker
from lattice_common.domain.graph import Edge, EdgeKind, Node, Reached
from lattice_common.errors import Unavailable
from lattice_common.ports.graph import GraphStats

EXPAND_SECONDS = 1.0
"""An expansion takes milliseconds; what takes longer than this is not waited for."""
OTHER_SECONDS = 10.0


class HttpGraph:
    """`Graph` at `url`. Safe to use from several threads."""

    def __init__(self, url: str, token: str | None = None, breaker: Breaker | None = None) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._url = url
        self._http = httpx2.Client(
            base_url=url, headers={**headers, "content-type": "application/json"}, timeout=OTHER_SECONDS, trust_env=False
        )
        self._breaker = breaker or Breaker()
        self.trouble: str | None = None

    def refresh(self) -> None:
        """The service follows by itself, a tenth of a second later; this makes it look now."""
        try:
            self._ask("POST", "/refresh", {})
            self.trouble = None
        except Unavailable as error:
            self.trouble = str(error)

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        body = {"seeds": list(seeds), "limit": limit, "hops": hops}
        found = self._ask("POST", "/expand", body, timeout=EXPAND_SECONDS)
        return [Reached(*each) for each in found]

    def neighbours(self, atom_id: str, kinds: Sequence[EdgeKind] = ()) -> list[Edge]:
        return [Edge(*each) for each in self._ask("POST", "/neighbours", {"atom_id": atom_id, "kinds": list(kinds)})]

    def subgraph(self, node_id: str, *, depth: int = 1, limit: int = 200) -> tuple[list[Node], list[Edge]]:
        found = self._ask("POST", "/subgraph", {"node_id": node_id, "depth": depth, "limit": limit})
        return [Node(*each) for each in found["nodes"]], [Edge(*each) for each in found["edges"]]

    def paths(self, source: str, target: str, *, longest: int = 6, limit: int = 5) -> list[list[str]]:
        body = {"source": source, "target": target, "longest": longest, "limit": limit}
        found: list[list[str]] = self._ask("POST", "/paths", body)
        return found

    def stats(self) -> GraphStats:
        found = self._ask("GET", "/stats", None)
        self.trouble = found["trouble"]
        return GraphStats(found["nodes"], found["edges"], found["state_hash"])

    def ping(self) -> None:
        """Raises `Unavailable` when it is away, or does not follow the sidecars."""
        self._ask("GET", "/ready", None, timeout=EXPAND_SECONDS)

    def close(self) -> None:
        self._http.close()

    def _ask(self, method: str, path: str, body: Any, timeout: float = OTHER_SECONDS) -> Any:
        if not self._breaker.lets_through():
            raise Unavailable(f"The graph service at {self._url} is away; it is tried again every few seconds.")
        try:
            answer = self._http.request(method, path, content=None if body is None else orjson.dumps(body), timeout=timeout)
            answer.raise_for_status()
            found = orjson.loads(answer.content)
        except (httpx2.HTTPError, orjson.JSONDecodeError) as error:
            self._breaker.failed()
            raise Unavailable(f"The graph service at {self._url} did not answer: {type(error).__name__} {error}.") from error
        self._breaker.succeeded()
        return found
