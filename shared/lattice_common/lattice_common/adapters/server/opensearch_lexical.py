"""The lexical index on OpenSearch: our own tokens behind a white-space analyzer, so that it scores as the embedded engine does.

The atoms are in an index `<alias>-<generation>` behind an alias. Whatever needs an index made anew (a changed template, `clear`)
makes the next generation beside the old one, and moves the alias in one step. Writes carry `seq` as external version: one that is
older than what is there is refused by the engine itself. Nothing refreshes but `commit`, so readers see whole commits.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.resources
from collections.abc import Iterator, Sequence
from typing import Any

import orjson
from opensearchpy.exceptions import TransportError

from lattice_common.adapters.engine_fields import allowed_times, allowed_values, stored_with
from lattice_common.adapters.server.opensearch_connection import SEARCH_SECONDS, Connection, Gone
from lattice_common.domain.recall import Filter, Hit
from lattice_common.errors import Unavailable
from lattice_common.ports.lexical_index import FIELDS, LexicalDocument, LexicalQuery

TEMPLATE: dict[str, Any] = orjson.loads(
    importlib.resources.files("lattice_common.adapters.server").joinpath("opensearch_template.json").read_bytes()
)

BULK_DOCUMENTS = 500
"""Documents of one bulk request: about a megabyte."""
PAGE = 5_000
"""Entries of one page of the point-in-time stream; 10,000 is the engine's own limit."""
MOST_TOKENS = 1_000
"""Tokens of one field that are asked for: beyond 1,024 clauses the engine refuses a query."""
KEEP_ALIVE = "2m"
_WANTED = "responses.hits.hits.sort,responses.error.type,responses.error.reason,responses.status"
_NOTHING: dict[str, list[Any]] = {"hits": []}
"""What is left of an answer without hits."""


