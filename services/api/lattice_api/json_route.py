"""JSON in and out by orjson: a body is parsed once, and an answer written once, without being walked for validation.

The shapes of answers are described in `lattice_common.api_schema`, and held to by the tests that run the OpenAPI document against
the app.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import fields
from typing import Any

import orjson
from fastapi import Request, Response
from fastapi.routing import APIRoute
from lattice_common.domain.atom import Atom
from lattice_common.lattice import Lattice


class OneParse(Request):
    """A request whose JSON is read by orjson, which also refuses what is no Unicode; its error is a `json.JSONDecodeError`."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = orjson.loads(await self.body())
        return self._json


class JsonRoute(APIRoute):
    """The route class of all our routers."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()

        async def handle_with_one_parse(request: Request) -> Response:
            return await handle(OneParse(request.scope, request.receive))

        return handle_with_one_parse


def reply(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Return a JSON answer: dataclasses as their fields, and times as in ISO 8601."""
    return Response(orjson.dumps(body), status_code=status, headers=dict(headers or {}), media_type="application/json")


def reply_with_atoms(body: object, lattice: Lattice) -> Response:
    """Return the same, in which each memory is what `Lattice.fields` says of it."""

    def written(value: Any) -> Mapping[str, Any]:
        if isinstance(value, Atom):
            return lattice.fields(value)
        return {each.name: getattr(value, each.name) for each in fields(value)}

    return Response(orjson.dumps(body, written, orjson.OPT_PASSTHROUGH_DATACLASS), media_type="application/json")
