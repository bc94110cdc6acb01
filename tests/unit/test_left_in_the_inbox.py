"""What a door left in the inbox is found by its name while the inbox files it away, at whatever moment that happens."""

from __future__ import annotations

from collections.abc import Callable, Generator
from io import BytesIO
from os import PathLike
from pathlib import Path, PosixPath
from typing import Any, ClassVar, Self

import pytest
from lattice_bot import dropping
from lattice_common import drop

DAY = "2026-11-28"


def filed(inbox: Path, *names: str, place: str = "processed", day: str = DAY) -> None:
    """Move files as the inbox does."""
    folder = inbox / place / day
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (inbox / name).rename(folder / name)


class Inbox(PosixPath):
    """A folder of which something is moved once a path in it has been named, listed, or found to exist."""

    _when: ClassVar[str] = ""
    _moves: ClassVar[list[Callable[[], None]]] = []

    @classmethod
    def moving(cls, when: str, move: Callable[[], None]) -> None:
        cls._when, cls._moves = when, [move]

    @classmethod
    def _is_now(cls, when: str) -> None:
        if when == cls._when:
            cls._when = ""
            cls._moves.pop()()

    def __truediv__(self, name: str | PathLike[str]) -> Inbox:
        path = super().__truediv__(name)
        self._is_now("named")
        return path

    def glob(self, *given: Any, **more: Any) -> Generator[Self, None, None]:
        found = list(super().glob(*given, **more))
        self._is_now("listed")
        yield from found

    def exists(self, **more: Any) -> bool:
        found = super().exists(**more)
        self._is_now("found")
        return found


@pytest.mark.parametrize("when", ["named", "listed"])
@pytest.mark.parametrize("place", ["processed", "failed"])
def test_words_that_are_moved_before_they_are_read_are_found_where_they_went(tmp_path: Path, when: str, place: str) -> None:
    name = drop.drop(tmp_path, {"text": "I live in Berlin."}, "key-1").name
    inbox = Inbox(tmp_path)
    Inbox.moving(when, lambda: filed(tmp_path, name, place=place))
    found = drop.left(inbox, name)
    assert found is not None
    assert (found[0].body["text"], found[0].idempotency_key, found[1]) == ("I live in Berlin.", "key-1", None)


def test_bytes_that_are_moved_later_than_their_description_are_found_where_they_are(tmp_path: Path) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    beside = next(each.name for each in tmp_path.iterdir() if each.name != path.name)
    filed(tmp_path, path.name)
    assert _bytes(tmp_path, path.name) == b"%PDF-1.7"
    filed(tmp_path, beside, day="2026-11-29")  # midnight came in between
    assert _bytes(tmp_path, path.name) == b"%PDF-1.7"


def test_bytes_that_are_moved_between_being_found_and_being_looked_at_are_looked_for_again(
    tmp_path: Path,
) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    beside = next(each.name for each in tmp_path.iterdir() if each.name != path.name)
    inbox = Inbox(tmp_path)
    Inbox.moving("found", lambda: filed(tmp_path, path.name, beside))
    assert _bytes(inbox, path.name) == b"%PDF-1.7"


def test_what_is_gone_is_not_found(tmp_path: Path) -> None:
    path = drop.drop_file(tmp_path, BytesIO(b"%PDF-1.7"), "lease.pdf", {}, "key-1")
    next(each for each in tmp_path.iterdir() if each.name != path.name).unlink()
    assert dropping.found(tmp_path, path.name) is None
    path.unlink()
    assert drop.left(tmp_path, path.name) is None


def _bytes(inbox: Path, name: str) -> bytes | None:
    found = dropping.found(inbox, name)
    return found[1].read_bytes() if found is not None and found[1] is not None else None
