"""Lattice through its product: accept, ingest, select; told as its importer reads conversations, or text by text."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import load_model, open_embedded
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings

from bench.evidence import INGEST_SECONDS, GoldOf, wait_until_judged
from bench.peers.system import Told, versions
from bench.peers.texts import Text, gold_id


class Lattice:
    """A data folder of its own. What it finds are statements; each counts for the text that it was taken from, also where
    several are of the same."""

    def __init__(self, folder: Path, requests: Sequence[IngestRequest]) -> None:
        logs.configure("error", json=None)
        settings = Settings(data_dir=folder)
        self._requests = requests
        self._entered = open_embedded(settings, model=load_model(settings))
        self._product = self._entered.__enter__()
        self._product.start()
        self._gold_of = GoldOf(self._product)

    def version(self) -> str:
        embedder = self._product.stores.embedder
        assert embedder is not None
        return f"{embedder.model_id}, {versions('lattice-common', 'onnxruntime')}"

    def tell(self, texts: Sequence[Told]) -> None:
        """`texts` are what was made into requests before."""
        lattice = self._product.lattice
        accepted = [lattice.accept(request).status.capture_id for request in self._requests]
        until = time.monotonic() + INGEST_SECONDS * max(1.0, len(texts) / 1000)
        for capture_id in accepted:
            if lattice.wait_for(capture_id, until - time.monotonic()).receipt is None:
                raise SystemExit("Lattice did not take everything in in time.")

    def settle(self) -> None:
        """Wait until what is new was compared with what it may make untrue, which may change answers."""
        wait_until_judged(self._product)

    def find(self, question: str, limit: int) -> list[str]:
        found = [self._gold_of(each.atom) for each in self._product.lattice.select(Query(question, limit=limit)).atoms]
        return ["" if each is None else gold_id(each) for each in found]

    def close(self) -> None:
        self._entered.__exit__(None, None, None)


def one_by_one(texts: Sequence[Text]) -> list[IngestRequest]:
    """A capture for each text: a conversation of one message, or a note."""
    return [_request(text) for text in texts]


def _request(text: Text) -> IngestRequest:
    if text.speaker is None:
        metadata = CaptureMetadata(source_id=text.id, observed_at=text.at)
        return IngestRequest(text=text.says, priority="bulk", metadata=metadata)
    said = Message(id=text.id, name=text.speaker, content=text.says, observed_at=text.at)
    metadata = CaptureMetadata(source_id=text.id, session_id=text.session, observed_at=text.at)
    return IngestRequest(messages=[said], source_type="chat", priority="bulk", metadata=metadata)
