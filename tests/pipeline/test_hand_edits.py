"""What an owner does to the files of atoms while Lattice runs: followed, never written over, and the same as a rebuild finds."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.capture import EditAtom
from lattice_common.domain.recall import Query

from tests.pipeline.hands import (
    HAND_MADE,
    add,
    any_atom,
    edit,
    file_of,
    follow,
    found,
    rewrite,
    same_as_rebuilt,
)
from tests.pipeline.living import PATIENCE, atom_saying, atoms_of, change, finished, say, send


def test_edited_words_are_found_and_the_file_stays_as_the_hand_left_it(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    edit(path, r"^kind: .*$", "kind: fact  # mine\nmood:   'sunny'\n# why not")
    left = rewrite(path, "Zebulon collects harmonicas.")
    follow(store, path)
    assert found(store, "What does Zebulon collect?")[0] == "Zebulon collects harmonicas."
    assert atom.content not in found(store, atom.content)
    assert path.read_bytes() == left
    same_as_rebuilt(store, root)
    assert path.read_bytes() == left


def test_words_that_a_hand_wrote_are_the_owners_own(store: Embedded) -> None:
    receipt = finished(store, send(store, IngestRequest(text="The Mole Company was founded in 1980.", source="document")))
    atom = store.stores.catalogue.get(receipt.atom_ids)[0]
    assert (atom.trust, atom.extractor) == ("document", "rules")
    path = file_of(store, atom)
    left = rewrite(path, "The Mole Company was founded in 1981.")
    follow(store, path)
    edited = store.stores.catalogue.get([atom.atom_id])[0]
    assert (edited.trust, edited.extractor, edited.source_quote) == ("user", "user", atom.source_quote)
    assert path.read_bytes() == left


@pytest.mark.parametrize(
    ("pattern", "new", "field", "value"),
    [
        (r"^subject: .*$", "subject: Grandmother", "subject", "Grandmother"),
        (r"^kind: .*$", "kind: recipe", "kind", "recipe"),
        (r"^observed_at: .*$", "observed_at: 2020-02-02T10:00:00Z", "observed_at", None),
        (r"^session_id: .*$", "session_id: another day", "session_id", "another day"),
        (r"^session_id: .*\n", "", "session_id", None),
        (r"^seq: .*$", "seq: 1", "seq", 1),
        (r"^seq: .*\n", "", "seq", None),
        (r"^entities: .*$", "entities: [Grandmother, Oslo]", "entities", ("Grandmother", "Oslo")),
    ],
)
def test_any_field_may_be_edited_and_the_graph_follows(
    store: Embedded, root: Path, pattern: str, new: str, field: str, value: object
) -> None:
    chosen = [atom for atom in atoms_of(store).values() if atom.session_id and atom.entities][2:5]
    paths = [file_of(store, atom) for atom in chosen]
    for path in paths:
        edit(path, pattern, new)
    follow(store, *paths)
    for atom in store.stores.catalogue.get([atom.atom_id for atom in chosen]):
        assert value is None or getattr(atom, field) == value
        assert atom != chosen[0]
    same_as_rebuilt(store, root)


def test_a_file_made_by_hand_is_a_memory_and_nothing_is_written_into_it(store: Embedded, root: Path) -> None:
    path = add(root / "atoms" / "my own", HAND_MADE.format(1), "Ada keeps nine hedgehogs.")
    bare = root / "atoms" / f"{HAND_MADE.format(2)}.md"
    bare.write_bytes(b"\xef\xbb\xbf---\r\n---\r\nThe boiler is in the cellar.\r\n")
    before = path.read_bytes(), bare.read_bytes()
    follow(store, path, bare)
    assert found(store, "How many hedgehogs does Ada keep?")[0] == "Ada keeps nine hedgehogs."
    assert found(store, "Where is the boiler?")[0] == "The boiler is in the cellar."
    say(store, "Ada has a wheelbarrow.")
    assert (path.read_bytes(), bare.read_bytes()) == before
    same_as_rebuilt(store, root)
    assert (path.read_bytes(), bare.read_bytes()) == before


def test_what_is_made_by_hand_keeps_its_place_among_what_is_said_before_and_after(store: Embedded, root: Path) -> None:
    old = add(root / "atoms", "01jd5k0000abcdefghjkmnpqrs", "Ada had a pony.")
    new = add(root / "atoms", HAND_MADE.format(1), "Ada has a hedgehog.")
    follow(store, old, new)
    said = say(store, "Ada has a wheelbarrow.").atom_ids
    order = [atom.atom_id for atom in store.lattice.recent(2)]
    assert order == [*said, HAND_MADE.format(1)]
    same_as_rebuilt(store, root)


def test_a_copied_file_under_another_name_is_another_memory(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    copies = [root / "atoms" / f"{HAND_MADE.format(number)}.md" for number in (3, 1, 2)]
    for number, copy in enumerate(copies):
        shutil.copyfile(file_of(store, atom), copy)
        rewrite(copy, f"Zebulon owns {number + 3} harmonicas.")
        follow(store, copy)
    assert {each.atom_id for each in atoms_of(store).values() if "Zebulon" in each.content} == {copy.stem for copy in copies}
    same_as_rebuilt(store, root)


def test_many_atoms_of_one_subject_coming_between_others_are_linked_as_a_rebuild_links_them(store: Embedded, root: Path) -> None:
    late = [add(root / "atoms", f"01m8vvvvvvvvvvvvvvvvvvv{n:03d}", f"Ada has {n} bells.") for n in range(20)]
    follow(store, *late)
    early = [add(root / "atoms", f"01m7vvvvvvvvvvvvvvvvvvv{n:03d}", f"Ada saw {n} gulls.") for n in range(9)]
    follow(store, *early[:4])
    follow(store, *early[4:])
    late[5].unlink()
    follow(store, late[5])
    same_as_rebuilt(store, root)


def test_a_moved_file_is_the_same_memory_elsewhere(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    place = root / "atoms" / "drafts" / path.name
    place.parent.mkdir()
    path.rename(place)
    before = store.state_hash()
    follow(store, path, place)
    assert file_of(store, atom) == place
    assert store.state_hash() == before
    change(store, EditAtom(atom.atom_id, {"importance": 0.9}))
    assert "importance: 0.9" in place.read_text()
    assert not path.exists()
    same_as_rebuilt(store, root)


def test_a_deleted_file_is_gone_from_everything_and_may_be_put_back(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    before, content = store.state_hash(), path.read_bytes()
    path.unlink()
    follow(store, path)
    assert atom.content not in found(store, atom.content)
    assert store.graph.neighbours(atom.atom_id) == []
    assert store.state_hash() != before
    path.write_bytes(content)
    follow(store, path)
    assert found(store, atom.content)[0] == atom.content
    assert store.state_hash() == before
    path.unlink()
    follow(store, path)
    same_as_rebuilt(store, root)


def test_what_a_deleted_memory_replaced_is_true_again_and_its_file_is_not_touched(store: Embedded, root: Path) -> None:
    new, old = atom_saying(store, "to Tromso"), atom_saying(store, "in Ulm")
    assert old.superseded_by == new.atom_id
    path, left = file_of(store, new), file_of(store, old).read_bytes()
    path.unlink()
    follow(store, path)
    assert old.content in found(store, "Where do I live?")
    assert "no longer" not in store.lattice.answer(Query("Where do I live?")).answer
    assert file_of(store, old).read_bytes() == left
    same_as_rebuilt(store, root)


@pytest.mark.parametrize(
    "content",
    [b"", b"\0" * 300, b"---\nkind: a: b\n---\n\nx\n", b"---\nkind: fact\n", b"\xff\xfe\x00"],
)
def test_a_broken_file_is_named_and_left_alone_and_mended_it_is_served_again(store: Embedded, root: Path, content: bytes) -> None:
    atom, other = any_atom(store), any_atom(store, 5)
    path = file_of(store, atom)
    good = path.read_bytes()
    path.write_bytes(content)
    follow(store, path)
    (said,) = [each for each in store.lattice.status().degraded if each.startswith("memories:")]
    assert str(path.relative_to(root)) in said
    assert atom.atom_id not in atoms_of(store)
    assert other.content in found(store, other.content)
    assert path.read_bytes() == content
    follow(store, path)
    path.write_bytes(good)
    follow(store, path)
    assert atoms_of(store)[atom.atom_id] == atom
    assert not any(each.startswith("memories:") for each in store.lattice.status().degraded)
    same_as_rebuilt(store, root)


def test_of_two_files_of_one_id_the_first_counts_and_then_the_second(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    second = file_of(store, atom)
    first = root / "atoms" / "1 first" / second.name
    first.parent.mkdir()
    shutil.copyfile(second, first)
    rewrite(first, "Zebulon collects harmonicas.")
    follow(store, first)
    assert atoms_of(store)[atom.atom_id].content == "Zebulon collects harmonicas."
    first.unlink()
    follow(store, first)
    assert atoms_of(store)[atom.atom_id] == atom
    same_as_rebuilt(store, root)


def test_line_ends_and_a_byte_order_mark_change_nothing(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    before = store.state_hash()
    left = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(left)
    follow(store, path)
    assert store.state_hash() == before
    change(store, EditAtom(atom.atom_id, {"importance": 0.9}))
    assert path.read_bytes().startswith(left[:200])
    assert b"importance: 0.9\r\n" in path.read_bytes()
    same_as_rebuilt(store, root)


def test_names_that_are_no_atoms_are_passed_over(store: Embedded, root: Path) -> None:
    before = store.state_hash()
    atom = any_atom(store)
    names = [
        ".obsidian/workspace.md",
        "README.md",
        f"{atom.atom_id} (conflicted copy).md",
        f"{atom.atom_id}.sync-conflict-1.md",
        f".git/{atom.atom_id}.md",
        f"{atom.atom_id.upper()}.md",
        f".syncthing.{atom.atom_id}.md.tmp",
        "../../../etc/passwd.md",
    ]
    for name in names[:-1]:
        (root / "atoms" / name).parent.mkdir(exist_ok=True)
        (root / "atoms" / name).write_text("---\nkind: fact\n---\nx\n")
    store.writer.queue.touched(f"atoms/{name}" for name in names)
    store.writer.queue.caught_up(PATIENCE)
    assert store.state_hash() == before
    assert store.writer.state().paused is None


def test_row_68_a_renamed_file_is_another_memory_and_what_named_the_old_one_is_as_a_rebuild_has_it(
    store: Embedded, root: Path
) -> None:
    new, old = atom_saying(store, "to Tromso"), atom_saying(store, "in Ulm")
    path = file_of(store, new)
    renamed = path.with_name(f"{HAND_MADE.format(7)}.md")
    path.rename(renamed)
    left = renamed.read_bytes()
    follow(store, path, renamed)
    assert set(atoms_of(store)) & {new.atom_id, renamed.stem} == {renamed.stem}
    columns = store.stores.catalogue.columns()
    assert not columns.superseded[columns.row_of[old.atom_id]]
    assert renamed.read_bytes() == left
    same_as_rebuilt(store, root)


def test_row_69_links_in_a_circle_and_to_nothing_hide_no_memory(store: Embedded, root: Path) -> None:
    one, two, three = list(atoms_of(store).values())[2:5]
    for atom, by in ((one, two.atom_id), (two, one.atom_id), (three, "01m7vvvvvvvvvvvvvvvvvvvvzz")):
        edit(file_of(store, atom), r"^is_superseded: .*$", f"is_superseded: true\nsuperseded_by: {by}\nsupersedes: [{by}]")
    follow(store, *(file_of(store, atom) for atom in (one, two, three)))
    columns = store.stores.catalogue.columns()
    hidden = [bool(columns.superseded[columns.row_of[atom.atom_id]]) for atom in (one, two, three)]
    assert sorted(hidden[:2]) == [False, True]
    assert not hidden[2]
    same_as_rebuilt(store, root)


def test_row_72_a_number_that_is_none_is_its_default_and_stays_in_the_file(store: Embedded, root: Path) -> None:
    atom = any_atom(store)
    path = file_of(store, atom)
    edit(path, r"^quality_score: .*$", "quality_score: .inf")
    left = edit(path, r"^recall_count: .*$", "recall_count: -3")
    follow(store, path)
    read = atoms_of(store)[atom.atom_id]
    assert (read.quality_score, read.recall_count) == (1.0, 0)
    assert path.read_bytes() == left
    same_as_rebuilt(store, root)


def test_row_75_no_name_in_the_folder_is_made_of_what_was_said(store: Embedded, root: Path) -> None:
    say(store, "C:\\CON is where my sister Ümit keeps her 3 aux.md files: " + "x" * 300, source_id="A:B/C" * 90)
    names = {part for path in root.rglob("*") for part in path.relative_to(root).parts}
    assert {name for name in names if not re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,99}|\.[a-z0-9._-]{1,40}", name)} == set()


@pytest.mark.parametrize("lines", ["session_id: another day\nseq: 8\n", "session_id: day\nseq: 20\n"])
def test_what_stood_around_a_memory_that_is_put_elsewhere_closes_up(store: Embedded, root: Path, lines: str) -> None:
    said = ["The boiler hums.", "A kite flew by.", "Nobody rang.", "It rained at four."]
    paths = [
        add(root / "atoms", HAND_MADE.format(n), words, f"subject: {words.split()[1]}\nsession_id: day\nseq: {7 + n}\n")
        for n, words in enumerate(said)
    ]
    follow(store, *paths)
    edit(paths[1], r"^session_id: day\nseq: 8\n", lines)
    follow(store, paths[1])
    edges = store.graph.neighbours(paths[2].stem, ("next_in_segment",))
    assert f"atom:{paths[0].stem}" in {edge.source for edge in edges}
    same_as_rebuilt(store, root)
