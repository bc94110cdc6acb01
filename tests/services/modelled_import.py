"""A process that reads some captures with the language model at an address, until all have their receipts or it is killed."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.accept import accept
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.capture import Capture
from lattice_common.language.sentences.split import sentences
from lattice_common.settings import Settings

from tests.services.importing import LARGEST, NumberedClock

SHORT = 8
LONG_FACTS = 160


def note(name: str, facts: int) -> str:
    """A text of so many facts, no two of them alike."""
    parcels = (
        f"Parcel {name}-{n} of the brass went to depot {n + 3} under label {name}{n}x." + (" " if (n + 1) % 6 else "\n\n")
        for n in range(facts)
    )
    return "".join(parcels)


def requests() -> list[IngestRequest]:
    """Small ones, and one of several segments among them."""
    texts = [note(f"S{n}", 3) for n in range(SHORT)]
    texts.insert(2, note("L", LONG_FACTS))
    return [
        IngestRequest(text=text, source_type="plain", priority="bulk", metadata=CaptureMetadata(source_id=f"note-{n}"))
        for n, text in enumerate(texts)
    ]


def data_of(body: dict[str, Any]) -> dict[str, Any]:
    """What is to be read, of the body of a call; empty for a call that asks something else."""
    said = next((str(each["content"]) for each in body["messages"] if each["role"] == "user"), "")
    if "\nBEGIN " not in said:
        return {}
    found: dict[str, Any] = json.loads(said[said.index("\n{") : said.rindex("}") + 1])
    return found


def facts(body: dict[str, Any]) -> str:
    """Each sentence is a fact, in words that the rules would not choose."""
    text = str(data_of(body).get("text", ""))
    found = [text[span.start : span.end] for span in sentences(text, 0, len(text))]
    made = [{"content": f"Noted: {each}", "quote": each, "kind": "fact", "subject": "", "entities": []} for each in found]
    return json.dumps({"memories": made})


def open_reading(root: Path, base_url: str, **settings: Any) -> Embedded:
    made = Settings(
        data_dir=root, embed_model="none", llm_provider="openai", llm_base_url=base_url, llm_model="scripted:latest",
        llm_api_key="none", **settings,
    )  # fmt: skip
    return open_embedded(made, clock=NumberedClock(), model=Model(HashedEmbedder()))


def send(root: Path, base_url: str) -> None:
    """Send them all, and leave when everything has its receipt."""
    clock = NumberedClock()
    with open_reading(root, base_url, max_attempts=100) as embedded:
        embedded.start()
        for number, request in enumerate(requests()):
            clock.at(number)
            entry: Capture = accept(request, clock, max_bytes=LARGEST, idempotency_key=f"note:{number}")
            _, created = embedded.stores.worklog.append(entry)
            if created:
                embedded.writer.queue.ring(entry.capture_id, "bulk")
        while embedded.stores.worklog.open_ids():
            time.sleep(0.01)
    os._exit(0)
