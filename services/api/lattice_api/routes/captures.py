"""Telling: what is sent to be remembered, and what becomes of it."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Annotated, TypeVar

import orjson
from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.api_schema.replies import CaptureReply, CapturesReply
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.receipt import CaptureStatus, Progress, State
from lattice_common.errors import NotAllowed
from lattice_common.lattice import Lattice

from lattice_api.access import Holder
from lattice_api.deps import Asking, Capacity, Gate, IdempotencyKey, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.limits import caller_of
from lattice_api.openapi import refusals
from lattice_api.shapes import Json, progress_json, status_json
from lattice_api.threads import in_thread, waiting

router = APIRouter(prefix="/api", tags=["capture"], route_class=JsonRoute)

Told = TypeVar("Told", bound=CaptureMetadata)

WAIT_SECONDS = 30.0
"""The longest that `wait: true` waits."""

POLL_SECONDS = 1.0
"""How long one look at the progress board blocks a thread: a reader that went away is noticed within this."""


@router.post(
    "/ingest",
    status_code=202,
    response_model=CaptureReply,
    responses={
        200: {"model": CaptureReply, "description": "Known by its key, or waited for"},
        202: {"description": "Kept: it is in the journal"},
        **refusals(409, 429, 507),
    },
)
async def ingest(
    body: IngestRequest,
    product: Product,
    asking: Asking,
    idempotency_key: IdempotencyKey = None,
) -> Response:
    """Journal what was said. With `wait` the answer is its receipt, when that is there within 30 s. What a token of one source
    tells is of that source."""
    metadata = of_source(body.metadata, asking)
    if metadata is not body.metadata:
        body = body.model_copy(update={"metadata": metadata})
    accepted = await in_thread(product.accept, body, idempotency_key=idempotency_key, channel="api")
    status = accepted.status
    if body.wait:
        status = await receipt_of(status, product)
    known = not accepted.created or (body.wait and status.receipt is not None)
    return reply(status_json(status), 200 if known else 202)


def of_source(metadata: Told, asking: Holder) -> Told:
    """Return what a token of one source tells, with its source. Raise `NotAllowed` where it names another."""
    if asking.source_id is None or metadata.source_id == asking.source_id:
        return metadata
    if metadata.source_id is not None:
        raise NotAllowed(f"Your token tells into {asking.source_id} alone: leave `source_id` out, or name that one.", status=403)
    return metadata.model_copy(update={"source_id": asking.source_id})


async def receipt_of(status: CaptureStatus, product: Lattice) -> CaptureStatus:
    """Return the capture with its receipt, when that is there within 30 s. It waits in short pieces, so that many callers take
    turns."""
    deadline = time.monotonic() + WAIT_SECONDS
    while status.receipt is None and (left := deadline - time.monotonic()) > 0:
        status = await waiting(product.wait_for, status.capture_id, min(left, POLL_SECONDS))
    return status


@router.get("/captures", response_model=CapturesReply)
def captures(
    product: Product,
    state: State | None = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 50,
    cursor: Annotated[str | None, Query(max_length=100)] = None,
) -> Response:
    """Return what was sent, newest first."""
    found, following = product.captures(state=state, limit=limit, cursor=cursor)
    return reply({"captures": [status_json(each) for each in found], "cursor": following})


@router.get("/captures/{capture_id}", response_model=CaptureReply, responses=refusals(404))
def capture(capture_id: str, product: Product) -> Response:
    """Return one capture; while it is worked on, also how far that is."""
    status = product.capture(capture_id)
    if status.receipt is None:
        status = replace(status, progress=product.progress(capture_id, None, 0.0))
    return reply(status_json(status))


@router.post("/captures/{capture_id}/retry", response_model=CaptureReply, responses=refusals(404, 409, 507))
def retry(capture_id: str, product: Product) -> Response:
    """Try a dead capture again."""
    return reply(status_json(product.retry(capture_id)))


async def _known_capture(capture_id: str, product: Product) -> str:
    """Raise `NotFound` for an unknown capture. Whether it is there is found out while the answer can still be a 404: a stream
    that has begun is a 200."""
    await in_thread(product.capture, capture_id)
    return capture_id


async def _place(request: Request, capacity: Capacity) -> AsyncIterator[None]:
    """Hold a place among those who follow until the stream ends; without one the answer can still be a 429."""
    async with capacity.streaming(caller_of(request.headers, request.scope)):
        yield


@router.get(
    "/captures/{capture_id}/events",
    response_class=EventSourceResponse,
    dependencies=[Depends(_place)],
    responses={200: {"description": "`stage` events, then one `receipt`"}, **refusals(404, 429)},
)
async def events(
    capture_id: Annotated[str, Depends(_known_capture)], product: Product, gate: Gate, request: Request
) -> AsyncIterator[ServerSentEvent]:
    """Send its stages as they come, then its receipt, as long as your token is valid."""
    async for event, shape in follow(capture_id, product):
        if not gate.still_knows(request.headers):
            return
        yield ServerSentEvent(event=event, raw_data=orjson.dumps(shape).decode())


async def follow(capture_id: str, product: Lattice) -> AsyncIterator[tuple[str, Json]]:
    """Yield `stage` events, then one `receipt`; a finished capture has its receipt at once."""
    seen: Progress | None = None
    while True:
        status = await in_thread(product.capture, capture_id)
        if status.receipt is not None:
            yield "receipt", status_json(status)
            return
        latest = await waiting(product.progress, capture_id, seen, POLL_SECONDS)
        if latest is not None and latest != seen:
            seen = latest
            yield "stage", progress_json(latest)
