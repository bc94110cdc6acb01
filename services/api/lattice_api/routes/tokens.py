"""Tokens: which there are, new ones, and the end of old ones."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter
from lattice_common.api_schema.server import NewTokenReply, RevokedReply, TokensReply
from lattice_common.errors import Conflict, InvalidInput, NotFound
from pydantic import Field

from lattice_api.deps import Asking, Gate
from lattice_api.json_route import JsonRoute
from lattice_api.openapi import refusals
from lattice_api.shapes import Body, Json

router = APIRouter(prefix="/api/tokens", tags=["tokens"], route_class=JsonRoute)

DAY_SECONDS = 24 * 3600

Scopes = list[Literal["read", "capture", "admin", "calendar"]]


class TokenBody(Body):
    """`POST /api/tokens`."""

    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.@ -]+$")]
    scopes: Annotated[Scopes, Field(min_length=1, max_length=4)]
    days: Annotated[int | None, Field(ge=1, le=3650)] = None
    """After so many days it opens nothing any more; without it holds until it is revoked."""
    source_id: Annotated[str | None, Field(min_length=1, max_length=200, pattern=r"^[\w.@:/ -]+$")] = None
    """The one source that it tells into, by `/api/ingest` and `/api/ingest-file`; it opens nothing else."""


@router.get("", response_model=TokensReply)
def listing(gate: Gate) -> Json:
    """Return names and scopes; the tokens themselves are kept nowhere."""
    return {
        "tokens": [
            {
                "name": each.name,
                "scopes": list(each.scopes),
                "expires_at": _moment(each.expires_at),
                "source_id": each.source_id,
            }
            for each in gate.store.tokens
        ]
    }


@router.post("", status_code=201, response_model=NewTokenReply, responses=refusals(409, 507))
def add(body: TokenBody, gate: Gate, asking: Asking) -> Json:
    """Make a new token, shown this once. One that ends makes none that outlasts it."""
    if "calendar" in body.scopes and len(body.scopes) > 1:
        raise InvalidInput("`calendar` is a scope by itself: its token stands in an address that is passed on.", field="scopes")
    if body.source_id is not None and body.scopes != ["capture"]:
        raise InvalidInput("A token of one source tells and nothing else: its scope is `capture` alone.", field="scopes")
    if any(token.name == body.name for token in gate.store.tokens):
        raise Conflict(f"There is a token named {body.name} already. Revoke it first, or choose another name.")
    ends = (time.time() + body.days * DAY_SECONDS if body.days is not None else None, asking.expires_at)
    expires_at = min((each for each in ends if each is not None), default=None)
    token = gate.store.add_token(body.name, body.scopes, expires_at, body.source_id)
    return {"name": body.name, "token": token, "expires_at": _moment(expires_at)}


@router.delete("/{name}", response_model=RevokedReply, responses=refusals(404, 507))
def revoke(name: str, gate: Gate) -> Json:
    """End a token, and with it every browser's session."""
    if not gate.store.revoke_token(name):
        raise NotFound(f"There is no token named {name}: `lattice token list` shows those that are there.")
    return {"revoked": name}


def _moment(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
