"""Tokens: which there are, new ones, and the end of old ones."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from lattice_common.errors import Conflict, InvalidInput, NotFound
from pydantic import BaseModel, Field

from lattice_api.deps import Gate
from lattice_api.json_route import JsonRoute
from lattice_api.openapi import refusals
from lattice_api.shapes import Body, Json

router = APIRouter(prefix="/api/tokens", tags=["tokens"], route_class=JsonRoute)

Scopes = list[Literal["read", "capture", "admin", "calendar"]]


class TokenBody(Body):
    """`POST /api/tokens`."""

    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.@ -]+$")]
    scopes: Annotated[Scopes, Field(min_length=1, max_length=4)]


class TokenReply(BaseModel):
    """A token's name and what it may do."""

    name: str
    scopes: Scopes


class TokensReply(BaseModel):
    """All tokens; none is kept in plain."""

    tokens: list[TokenReply]


class NewTokenReply(BaseModel):
    """A new token, shown this once."""

    name: str
    token: str


class RevokedReply(BaseModel):
    """The name of the token that was ended."""

    revoked: str


@router.get("", response_model=TokensReply)
def listing(gate: Gate) -> Json:
    """Names and scopes; the tokens themselves are kept nowhere."""
    return {"tokens": [{"name": token.name, "scopes": list(token.scopes)} for token in gate.store.tokens]}


@router.post("", status_code=201, response_model=NewTokenReply, responses=refusals(409, 507))
def add(body: TokenBody, gate: Gate) -> Json:
    """A new token, shown this once."""
    if "calendar" in body.scopes and len(body.scopes) > 1:
        raise InvalidInput("`calendar` is a scope by itself: its token stands in an address that is passed on.", field="scopes")
    if any(token.name == body.name for token in gate.store.tokens):
        raise Conflict(f"There is a token named {body.name} already. Revoke it first, or choose another name.")
    return {"name": body.name, "token": gate.store.add_token(body.name, body.scopes)}


@router.delete("/{name}", response_model=RevokedReply, responses=refusals(404, 507))
def revoke(name: str, gate: Gate) -> Json:
    """End a token, and with it every browser's session."""
    if not gate.store.revoke_token(name):
        raise NotFound(f"There is no token named {name}: `lattice token list` shows those that are there.")
    return {"revoked": name}
