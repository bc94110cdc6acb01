"""Causes in words: what the system or a library says, without the names of classes."""

from __future__ import annotations

import errno
import os
import re
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.causes import LONGEST, cause_of

A_CLASS = re.compile(r"[A-Z]\w+(Error|Exception)\b")


def an_onnx_graph(folder: Path) -> None:
    import onnxruntime

    onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])


def an_address(_folder: Path) -> None:
    import requests

    requests.get("http://127.0.0.1:1/models", timeout=5)


def an_archive(folder: Path) -> None:
    (folder / "backup.tar").write_bytes(b"no archive" * 100)
    tarfile.open(folder / "backup.tar").close()


@pytest.mark.parametrize(
    ("opened", "says"),
    [(an_onnx_graph, "File doesn't exist"), (an_address, "Connection refused"), (an_archive, "could not be opened")],
)
def test_what_libraries_say_is_told_without_the_names_of_their_classes(
    tmp_path: Path, opened: Callable[[Path], None], says: str
) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - each library raises its own
        opened(tmp_path)
    assert says in cause_of(caught.value)
    assert not A_CLASS.search(cause_of(caught.value))


def test_the_system_says_it_without_the_path_and_what_says_nothing_points_to_the_log() -> None:
    assert cause_of(OSError(errno.EACCES, os.strerror(errno.EACCES), "/home/ada/diary")) == "Permission denied"
    assert cause_of(RuntimeError()) == cause_of(OSError("")) == cause_of(KeyError()) == "the log says where"
    assert cause_of(ValueError("json.decoder.JSONDecodeError: Extra\n data.")) == "Extra data"
    assert cause_of(ValueError("Error -3 while decompressing data")) == "Error -3 while decompressing data"
    assert len(cause_of(ValueError("x" * 10_000))) == LONGEST
