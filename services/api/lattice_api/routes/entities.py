"""Who is who: who and what memory knows by name or role, and the owner's word on it."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.replies import ChangeReply, EntitiesReply, EntityViewReply
from lattice_common.domain.capture import CorrectWho
from lattice_common.language.table import EntityKind

from lattice_api.deps import Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.routes.atoms import CHANGE_SECONDS, CHANGES
from lattice_api.shapes import WhoBody, entity_json, entity_view_json
from lattice_api.threads import waiting

router = APIRouter(prefix="/api", tags=["entities"], route_class=JsonRoute)


@router.get("/entities", response_model=EntitiesReply)
def entities(
    product: Product,
    named: Annotated[str | None, Query(max_length=200)] = None,
    kind: EntityKind | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return who and what memory knows, by name; of one kind, or with a name that has a word beginning so, where given."""
    return reply({"entities": [entity_json(each) for each in product.entities(named=named, kind=kind, limit=limit)]})


@router.get("/entity", response_model=EntityViewReply, responses=refusals(404))
def entity(product: Product, name: Annotated[str, Query(min_length=1, max_length=200)]) -> Response:
    """Return one of them, by any of its names, however it is spelt, or by a role as "my brother"; with the memories that say so
    and those that mention it."""
    return reply(entity_view_json(product.entity(name), product))


@router.get("/entities/{entity_id}", response_model=EntityViewReply, responses=refusals(404))
def entity_by_id(entity_id: str, product: Product) -> Response:
    """Return the same, by its id."""
    return reply(entity_view_json(product.entity(entity_id), product))


@router.post("/entities/merge", response_model=ChangeReply, responses=CHANGES)
async def merge(body: WhoBody, product: Product) -> Response:
    """Say that two names are one: "Ilyusha" and "Ilya", "Walter" and "my grandfather". `POST /api/undo/{change_id}` takes it
    back."""
    return await _corrected(body, product, "same")


@router.post("/entities/split", response_model=ChangeReply, responses=CHANGES)
async def split(body: WhoBody, product: Product) -> Response:
    """Say that what was taken for one is two. `POST /api/undo/{change_id}` takes it back."""
    return await _corrected(body, product, "apart")


async def _corrected(body: WhoBody, product: Product, how: Literal["same", "apart"]) -> Response:
    action = CorrectWho(body.name, body.other, how)
    change_id = await waiting(product.change, action, channel=body.channel, timeout=CHANGE_SECONDS)
    return reply({"change_id": change_id})
