"""What routes ask for by type. Coroutines, although nothing is awaited: FastAPI gives each plain function a thread."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Request
from lattice_common.errors import InvalidInput
from lattice_common.lattice import Lattice

from lattice_api.access import Access
from lattice_api.limits import Limits
from lattice_api.metrics import Metrics


async def _product(request: Request) -> Lattice:
    product = request.app.state.product
    assert isinstance(product, Lattice)  # noqa: S101 - narrows what create_app put there
    return product


async def _gate(request: Request) -> Access:
    gate = request.app.state.access
    assert isinstance(gate, Access)  # noqa: S101 - narrows what create_app put there
    return gate


async def _numbers(request: Request) -> Metrics:
    numbers = request.app.state.metrics
    assert isinstance(numbers, Metrics)  # noqa: S101 - narrows what create_app put there
    return numbers


async def _capacity(request: Request) -> Limits:
    capacity = request.app.state.limits
    assert isinstance(capacity, Limits)  # noqa: S101 - narrows what create_app put there
    return capacity


Product = Annotated[Lattice, Depends(_product)]
Gate = Annotated[Access, Depends(_gate)]
Numbers = Annotated[Metrics, Depends(_numbers)]
Capacity = Annotated[Limits, Depends(_capacity)]

LONGEST_KEY = 300


async def _key(
    idempotency_key: Annotated[str | None, Header(description="The same key and body: the old capture.")] = None,
) -> str | None:
    if idempotency_key is not None and not 0 < len(idempotency_key) <= LONGEST_KEY:
        detail = f"The Idempotency-Key is empty or longer than {LONGEST_KEY} characters. Send a UUID."
        raise InvalidInput(detail, field="idempotency_key")
    return idempotency_key


IdempotencyKey = Annotated[str | None, Depends(_key)]
