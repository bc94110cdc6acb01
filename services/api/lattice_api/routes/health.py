"""How it is."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter, Response

from lattice_api.deps import Numbers, Product
from lattice_api.shapes import Json

router = APIRouter(tags=["health"])


@router.get("/health")
def health() -> Json:
    """The process is alive."""
    return {"status": "alive"}


@router.get("/ready")
def ready(response: Response, product: Product) -> Json:
    """What is up and what is not; 503 while captures are not being worked on."""
    readiness = product.readiness()
    if not readiness.ready:
        response.status_code = 503
    return {"ready": readiness.ready, "parts": dict(readiness.parts)}


@router.get("/metrics", response_class=Response)
def metrics(numbers: Numbers) -> Response:
    """For Prometheus."""
    return Response(numbers.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


@router.get("/api/status")
def status(product: Product) -> Json:
    """Counts, engines, model, versions."""
    return asdict(product.status())
