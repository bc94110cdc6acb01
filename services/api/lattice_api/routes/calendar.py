"""The days to come at a private address: whoever knows it reads them, and nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

from fastapi import APIRouter, Request, Response
from lattice_common.errors import NotFound

from lattice_api.access import Holder
from lattice_api.calendar import feed
from lattice_api.deps import Gate, Product

router = APIRouter(tags=["calendar"])


@router.get("/calendar/{token}.ics", include_in_schema=False)
def calendar(token: str, request: Request, product: Product, gate: Gate) -> Response:
    """Return what is due within a year. The address holds a token of the scope `calendar`: calendar programs send no headers."""
    known = gate.store.token_of(token)
    if known is None or "calendar" not in known.scopes:
        raise NotFound("There is no calendar at this address: `lattice token add NAME --scope calendar` makes one.")
    request.scope["holder"] = Holder(known.name, known.scopes)  # for the audit log
    return Response(feed(product.due(), datetime.now(UTC)), media_type="text/calendar; charset=utf-8")
