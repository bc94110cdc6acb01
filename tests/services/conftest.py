"""One product for each test: what one remembers is nothing to another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.door import Door, opened


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    with opened(tmp_path / "data") as made:
        yield made


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
