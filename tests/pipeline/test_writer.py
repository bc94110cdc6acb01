"""The writer under trouble: poison, a full disk, a lost lock, long texts beside urgent words."""

from __future__ import annotations

import errno
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.adapters.embedded import writer_queue
from lattice_common.adapters.files import durable
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.request import IngestRequest
from lattice_common.domain.receipt import Progress
from lattice_common.ports.embedder import Vectors

from tests.data.conversations import long_text
from tests.pipeline.living import AT_ONCE, PATIENCE, SHORT_PARTS, atoms_of, finished, open_store, say, send, started

POISON = "curare"


class Admitting(HashedEmbedder):
    """An embedder that embeds as many batches as it is let."""

    def __init__(self) -> None:
        super().__init__()
        self._let = threading.Semaphore(0)

    def let(self, count: int) -> None:
        self._let.release(count)

    def embed(self, texts: Sequence[str]) -> Vectors:
        assert self._let.acquire(timeout=PATIENCE)
        return super().embed(texts)


class Choking(HashedEmbedder):
    """An embedder that cannot swallow one word, until it is mended."""

    def __init__(self) -> None:
        super().__init__()
        self.tried = 0
        self.mended = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self.mended and any(POISON in text for text in texts):
            self.tried += 1
            raise RuntimeError("a defect of the model")
        return super().embed(texts)


@pytest.fixture(autouse=True)
def _no_failpoint() -> Iterator[None]:
    yield
    durable.set_failpoint(None)


def bulk(text: str) -> IngestRequest:
    return IngestRequest(text=text, priority="bulk")


def test_a_poison_among_others_is_dead_after_three_attempts_and_the_others_are_stored(tmp_path: Path) -> None:
    embedder = Choking()
    with open_store(tmp_path, embedder=embedder) as store:
        sound = [send(store, bulk(f"Neighbour {n} is called Ada{n} and lives in house {n + 3}.")) for n in range(6)]
        poison = send(store, bulk(f"The frog in the lab makes {POISON} for 12 arrows."))
        sound += [send(store, bulk(f"Cousin {n} is called Bruno{n} and lives in flat {n + 3}.")) for n in range(6)]
        store.start()
        assert {finished(store, capture_id).state for capture_id in sound} == {"stored"}
        dead = finished(store, poison)
        assert (dead.state, dead.attempts, dead.atom_ids) == ("dead", 3, ())
        assert embedder.tried == 3
        embedder.mended = True
        store.lattice.retry(poison)
        assert finished(store, poison).state == "stored"
        assert any(POISON in atom.content for atom in atoms_of(store).values())


def test_a_poison_said_by_hand_does_not_stop_what_is_said_after_it(tmp_path: Path) -> None:
    with started(tmp_path, embedder=Choking()) as store:
        poison = send(store, IngestRequest(text=f"Grandfather kept {POISON} in 3 jars."))
        assert say(store, "My sister lives in Turin.").state == "stored"
        assert finished(store, poison).state == "dead"


def test_a_full_disk_makes_the_writer_wait_and_nothing_dead(tmp_path: Path) -> None:
    failures = 0

    def full(step: str) -> None:
        nonlocal failures
        if step == "durable.write.before_rename" and failures < 12:
            failures += 1
            raise OSError(errno.ENOSPC, "No space left on device")

    with open_store(tmp_path, pace=AT_ONCE) as store:
        ids = [send(store, bulk(f"Neighbour {n} is called Ada{n} and lives in house {n + 3}.")) for n in range(4)]
        ids.append(send(store, IngestRequest(text="My sister lives in Turin.")))
        durable.set_failpoint(full)
        store.start()
        receipts = [finished(store, capture_id) for capture_id in ids]
        assert failures == 12
        assert {receipt.state for receipt in receipts} == {"stored"}
        assert max(receipt.attempts for receipt in receipts) == 1
        assert len(atoms_of(store)) == 9, "two facts of each neighbour, and one of a sister"