class OpenSearchLexicalIndex:
    """A `LexicalIndex`. A writer makes the index where it is missing; a reader (`writes=False`) only ever searches."""

    def __init__(
        self,
        connection: Connection,
        *,
        alias: str = "lattice-atoms",
        shards: int = 1,
        replicas: int = 0,
        writes: bool = True,
        page: int = PAGE,
    ) -> None:
        """`page` is how many entries are fetched at once."""
        self._connection = connection
        self._alias = alias
        self._settings = {"number_of_shards": shards, "number_of_replicas": replicas}
        self._exact = "dfs_query_then_fetch" if shards > 1 else "query_then_fetch"
        self._staged: list[LexicalDocument | str] = []
        self._writes = writes
        self._page = page
        self._ready = not writes
        self._making: str | None = None
        """The generation that is being filled, which nobody sees yet."""

    def upsert(self, documents: Sequence[LexicalDocument]) -> None:
        self._staged += documents

    def delete(self, atom_ids: Sequence[str]) -> None:
        self._staged += atom_ids

    def commit(self) -> None:
        """Drop what was staged and cannot be written: it is derived, and the reconciler brings it."""
        staged, self._staged = self._staged, []
        if not staged:
            return
        self._prepare()
        try:
            if len(staged) <= BULK_DOCUMENTS:
                self._bulk(staged, refresh=True)
                return
            for start in range(0, len(staged), BULK_DOCUMENTS):
                self._bulk(staged[start : start + BULK_DOCUMENTS])
            with self._connection.calling() as client:
                client.indices.refresh(index=self._making or self._alias)
        except Gone:
            self._ready = False  # somebody deleted it: the next commit makes it anew, and the reconciler fills it
            raise

    def search(self, query: LexicalQuery, limit: int, within: Filter | None = None) -> list[Hit]:
        return self.search_each([(query, limit)], within)[0]

    def search_each(self, queries: Sequence[tuple[LexicalQuery, int]], within: Filter | None = None) -> list[list[Hit]]:
        bodies = [_search(query, limit, within) for query, limit in queries]
        asked = [body for body in bodies if body is not None]
        if not asked:
            return [[] for _ in queries]
        try:
            found = iter(self._found(asked))
        except Gone:  # the next generation took its place in the middle of the search
            found = iter(self._found(asked))
        return [[] if body is None else next(found) for body in bodies]

    def _found(self, bodies: Sequence[dict[str, Any]]) -> list[list[Hit]]:
        """Return all in one request, which the engine answers side by side."""
        head = {"search_type": self._exact, "ignore_unavailable": True, "allow_partial_search_results": False}
        lines = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for body in bodies for line in (head, body))
        params = {"filter_path": _WANTED, "request_timeout": SEARCH_SECONDS}
        with self._connection.calling() as client:
            answers = client.msearch(body=lines, index=self._alias, params=params)["responses"]
            for answer in answers:
                if "error" in answer:
                    raise TransportError(answer["status"], answer["error"]["type"], answer["error"])
        return [
            [Hit(atom_id, score) for score, atom_id in (hit["sort"] for hit in answer.get("hits", _NOTHING)["hits"])]
            for answer in answers
        ]

    def entries(self) -> Iterator[tuple[str, str, int]]:
        if self._writes:
            self._prepare()
        with self._connection.calling() as client:
            if not client.indices.exists_alias(name=self._alias):
                self._ready = not self._writes
                return
            params = {"keep_alive": KEEP_ALIVE, "allow_partial_pit_creation": "false"}
            point = client.create_pit(index=self._alias, params=params)["pit_id"]
        try:
            yield from self._stream(point)
        finally:
            with self._connection.calling() as client:
                client.delete_pit(body={"pit_id": [point]})

    def purge(self) -> None:
        """Put a copy of this generation in its place: the files of the old one are removed."""
        self._prepare()
        with self._connection.calling() as client:
            current = self._current(client)
            if current is not None:
                self._copy(client, current)

    def clear(self) -> None:
        """Put an empty generation in the place of this one, in one step."""
        with self.anew():
            pass

    @contextlib.contextmanager
    def anew(self) -> Iterator[None]:
        self._staged.clear()
        with self._connection.calling() as client:
            current = self._current(client)
            made = self._make(client, current)
        self._making = made
        try:
            yield
            with self._connection.calling() as client:
                self._swap(client, current, made)
        finally:
            # One that was not finished is taken away before the next is made.
            self._making = None
        self._ready = True

    def ping(self) -> None:
        """Raise `Unavailable` when the cluster is away, or has no copy of a part of the index."""
        with self._connection.calling() as client:
            params = {"local": "true", "request_timeout": SEARCH_SECONDS}
            health = client.cluster.health(index=f"{self._alias}-0*", params=params)  # of none that is there: green
        if health.get("status") == "red":
            raise Unavailable(f"OpenSearch at {self._connection.name} lacks a part of the index: start the nodes that are away.")

    def close(self) -> None:
        self._connection.close()

    def _stream(self, point: str) -> Iterator[tuple[str, str, int]]:
        after: list[str] | None = None
        while True:
            body = {
                "query": {"match_all": {}},
                "pit": {"id": point, "keep_alive": KEEP_ALIVE},
                "sort": [{"atom_id": "asc"}],
                "size": self._page,
                "track_total_hits": False,
                "_source": False,
                "docvalue_fields": ["content_hash", "seq"],
                **({"search_after": after} if after else {}),
            }
            with self._connection.calling() as client:
                found = client.search(body=body, params={"allow_partial_search_results": "false"})["hits"]["hits"]
            if not found:
                return
            after = found[-1]["sort"]
            for hit in found:
                yield hit["sort"][0], hit["fields"]["content_hash"][0], hit["fields"]["seq"][0]

    def _bulk(self, staged: Sequence[LexicalDocument | str], *, refresh: bool = False) -> None:
        lines: list[dict[str, Any]] = []
        for each in staged:
            if isinstance(each, str):
                lines.append({"delete": {"_id": each}})
            else:
                lines += ({"index": {"_id": each.atom_id, "version": each.seq, "version_type": "external_gte"}}, _source(each))
        body = b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines).decode()
        params = {"refresh": "true" if refresh else "false", "filter_path": "errors,items.*.status,items.*.error"}
        if not self._making:
            params["require_alias"] = "true"
        with self._connection.calling() as client:
            answer = client.bulk(body=body, index=self._making or self._alias, params=params)
        if not answer["errors"]:
            return
        for item in answer["items"]:
            (result,) = item.values()
            # 409: something newer is there. What was to be deleted and is not there is no error.
            if "error" in result and result["status"] != 409:
                kind = Gone if result["status"] == 404 else Unavailable
                raise kind(f"OpenSearch did not take a document: {result['error'].get('reason', result['error'])}.")

    def _prepare(self) -> None:
        """Make ready, once, the index behind the alias, of today's template; one of another template or shard count is copied
        over."""
        if self._ready or self._making:
            return
        with self._connection.calling() as client:
            current = self._current(client)
            if current is None:
                self._swap(client, None, self._make(client, None))
            elif self._stamp_of(client, current) != self._stamp():
                self._copy(client, current)
        self._ready = True

    def _copy(self, client: Any, current: str) -> None:
        made = self._make(client, current)
        client.indices.refresh(index=current)
        client.reindex(
            body={"source": {"index": current}, "dest": {"index": made, "version_type": "external"}},
            params={"wait_for_completion": "true", "refresh": "true", "request_timeout": 3600},
        )
        self._swap(client, current, made)

    def _current(self, client: Any) -> str | None:
        if not client.indices.exists_alias(name=self._alias):
            return None
        return str(max(client.indices.get_alias(name=self._alias)))

    def _make(self, client: Any, current: str | None) -> str:
        generation = int(current.rpartition("-")[2]) + 1 if current else 1
        name = f"{self._alias}-{generation:06}"
        # One that is there already was left by a start that was cut short, and nobody sees it.
        client.indices.delete(index=name, params={"ignore_unavailable": "true"})
        settings = {"index": {**TEMPLATE["settings"]["index"], **self._settings}}
        mappings = {**TEMPLATE["mappings"], "_meta": {"stamp": self._stamp()}}
        client.indices.create(index=name, body={"settings": settings, "mappings": mappings})
        return name

    def _swap(self, client: Any, current: str | None, made: str) -> None:
        actions: list[dict[str, Any]] = [{"add": {"index": made, "alias": self._alias}}]
        if current:
            actions.append({"remove_index": {"index": current}})
        client.indices.update_aliases(body={"actions": actions})

    def _stamp_of(self, client: Any, index: str) -> str | None:
        meta = client.indices.get_mapping(index=index)[index]["mappings"].get("_meta", {})
        return str(meta.get("stamp"))

    def _stamp(self) -> str:
        """Return what changes with the template and the number of shards. Replicas can be changed in place, by anybody."""
        made_of = orjson.dumps([TEMPLATE, self._settings["number_of_shards"]], option=orjson.OPT_SORT_KEYS)
        return hashlib.sha256(made_of).hexdigest()[:16]


