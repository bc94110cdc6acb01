"""Nobody's words become a query language of an engine (docs/security-checks.md, S33)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import lattice_common.adapters
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lattice_common.adapters.server.opensearch_connection import Connection
from lattice_common.adapters.server.opensearch_lexical import OpenSearchLexicalIndex
from lattice_common.domain.recall import Filter
from lattice_common.language.text import query_tokens
from lattice_common.ports.lexical_index import LexicalQuery

ASKED = {"bool", "should", "filter", "minimum_should_match", "match", "terms", "range", "query", "boost", "gte", "lt"}
FIELDS = {"text", "window", "kind", "session_id", "source_id", "observed_at"}
LANGUAGES = frozenset(
    {
        *("query_string", "simple_query_string", "script", "script_score", "script_fields", "scripted_metric"),
        *("regexp", "wildcard", "prefix", "fuzzy", "intervals", "percolate", "wrapper", "template", "parse_query"),
    }
)
"""What engines understand as a language or run; `parse_query` is tantivy's."""


class Listening:
    """A connection to an engine that keeps what it is asked, and finds nothing."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    @contextmanager
    def calling(self) -> Iterator[Listening]:
        yield self

    def msearch(self, body: bytes, **_: object) -> dict[str, Any]:
        self.bodies += [orjson.loads(line) for line in body.splitlines()][1::2]
        return {"responses": [{"hits": {"hits": []}} for _ in self.bodies]}


def words_in(value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key, inner
            yield from words_in(inner)
    elif isinstance(value, list):
        for each in value:
            yield from words_in(each)


LIKE_A_LANGUAGE = st.sampled_from(["*:*", "text:[* TO *]", "/.*/", '{"script":{}}', "a AND NOT b", '"', "\\", "_id:1", "x~2"])


@pytest.mark.lengthy
@given(st.lists(st.one_of(st.text(max_size=40), LIKE_A_LANGUAGE), max_size=4).map(" ".join), st.text(max_size=30))
def test_whatever_is_asked_the_engine_is_asked_for_our_tokens_and_typed_filters_alone(question: str, name: str) -> None:
    connection, tokens = Listening(), query_tokens(question)
    index = OpenSearchLexicalIndex(cast(Connection, connection), alias="lattice")
    within = Filter(kind=(name,), source_id=(name,), after=datetime(2026, 1, 1, tzinfo=UTC))
    index.search(LexicalQuery({"text": tokens, "window": tokens}), 10, within)
    assert len(connection.bodies) == (1 if tokens else 0)
    for body in connection.bodies:
        assert {key for key, _ in words_in(body["query"])} <= ASKED | FIELDS
        asked = [inner for key, inner in words_in(body["query"]) if key == "query"]
        assert asked == [" ".join(dict.fromkeys(tokens))] * 2
        assert [inner for key, inner in words_in(body["query"]) if key == "terms"] == [{"kind": [name]}, {"source_id": [name]}]


def test_no_adapter_uses_a_query_language_or_a_script_of_an_engine() -> None:
    root = Path(next(iter(lattice_common.adapters.__path__)))
    engines = [path for name in ("opensearch", "qdrant", "tantivy") for path in sorted(root.rglob(f"{name}*.py"))]
    assert len(engines) > 3
    used = [
        f"{path.name}:{node.lineno}"
        for path in engines
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if (isinstance(node, ast.Constant) and node.value in LANGUAGES)
        or (isinstance(node, ast.Attribute) and node.attr in LANGUAGES)
    ]
    assert used == []
