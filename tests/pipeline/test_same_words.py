"""What is told again after it had been replaced stands beside its first telling in the graph."""

from __future__ import annotations

from pathlib import Path

from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.domain.capture import UndoChange
from lattice_common.domain.graph import SAME_WORDS_NEWEST

from tests.pipeline.living import change, rebuilt, say, started

DAYS = ("2026-01-05", "2026-03-05", "2026-05-05", "2026-07-05", "2026-09-05", "2026-10-05", "2026-11-05")


def test_it_is_joined_to_the_newest_earlier_ones_whatever_the_order_of_making_the_graph(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        told: dict[str, list[str]] = {}
        receipts = []
        for number, day in enumerate(DAYS * 2):
            town = "Leeds" if number % 2 == 0 else "York"
            when = day if number < len(DAYS) else day.replace("2026", "2027")
            receipt = say(store, f"I live in {town}.", observed_at=f"{when}T10:00:00Z")
            receipts.append(receipt)
            told.setdefault(town, []).extend(receipt.atom_ids)
        graph = EmbeddedGraph(tmp_path)

        def earlier(atom_id: str) -> set[str]:
            graph.refresh()
            edges = graph.neighbours(atom_id, ["same_hash"])
            return {edge.target.removeprefix("atom:") for edge in edges if edge.source == f"atom:{atom_id}"}

        leeds = told["Leeds"]
        assert earlier(leeds[0]) == set()
        assert earlier(leeds[1]) == {leeds[0]}
        assert earlier(leeds[-1]) == set(leeds[-1 - SAME_WORDS_NEWEST : -1])
        before = store.state_hash()
        undone = change(store, UndoChange(receipts[2].capture_id))
        assert leeds[1] not in earlier(leeds[2])
        change(store, UndoChange(undone))
        assert store.state_hash() == before
    assert rebuilt(tmp_path)[0] == before
