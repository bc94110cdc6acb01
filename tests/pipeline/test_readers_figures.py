"""Bombs at their full size: how much processor time and memory reading them takes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.files.reader_host import ReaderHost
from lattice_common.adapters.files.reading_wire import Ended
from lattice_common.capture.readers.limits import Limits
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

from tests.data import documents as made

pytestmark = pytest.mark.slow
GIB = 1 << 30


@pytest.fixture
def host() -> Iterator[ReaderHost]:
    opened = ReaderHost(Limits())
    yield opened
    opened.close()


def asked(host: ReaderHost, folder: Path, content: bytes, name: str) -> tuple[ReadResult, Ended]:
    path = folder / "file"
    path.write_bytes(content)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        result, ended = host.ask(descriptor, name, [], lambda _done, _total: None)
    finally:
        os.close(descriptor)
    assert result is not None
    assert ended is not None
    return result, ended


@pytest.mark.parametrize("bomb", [made.flate_bomb, made.double_flate_bomb], ids=["2 GiB", "2 GiB in 4 KB"])
def test_row_29_a_bomb_of_two_gibibytes_costs_five_seconds_and_300_mb_at_most(
    host: ReaderHost, tmp_path: Path, bomb: object
) -> None:
    assert callable(bomb)
    result, ended = asked(host, tmp_path, bomb(2 * GIB), "bomb.pdf")
    assert isinstance(result, Unreadable)
    assert result.code == "too-large"
    assert ended.cpu_seconds <= 5
    assert ended.peak_mb <= 300


def test_row_30_sixty_megabytes_of_operators_are_given_up(host: ReaderHost, tmp_path: Path) -> None:
    result, ended = asked(host, tmp_path, made.many_operators(2_700_000), "operators.pdf")
    assert isinstance(result, Unreadable)
    assert result.code == "too-large"
    assert ended.cpu_seconds <= 20
    assert ended.peak_mb <= 768


def test_row_31_a_loop_ends_within_ten_seconds(host: ReaderHost, tmp_path: Path) -> None:
    result, ended = asked(host, tmp_path, made.looping_pages(), "loop.pdf")
    assert isinstance(result, Unreadable)
    assert ended.cpu_seconds <= 10


def test_row_45_an_archive_costs_a_tenth_of_a_second(host: ReaderHost, tmp_path: Path) -> None:
    result, ended = asked(host, tmp_path, made.nested_zip(4, 10_000_000), "42.zip")
    assert isinstance(result, Unreadable)
    assert ended.cpu_seconds <= 0.1


def test_three_hundred_pages_of_a_megabyte_are_read_in_a_few_seconds(host: ReaderHost, tmp_path: Path) -> None:
    result, ended = asked(host, tmp_path, made.book(300, 3550), "book.pdf")
    assert isinstance(result, Reading)
    assert len(result.text) > 900_000
    assert [place.label for place in result.places] == [f"page {number}" for number in range(1, 301)]
    assert ended.cpu_seconds <= 10
    assert ended.peak_mb <= 300
