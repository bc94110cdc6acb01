"""What routes ask for by type. Coroutines, although nothing is awaited: FastAPI gives each plain function a thread."""

from __future__ import annotations

from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Query, Request
from lattice_common.errors import InvalidInput
from lattice_common.lattice import Lattice

from lattice_api.access import Access, Holder
from lattice_api.audit import Audit
from lattice_api.backups import Backups
from lattice_api.limits import RequestLimits
from lattice_api.metrics import Metrics
from lattice_api.operations import Looking

T = TypeVar("T")


def _kept(name: str, kind: type[T]) -> Any:
    """Return the dependency on what `create_app` keeps in the app's state under this name."""

    async def kept(request: Request) -> T:
        found = getattr(request.app.state, name)
        assert isinstance(found, kind)  # noqa: S101 - narrows what create_app put there
        return found

    return Depends(kept)


async def _holder(request: Request) -> Holder:
    holder = request.scope["holder"]
    assert isinstance(holder, Holder)  # noqa: S101 - narrows what the guard put there
    return holder


Product = Annotated[Lattice, _kept("product", Lattice)]
Gate = Annotated[Access, _kept("access", Access)]
Numbers = Annotated[Metrics, _kept("metrics", Metrics)]
Capacity = Annotated[RequestLimits, _kept("limits", RequestLimits)]
Look = Annotated[Looking, _kept("look", Looking)]
Archives = Annotated[Backups, _kept("backups", Backups)]
AuditLog = Annotated[Audit, _kept("audit", Audit)]
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
