"""The conversation itself: what was said through all doors, the journey of the day, and how deep it goes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response
from lattice_common.api_schema.conversation import ChatReply, ClearedReply, DepthsReply, TodayReply, TurnReply
from lattice_common.domain.chat import line_of
from lattice_common.recall.topics import branches

from lattice_api.chat_shapes import CaptureLogBody, branch_json, turns_json
from lattice_api.deps import Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.openapi import refusals

router = APIRouter(prefix="/api", tags=["chat"], route_class=JsonRoute)


@router.get("/chat/recent", response_model=ChatReply)
def recent(product: Product, limit: Annotated[int, Query(ge=1, le=500)] = 20) -> Response:
    """Return what was asked, answered and told, through whatever door; newest first. `given` is your verdict on an answer,
    `told` what became of what you told."""
    turns = product.journey.recent(limit)
    return reply({"turns": turns_json(turns, product.records.given(turns), product.told(turns))})


@router.get("/chat/today", response_model=TodayReply)
def today(product: Product) -> Response:
    """Return the journey of the day: its turns, oldest first, and its branches by topic."""
    turns = product.journey.today()
    return reply(
        {
            "day": product.journey.now().date(),
            "turns": turns_json(turns, product.records.given(turns), product.told(turns)),
            "branches": [branch_json(each) for each in branches(turns)],
        }
    )


@router.post("/chat/clear-today", response_model=ClearedReply, responses=refusals(507))
def clear_today(product: Product) -> Response:
    """Take today's turns out of the log, and begin each conversation anew. Nothing that was remembered is forgotten."""
    return reply({"cleared": product.clear_today()})


@router.post("/capture-log", response_model=TurnReply, responses=refusals(507))
def capture_log(body: CaptureLogBody, product: Product) -> Response:
    """Note a turn that another program captured or answered by itself. What is sent to `/api/ingest` is noted already."""
    return reply(line_of(product.journey.noted(body.to_turn(product.journey.now()))))


@router.get("/topic/depth", response_model=DepthsReply)
def depth(product: Product) -> Response:
    """Return how deep the day's topics go."""
    depths = product.journey.depths(product.count_about)
    return reply(
        {
            "current": depths[-1].topic if depths else None,
            "topics": depths,
        }
    )
