"""No name that comes from elsewhere leads out of the data folder, whatever it is made of."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.files import durable
from lattice_common.adapters.files.atom_files import AtomFiles
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.errors import InvalidInput

PIECES = st.sampled_from(
    ["..", ".", "/", "//", "\\", "\0", "~", "atoms", "out", "link", "%2e%2e", "．．", "a", ".md", ".json", "\n"]
)
NAMES = st.lists(st.one_of(PIECES, st.text(max_size=8)), max_size=8).map("".join)
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


@settings(max_examples=10_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=NAMES)
def test_no_name_leads_out_of_the_data_folder(root: Path, name: str) -> None:
    with contextlib.suppress(InvalidInput):
        path = durable.inside(root, name)
        assert path.parent.resolve().is_relative_to(root.resolve())
        assert ".." not in path.relative_to(root).parts


@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(name=NAMES)
def test_what_is_no_id_names_no_file(root: Path, name: str) -> None:
    assert AtomFiles(root).read(name) is None
    journal = FileJournal(root)
    assert (journal.status(name), journal.read(name), journal.receipt(name), journal.original_path(name)) == (None,) * 4
