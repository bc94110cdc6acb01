"""Extraction by rules, over a labelled set of short inputs of many kinds."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from lattice_common.domain.capture import Capture, Role, Turn
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract import extract
from lattice_common.ingest.ground import ground
from lattice_common.ingest.parts import parts_of
from lattice_common.ingest.prove import atoms_of, prove
from lattice_common.ingest.segment import segment

SAID_AT = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
SET = Path(__file__).parent.parent / "data" / "extraction" / "labelled.yaml"
INPUTS: list[dict[str, Any]] = yaml.safe_load(SET.read_text(encoding="utf-8"))
ROLES: dict[str, Role] = {"User": "user", "Assistant": "assistant", "System": "system", "Tool": "tool"}


def conversation(*said: tuple[str, str]) -> Capture:
    text, turns = "", []
    for name, words in said:
        start = len(text) + len(name) + 2
        text += f"{name}: {words}\n"
        speaker = None if name in ROLES else name
        turns.append(Turn(start, start + len(words), ROLES.get(name, "user"), speaker, SAID_AT, f"m{len(turns)}"))
    return Capture("01jd0000000000000000000000", SAID_AT, text, SAID_AT, turns=tuple(turns))


def capture_of(given: dict[str, Any]) -> Capture:
    if "talk" in given:
        return conversation(*[(name, words) for name, words in given["talk"]])
    return Capture(
        "01jd0000000000000000000000", SAID_AT, given["note"], SAID_AT, trust=given.get("trust", "user"), title=given.get("title")
    )


def facts_of(capture: Capture) -> list[Candidate]:
    facts: list[Candidate] = []
    for piece in segment(capture):
        proved, rejected = ground(capture, piece, extract(capture, piece))
        assert rejected == [], [(one.reason, one.detail, one.candidate.content) for one in rejected]
        facts += proved
    return facts


def as_day(moment: datetime | None) -> date | None:
    return moment.date() if moment else None


@pytest.mark.parametrize("given", INPUTS, ids=[str(given.get("note") or given["talk"][-1][1])[:60] for given in INPUTS])
def test_what_is_said_is_remembered_as_labelled(given: dict[str, Any]) -> None:
    facts = facts_of(capture_of(given))
    said = [fact.content for fact in facts]
    expected = given["atoms"]
    for wanted in expected:
        fact = next((fact for fact in facts if wanted["has"] in fact.content), None)
        assert fact is not None, f"no fact has {wanted['has']!r}: {said}"
        assert fact.kind == wanted.get("kind", fact.kind)
        assert fact.subject == wanted.get("subject", fact.subject)
        if "from" in wanted:
            assert as_day(fact.valid_from) == wanted["from"]
        if "until" in wanted:
            assert as_day(fact.valid_until) == wanted["until"]
        assert set(wanted.get("entities", ())) <= set(fact.entities)
        assert wanted.get("lacks", "\x00") not in fact.content
    assert given.get("more") or len(facts) <= len(expected), said


def test_the_set_is_as_large_as_it_says() -> None:
    assert len(INPUTS) >= 80


def test_a_fact_knows_who_said_it_when_and_in_which_message() -> None:
    fact = facts_of(conversation(("Ada", "Hi!"), ("Bob", "I bought a red car.")))[0]
    assert (fact.speaker, fact.message_id, fact.observed_at) == ("Bob", "m1", SAID_AT)


def test_systems_and_tools_are_not_remembered() -> None:
    assert (
        facts_of(conversation(("System", "You are a helpful assistant named Acme."), ("Tool", "Rome has 2,873,000 people.")))
        == []
    )


def test_a_reply_at_the_beginning_of_a_window_still_knows_the_question() -> None:
    said = [(("Ada", "Bob")[n % 2], f"I planted {n + 2} apple trees.") for n in range(11)]
    facts = facts_of(conversation(*said, ("Ada", "Do you have a garden?"), ("Bob", "Yes, behind the house.")))
    assert facts[-1].content == "Bob: Yes, behind the house. (in reply to: Do you have a garden?)"


def test_own_notes_keep_the_first_person() -> None:
    fact = facts_of(capture_of({"note": "I live in Berlin."}))[0]
    assert fact.content == "I live in Berlin."
    assert fact.speaker is None


def of_note(text: str, **fields: Any) -> list[Candidate]:
    return facts_of(Capture("01jd0000000000000000000000", SAID_AT, text, SAID_AT, **fields))


@pytest.mark.parametrize(
    ("note", "kind"),
    [
        ("Ada decided to sell the flat.", "decision"),
        ("My sister has finally decided against the surgery.", "decision"),
        ("Ada decided on the red tiles on Friday.", "decision"),
        ("I need to finish the tax return by Friday.", "reminder"),
        ("I have to renew the passport before 3 June.", "reminder"),
        ("We must cancel the gym by Monday.", "reminder"),
        ("On Friday I have to present the roadmap.", "event"),
        ("I need to lose weight.", "goal"),
        ("I'm going to Oslo on Friday.", "event"),
        ("The jury had to decide by Friday.", "event"),
    ],
)
def test_what_is_decided_and_what_must_be_done_are_no_mere_facts(note: str, kind: str) -> None:
    (fact,) = of_note(note)
    assert fact.kind == kind


@pytest.mark.parametrize(
    ("note", "subject"),
    [
        ("I've switched to light roast.", "light roast"),
        ("I go to the gym every Tuesday.", "gym"),
        ("I switched to the day shift.", "shift"),
        ("Switched from oat milk to soy milk.", "oat milk"),
        ("Please answer me briefly.", "answer"),
        ("Kim rang.", "Kim"),
        ("Hanna prefers dark roast.", "Hanna"),
        ("My mother died.", "mother"),
        ("The car wouldn't start.", "car"),
        ("New permit came: PK-3307.", "permit"),
        ("Turns out the hedge is ours.", "hedge"),
        ("Passed!", "me"),
        ("car passed mot", "car"),
        ("Honestly the bus wouldn't come.", "bus"),
        ("Finally caved and bought a Fiat.", "Fiat"),
    ],
)
def test_a_subject_is_a_thing_and_not_what_is_done_to_it(note: str, subject: str) -> None:
    (fact,) = of_note(note)
    assert fact.subject == subject


@pytest.mark.parametrize(
    "note", ["Phew.", "Oh dear.", "Me neither.", "Ha, typical.", "Anyway, more tomorrow.", "So there.", "That's that."]
)
def test_a_sigh_makes_no_memory(note: str) -> None:
    assert of_note(note) == []


@pytest.mark.parametrize("note", ["Passed!", "No milk.", "Quiet day.", "Not great with spiders.", "Tidied up and went to bed."])
def test_what_says_something_in_few_words_is_one_memory(note: str) -> None:
    assert len(of_note(note)) == 1


def test_code_keeps_its_lines() -> None:
    (fact,) = of_note("# Adding\n\n```python\ndef f(x):\n    return x + 1\n```\n", source_type="markdown")
    assert fact.content == "Adding: def f(x):\n    return x + 1"


def test_what_an_assistant_relays_is_less_sure_than_the_owners_own_word() -> None:
    def sure(**fields: Any) -> float:
        capture = Capture("01jd0000000000000000000000", SAID_AT, "I live in Leeds.", SAID_AT, **fields)
        proved = prove(capture, parts_of(capture)[0])
        (atom,) = atoms_of(capture, proved, ordinal=0, seq=1)
        return atom.confidence

    own, relayed, assistants = sure(channel="web"), sure(channel="mcp"), sure(channel="mcp", trust="assistant")
    assert own == sure() == 0.8
    assert assistants < own
    assert relayed < own


@pytest.mark.parametrize(
    ("note", "said"),
    [
        (
            "He's Anna's brother and just moved here from Leeds.",
            [
                ("He's Anna's brother", "He's Anna's brother"),
                ("Anna's brother just moved here from Leeds.", "just moved here from Leeds."),
            ],
        ),
        (
            "Anna's birthday is on 4 May. She likes pottery.",
            [("Anna's birthday is on 4 May.", "Anna's birthday is on 4 May."), ("Anna likes pottery.", "She likes pottery.")],
        ),
        ("Please remember that Ada lives in Paris.", [("Ada lives in Paris.", "Ada lives in Paris.")]),
        ("Did I tell you that Ada lives in Paris?", [("Ada lives in Paris", "Ada lives in Paris")]),
        ("Guess what, Ada lives in Paris.", [("Ada lives in Paris.", "Ada lives in Paris.")]),
        ("ok so Ada lives in Paris.", [("Ada lives in Paris.", "Ada lives in Paris.")]),
        ("Oh, and btw the gate code is 4471", [("the gate code is 4471", "the gate code is 4471")]),
        ("Oh dear, the gate is broken", [("Oh dear, the gate is broken",) * 2]),
        ("Well water was tested in March", [("Well water was tested in March (March 2023)", "Well water was tested in March")]),
        (
            "talked to ada, jonas takes over her accounts",
            [("talked to Ada", "talked to ada"), ("Jonas takes over Ada's accounts", "jonas takes over her accounts")],
        ),
        (
            "boiler is a vaillant, pressure should sit at 1.4",
            [("boiler is a vaillant",) * 2, ("boiler: pressure should sit at 1.4", "pressure should sit at 1.4")],
        ),
        (
            "Podiatrist comes every six weeks, next is 27 March 2023 at 11.",
            [
                ("Podiatrist comes every six weeks",) * 2,
                ("Podiatrist: next is 27 March 2023 at 11.", "next is 27 March 2023 at 11."),
            ],
        ),
        (
            "Signed for the flat on Marlow Court, rent's 1180 a month",
            [
                ("Signed for the flat on Marlow Court",) * 2,
                ("flat on Marlow Court: rent's 1180 a month", "rent's 1180 a month"),
            ],
        ),
        (
            "Sourdough is £4.20, rye £4.80, croissants 2.60.",
            [("Sourdough is £4.20",) * 2, ("rye £4.80",) * 2, ("croissants 2.60.",) * 2],
        ),
        ("Tickets are £12, kids 6.50, parking £4 a day", [("Tickets are £12, kids 6.50, parking £4 a day",) * 2]),
        ("Deposit was £975, rent £1,180 a month.", [("Deposit was £975, rent £1,180 a month.",) * 2]),
        (
            "Deck 2 again. Controller's gone, 780 pounds. Said yes.",
            [("Deck 2 again: Controller's gone, 780 pounds.", "Controller's gone, 780 pounds.")],
        ),
        ("Tom works at the mill, nights mostly", [("Tom works at the mill, nights mostly",) * 2]),
        (
            "Lorcan's place: third buzzer from the bottom. Second floor, left.",
            [
                ("Lorcan's place: third buzzer from the bottom.", "Lorcan's place: third buzzer from the bottom."),
                ("Lorcan's place: Second floor, left.", "Second floor, left."),
            ],
        ),
        ("Wifi: tulip; gate code: 4471", [("Wifi: tulip", "Wifi: tulip"), ("gate code: 4471", "gate code: 4471")]),
        ("We sold the Golf and bought a van.", [("We sold the Golf", "We sold the Golf"), ("We bought a van.", "bought a van.")]),
        (
            "The budget is 38k. Maybe it will go up by 4.",
            [("The budget is 38k.",) * 2, ("Maybe it will go up by 4.",) * 2],
        ),
        (
            "mums op went ok. shes on ward 9. i cant visit before 2. salary is 52k. my boss is called olga",
            [
                ("mums op went ok. she's on ward 9.", "mums op went ok. shes on ward 9."),
                ("I can't visit before 2.", "i cant visit before 2."),
                ("salary is 52k.",) * 2,
                ("my boss is called Olga", "my boss is called olga"),
            ],
        ),
        (
            "Olga takes over the Harrow account. Dev to send the deck. Budget cut to 40k. Back Thursday on the late one.",
            [
                ("Olga takes over the Harrow account.",) * 2,
                ("Dev to send the deck.",) * 2,
                ("Budget cut to 40k.",) * 2,
                ("Back Thursday (11 May 2023) on the late one.", "Back Thursday on the late one."),
            ],
        ),
        (
            "im in slough now, i dont live in reading anymore. dentist tues 9am. yoga is off",
            [
                ("I'm in slough now, I don't live in reading anymore.", "im in slough now, i dont live in reading anymore."),
                ("dentist tues (9 May 2023) 9am.", "dentist tues 9am."),
                ("yoga is off",) * 2,
            ],
        ),
        ("The boiler is from 2016. It leaks.", [("The boiler is from 2016.",) * 2, ("The boiler leaks.", "It leaks.")]),
        (
            "Margot is my manager. Hates phone calls.",
            [("Margot is my manager.",) * 2, ("Margot: Hates phone calls.", "Hates phone calls.")],
        ),
        (
            "Girlfriend = Marguerite. Teaches grade 4 in Preston, cashews make her throat close.",
            [
                ("Girlfriend = Marguerite.",) * 2,
                (
                    "Marguerite: Teaches grade 4 in Preston, cashews make her throat close.",
                    "Teaches grade 4 in Preston, cashews make her throat close.",
                ),
            ],
        ),
        (
            "My boss is Lorcan. Takes every Friday off.",
            [("My boss is Lorcan.",) * 2, ("Lorcan: Takes every Friday off.", "Takes every Friday off.")],
        ),
        (
            "m'n broer Wouter woont in Groningen en heeft een eigen zaak",
            [
                ("m'n broer Wouter woont in Groningen",) * 2,
                ("m'n broer Wouter heeft een eigen zaak", "heeft een eigen zaak"),
            ],
        ),
        (
            "Verbeek stopt ermee, we zitten nu bij dokter Amrani.",
            [("Verbeek stopt ermee",) * 2, ("we zitten nu bij dokter Amrani.",) * 2],
        ),
        (
            "A máquina está avariada, o arranjo custa 120.",
            [("A máquina está avariada",) * 2, ("o arranjo custa 120.",) * 2],
        ),
        (
            "O Vasco fica com o quarto grande, paga 350.",
            [("O Vasco fica com o quarto grande",) * 2, ("O Vasco paga 350.", "paga 350.")],
        ),
        (
            "olá, sou a Inês, moro em Braga num terceiro andar e trabalho numa farmácia",
            [
                ("olá, sou a Inês",) * 2,
                ("moro em Braga num terceiro andar",) * 2,
                ("trabalho numa farmácia",) * 2,
            ],
        ),
        (
            "vendi a mota, dava muito gasto. comprei uma bicicleta",
            [("vendi a mota, dava muito gasto.",) * 2, ("comprei uma bicicleta",) * 2],
        ),
        (
            "hola, soy Marta, vivo en Lugo y tengo una panadería",
            [("hola, soy Marta",) * 2, ("vivo en Lugo",) * 2, ("tengo una panadería",) * 2],
        ),
        (
            "ciao, sono Piero, abito a Lucca e lavoro in posta",
            [("ciao, sono Piero",) * 2, ("abito a Lucca",) * 2, ("lavoro in posta",) * 2],
        ),
        (
            "jestem Ola, mieszkam w Gdyni i pracuję w przedszkolu",
            [("jestem Ola",) * 2, ("mieszkam w Gdyni",) * 2, ("pracuję w przedszkolu",) * 2],
        ),
        (
            "Tomek rzucił studia, uczy się gotowania.",
            [("Tomek rzucił studia",) * 2, ("Tomek uczy się gotowania.", "uczy się gotowania.")],
        ),
        (
            "Lekarka Maja wyjechała, przyjął mnie doktor Nowak.",  # who did is somebody else
            [("Lekarka Maja wyjechała, przyjął mnie doktor Nowak.",) * 2],
        ),
        (
            "Konya'da oturuyorum, bir lisede matematik öğretiyorum.",
            [("Konya'da oturuyorum",) * 2, ("bir lisede matematik öğretiyorum.",) * 2],
        ),
        (
            "Polat köye döndü, tarlayı babası sürüyor.",  # of somebody else, perhaps
            [("Polat köye döndü, tarlayı babası sürüyor.",) * 2],
        ),
        (
            "der Onkel wohnt in der Altstadt. seine Nummer ist 0676 55 12 90",
            [
                ("der Onkel wohnt in der Altstadt.",) * 2,
                ("der Onkel: seine Nummer ist 0676 55 12 90", "seine Nummer ist 0676 55 12 90"),
            ],
        ),
        (
            "mi hermana Lucía vive en Gijón, su novio se llama Pablo",
            [
                ("mi hermana Lucía vive en Gijón",) * 2,
                ("mi hermana Lucía: su novio se llama Pablo", "su novio se llama Pablo"),
            ],
        ),
        (
            "der Bäcker hat zugesperrt, bin jetzt beim Huber",
            [("der Bäcker hat zugesperrt",) * 2, ("bin jetzt beim Huber",) * 2],
        ),
        ("jetzt hab ich die Frau Mag. Pöll als Chefin", [("jetzt hab ich die Frau Mag. Pöll als Chefin",) * 2]),
        (
            "Der Halbmarathon war im Gespräch, hab ich abgehakt.",
            [("Der Halbmarathon war im Gespräch, hab ich abgehakt.",) * 2],
        ),
        (
            "Tiago is lovely. Allergic to shellfish.",
            [("Tiago is lovely.",) * 2, ("Tiago: Allergic to shellfish.", "Allergic to shellfish.")],
        ),
        (
            "The cat is 14. Allergic to chicken.",
            [("The cat is 14.",) * 2, ("The cat: Allergic to chicken.", "Allergic to chicken.")],
        ),
        ("Booked the flights. Allergic to nuts.", [("Booked the flights.",) * 2, ("Allergic to nuts.",) * 2]),
        (
            "Freya home for Easter. Studying hard.",
            [("Freya home for Easter.",) * 2, ("Freya: Studying hard.", "Studying hard.")],
        ),
        (
            "nouvel opérateur donc nouveau numéro : 07 68 30 15 52. Inès, elle, c'est le 06 12 44 90 31",
            [("nouvel opérateur donc nouveau numéro : 07 68 30 15 52.",) * 2, ("Inès, elle, c'est le 06 12 44 90 31",) * 2],
        ),
        (
            "Mi tía Candela tiene la llave. Vive en el segundo.",
            [("Mi tía Candela tiene la llave.",) * 2, ("Mi tía Candela: Vive en el segundo.", "Vive en el segundo.")],
        ),
        (
            "Theo é alérgico a amendoim. Caio é vegetariano desde 2019.",
            [("Theo é alérgico a amendoim.",) * 2, ("Caio é vegetariano desde 2019.",) * 2],
        ),
        (
            "Mamá cumple 60 en mayo. Quiero regalarle un viaje a Lisboa.",
            [("Mamá cumple 60 en mayo (May 2023).", "Mamá cumple 60 en mayo."), ("Quiero regalarle un viaje a Lisboa.",) * 2],
        ),
        (
            "Den Polo haben wir dort gelassen und sind mit dem Bus heimgefahren.",
            [("Den Polo haben wir dort gelassen und sind mit dem Bus heimgefahren.",) * 2],
        ),
        ("wifi: Tulip99\nalarm: 7719", [("wifi: Tulip99",) * 2, ("alarm: 7719",) * 2]),
        ("Merk dir bitte, dass Ada in Rom wohnt.", [("Ada in Rom wohnt.", "Ada in Rom wohnt.")]),
        ("Onthoud dat Ada in Rome woont.", [("Ada in Rome woont.", "Ada in Rome woont.")]),
        ("Just so you know, Ada eats no fish.", [("Ada eats no fish.", "Ada eats no fish.")]),
        (
            "Mi suegra es alérgica a las nueces, mi cuñado no come cerdo.",
            [("Mi suegra es alérgica a las nueces",) * 2, ("mi cuñado no come cerdo.",) * 2],
        ),
        (
            "Gravel's operation went fine. 1900 dollars, so there's 6300 left.",
            [
                ("Gravel's operation went fine.",) * 2,
                ("Gravel's operation: 1900 dollars, so there's 6300 left.", "1900 dollars, so there's 6300 left."),
            ],
        ),
        ("We have a Golf. Bought it in 2010.", [("We have a Golf. Bought it in 2010.",) * 2]),
        ("Rent is due. 50 euros are still missing.", [("Rent is due.",) * 2, ("50 euros are still missing.",) * 2]),
        ("Mum is still in Leeds. Dad died in 2015.", [("Mum is still in Leeds.",) * 2, ("Dad died in 2015.",) * 2]),
        (
            "Paid Igor 40 for the lamp. He brings the shade.",
            [("Paid Igor 40 for the lamp.",) * 2, ("Igor brings the shade.", "He brings the shade.")],
        ),
        (
            "Hen house: 7 hens, 1 cockerel with a bad foot, feed in the dustbin.",
            [
                ("Hen house: 7 hens",) * 2,
                ("Hen house: 1 cockerel with a bad foot", "1 cockerel with a bad foot"),
                ("Hen house: feed in the dustbin.", "feed in the dustbin."),
            ],
        ),
        (
            "The flat has 48 square metres, sauna in the basement, 2 lifts.",
            [
                ("The flat has 48 square metres",) * 2,
                ("The flat: sauna in the basement", "sauna in the basement"),
                ("The flat: 2 lifts.", "2 lifts."),
            ],
        ),
        (
            "Tuition timing is 5 to 7, fee 1,200 per month each child.",
            [
                ("Tuition timing is 5 to 7",) * 2,
                ("Tuition timing: fee 1,200 per month each child.", "fee 1,200 per month each child."),
            ],
        ),
        (
            "My locker is number 214, code 7731.",
            [("My locker is number 214",) * 2, ("My locker: code 7731.", "code 7731.")],
        ),
        ("The flight is at nine, gate 12.", [("The flight is at nine, gate 12.",) * 2]),
        ("My address is 12 High Street, flat 4.", [("My address is 12 High Street, flat 4.",) * 2]),
        (
            "We sold the van to Tom, who lives in Leeds.",
            [("We sold the van to Tom",) * 2, ("Tom lives in Leeds.", "lives in Leeds.")],
        ),
        (
            "Quotes for the fence: Bowden 2,150, Sethi 1,890.",
            [("Quotes for the fence: Bowden 2,150",) * 2, ("Quotes for the fence: Sethi 1,890.", "Sethi 1,890.")],
        ),
        ("Yahya fasts half days, he's eight.", [("Yahya fasts half days",) * 2, ("Yahya's eight.", "he's eight.")]),
        ("I've got Tarn Lock, Osei's got Brindle.", [("I've got Tarn Lock",) * 2, ("Osei's got Brindle.",) * 2]),
        (
            "Bees: the middle hive is strong. Smoker's at Ludo's.",
            [("Bees: the middle hive is strong.",) * 2, ("Bees: Smoker's at Ludo's.", "Smoker's at Ludo's.")],
        ),
        (
            "Rang Aunt Philippa. Lunch is at noon. She wants a stairlift.",
            [
                ("Rang Aunt Philippa.",) * 2,
                ("Lunch is at noon.",) * 2,
                ("Aunt Philippa wants a stairlift.", "She wants a stairlift."),
            ],
        ),
        (
            "Imran is 7 and hasn't lost since he began.",
            [("Imran is 7",) * 2, ("Imran hasn't lost since he began.", "hasn't lost since he began.")],
        ),
        (
            "Stall 44, fruit market. Ozlem does the olives. Rent went up to 45.",
            [
                ("Stall 44, fruit market.",) * 2,
                ("Stall 44: Ozlem does the olives.", "Ozlem does the olives."),
                ("Stall 44: Rent went up to 45.", "Rent went up to 45."),
            ],
        ),
        (
            "Freddie can tie one shoe. Reading band is turquoise. His teacher leaves at half term.",
            [
                ("Freddie can tie one shoe.",) * 2,
                ("Freddie: Reading band is turquoise.", "Reading band is turquoise."),
                ("Freddie's teacher leaves at half term.", "His teacher leaves at half term."),
            ],
        ),
        (
            "Tues dentist, Thurs car inspection, Fri Mum's.",
            [
                ("Tues (9 May 2023) dentist", "Tues dentist"),
                ("Thurs (11 May 2023) car inspection", "Thurs car inspection"),
                ("Fri Mum's.", "Fri Mum's."),
            ],
        ),
        (
            "Gave Mum the box room. She is on the ground floor.",
            [("Gave Mum the box room.",) * 2, ("Mum is on the ground floor.", "She is on the ground floor.")],
        ),
    ],
)
def test_each_fact_of_a_note_is_one_of_its_own_and_says_whom_it_is_about(note: str, said: list[tuple[str, str]]) -> None:
    assert [(fact.content, fact.quote) for fact in of_note(note)] == said


@pytest.mark.parametrize(
    "note",
    [
        "I wish I lived in York and had a dog.",
        "Kasia said that she moved to Rome and works for Fiat.",
        "Anna likes cats and dogs.",
        "If Ben calls, the key is under the pot and the alarm is off.",
        "He was hired and trained by Ada.",
        "Maybe Tom sold the van and bought a boat.",
        "Sam and I went to Rome.",
        "Tom doesn't smoke and drinks little.",
        "I moved to a new flat near the park. It's lovely.",
        "We looked at the Golf, Mila liked that one.",
        "Tove has the dimple, left cheek, a tiny one.",
        "Dentist: noon, room 5, Dr Wong.",
        "Shopping: milk, eggs, bread.",
        "I met the brother of Tom, who is a vet.",
        "I think it was Tom, who left early.",
        "Ask Tom, who I met in York, for the key.",
        "The rent is 900, 50 more than before.",
        "The author is a hermit, answers by fax.",
        "Ada is in Leeds, 2 hours by train.",
        "The stall isn't heated, heater in the shed.",
        "Picnic: cold pasta, two melons, and a big cake.",
        "Address: 12 Mill Lane, York YO1 7AB.",
        "Dog-sitting: Biscuit, Priya's corgi.",
        "Lorcan's place: third buzzer from the bottom, says Achterberg on it.",
        "Party: no nuts in anything, dairy for the twins.",
        "Prompt book: act two starts with the storm, cue sixty one.",
        "Ever since the move Pascal has been commuting and Freya's been working from the attic.",
        "On Saturdays Tom works late and Ada cooks.",
        "The man who fixed our roof and does gutters is called Declan.",
        "Meant to fish, didn't, geese bite.",
        "was van plan een boot te kopen maar dat heb ik uit m'n hoofd gezet",
        "tenemos dos críos: Bruno, que va al cole Tenerías, y Vega, que va a la guarde",
        'Ines said "I hate Bilbao and I love Vigo".',
    ],
)
def test_what_cannot_be_told_apart_for_sure_stays_whole(note: str) -> None:
    assert [fact.content for fact in of_note(note)] == [note]


@pytest.mark.parametrize(
    "note",
    [
        "Ada and Eve live in Rome. She is a doctor.",
        "Tom met Ben in Leeds. He is a vet.",
        "Ada came home. Dot has a single room because she snores.",
        "Tom came back. Inspector passed the steel. He is a vet.",
        "Ben was kind. Nia at reception gave me her own mug.",
        "I learned Tagalog from lola. She came from Iloilo.",
        "Simone's leaving the bank, her partner Luc puts up the money. She asked me to do the books.",
    ],
)
def test_nobody_is_named_where_two_may_be_meant(note: str) -> None:
    wrong = ("Ada is", "Eve is", "Tom is", "Ben is", "Tagalog came", "because Ada", "Ben's own", "Luc: She")
    assert not any(each in fact.content for fact in of_note(note) for each in wrong)


@pytest.mark.parametrize("further", ["Plays are boring.", "Need to buy milk.", "Moved to Leeds.", "Works of art are dear."])
def test_a_note_without_its_i_is_not_put_into_anothers_mouth(further: str) -> None:
    assert [fact.content for fact in of_note(f"Margot is my manager. {further}")][-1] == further


@pytest.mark.parametrize("further", ["Lorcan's ankle is in plaster.", "Mum has the key.", "The font is heated."])
def test_what_stands_by_itself_is_not_put_below_a_label(further: str) -> None:
    assert [fact.content for fact in of_note(f"Prompt book: the third scene is cut. {further}")][-1] == further


@pytest.mark.parametrize(
    ("note", "last"),
    [
        ("We run a shop on Mill Road. The mayor opened it in her wellies.", "The mayor opened it in her wellies."),
        ("Kit likes school. Miss Papadakis has him in front. He can read.", "in front. He can read."),
        ("My brother-in-law is a mourner. He weeps at funerals.", "My brother-in-law weeps at funerals."),
        ("The nurses in ICU are great. Jincy knows his drip by ear.", "Jincy knows his drip by ear."),
    ],
)
def test_neither_a_street_nor_a_part_of_a_role_is_somebody(note: str, last: str) -> None:
    assert of_note(note)[-1].content.endswith(last)


@pytest.mark.parametrize(
    ("note", "last"),
    [
        (
            "Brendan lets me use the saw. My mum doesn't know that bit. She pictures me sanding.",
            "She pictures me sanding.",
        ),
        ("My van passed its MOT. Sid's would have too, had he changed the tyres. Next test March.", "Next test March."),
        ("Work began with Kowalczyk & Son. A spire and everything. He wants photos.", "He wants photos."),
        ("Work is slow. gaz told his gran that I've built a cathedral.", "gaz told his gran that I've built a cathedral."),
        ("I handed in my notice. Then Anneli called. I move to her team on 1 May 2026.", "I move to her team on 1 May 2026."),
        ("Bahçede altı tavuğumuz var. Defne ördek de istiyor, ben istemiyorum.", "Defne ördek de istiyor, ben istemiyorum."),
        ("La nonna fa il pane il sabato. Il forno è quello del cortile.", "Il forno è quello del cortile."),
        ("Three hives wintered. Oxalic done on the lot.", "Oxalic done on the lot."),
        ("Vet's receipt, stuck in here. A kitten no more. He's a cloud with legs.", "He's a cloud with legs."),
    ],
)
def test_in_doubt_who_is_meant_it_stays_as_it_was_said(note: str, last: str) -> None:
    """Whoever begins a later sentence may be meant; a firm, what is somebody's, and a word of another language are nobody."""
    assert of_note(note)[-1].content.endswith(last)
    assert not of_note(note)[-1].content.endswith(f": {last}")


