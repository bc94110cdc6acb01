"""Reads the bytes of a file: `reading` where it is read, `refusal` where it is not. And folders with a life in them: `root` is a
copy of the module's `life`, and `store` writes to it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.composition import Embedded
from lattice_common.domain.reading import Reading, ReadResult, Unreadable

from tests.pipeline.given_files import assert_places
from tests.pipeline.hands import lived_in, writing


@pytest.fixture
def given_file(tmp_path: Path) -> Callable[..., ReadResult]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> ReadResult:  # noqa: B008 - frozen
        path = tmp_path / "given"
        path.write_bytes(data)
        return read(path, name, limits, lambda _done, _total: None)

    return result


@pytest.fixture
def reading(given_file: Callable[..., ReadResult]) -> Callable[..., Reading]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> Reading:  # noqa: B008 - frozen
        found = given_file(data, name, limits)
        assert isinstance(found, Reading), found
        assert_places(found)
        return found

    return result


@pytest.fixture
def refusal(given_file: Callable[..., ReadResult]) -> Callable[..., Unreadable]:
    def result(data: bytes, name: str = "file", limits: Limits = Limits()) -> Unreadable:  # noqa: B008 - frozen
        found = given_file(data, name, limits)
        assert isinstance(found, Unreadable), found
        return found

    return result


@pytest.fixture(scope="session")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copied, never changed; a module that wants another life has a fixture of this name."""
    return lived_in(tmp_path_factory.mktemp("life"))


@pytest.fixture
def root(life: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(life, tmp_path / "copy"))


@pytest.fixture
def store(root: Path) -> Iterator[Embedded]:
    with writing(root) as writes:
        yield writes
