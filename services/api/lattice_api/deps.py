"""What routes ask for by type. Coroutines, although nothing is awaited: FastAPI gives each plain function a thread."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Query, Request
from lattice_common.errors import InvalidInput
from lattice_common.lattice import Lattice

from lattice_api.access import Access, Holder
from lattice_api.audit import Audit
from lattice_api.backups import Backups
from lattice_api.limits import RequestLimits
from lattice_api.metrics import Metrics
from lattice_api.operations import Looking


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


async def _capacity(request: Request) -> RequestLimits:
    capacity = request.app.state.limits
    assert isinstance(capacity, RequestLimits)  # noqa: S101 - narrows what create_app put there
    return capacity


async def _look(request: Request) -> Looking:
    look = request.app.state.look
    assert isinstance(look, Looking)  # noqa: S101 - narrows what create_app put there
    return look


async def _archives(request: Request) -> Backups:
    archives = request.app.state.backups
    assert isinstance(archives, Backups)  # noqa: S101 - narrows what create_app put there
    return archives


async def _audit(request: Request) -> Audit:
    audit = request.app.state.audit
    assert isinstance(audit, Audit)  # noqa: S101 - narrows what create_app put there
    return audit


async def _holder(request: Request) -> Holder:
    holder = request.scope["holder"]
    assert isinstance(holder, Holder)  # noqa: S101 - narrows what the guard put there
    return holder


Product = Annotated[Lattice, Depends(_product)]
Gate = Annotated[Access, Depends(_gate)]
Numbers = Annotated[Metrics, Depends(_numbers)]
Capacity = Annotated[RequestLimits, Depends(_capacity)]
Look = Annotated[Looking, Depends(_look)]
Archives = Annotated[Backups, Depends(_archives)]
AuditLog = Annotated[Audit, Depends(_audit)]
Asking = Annotated[Holder, Depends(_holder)]

Limit = Annotated[int, Query(ge=1, le=1000)]
Start = Annotated[int, Query(ge=0, le=1_000_000, description="The place in the list to begin at.")]

LONGEST_KEY = 300


async def _key(
    idempotency_key: Annotated[
        str | None,
        Header(
            description="The same key and body: the old capture.", json_schema_extra={"pattern": r"\S", "maxLength": LONGEST_KEY}
        ),
    ] = None,
) -> str | None:
    if idempotency_key is not None and not 0 < len(idempotency_key) <= LONGEST_KEY:
        detail = f"The Idempotency-Key is empty or longer than {LONGEST_KEY} characters. Send a UUID."
        raise InvalidInput(detail, field="idempotency_key")
    return idempotency_key


IdempotencyKey = Annotated[str | None, Depends(_key)]
