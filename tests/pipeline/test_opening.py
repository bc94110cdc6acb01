"""What opening a store goes on without, and what it lets go of when it cannot go on."""

from __future__ import annotations

import contextlib
import gc
from pathlib import Path

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.models import packaged_minilm
from lattice_common.composition import Model, load_model, open_embedded
from lattice_common.errors import Unavailable
from lattice_common.settings import Settings

from tests.pipeline.living import say


def test_weights_that_are_not_the_pinned_ones_cost_the_dense_leg_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    package = tmp_path / "site" / packaged_minilm.PACKAGE.replace("-", "_")
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "model" / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.syspath_prepend(package.parent)
    model = load_model(Settings(data_dir=tmp_path / "data"))
    assert model.embedder is None
    assert "not the weights" in (model.missing or "")
    with open_embedded(Settings(data_dir=tmp_path / "data"), model=model) as store:
        store.start()
        assert any("not the weights" in each for each in store.lattice.status().degraded)


def test_a_store_that_could_not_be_opened_can_be_opened_once_its_folder_is_mended(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, embed_model="none")
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "catalogue.sqlite").mkdir()
    with pytest.raises(Unavailable):
        open_embedded(settings, model=Model(None))
    (tmp_path / "index" / "catalogue.sqlite").rmdir()
    with open_embedded(settings, model=Model(None)) as store:
        store.start()
        assert store.lattice.readiness().ready


def test_beyond_the_limit_of_the_exact_index_the_approximate_one_takes_over(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, embed_model="none", dense_exact_limit=1)
    with open_embedded(settings, model=Model(HashedEmbedder())) as store:
        store.start()
        for place in ("Turin", "Oslo", "Narvik"):
            say(store, f"My cousin in {place} keeps 3 goats.")
        assert (tmp_path / "index" / "dense" / "edge").is_dir()


def test_a_data_folder_that_others_may_read_is_the_owners_only_from_then_on(tmp_path: Path) -> None:
    root = tmp_path / "data"
    root.mkdir(mode=0o755)
    root.chmod(0o755)
    with open_embedded(Settings(data_dir=root, embed_model="none"), model=Model(None)):
        assert root.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux lists the open files of a process")
def test_a_store_that_was_closed_keeps_no_file_open(tmp_path: Path) -> None:
    def opened() -> list[str]:
        targets = list[str]()
        for each in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed by a thread since it was listed
                targets.append(str(each.readlink()))
        return [target for target in targets if target.startswith(str(tmp_path))]

    gc.freeze()  # what other tests left is not looked at
    with open_embedded(Settings(data_dir=tmp_path, embed_model="none"), model=Model(HashedEmbedder())) as store:
        store.start()
        say(store, "My cousin in Narvik keeps 3 goats.")
        assert opened()
    del store
    gc.collect()
    assert opened() == []
