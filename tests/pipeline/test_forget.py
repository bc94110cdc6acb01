"""What is forgotten is nowhere any more: not in a file, not in an index; and what is beside it is as it was."""

from __future__ import annotations

from pathlib import Path

from lattice_common.domain.capture import ForgetAtoms
from lattice_common.domain.recall import Query

from tests.pipeline.living import atom_saying, change, current, say, started

CANARY = "zanzibarquux"


def bytes_with(root: Path, *words: str) -> list[str]:
    """Files with any of the words in them, in upper or lower case, or in their names."""
    wanted = [word.casefold().encode() for word in words]
    return [
        str(path.relative_to(root))
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and any(word in path.read_bytes().lower() or word in path.name.casefold().encode() for word in wanted)
    ]


def test_what_is_forgotten_at_once_is_in_no_byte_of_any_file(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, f"My dog is called {CANARY}. My sister lives in Turin.")
        store.lattice.answer(Query("what is my dog called?"), session_id="s", channel="page")
        assert bytes_with(tmp_path, CANARY)
        change(store, ForgetAtoms((atom_saying(store, CANARY).atom_id,), now=True))
        assert bytes_with(tmp_path, CANARY) == []
        assert current(store) == ["My sister lives in Turin."]
        assert [each.atom.content for each in store.lattice.select(Query("where does my sister live?")).atoms] == current(store)
    assert bytes_with(tmp_path, CANARY) == []
