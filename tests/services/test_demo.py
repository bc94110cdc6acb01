"""The demo: a small life with updates, that answers, and leaves nothing behind."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from cli_product import Shell, running
from lattice_common.capture.demo import SOURCE_ID, demo_life
from lattice_common.domain.recall import Query
from lattice_common.lattice import Lattice

NOW = datetime.fromisoformat("2026-11-20T12:00:00+01:00")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    return Shell(tmp_path, monkeypatch)


def test_it_is_told_over_months_up_to_now_and_never_ahead_of_the_clock() -> None:
    life = demo_life(NOW, "one")
    dates = [datetime.fromisoformat(each.request.metadata.observed_at or "") for each in life]
    assert dates == sorted(dates)
    assert dates[-1] <= NOW
    assert (NOW - dates[0]).days > 200
    assert {each.request.metadata.source_id for each in life} == {SOURCE_ID}
    assert len({each.idempotency_key for each in life}) == len(life)
    assert sum(each.request.messages is not None for each in life) == 2


def answer(product: Lattice, question: str) -> str:
    return product.answer(Query(question)).answer


def test_it_is_loaded_once_answers_what_is_true_now_and_before_and_goes_without_a_trace(shell: Shell) -> None:
    with running(shell) as product:
        loaded = shell.lattice("demo", "load")
        assert loaded.code == 0
        atoms = product.recent(200)
        assert 55 <= len(atoms) <= 75
        assert f"The demo is in: {len(atoms)} memories." in loaded.out
        assert sum(atom.is_superseded for atom in atoms) >= 6
        assert product.rejected(10) == []

        assert "is there already" in shell.lattice("demo", "load").out
        assert len(product.recent(200)) == len(atoms)

        password = answer(product, "What is the wifi password?")
        assert password.startswith("azulejo71 [1]; ")
        assert "sunflower22" in password
        assert "You moved from Berlin to Lisbon" in answer(product, "Did I move from Berlin to Lisbon?")
        assert "Tasca do Mar" in answer(product, "What is my favourite restaurant?")
        assert "walnuts" in answer(product, "What is Priya allergic to?")

        assert shell.lattice("demo", "remove").code == 0
        assert product.recent(10) == []
        assert product.status().subjects == {}
        assert not product.answer(Query("What is the wifi password?")).answered
        assert shell.lattice("demo", "remove").code == 1

        assert "The demo is in: " in shell.lattice("demo", "load").out
        assert len(product.recent(200)) == len(atoms)
    assert shell.lattice("doctor").code == 0


def test_it_does_not_mix_with_a_memory_of_ones_own(shell: Shell) -> None:
    with running(shell) as product:
        shell.lc("I live in Porto.")
        refused = shell.lattice("demo", "load")
        assert refused.code == 1
        assert "LATTICE_DIR=" in refused.err
        assert len(product.recent(10)) == 1
