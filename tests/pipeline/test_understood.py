"""The examples that Lattice was designed with, told to the product as it is shipped: packaged embedder and judge, no language
model. Each tells something, later something newer; the older one may not stand as current beside it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from lattice_common.capture.request import IngestRequest, Message
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.composition.models import load_model
from lattice_common.domain.recall import Query
from lattice_common.settings import Settings
from working import until

from tests.pipeline.living import finished, say, send

UPDATES = [
    ("I prefer dark roast.", "I've switched to light roast.", "which roast do I like?"),
    ("I live in New York.", "I moved to San Francisco.", "where do I live?"),
    ("I live in York.", "I live in New York now.", "where do I live?"),
    ("I live in Leeds.", "Finally unpacked the last box here in York.", "which city do I live in?"),
    ("The spare key is with Ines.", "Tom has the spare key now.", "who has the spare key?"),
    ("My manager is Sarah.", "Miguel is my manager now.", "who is my manager?"),
    ("My dentist is Dr. Morris on Main Street.", "I changed my dentist to Dr. Park on Sandusky Street.", "who is my dentist?"),
    ("I work for Contoso as a designer.", "I no longer work for Contoso, I've started at Fabrikam.", "who do I work for?"),
    ("My phone number is 020 7946 0018.", "New phone number: 020 7946 0991.", "what is my phone number?"),
    ("The dentist appointment is on Tuesday.", "Dentist moved to Thursday.", "when is the dentist?"),
    ("I'm a vegetarian.", "I'm no longer vegetarian.", "what do I eat?"),
    ("I work the night shift.", "I switched to the day shift.", "which shift do I work?"),
    ("Tom moved here from Leeds.", "Tom moved here from York, not Leeds.", "where did Tom move from?"),
]

IN_SEVERAL_CLAUSES = [
    ("Mortgage is at 4.6% with Santander.", "Remortgage went through, Halifax have us for five years at 3.9.", "our mortgage?"),
    (
        "Our car is a Ford Escape.",
        "Traded in the old heap on Saturday and drove home in a Subaru Outback.",
        "which car do we have?",
    ),
]
"""What each of the clauses says alone ends nothing."""

UNSURE_ALONE = [
    (
        "Leo goes to St Bede's Primary.",
        "Leo's first day at Ashdown High, blazer down to his knees.",
        "where does Leo go to school?",
    ),
]
"""Of the pair alone the judge is not sure; beside all else that the news was compared with, it stands out."""

IN_OTHER_LANGUAGES = [
    ("Ich wohne in Leeds.", "Ich bin nach York umgezogen.", "wo wohne ich?"),
    ("Mon dentiste est le docteur Roth.", "J'ai un nouveau dentiste, le docteur Adeyemi.", "qui est mon dentiste ?"),
]

ADDS = [
    ("I live in Leeds.", "We're renting a cottage in York for the weekend."),
    ("I live in Leeds.", "My sister lives in York."),
    ("I prefer dark roast.", "Tom prefers light roast."),
    ("My manager is Sarah.", "Dreamt that Miguel was my manager."),
    ("I'm a vegetarian.", "If I ever move to Argentina I might eat meat again."),
    ("I work for Contoso as a designer.", "A recruiter from Fabrikam wrote to me, not interested."),
    (
        "I have three children, Ben, Susan and Peter.",
        "Susan lives in Toledo with her husband Greg. Their children are Lily, who is 8, and Owen, who is 5.",
    ),
    ("No ibuprofen for me, comes up in hives.", "Nair wants me off the codeine stuff. Amitriptyline 10 mg at bedtime now."),
]


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model(Settings(_env_file=None))


@pytest.fixture
def store(tmp_path: Path, model: Model) -> Iterator[Embedded]:
    with open_embedded(Settings(_env_file=None, data_dir=tmp_path, llm_provider="none"), model=model) as opened:
        opened.start()
        yield opened


def told(store: Embedded, old: str, new: str) -> tuple[str, tuple[str, ...]]:
    (older,) = say(store, old, observed_at="2026-03-01T10:00:00Z").atom_ids
    return older, tuple(say(store, new, observed_at="2026-06-01T10:00:00Z").atom_ids)


@pytest.mark.parametrize(("old", "new", "question"), [*UPDATES, *IN_SEVERAL_CLAUSES, *UNSURE_ALONE, *IN_OTHER_LANGUAGES])
def test_what_is_outdated_does_not_stand_as_current(store: Embedded, old: str, new: str, question: str) -> None:
    older, newer = told(store, old, new)
    known = {atom.atom_id: atom for atom in store.stores.catalogue.all()}
    joined = [each.target for atom_id in newer for each in known[atom_id].relations if each.type == "may_update"]
    assert known[older].is_superseded or older in joined
    found = {each.atom.atom_id: place for place, each in enumerate(store.lattice.select(Query(question)).atoms)}
    places = [found[atom_id] for atom_id in newer if atom_id in found]
    assert places
    assert older not in found or min(places) < found[older]


LIFE = [
    "The spare key is with Ines.",
    "My rent is 950 euros a month.",
    "Anna's birthday is the 12th of June.",
    "The wifi at the cabin is called Murmeltier.",
    "Tom works at the mill.",
    "I'm allergic to peanuts.",
    "Bin day is Wednesday.",
    "Our boiler has the serial K584329160.",
]
NEWS = [
    "Finally unpacked the last box here in York.",
    "I've switched to light roast.",
    "Since the reshuffle I report to Miguel.",
    "I'm no longer vegetarian.",
    "Had to say goodbye to Miso on Thursday.",
    "Dentist moved to Thursday.",
]


def test_news_ends_nothing_of_what_it_does_not_speak_of(store: Embedded) -> None:
    for text in LIFE:
        say(store, text, observed_at="2026-03-01T10:00:00Z")
    for text in NEWS:
        say(store, text, observed_at="2026-06-01T10:00:00Z")
    known = {atom.atom_id: atom for atom in store.stores.catalogue.all()}
    asked = {target for atom in known.values() for target in atom.may_update}
    touched = [atom.content for atom in known.values() if atom.is_superseded or atom.atom_id in asked]
    assert [content for content in touched if content in LIFE] == []


@pytest.mark.parametrize(("old", "new"), ADDS)
def test_what_merely_adds_retires_nothing(store: Embedded, old: str, new: str) -> None:
    (older,) = say(store, old, observed_at="2026-03-01T10:00:00Z").atom_ids
    say(store, new, observed_at="2026-06-01T10:00:00Z")
    (known,) = store.stores.catalogue.get([older])
    assert not known.is_superseded


LISTED = [
    [f"Locker {number}: {thing}" for number, thing in enumerate(("lamps", "seeds", "nails", "tiles", "boots"), start=104)],
    [f"Hive {number} has {number + 2} frames." for number in range(1, 7)],
    ["2023: 3400 kWh", "2024: 3100 kWh", "2025: 2950 kWh"],
    ["March: 34 euros gas", "April: 28 euros gas", "May: 21 euros gas"],
    ["Left rack: Rioja", "Right rack: Merlot"],
    ["Paid 40 for the plumber.", "Paid 55 for the plumber."],
    ["Lunch with Karim was on 3 March.", "Lunch with Karim on 2 May."],
]
"""Each says the like of something else of its kind."""


@pytest.mark.parametrize("said", LISTED, ids=lambda said: said[0])
def test_one_thing_of_a_kind_ends_nothing_of_another(store: Embedded, said: list[str]) -> None:
    told = [atom_id for text in said for atom_id in say(store, text).atom_ids]
    atoms = [store.lattice.atom(atom_id).atom for atom_id in told]
    assert len(atoms) == len(said)
    assert [atom.content for atom in atoms if atom.is_superseded or atom.may_update] == []


def test_nobody_is_asked_about_one_trade_for_news_of_another(store: Embedded) -> None:
    for words in ("The organ builder is called Amsel.", "The glazier is called Bruckner.", "The roofer is called Castellano."):
        (known,) = store.stores.catalogue.get(say(store, words).atom_ids)
        assert not known.may_update


@pytest.mark.parametrize(
    ("old", "new", "question", "told"),
    [
        (
            "Maisie goes to St Saviour's, her teacher is Mrs Kaur.",
            "The school rang: Mrs Kaur has left and Mr Bell takes the class from now on.",
            "Who is Maisie's teacher?",
            "Mr Bell",
        ),
        (
            "Dot and I are going to Portugal in September.",
            "Dot can't go to Portugal after all, so Pauline is coming with me.",
            "Who is going to Portugal with me?",
            "Pauline",
        ),
    ],
)
def test_the_rest_of_the_sentence_that_ended_something_is_told_with_it(
    store: Embedded, old: str, new: str, question: str, told: str
) -> None:
    say(store, old, observed_at="2026-03-01T10:00:00Z")
    say(store, new, observed_at="2026-06-01T10:00:00Z")
    assert told in store.lattice.answer(Query(question)).answer


def test_news_that_answers_itself_is_told_without_the_rest_of_its_sentence(store: Embedded) -> None:
    say(store, "My hip operation is on March 18 at Blanchard Valley Hospital.", observed_at="2026-01-01T10:00:00Z")
    say(store, "The hospital called and my hip operation is now on April 8.", observed_at="2026-01-02T10:00:00Z")
    answer = store.lattice.answer(Query("When is my hip operation?")).answer
    assert "April 8" in answer
    assert "called" not in answer


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("My dentist is Dr. Morris on Main Street.", "I changed my dentist to Dr. Park on Sandusky Street."),
        ("Our vet is Dr Adams.", "We've switched our vet from Dr Adams to Greenacre Vets."),
    ],
)
def test_what_its_owner_changed_to_another_is_retired(store: Embedded, old: str, new: str) -> None:
    older, _ = told(store, old, new)
    (known,) = store.stores.catalogue.get([older])
    assert known.is_superseded


REPLY = """Yellowing lower leaves on potted tomatoes usually point to one of three causes:

