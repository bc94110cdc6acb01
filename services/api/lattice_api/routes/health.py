"""How it is."""

from __future__ import annotations

from dataclasses import asdict
from typing import Literal

from fastapi import APIRouter, Response
from pydantic import BaseModel

from lattice_api.deps import Numbers, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.problem import without_folders

router = APIRouter(tags=["health"], route_class=JsonRoute)


class StatusReply(BaseModel):
    """Counts, engines, model, versions."""

    atoms: int
    captures: dict[str, int]
    subjects: dict[str, int]
    streak: int
    engines: dict[str, str]
    model: str | None
    versions: dict[str, str]
    degraded: list[str]
    writer: str
    inbox: dict[str, int]
    """Files: `waiting`, of those `reading`, `unreadable`, `strange`; `taken` and `failed` since the start."""
    language_model: dict[str, str | int | bool | None]
    """Its provider, host, names, whether it is available and else why, and today's tokens. Never its key."""
    reflection: dict[str, bool | int]
    """Whether it may look over the memory (`consolidate`, `serendipity`), its `calls` in the last day and their `limit`."""
    migration: dict[str, int] = {}
    """While older memories are brought up to date: its number, how many were `looked_at`, and `of` how many."""
    in_review: int
    """Pairs of memories of which the newer may have made the older untrue: `GET /api/review` has them."""
    judging_behind: int
    """Memories, most of them of an import, that have not been compared yet with what they may make untrue."""


class HealthReply(BaseModel):
    """The process is alive."""

    status: Literal["alive"]


class ReadyReply(BaseModel):
    """`parts` says of each `up` (of the language model which: `up: qwen3:8b`), or what is the matter."""

    ready: bool
    parts: dict[str, str]


@router.get("/health", response_model=HealthReply)
@router.get("/api/health", response_model=HealthReply, include_in_schema=False)
async def health() -> Response:
    """The process is alive, and its event loop turns."""
    return reply({"status": "alive"})


@router.get(
    "/ready",
    response_model=ReadyReply,
    responses={503: {"model": ReadyReply, "description": "Captures are kept, but not being worked on"}},
)
def ready(product: Product) -> Response:
    """What is up and what is not; 503 while captures are not being worked on."""
    readiness = product.readiness()
    parts = {name: without_folders(said) for name, said in readiness.parts.items()}
    return reply({"ready": readiness.ready, "parts": parts}, 200 if readiness.ready else 503)


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Prometheus' text format", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(numbers: Numbers) -> Response:
    """For Prometheus."""
    return Response(numbers.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/status", response_model=StatusReply)
def status(product: Product) -> Response:
    """Counts, engines, model, versions."""
    return reply(asdict(product.status()))
