"""A writer that a defect ended takes its process with it: whoever keeps it running starts it anew, and nothing waits in vain."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from lattice_api.app import Door, serve
from lattice_common.adapters.files import durable
from lattice_common.errors import Unavailable
from lattice_common.settings import Settings


class PanicException(BaseException):
    """As an engine written in Rust raises it."""


@pytest.fixture(autouse=True)
def _no_failpoint() -> Iterator[None]:
    yield
    durable.set_failpoint(None)


def test_a_panic_in_the_writer_ends_the_process_with_words(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, embed_model="none", port=0, auth=False)

    def panic(step: str) -> None:
        if threading.current_thread().name == "lattice-writer" and step == "durable.write.before_rename":
            raise PanicException

    told: list[threading.Thread] = []

    def ready(door: Door) -> None:
        def tell() -> None:
            durable.set_failpoint(panic)
            # The writer may end the process before the reply is sent.
            with contextlib.suppress(httpx.TransportError):
                assert httpx.post(f"{door.url}/api/ingest", json={"text": "The spare key is with Ines."}).status_code == 202

        told.append(threading.Thread(target=tell))
        told[0].start()

    with pytest.raises(Unavailable, match="it broke"):
        serve(settings, on_ready=ready, on_progress=lambda *_: None)
    told[0].join(30)
    assert not told[0].is_alive()
