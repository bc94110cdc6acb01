"""Health, readiness, metrics and status."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from lattice_common.api_schema.server import HealthReply, ReadyReply, StatusReply

from lattice_api.deps import Numbers, Product
from lattice_api.json_route import JsonRoute, reply
from lattice_api.problem import without_folders

router = APIRouter(tags=["health"], route_class=JsonRoute)


@router.get("/health", response_model=HealthReply)
@router.get("/api/health", response_model=HealthReply, include_in_schema=False)
async def health() -> Response:
    """Say that the process is alive, and its event loop turns."""
    return reply({"status": "alive"})


@router.get(
    "/ready",
    response_model=ReadyReply,
    responses={503: {"model": ReadyReply, "description": "Captures are kept, but not being worked on"}},
)
def ready(product: Product) -> Response:
    """Return what is up and what is not; 503 while captures are not being worked on."""
    readiness = product.readiness()
    parts = {name: without_folders(said) for name, said in readiness.parts.items()}
    return reply({"ready": readiness.ready, "parts": parts}, 200 if readiness.ready else 503)


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Prometheus' text format", "content": {"text/plain": {"schema": {"type": "string"}}}}},
)
def metrics(numbers: Numbers) -> Response:
    """Return the metrics for Prometheus."""
    return Response(numbers.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/status", response_model=StatusReply)
def status(product: Product, request: Request) -> Response:
    """Return counts, engines, model, versions."""
    space = request.app.state.space
    told = {**asdict(product.status()), "max_file_bytes": product.max_file_bytes}
    return reply({**told, "space": space} if space else told)
