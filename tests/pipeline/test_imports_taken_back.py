"""An import is taken back by its name and its program, and brought back by bringing it again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.importers.account import Account
from lattice_common.capture.importers.export import items
from lattice_common.capture.importers.intake import Intake
from lattice_common.composition import Embedded
from lattice_common.domain.capture import DeleteAtom, ForgetAtoms, RemoveSource, UndoChange

from tests.pipeline.living import atom_saying, change, current, started
from tests.working import until

CLAUDE = [
    {"uuid": "u1", "name": "Cat", "chat_messages": [
        {"sender": "human", "text": "I adopted a cat called Miro.", "created_at": "2026-01-02T10:00:00Z"}]},
    {"uuid": "u2", "name": "Rent", "chat_messages": [
        {"sender": "human", "text": "My rent is 950 euros.", "created_at": "2026-01-02T11:00:00Z"}]},
]  # fmt: skip
CHATGPT = [{
    "title": "Moving", "conversation_id": "c1", "current_node": "a",
    "mapping": {"a": {"parent": None, "children": [], "message": {
        "id": "a", "author": {"role": "user"}, "create_time": 1746352800,
        "content": {"content_type": "text", "parts": ["I moved to Ghent."]}}}},
}]  # fmt: skip
CAT, RENT = "I adopted a cat called Miro.", "My rent is 950 euros."


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path / "store", clock=FixedClock()) as found:
        yield found


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    return put(tmp_path / "claude" / "conversations.json", CLAUDE)


def put(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


def bring(store: Embedded, path: Path) -> Account:
    intake = Intake(items(path), store.lattice, "import")

    def is_over() -> bool:
        intake.go_on(50)
        return intake.is_through and not intake.waiting

    until("the import", is_over)
    return intake.account


def test_two_exports_of_one_name_are_taken_back_one_by_one(store: Embedded, tmp_path: Path, claude: Path) -> None:
    bring(store, claude)
    account = bring(store, put(tmp_path / "chatgpt" / "conversations.json", CHATGPT))
    assert account.source_id == "conversations.json (ChatGPT)"
    assert {each.source_id for each in store.lattice.imports(10)} == {
        "conversations.json (ChatGPT)",
        "conversations.json (Claude)",
    }
    change(store, RemoveSource("conversations.json (Claude)"))
    assert current(store) == ["I moved to Ghent."]


def test_what_an_earlier_version_brought_is_known_and_taken_back_by_its_name(store: Embedded, claude: Path) -> None:
    for item in items(claude):
        assert item.former is not None
        assert item.former.request is not None
        accepted = store.lattice.accept(item.former.request, idempotency_key=item.former.key)
        store.lattice.wait_for(accepted.status.capture_id, 30)
    account = bring(store, claude)
    assert (account.stored, account.duplicate, account.skipped) == (0, 2, 0)
    change(store, RemoveSource("conversations.json"))
    assert current(store) == []


def test_an_import_that_was_taken_back_is_brought_back_by_bringing_it_again(store: Embedded, claude: Path) -> None:
    for _ in range(3):
        account = bring(store, claude)
        assert (account.stored, account.duplicate, account.atoms_new) == (2, 0, 2)
        assert current(store) == [CAT, RENT]
        assert bring(store, claude).duplicate == 2
        change(store, RemoveSource("conversations.json (Claude)"))
        assert current(store) == []


def test_it_is_brought_back_also_once_it_has_left_the_trash(store: Embedded, claude: Path) -> None:
    bring(store, claude)
    gone = tuple(atom_saying(store, words).atom_id for words in (CAT, RENT))
    change(store, RemoveSource("conversations.json (Claude)"))
    change(store, ForgetAtoms(gone, now=True, barred=False))
    bring(store, claude)
    assert current(store) == [CAT, RENT]


def test_what_went_for_good_meanwhile_takes_nothing_of_it_along(store: Embedded, claude: Path) -> None:
    bring(store, claude)
    gone = tuple(atom_saying(store, words).atom_id for words in (CAT, RENT))
    change(store, RemoveSource("conversations.json (Claude)"))
    bring(store, claude)
    change(store, ForgetAtoms(gone, now=True, barred=False))
    assert current(store) == [CAT, RENT]
    rent, cat = (each.opening for each in store.lattice.captures_of("conversations.json (Claude)"))
    assert RENT in rent
    assert CAT in cat


def test_what_the_owner_deleted_is_not_brought_back(store: Embedded, claude: Path) -> None:
    bring(store, claude)
    change(store, DeleteAtom(atom_saying(store, CAT).atom_id))
    assert bring(store, claude).duplicate == 2
    assert current(store) == [RENT]


def test_what_was_brought_back_by_an_undo_and_then_deleted_stays_deleted(store: Embedded, claude: Path) -> None:
    bring(store, claude)
    taken_back = change(store, RemoveSource("conversations.json (Claude)"))
    change(store, UndoChange(taken_back))
    change(store, DeleteAtom(atom_saying(store, CAT).atom_id))
    assert bring(store, claude).duplicate == 2
    assert current(store) == [RENT]


def test_each_event_person_and_mail_is_in_the_account_once(store: Embedded, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    event = "BEGIN:VEVENT\r\nSUMMARY:Choir\r\nDTSTART:20260513T100000Z\r\nEND:VEVENT\r\n"
    (folder / "cal.ics").write_text(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{event * 2}END:VCALENDAR\r\n")
    (folder / "people.vcf").write_text("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Jonas Weber\r\nEND:VCARD\r\n" * 3)
    (folder / "photo.png").write_bytes(b"\x89PNG")
    first, again = bring(store, folder), bring(store, folder)
    assert first.found == 6 == first.stored + first.duplicate + first.rejected + first.skipped
    assert first.skipped == 1
    assert (again.found, again.duplicate, again.skipped) == (6, 5, 1)


def test_what_is_longer_than_a_text_may_be_is_kept_in_parts_and_known_again(tmp_path: Path) -> None:
    chat = tmp_path / "WhatsApp Chat with Ada.txt"
    days = [f"{day:02}/05/2026, 09:14 - Ada: I paid {day}00 euros for boat number {day}.\n" for day in range(1, 29)]
    chat.write_text("".join(days))
    with started(tmp_path / "small", clock=FixedClock(), max_text_bytes=1000) as store:
        first = bring(store, chat)
        assert (first.found, first.stored, first.skipped) == (2, 2, 0)
        assert first.atoms_new == len(days)
        again = bring(store, chat)
        assert (again.found, again.duplicate, again.atoms_new) == (2, 2, 0)
        change(store, RemoveSource(chat.name))
        assert not current(store)
