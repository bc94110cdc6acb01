"""Documents as passages: found beside the memories, shown with their page, gone with their capture, and never a memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.capture.request import CaptureMetadata, IngestRequest, Message
from lattice_common.composition import Embedded
from lattice_common.domain.capture import ArchiveAtoms, DeleteAtom, DeleteAtoms, UndoChange
from lattice_common.domain.forgetting import Forgettable
from lattice_common.domain.passage import PASSAGE, is_passage, shown_as_atom
from lattice_common.domain.recall import Filter, Query, Selected
from lattice_common.errors import NotFound
from lattice_common.language.text import analyze
from lattice_common.recall.passages import PassageSearch, find_passages, heads_of

from bench.quality import recall_over
from tests.pipeline.hands import file_of, follow
from tests.pipeline.living import atom_saying, change, finished, open_store, say, send, send_file, started
from tests.pipeline.test_forget import bytes_with, forget_now
from tests.working import until

FILLER = "The committee met in the usual room and went through the usual list without haste. " * 20
MANUAL = (
    "# Handbook of the boiler\n\n## Starting\n\n"
    + FILLER
    + "\n\nBefore ignition the technician opens the quoridian valve by a quarter turn.\n\n## Storage\n\n"
    + FILLER
    + "\n\nThe spare gasket lies behind the panel of the plinth.\n\n## Contact\n\nEmergency line: 030 5550199.\n"
)

OPENED = "How far does the technician open the quoridian valve before ignition?"


def passages(store: Embedded, capture_id: str) -> list[str]:
    shelf = store.stores.shelf
    assert shelf is not None
    return [each.text for each in shelf.store.of_capture(capture_id)]


def held(store: Embedded) -> tuple[set[str], set[str]]:
    """Ids in the two indexes of passages, once all vectors are made."""
    shelf = store.stores.shelf
    assert shelf is not None
    assert shelf.indexes.space is not None
    until("vectors of passages", lambda: not shelf.pending)
    return {each for each, _, _ in shelf.indexes.lexical.entries()}, {each for each, _, _ in shelf.indexes.space.dense.entries()}


def shown(store: Embedded, question: str, **query: object) -> list[Selected]:
    return list(store.lattice.select(Query(question, **query)).atoms)  # type: ignore[arg-type]  # named by the tests


def found(store: Embedded, question: str, words: str) -> Selected | None:
    """The passage with these words, where the question finds one."""
    return next((each for each in shown(store, question) if is_passage(each.atom) and words in each.atom.content), None)


def give(store: Embedded, name: str = "boiler.md", text: str = MANUAL) -> str:
    capture_id = send_file(store, name, text.encode())
    assert finished(store, capture_id).state == "stored"
    return capture_id


def test_an_assistants_whole_reply_is_found_as_such_and_is_no_memory(tmp_path: Path) -> None:
    reply = (
        "A brine of three percent keeps cabbage crisp. Weigh the leaves, knead them with salt, press them below the quoridian "
        "lid, and wait for bubbles. After nine days taste it. A white film is harmless and is skimmed. "
    ) * 3
    with started(tmp_path) as store:
        messages = [
            Message(role="user", content="I want to make sauerkraut this week."),
            Message(role="assistant", content=reply),
        ]
        receipt = finished(store, send(store, IngestRequest(messages=messages)))
        assert len(receipt.atom_ids) <= 2
        hit = found(store, "What did it say about the quoridian lid?", "quoridian lid")
        assert hit is not None
        assert hit.atom.trust == "assistant"
        assert "quoridian" in "".join(passages(store, hit.atom.capture_id))


def test_what_a_document_says_is_found_in_a_passage_with_its_headings_and_file(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        hit = found(store, "How far is the quoridian valve opened?", "quarter turn")
        assert hit is not None
        assert hit.atom.kind == PASSAGE
        assert hit.atom.trust == "document"
        assert hit.atom.metadata["file"] == "boiler.md"
        assert hit.atom.metadata["headings"] == ["Handbook of the boiler", "Starting"]
        assert hit.atom.capture_id == capture_id
        view = store.lattice.atom(hit.atom.atom_id)
        assert view.source is not None
        assert "quarter turn" in view.source.text


def test_passages_are_not_counted_and_no_command_takes_them_for_memories(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        hit = found(store, "How far is the quoridian valve opened?", "quarter turn")
        assert hit is not None
        assert store.lattice.status().atoms == len(store.stores.catalogue.of_capture(capture_id))
        assert not any(is_passage(atom) for atom in store.lattice.recent(200))
        with pytest.raises(NotFound):
            change(store, DeleteAtom(hit.atom.atom_id))


def test_each_passage_is_of_a_few_sentences_and_nothing_is_left_out(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        parts = passages(store, capture_id)
        assert len(parts) > 2
        assert all(len(part) <= 600 for part in parts)
        assert "".join("".join(parts).split()) == "".join(MANUAL.split())


def test_both_indexes_have_every_passage_and_a_restart_changes_nothing(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        give(store)
        before = held(store)
        assert before[0] == before[1]
    with started(tmp_path) as store:
        say(store, "ok")
        assert held(store) == before


def test_indexes_that_were_lost_are_filled_again(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        give(store)
        before = held(store)
        shelf = store.stores.shelf
        assert shelf is not None
        assert shelf.indexes.space is not None
        shelf.indexes.lexical.clear()
        shelf.indexes.space.dense.clear()
    with started(tmp_path) as store:
        say(store, "ok")
        assert held(store) == before


def test_a_store_from_before_there_were_passages_gets_them_in_quiet_moments(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        before, texts = held(store), passages(store, capture_id)
    for path in (tmp_path / "index" / "passages").glob("passages.sqlite*"):
        path.unlink()
    with started(tmp_path) as store:
        until("passages", lambda: passages(store, capture_id) == texts and held(store) == before)


def test_a_rebuild_gives_the_same_passages(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        texts, before = passages(store, capture_id), held(store)
    with open_store(tmp_path) as store:
        store.rebuild(lambda *_: None)
        assert passages(store, capture_id) == texts
        assert held(store) == before


def test_a_long_note_has_passages_and_a_short_one_has_none(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        long = finished(store, send(store, IngestRequest(text="We painted the kitchen green. " + FILLER * 3)))
        short = say(store, "I live in Lisbon.")
        assert passages(store, long.capture_id)
        assert not passages(store, short.capture_id)


def test_undo_takes_the_passages_along_and_undoing_that_brings_them_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        before = held(store)
        undone = change(store, UndoChange(capture_id))
        assert passages(store, capture_id) == []
        assert held(store) == (set(), set())
        assert found(store, "How far is the quoridian valve opened?", "quarter turn") is None
        change(store, UndoChange(undone))
        assert held(store) == before


def test_what_is_deleted_of_a_document_is_in_no_passage_until_it_is_brought_back(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        texts = passages(store, capture_id)
        gone = change(store, DeleteAtom(atom_saying(store, "030 5550199").atom_id))
        assert not any("030 5550199" in each for each in passages(store, capture_id))
        assert any("quarter turn" in each for each in passages(store, capture_id))
        left = passages(store, capture_id)
    with open_store(tmp_path) as store:
        store.rebuild(lambda *_: None)
        assert passages(store, capture_id) == left
    with started(tmp_path) as store:
        change(store, UndoChange(gone))
        assert passages(store, capture_id) == texts


def test_passages_go_when_the_last_memory_of_a_capture_is_deleted_or_its_file_is_taken_away_by_hand(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        change(store, DeleteAtoms(tuple(store.stores.catalogue.of_capture(capture_id))))
        assert passages(store, capture_id) == []
        other = give(
            store, "other.md", f"# Cellar\n\nThe wine lies in the third cellar, 14 bottles of it since 2019.\n\n{FILLER}\n"
        )
        assert passages(store, other)
        for atom in store.stores.catalogue.get(store.stores.catalogue.of_capture(other)):
            path = file_of(store, atom)
            path.unlink()
            follow(store, path)
        assert passages(store, other) == []


def test_of_a_forgotten_document_no_byte_is_left_in_passages_and_their_indexes(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store, text=MANUAL.replace("030 5550199", "Zanzibarquux"))
        held(store)
        assert bytes_with(tmp_path / "index" / "passages", "Zanzibarquux")
        forget_now(store, Forgettable(atom_ids=(atom_saying(store, "Zanzibarquux").atom_id,)))
        assert bytes_with(tmp_path, "Zanzibarquux") == []
        assert any("quarter turn" in each for each in passages(store, capture_id))
        forget_now(store, Forgettable(atom_ids=tuple(store.stores.catalogue.of_capture(capture_id))))
        assert bytes_with(tmp_path / "index", "quoridian", "plinth") == []


def test_what_was_answered_from_passages_of_a_forgotten_document_is_in_no_byte_of_any_file(tmp_path: Path) -> None:
    with started(tmp_path, trace=True) as store:
        capture_id = give(store)
        answer = store.lattice.answer(Query(OPENED), session_id="s", channel="page")
        assert any(is_passage(each.atom) and each.atom.atom_id == answer.citations[0].atom_id for each in answer.atoms)
        assert bytes_with(tmp_path / "logs", "quoridian")
        forget_now(store, Forgettable(atom_ids=tuple(store.stores.catalogue.of_capture(capture_id))))
        assert bytes_with(tmp_path, "quoridian") == []


def test_what_the_owner_said_comes_before_a_document_that_says_something_near(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        say(store, "My monthly rent is 950 euros.")
        give(store, "report.md", "# Rents in the city\n\n" + FILLER + "\n\nA monthly rent of 1200 euros is usual.\n")
        first = shown(store, "What is my monthly rent in euros?")[0].atom
        assert first.content == "My monthly rent is 950 euros."


def test_filters_hold_for_passages_too(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        request = IngestRequest(text=MANUAL, metadata=CaptureMetadata(source_id="boiler", observed_at="2026-01-05T10:00:00Z"))
        assert finished(store, send(store, request)).state == "stored"
        asked = "How far is the quoridian valve opened?"

        def kinds(**restricted: object) -> set[str]:
            within = Filter(**restricted)  # type: ignore[arg-type]  # named by the tests
            return {each.atom.kind for each in shown(store, asked, filter=within)}

        assert PASSAGE in kinds(source_id=("boiler",))
        assert PASSAGE not in kinds(source_id=("elsewhere",))
        assert kinds(kind=(PASSAGE,)) == {PASSAGE}
        assert PASSAGE not in kinds(kind=("fact",))


def test_an_answer_says_which_document_and_page_it_is_from(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        give(store)
        answer = store.lattice.answer(Query(OPENED))
        assert "boiler.md" in answer.answer
        assert "quarter turn" in answer.answer
        assert answer.citations


def test_passages_of_a_document_whose_memories_are_archived_are_found_only_when_that_is_asked_for(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store)
        change(store, ArchiveAtoms(tuple(store.stores.catalogue.of_capture(capture_id))))
        assert found(store, OPENED, "quarter turn") is None
        both = shown(store, OPENED, include_archived=True)
        assert any(is_passage(each.atom) for each in both)


SECRET = (
    "# Handbook of the boiler\n\n## Starting\n\n"
    + FILLER
    + "\n\nBefore ignition the technician phones Quoridianka about the valve. The valve is green.\n\n## Contact\n\n"
    + FILLER
    + "\n\nEmergency line: 030 5550199.\n"
)
"""With a name that no memory is made of."""


def test_forgetting_a_name_takes_it_out_of_passages_of_which_no_memory_was_made(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        capture_id = give(store, "boiler.md", SECRET)
        assert not any("Quoridianka" in f"{atom.content} {atom.source_quote}" for atom in store.stores.catalogue.all())
        assert found(store, "Whom does the technician phone about the valve?", "Quoridianka") is not None
        before = [atom.content for atom in store.stores.catalogue.all()]
        with pytest.raises(NotFound, match="no trash"):
            store.lattice.forget_preview(Forgettable(about="Quoridianka"), now=False)
        preview = store.lattice.forget_preview(Forgettable(about="Quoridianka"), now=True)
        assert (preview.passages, preview.captures, preview.atom_ids) == (1, (capture_id,), ())
        forget_now(store, Forgettable(about="Quoridianka"))
        assert bytes_with(tmp_path, "Quoridianka") == []
        assert any("The valve is green." in part for part in passages(store, capture_id)), "what stands beside it stays"
        assert [atom.content for atom in store.stores.catalogue.all()] == before
        with pytest.raises(NotFound):
            store.lattice.forget_preview(Forgettable(about="Quoridianka"), now=True)
    with started(tmp_path) as store:
        say(store, "ok")
        assert bytes_with(tmp_path, "Quoridianka") == []


def test_of_documents_those_that_name_who_is_asked_for_come_first(tmp_path: Path) -> None:
    statement = f"# Statement\n\nMiss Keziah Trembath, Penzance.\n\n{FILLER}\n\n## October\n\n{FILLER}\n\nThe rent was 845 euros."
    lease = f"# Lease\n\nIshaan Varma, Ludlow.\n\n{FILLER}\n\n## Rent\n\nThe rent of the rooms is 1085 euros."
    with started(tmp_path) as store:
        give(store, "statement.md", statement)
        give(store, "lease.md", lease)
        found = [each.atom for each in shown(store, "How much rent does Keziah pay?") if "euros" in each.atom.content]
        assert "845" in found[0].content


def test_a_document_says_whose_it_is_in_its_first_passages(tmp_path: Path) -> None:
    parts = [f"## Part {number}\n\n{FILLER}" for number in range(5)]
    with started(tmp_path) as store:
        capture_id = give(store, "record.md", "\n\n".join(("# Record of Keziah Trembath", *parts, "Seen by Doctor Penrose.")))
        shelf = store.stores.shelf
        assert shelf is not None
        last = shown_as_atom(shelf.store.of_capture(capture_id)[-1])
        where = PassageSearch(shelf.store, shelf.indexes, store.stores.catalogue)
        words = heads_of([Selected(last, 1.0)], where)[capture_id]
        assert frozenset(analyze("Keziah Trembath")) <= words
        assert words.isdisjoint(analyze("Penrose"))


def test_how_documents_begin_is_known_of_memories_too_of_which_no_passage_is_found(tmp_path: Path) -> None:
    with started(tmp_path) as store:
        give(store)
        record = give(store, "record.md", f"# Record\n\nMiss Keziah Trembath, Penzance.\n\n{FILLER}\n\nThe rent was 845 euros.")
        shelf, recall = store.stores.shelf, recall_over(store, tmp_path, meaning=False)
        assert shelf is not None
        memory = next(each for each in store.stores.catalogue.all() if each.capture_id == record)
        search = replace(recall.search(Query("Where does the gasket lie?")), vector=None, chosen=(Selected(memory, 1.0),))
        found = find_passages(search, PassageSearch(shelf.store, shelf.indexes, store.stores.catalogue))
        assert record not in {passage.capture_id for passage, _ in found.best}
        assert frozenset(analyze("Keziah")) <= found.heads[record]
