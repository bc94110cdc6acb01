"""The writer in the worker's child process: a worker whose writer is gone ends, for somebody to start it again."""

from __future__ import annotations

import threading
from pathlib import Path

from lattice_common.adapters.files.writer_lock import LOCK_NAME
from lattice_common.composition import take_lock
from lattice_common.settings import Settings
from lattice_worker.writer_process import WriterProcess

from tests.working import until


def started(root: Path) -> tuple[WriterProcess, threading.Event]:
    settings = Settings(data_dir=root, llm_provider="none", dense_seeds=False)
    abandoned = threading.Event()
    writers = WriterProcess({settings.index_name: (settings, take_lock(settings))}, abandoned.set)
    writers.start()
    return writers, abandoned


def test_a_worker_that_lost_its_folder_ends(tmp_path: Path) -> None:
    writers, abandoned = started(tmp_path)
    (tmp_path / LOCK_NAME).unlink()
    (tmp_path / "inbox" / "key.txt").write_text("Ingrid in flat 12 has my spare key.")
    assert abandoned.wait(30)
    writers.stop()


def test_one_that_is_told_to_stop_abandons_nothing(tmp_path: Path) -> None:
    writers, abandoned = started(tmp_path)
    writers.stop()
    until("the watch to end", lambda: not any(each.name == "lattice-writer-watch" for each in threading.enumerate()))
    assert not abandoned.is_set()
