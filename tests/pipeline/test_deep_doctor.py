"""The deep look finds what the doctor's lists do not show; repair makes anew what is derived, and touches nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from lattice_common.adapters.files.line_log import FileLineLog
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import EditAtom, UndoChange
from lattice_common.domain.chat import ChatTurn, line_of
from lattice_common.domain.graph import Edge, GraphChange
from lattice_common.domain.passage import Passage
from lattice_common.errors import Unavailable
from lattice_common.ingest.index_documents import dense_document, filter_fields
from lattice_common.inspection import inspect, look_through
from lattice_common.ports.lexical_index import LexicalDocument
from lattice_common.settings import Settings
from lattice_common.upkeep.deep_doctor import examine_deeply
from lattice_common.upkeep.doctor import Examined, Finding
from lattice_common.upkeep.health import health_of
from lattice_common.upkeep.mending import is_derived, mend

from tests.data.conversations import conversations
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
    open_store,
    say,
    send,
    send_file,
    started,
)

CANONICAL = ("atoms/", "archive/", "trash/", "journal/2", "logs/", "inbox/")


@pytest.fixture(scope="module")
def life(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lived_in(tmp_path_factory.mktemp("deep"), 6)


def lived_in(root: Path, talks: int) -> Path:
    """Conversations, changes of mind, an edit, an undo, and a document with passages."""
    with started(root) as store:
        receipts = [finished(store, send(store, request)) for request in conversations(talks)]
        change(store, EditAtom(receipts[1].atom_ids[0], {"content": "Ada keeps bees on her roof in Turin."}))
        change(store, UndoChange(change(store, EditAtom(receipts[2].atom_ids[0], {"importance": 0.9}))))
        say(store, "I live in Ghent.", observed_at="2026-03-02T10:00:00Z", source_id="last")
        say(store, "I moved from Ghent to Krakow.", observed_at="2026-03-03T10:00:00Z", source_id="last")
        finished(store, send_file(store, "lease.txt", b"\n\n".join(b"Clause %d binds the tenant. " % n * 12 for n in range(6))))
    return root


def looked(root: Path) -> Examined:
    before = files_of(root)
    examined = look_through(Settings(data_dir=root, embed_model="none"), lambda *_: None, deep=True)
    assert files_of(root) == before, "the doctor changed something"
    return examined


def canonical(root: Path) -> dict[str, str]:
    return {name: content for name, content in files_of(root).items() if name.startswith(CANONICAL)}


def repaired(root: Path, findings: tuple[Finding, ...]) -> Examined:
    before = canonical(root)
    with open_store(root) as store:
        mend(store.stores, findings, lambda *_: None)
    assert canonical(root) == before, "repair touched what is canonical"
    return looked(root)


def test_a_healthy_store_of_many_memories_has_no_finding_and_full_health(tmp_path: Path) -> None:
    examined = looked(lived_in(tmp_path, 8))
    assert examined.atoms >= 80
    assert examined.findings == ()
    health = health_of(examined)
    assert health.percent == 100.0
    assert all(part.looked_at for part in health.parts)
    assert {"quote", "lexical", "dense", "graph", "passages", "orphan", "waiting", "echo", "duplicate", "contradiction"} <= {
        part.area for part in health.parts
    }


def some(root: Path) -> Iterator[Atom]:
    with open_store(root) as store:
        yield from list(atoms_of(store).values())


def lose_its_words(root: Path) -> None:
    """The index lists it, with the right hash, and finds it by none of its words."""
    atom = next(some(root))
    with open_store(root) as store:
        fields = filter_fields(atom)
        store.stores.lexical.upsert([LexicalDocument(atom.atom_id, atom.content_hash, 2**60, {"text": ["xyzzy"]}, fields)])
        store.stores.lexical.commit()


def damage_a_vector(root: Path) -> None:
    atom = next(some(root))
    with open_store(root) as store:
        assert store.stores.dense is not None
        vector = np.full(64, 0.5, dtype=np.float32)
        store.stores.dense.upsert([dense_document(atom, vector, 2**60)])
        store.stores.dense.commit()


def lose_an_edge(root: Path) -> None:
    atom = next(atom for atom in some(root) if atom.subject)
    with inspect(root) as found, found.patient(exact_limit=100_000) as patient:
        edge = patient.graph.neighbours(atom.atom_id)[0]
    with open_store(root) as store:
        store.stores.graph_log.append(GraphChange(removed_edges=(edge,)))


def add_an_edge(root: Path) -> None:
    one, *_, other = some(root)
    made_up = Edge(f"atom:{one.atom_id}", f"atom:{other.atom_id}", "supersedes")
    with open_store(root) as store:
        store.stores.graph_log.append(GraphChange(edges=(made_up,)))


def passages_of_nothing(root: Path) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    nobody = "01m81kzb3vv122rjmw7kz7jkk3"
    with open_store(root) as store:
        assert store.stores.shelf is not None
        passage = Passage(nobody, 0, 0, 5, "Stray", now, now)
        store.stores.shelf.store.put_passages([(nobody, [passage])])


def leave_the_passages_words(root: Path) -> None:
    with open_store(root) as store:
        assert store.stores.shelf is not None
        [first, *_] = [each for each, _ in store.stores.shelf.store.passage_hashes()]
        store.stores.shelf.indexes.lexical.delete([first])
        store.stores.shelf.indexes.lexical.commit()


def flip_bits_in_a_passage(root: Path) -> None:
    path = root / "index" / "passages" / "passages.sqlite"
    content = path.read_bytes()
    path.write_bytes(content.replace(b"binds the tenant", b"binds the tenanu", 1))


def flip_bits_in_what_made_the_vectors(root: Path) -> None:
    [path] = (root / "index" / "dense").rglob("made-by.json")
    path.write_bytes(path.read_bytes().replace(b"dimension", b"dimensioo"))


@pytest.mark.parametrize(
    ("harm", "area", "problem"),
    [
        (flip_bits_in_a_passage, "passages", "not those that were put there"),
        (flip_bits_in_what_made_the_vectors, "dense", "cannot be read"),
        (lose_its_words, "lexical", "by its own words"),
        (damage_a_vector, "dense", "vector is damaged"),
        (lose_an_edge, "graph", "edges are not in the graph"),
        (add_an_edge, "graph", "of nothing that a memory says"),
        (passages_of_nothing, "passages", "not in the journal"),
        (leave_the_passages_words, "passages", "missing in the index"),
        (leave_the_words, "lexical", "missing there"),
        (leave_the_vectors, "dense", "missing there"),
        (leave_the_catalogue, "catalogue", "missing there"),
        (leave_the_graph, "graph", "not in the graph"),
        (flip_bits_in_the_catalogue, "catalogue", ""),
    ],
)
def test_damage_to_what_is_derived_is_found_and_repaired(
    root: Path, harm: Callable[[Path], None], area: str, problem: str
) -> None:
    harm(root)
    examined = looked(root)
    assert [each for each in examined.findings if each.area == area and problem in each.problem]
    assert health_of(examined).percent < 100.0
    assert repaired(root, examined.findings).findings == ()


def lose_a_capture(root: Path) -> None:
    with started(root) as store:
        said = say(store, "The tandem is in the shed.")
    for path in (root / "journal").rglob(f"{said.capture_id}*"):
        path.unlink()


def leave_one_waiting(root: Path) -> None:
    with open_store(root, clock=FixedClock(datetime.now(UTC) - timedelta(hours=1))) as store:
        send(store, IngestRequest(text="Not yet taken up."))


def tell_an_answer_back(root: Path) -> None:
    """As versions before there were echoes kept it."""
    with started(root) as store:
        source = say(store, "My dentist is called Okonkwo.")
        at = datetime.now(UTC)
        say(store, "Okonkwo is the name of your dentist.")
        turn = ChatTurn(at, "who is my dentist?", "Okonkwo is the name of your dentist. [1]", atom_ids=source.atom_ids)
    FileLineLog(root, "chat").append([line_of(turn)])


def by_hand(root: Path, name: str, content: str) -> None:
    (root / "atoms" / "own").mkdir(exist_ok=True)
    (root / "atoms" / "own" / f"{name}.md").write_text(content)
    with started(root) as store:
        say(store, "ok")


def write_what_is_there_already(root: Path) -> None:
    with started(root) as store:
        say(store, "The tandem is in the shed.")
    by_hand(root, "01m81kzb3vv122rjmw7kz7jkk4", "The tandem is in the shed.\n")


def write_what_contradicts(root: Path) -> None:
    with started(root) as store:
        say(store, "I live in Aarhus.", observed_at="2026-05-01T10:00:00Z")
    by_hand(root, "01m81kzb3vv122rjmw7kz7jkk5", "---\nobserved_at: 2026-06-01T10:00:00Z\n---\n\nI moved from Aarhus to Turku.\n")


@pytest.mark.parametrize(
    ("harm", "area", "problem"),
    [
        (lose_a_capture, "orphan", "is not in the journal"),
        (leave_one_waiting, "waiting", "60 minutes ago"),
        (tell_an_answer_back, "echo", "repeats an answer"),
        (write_what_is_there_already, "duplicate", "says the same as"),
        (write_what_contradicts, "contradiction", "says otherwise than"),
    ],
)
def test_what_only_its_owner_can_settle_is_found_once_and_left(
    root: Path, harm: Callable[[Path], None], area: str, problem: str
) -> None:
    harm(root)
    examined = looked(root)
    found = [each for each in examined.findings if each.area == area]
    assert [problem in each.problem for each in found] == [True]
    assert not any(map(is_derived, examined.findings))
    assert health_of(examined).percent < 100.0
    assert [each for each in repaired(root, examined.findings).findings if each.area == area] == found


def test_the_owners_own_edit_is_one_finding_before_and_after_it_is_followed(root: Path) -> None:
    path = next(path for path in sorted((root / "atoms").rglob("*.md")) if b"Krakow" in path.read_bytes())
    head, _, _ = path.read_text().rpartition("---\n")
    path.write_text(f"{head}---\n\nZanzibar grows cloves. And more.\n")
    before = looked(root).findings
    assert [(each.area, each.thing) for each in before] == [("file", str(path.relative_to(root)))]
    with started(root) as store:
        say(store, "ok")
        assert "And more." in atom_saying(store, "And more.").content
    assert looked(root).findings == before


class Away(MemoryLexicalIndex):
    def entries(self) -> Iterator[tuple[str, str, int]]:
        raise Unavailable("OpenSearch is away")


def test_an_engine_that_is_away_makes_health_zero(root: Path) -> None:
    with inspect(root) as found, found.patient(exact_limit=100_000) as patient:
        examined = examine_deeply(replace(patient, lexical=Away()), lambda *_: None)
    health = health_of(examined)
    assert health.percent == 0.0
    assert {part.area for part in health.parts if part.percent < 100.0} == {"lexical"}
