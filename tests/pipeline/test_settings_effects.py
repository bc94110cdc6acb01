"""What settings of reading and recall change: the same things told and asked, with another value."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.dense_index import MemoryDenseIndex
from lattice_common.adapters.memory.graph import MemoryGraph, MemoryGraphLog
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition.memory import memory_engines, open_in_memory
from lattice_common.composition.models import Model, load_model, open_document_reader
from lattice_common.domain.graph import Reached
from lattice_common.domain.reading import Unreadable
from lattice_common.domain.recall import Filter, Hit, Query, Selection
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.judge import Judge
from lattice_common.settings import Settings
from living import say, started
from modelled import open_modelled, sentence_by_sentence
from recalled_store import atom, remembered

BENCH = "The garden bench needs some new green paint this spring."
BENCHES = "The garden benches need new green paint and some nails."
LIFE = [atom(f"The garden bench number {number} is green.", number) for number in range(1, 13)]
FAR = atom("Zebra.", 99)
NO_MODELS = ModelsInUse(None, None, lambda: {"available": False}, lambda: None)


def chosen(root: Path, **values: Any) -> Settings:
    return Settings(_env_file=None, data_dir=root, embed_model="none", **values)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("values", "linked"),
    [
        ({}, False),
        ({"similarity_related": 0.2}, True),
        ({"similarity_related": 0.2, "subject_fuzzy_threshold": 99}, False),
    ],
)
def test_statements_of_nearly_the_same_subject_are_linked_from_the_similarities_that_are_set(
    tmp_path: Path, values: dict[str, Any], linked: bool
) -> None:
    with started(tmp_path, **values) as store:
        (first,), (second,) = say(store, BENCH).atom_ids, say(store, BENCHES).atom_ids
        (found,) = store.stores.catalogue.get([second])
        assert [relation.target for relation in found.relations] == [first] * linked


def test_a_model_gets_no_longer_for_a_capture_than_is_set(tmp_path: Path) -> None:
    model = ScriptedModel(sentence_by_sentence())
    with open_modelled(tmp_path, model, llm_capture_seconds=7.0) as store:
        store.start()
        say(store, BENCH)
    assert [request for request in model.requests if request.purpose == "extract"]
    assert all(request.timeout <= 7.0 for request in model.requests if request.purpose == "extract")


def test_a_file_may_take_as_much_memory_as_is_set(tmp_path: Path) -> None:
    large = tmp_path / "a.html"
    large.write_bytes(b"<html><p>" + b"word " * 6_000_000)
    reader = open_document_reader(chosen(tmp_path, read_memory_mb=128), FixedClock())
    try:
        found = reader.read(large, "a.html")
    finally:
        reader.close()
    assert isinstance(found, Unreadable)
    assert "takes more memory than is allowed" in found.reason


@pytest.mark.slow
def test_embedding_takes_as_many_threads_as_are_set(tmp_path: Path) -> None:
    def threads() -> int:
        return sum(each.name.startswith("embed") for each in threading.enumerate())

    before = threads()
    embedder = load_model(Settings(_env_file=None, data_dir=tmp_path, embed_threads=3)).embedder
    assert embedder is not None
    embedder.embed([f"Tom number {number} lives in a town of his own." for number in range(64)])
    assert threads() - before == 3


class Graph(MemoryGraph):
    """Writes down what it was asked to go out from; it leads from everything to what is far."""

    def __init__(self) -> None:
        super().__init__(MemoryGraphLog())
        self.seeds: list[str] = []

    def expand(self, seeds: Sequence[str], limit: int, *, hops: int = 2) -> list[Reached]:
        self.seeds = list(seeds)
        return [Reached(FAR.atom_id, 1, seeds[0])] if seeds else []


class NearTheBenches(MemoryDenseIndex):
    """Its hits are the benches alone; vectors it has of all."""

    def search(self, vector: Vectors, limit: int, within: Filter | None = None) -> list[Hit]:
        return [hit for hit in super().search(vector, limit, within) if hit.atom_id != FAR.atom_id]


def found(root: Path, question: str, judge: Judge | None = None, **values: Any) -> tuple[Selection, Graph]:
    """What a question finds in `LIFE` with these settings, and the graph that it went over."""
    graph, embedder = Graph(), HashedEmbedder()
    engines = replace(memory_engines(embedder), dense=NearTheBenches(), graph=graph)
    product = open_in_memory(chosen(root, **values), clock=FixedClock(), model=Model(embedder, None, judge), engines=engines)
    with remembered(product, [*LIFE, FAR]):
        return product.recall.select(Query(question, explain=True, limit=50)), graph


def test_the_graph_is_entered_from_as_many_of_the_best_as_are_set(tmp_path: Path) -> None:
    assert len(found(tmp_path, "the green garden bench")[1].seeds) == 7
    assert len(found(tmp_path, "the green garden bench", dense_top_k=2)[1].seeds) == 2


def test_what_only_resembles_the_question_enters_the_graph_from_the_similarity_that_is_set(tmp_path: Path) -> None:
    # No word that counts is in the memories; the others make its vector resemble theirs.
    assert found(tmp_path, "is the")[1].seeds
    assert not found(tmp_path, "is the", seed_min_score=1.0)[1].seeds


def test_what_the_graph_brings_is_compared_with_the_question_unless_that_is_off(tmp_path: Path) -> None:
    def score_of_far(**values: Any) -> float:
        selection, _ = found(tmp_path, "the green garden bench, zebra?", **values)
        (far,) = [each for each in selection.atoms if each.atom.atom_id == FAR.atom_id]
        return far.score

    assert not np.isclose(score_of_far(), score_of_far(bfs_rescore=False))


def test_without_dense_seeds_words_alone_find(tmp_path: Path) -> None:
    selection, _ = found(tmp_path, "the green garden bench", dense_seeds=False)
    assert selection.degraded == ()
    assert selection.atoms
    assert not any("dense" in each.signals and each.signals["dense"].value for each in selection.atoms)


class Reading(ScriptedJudge):
    """Counts how often it was asked what answers a question."""

    read = 0

    def answers(self, question: str, statements: Sequence[str]) -> list[float]:
        self.read += 1
        return super().answers(question, statements)


def test_what_is_only_looked_up_is_read_by_the_judge_where_that_is_set(tmp_path: Path) -> None:
    for set_so in (False, True):
        judge = Reading()
        found(tmp_path, "the green garden bench", judge, judge_select=set_so)
        assert judge.read == set_so
