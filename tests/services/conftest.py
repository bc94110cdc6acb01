"""One product for each test, and who uses it: what one remembers is nothing to another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from mcp.client import Client

from tests.services.door import Door, opened
from tests.services.mcp_product import Product, in_process, memory_of, product


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data") as made:
        yield made


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def lattice(tmp_path: Path) -> Iterator[Product]:
    """A product over HTTP, for assistants."""
    with product(tmp_path) as running:
        yield running


@pytest.fixture
async def assistant(lattice: Product, tmp_path: Path) -> AsyncIterator[Client]:
    """The official client, connected to the MCP server before it."""
    async with in_process(memory_of(lattice.url, tmp_path, lattice.token)) as client:
        yield client
