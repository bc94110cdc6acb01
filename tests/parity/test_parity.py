"""Two sizes, one behaviour: the same data and questions on the embedded engines and on servers.

Asked are a person's notes, in other words than they were told in, and, with LATTICE_BENCH_DATA, a conversation of LoCoMo. The
promise: the same ten atoms for 99 of 100 questions, in the same order for 95. Asked are, too, documents, whose passages have
indexes of their own: the same promise is for these.
"""

from __future__ import annotations

import os
import re
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model, open_embedded, open_reader
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query
from lattice_common.lattice import Lattice
from lattice_common.settings import Settings
from lattice_common.upkeep.doctor import Patient, examine
from lattice_graph.app import create_app

from bench.evidence import Asked, Corpus, bench_model, filled, locomo, notes
from tests.serving import serving
from tests.working import until

pytestmark = pytest.mark.servers

DOCS = Path(__file__).resolve().parents[2] / "docs"
SAME_TEN = 0.99
SAME_ORDER = 0.95
CONVERSATION = 1
"""The one with the fewest questions: to fill a store of another one twice takes two minutes longer."""


def corpora() -> list[Corpus]:
    return [notes(), *(locomo()[CONVERSATION : CONVERSATION + 1] if os.environ.get("LATTICE_BENCH_DATA") else ())]


@pytest.fixture(scope="module")
def model() -> Model:
    return bench_model()


@pytest.fixture(scope="module")
def server_settings(opensearch_url: str, qdrant_url: str, qdrant_key: str, redis_url: str) -> dict[str, object]:
    """Everything but the folder and the graph."""
    return {
        "mode": "server",
        "opensearch_url": opensearch_url,
        "qdrant_url": qdrant_url,
        "qdrant_api_key": qdrant_key,
        "redis_url": f"{redis_url}/0",
        "llm_provider": "none",
    }


DOCUMENTS = ("operations.md", "architecture.md", "data-format.md", "clients.md", "guarantees.md")
_HEADING = re.compile(r"^#{2,3} (.+)$", re.MULTILINE)


def documents() -> Corpus:
    """Documents of this product, each asked for by its headings."""
    texts = {name: (DOCS / name).read_text(encoding="utf-8") for name in DOCUMENTS}
    told = tuple(
        IngestRequest(
            text=text, source="document", metadata=CaptureMetadata(source_id=name, title=name, observed_at="2026-05-12")
        )
        for name, text in texts.items()
    )
    headings = dict.fromkeys(heading for text in texts.values() for heading in _HEADING.findall(text))
    return Corpus("documents", told, tuple(Asked(f"What is said of {each}?", frozenset(), "heading") for each in headings))


def passages(product: Lattice, question: str) -> list[str]:
    found = product.select(Query(question, limit=10)).atoms
    return [each.atom.atom_id for each in found if is_passage(each.atom)]


def ten(product: Lattice, question: str) -> list[str]:
    return [each.atom.atom_id for each in product.select(Query(question, limit=10)).atoms]


@pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)
def test_servers_find_what_the_embedded_engines_find(
    corpus: Corpus, model: Model, server_settings: dict[str, object], tmp_path: Path
) -> None:
    the_same_is_found(ten, corpus, model, server_settings, tmp_path / "data")


def test_servers_find_the_passages_that_the_embedded_engines_find(
    model: Model, server_settings: dict[str, object], tmp_path: Path
) -> None:
    found = the_same_is_found(passages, documents(), model, server_settings, tmp_path / "data")
    assert sum(map(bool, found)) > len(found) / 2


def the_same_is_found(
    look: Callable[[Lattice, str], list[str]], corpus: Corpus, model: Model, server_settings: dict[str, object], root: Path
) -> list[list[str]]:
    """Ask both sizes, hold them to the promise, and return what the servers found."""
    with filled(corpus, model) as (embedded, folder):
        shelf = embedded.stores.shelf
        assert shelf is not None
        until("vectors of passages", lambda: not shelf.pending)
        expected = [look(embedded.lattice, asked.text) for asked in corpus.asked]
        count = embedded.stores.catalogue.count()
        copied(folder, root)
    with serving(create_app(root)) as graph_url:
        settings = Settings(data_dir=root, graph_url=graph_url, index_name=f"parity-{uuid.uuid4().hex}", **server_settings)
        with open_embedded(settings, model=model) as writer:
            writer.rebuild(lambda *_: None)
            nothing_drifts(writer, root, count)
        with open_reader(settings) as reader:
            found = [look(reader.lattice, asked.text) for asked in corpus.asked]
            assert reader.lattice.status().degraded == ()
    same_ten = sum(set(a) == set(b) for a, b in zip(expected, found, strict=True)) / len(found)
    same_order = sum(a == b for a, b in zip(expected, found, strict=True)) / len(found)
    assert (same_ten >= SAME_TEN, same_order >= SAME_ORDER) == (True, True), f"{same_ten:.3f}, {same_order:.3f} of {len(found)}"
    return found


def copied(folder: Path, to: Path) -> None:
    """The owner's files and nothing derived."""
    for name in ("journal", "atoms"):
        shutil.copytree(folder / name, to / name)


def nothing_drifts(writer: Embedded, root: Path, count: int) -> None:
    stores = writer.stores
    graph = EmbeddedGraph(root)
    patient = Patient(stores.atoms, stores.worklog, stores.catalogue, stores.lexical, stores.dense, graph)
    examined = examine(patient, lambda *_: None)
    graph.close()
    assert examined.findings == ()
    assert stores.catalogue.count() == count
