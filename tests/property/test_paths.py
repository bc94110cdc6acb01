"""No name that comes from elsewhere leads out of the data folder, whatever it is made of."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.errors import InvalidInput

PIECES = ("..", ".", "/", "//", "\\", "\0", "~", "atoms", "out", "link", "%2e%2e", "．．", "a", ".md", ".json", "\n")
NAMES = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("".join)
SECRET = b"outside"


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder beside one that is none of its business, to which a link leads."""
    beside = tmp_path_factory.mktemp("beside")
    (beside / "out").mkdir()
    (beside / "out" / "a").write_bytes(SECRET)
    made = beside / "data"
    made.mkdir()
    (made / "link").symlink_to(beside / "out")
    yield made
    assert (beside / "out" / "a").read_bytes() == SECRET
    assert sorted(path.name for path in beside.iterdir()) == ["data", "out"]


def stays_inside(root: Path, name: str) -> bool:
    """Whether the name is refused, or names a place in the folder."""
    try:
        path = durable.inside(root, name)
    except InvalidInput:
        return True
    return path.parent.resolve().is_relative_to(root.resolve()) and ".." not in path.relative_to(root).parts


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(name=NAMES)
def test_no_name_leads_out_of_the_data_folder(root: Path, name: str) -> None:
    assert stays_inside(root, name)


def test_no_name_of_up_to_three_pieces_leads_out_of_the_data_folder(root: Path) -> None:
    names = ["".join(pieces) for count in range(4) for pieces in itertools.product(PIECES, repeat=count)]
    assert [name for name in names if not stays_inside(root, name)] == []


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(name=NAMES)
def test_what_is_no_id_names_no_file(root: Path, name: str) -> None:
    assert AtomFiles(root).read(name) is None
    journal = FileJournal(root)
    assert (journal.status(name), journal.read(name), journal.receipt(name), journal.original_path(name)) == (None,) * 4
