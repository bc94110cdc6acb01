"""Documents that were deleted leave nothing behind, in whatever order deletes and edits follow each other."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path

import pytest
from lattice_common.adapters.embedded.tantivy_lexical import TantivyLexicalIndex
from test_lexical_index import asked, document


@pytest.mark.parametrize("seed", range(6))
def test_a_document_that_was_deleted_or_edited_after_another_is_not_found_again(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    words: dict[str, str] = {}
    with closing(TantivyLexicalIndex(tmp_path)) as index:
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
