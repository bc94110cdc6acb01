"""Asking: what memory holds, and what it answers."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from typing import Annotated

import orjson
from fastapi import APIRouter, Depends, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.recall import Query
from lattice_common.errors import LatticeError, NotAllowed
from lattice_common.lattice import Lattice

from lattice_api.deps import Capacity, IdempotencyKey, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.problem import ProblemResponse, defect, problem_of, trace_id_of
from lattice_api.replies import AnswerReply, SelectReply
from lattice_api.shapes import (
    AnswerBody,
    QueryBody,
    SelectBody,
    answer_json,
    citations_json,
    selected_json,
    selection_json,
    status_json,
)
from lattice_api.threads import in_thread

router = APIRouter(prefix="/api", tags=["recall"], route_class=JsonRoute)

_PIECE = re.compile(r"\s*\S+\s*")


@router.post("/select", response_model=SelectReply)
def select(body: SelectBody, product: Product) -> Response:
    """The atoms that answer best. No language model, ever."""
    return reply(selection_json(product.select(body.to_query()), product))


@router.post("/answer", response_model=AnswerReply, responses=refusals(429))
async def answer(body: AnswerBody, product: Product, capacity: Capacity) -> Response:
    """An answer with citations."""
    async with capacity.answering():
        found = await in_thread(product.answer, Query(body.query, as_of=body.as_of), atom_ids=body.atom_ids)
    return reply(answer_json(found, product))


async def _place(capacity: Capacity) -> AsyncIterator[None]:
    """A place among those who are answered, held until the stream ends; there is none while the answer can still be a 429."""
    async with capacity.answering():
        yield


async def _permitted(body: QueryBody, request: Request) -> QueryBody:
    """A token that may only read asks here, and tells nothing."""
    held = request.scope.get("held_scopes", ())
    if body.wants == "tell" and not {"capture", "admin"} & set(held):
        raise NotAllowed(f"Your token has the scopes {', '.join(held)}; telling something needs capture. Send `intent`: `ask`.")
    return body


@router.post(
    "/query",
    response_class=EventSourceResponse,
    dependencies=[Depends(_place)],
    responses={200: {"description": "Objects that say their `type`"}, **refusals(429)},
)
async def query(
    body: Annotated[QueryBody, Depends(_permitted)],
    request: Request,
    product: Product,
    idempotency_key: IdempotencyKey = None,
) -> AsyncIterator[ServerSentEvent]:
    """Tell or ask, by intent: `intent`, then `captured`, or `atoms`, `token`s and `citations_applied`; `done` at the end."""
    started = time.perf_counter()
    intent = body.wants
    yield _event("intent", intent=intent)
    trace_id = trace_id_of(request)
    try:
        if intent == "tell":
            yield await _tell(body, product, idempotency_key)
        else:
            found = await in_thread(product.answer, Query(body.question, as_of=body.as_of))
            trace_id = found.trace_id
            yield _event("atoms", atoms=[selected_json(each, product) for each in found.atoms], answered=found.answered)
            for piece in _PIECE.findall(found.answer):
                yield _event("token", text=piece)
            yield _event(
                "citations_applied",
                answer=found.answer,
                num_map={str(each.n): each.atom_id for each in found.citations},
                pii_protected=False,
                citations=citations_json(found),
                answered=found.answered,
            )
    except LatticeError as error:
        yield _failed(problem_of(error, trace_id))
    except Exception as error:  # noqa: BLE001 - the stream has begun: this is the only way left to say what became of it
        yield _failed(defect(error, trace_id))
    yield _event("done", trace_id=trace_id, took_ms=(time.perf_counter() - started) * 1000)


async def _tell(body: QueryBody, product: Lattice, idempotency_key: str | None) -> ServerSentEvent:
    said = IngestRequest(text=body.question, metadata=CaptureMetadata(session_id=body.session_id))
    accepted = await in_thread(product.accept, said, idempotency_key=idempotency_key, channel="page")
    return _event("captured", receipt=status_json(accepted.status))


def _failed(problem: ProblemResponse) -> ServerSentEvent:
    return _event("error", problem=orjson.loads(bytes(problem.body)))


def _event(type_: str, **fields: object) -> ServerSentEvent:
    return ServerSentEvent(raw_data=orjson.dumps({"type": type_, **fields}).decode())
