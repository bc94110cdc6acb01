"""The bot as its owner meets it: told, asked, corrected, taken back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from lattice_bot.state import FILE_NAME, PATIENCE, State

from tests.services.bot_life import API_TOKEN, Life, life
from tests.services.telegram_server import OWNER, SAID_FROM, STRANGER


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Life]:
    with life(tmp_path / "data") as made:
        yield made


def test_what_is_told_is_seen_at_once_and_then_remembered_with_a_way_back(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("I live in Berlin.")
    reply = telegram.reply_to(message)
    assert telegram.reactions == [(message, "👀")]
    assert reply.text == "Remembered: I live in Berlin."
    assert list(reply.buttons) == ["Undo", "Show"]
    assert reply.preview_off
    telegram.press(reply, "Show")
    assert "I live in Berlin." in telegram.reply_to(reply.message_id).text
    telegram.press(reply, "Undo")
    undone = telegram.message_with("Taken back: I live in Berlin.")
    assert living.contents() == []
    telegram.press(undone, "Undo that")
    back = telegram.message_with("Brought back.")
    assert living.contents() == ["I live in Berlin."]
    telegram.press(back, "Undo that")
    telegram.reply_to(back.message_id, containing="Taken back.")
    assert living.contents() == []
    telegram.press(reply, "Undo")
    telegram.wait(lambda: "That is too old, or was done already." in telegram.notices, "a notice")


def test_a_question_is_answered_with_numbered_citations_and_a_footer_and_can_be_rated(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("The spare key is with Ines."))
    message = telegram.say("where is the spare key")
    reply = telegram.reply_to(message)
    assert "The spare key is with Ines. [1]" in reply.text
    assert "\n1 · The spare key is with Ines." in reply.text
    assert "1 memory · quoted · " in reply.text
    assert {each["type"] for each in reply.entities} == {"expandable_blockquote", "italic"}
    telegram.press(reply, "👍")
    assert telegram.wait(lambda: telegram.notices, "a notice") == ["Thank you. Noted."]
    assert len(living.contents()) == 1, "a question is not remembered"
    sources = telegram.reply_to(telegram.say("/sources"))
    assert sources.text.startswith("1 · The spare key is with Ines.")


def test_what_is_told_and_asked_is_decided_as_for_every_door_and_save_always_tells(living: Life) -> None:
    telegram = living.telegram
    for question in ("Which door is blue?", "which door is blue"):
        telegram.reply_to(telegram.say(question), containing="")
        assert living.contents() == []
    telegram.reply_to(telegram.say("Remember that Ines said the door was blue, can you believe it?"), containing="Remembered")
    assert len(living.contents()) == 1
    telegram.reply_to(telegram.say("/save Who Dares Wins is Tom's favourite film."), containing="Remembered")
    assert len(living.contents()) == 2
    telegram.reply_to(telegram.say("/ask Tom's favourite film"), containing="Who Dares Wins")


def test_an_edit_corrects_what_the_first_version_left_and_leaves_no_history(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("My sister lives in Leipzig.")
    reply = telegram.reply_to(message)
    telegram.edit(message, "My sister lives in Dresden.")
    telegram.message_with("Corrected. Remembered: My sister lives in Dresden.")
    assert living.contents() == ["My sister lives in Dresden."]
    assert [each.message_id for each in telegram.sent] == [reply.message_id], "the same message says so"
    telegram.edit(message, "My sister lives in Halle.")
    telegram.message_with("Halle")
    assert living.contents() == ["My sister lives in Halle."]
    (atom,) = living.there.embedded.lattice.recent(5)
    assert not atom.supersedes
    assert atom.observed_at.timestamp() == SAID_FROM + message, "a correction was said when the first version was"


def test_an_edit_whose_reply_was_deleted_is_answered_with_another(living: Life) -> None:
    telegram = living.telegram
    message = telegram.say("My sister lives in Leipzig.")
    first = telegram.reply_to(message)
    first.deleted = True
    telegram.edit(message, "My sister lives in Dresden.")
    second = telegram.message_with("Corrected. Remembered: My sister lives in Dresden.")
    assert second is not first
    telegram.edit(message, "My sister lives in Halle.")
    telegram.wait(lambda: "Halle" in second.text, "the next correction in the new place")
    question = telegram.say("where does my sister live?")
    telegram.reply_to(question, containing="Halle").deleted = True
    telegram.edit(question, "in which town does my sister live?")
    telegram.wait(lambda: len([each for each in telegram.sent if each.reply_to == question]) == 2, "another answer")
    telegram.reply_to(telegram.say("/status"))


def test_an_edited_question_is_answered_anew_in_the_same_place(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Nora works at Siemens. Tom works at Bosch."))
    message = telegram.say("where does Nora work?")
    reply = telegram.reply_to(message, containing="Siemens")
    telegram.edit(message, "where does Tom work?")
    telegram.wait(lambda: "Bosch" in reply.text, "the new answer")


def test_a_forward_keeps_its_author_and_date_and_speaks_for_nobody_else(living: Life) -> None:
    telegram = living.telegram
    origin = {"type": "hidden_user", "sender_user_name": "Ines", "date": 1_700_000_000}
    telegram.reply_to(telegram.say("I moved to Porto and work at the university.", forward_origin=origin))
    atoms = living.there.embedded.lattice.recent(5)
    assert atoms
    for atom in atoms:
        assert atom.observed_at.date().isoformat() == "2023-11-14"
        assert (atom.trust, atom.metadata["forwarded_from"]) == ("document", "Ines")
        assert "Ines" in atom.content


def test_an_own_forward_is_said_by_its_owner_when_it_was_said_first(living: Life) -> None:
    telegram = living.telegram
    sender = {"id": OWNER, "is_bot": False, "first_name": "Ada"}
    telegram.reply_to(
        telegram.say("I live in Ghent.", forward_origin={"type": "user", "sender_user": sender, "date": 1_700_000_000})
    )
    (atom,) = living.there.embedded.lattice.recent(5)
    assert (atom.trust, atom.observed_at.date().isoformat()) == ("user", "2023-11-14")


def test_commands_say_how_it_is_draw_the_day_and_begin_anew(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Ines lives in Porto."))
    telegram.reply_to(telegram.say("where does Ines live?"))
    start = telegram.reply_to(telegram.say("/start"))
    assert "1 memory, 1 day deep" in start.text
    assert "You last asked: where does Ines live?" in start.text
    assert "Lately: Ines" in start.text
    assert telegram.reply_to(telegram.say("/status")).text.startswith("1 memory, 1 day deep")
    tree = telegram.reply_to(telegram.say("/journey"))
    assert "└─ " in tree.text
    assert [each["type"] for each in tree.entities] == ["pre"]
    assert "A new conversation begins" in telegram.reply_to(telegram.say("/reset")).text
    assert "There is no /fly" in telegram.reply_to(telegram.say("/fly")).text


def test_a_greeting_is_no_topic_of_the_day(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Hello!"), containing="Nothing to remember")
    telegram.reply_to(telegram.say("Ines lives in Porto."))
    assert "Hello" not in telegram.reply_to(telegram.say("/journey")).text
    assert "Lately: Ines\n" in telegram.reply_to(telegram.say("/start")).text


def test_the_chat_offers_every_command_to_its_owner_and_to_nobody_else(living: Life) -> None:
    telegram = living.telegram
    offered = telegram.wait(lambda: telegram.offered.get(OWNER), "the commands")
    assert telegram.offered.keys() == {OWNER}
    for command in offered:
        assert f"There is no /{command}" not in telegram.reply_to(telegram.say(f"/{command}")).text


def test_forget_shows_what_was_meant_and_undo_brings_it_back(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("The gym in Mitte costs 40 euros a month."))
    choice = telegram.reply_to(telegram.say("/forget the gym"))
    assert "1 · The gym in Mitte" in choice.text
    telegram.press(choice, "1")
    telegram.message_with("In the trash: The gym in Mitte costs 40 euros a month.")
    telegram.press(choice, "1")
    telegram.wait(lambda: "That is too old, or was done already." in telegram.notices, "a notice")
    assert living.contents() == []
    telegram.reply_to(telegram.say("/undo"), containing="Brought back.")
    assert len(living.contents()) == 1


def test_a_request_in_plain_words_is_shown_confirmed_and_taken_back(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("The gym in Mitte costs 40 euros a month."))
    shown = telegram.reply_to(telegram.say("Forget what I said about the gym."), containing="would go into the trash")
    assert "The gym in Mitte" in shown.text
    assert len(living.contents()) == 1
    telegram.press(shown, "Do it")
    gone = telegram.message_with("In the trash: one memory.")
    assert living.contents() == []
    telegram.press(gone, "Undo that")
    telegram.message_with("Brought back")
    assert len(living.contents()) == 1


def test_undo_in_plain_words_takes_back_the_last_thing_and_help_says_what_there_is(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Nora works at Siemens."))
    telegram.reply_to(telegram.say("Undo that."), containing="Taken back: “Nora works at Siemens.”.")
    assert living.contents() == []
    assert "Forget what I said about Tom" in telegram.reply_to(telegram.say("was kannst du")).text


def test_forget_as_a_reply_is_about_that_message(living: Life) -> None:
    telegram = living.telegram
    first = telegram.say("The gym in Mitte costs 40 euros a month.")
    stored = telegram.reply_to(first)
    telegram.reply_to(telegram.say("Nora works at Siemens."))
    answer = telegram.reply_to(telegram.say("where does Nora work?"), containing="Siemens")
    assert "1 · Nora works at Siemens." in telegram.forget_replying(answer).text
    choice = telegram.forget_replying(stored)
    assert choice.text == "Does this go into the trash?\n1 · The gym in Mitte costs 40 euros a month."
    assert telegram.reply_to(telegram.say("/forget", reply_to_message=telegram.message(first))).text == choice.text
    telegram.press(choice, "1")
    telegram.message_with("In the trash: The gym")
    assert living.contents() == ["Nora works at Siemens."]
    assert telegram.forget_replying(stored).text == "Nothing of that message is in memory."
    assert telegram.reply_to(telegram.say("/forget")).text.startswith("Put what it is about behind it")


def test_undo_passes_over_what_a_correction_took_back_already(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Nora works at Siemens."))
    message = telegram.say("My sister lives in Leipzig.")
    telegram.reply_to(message)
    telegram.edit(message, "My sister lives in Dresden.")
    telegram.message_with("Corrected.")
    assert telegram.reply_to(telegram.say("/undo")).text == "Taken back: My sister lives in Dresden."
    assert telegram.reply_to(telegram.say("/undo")).text == "Taken back: Nora works at Siemens."
    assert telegram.reply_to(telegram.say("/undo")).text == "There is nothing to take back."
    assert living.contents() == []


def test_a_thumb_counts_once_and_the_other_takes_its_place(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("The spare key is with Ines."))
    answer = telegram.reply_to(telegram.say("where is the spare key?"))

    def quality_after(thumb: str, notice: str) -> float:
        seen = len(telegram.notices)
        telegram.press(answer, thumb)
        assert telegram.wait(lambda: telegram.notices[seen:], "a notice") == [notice]
        (atom,) = living.there.embedded.lattice.recent(5)
        return atom.quality_score

    assert quality_after("👍", "Thank you. Noted.") == 1.1
    assert quality_after("👍", "Noted already.") == 1.1
    assert quality_after("👎", "Changed. Noted.") == 0.9
    assert quality_after("👎", "Noted already.") == 0.9


def test_an_answer_that_rests_on_nothing_has_nothing_to_be_rated(living: Life) -> None:
    answer = living.telegram.reply_to(living.telegram.say("where is the spare key?"))
    assert answer.buttons == {}
    assert "·" not in answer.text


def test_what_others_wrote_is_no_link_nor_anything_to_tap_on(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(
        telegram.say("The offer of shop.example/x by @mallory costs 40 euros, see https://evil.example/y?z=1 or /undo.")
    )
    answer = telegram.reply_to(telegram.say("what does the offer cost?"))
    whole, quotes = answer.text.split("\n\n")[:2]
    coded = [whole[each["offset"] : each["offset"] + each["length"]] for each in answer.entities if each["type"] == "code"]
    assert coded == ["shop.example/x", "@mallory", "https://evil.example/y?z=1", "/undo"]
    for each in coded:
        assert each not in quotes, "a quotation has no code in it"
    assert "shop[.]example/x" in quotes


def test_strangers_and_groups_get_nothing_and_strangers_are_counted(living: Life) -> None:
    telegram = living.telegram
    telegram.say("Hello, is this on?", user=STRANGER)
    telegram.say("/start", user=STRANGER)
    telegram.say("/start ABCD-EFGH", user=STRANGER)
    telegram.say("Friends, where shall we meet?", kind="supergroup")
    telegram.say("I am in a group, too.", kind="group", user=STRANGER)
    status = telegram.reply_to(telegram.say("/status"))
    assert "Ignored: 4 messages from others" in status.text
    assert {each.chat for each in telegram.sent} == {OWNER}
    assert {chat for _, method, chat in telegram.calls if method != "getUpdates"} == {OWNER}
    assert living.contents() == []


def test_strangers_are_counted_where_prometheus_looks(living: Life) -> None:
    """The bot may live in another container than the API: its heartbeat is what both see."""
    telegram = living.telegram

    def numbers() -> str:
        answer = living.there.http.get("/metrics", headers={"authorization": f"Bearer {API_TOKEN}"})
        assert answer.status_code == 200
        return answer.text

    telegram.reply_to(telegram.say("I live in Berlin."))
    telegram.say("Hello, is this on?", user=STRANGER)
    telegram.say("/start", user=STRANGER)
    telegram.wait(lambda: "lattice_telegram_strangers_total 2.0" in numbers(), "two strangers")
    telegram.wait(lambda: "lattice_telegram_waiting 0.0" in numbers(), "no answer owed")


def test_what_is_dealt_with_leaves_the_files_of_a_bot_that_goes_on(living: Life) -> None:
    telegram = living.telegram
    telegram.reply_to(telegram.say("Nora works at Siemens."))

    def words_left() -> bool:
        return any(b"Siemens" in path.read_bytes() for path in (living.root / "bot").iterdir() if path.is_file())

    telegram.wait(lambda: not words_left(), "the end of the words")
    telegram.reply_to(telegram.say("/sources"))


def test_a_button_of_a_message_that_is_too_old_to_be_shown_works(living: Life) -> None:
    telegram = living.telegram
    reply = telegram.reply_to(telegram.say("I live in Berlin."))
    telegram.press(reply, "Undo", is_old=True)
    telegram.reply_to(reply.message_id, containing="Taken back: I live in Berlin.")


def test_a_stranger_cannot_press_the_owners_buttons(living: Life) -> None:
    telegram = living.telegram
    reply = telegram.reply_to(telegram.say("I live in Berlin."))
    telegram.press(reply, "Undo", user=STRANGER)
    telegram.reply_to(telegram.say("/status"), containing="Ignored: 1 message")
    assert living.contents() == ["I live in Berlin."]


def forged(stored: str, answer: str, foreign: str) -> list[str | None]:
    """What no button of ours sends back: garbage, numbers of no card, of another kind of card or another chat, far too much."""
    garbage = [
        None,
        "",
        ":",
        "::",
        "u",
        "u:",
        ":1",
        "\x00",
        "💥",
        "u:💥",
        "' OR 1=1 --",
        '{"u":1}',
        "../../etc/passwd",
        "/undo",
        "Undo",
    ]
    numbers = ["u:-1", "u:0", "u:1e3", "u: 1", "u:٣", "u:²", "u:0x1", "u:999999", f"u:{2**63 - 1}", f"u:{2**63}", f"u:{'9' * 62}"]
    kinds = [f"{letter}:{stored}" for letter in ("U", "uu", "ü", "x", "d", "y", "n", "g", "b")]
    kinds += [f"{letter}:{answer}" for letter in ("u", "d", "y", "n")]
    choices = [f"f:{stored}{choice}" for choice in ("", ":", ":0", ":2", ":-1", ":x", ":²", f":{2**63}", f":{'9' * 48}")]
    others = [f"{letter}:{foreign}" for letter in "udsgbyn"] + [f"f:{foreign}:1"]
    too_long = ["u" * 5000, f"u:{'9' * 5000}", f"u:{'x' * 5000}", f"f:{stored}:{'9' * 5000}", f"f:{stored}:{'x' * 5000}"]
    return [*garbage, *numbers, *kinds, *choices, *others, *too_long]


def test_forged_presses_of_the_owner_and_of_strangers_change_nothing_and_are_dealt_with(living: Life) -> None:
    """Each of them twice, from the owner's own chat and from a stranger (found: a number beyond what SQLite counts, or an undo of
    an answer, failed again at every start)."""
    telegram = living.telegram
    remembered = telegram.reply_to(telegram.say("I live in Berlin."))
    answered = telegram.reply_to(telegram.say("where do I live"))
    stored, answer = (reply.buttons[label].split(":")[1] for reply, label in ((remembered, "Undo"), (answered, "👍")))
    with closing(sqlite3.connect(living.root / "bot" / FILE_NAME, timeout=PATIENCE)) as base, base:
        foreign = int(stored) - 1
        copied = "INSERT INTO card (id, chat, kind, ids) SELECT ?, ?, kind, ids FROM card WHERE id = ?"
        base.execute(copied, (foreign, STRANGER, int(stored)))
    made_up = forged(stored, answer, str(foreign))
    assert len(made_up) == len(set(made_up)) == 61
    for data in made_up:
        telegram.send_back(remembered, data, user=STRANGER)
        telegram.send_back(remembered, data)
    telegram.wait(lambda: len(telegram.notices) == len(made_up), "a notice for each of the owner's")
    assert set(telegram.notices) == {"That is too old, or was done already."}
    telegram.reply_to(telegram.say("/status"), containing=f"Ignored: {len(made_up)} messages from others")
    assert len(telegram.sent) == 3
    assert {each.chat for each in telegram.sent} == {OWNER}
    assert living.contents() == ["I live in Berlin."]
    telegram.press(remembered, "Undo")
    telegram.message_with("Taken back: I live in Berlin.")
    living.stop_bot()
    with closing(State(living.root / "bot")) as state:
        assert state.unfinished() == {}


def test_what_cannot_be_read_is_said_so_and_its_caption_is_kept(living: Life) -> None:
    telegram = living.telegram
    voice = telegram.say(None, voice={"file_id": "v", "file_unique_id": "v", "duration": 3})
    assert "voice" in telegram.reply_to(voice).text
    sizes = [{"file_id": "p", "file_unique_id": "p", "width": 9, "height": 9}]
    photo = telegram.say(None, photo=sizes, caption="Tom's new bike is green.")
    telegram.reply_to(photo, containing="pictures")
    telegram.reply_to(photo, containing="Remembered: Tom's new bike is green.")


def test_pictures_that_come_together_are_answered_together(living: Life) -> None:
    telegram = living.telegram
    sizes = [{"file_id": "p", "file_unique_id": "p", "width": 9, "height": 9}]
    first = telegram.say(None, photo=sizes, media_group_id="a", caption="Our trip to Ghent was in May.")
    for _ in range(3):
        telegram.say(None, photo=sizes, media_group_id="a")
    telegram.reply_to(first, containing="Remembered: Our trip to Ghent")
    telegram.reply_to(telegram.say("/status"))
    assert len([each for each in telegram.sent if "pictures" in each.text]) == 1
