"""How it runs: the numbers and the last failures that the page `/ops` shows; and a backup of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from lattice_common.api_schema.operations import OpsReply

from lattice_api.deps import Archives, Look
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.operations import Operations
from lattice_api.problem import without_folders

router = APIRouter(prefix="/api", tags=["health"], route_class=JsonRoute)


@router.get("/ops", response_model=OpsReply)
def ops(look: Look) -> Response:
    """Say how it runs: captures and their age, time to found, latency by stage, what failed, what the language model cost, room
    on the disk, the last backup, and what was sent to models on other machines. No word that anybody said."""
    return reply(ops_json(look.look()))


@router.post(
    "/backup",
    response_class=StreamingResponse,
    responses={
        **refusals(422),
        200: {
            "description": "The archive, as `lattice restore` takes it",
            "content": {"application/gzip": {"schema": {"type": "string", "format": "binary"}}},
        },
    },
)
def backup(archives: Archives) -> StreamingResponse:
    """Send a backup of all that is yours: journal, memories, originals, logs, tokens; sealed where LATTICE_BACKUP_PASSPHRASE is
    set. One that breaks off is none."""
    made_at = archives.now()
    headers = {"Content-Disposition": f'attachment; filename="{archives.name(made_at)}"', "Cache-Control": "no-store"}
    return StreamingResponse(archives.stream(made_at), media_type="application/gzip", headers=headers)


def ops_json(seen: Operations) -> Mapping[str, Any]:
    """Return the answer of `GET /api/ops`."""
    return {
        **{name: getattr(seen, name) for name in OpsReply.__annotations__ if name != "disk"},
        "parts": {name: without_folders(said) for name, said in seen.parts.items()},
        "disk": {"free": seen.disk.free, "total": seen.disk.total},
        "events": [
            {name: without_folders(value) if name == "reason" else value for name, value in each.items()} for each in seen.events
        ],
    }
