"""Two sizes, one behaviour: the same data and questions on the embedded engines and on servers.

Asked are a person's notes, in other words than they were told in, and, with LATTICE_BENCH_DATA, a conversation of LoCoMo. The
promise: the same ten atoms for 99 of 100 questions, in the same order for 95.
"""

from __future__ import annotations

import os
import shutil
import uuid
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.composition import Embedded, Model, open_embedded, open_reader
from lattice_common.domain.recall import Query
from lattice_common.lattice import Lattice
from lattice_common.settings import Settings
from lattice_common.upkeep.doctor import Patient, examine
from lattice_graph.app import create_app

from bench.evidence import Corpus, bench_model, filled, locomo, notes
from tests.serving import serving

pytestmark = pytest.mark.servers

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


def ten(product: Lattice, question: str) -> list[str]:
    return [each.atom.atom_id for each in product.select(Query(question, limit=10)).atoms]


@pytest.mark.parametrize("corpus", corpora(), ids=lambda corpus: corpus.name)
def test_servers_find_what_the_embedded_engines_find(
    corpus: Corpus, model: Model, server_settings: dict[str, object], tmp_path: Path
) -> None:
    root = tmp_path / "data"
    with filled(corpus, model) as (embedded, folder):
        expected = [ten(embedded.lattice, asked.text) for asked in corpus.asked]
        count = embedded.stores.catalogue.count()
        copied(folder, root)
    with serving(create_app(root)) as graph_url:
        settings = Settings(data_dir=root, graph_url=graph_url, index_name=f"parity-{uuid.uuid4().hex}", **server_settings)
        with open_embedded(settings, model=model) as writer:
            writer.rebuild(lambda *_: None)
            nothing_drifts(writer, root, count)
        with open_reader(settings) as reader:
            found = [ten(reader.lattice, asked.text) for asked in corpus.asked]
            assert reader.lattice.status().degraded == ()
    same_ten = sum(set(a) == set(b) for a, b in zip(expected, found, strict=True)) / len(found)
    same_order = sum(a == b for a, b in zip(expected, found, strict=True)) / len(found)
    assert (same_ten >= SAME_TEN, same_order >= SAME_ORDER) == (True, True), f"{same_ten:.3f}, {same_order:.3f} of {len(found)}"


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