def test_a_writer_that_lost_its_lock_stops_and_says_so(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
        before = sorted(path.name for path in (tmp_path / "atoms").rglob("*.md"))
        (tmp_path / ".writer.lock").unlink()
        (tmp_path / ".writer.lock").touch()
        late = send(store, IngestRequest(text="My brother lives in Oslo."))
        store.writer.join(PATIENCE)
        state = store.writer.state()
        assert not state.alive
        assert "was replaced" in (state.paused or "")
        assert "was replaced" in store.lattice.readiness().parts["writer"]
        assert not store.lattice.readiness().ready
        assert store.lattice.capture(late).receipt is None
        assert sorted(path.name for path in (tmp_path / "atoms").rglob("*.md")) == before
    with started(tmp_path) as store:
        assert finished(store, late).state == "stored"


def test_urgent_words_come_between_the_parts_of_a_long_text(tmp_path: Path) -> None:
    embedder = Admitting()
    with open_store(tmp_path, embedder=embedder, pace=SHORT_PARTS) as store:
        long = send(store, IngestRequest(text=long_text(24_000), source_type="plain", priority="bulk"))
        store.start()
        embedder.let(1)
        seen: Progress | None = None
        while seen is None or seen.done < 1:
            seen = store.lattice.progress(long, seen, PATIENCE)
        urgent = send(store, IngestRequest(text="The keys are under the third flowerpot."))
        embedder.let(3)  # what was read ahead before they came, they themselves, and not the rest of the text
        assert finished(store, urgent).state == "stored"
        assert store.lattice.capture(long).receipt is None, "the urgent words waited for the whole text"
        embedder.let(100)
        assert finished(store, long).state == "stored"


def test_an_import_goes_on_under_a_stream_of_urgent_words_and_they_before_it(tmp_path: Path) -> None:
    """docs/guarantees.md, G18: at least one turn in twenty."""
    with open_store(tmp_path) as store:
        slow = [send(store, bulk(f"Cousin {n} is called Bruno{n} and lives in flat {n + 3}.")) for n in range(2)]
        urgent = [send(store, IngestRequest(text=f"Neighbour {n} is called Ada{n}.")) for n in range(45)]
        store.start()
        ends = sorted((finished(store, each).finished_at, each in slow) for each in [*slow, *urgent])
        turns = [is_bulk for _, is_bulk in ends]
        assert turns.index(True) == writer_queue.BULK_EVERY - 1, "an import waits for nineteen of those, and for no more"


def test_what_is_left_when_the_writer_is_closed_goes_on_at_the_next_start(tmp_path: Path) -> None:
    with open_store(tmp_path, pace=SHORT_PARTS) as store:
        long = send(store, IngestRequest(text=long_text(8_000), source_type="plain", priority="bulk"))
        assert not store.ingest.next_part(long), "one part should not be all of it"
    with started(tmp_path, pace=SHORT_PARTS) as store:
        receipt = finished(store, long)
        assert receipt.state == "stored"
        assert set(receipt.atom_ids) == set(atoms_of(store))
        assert receipt.attempts == 2


def test_the_start_says_that_it_looks_through_what_changed_meanwhile(tmp_path: Path) -> None:
    with open_store(tmp_path) as store:
        assert not store.lattice.readiness().ready
        looking = threading.Event()
        go_on = threading.Event()
        before = store.writer.steps.before

        def held() -> None:
            looking.set()
            assert go_on.wait(20)
            before()

        store.writer.steps = replace(store.writer.steps, before=held)
        store.start()
        assert looking.wait(20)
        assert "looking through" in store.lattice.readiness().parts["writer"]
        assert any("looking through" in each for each in store.lattice.status().degraded)
        go_on.set()
        assert say(store, "I live in Turin.").state == "stored"
        assert store.lattice.readiness().parts["writer"] == "up"
        assert not store.lattice.status().degraded
