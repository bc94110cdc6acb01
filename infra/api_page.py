"""`docs/api.md`: the OpenAPI document of the API as a page to read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from lattice_api.app import described_app

Json = dict[str, Any]

HEAD = """\
# API

Made by `make docs` from the routes (`services/api/lattice_api/routes`) and the shapes of their answers
(`lattice_common/api_schema`). The same as OpenAPI is served at `/openapi.json`. What a client must know besides is in
[clients.md](clients.md).

Times are RFC 3339 with their offset, ids 26 letters and digits (ULIDs in lower case). A body is JSON, and a field that is not
known is refused. An answer may have more fields than are listed here; one marked `?` may be missing. What goes wrong is told as
`application/problem+json` ([Problem](#problem)), by any route, with the statuses 400, 401, 403, 422, 500 and, where it has a
body, 408, 413, 415 and 503; others are listed with their route.
"""

SHARED = frozenset(("400", "401", "403", "408", "413", "415", "422", "500", "503"))
"""Statuses of problems that the head of the page explains."""


def api_page() -> str:
    """Return the page."""
    document = described_app().openapi()
    parts = [HEAD, "## Routes\n"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            parts.append("\n".join(_route(method.upper(), path, operation)))
    parts.append("## Shapes\n")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts.append("\n".join(_shape(name, schema)))
    return "\n".join(parts).rstrip() + "\n"


def _route(method: str, path: str, operation: Json) -> Iterator[str]:
    yield f"### {method} {path}\n"
    yield f"{_told(operation)}\n"
    given = [
        f"| `{each['name']}`{'' if each.get('required') else '?'} | {each['in']} | {_type(each['schema'])} | {_told(each)} |"
        for each in operation.get("parameters", ())
    ]
    if given:
        yield from ("| parameter | in | type | |", "|---|---|---|---|", *given, "")
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Body: {_type(content['schema'])}{'' if kind == 'application/json' else f' ({kind})'}.\n"
    answers, refusals = [], []
    for status, response in operation["responses"].items():
        if status < "4" or "application/problem+json" not in response.get("content", {}):
            shapes = ", ".join(_type(content.get("schema", {})) for content in response.get("content", {}).values())
            answers.append(f"{status} {shapes}".strip())
        elif status not in SHARED:
            refusals.append(f"{status} ({response['description'][0].lower()}{response['description'][1:]})")
    yield f"Answers {'; '.join(answers)}.\n"
    if refusals:
        yield f"Refuses with {'; '.join(refusals)}.\n"


def _shape(name: str, schema: Json) -> Iterator[str]:
    yield f"### {name}\n"
    if told := _told(schema):
        yield f"{told}\n"
    fields = schema.get("properties", {})
    if not fields:
        yield f"{_type(schema)}\n"
        return
    required = schema.get("required", ())
    yield from ("| field | type | |", "|---|---|---|")
    for field, kind in fields.items():
        yield f"| `{field}`{'' if field in required else '?'} | {_type(kind)} | {_told(kind)} |"
    yield ""
    for rule, words in (("oneOf", "One, and no more, of these is given"), ("anyOf", "One of these is given at least")):
        if rule in schema:
            yield f"{words}: {', '.join(_given(schema[rule]))}.\n"


def _given(choices: list[Json]) -> Iterator[str]:
    for choice in choices:
        known = [f"`{name}`" for name in choice.get("required", ())]
        yield " or ".join(known or _given(choice["anyOf"]))


def _type(schema: Json) -> str:
    """A type in a few words; shapes as links."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        return f"[{name}](#{name.lower()})"
    if choices := schema.get("anyOf"):
        return " or ".join(dict.fromkeys(_type(each) for each in choices))
    if "const" in schema:
        return f"`{schema['const']}`"
    if values := schema.get("enum"):
        return " or ".join(f"`{value}`" for value in values)
    match schema.get("type"):
        case "array":
            return f"list of {_type(schema.get('items', {}))}"
        case "object" if isinstance(more := schema.get("additionalProperties"), dict):
            return f"object of {_type(more)}"
        case "string" if "format" in schema:
            written = str(schema["format"])
            return {"date-time": "time", "date": "day", "binary": "bytes"}.get(written, written)
        case str(plain):
            return {"string": "text"}.get(plain, plain) + _range(schema)
        case _:
            return "anything"


def _range(schema: Json) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f" from {low:g} to {high:g}"
    return f" from {low:g}" if low is not None else f" up to {high:g}" if high is not None else ""


def _told(described: Json) -> str:
    """Its description on one line, fit for a table."""
    return re.sub(r"\s+", " ", described.get("description", "")).strip().replace("|", "\\|")
