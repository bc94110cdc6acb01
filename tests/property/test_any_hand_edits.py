"""Hands are respected (docs/guarantees.md, G14): whatever an owner does to the files of atoms while Lattice runs and writes,
nothing of it is written over, what can be read is found, what cannot is named, the others are not affected, and a rebuild
finds the same."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lattice_common.adapters.files import frontmatter
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Derive
from lattice_common.domain.conclusion import ConclusionKind, is_conclusion
from lattice_common.domain.recall import Query

from tests.data.conversations import conversations
from tests.pipeline.living import PATIENCE, atoms_of, change, files_of, finished, forget_derived, open_store, say, send, started

pytestmark = pytest.mark.lengthy

Hand = Callable[[Path, int], None]
"""Does something to a file; the number makes it another one each time."""


def text_of(path: Path) -> str:
    return path.read_bytes().decode(errors="surrogateescape")


def write(path: Path, text: str) -> None:
    path.write_bytes(text.encode(errors="surrogateescape"))


def words(path: Path, number: int) -> None:
    head, _, _ = text_of(path).rpartition("---\n")
    write(path, f"{head}---\n\nZebulon keeps harmonica{number} in drawer {number}.\n")


def field(name: str, *values: str) -> Hand:
    def edit(path: Path, number: int) -> None:
        lines = text_of(path).split("\n")
        kept = [line for line in lines if not line.startswith(f"{name}:")]
        kept.insert(1, f"{name}: {values[number % len(values)]}  # by hand {number}")
        write(path, "\n".join(kept))

    return edit


def without(name: str) -> Hand:
    def edit(path: Path, _: int) -> None:
        lines = text_of(path).split("\n")
        write(path, "\n".join(line for line in lines if not line.startswith(f"{name}:")))

    return edit


def link_to_another(path: Path, number: int) -> None:
    others = sorted(each.stem for each in path.parents[2].rglob("*.md") if len(each.name) == 29)
    other = others[number % len(others)]
    field("supersedes", f"[{other}]")(path, number)
    if number % 2:
        field("superseded_by", other)(path, number)
        field("is_superseded", "true")(path, number)


def relations(path: Path, number: int) -> None:
    """Of two that are there, or of none."""
    text = re.sub(r"^relations:.*\n(?:(?:  |- ).*\n)*", "", text_of(path), flags=re.MULTILINE)
    others = sorted(each.stem for each in path.parents[2].rglob("*.md") if len(each.name) == 29)
    named = [others[number % len(others)], others[number * 3 % len(others)]][: number % 3]
    made = ", ".join(f"{{type: {kind}, target: {other}}}" for kind, other in zip(("derives", "extends"), named, strict=False))
    write(path, text.replace("---\n", f"---\nrelations: [{made}]\n", 1))


def windows(path: Path, _: int) -> None:
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def truncate(path: Path, number: int) -> None:
    path.write_bytes(path.read_bytes()[: number * 7 % 200])


def garble(path: Path, _: int) -> None:
    write(path, f"---\nkind: a: b\n\tx\n{text_of(path)}")


def delete(path: Path, _: int) -> None:
    path.unlink()


def move(path: Path, number: int) -> None:
    target = path.parents[2] / f"folder {number % 3}" / path.name
    target.parent.mkdir(exist_ok=True)
    path.rename(target)


def another_id(path: Path, number: int) -> None:
    path.rename(path.with_name(f"01m7vvvvvvvvvvvvvvvvvvv{number:03d}.md"))


def copy(path: Path, number: int) -> None:
    shutil.copyfile(path, path.with_name(f"01m7vvvvvvvvvvvvvvvvvvv{number:03d}.md"))


def second_file(path: Path, number: int) -> None:
    target = path.parents[2] / f"{number % 3}" / path.name
    target.parent.mkdir(exist_ok=True)
    if not target.exists():
        shutil.copyfile(path, target)
        words(target, number)


def conflict_copy(path: Path, _: int) -> None:
    shutil.copyfile(path, path.with_name(f"{path.stem} (conflicted copy).md"))


def replace_as_editors_do(path: Path, number: int) -> None:
    beside = path.with_name(f".{path.name}.swp")
    shutil.copyfile(path, beside)
    words(beside, number)
    beside.replace(path)


HANDS: tuple[Hand, ...] = (
    words,
    words,
    replace_as_editors_do,
    field("subject", "Grandmother", "Ada", "the old boat"),
    field("kind", "goal", "recipe", "fact"),
    field("kind", "insight", "synthesis", "fact"),
    field("trust", "user", "assistant"),
    field("entities", "[Oslo, Ada]", "[]"),
    field("session_id", "another day", "yet another"),
    field("observed_at", "2020-02-02T10:00:00Z", "not a date"),
    field("seq", "3", "900", "1"),
    field("confidence", ".nan", "0.5"),
    field("mood", "{sunny: [1]}", "NO"),
    without("seq"),
    without("capture_id"),
    without("metadata"),
    link_to_another,
    relations,
    windows,
    truncate,
    garble,
    delete,
    delete,
    move,
    another_id,
    copy,
    second_file,
    conflict_copy,
)
SAID = (
    "I live in Ulm.",
    "I moved from Ulm to Tromso.",
    "Ada has a new bicycle.",
    "My grandmother likes oolong tea.",
    "Ada works as a pilot now.",
    "Summed up: a synthesis of 3.",
)

STEPS = st.lists(
    st.one_of(
        st.lists(st.tuples(st.sampled_from(HANDS), st.integers(0, 10_000)), min_size=1, max_size=6),
        st.sampled_from(SAID),
        st.just("put back"),
    ),
    min_size=1,
    max_size=5,
)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    with started(root) as store:
        for request in conversations(2):
            finished(store, send(store, request))
        for words in SAID[:3]:
            say(store, words)
        told = [atom.atom_id for atom in atoms_of(store).values() if not atom.is_superseded]
        kinds: tuple[ConclusionKind, ...] = ("synthesis", "insight", "synthesis")
        for number, kind in enumerate(kinds, start=1):
            sources = {atom.atom_id: atom.content_hash for atom in store.stores.catalogue.get(told[:number])}
            change(store, Derive(kind, f"Summed up: a {kind} of {number}.", "Ulm", sources, "model:scripted"))
        assert sum(map(is_conclusion, atoms_of(store).values())) == len(kinds)
    return root


@contextmanager
def copied(life: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(shutil.copytree(life, Path(folder) / "copy"))


def atom_files(root: Path) -> list[Path]:
    return sorted(path for path in (root / "atoms").rglob("*.md") if len(path.name) == 29)


def follow(store: Embedded, root: Path, before: set[Path]) -> None:
    """As a watch would tell it: every path that there was or is."""
    store.writer.queue.touched(str(path.relative_to(root)) for path in before | set(atom_files(root)))
    assert store.writer.queue.caught_up(PATIENCE)
    assert store.writer.state().paused is None


def check(store: Embedded, root: Path) -> None:
    """What can be read is served as it stands, what cannot is named, and nothing else is there."""
    winners: dict[str, Path] = {}
    for path in atom_files(root):
        winners.setdefault(path.stem, path)
    readable = {
        atom_id: loaded.atom
        for atom_id, path in winners.items()
        if isinstance(loaded := frontmatter.load(path.read_bytes(), atom_id), frontmatter.Loaded)
    }
    assert atoms_of(store) == readable
    said = [each for each in store.lattice.status().degraded if each.startswith("memories:")]
    broken = len(winners) - len(readable)
    assert said == [] if not broken else f"{broken} of their files" in said[0]


def live_through(life: Path, steps: list[object]) -> None:
    with copied(life) as root:
        taken: list[tuple[Path, bytes]] = []
        with open_store(root) as store:
            store.writer.start()
            say(store, "ok")
            for step in steps:
                before = set(atom_files(root))
                if step == "put back":
                    for path, content in taken:
                        path.write_bytes(content)
                    before |= {path for path, _ in taken}
                elif isinstance(step, str):
                    say(store, step)
                    check(store, root)
                    continue
                else:
                    assert isinstance(step, list)
                    for hand, number in step:
                        path = sorted(atom_files(root))[number % len(atom_files(root))]
                        taken.append((path, path.read_bytes()))
                        hand(path, number)
                left = files_of(root / "atoms")
                follow(store, root, before)
                assert files_of(root / "atoms") == left, "what a hand did was written over"
                check(store, root)
            newest = max(atoms_of(store).values(), key=lambda atom: atom.atom_id)
            found = [each.atom.content for each in store.lattice.select(Query(newest.content)).atoms]
            # a hand may have said that it is superseded, even by itself
            assert newest.content in found or newest.links or newest.is_superseded
            lived = store.state_hash()
        forget_derived(root)
        with open_store(root) as store:
            store.rebuild(lambda *_: None)
            assert store.state_hash() == lived


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=STEPS)
def test_whatever_hands_do_while_it_runs_is_respected(life: Path, steps: list[object]) -> None:
    live_through(life, steps)


@pytest.mark.slow
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=STEPS)
def test_whatever_hands_do_many_times(life: Path, steps: list[object]) -> None:
    live_through(life, steps)
