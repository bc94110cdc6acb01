"""Guards that `bench.guards` takes out: each stands where it is named, or nothing would be tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.guards import GUARDS, Guard

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: f"{guard.row} {guard.test}".strip())
def test_a_guard_stands_where_it_is_named(guard: Guard) -> None:
    assert guard.guard in (ROOT / guard.file).read_text(encoding="utf-8")
