"""What one endpoint takes of the chat completions API, learnt from what it refuses.

"OpenAI-compatible" is a family of dialects: some know no `response_format` with a schema, some none at all; OpenAI's newer models
want `max_completion_tokens` and no temperature; many local models know no tools. A refusal that names what was sent leads to the
next simpler way of saying the same, and the endpoint is asked that way from then on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from lattice_common.domain.capture import JsonValue
from lattice_common.ports.language_model import Message, ModelRequest

Feature: TypeAlias = Literal["strict", "json_schema", "json_object", "tools", "stream_options", "temperature", "max_tokens"]

_NAMED_BY: tuple[tuple[Feature, re.Pattern[str]], ...] = (
    ("max_tokens", re.compile(r"max_completion_tokens|max_tokens", re.IGNORECASE)),
    ("temperature", re.compile(r"temperature", re.IGNORECASE)),
    ("stream_options", re.compile(r"stream_options|include_usage", re.IGNORECASE)),
    ("tools", re.compile(r"\btools?\b|tool_choice|function call", re.IGNORECASE)),
    ("strict", re.compile(r"response_format|schema|\bformat\b|grammar", re.IGNORECASE)),
    ("json_schema", re.compile(r"response_format|schema|\bformat\b|grammar|json", re.IGNORECASE)),
    ("json_object", re.compile(r"response_format|\bformat\b|grammar|json", re.IGNORECASE)),
)
"""In the order in which they are given up."""

_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Dialect:
    """`refused` are the features that the endpoint does not take."""

    refused: frozenset[Feature] = frozenset()

    def body(self, model: str, request: ModelRequest, *, stream: bool) -> dict[str, Any]:
        """Return the body of the request, with what the endpoint refuses said otherwise."""
        used = self._used(request, stream=stream)
        messages = [_message(each) for each in request.messages]
        body: dict[str, Any] = {"model": model, "messages": messages, "stream": stream}
        body["max_tokens" if "max_tokens" in used else "max_completion_tokens"] = request.max_tokens
        if "temperature" in used:
            body["temperature"] = request.temperature
        if "stream_options" in used:
            body["stream_options"] = {"include_usage": True}
        if "tools" in used:
            body["tools"] = [
                {"type": "function", "function": {"name": t.name, "description": t.description, "parameters": dict(t.parameters)}}
                for t in request.tools
            ]
        if request.schema is None:
            return body
        if "json_schema" in used:
            schema = {"name": request.schema_name or "answer", "schema": dict(request.schema)}
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": schema | ({"strict": True} if "strict" in used else {}),
            }
            return body
        if "json_object" in used:
            body["response_format"] = {"type": "json_object"}
        told = json.dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
        messages.insert(0, {"role": "system", "content": f"Answer with nothing but JSON that fits this JSON schema: {told}"})
        return body

    def after(self, refusal: str, request: ModelRequest, *, stream: bool) -> Dialect | None:
        """Return the dialect for an endpoint that refused with these words; None when they name nothing to leave out."""
        used = self._used(request, stream=stream)
        for feature, named in _NAMED_BY:
            if feature in used and named.search(refusal):
                return Dialect(self.refused | {feature})
        return None

    def _used(self, request: ModelRequest, *, stream: bool) -> set[Feature]:
        wanted: set[Feature] = {"temperature", "max_tokens"}
        if stream:
            wanted.add("stream_options")
        if request.tools:
            wanted.add("tools")
        if request.schema is not None:
            wanted |= {"json_schema", "json_object"}
            if fits_strict(request.schema):
                wanted.add("strict")
        return wanted - self.refused


def fits_strict(schema: JsonValue | Mapping[str, JsonValue]) -> bool:
    """Return whether a schema can be enforced strictly: of every object all properties are required, and no others allowed."""
    if isinstance(schema, list):
        return all(fits_strict(each) for each in schema)
    if not isinstance(schema, Mapping):
        return True
    properties = schema.get("properties")
    if isinstance(properties, Mapping):
        required = schema.get("required")
        if schema.get("additionalProperties") is not False or not isinstance(required, list):
            return False
        if {str(each) for each in required} != set(properties):
            return False
    return all(fits_strict(each) for each in schema.values())


def _message(message: Message) -> dict[str, Any]:
    fields: dict[str, Any] = {"role": message.role, "content": _UNSENDABLE.sub("", message.content)}
    if message.tool_calls:
        fields["tool_calls"] = [
            {"id": call.call_id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id is not None:
        fields["tool_call_id"] = message.tool_call_id
    return fields
