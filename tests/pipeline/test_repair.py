"""What happened to the folder while Lattice was not running: a start finds it, and ends where a rebuild would."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from lattice_common.adapters.files import durable
from lattice_common.upkeep.rebuild import repair

from tests.pipeline.living import atoms_of, files_of, finished, live, open_store, rebuilt, say, send_file, started, state


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a life in it: copy it, don't change it."""
    root = tmp_path_factory.mktemp("life")
    with started(root) as store:
        live(store, 6)
    return root


def atom_files(root: Path) -> list[Path]:
    return sorted((root / "atoms").rglob("*.md"))


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def change_words(root: Path) -> None:
    for path in atom_files(root)[3:6]:
        head, _, _ = path.read_text().rpartition("---\n")
        path.write_text(f"{head}---\nGrandmother baked a plum cake in {path.stem[-4:]}.\n")


def change_subjects(root: Path) -> None:
    for path in atom_files(root)[::4]:
        lines = ["subject: Grandmother" if line.startswith("subject:") else line for line in path.read_text().splitlines()]
        path.write_text("\n".join(lines) + "\n")


def change_dates(root: Path) -> None:
    lines = [
        "observed_at: '2020-02-02T10:00:00+00:00'" if line.startswith("observed_at:") else line
        for line in atom_files(root)[2].read_text().splitlines()
    ]
    atom_files(root)[2].write_text("\n".join(lines) + "\n")


def delete_files(root: Path) -> None:
    for path in atom_files(root)[1::5]:
        path.unlink()


def break_files(root: Path) -> None:
    first, second, third = atom_files(root)[:3]
    first.write_bytes(first.read_bytes()[:40])
    second.write_bytes(b"\0" * 100)
    edit(third, "kind:", "\tkind:")


def add_files(root: Path) -> None:
    for number in range(3):
        (root / "atoms" / f"01m7vvvvvvvvvvvvvvvvvvvv0{number}.md").write_text(
            f"---\natom_id: 01m7vvvvvvvvvvvvvvvvvvvv0{number}\nkind: fact\nsubject: Ada\n"
            f"observed_at: 2025-06-0{number + 1}T10:00:00Z\n---\nAda has {number + 2} hedgehogs.\n"
        )


def lose(*names: str) -> Callable[[Path], None]:
    def forget(root: Path) -> None:
        for name in names:
            path = root / name
            assert path.exists()
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    return forget


def tear_a_sidecar(root: Path) -> None:
    path = root / "graph" / "edges.jsonl"
    path.write_bytes(path.read_bytes()[:-100])


def garble_a_sidecar(root: Path) -> None:
    path = root / "graph" / "nodes.jsonl"
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 50] = b"#" * 50
    path.write_bytes(bytes(content))


def lengthen_a_sidecar(root: Path) -> None:
    with (root / "graph" / "edges.jsonl").open("ab") as file:
        file.write(b'["atom:half a li')


def break_the_catalogue(root: Path) -> None:
    for path in (root / "index").glob("catalogue.sqlite*"):
        path.write_bytes(b"not a database at all" * 300)


def break_the_catalogue_and_delete_files(root: Path) -> None:
    break_the_catalogue(root)
    delete_files(root)


HARMS: tuple[Callable[[Path], None], ...] = (
    change_words,
    change_subjects,
    change_dates,
    delete_files,
    break_files,
    add_files,
    tear_a_sidecar,
    garble_a_sidecar,
    lengthen_a_sidecar,
    break_the_catalogue,
    break_the_catalogue_and_delete_files,
)


@pytest.mark.parametrize("harm", HARMS)
def test_a_start_after_a_change_by_hand_ends_where_a_rebuild_would(root: Path, harm: Callable[[Path], None]) -> None:
    harm(root)
    mended = state(root)
    assert state(root) == mended
    assert rebuilt(root) == mended


@pytest.mark.parametrize(
    "lost", ["index/lexical", "index/dense", "index/catalogue.sqlite", "graph", "graph/manifest.json", "index"]
)
def test_what_was_lost_of_the_derived_comes_back_as_it_was(root: Path, lost: str) -> None:
    lived = state(root)
    lose(lost)(root)
    assert state(root) == lived


def test_files_of_the_owner_are_left_as_they_are(root: Path) -> None:
    state(root)
    break_files(root)
    change_words(root)
    before = files_of(root / "atoms")
    state(root)
    rebuilt(root)
    assert files_of(root / "atoms") == before


def test_what_was_written_by_hand_keeps_its_place_in_the_order(root: Path) -> None:
    add_files(root)
    with started(root) as store:
        say(store, "Ada has a wheelbarrow.")
        lived = store.state_hash()
    assert rebuilt(root)[0] == lived


class Cut(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("harm", [change_subjects, delete_files, garble_a_sidecar, break_the_catalogue])
def test_a_repair_cut_short_at_any_step_is_taken_up_again(root: Path, harm: Callable[[Path], None]) -> None:
    harm(root)
    untouched = Path(shutil.copytree(root, root.parent / "untouched"))
    expected, _ = state(untouched)
    steps = 0
    allowed = 0
    while True:
        allowed += 3
        steps = 0

        def cut(_: str, limit: int = allowed) -> None:
            nonlocal steps
            steps += 1
            if steps > limit:
                raise Cut

        store = open_store(root)
        durable.set_failpoint(cut)
        try:
            repair(store.stores, store.graph, lambda *_: None)
            break
        except Cut:
            pass
        finally:
            durable.set_failpoint(None)
            store.close()
    assert allowed > 3
    assert state(root)[0] == expected


def test_every_step_of_a_rebuild_and_of_a_start_after_an_upgrade_tells_how_far_it_is(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        document = "\n\n".join(f"# Chapter {number}\n\nThe boiler of house {number} was serviced in May." for number in range(30))
        finished(store, send_file(store, "boilers.md", document.encode()))
        memories = len(atoms_of(store))
        assert memories > 0
    told: list[tuple[str, int, int]] = []
    with open_store(tmp_path) as store:
        store.rebuild(lambda *step: told.append(step))
    steps = list(dict.fromkeys(name for name, _, _ in told))
    assert steps[:5] == ["reading", "listing", "linking", "indexing", "keeping"]
    for name in steps[:5]:
        assert [(done, of) for step, done, of in told if step == name][-1] == (memories, memories)
    assert "indexing documents" in steps
    assert all(0 <= done <= of for _, done, of in told)
    (tmp_path / "index" / "catalogue.sqlite").write_bytes(b"of another version")
    told.clear()
    with open_store(tmp_path) as store:
        repair(store.stores, store.graph, lambda *step: told.append(step))
    assert [step for step in told if step[0] == "keeping"] == [("keeping", memories, memories)]
