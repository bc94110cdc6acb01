"""What routes ask for by type."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from lattice_common.lattice import Lattice

from lattice_api.access import Access
from lattice_api.metrics import Metrics


def _product(request: Request) -> Lattice:
    product = request.app.state.product
    assert isinstance(product, Lattice)  # noqa: S101 - narrows what create_app put there
    return product


def _gate(request: Request) -> Access:
    gate = request.app.state.access
    assert isinstance(gate, Access)  # noqa: S101 - narrows what create_app put there
    return gate


def _numbers(request: Request) -> Metrics:
    numbers = request.app.state.metrics
    assert isinstance(numbers, Metrics)  # noqa: S101 - narrows what create_app put there
    return numbers


Product = Annotated[Lattice, Depends(_product)]
Gate = Annotated[Access, Depends(_gate)]
Numbers = Annotated[Metrics, Depends(_numbers)]
