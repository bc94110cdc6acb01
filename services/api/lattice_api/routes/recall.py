"""Asking: what memory holds, and what it answers."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from typing import Annotated

import orjson
from fastapi import APIRouter, Depends, Request, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.api_schema.replies import AnswerReply, IntentReply, OrderReply, SelectReply
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.intent import Intent
from lattice_common.domain.recall import AnswerEvent, Final, Found, Query, Token
from lattice_common.errors import LatticeError, NotAllowed
from lattice_common.lattice import Lattice

from lattice_api.deps import Capacity, IdempotencyKey, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals
from lattice_api.problem import ProblemResponse, defect, problem_of, trace_id_of
from lattice_api.shapes import (
    AnswerBody,
    DoBody,
    IntentBody,
    QueryBody,
    SelectBody,
    answer_json,
    final_json,
    order_json,
    selected_json,
    selection_json,
    status_json,
)
from lattice_api.threads import each_of, in_thread, waiting

router = APIRouter(prefix="/api", tags=["recall"], route_class=JsonRoute)


@router.post("/select", response_model=SelectReply)
def select(body: SelectBody, product: Product) -> Response:
    """Return the atoms that answer best, without a language model."""
    return reply(selection_json(product.select(body.to_query()), product, explain=body.explain))


@router.post("/intent", response_model=IntentReply)
async def intent(body: IntentBody, product: Product) -> Response:
    """Say what words are meant for: to be told, asked or done. For showing it while they are typed."""
    return reply(await waiting(product.intent, body.text))


@router.post("/do", response_model=OrderReply, responses=refusals(404, 409, 503, 507))
async def do(body: DoBody, product: Product) -> Response:
    """Carry out a request: undo, forget, export, help, status. What destroys is shown first, and carried out by its token."""
    if body.token is not None:
        done = await waiting(product.confirm, body.token, channel=body.channel)
    else:
        done = await waiting(product.do, body.text or "", channel=body.channel)
    return reply(order_json(done, product))


@router.post("/answer", response_model=AnswerReply, responses=refusals(429))
async def answer(body: AnswerBody, product: Product, capacity: Capacity) -> Response:
    """Return an answer with citations. With `history`, the turns before, a follow-up is understood from them."""
    async with capacity.answering():
        found = await waiting(
            product.answer,
            Query(body.query, as_of=body.as_of, include_archived=body.include_archived),
            atom_ids=body.atom_ids,
            history=body.to_history(),
            session_id=body.session_id,
            channel=body.channel or "api",
        )
    return reply(answer_json(found, product))


async def _place(capacity: Capacity) -> AsyncIterator[None]:
    """Hold a place among those who are answered until the stream ends; without one the answer can still be a 429."""
    async with capacity.answering():
        yield


async def _intended(body: QueryBody, request: Request, product: Product) -> Intent:
    """Return what the words are meant for, where it was left open. A token that may only read asks here, and tells nothing."""
    chosen = body.wants
    if body.intent != "auto":
        product.chose(body.question, body.intent, body.channel)
    intent = chosen if chosen is not None else (await waiting(product.intent, body.question)).intent
    held = request.scope["holder"].scopes
    if intent == "tell" and not {"capture", "admin"} & set(held):
        raise NotAllowed(f"Your token has the scopes {', '.join(held)}; telling something needs capture. Send `intent`: `ask`.")
    return intent


async def _left() -> AsyncIterator[threading.Event]:
    """Set once the stream has ended, also because nobody reads it any more."""
    left = threading.Event()
    try:
        yield left
    finally:
        left.set()


@router.post(
    "/query",
    response_class=EventSourceResponse,
    dependencies=[Depends(_place)],
    responses={200: {"description": "Objects that say their `type`"}, **refusals(429)},
)
async def query(
    body: QueryBody,
    intent: Annotated[Intent, Depends(_intended)],
    left: Annotated[threading.Event, Depends(_left)],
    request: Request,
    product: Product,
    idempotency_key: IdempotencyKey = None,
) -> AsyncIterator[ServerSentEvent]:
    """Tell or ask, by intent: `intent`, then `captured`, or `atoms`, `token`s and `citations_applied`; `done` at the end. Of what
    is to be done the intent `do` alone: `POST /api/do` carries it out."""
    started = time.perf_counter()
    yield _event("intent", intent=intent)
    trace_id = trace_id_of(request)
    try:
        if intent == "tell":
            yield await _tell(body, product, idempotency_key)
        elif intent == "ask":
            asked = Query(body.question, as_of=body.as_of, include_archived=body.include_archived)
            streamed = product.answer_stream(asked, session_id=body.session_id, channel=body.channel, cancel=left)
            async for event in each_of(streamed):
                if isinstance(event, Final):
                    trace_id = event.answer.trace_id
                yield _of_answer(event, product)
    except LatticeError as error:
        yield _failed(problem_of(error, trace_id))
    except Exception as error:  # noqa: BLE001 - the stream has begun: this is the only way left to say what became of it
        yield _failed(defect(error, trace_id))
    yield _event("done", trace_id=trace_id, took_ms=(time.perf_counter() - started) * 1000)


def _of_answer(event: AnswerEvent, product: Lattice) -> ServerSentEvent:
    match event:
        case Found(atoms=atoms, answerable=answerable, reformulated_query=reformulated):
            found = selected_json(atoms, product)
            return _event("atoms", atoms=found, answered=answerable, reformulated_query=reformulated)
        case Token(text=text):
            return _event("token", text=text)
        case Final(answer=answer):
            return _event("citations_applied", **final_json(answer, product))


async def _tell(body: QueryBody, product: Lattice, idempotency_key: str | None) -> ServerSentEvent:
    known = body.metadata
    if body.session_id is not None:
        known = known.model_copy(update={"session_id": body.session_id})
    said = IngestRequest(text=body.question, metadata=known)
    accepted = await in_thread(product.tell, said, idempotency_key=idempotency_key, channel=body.channel)
    return _event("captured", receipt=status_json(accepted.status))


def _failed(problem: ProblemResponse) -> ServerSentEvent:
    return _event("error", problem=orjson.loads(bytes(problem.body)))


def _event(type_: str, **fields: object) -> ServerSentEvent:
    return ServerSentEvent(raw_data=orjson.dumps({"type": type_, **fields}).decode())
