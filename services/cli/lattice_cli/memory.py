"""The memory that a long command works on: the running product's over HTTP, else the folder's own, opened as its one writer."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.client import LatticeClient
from lattice_common.client_replies import FINAL_STATES
from lattice_common.domain.capture import RemoveSource
from lattice_common.domain.receipt import CaptureStatus
from lattice_common.errors import NotFound
from lattice_common.lattice import Lattice
from lattice_common.settings import Settings

from lattice_cli.connection import running
from lattice_cli.terminal import Steps

if TYPE_CHECKING:
    from lattice_common.api_schema.replies import CaptureReply

MOST_SOURCES = 1000
"""How many named sources are looked through for one of a name."""
COPIED_AT_ONCE = 1 << 20
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Ended:
    """What became of a capture so far; `final` when nothing more will."""

    capture_id: str
    final: bool
    state: str
    atoms_new: int
    duplicates: int
    reason: str | None


class Memory(Protocol):
    """What an import needs of a memory."""

    def take(self, request: IngestRequest, idempotency_key: str) -> Ended:
        """Store a request; it is stored when this returns. The result is `final` at once when the key is known already."""
        ...

    def take_file(self, path: Path, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        """Return a file, with its metadata. Raise `InvalidInput` where it cannot be taken, `OSError` where it cannot be read."""
        ...

    def take_bytes(self, name: str, content: bytes, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        """Return the same for a file that lies within another."""
        ...

    def wait(self, capture_id: str, seconds: float) -> Ended: ...

    def count(self) -> int: ...

    def has_source(self, source_id: str) -> bool: ...

    def sources(self) -> list[str]:
        """Return the named sources, at most `MOST_SOURCES`, the latest first."""
        ...

    def remove_source(self, source_id: str) -> str:
        """Return the change id. Raise `NotFound` when there is nothing from it."""
        ...


@contextlib.contextmanager
def open_memory(steps: Steps) -> Iterator[Memory]:
    """Yield the memory: that of the running product, else of its folder. Raise `Conflict` when another process that does not
    answer is the writer of the folder."""
    client = running()
    if client is not None:
        with client:
            yield OverHttp(client)
        return
    # The product in this process: seconds to import, and only where no server runs.
    from lattice_common.composition import open_embedded
    from lattice_common.logs import configure

    settings = Settings()
    configure("warning", json=settings.log_json)
    steps.say("Opening your memory")
    with open_embedded(settings, on_progress=steps.count) as embedded:
        embedded.start()
        yield InProcess(embedded.lattice)


class OverHttp:
    """The running product's."""

    def __init__(self, client: LatticeClient) -> None:
        self._client = client

    def take(self, request: IngestRequest, idempotency_key: str) -> Ended:
        return _of_reply(self._client.ingest(request.model_dump(mode="json", exclude_none=True), idempotency_key=idempotency_key))

    def take_file(self, path: Path, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        with path.open("rb") as file:
            return _of_reply(self._client.ingest_file(path.name, file, facts, idempotency_key=idempotency_key))

    def take_bytes(self, name: str, content: bytes, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        return _of_reply(self._client.ingest_file(name, io.BytesIO(content), facts, idempotency_key=idempotency_key))

    def wait(self, capture_id: str, seconds: float) -> Ended:
        return _of_reply(self._client.wait_for(capture_id, seconds))

    def count(self) -> int:
        return self._client.status()["atoms"]

    def has_source(self, source_id: str) -> bool:
        try:
            return bool(self._client.source(source_id)["captures"])
        except NotFound:
            return False

    def sources(self) -> list[str]:
        return [str(each["source_id"]) for each in self._client.imports(MOST_SOURCES)]

    def remove_source(self, source_id: str) -> str:
        return self._client.remove_source(source_id)


class InProcess:
    """The folder's own."""

    def __init__(self, product: Lattice) -> None:
        self._product = product

    def take(self, request: IngestRequest, idempotency_key: str) -> Ended:
        return _of_status(self._product.accept(request, idempotency_key=idempotency_key, channel="cli").status)

    def take_file(self, path: Path, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        request = FileMetadata.model_validate(facts)
        with path.open("rb") as file, self._product.receiving() as incoming:
            while chunk := file.read(COPIED_AT_ONCE):
                incoming.write(chunk)
            kept = self._product.accept_file(incoming, path.name, request, idempotency_key=idempotency_key, channel="cli")
        return _of_status(kept.status)

    def take_bytes(self, name: str, content: bytes, facts: Mapping[str, Any], idempotency_key: str) -> Ended:
        request = FileMetadata.model_validate(facts)
        with self._product.receiving() as incoming:
            incoming.write(content)
            kept = self._product.accept_file(incoming, name, request, idempotency_key=idempotency_key, channel="cli")
        return _of_status(kept.status)

    def wait(self, capture_id: str, seconds: float) -> Ended:
        return _of_status(self._product.wait_for(capture_id, seconds))

    def count(self) -> int:
        return self._product.status().atoms

    def has_source(self, source_id: str) -> bool:
        try:
            return bool(self._product.captures_of(source_id))
        except NotFound:
            return False

    def sources(self) -> list[str]:
        return [each.source_id for each in self._product.imports(MOST_SOURCES)]

    def remove_source(self, source_id: str) -> str:
        return self._product.change(RemoveSource(source_id), channel="cli", timeout=60.0)


def _of_reply(reply: CaptureReply) -> Ended:
    final = reply["state"] in FINAL_STATES
    return Ended(reply["capture_id"], final, reply["state"], reply["atoms_new"], reply["duplicates_skipped"], reply["reason"])


def _of_status(status: CaptureStatus) -> Ended:
    receipt = status.receipt
    if receipt is None:
        return Ended(status.capture_id, final=False, state=status.state, atoms_new=0, duplicates=0, reason=status.reason)
    return Ended(status.capture_id, True, receipt.state, receipt.atoms_new, receipt.duplicates_skipped, receipt.reason)
