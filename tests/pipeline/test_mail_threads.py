"""What a mail quotes of another that is kept is kept once, in whichever order and in however many files they come."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lattice_common.adapters.memory.document_reader import InMemoryDocumentReader
from lattice_common.capture.readers.held_bytes import held as held_bytes
from lattice_common.capture.readers.limits import Limits
from lattice_common.capture.readers.read import read
from lattice_common.composition import Embedded
from lattice_common.domain.capture import Capture, DeleteAtoms, UndoChange
from lattice_common.ingest.extract.quoted import quoted_in

from tests.pipeline.living import change, finished, open_store, send_file, started
from tests.pipeline.test_document_passages import held, passages

ASKED = """Dear Ottoline, the school hall is being painted until February, and the music school wants 60 pounds an evening. Could
you ask at St Anne's? We are eleven singers and need a piano that somebody has tuned this year.

Jun"""
REWRAPPED = """> Dear Ottoline, the school hall is being painted until February, and the music
> school wants 60 pounds an evening. Could you ask at St Anne's? We are eleven
> singers and need a piano that somebody has tuned this year.
>
> Jun"""
OUTLOOK = f"""-----Original Message-----
From: Jun Takeda <jun@example.org>
Sent: 8 November 2026 11:20
To: Ottoline Grey
Subject: Rehearsal room

{ASKED}"""
ANSWERED = "Hi Jun, the vicar says yes: we get the crypt on Thursdays. The key hangs at Mrs Pemberton's, number 14."
DAY = datetime(2026, 11, 9, 20, tzinfo=UTC)


def mail(subject: str, body: str, day: int) -> bytes:
    head = f"From: a{day}@example.org\nTo: b@example.org\nSubject: {subject}\nDate: Mon, {day} Nov 2026 20:02:00 +0000\n"
    return f"{head}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}\n".encode()


FIRST = ("room.eml", mail("Rehearsal room", ASKED, 8))
ANSWER = ("answer.eml", mail("Re: Rehearsal room", f"{ANSWERED}\n\nOn 8 November 2026 Jun Takeda wrote:\n{REWRAPPED}", 9))
FORWARD = ("forward.eml", mail("Fwd: Rehearsal room", f"Marcus, bring the spare music stands, please.\n\n{OUTLOOK}", 10))
AGAIN = ("again.eml", mail("Re: Rehearsal room", f"As I wrote to you on Sunday:\n\n{ASKED}", 11))
THREAD = (FIRST, ANSWER, FORWARD)
READ = InMemoryDocumentReader(
    {name: read(held_bytes(content), name, Limits(), lambda _done, _total: None) for name, content in (*THREAD, AGAIN)}
)
"""The mails as they are read: a process for each of thirty would be most of what these tests take."""


def give(store: Embedded, name: str, content: bytes) -> str:
    capture_id = send_file(store, name, content)
    assert finished(store, capture_id).state == "stored"
    return capture_id


def shown(store: Embedded, given: dict[str, str]) -> dict[str, list[str]]:
    return {name: passages(store, capture_id) for name, capture_id in given.items()}


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_a_thread_is_kept_once_in_whichever_order_its_mails_come(tmp_path: Path, order: tuple[int, ...]) -> None:
    with started(tmp_path, reader=READ) as store:
        given = {THREAD[at][0]: give(store, *THREAD[at]) for at in order}
        kept = shown(store, given)
        assert sum("school hall" in text for texts in kept.values() for text in texts) == 1
        assert "school hall" in "".join(kept["room.eml"])
        assert ANSWERED in "".join(kept["answer.eml"])
        assert "spare music stands" in "".join(kept["forward.eml"])
        words, vectors = held(store)
        assert words >= vectors
        assert len(words) == sum(map(len, kept.values()))
    with open_store(tmp_path) as store:
        assert shown(store, given) == kept


def test_what_is_quoted_of_a_mail_that_is_not_kept_is_found_in_the_one_that_came_first(tmp_path: Path) -> None:
    with started(tmp_path, reader=READ) as store:
        given = {name: give(store, name, content) for name, content in (FORWARD, ANSWER)}
        kept = shown(store, given)
        assert "school hall" in "".join(kept["forward.eml"])
        assert "school hall" not in "".join(kept["answer.eml"])


def test_a_rebuild_keeps_the_same_and_what_is_said_again_in_own_words_stays(tmp_path: Path) -> None:
    with started(tmp_path, reader=READ) as store:
        given = {name: give(store, name, content) for name, content in (*THREAD, AGAIN)}
        kept = shown(store, given)
        assert "school hall" in "".join(kept["again.eml"])
        assert store.stores.shelf is not None
    with open_store(tmp_path) as store:
        assert store.stores.shelf is not None
        store.stores.shelf.rebuild(1_000)
        assert shown(store, given) == kept


def test_undo_of_the_first_mail_leaves_its_answer_as_it_is(tmp_path: Path) -> None:
    with started(tmp_path, reader=READ) as store:
        given = {name: give(store, name, content) for name, content in THREAD}
        before = shown(store, given)
        ids = tuple(atom.atom_id for atom in store.stores.catalogue.all() if atom.capture_id == given["room.eml"])
        done = change(store, DeleteAtoms(ids))
        assert shown(store, given)["room.eml"] == []
        change(store, UndoChange(done))
        assert shown(store, given) == before


@pytest.mark.parametrize(
    ("body", "quoted"),
    [
        (f"Yes.\n\nAm 10.11.2026 um 18:40 schrieb Pavel Marek:\n{REWRAPPED}\n\nBis Dienstag", [REWRAPPED.splitlines()[0]]),
        (f"No.\n\n{OUTLOOK}", [ASKED.splitlines()[0], "Subject: Rehearsal room"]),
        (f"> {'A remark that is answered at once. ' * 4}\n\nNo.\n\n> Short.\n\nYes.", ["A remark"]),
        ("Nothing is quoted here, though 3 > 2.\n\nOn Monday we meet:\nat nine.", []),
    ],
)
def test_stretches_that_quote_are_told_from_what_is_written(body: str, quoted: list[str]) -> None:
    text = f"# Re: Room\n\nFrom: a@example.org\nTo: b@example.org\nDate: 9 November 2026, 20:02 +0000\n\n{body}"
    capture = Capture("0" * 26, DAY, text, DAY, source="document", trust="document", source_type="eml")
    spans = quoted_in(capture)
    words = [text[span.start : span.end] for span in spans]
    assert len(words) == (1 if quoted else 0)
    assert all(each in words[0] for each in quoted)
    assert not any(each in word for word in words for each in ("Yes.", "No.", "Bis Dienstag"))