def _search(query: LexicalQuery, limit: int, within: Filter | None) -> dict[str, Any] | None:
    """Return the body of a search; None where there is nothing to look for."""
    matches = [
        {"match": {name: {"query": " ".join(list(dict.fromkeys(tokens))[:MOST_TOKENS]), "boost": boost}}}
        for name, tokens in query.tokens.items()
        if tokens and (boost := query.boosts.get(name, 1.0)) > 0
    ]
    if not matches or limit < 1:
        return None
    return {
        "query": {"bool": {"should": matches, "minimum_should_match": 1, "filter": _conditions(within)}},
        "sort": [{"_score": "desc"}, {"atom_id": "asc"}],
        "size": limit,
        "track_total_hits": False,
        # The id comes with the order, from a column. Stored fields lie compressed, the whole document in one block.
        "stored_fields": "_none_",
        "_source": False,
    }


def _source(document: LexicalDocument) -> dict[str, Any]:
    return {**{name: " ".join(document.tokens.get(name, ())) for name in FIELDS}, **stored_with(document)}


def _conditions(within: Filter | None) -> list[dict[str, Any]]:
    if within is None:
        return []
    conditions: list[dict[str, Any]] = [{"terms": {name: values}} for name, values in allowed_values(within).items()]
    times = allowed_times(within)
    return [*conditions, {"range": {"observed_at": times}}] if times else conditions
