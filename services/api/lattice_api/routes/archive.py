"""What its owner set aside: out of recall until it is asked for, and not gone."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.replies import ArchiveCandidatesReply, ArchivedReply, ChangeReply
from lattice_common.domain.capture import ArchiveAtoms
from lattice_common.lattice import Lattice

from lattice_api.deps import Product
from lattice_api.json_route import JsonRoute, reply, reply_with_atoms
from lattice_api.openapi import refusals
from lattice_api.shapes import ArchiveBody
from lattice_api.threads import waiting

router = APIRouter(prefix="/api/archive", tags=["archive"], route_class=JsonRoute)

CHANGES = refusals(404, 409, 503, 507)
MOVE_SECONDS = 60.0
"""A thousand memories are as many files that move."""


@router.get("", response_model=ArchivedReply)
def listing(
    product: Product,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Return what is archived, newest memory first; `before` is the last id of the page before."""
    atoms, count = product.archived(limit, before=before)
    return reply_with_atoms({"atoms": atoms, "count": count}, product)


@router.get("/candidates", response_model=ArchiveCandidatesReply)
def candidates(product: Product, limit: Annotated[int, Query(ge=1, le=200)] = 50) -> Response:
    """Return what may be archived: not recalled for 90 days and less sure than 0.3 by now, or ephemeral and not for 270 days."""
    return reply_with_atoms({"candidates": product.archive_candidates(limit)}, product)


@router.post("", response_model=ChangeReply, responses=CHANGES)
async def add(body: ArchiveBody, product: Product) -> Response:
    """Set memories aside: their files move to `archive/`, and questions find them with `include_archived` only."""
    return await _moved(product, body, archived=True)


@router.post("/restore", response_model=ChangeReply, responses=CHANGES)
async def restore(body: ArchiveBody, product: Product) -> Response:
    """Bring archived memories back into recall."""
    return await _moved(product, body, archived=False)


async def _moved(product: Lattice, body: ArchiveBody, *, archived: bool) -> Response:
    action = ArchiveAtoms(tuple(body.atom_ids), archived)
    return reply({"change_id": await waiting(product.change, action, channel=body.channel, timeout=MOVE_SECONDS)})
