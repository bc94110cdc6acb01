"""What a door left in the inbox is found by its name while the inbox files it away, at whatever moment that happens."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from lattice_bot import dropping
from lattice_common import drop
from lattice_common.adapters.files import durable

DAY = "2026-11-28"


def filed(inbox: Path, *names: str, place: str = "processed", day: str = DAY) -> None:
    """Move files as the inbox does."""
    folder = inbox / place / day
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (inbox / name).rename(folder / name)


def before(monkeypatch: pytest.MonkeyPatch, of: Any, name: str, what: Callable[[], None]) -> None:
    """Do `what` before the first call of this function."""
    plain, done = getattr(of, name), list[bool]()

    def call(*given: Any, **more: Any) -> Any:
        if not done:
            done.append(True)
            what()
        return plain(*given, **more)

    monkeypatch.setattr(of, name, call)


@pytest.mark.parametrize("place", ["processed", "failed"])
def test_words_that_are_moved_before_they_are_read_are_found_where_they_went(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    name = drop.drop(tmp_path, {"text": "I live in Berlin."}, "key-1").name
    before(monkeypatch, durable, "read", lambda: filed(tmp_path, name, place=place))
    found = drop.left(tmp_path, name)
    assert found is not None
    assert not (tmp_path / name).exists()
    assert (found[0].body["text"], found[0].idempotency_key, found[1]) == ("I live in Berlin.", "key-1", None)


def test_bytes_that_are_moved_later_than_their_description_are_found_where_they_are(tmp_path: Path) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    beside = next(each.name for each in tmp_path.iterdir() if each.name != path.name)
    filed(tmp_path, path.name)
    assert _bytes(tmp_path, path.name) == b"%PDF-1.7"
    filed(tmp_path, beside, day="2026-11-29")  # midnight came in between
    assert _bytes(tmp_path, path.name) == b"%PDF-1.7"


def test_bytes_that_are_moved_between_being_found_and_being_looked_at_are_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    beside = next(each.name for each in tmp_path.iterdir() if each.name != path.name)
    before(monkeypatch, Path, "is_file", lambda: filed(tmp_path, path.name, beside))
    assert _bytes(tmp_path, path.name) == b"%PDF-1.7"


def test_what_is_gone_is_not_found(tmp_path: Path) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    next(each for each in tmp_path.iterdir() if each.name != path.name).unlink()
    assert dropping.found(tmp_path, path.name) is None
    path.unlink()
    assert drop.left(tmp_path, path.name) is None


def _bytes(inbox: Path, name: str) -> bytes | None:
    found = dropping.found(inbox, name)
    return found[1].read_bytes() if found is not None and found[1] is not None else None