1. **Nitrogen deficiency** - the plant moves nitrogen from old leaves to new growth. Feed it with a balanced fertiliser.
2. **Overwatering** - check that the pot drains and let the top 3 cm dry out between waterings.
3. **Early blight** - look for brown rings; remove affected leaves and avoid wetting the foliage.

I'd start with feeding weekly and see if new leaves stay green. Magnesium deficiency looks similar but shows yellowing between the
veins; a spray of Epsom salts (20 g per litre) helps."""


def test_what_an_assistant_said_is_answered_from_its_reply(store: Embedded) -> None:
    asked = "My tomatoes have yellow leaves at the bottom, what's wrong? I grow them in pots on the balcony."
    messages = [Message(role="user", content=asked), Message(role="assistant", content=REPLY)]
    finished(store, send(store, IngestRequest(messages=messages)))
    answer = store.lattice.answer(Query("What did the assistant say about the tomatoes?")).answer
    assert all(words in answer for words in ("Nitrogen deficiency", "check that the pot drains", "brown rings"))
    assert "balcony" not in answer
    answer = store.lattice.answer(Query("What did Claude say about early blight?")).answer
    assert "brown rings" in answer
    assert "Nitrogen" not in answer


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Dr. Montes, pediatra, lunes y jueves 16–20.", "When can I see the children's doctor?"),
        ("Pilar's own place opens 10.", "What time does Pilar's own place open?"),
    ],
)
def test_hours_and_days_of_another_language_say_when(store: Embedded, said: str, question: str) -> None:
    say(store, "The bins are behind the shed.")
    say(store, said)
    answer = store.lattice.answer(Query(question))
    assert answer.answered
    assert said.rstrip(".") in answer.answer


@pytest.mark.parametrize(
    ("said", "question", "told"),
    [
        ("provider is zuna, acct no ZN-558201", "What's my Zuna account number?", "ZN-558201"),
        (
            "talked to ines at lunch, jonas takes over her accounts",
            "who takes over ines's accounts",
            "Jonas takes over Ines's accounts",
        ),
    ],
)
def test_what_is_typed_on_a_phone_answers(store: Embedded, said: str, question: str, told: str) -> None:
    say(store, "The bins are behind the shed.")
    say(store, said)
    answer = store.lattice.answer(Query(question))
    assert answer.answered
    assert told in answer.answer


PASTED = """User: The moss is taking over the lawn behind the shed, what helps?
Assistant: A few things help here:
- rake it out on a dry day
- spread iron sulphate in April
- cut the grass no shorter than four centimetres
User: My wrist hurts after gardening.
Assistant: You may have a strained tendon if it hurts when you turn a key, and it should rest for two weeks at the least."""


def test_a_reply_is_found_by_what_it_answers_and_is_nobodys_word_otherwise(store: Embedded) -> None:
    say(store, PASTED, observed_at="2026-03-01T10:00:00Z")
    until("the vectors of passages", lambda: store.stores.shelf is None or not store.stores.shelf.pending)
    told = store.lattice.answer(Query("What did the assistant suggest for the moss on the lawn?"))
    assert told.answered
    assert "iron sulphate" in told.answer
    asked = store.lattice.answer(Query("Do I have a strained tendon?"))
    assert "tendon" not in asked.answer or asked.answer.startswith("An assistant said: ")
