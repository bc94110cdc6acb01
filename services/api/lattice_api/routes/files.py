"""Files: giving one to be remembered, and getting it back as it was given."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from lattice_common.api_schema.replies import CaptureReply
from lattice_common.capture.request import FileMetadata
from lattice_common.errors import InvalidInput, LatticeError
from pydantic import ValidationError

from lattice_api.defang import safe_type
from lattice_api.deps import Asking, Capacity, IdempotencyKey, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.routes.captures import of_source, receipt_of
from lattice_api.shapes import status_json
from lattice_api.threads import in_thread
from lattice_api.upload import receive, refusal

router = APIRouter(prefix="/api", tags=["capture"], route_class=JsonRoute)

AS_A_FILE = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
}
"""An original may hold anything: a browser keeps or shows it, and runs nothing in it."""

FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "additionalProperties": False,
                    "properties": {
                        "file": {"type": "string", "format": "binary", "description": "With its name, which is shown."},
                        "metadata": {
                            "type": "string",
                            "contentMediaType": "application/json",
                            "description": "JSON like the `metadata` of /api/ingest; also `source`, `wait` and `priority`.",
                        },
                    },
                }
            }
        },
    }
}


@router.post(
    "/ingest-file",
    status_code=202,
    response_model=CaptureReply,
    openapi_extra=FORM,
    responses={
        200: {"model": CaptureReply, "description": "Known by its key, or waited for"},
        202: {"description": "Kept: it is in the journal"},
        **refusals(409, 429, 507),
    },
)
async def ingest_file(
    request: Request, product: Product, capacity: Capacity, asking: Asking, idempotency_key: IdempotencyKey = None
) -> Response:
    """Journal a file of any type. What it says is read afterwards, in a process of its own; a file that cannot be read ends as
    `rejected`, with the reason. With `wait` the answer is its receipt, when that is there within 30 s."""
    try:
        async with capacity.receiving():
            with product.receiving() as incoming:
                form = await receive(request, incoming, product.max_file_bytes, capacity.patience.upload)
                metadata = of_source(metadata_of(form.metadata), asking)
                accepted = await in_thread(
                    product.accept_file,
                    incoming,
                    form.name or "",
                    metadata,
                    idempotency_key=idempotency_key,
                    channel="api",
                )
    except LatticeError as error:
        return await refusal(request, error, capacity.patience.rest)
    status = accepted.status
    if metadata.wait:
        status = await receipt_of(status, product)
    known = not accepted.created or (metadata.wait and status.receipt is not None)
    return reply(status_json(status), 200 if known else 202)


def metadata_of(content: bytes) -> FileMetadata:
    """Return the metadata of a form. Raise `InvalidInput` that names the field."""
    if not content.strip():
        return FileMetadata()
    try:
        return FileMetadata.model_validate(orjson.loads(content))
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"The metadata is not JSON ({error}). Send a JSON object.", field="metadata") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(["metadata", *(str(part) for part in first["loc"])])
        raise InvalidInput(f"`{where}`: {first['msg']}. See /openapi.json for the shapes.", field=where) from error


@router.get(
    "/captures/{capture_id}/original",
    response_class=FileResponse,
    responses={
        200: {
            "description": "The bytes as they were given",
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        **refusals(404),
    },
)
def original(capture_id: str, product: Product, inline: bool = False) -> Response:
    """Return the file that a capture came as, to be kept as a file. With `inline`, a PDF, a PNG, JPEG, GIF or WebP picture or a
    plain text comes as what it is, to be shown: it is known by what it holds, and nothing in it can run. All else stays a
    file."""
    known, path = product.original(capture_id)
    shown = safe_type(path, known.name) if inline else None
    return FileResponse(
        path,
        media_type=shown or "application/octet-stream",
        filename=known.name,
        headers=AS_A_FILE,
        content_disposition_type="inline" if shown else "attachment",
    )
