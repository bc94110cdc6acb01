"""Telling: what is sent to be remembered, and what becomes of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.receipt import Progress, State
from lattice_common.errors import InvalidInput
from lattice_common.lattice import Lattice
from starlette.concurrency import run_in_threadpool

from lattice_api.deps import Product
from lattice_api.shapes import Json, progress_json, status_json

router = APIRouter(prefix="/api", tags=["capture"])

WAIT_SECONDS = 30.0
"""The longest that `wait: true` waits (API.md)."""

POLL_SECONDS = 1.0
"""How long one look at the progress board blocks a thread: a reader that went away is noticed within this."""

LONGEST_KEY = 300


@router.post("/ingest", status_code=202, responses={200: {"description": "Known by its key, or waited for"}})
def ingest(
    body: IngestRequest, response: Response, product: Product, idempotency_key: Annotated[str | None, Header()] = None
) -> Json:
    """Journal what was said. With `wait` the answer is its receipt, when that is there within 30 s."""
    if idempotency_key is not None and not 0 < len(idempotency_key) <= LONGEST_KEY:
        raise InvalidInput(
            f"The Idempotency-Key is empty or longer than {LONGEST_KEY} characters. Send a UUID.", field="idempotency_key"
        )
    accepted = product.accept(body, idempotency_key=idempotency_key, channel="api")
    status = accepted.status
    if body.wait and status.receipt is None:
        status = product.wait_for(status.capture_id, WAIT_SECONDS)
    if not accepted.created or (body.wait and status.receipt is not None):
        response.status_code = 200
    return status_json(status)


@router.get("/captures")
def captures(
    product: Product,
    state: State | None = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Query(max_length=100)] = None,
) -> Json:
    """What was sent, newest first."""
    found, following = product.captures(state=state, limit=limit, cursor=cursor)
    return {"captures": [status_json(each) for each in found], "cursor": following}


@router.get("/captures/{capture_id}")
def capture(capture_id: str, product: Product) -> Json:
    """One capture."""
    return status_json(product.capture(capture_id))


@router.post("/captures/{capture_id}/retry")
def retry(capture_id: str, product: Product) -> Json:
    """Try a dead capture again."""
    return status_json(product.retry(capture_id))


@router.get("/captures/{capture_id}/events", response_class=EventSourceResponse)
async def events(capture_id: str, product: Product) -> AsyncIterator[ServerSentEvent]:
    """Its stages as they come, then its receipt."""
    async for event, shape in follow(capture_id, product):
        yield ServerSentEvent(event=event, data=shape)


async def follow(capture_id: str, product: Lattice) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    """`stage` events, then one `receipt`; a finished capture has its receipt at once."""
    seen: Progress | None = None
    while True:
        status = await run_in_threadpool(product.capture, capture_id)
        if status.receipt is not None:
            yield "receipt", status_json(status)
            return
        latest = await run_in_threadpool(product.progress, capture_id, seen, POLL_SECONDS)
        if latest is not None and latest != seen:
            seen = latest
            yield "stage", progress_json(latest)
        else:
            await asyncio.sleep(0)
