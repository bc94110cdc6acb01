"""Documents: read like any file, one capture each, their captions once, and too large ones refused in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.bot_life import Life, life


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Life]:
    with life(tmp_path / "data") as made:
        yield made


def test_a_document_is_read_and_its_caption_is_the_owners_own_words(living: Life) -> None:
    telegram = living.telegram
    message = telegram.give("page.html", b"<p>Tom lives in Ghent.</p>", caption="My brother Tom wrote this page.")
    telegram.reply_to(message, containing="Tom lives in Ghent.")
    telegram.reply_to(message, containing="My brother Tom wrote this page.")
    trusts = {atom.content: atom.trust for atom in living.there.embedded.lattice.recent(5)}
    assert trusts == {"Tom lives in Ghent.": "document", "My brother Tom wrote this page.": "user"}
    assert list((living.root / "bot" / "coming").iterdir()) == []


def test_an_album_is_one_capture_a_file_and_its_caption_counts_once(living: Life) -> None:
    telegram = living.telegram
    first = telegram.give("a.html", b"<p>Tom lives in Ghent.</p>", caption="These are our two flats.", media_group_id="g1")
    second = telegram.give("b.html", b"<p>Nora lives in Porto.</p>", media_group_id="g1")
    telegram.reply_to(first, containing="Ghent")
    telegram.reply_to(second, containing="Porto")
    telegram.reply_to(first, containing="two flats")
    assert sorted(living.contents()) == ["Nora lives in Porto.", "These are our two flats.", "Tom lives in Ghent."]


@pytest.mark.parametrize("claimed", [21_000_000, 1])
def test_a_file_that_telegram_does_not_give_to_bots_is_refused_in_words(living: Life, claimed: int) -> None:
    message = living.telegram.give("film.bin", bytes(20 * 1024 * 1024 + 1), size=claimed)
    assert "20 MB" in living.telegram.reply_to(message).text
    assert living.contents() == []


def test_a_file_that_cannot_be_read_says_why(living: Life) -> None:
    message = living.telegram.give("song.mp3", b"ID3\x03\x00\x00" + bytes(range(256)) * 20)
    assert living.telegram.reply_to(message).text.startswith("Not read. ")


def test_a_forwarded_note_is_no_word_of_the_owners(living: Life) -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Ines", "date": 1_700_000_000}
    message = living.telegram.give("note.txt", b"I live in Porto.", forward_origin=origin)
    living.telegram.reply_to(message)
    (atom,) = living.there.embedded.lattice.recent(5)
    assert (atom.trust, atom.observed_at.date().isoformat()) == ("document", "2023-11-14")


def test_a_corrected_caption_corrects_what_it_left(living: Life) -> None:
    telegram = living.telegram
    message = telegram.give("page.html", b"<p>Tom lives in Ghent.</p>", caption="Tom is my brother.")
    telegram.reply_to(message, containing="brother")
    telegram.reply_to(message, containing="Ghent")
    telegram.edit_caption(message, "Tom is my cousin.")
    telegram.message_with("Corrected. Remembered: Tom is my cousin.")
    assert sorted(living.contents()) == ["Tom is my cousin.", "Tom lives in Ghent."]


def test_what_is_asked_beside_a_document_is_answered_once_that_is_read(living: Life) -> None:
    telegram = living.telegram
    message = telegram.give("page.html", b"<p>The spare key is with Ines.</p>", caption="where is the spare key?")
    telegram.reply_to(message, containing="The spare key is with Ines. [1]")
    telegram.reply_to(message, containing="Remembered: The spare key is with Ines.")
    assert living.contents() == ["The spare key is with Ines."], "a question is not remembered"


def test_a_command_beside_a_file_is_no_part_of_what_is_remembered(living: Life) -> None:
    message = living.telegram.give("page.html", b"<p>Tom lives in Ghent.</p>", caption="/save Tom is my brother.")
    living.telegram.reply_to(message, containing="Remembered: Tom is my brother.")


def test_anothers_question_beside_a_file_is_none_of_the_owners(living: Life) -> None:
    origin = {"type": "hidden_user", "sender_user_name": "Ines", "date": 1_700_000_000}
    telegram = living.telegram
    message = telegram.give("note.txt", b"I live in Porto.", forward_origin=origin, caption="Do you live in Porto?")
    telegram.wait(lambda: len([each for each in telegram.sent if each.reply_to == message]) == 2, "both replies")
    assert not any("I don't know" in each.text for each in telegram.sent)


@pytest.mark.parametrize("trouble", ["flood", "broken"])
def test_what_is_said_after_a_file_does_not_wait_until_telegram_gives_that(living: Life, trouble: str) -> None:
    telegram = living.telegram
    if trouble == "flood":
        telegram.flood(1, retry_after=1, of=("getFile",))
    else:
        telegram.break_calls(4, of="getFile")
    message = telegram.give("page.html", b"<p>Tom lives in Ghent.</p>")
    telegram.reply_to(telegram.say("Nora works at Siemens."), containing="Remembered")
    assert not any(each.reply_to == message for each in telegram.sent)
    telegram.reply_to(message, containing="Remembered: Tom lives in Ghent.")
