"""What another program exported, sent as one file: kept thing by thing, with an account of each."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from lattice_common.api_schema.replies import AccountReply
from lattice_common.capture.accept import file_name
from lattice_common.errors import LatticeError

from lattice_api.deps import Capacity, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.routes.files import FORM, metadata_of
from lattice_api.threads import waiting
from lattice_api.upload import receive, refusal

router = APIRouter(prefix="/api", tags=["capture"], route_class=JsonRoute)


@router.post(
    "/imports",
    response_model=AccountReply,
    openapi_extra=FORM,
    responses={202: {"model": AccountReply, "description": "Kept; not all receipts are there yet"}, **refusals(429, 507)},
)
async def bring(request: Request, product: Product, capacity: Capacity, dry_run: bool = False, me: str | None = None) -> Response:
    """Keep everything in an export (ChatGPT, Claude, Gemini, Telegram, WhatsApp, mem0, MCP memory, Keep, Readwise, Pocket,
    bookmarks, Notion, Obsidian, Evernote, Day One): a file or a zip, known by its content. The `source` of the metadata says
    whose its notes are, `user` or `document`. Sent again, nothing is kept twice, and the account says what is known. `DELETE
    /api/sources/{source_id}` takes all of it back. With `dry_run` things are counted only. What somebody called `me` says in its
    conversations is the owner's own: WhatsApp does not say who that is."""
    try:
        async with capacity.receiving():
            with product.receiving() as incoming:
                form = await receive(request, incoming, product.max_file_bytes, capacity.patience.upload)
                source = metadata_of(form.metadata).source
                account, open_receipts = await waiting(
                    product.import_file,
                    incoming,
                    form.name or "",
                    own=None if source is None else source == "user",
                    me=me,
                    dry_run=dry_run,
                    channel="api",
                    timeout=capacity.patience.receipts,
                )
    except LatticeError as error:
        return await refusal(request, error, capacity.patience.rest)
    source_id = account.source_id or file_name(form.name or "")
    told = {"source_id": source_id, **account.as_fields(), "waiting": open_receipts, "named": account.named}
    return reply(told, 202 if open_receipts else 200)
