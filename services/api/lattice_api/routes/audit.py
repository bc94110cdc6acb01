"""The audit log: who told, asked, looked, changed and exported."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.server import AuditReply
from pydantic import AwareDatetime

from lattice_api.audit import Did
from lattice_api.deps import AuditLog
from lattice_api.json_route import JsonRoute, reply

router = APIRouter(prefix="/api/audit", tags=["tokens"], route_class=JsonRoute)


@router.get("", response_model=AuditReply)
def listing(
    audit: AuditLog,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    who: Annotated[str | None, Query(max_length=100)] = None,
    did: Did | None = None,
    since: AwareDatetime | None = None,
) -> Response:
    """Return requests of known tokens and browsers, the newest first: never their words. `who` is the name of a token."""
    found = islice(audit.newest(who=who, what=did, since=since), limit)
    return reply({"days": audit.days, "requests": list(found)})
