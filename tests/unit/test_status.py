"""How what is said is meant: certain rules, the judge, and both over the sentence that a quote stands in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.domain.capture import Capture, Source, Trust, Turn
from lattice_common.domain.judgement import STATUSES, UTTERANCE_INTENTS, Status, UtteranceReading
from lattice_common.domain.segment import Candidate
from lattice_common.ingest.extract.status import certain, judged, with_status
from lattice_common.ingest.segment import segment
from lattice_common.language.facts.frames import FRAMES, Frame, framed
from lattice_common.language.facts.status_rules import RULES, Rule, is_usual

SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def status_in(
    text: str,
    quote: str,
    judge: ScriptedJudge | None = None,
    *,
    trust: Trust = "user",
    source: Source = "user",
    kind: str = "fact",
    turns: tuple[Turn, ...] = (),
) -> Status | None:
    """That of what one quote of a text says."""
    capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID, text, SAID, trust=trust, source=source, turns=turns)
    start = text.index(quote)
    candidate = Candidate(quote, quote, kind, "", "0", start, start + len(quote))
    piece = next(piece for piece in segment(capture) if piece.start <= start < piece.end)
    ((_, (found,)),) = with_status(capture, [(piece, (candidate,))], judge)
    return found.status


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.example)
def test_each_rule_reads_its_example(rule: Rule) -> None:
    assert certain(rule.example, rule.example) == rule.status


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leeds.",
        "Anna's birthday is the 12th of June.",
        "The dishwasher flooded the kitchen again.",
        "I told Anna that we are moving.",
        "I told her teacher we live above a shop.",
        "Dad told the kids the story of the bear.",
        "Mum told me off.",
        "Had the flu last week, we could hardly eat.",
        "I'm going to the gym.",
        "Gate code 4471#.",
        "Kemal said yes.",
        "I like tea.",
        "The book is nearly finished.",
        "I always say what I think.",
        "Ich wohne in Köln.",
    ],
)
def test_what_is_simply_so_is_asserted(text: str) -> None:
    assert certain(text, text) is None
    assert status_in(text, text) == "asserted"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I am used to the noise.", "asserted"),
        ("She's got used to driving on the left.", "asserted"),
        ("She would not eat it.", "asserted"),
        ("Had to take the bus because the Fiat wouldn't start.", "asserted"),
        ("The key wouldn't turn in the lock.", "asserted"),
        ("I would always walk to school as a kid.", "past"),
        ("When we were little, Mum would sing to us.", "past"),
        ("Grandma would bake every Saturday.", "past"),
        ("I would walk to work if it were closer.", "supposed"),
        ("If I had time I would swim every morning.", "supposed"),
        ("I would love to swim every morning.", "wished"),
        ("I could swim before I could walk.", "past"),
        ("I had a dream that I was a pilot.", "joked"),
        ("My daughter dreamt she could fly.", "joked"),
        ("Last night I dreamed of a house by the sea.", "joked"),
        ("I dream of a house by the sea.", "wished"),
        ("Had Tom known, he would have stayed.", "supposed"),
    ],
)
def test_would_and_could_and_dreams_are_told_apart(text: str, status: Status) -> None:
    assert certain(text, text) == status


@pytest.mark.parametrize(
    ("text", "quote", "status"),
    [
        ("If I won the lottery. I'd buy a boat.", "I'd buy a boat.", "supposed"),
        ("I've stopped believing in alarm clocks. Kidding.", "I've stopped believing in alarm clocks.", "joked"),
        ("Almost rang Bartosz to make up. Didn't.", "Almost rang Bartosz to make up.", "rejected"),
        ("I used to swim at the Lido, but now I cycle.", "I cycle", "asserted"),
        ("Nurse said the next jab is in six weeks. Left arm was sore.", "Left arm was sore.", "asserted"),
        ("Nurse said the next jab is in six weeks. Left arm was sore.", "Nurse said the next jab is in six weeks.", "quoted"),
        ("My tutor says that the exam is oral.", "the exam is oral", "quoted"),
        ("mum says im in bed but i wouldnt know if i had the flu", "i wouldnt know if i had the flu", "supposed"),
        ("The vet says he needs a diet, so it's Purina now.", "so it's Purina now.", "asserted"),
        ("The bus is the 43 now, till March apparently.", "The bus is the 43 now", "asserted"),
        ("The bus is the 43 now, till March apparently.", "till March apparently.", "quoted"),
        ("The bus is the 43 now, apparently.", "The bus is the 43 now", "quoted"),
        ('"I\'m off to Rome," says Kim. "I\'ve found a flat." I found hers.', '"I\'ve found a flat."', "quoted"),
        ('"I\'m off to Rome," says Kim. "I\'ve found a flat." I found hers.', "I found hers.", "asserted"),
        ('"I\'m off to Rome," I said. "I\'ve found a flat."', '"I\'ve found a flat."', "asserted"),
        ('Staff chat: "All must wear ears." April fool courtesy of Nina.', 'Staff chat: "All must wear ears."', "joked"),
        ("Email says I'm owed a refund. Aye right. Deleted it.", "Email says I'm owed a refund.", "joked"),
        ('Forwarded from Nina: "Ladies! Lose a stone in a week". No.', "Lose a stone in a week", "quoted"),
        ('Forwarded from Nina: "Ladies! Lose a stone in a week". No.', 'Forwarded from Nina: "Ladies!', "quoted"),
        ('Nina\'s boat is called "Ladies". I like it.', "I like it.", "asserted"),
        ("Told Tom he needs to get out of the house more.", "Told Tom he needs to get out of the house more.", "asserted"),
        ("mañana me hago monje y me rapo, es coña jajaja", "mañana me hago monje", "joked"),
        ("Pam swore blind it was twins.", "Pam swore blind it was twins.", "quoted"),
        ("Chefin (Frau Brandl) meint, ich krieg mehr", "Chefin (Frau Brandl) meint, ich krieg mehr", "quoted"),
        ("Oma (92) erzählt, der Pfarrer ist krank", "Oma (92) erzählt, der Pfarrer ist krank", "quoted"),
        ("Stuart is under the impression I'm having Dad here.", "Stuart is under the impression I'm having Dad here.", "quoted"),
    ],
)
def test_a_quote_is_meant_as_its_sentence_says(text: str, quote: str, status: Status) -> None:
    assert status_in(text, quote) == status


def test_what_no_rule_knows_the_judge_says() -> None:
    judge = ScriptedJudge(meant={"This queue has outlived two of my marriages.": ("tell", "joked")})
    assert (
        status_in("This queue has outlived two of my marriages.", "This queue has outlived two of my marriages.", judge)
        == "joked"
    )
    assert status_in("This queue is long.", "This queue is long.", judge) == "asserted"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Kids are at Mum's till Sunday.", "asserted"),
        ("Kids are at Mum's if she's well.", "supposed"),
        ("Kinder sind bei Oma.", "supposed"),
    ],
)
def test_what_has_no_word_of_a_condition_supposes_nothing(text: str, status: Status) -> None:
    assert judged(reading(asserted=0.2, supposed=0.7, planned=0.1), text=text, part=True) == status


@pytest.mark.parametrize(
    ("text", "joked", "status"),
    [
        ("Kuba gra na perkusji całe noce", 0.45, "asserted"),
        ("Kuba gra na perkusji całe noce", 0.6, "joked"),
        ("Kuba drums all night long", 0.45, "joked"),
    ],
)
def test_what_is_lively_in_another_language_is_no_joke_yet(text: str, joked: float, status: Status) -> None:
    assert judged(reading(asserted=0.3, joked=joked, planned=0.1), text=text) == status


def test_a_certain_rule_is_not_overruled() -> None:
    judge = ScriptedJudge(meant={"I wish I'd kept the letters.": ("tell", "asserted")})
    assert status_in("I wish I'd kept the letters.", "I wish I'd kept the letters.", judge) == "wished"


@pytest.mark.parametrize("trust", ["document", "web"])
def test_a_document_is_not_judged(trust: Trust) -> None:
    judge = ScriptedJudge(meant={"The tenant is a saint.": ("tell", "joked")})
    assert status_in("The tenant is a saint.", "The tenant is a saint.", judge, trust=trust, source="document") == "asserted"


def test_what_an_assistant_says_is_not_judged_and_what_somebody_says_to_it_is() -> None:
    judge = ScriptedJudge(meant={"Try Faro.": ("tell", "wished"), "Off to Faro.": ("tell", "planned")})
    text = "AI: Try Faro.\nMe: Off to Faro."
    turns = (Turn(4, 13, "assistant", "AI"), Turn(18, 30, "user", "Me"))
    assert status_in(text, "Try Faro.", judge, turns=turns) == "asserted"
    assert status_in(text, "Off to Faro.", judge, turns=turns) == "planned"


def test_a_question_is_not_judged() -> None:
    judge = ScriptedJudge(meant={"Who has the key?": ("tell", "joked")})
    assert status_in("Who has the key?", "Who has the key?", judge, kind="question") == "asserted"


def reading(**shares: float) -> UtteranceReading:
    return UtteranceReading(dict.fromkeys(UTTERANCE_INTENTS, 0.0), {name: shares.get(name, 0.0) for name in STATUSES}, {})


def test_a_judge_that_is_not_sure_leaves_it_asserted() -> None:
    assert judged(reading(asserted=0.65, wished=0.35), text="Ilya lives in Lisbon.") == "asserted"
    assert judged(reading(asserted=0.1, wished=0.9), text="Ilya lives in Lisbon.") == "wished"
    assert judged(reading(asserted=0.2, past=0.5, joked=0.3), text="Ilya lives in Lisbon.") == "past"


class Shown(ScriptedJudge):
    """Remembers what it was shown."""

    def __init__(self, meant: dict[str, tuple[str, str]]) -> None:
        super().__init__(meant=meant)
        self.shown: list[tuple[str, str]] = []

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        self.shown.extend(parts)
        return super().meant(parts)


def test_a_part_of_a_text_is_read_beside_the_sentences_around_it() -> None:
    judge = Shown({"she wants Skye": ("tell", "wished")})
    text = "She said yes at last. Wedding in May, she wants Skye, I book the band. Phew. The cake is Ilya's job."
    assert status_in(text, "she wants Skye", judge) == "wished"
    assert status_in(text, "I book the band", judge) == "asserted"
    around = "She said yes at last. Wedding in May, she wants Skye, I book the band. Phew."
    assert judge.shown == [(around, "she wants Skye"), (around, "I book the band")]


@pytest.mark.parametrize(
    ("text", "quote", "around"),
    [
        (
            "The shop, as Zofia sees it:\n- a zinc counter\n- closed on Mondays\n\nTo buy:\n- eggs",
            "closed on Mondays",
            "The shop, as Zofia sees it:\n- a zinc counter\n- closed on Mondays",
        ),
        ("A tale for Zofia. The toad owns a ferry. It sails. Tickets cost one secret.", "one secret", ""),
        ("One. Two. Three. Four. Five is prime.", "Five is prime.", "Two. Three. Four. Five is prime."),
        (f"{'A long sentence. ' * 30}She means it. It's hers.", "It's hers.", None),
        ("The lease ends in May.\n\nKidding.", "The lease ends in May.", "The lease ends in May."),
    ],
)
def test_what_is_read_before_a_part_ends_with_its_paragraph_and_has_little_room(
    text: str, quote: str, around: str | None
) -> None:
    judge = Shown({})
    status_in(text, quote, judge)
    [(shown, part)] = judge.shown
    assert part == (quote if around == quote else quote.rstrip("."))
    assert len(shown) <= 400
    if around is not None:
        assert shown == (around or text)


def test_what_somebody_else_says_next_is_not_read_with_a_part_of_a_turn() -> None:
    judge = Shown({})
    text = "Me: The lease ends in May. We found a flat.\nAI: Kidding?"
    turns = (Turn(4, 43, "user", "Me"), Turn(48, 56, "assistant", "AI"))
    status_in(text, "We found a flat.", judge, turns=turns)
    assert judge.shown == [("The lease ends in May. We found a flat.", "We found a flat")]


def test_a_part_may_be_hearsay_without_a_word_of_saying() -> None:
    text = "Rang the council. Bins move to Tuesdays."
    assert judged(reading(asserted=0.45, quoted=0.55), text=text) == "asserted"
    assert judged(reading(asserted=0.45, quoted=0.55), text=text, part=True) == "quoted"
    assert judged(reading(asserted=0.6, quoted=0.4), text=text, part=True) == "asserted"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("I swim at Leisureland before work.", "asserted"),
        ("I run Linux Mint on the old ThinkPad.", "asserted"),
        ("We go to my brother in Cork every Christmas.", "asserted"),
        ("My dad was a Marine.", "past"),
        ("I cooked on cargo ships, Black Star Line first, then Maersk.", "past"),
        ("My ex and I share the van.", "past"),
        ("We drove to Cork every Christmas.", "past"),
        ("Dorota isn't our cleaner any more.", "past"),
        ("Wi-fi here is called Batcave up to last week.", "past"),
        ("Nostra figlia Giulia fa il liceo.", "past"),
        ("früher Lehrer", "past"),
        ("Dawniej mieszkali tu i pracowali w hucie", "past"),
        ("I miei genitori vivevano a Lucca", "past"),
    ],
)
def test_in_english_nothing_is_over_that_has_no_word_of_the_past(text: str, status: Status) -> None:
    assert judged(reading(past=0.6, asserted=0.4), text=text) == status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("My brother Ilya lives in Lisbon.", "asserted"),
        ("Kasia says Ilya lives in Lisbon.", "quoted"),
        ("“Ilya lives in Lisbon.”", "quoted"),
        ("Mój brat twierdzi, że Ilya mieszka w Lizbonie.", "quoted"),
    ],
)
def test_in_english_nothing_is_quoted_of_which_nobody_is_said_to_have_said_it(text: str, status: Status) -> None:
    assert judged(reading(quoted=0.8, asserted=0.1, uncertain=0.1), text=text) == status


@pytest.mark.parametrize("frame", FRAMES, ids=lambda frame: frame.example)
def test_each_label_reads_its_example(frame: Frame) -> None:
    assert framed(frame.example) == frame.status


@pytest.mark.parametrize(
    ("text", "quote", "status"),
    [
        ("Wish list: a bread knife, two weeks in Orkney. The lease runs until May.", "two weeks in Orkney", "wished"),
        ("Wish list: a bread knife, two weeks in Orkney. The lease runs until May.", "The lease runs until May", "asserted"),
        ("Ideas for the garden\n- rip out the laurel\n- a pond\nThe fence was done in April.", "a pond", "supposed"),
        (
            "Ideas for the garden\n- rip out the laurel\n- a pond\nThe fence was done in April.",
            "The fence was done in April",
            "asserted",
        ),
        ("# Bucket list\n\n1. see the aurora\n2. sing at the Albert Hall", "sing at the Albert Hall", "wished"),
        ("If we move: the cat goes to Petra.", "the cat goes to Petra", "supposed"),
        ("If the lights go out: the fuse box is below the stairs.", "the fuse box is below the stairs", "asserted"),
        ("Dream last night: I was back at school.", "I was back at school", "joked"),
        ("Cancelled: Lisbon in May, the sweep. Still on: Nan's party.", "Lisbon in May", "rejected"),
        ("Cancelled: Lisbon in May, the sweep. Still on: Nan's party.", "Nan's party", "asserted"),
        ("Quote of the day: I have never regretted a swim.", "I have never regretted a swim", "quoted"),
        ("Draft, not sent: Dear Mr Okafor. I have taken a post in Derby.", "I have taken a post in Derby", "supposed"),
        ("Wish list: a bread knife, but the pan is already here.", "the pan is already here", "asserted"),
        ("Wunschliste: ein Lastenrad. Der Golf läuft noch.", "ein Lastenrad", "wished"),
        ("Annulé : le dîner chez Solène.", "le dîner chez Solène", "rejected"),
        ("Rejected parcel code: 4471", "4471", "asserted"),
        ("Address: 4 Mill Lane", "4 Mill Lane", "asserted"),
    ],
)
def test_a_label_says_how_what_stands_behind_or_below_it_is_meant(text: str, quote: str, status: Status) -> None:
    assert status_in(text, quote) == status


def test_a_label_in_a_document_is_none() -> None:
    assert status_in("Ideas: a pond by the shed.", "a pond by the shed", trust="document") == "asserted"


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("We get our veg box from Riverford.", True),
        ("We're getting the boiler serviced every May.", True),
        ("I usually walk the dog at noon.", True),
        ("We get the keys on Friday.", False),
        ("We get the keys next week.", False),
        ("We're getting a new kitchen.", False),
        ("From June on we meet every week.", False),
        ("Wir essen jeden Freitag Fisch.", False),
    ],
)
def test_what_is_usual_is_not_planned(text: str, usual: bool) -> None:
    assert is_usual(text) is usual
    assert judged(reading(planned=0.7, asserted=0.3), text=text) == ("asserted" if usual else "planned")


@pytest.mark.parametrize(
    "text", ["I'm considering a move to Leeds.", "Thinking of selling the van.", "Wir überlegen, ein Boot zu kaufen."]
)
def test_what_is_only_considered_is_supposed(text: str) -> None:
    assert status_in(text, text) == "supposed"


@pytest.mark.parametrize(
    "text",
    ["I'm thinking of you.", "I was thinking of getting a Pixel but didn't.", "Considering how old it is, the car runs well."],
)
def test_what_is_no_idea_for_oneself_is_not_supposed(text: str) -> None:
    assert certain(text, text) != "supposed"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("Samedi on est allés chez ma mère.", "asserted"),
        ("We wtorek spadłam z roweru.", "asserted"),
        ("Wir sind letzten Monat von Bonn nach Koblenz gezogen.", "asserted"),
        ("Am Donnerstag habe ich Zahnarzt.", "planned"),
        ("В субботу мы ходили в кино.", "asserted"),
        ("Nos mudamos de Sevilla a Málaga el mes pasado.", "asserted"),
        ("Nos mudamos a Málaga en mayo.", "planned"),
        ("El jueves tengo dentista.", "planned"),
        ("Le magasin est fermé dimanche.", "planned"),
    ],
)
def test_what_another_language_tells_as_past_is_no_plan(text: str, status: Status) -> None:
    assert judged(reading(asserted=0.3, planned=0.7), text=text) == status


def test_what_was_over_when_it_was_told_is_no_plan() -> None:
    moved = "Nos mudamos a Getafe el 15 de octubre."
    assert judged(reading(planned=0.7, asserted=0.3), text=moved) == "planned"
    assert judged(reading(planned=0.7, asserted=0.3), text=moved, over=True) == "asserted"
