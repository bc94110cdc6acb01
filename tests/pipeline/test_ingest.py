"""Captures of every kind, from the words to the receipt, through the composition root."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Capture, SourceType, UndoChange
from lattice_common.ports.embedder import Vectors

from tests.data.conversations import conversations, long_text
from tests.pipeline.living import SHORT_PARTS, atoms_of, change, current, finished, say, send, started, talk

MARKDOWN = """# Kitchen

## Oven

The oven was installed in March 2024. It is a Bosch and cost 640 euros.

- The left burner is broken.
- Ada repairs it on Friday.
"""
CODE = '''"""Rates of the shop."""

# The discount for members is 12 percent since 2023.
MEMBER_DISCOUNT = 12


def price(net: float) -> float:
    """VAT in Portugal is 23 percent."""
    return net * 1.23
'''


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path) as embedded:
        yield embedded


def prove_quotes(store: Embedded) -> None:
    atoms = atoms_of(store)
    assert atoms
    for atom in atoms.values():
        capture = store.stores.worklog.read(atom.capture_id)
        assert isinstance(capture, Capture)
        assert capture.text[atom.source_span.start : atom.source_span.end] == atom.source_quote


@pytest.mark.parametrize(
    ("text", "source_type"),
    [
        ("I live in Ghent with my sister. We bought a kayak for 420 euros in May 2024.", "plain"),
        (MARKDOWN, "markdown"),
        (CODE, "code"),
        ("Ada: I moved to Oslo in 2021.\nBruno: My dog is called Rex.\n", "chat"),
    ],
)
def test_every_quote_stands_at_its_place(store: Embedded, text: str, source_type: SourceType) -> None:
    receipt = finished(store, send(store, IngestRequest(text=text, source_type=source_type)))
    assert receipt.state == "stored"
    assert receipt.atoms_new == len(receipt.atom_ids) == len(atoms_of(store)) > 0
    prove_quotes(store)


def test_every_quote_of_many_conversations_stands_at_its_place(store: Embedded) -> None:
    for request in conversations(5):
        assert finished(store, send(store, request)).state == "stored"
    prove_quotes(store)


@pytest.mark.parametrize("text", ["Thanks!", "ok", "👍", "Good morning!"])
def test_small_talk_leaves_nothing_to_remember(store: Embedded, text: str) -> None:
    receipt = say(store, text)
    assert (receipt.state, receipt.reason, receipt.atom_ids) == ("stored", "nothing to remember", ())


def test_the_same_text_twice_is_known_already(store: Embedded) -> None:
    first = say(store, "My passport number is kept in the blue box.")
    second = say(store, "My passport number is kept in the blue box.")
    assert (first.state, second.state) == ("stored", "duplicate")
    assert list(atoms_of(store)) == list(first.atom_ids)
    assert second.duplicates_skipped == 1


def test_what_one_text_says_a_thousand_times_is_one_memory_and_embedded_once_for_each_part(tmp_path: Path) -> None:
    class Counting(HashedEmbedder):
        asked = 0

        def embed(self, texts: Sequence[str]) -> Vectors:
            self.asked += len(texts)
            return super().embed(texts)

    counting = Counting()
    with started(tmp_path / "tea", embedder=counting, pace=SHORT_PARTS) as store:
        receipt = say(store, "I like tea. " * 1000)
        assert (receipt.state, receipt.atoms_new, receipt.duplicates_skipped, receipt.rejected) == ("stored", 1, 999, 0)
    assert counting.asked <= 20, "each part, and each passage that says another thing"


def test_a_moved_city_retires_the_old_one_and_undo_brings_it_back(store: Embedded) -> None:
    old = say(store, "I live in Berlin.", observed_at="2026-01-02T10:00:00Z")
    moved = say(store, "I moved from Berlin to Lisbon.", observed_at="2026-01-03T10:00:00Z")
    retired = atoms_of(store)[old.atom_ids[0]]
    assert retired.is_superseded
    assert retired.superseded_by == moved.atom_ids[0]
    assert retired.superseded_reason
    assert atoms_of(store)[moved.atom_ids[0]].supersedes == old.atom_ids
    change(store, UndoChange(moved.capture_id))
    [back] = atoms_of(store).values()
    assert (back.atom_id, back.is_superseded, back.superseded_by) == (old.atom_ids[0], False, None)


def test_what_is_said_besides_retires_nothing(store: Embedded) -> None:
    say(store, "I play the violin.")
    say(store, "I also play the piano.")
    assert len(current(store)) == 2


def test_an_atom_knows_its_speaker_its_message_and_its_date(store: Embedded) -> None:
    message = Message(name="Ada", content="I bought a telescope.", observed_at="2025-05-04T10:00:00+00:00", id="m-17")
    finished(store, send(store, IngestRequest(messages=[message])))
    [atom] = atoms_of(store).values()
    assert atom.speaker == "Ada"
    assert atom.metadata["message_id"] == "m-17"
    assert atom.observed_at.isoformat() == "2025-05-04T10:00:00+00:00"


def test_what_an_assistant_said_is_not_the_owners_word(store: Embedded) -> None:
    messages = [
        Message(role="user", content="I want to read more about Lisbon."),
        Message(role="assistant", content='I recommend the book "The Book of Disquiet" by Fernando Pessoa.'),
    ]
    finished(store, send(store, IngestRequest(messages=messages)))
    trusts = {atom.content: atom.trust for atom in atoms_of(store).values()}
    assert {trust for content, trust in trusts.items() if "Disquiet" in content} <= {"assistant"}


def test_captures_of_one_import_are_taken_in_the_order_they_were_sent(store: Embedded) -> None:
    ids = [send(store, request) for request in conversations(12)]
    receipts = [finished(store, capture_id) for capture_id in ids]
    assert sorted(ids) == ids
    assert [receipt.seq for receipt in receipts] == sorted(receipt.seq for receipt in receipts)
    numbers = [atom.seq for atom in atoms_of(store).values()]
    assert numbers == sorted(set(numbers))
    assert [atom_id for receipt in receipts for atom_id in receipt.atom_ids] == list(atoms_of(store))


def test_a_long_text_ends_whole_in_one_receipt(tmp_path: Path) -> None:
    text = long_text(12_000)
    metadata = CaptureMetadata(observed_at="2025-02-01T10:00:00Z")
    with started(tmp_path, pace=SHORT_PARTS) as store:
        receipt = finished(store, send(store, IngestRequest(text=text, source_type="plain", metadata=metadata)))
        assert receipt.state == "stored"
        assert set(receipt.atom_ids) == set(atoms_of(store))
        assert max(atom.source_span.end for atom in atoms_of(store).values()) > 10_000
        prove_quotes(store)


def test_turns_of_a_conversation_are_linked_in_their_order(store: Embedded) -> None:
    receipt = talk(store, ("Ada", "I live in Oslo."), ("Bruno", "I live in Turin."), ("Ada", "My cat is called Miso."))
    edges = [edge for atom_id in receipt.atom_ids for edge in store.graph.neighbours(atom_id, ["next_in_segment"])]
    assert {(edge.source, edge.target) for edge in edges} == {
        (f"atom:{one}", f"atom:{two}") for one, two in zip(receipt.atom_ids, receipt.atom_ids[1:], strict=False)
    }
