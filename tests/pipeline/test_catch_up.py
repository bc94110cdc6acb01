"""Engines on servers are compared with the files now and then: what one lost without a word is brought back to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lattice_common.ingest.index_lag import IndexLag
from lattice_common.upkeep.catch_up import AGAIN_SECONDS, COMPARE_SECONDS, CatchUp

from tests.pipeline.living import open_store


def test_an_engine_that_lost_something_without_a_word_has_it_again_after_a_while(root: Path) -> None:
    now = [0.0]
    with open_store(root) as store:
        stores = replace(store.stores, behind=IndexLag(tolerates=True))
        held = sorted(atom_id for atom_id, _, _ in stores.lexical.entries())
        catch_up = CatchUp(stores, lambda: stores.lock.epoch << 32 | 1 << 31, lambda: now[0])
        stores.lexical.delete(held[:3])
        stores.lexical.commit()
        now[0] = COMPARE_SECONDS - 1
        catch_up.now_and_then()
        assert sorted(atom_id for atom_id, _, _ in stores.lexical.entries()) == held[3:]
        now[0] = COMPARE_SECONDS
        catch_up.now_and_then()
        assert sorted(atom_id for atom_id, _, _ in stores.lexical.entries()) == held


def test_engines_in_the_process_are_compared_at_the_start_only(root: Path) -> None:
    now = [0.0]
    with open_store(root) as store:
        stores = store.stores
        (lost, *rest) = sorted(atom_id for atom_id, _, _ in stores.lexical.entries())
        catch_up = CatchUp(stores, lambda: stores.lock.epoch << 32 | 1 << 31, lambda: now[0])
        stores.lexical.delete([lost])
        stores.lexical.commit()
        now[0] = COMPARE_SECONDS + AGAIN_SECONDS
        catch_up.now_and_then()
        assert sorted(atom_id for atom_id, _, _ in stores.lexical.entries()) == rest
