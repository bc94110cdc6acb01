"""Tokens: which there are, new ones, and the end of old ones."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter
from lattice_common.errors import Conflict, NotFound
from pydantic import Field

from lattice_api.deps import Gate
from lattice_api.shapes import Body, Json

router = APIRouter(prefix="/api/tokens", tags=["tokens"])


class TokenBody(Body):
    """`POST /api/tokens`."""

    name: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[\w.@ -]+$")]
    scopes: Annotated[list[Literal["read", "capture", "admin"]], Field(min_length=1)]


@router.get("")
def listing(gate: Gate) -> Json:
    """Names and scopes; the tokens themselves are kept nowhere."""
    return {"tokens": [{"name": token.name, "scopes": list(token.scopes)} for token in gate.store.tokens]}


@router.post("", status_code=201)
def add(body: TokenBody, gate: Gate) -> Json:
    """A new token, shown this once."""
    if any(token.name == body.name for token in gate.store.tokens):
        raise Conflict(f"There is a token named {body.name} already. Revoke it first, or choose another name.")
    return {"name": body.name, "token": gate.store.add_token(body.name, body.scopes)}


@router.delete("/{name}")
def revoke(name: str, gate: Gate) -> Json:
    """End a token, and with it every browser's session."""
    if not gate.store.revoke_token(name):
        raise NotFound(f"There is no token named {name}: `lattice token list` shows those that are there.")
    return {"revoked": name}