def test_it_is_of_the_sentence_before_it_and_not_of_the_label_above() -> None:
    contents = [fact.content for fact in of_note("Estate agent's pitch: flooded with light. I timed the walk. It's 26 minutes.")]
    assert contents[1:] == ["I timed the walk. It's 26 minutes."]


@pytest.mark.parametrize("closing", ["Yours, Livia", "Love, Livia", "Hugs,\nLivia", "Livia"])
def test_greeting_and_closing_of_a_letter_are_no_memories(closing: str) -> None:
    facts = of_note(f"Dear Ottavia,\n\nMother is home. She walks with a frame.\n\n{closing}")
    assert [fact.content for fact in facts] == ["Mother is home.", "Mother walks with a frame."]


def test_a_label_with_a_name_does_nothing() -> None:
    facts = [fact.content for fact in of_note("Adaeze's christening: at noon. Gown is at Sketchley's till the end.")]
    assert facts[-1] == "Adaeze's christening: Gown is at Sketchley's till the end."


def test_what_is_his_is_not_told_of_a_woman() -> None:
    contents = [fact.content for fact in of_note("Mrs Stavrou went to live in Markham. Cheques in his name from now on.")]
    assert not any(content.startswith("Mrs Stavrou: ") for content in contents)


def test_what_somebody_does_is_not_told_of_a_part_of_another() -> None:
    contents = [
        fact.content for fact in of_note("Max's ear is fine again. I lent Tom the drill. He'll bring it back on Saturday.")
    ]
    assert not any(content.startswith("Max's ear: ") for content in contents)


