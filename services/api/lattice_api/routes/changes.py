"""What changes while somebody looks on: so that every open page follows."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from typing import Annotated

import orjson
from fastapi import APIRouter, Depends, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.upkeep.changes import Mark

from lattice_api.deps import Capacity, Gate, Product
from lattice_api.json_route import JsonRoute
from lattice_api.openapi import refusals
from lattice_api.threads import in_thread

router = APIRouter(prefix="/api", tags=["browse"], route_class=JsonRoute)

LOOK_SECONDS = 0.5
"""Between two looks. A look costs microseconds, and several changes in between are told as one."""


async def _place(capacity: Capacity) -> AsyncIterator[None]:
    """Hold a place among those who look on until the stream ends; without one the answer can still be a 429."""
    async with capacity.watching():
        yield


@router.get(
    "/changes",
    response_class=EventSourceResponse,
    dependencies=[Depends(_place)],
    responses={200: {"description": "`mark`, then `changed` events"}, **refusals(429)},
)
async def changes(
    request: Request,
    product: Product,
    gate: Gate,
    since: Annotated[str | None, Query(max_length=100, examples=["1763856000001.2048"])] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Send events for as long as you listen and your token is valid: `mark` at once, then `changed` whenever memories or the
    conversation did, through whatever door. `mark` is as of when; a stream that is taken up again with it as `since` says at once
    whether something changed meanwhile. At most 100 are open at once, and each is for one who looks on: close it when nobody
    does."""
    ending: threading.Event = request.app.state.ending
    seen = await in_thread(product.changes.mark)
    if since is not None and since != str(seen):
        yield _event("changed", seen, memories=True, conversation=True)
    else:
        yield _event("mark", seen)
    while not ending.is_set():
        await asyncio.sleep(LOOK_SECONDS)
        if not gate.still_knows(request.headers):
            return
        mark = await in_thread(product.changes.mark)
        if mark != seen:
            memories, conversation = mark.memories != seen.memories, mark.conversation != seen.conversation
            seen = mark
            yield _event("changed", seen, memories=memories, conversation=conversation)


def _event(name: str, mark: Mark, **more: bool) -> ServerSentEvent:
    return ServerSentEvent(event=name, raw_data=orjson.dumps({"mark": str(mark), **more}).decode())
