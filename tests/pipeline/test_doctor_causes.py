"""One cause is one finding, in words that are so."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from lattice_common.composition import open_embedded
from lattice_common.inspection import look_through
from lattice_common.settings import Settings
from lattice_common.upkeep.doctor import Examined
from lattice_common.upkeep.health import health_of
from lattice_common.upkeep.mending import mend

from tests.pipeline.living import files_of, say, started


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("causes") / "data"
    with started(root) as store:
        for text in ("The spare key is with Ines.", "My sister Philippa plays the cello.", "My dentist is Dr. Roth."):
            say(store, text)
    return root


@pytest.fixture
def root(told: Path, tmp_path: Path) -> Path:
    return shutil.copytree(told, tmp_path / "data")


def settings(root: Path) -> Settings:
    return Settings(_env_file=None, data_dir=root, embed_model="none")  # type: ignore[call-arg]


def looked(root: Path) -> Examined:
    return look_through(settings(root), lambda *_: None, deep=True)


def the_file(root: Path) -> Path:
    return next(path for path in sorted((root / "atoms").rglob("*.md")) if "cello" in path.read_text())


def write_over(pattern: str, instead: str) -> Callable[[Path], None]:
    def harm(root: Path) -> None:
        path = the_file(root)
        path.write_text(re.sub(pattern, instead, path.read_text(), flags=re.MULTILINE))

    return harm


def tear(root: Path) -> None:
    path = the_file(root)
    path.write_bytes(path.read_bytes()[:200])


def empty_the_catalogue(root: Path) -> None:
    with closing(sqlite3.connect(root / "index" / "catalogue.sqlite")) as catalogue, catalogue:
        catalogue.execute("DELETE FROM atoms")


def leave_one_row(root: Path) -> None:
    with closing(sqlite3.connect(root / "index" / "catalogue.sqlite")) as catalogue, catalogue:
        catalogue.execute("DELETE FROM atoms WHERE atom_id = ?", (the_file(root).stem,))


def no_words(root: Path) -> None:
    shutil.rmtree(root / "index" / "lexical")


def no_passages(root: Path) -> None:
    shutil.rmtree(root / "index" / "passages")


def no_manifest(root: Path) -> None:
    (root / "graph" / "manifest.json").write_text('{"schema_version": 1}')


def cut_edges(root: Path) -> None:
    path = root / "graph" / "edges.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]))


def another_word_in_the_journal(root: Path) -> None:
    [path] = [path for path in (root / "journal").rglob("*.json") if "cello" in path.read_text()]
    path.write_text(path.read_text().replace("cello", "viola"))


OWNERS = frozenset(("file", "journal"))


@pytest.mark.parametrize(
    ("harm", "area", "said"),
    [
        (write_over(r"^content_hash: ....", "content_hash: 0000"), "file", "says something else than when it was written"),
        (write_over(r"^normalized_content_hash: ....", "normalized_content_hash: 0000"), "file", "normalized_content_hash"),
        (another_word_in_the_journal, "journal", "is not what was written"),
        (empty_the_catalogue, "catalogue", "it is empty: none of 3 memories is in it"),
        (leave_one_row, "catalogue", "it is missing there"),
        (no_words, "lexical", "it is empty: none of 3 memories is in it"),
        (no_passages, "passages", "it is not there"),
        (no_manifest, "graph", "graph/manifest.json is no manifest"),
        (cut_edges, "graph", "graph/edges.jsonl has no whole line"),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_one_cause_is_one_finding_and_is_repaired_where_it_is_derived(
    root: Path, harm: Callable[[Path], None], area: str, said: str
) -> None:
    harm(root)
    examined = looked(root)
    assert [(each.area, said in each.problem) for each in examined.findings] == [(area, True)], examined.findings
    [found] = examined.findings
    assert found.next_step not in found.problem
    assert health_of(examined).percent < 100.0
    before = canonical(root)
    with open_embedded(settings(root)) as embedded:
        mend(embedded.stores, examined.findings, lambda *_: None)
    assert canonical(root) == before
    assert [each.area for each in looked(root).findings] == ([area] if area in OWNERS else [])


def canonical(root: Path) -> dict[str, str]:
    return {
        name: content for name, content in files_of(root).items() if name.startswith(("atoms/", "trash/", "journal/2", "logs/"))
    }


def test_a_file_that_cannot_be_read_is_not_said_to_be_gone(root: Path) -> None:
    tear(root)
    said = {each.area: each.problem for each in looked(root).findings}
    assert said["catalogue"] == "it is there, but its file cannot be read"
    the_file_is = [path for path in (root / "atoms").rglob("*.md") if b"cello" in path.read_bytes()]
    assert not the_file_is or said["file"].startswith("cannot be read")


def test_vectors_that_are_gone_are_missed_where_a_model_is_in_use(tmp_path: Path) -> None:
    with started(tmp_path / "data") as store:
        say(store, "The spare key is with Ines.")
    root = tmp_path / "data"
    shutil.rmtree(root / "index" / "dense")
    chosen = settings(root).model_copy(update={"embed_model": "all-MiniLM-L6-v2"})
    found = look_through(chosen, lambda *_: None, deep=True)
    assert [(each.area, each.thing, each.problem) for each in found.findings] == [("dense", "the index", "it is not there")]
    assert health_of(found).percent == 0.0
    assert looked(root).findings == (), "nobody wants any"