def test_the_label_of_a_line_is_nobody() -> None:
    contents = [fact.content for fact in of_note("Idea: write a cookbook with mum. Not sure if she would want that.")]
    assert contents[-1].endswith("Not sure if she would want that.")


def test_a_line_without_a_verb_above_a_list_is_what_its_items_are_about() -> None:
    facts = of_note("MEETING w/ Dalisay\n- extension ok up to 3.5 m\n- no dormer at the front", source_type="plain")
    assert [(fact.content, fact.quote) for fact in facts[1:]] == [
        ("MEETING w/ Dalisay: extension ok up to 3.5 m", "- extension ok up to 3.5 m"),
        ("MEETING w/ Dalisay: no dormer at the front", "- no dormer at the front"),
    ]


def test_the_bold_head_of_an_item_is_what_all_of_the_item_is_about() -> None:
    facts = of_note("# People\n- **Margot** – my manager. Hates phone calls\n- **Ishaan** – runs payroll", source_type="markdown")
    assert "People: Margot: Hates phone calls" in [fact.content for fact in facts]


def test_what_others_wrote_keeps_its_sentences() -> None:
    facts = of_note("Anna moved to Rome and bought a van. She likes pottery.", trust="document")
    assert [fact.content for fact in facts] == ["Anna moved to Rome and bought a van. She likes pottery."]


@pytest.mark.parametrize(
    ("source_type", "text"),
    [
        ("code", "def total(items):\n    # loop until i is done, dont stop\n    return sum(i for i in items)\n"),
        ("markdown", "Loops\n\n```python\nfor i in range(3):\n    x = i + 1\n```\n"),
    ],
)
def test_code_keeps_every_letter(source_type: str, text: str) -> None:
    capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID_AT, text, SAID_AT, source_type=source_type)
    found = [candidate.content for piece in segment(capture) for candidate in extract(capture, piece)]
    assert found
    assert not any(" I " in each or "don't" in each for each in found)
