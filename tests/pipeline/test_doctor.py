"""The doctor finds each kind of trouble once, nothing where there is none, and changes nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.capture import DeleteAtom
from lattice_common.domain.reading import Reading
from lattice_common.inspection import inspect
from lattice_common.upkeep.doctor import Finding

from tests.pipeline.harms import (
    flip_bits_in_the_catalogue,
    leave_the_catalogue,
    leave_the_graph,
    leave_the_vectors,
    leave_the_words,
)
from tests.pipeline.living import (
    atom_saying,
    atoms_of,
    change,
    files_of,
    finished,
    live,
    open_store,
    say,
    send,
    send_file,
    started,
)


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("life")
    with started(root) as store:
        live(store, 5)
        say(store, "I live in Ghent.", observed_at="2026-03-02T10:00:00Z", source_id="last")
        say(store, "I moved from Ghent to Krakow.", observed_at="2026-03-03T10:00:00Z", source_id="last")
    return root


def found_in(root: Path) -> list[Finding]:
    before = files_of(root)
    with inspect(root) as inspection:
        examined = inspection.examine(lambda *_: None, exact_limit=100_000)
    assert examined.atoms
    assert examined.captures
    assert files_of(root) == before, "the doctor changed something"
    return list(examined.findings)


def files(root: Path) -> Iterator[Path]:
    return iter(sorted((root / "atoms").rglob("*.md")))


def put(path: Path, field: str, value: str) -> None:
    text = re.sub(rf"^{field}:.*\n(?:(?:  |- ).*\n)*", "", path.read_text(), flags=re.MULTILINE)
    path.write_text(text.replace("---\n", f"---\n{field}: {value}\n", 1))


def pair(root: Path) -> tuple[Path, Path]:
    """The file of a replaced memory, and of the one that replaced it."""
    with open_store(root) as store:
        old = [atom for atom in atoms_of(store).values() if atom.superseded_by][-1]
    by_id = {path.stem: path for path in files(root)}
    return by_id[old.atom_id], by_id[str(old.superseded_by)]


def tear(root: Path) -> None:
    path = next(files(root))
    path.write_bytes(path.read_bytes()[:50])


def change_a_quote(root: Path) -> None:
    put(next(files(root)), "source_quote", "words that nobody said")


def change_words(root: Path) -> None:
    path = next(files(root))
    path.write_text(path.read_text() + "And more.\n")


def delete_what_replaced_another(root: Path) -> None:
    pair(root)[1].unlink()


def refer_to_itself(root: Path) -> None:
    path = next(files(root))
    put(path, "supersedes", f"[{path.stem}]")


def replace_each_other(root: Path) -> None:
    old, new = pair(root)
    put(new, "superseded_by", old.stem)
    put(new, "is_superseded", "true")


def double_a_file(root: Path) -> None:
    path = next(files(root))
    (root / "atoms" / "2030").mkdir()
    shutil.copy(path, root / "atoms" / "2030" / path.name)


def garble_the_journal(root: Path) -> None:
    envelope = next(path for path in sorted((root / "journal" / "2026").rglob("*.json")) if path.name.count(".") == 1)
    envelope.write_bytes(b"{")


def lose_a_mark(root: Path) -> None:
    with open_store(root) as store:
        capture_id = send(store, IngestRequest(text="Not yet taken up."))
    (root / "journal" / "open" / capture_id).unlink()


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def flip_a_bit_of_an_original(root: Path) -> None:
    with started(root) as store:
        finished(store, send_file(store, "lease.txt", b"The rent is 900 euros."))
    [original] = root.glob("journal/2*/*/*/*.original*")
    flip(original, 12)


def flip_a_bit_of_a_reading(root: Path) -> None:
    with started(root, reader=Titled()) as store:
        finished(store, send_file(store, "lease.txt", b"The rent is 900 euros."))
    [reading] = root.glob("journal/2*/*/*/*.reading.json")
    flip(reading, reading.read_bytes().index(b"Lease of"))


class Titled:
    def read(self, path: Path, name: str, on_progress: Callable[[int, int], None] = lambda _done, _total: None) -> Reading:
        return Reading("plain", path.read_text(), title=f"Lease of {name}")


def flip_a_bit_in_the_trash(root: Path) -> None:
    with started(root) as store:
        say(store, "The bins go out on Tuesday.")
        change(store, DeleteAtom(atom_saying(store, "bins").atom_id))
    [trashed] = [path for path in (root / "trash").rglob("*.md") if b"bins" in path.read_bytes()]
    flip(trashed, trashed.read_bytes().rindex(b"bins"))


def flip_a_bit_of_a_field(root: Path) -> None:
    path = next(files(root))
    flip(path, path.read_bytes().index(b"importance:") + len("importance: 0."))


def date_it_ahead(root: Path) -> None:
    with started(root, clock=FixedClock(datetime.now(UTC) + timedelta(days=30))) as store:
        say(store, "The bins go out on Tuesday.")


def test_a_healthy_store_has_no_findings(root: Path) -> None:
    assert found_in(root) == []


@pytest.mark.parametrize(
    ("harm", "area", "problem"),
    [
        (tear, "file", "cannot be read"),
        (change_a_quote, "quote", "does not stand at its place"),
        (delete_what_replaced_another, "link", "which replaced it, is not there"),
        (refer_to_itself, "file", "supersedes:itself"),
        (change_words, "file", "content_hash:content-changed"),
        (replace_each_other, "link", "replaces, in the end, itself"),
        (double_a_file, "file", ""),
        (garble_the_journal, "journal", ""),
        (lose_a_mark, "journal", "not in the work list"),
        (flip_a_bit_of_an_original, "journal", "bytes have changed"),
        (flip_a_bit_of_a_reading, "journal", "not what was written"),
        (flip_a_bit_in_the_trash, "file", "says something else than when it was deleted"),
        (flip_a_bit_of_a_field, "catalogue", "not as its file has it"),
        (flip_bits_in_the_catalogue, "catalogue", ""),
        (date_it_ahead, "file", "clock was ahead"),
        (leave_the_catalogue, "catalogue", "missing there"),
        (leave_the_words, "lexical", "missing there"),
        (leave_the_vectors, "dense", "missing there"),
        (leave_the_graph, "graph", "not in the graph"),
    ],
)
def test_each_kind_of_trouble_is_found(root: Path, harm: Callable[[Path], None], area: str, problem: str) -> None:
    harm(root)
    findings = [each for each in found_in(root) if each.area == area and problem in each.problem]
    assert findings
    assert len({(each.thing, each.problem) for each in findings}) == len(findings), "the same was found twice"
    assert all(each.thing and each.next_step for each in findings)


@pytest.mark.parametrize(
    "content",
    [
        "The tandem is red.\n",
        "---\ncapture_id: 01m81kzb3vv122rjmw7kz7jkk3\n---\n\nThe tandem is red.\n",
        "---\ncapture_id: nobody\nsource_quote: red\n---\n\nThe tandem is red.\n",
    ],
)
def test_a_file_of_the_owners_own_is_a_memory_and_no_finding(root: Path, content: str) -> None:
    (root / "atoms" / "own").mkdir()
    (root / "atoms" / "own" / "01m81kzb3vv122rjmw7kz7jkk4.md").write_text(content)
    with started(root) as store:
        say(store, "ok")
        assert atom_saying(store, "tandem").trust == "user"
    assert found_in(root) == []
