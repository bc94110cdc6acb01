"""Documents that were deleted leave nothing behind, in whatever order deletes and edits follow each other."""

from __future__ import annotations

import gc
import random
import sys
from contextlib import closing
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from test_lexical_index import asked, document

from bench.growth import given_out


@pytest.mark.parametrize("renew_after", [512, 3], ids=["", "and the engine is opened anew"])
@pytest.mark.parametrize("seed", range(3))
def test_a_document_that_was_deleted_or_edited_after_another_is_not_found_again(
    seed: int, renew_after: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    words: dict[str, str] = {}
    with closing(TantivyLexicalIndex(tmp_path, renew_after=renew_after)) as index:
        for step in range(25):
            change = chance.choice(("add", "add", "delete", "edit"))
            if change == "add" or not words:
                fresh = {f"{step}-{number}": f"coffee place{number}" for number in range(chance.randint(1, 8))}
                index.upsert([document(atom_id, text) for atom_id, text in fresh.items()])
                words |= fresh
            elif change == "delete":
                gone = chance.choice(sorted(words))
                index.delete([gone])
                del words[gone]
            else:
                edited = chance.choice(sorted(words))
                index.upsert([document(edited, "tea")])
                words[edited] = "tea"
            index.commit()
        for word in ("coffee", "tea"):
            assert {hit.atom_id for hit in index.search(asked(word), 200)} == {
                atom_id for atom_id, text in words.items() if word in text
            }
        assert {atom_id for atom_id, _, _ in index.entries()} == set(words)


def test_what_is_deleted_after_everything_was_cleared_is_gone(tmp_path: Path) -> None:
    with closing(TantivyLexicalIndex(tmp_path)) as index:
        index.upsert([document(f"old {number}", "coffee") for number in range(20)])
        index.commit()
        index.clear()
        index.upsert([document("new", "coffee")])
        index.commit()
        index.delete(["new"])
        index.commit()
        assert index.search(asked("coffee"), 5) == []


@pytest.mark.lengthy
@pytest.mark.skipif(sys.platform != "linux" or "musl" in sys.version, reason="glibc tells what is given out")
def test_what_is_added_and_deleted_again_leaves_nothing_in_memory(tmp_path: Path) -> None:
    """Without opening the engine anew now and then it is 1.3 kB each: 260 kB."""
    with closing(TantivyLexicalIndex(tmp_path, exact_up_to=0, renew_after=50)) as index:
        index.upsert([document(f"old {number}", "coffee") for number in range(20)])

        def come_and_go(times: int) -> int:
            for _ in range(times):
                index.upsert([document("new", "coffee")])
                index.commit()
                index.delete(["new"])
                index.commit()
            gc.collect()
            return given_out()

        gc.freeze()  # what other tests left is not looked at
        try:
            before = come_and_go(50)
            assert come_and_go(200) - before < 100_000
        finally:
            gc.unfreeze()
