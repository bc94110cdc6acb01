"""Asking: what memory holds, and what it answers."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator

from fastapi import APIRouter
from fastapi.sse import EventSourceResponse, ServerSentEvent
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.recall import Query
from lattice_common.errors import InvalidInput, LatticeError
from lattice_common.lattice import Lattice
from lattice_common.recall.intent import intent_of
from starlette.concurrency import run_in_threadpool

from lattice_api.deps import Product
from lattice_api.shapes import (
    AnswerBody,
    Json,
    QueryBody,
    SelectBody,
    answer_json,
    citations_json,
    selected_json,
    selection_json,
    status_json,
)

router = APIRouter(prefix="/api", tags=["recall"])

_PIECE = re.compile(r"\s*\S+\s*")


@router.post("/select")
def select(body: SelectBody, product: Product) -> Json:
    """The atoms that answer best. No language model, ever."""
    return selection_json(product.select(body.to_query()), product)


@router.post("/answer")
def answer(body: AnswerBody, product: Product) -> Json:
    """An answer with citations."""
    return answer_json(product.answer(Query(body.query, as_of=body.as_of), atom_ids=body.atom_ids), product)


@router.post("/query", response_class=EventSourceResponse)
async def query(body: QueryBody, product: Product) -> AsyncIterator[ServerSentEvent]:
    """Tell or ask, by intent: a stream of objects that say their `type`."""
    if not body.question.strip():
        raise InvalidInput("There is nothing to remember or answer: the text is empty. Send some words.", field="question")
    started = time.perf_counter()
    intent = intent_of(body.question) if body.intent == "auto" else body.intent
    yield _event("intent", intent=intent)
    trace_id = None
    try:
        if intent == "tell":
            yield await _tell(body, product)
        else:
            asked = Query(body.question, as_of=body.as_of)
            found = await run_in_threadpool(product.answer, asked)
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
        yield _event("error", problem={"title": type(error).__name__, "detail": str(error)})
    yield _event("done", trace_id=trace_id, took_ms=(time.perf_counter() - started) * 1000)


async def _tell(body: QueryBody, product: Lattice) -> ServerSentEvent:
    said = IngestRequest(text=body.question, metadata=CaptureMetadata(session_id=body.session_id))
    accepted = await run_in_threadpool(product.accept, said, channel="page")
    return _event("captured", receipt=status_json(accepted.status))


def _event(type_: str, **fields: object) -> ServerSentEvent:
    return ServerSentEvent(data={"type": type_, **fields})
