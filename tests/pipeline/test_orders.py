"""What is done on request: read from words, shown before it destroys, and taken back."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.composition import Embedded
from lattice_common.domain.capture import UndoChange
from lattice_common.domain.intent import Explain, Export, Forget, IntentReading, Order, Report, TakeBack
from lattice_common.domain.judgement import STATUSES, UtteranceReading
from lattice_common.errors import NotFound
from lattice_common.language.intents.commands import EXAMPLES, order_in
from lattice_common.language.intents.intent import certain_intent
from lattice_common.recall.intent_model import intended

from tests.pipeline.living import change, current, say, started


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_pattern_reads_its_example(example: str) -> None:
    assert order_in(example) is not None
    assert certain_intent(example) == "do"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("undo", TakeBack()),
        ("Please undo that!", TakeBack()),
        ("can you take that back?", TakeBack()),
        ("forget the last thing I said", TakeBack()),
        ("Could you undo whatever I did a second ago?", TakeBack()),
        ("forget what I said about Tom", Forget("Tom")),
        ("Delete everything about the old flat, please.", Forget("the old flat")),
        ("remove all notes about Tom’s car", Forget("Tom's car")),
        ("forget that I live in Leeds", Forget("I live in Leeds")),
        ("scrap that last note", TakeBack()),
        ("Never mind what I just said.", TakeBack()),
        ("strike my previous message from the record", TakeBack()),
        ("take back what I said about Tom", Forget("Tom")),
        ("get rid of the entry about Colin's job", Forget("Colin's job")),
        ("bin all my notes from the Hartlepool job", Forget("the Hartlepool job")),
        ("delete the thing about the car", Forget("the car")),
        ("Забудь всё, что я говорила про Тома", Forget("Тома")),
        ("export my notes", Export()),
        ("Give me a copy of all my data", Export()),
        ("help", Explain()),
        ("What can you do?", Explain()),
        ("was kannst du?", Explain()),
        ("Vergiss, was ich über Tom gesagt habe.", Forget("Tom")),
        ("Supprime tout ce qui concerne la banque", Forget("banque")),
        ("Olvida lo que te conté de Maruja", Forget("Maruja")),
        ("Cancella tutto quello che riguarda la palestra", Forget("palestra")),
        ("verwijder alles over mijn ex Diederik", Forget("mijn ex Diederik")),
        ("esquece tudo sobre o processo do Genivaldo", Forget("processo do Genivaldo")),
        ("Kemal hakkında söylediklerimi unut", Forget("Kemal")),
        ("健太に関することは全部忘れて", Forget("健太")),
        ("lösche die letzte Notiz", TakeBack()),
        ("annule la dernière note", TakeBack()),
        ("deshaz lo último", TakeBack()),
        ("annulla l'ultima cosa", TakeBack()),
        ("maak het laatste ongedaan", TakeBack()),
        ("apaga a última nota", TakeBack()),
        ("usuń ostatnią notatkę", TakeBack()),
        ("son notu sil", TakeBack()),
        ("Exportiere meine Notizen als Textdatei", Export()),
        ("exporte mes notes en PDF", Export()),
        ("exporta mis notas", Export()),
        ("esporta tutti gli appunti", Export()),
        ("exporteer mijn notities naar een bestand", Export()),
        ("exporta as minhas notas", Export()),
        ("wyeksportuj moje notatki", Export()),
        ("notlarımı dışa aktar", Export()),
        ("メモを書き出して", Export()),
        ("¿Qué sabes hacer?", Explain()),
        ("qu'est-ce que tu sais faire ?", Explain()),
        ("cosa sei capace di fare?", Explain()),
        ("wat kun je allemaal", Explain()),
        ("O que você sabe fazer?", Explain()),
        ("neler yapabiliyorsun", Explain()),
        ("status", Report()),
        ("How much do you remember?", Report()),
    ],
)
def test_requests_are_read(text: str, order: Order) -> None:
    assert order_in(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "I forgot the key at Tom's.",
        "Forget about dinner tonight, Anna is ill.",
        "Delete the old app from mum's phone",
        "Help Anna move on Saturday",
        "The status of the order is shipped.",
        "Export licence for the cello expires in May",
        "Undo the top screw first, then the lower one.",
        "Remember that we have to remove the tree.",
        "Take back the bottles before Saturday",
        "never mind the cello for Linus, we've abandoned that",
        "scrap that about the Skoda, keeping it after all",
        "cancel everything with Anna",
        "Get rid of the egg itself, says my wife",
        "What can Tom do about the roof?",
        "Vergiss die Milch nicht",
        "Olvida la cita, la cambian al jueves",
        "annulla il treno delle otto",
        "zapomnij parasol u Bożeny",
        "Zapomnij o Radku, powiedziała mi siostra",
    ],
)
def test_what_only_begins_like_a_request_is_none(text: str) -> None:
    assert order_in(text) is None
    assert certain_intent(text) != "do"


def test_where_words_are_known_to_be_a_request_a_reason_may_follow() -> None:
    assert order_in("scrap that, no newts") is None
    assert order_in("scrap that, no newts", meant=True) == TakeBack()
    assert order_in("scrap the note about the lay-by, it's fenced off", meant=True) == Forget("the lay-by")


def read(text: str, **shares: float) -> IntentReading:
    class Sure(ScriptedJudge):
        def _reading(self, text: str) -> UtteranceReading:
            intent = {name: shares.get(name, 0.0) for name in ("tell", "ask", "do")}
            return UtteranceReading(intent, dict.fromkeys(STATUSES, 0.0), {})  # type: ignore[arg-type]

    return intended(text, lambda _: None, "fence", Sure())


def test_the_judge_says_what_words_are_meant_for_and_how_sure_it_is() -> None:
    assert read("whos picking the twins up on thursday", ask=0.8, tell=0.2) == IntentReading("ask", 0.8, "judge")
    assert read("Did I enjoy it? Not one minute.", tell=0.7, ask=0.3) == IntentReading("tell", 0.7, "judge")


def test_what_is_certain_is_not_judged() -> None:
    assert read("Remember that Tom moved.", ask=1.0) == IntentReading("tell", 1.0, "rules")
    assert read("Where is Tom?", tell=1.0) == IntentReading("ask", 1.0, "rules")
    assert read("Undo that.", tell=1.0) == IntentReading("do", 1.0, "rules")


def test_words_are_only_a_request_where_one_can_be_carried_out_or_it_is_beyond_doubt() -> None:
    assert read("Throw the lot away", do=0.5, tell=0.4, ask=0.1).intent == "tell"
    assert read("Throw the lot away", do=0.9, tell=0.1).intent == "do"
    assert read("Delete the old gym", do=0.5, tell=0.4, ask=0.1).intent == "do"


def test_a_long_note_is_not_judged() -> None:
    assert read("What I did today. " * 100, ask=1.0).intent == "tell"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Embedded]:
    with started(tmp_path, clock=FixedClock()) as opened:
        yield opened


def test_undo_takes_back_what_was_told_last_and_then_what_was_told_before(store: Embedded) -> None:
    say(store, "Anna plays chess.")
    say(store, "Tom plays darts.")
    done = store.lattice.do("undo that")
    assert (done.action, done.state, done.message) == ("undo", "done", "Taken back: “Tom plays darts.”.")
    assert current(store) == ["Anna plays chess."]
    assert done.change_id is not None
    assert store.lattice.do("undo that").message == "Taken back: “Anna plays chess.”."
    assert store.lattice.do("undo that").message == "There is nothing to take back."
    change(store, UndoChange(done.change_id))
    assert current(store) == ["Tom plays darts."]


def test_what_was_told_long_ago_is_shown_before_it_is_taken_back(store: Embedded) -> None:
    say(store, "Anna plays chess.")
    clock = store.stores.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(days=2))
    shown = store.lattice.do("undo that")
    assert shown.state == "confirm"
    assert current(store) == ["Anna plays chess."]
    assert shown.token is not None
    assert store.lattice.confirm(shown.token).state == "done"
    assert current(store) == []


def test_what_is_to_be_forgotten_is_shown_first_and_comes_back(store: Embedded) -> None:
    for text in ("Tom plays darts.", "Tom's car is a Saab.", "Anna plays chess.", "Tomorrow is bin day."):
        say(store, text)
    shown = store.lattice.do("Forget what I said about Tom.")
    assert (shown.action, shown.state, shown.found) == ("forget", "confirm", 2)
    assert sorted(atom.content for atom in shown.atoms) == ["Tom plays darts.", "Tom's car is a Saab."]
    assert len(current(store)) == 4
    assert shown.token is not None
    done = store.lattice.confirm(shown.token)
    assert (done.state, done.message) == ("done", "In the trash: 2 memories.")
    assert len(current(store)) == 2
    assert done.change_id is not None
    change(store, UndoChange(done.change_id))
    assert len(current(store)) == 4


def test_a_token_is_good_once_and_for_ten_minutes(store: Embedded) -> None:
    say(store, "Tom plays darts.")
    token = store.lattice.do("forget everything about Tom").token
    late = store.lattice.do("forget everything about Tom").token
    assert token is not None
    assert late is not None
    store.lattice.confirm(token)
    with pytest.raises(NotFound, match="Say again"):
        store.lattice.confirm(token)
    clock = store.stores.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(minutes=11))
    with pytest.raises(NotFound, match="Say again"):
        store.lattice.confirm(late)


def test_of_what_nothing_is_known_nothing_is_forgotten(store: Embedded) -> None:
    say(store, "Anna plays chess.")
    done = store.lattice.do("forget everything about Tom")
    assert (done.state, done.change_id, done.token) == ("done", None, None)
    assert "Nothing was forgotten" in done.message


def test_what_is_not_understood_says_so(store: Embedded) -> None:
    done = store.lattice.do("Switch the interface to Portuguese")
    assert (done.action, done.state) == ("unclear", "unclear")
    assert "did not understand" in done.message


def test_export_help_and_status_say_what_they_are_for(store: Embedded) -> None:
    say(store, "Anna plays chess.")
    assert store.lattice.do("export my notes").href == "/api/export"
    assert "Forget what I said" in store.lattice.do("what can you do?").message
    assert "one memory" in store.lattice.do("status").message
