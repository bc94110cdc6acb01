"""Words that say nothing alone stay with what they are about, and nobody is said to have done what was done to them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from lattice_common.domain.capture import Capture
from lattice_common.ingest.prove import atoms_of, parts_of, prove
from lattice_common.language.sentences.how_it_was import says_how_it_was

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "words",
    [
        "Took me ages. 7/10",
        "Cost us 89 quid.",
        "Made me cry.",
        "A bit salty.",
        "Bit thin, wouldn't buy it again.",
        "Much firmer than the old one.",
        "Way too sweet.",
        "£900 cheaper.",
        "Same rate as before.",
        "20 minutes longer.",
        "Ended up paying 425 with the mirror.",
        "Cost 90 in the end.",
        "Only paid 12.50.",
        "3 times a week with Bea from the choir.",
        "Twice a month.",
        "We do Mondays and Wednesdays.",
    ],
)
def test_what_was_spoken_of_before_is_the_subject(words: str) -> None:
    assert says_how_it_was(words)


@pytest.mark.parametrize(
    "words",
    [
        "Read me the list.",
        "Paid 425 for the van.",
        "Twice a week we swim.",
        "We do Lego on Mondays.",
        "Paid the window cleaner 12.",
        "Put me down for Saturday.",
        "Really enjoyed the film.",
        "A bit of rain fell on the tent.",
        "Very few people came.",
        "Way past ten we were still there.",
        "£900 for the boiler.",
        "Took the train to Bath.",
        "Much of it is Ada's.",
    ],
)
def test_what_has_a_subject_or_an_order_stands_alone(words: str) -> None:
    assert not says_how_it_was(words)


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ('Finished "The Dispossessed". Took me ages. 7/10', ['Finished "The Dispossessed". Took me ages. 7/10']),
        ("Had dinner at Nando's with Priya. A bit salty.", ["Had dinner at Nando's with Priya. A bit salty."]),
        ("Window cleaner came, paid him 15 in cash.", ["Window cleaner came, paid him 15 in cash."]),
        (
            "The Samsung went in the bin, bought a Pixel off my brother.",
            ["The Samsung went in the bin", "bought a Pixel off my brother."],
        ),
        ("Nearly picked chemistry but went with geology.", ["Nearly picked chemistry", "went with geology."]),
        ("Nearly fell and broke my leg.", ["Nearly fell and broke my leg."]),
        ("We almost took the unit, but the rent was silly.", ["We almost took the unit", "the rent was silly."]),
        ("I used to want two shops. These days one is plenty.", ["I used to want two shops.", "These days one is plenty."]),
        ("Might drop French. Haven't decided. I keep German.", ["Might drop French. Haven't decided.", "I keep German."]),
        ("My neighbour Geoffrey keeps bees. He is 81.", ["My neighbour Geoffrey keeps bees.", "Geoffrey is 81."]),
        ("Had the move gone ahead, I would be in Hull.", ["Had the move gone ahead, I would be in Hull."]),
        ("Tom met Ben in Bath and gave him a key.", ["Tom met Ben in Bath", "Tom gave him a key."]),
        ("Leo's shoe size is 31 now, Freya is still 26.", ["Leo's shoe size is 31 now", "shoe size: Freya is still 26."]),
        ("My salary is 54k, Jen's on 61k.", ["My salary is 54k", "salary: Jen's on 61k."]),
        ("My brother is 31 now, Freya is 26.", ["My brother is 31 now", "Freya is 26."]),
        ("Orbit renewed until June! Same rate.", ["Orbit renewed until June (June 2026)! Same rate."]),
        ("Leo has a milk allergy, says the doctor.", ["Leo has a milk allergy, says the doctor."]),
        ("Jonas hat Laktoseintoleranz, sagt der Arzt.", ["Jonas hat Laktoseintoleranz, sagt der Arzt."]),
        ("Jan heeft een allergie, zegt de dokter.", ["Jan heeft een allergie, zegt de dokter."]),
        ("Je bosse chez Airbus, mon chef s'appelle Marc.", ["Je bosse chez Airbus", "mon chef s'appelle Marc."]),
        ("Je bosse chez Airbus et ma femme chez Safran.", ["Je bosse chez Airbus et ma femme chez Safran."]),
        ("They may close the pool. We'll see.", ["They may close the pool."]),
        ("Inge zieht nach Graz. Mal sehen.", ["Inge zieht nach Graz."]),
        ("Marco si sposa. Mah.", ["Marco si sposa."]),
        ("We'll see Tom on Friday.", ["We'll see Tom on Friday (6 March 2026)."]),
        (
            "Mein Bruder fährt jetzt einen Skoda, ich weiter den alten Polo.",
            ["Mein Bruder fährt jetzt einen Skoda", "ich weiter den alten Polo."],
        ),
        ("Mon frère roule en Dacia, moi toujours ma 206.", ["Mon frère roule en Dacia", "moi toujours ma 206."]),
        ("Mi hermano tiene un Dacia, yo sigo con el Ibiza.", ["Mi hermano tiene un Dacia", "yo sigo con el Ibiza."]),
        ("Mio fratello ha una Dacia, io sempre la Punto.", ["Mio fratello ha una Dacia", "io sempre la Punto."]),
        ("Tom called, says he's fine.", ["Tom called", "Tom says he's fine."]),
        (
            "Harvest supper: 60 tickets sold. Reverend Achebe carves. My crumbles feed ten each.",
            ["Harvest supper: 60 tickets sold.", "Harvest supper: Reverend Achebe carves.", "My crumbles feed ten each."],
        ),
        ("Rumour: it closes. Ben has the key. The gate sticks.", ["Rumour: it closes.", "Ben has the key.", "The gate sticks."]),
        (
            "Started with a running club, Canalside Harriers. Meets Tuesdays at the lock, coach is called Femi.",
            [
                "Started with a running club, Canalside Harriers.",
                "Canalside Harriers: Meets Tuesdays at the lock",
                "Canalside Harriers: coach is called Femi.",
            ],
        ),
        (
            "Met Ana for coffee. She's moving to Porto. Her landlord is selling.",
            ["Met Ana for coffee.", "Ana's moving to Porto.", "Ana's landlord is selling."],
        ),
        (
            "Took Rex to the vet. Bill came to 120. He weighs 31 kg.",
            ["Took Rex to the vet.", "Rex: Bill came to 120. He weighs 31 kg."],
        ),
        ("The start date is 1 March 2027, salary 46k.", ["The start date is 1 March 2027, salary 46k."]),
        ("Dentist: card only. Reverend Achebe carves.", ["Dentist: card only.", "Reverend Achebe carves."]),
        (
            "Shopping: milk.\nReverend Achebe carves.\nThe gate sticks.",
            ["Shopping: milk.", "Reverend Achebe carves.", "The gate sticks."],
        ),
        (
            "Hargreave says Biscuit needs to lose 3 kilos. He was 31.",
            ["Hargreave says Biscuit needs to lose 3 kilos. He was 31."],
        ),
        ("Terry fixed it, doesn't do weekends.", ["Terry fixed it, doesn't do weekends."]),
        ("Bea's back running, we do Mondays.", ["Bea's back running, we do Mondays."]),
        (
            "Theo handed in his notice, last day is the 30th.",
            ["Theo handed in his notice", "Theo: last day is the 30th (30 March 2026)."],
        ),
        (
            "Stall 44, fruit market. Ozlem does the olives. Rent went up to 45.",
            ["Stall 44, fruit market.", "Stall 44: Ozlem does the olives.", "Stall 44: Rent went up to 45."],
        ),
        (
            "Mum rang. Her knee is better. Rent went up to 700.",
            ["Mum rang.", "Mum's knee is better.", "Mum: Rent went up to 700."],
        ),
        ("Domain renewed at Porkbun until 3 March 2028. Was 9.73.", ["Domain renewed at Porkbun until 3 March 2028. Was 9.73."]),
        ("Lost Ben's kit. New one ordered, size 9.", ["Lost Ben's kit. New one ordered, size 9."]),
        ("Broke the zigbee stick. New one: Sonoff, channel 20.", ["Broke the zigbee stick. New one: Sonoff, channel 20."]),
        ("Anna's pregnant! Due in May.", ["Anna's pregnant!", "Anna: Due in May (May 2026)."]),
        ("Shoulder's worse. Scan at Kaiser at 3pm.", ["Shoulder's worse.", "Shoulder: Scan at Kaiser at 3pm."]),
        (
            "Kiln log. Cone 6 reached at 4pm. Glaze is celadon.",
            ["Kiln log: Cone 6 reached at 4pm.", "Kiln log: Glaze is celadon."],
        ),
        (
            "Dana wants me to lead the rewrite. Currently at 142k.",
            ["Dana wants me to lead the rewrite. Currently at 142k."],
        ),
        ("Pi-hole runs on the Pi. Upstream is Quad9.", ["Pi-hole runs on the Pi.", "Pi-hole: Upstream is Quad9."]),
        (
            "Mr Hsu has moved to Leeds, so piano's with Mrs Varga now.",
            ["Mr Hsu has moved to Leeds", "piano's with Mrs Varga now."],
        ),
        ("Lena quit. Her last day's the 27th.", ["Lena quit.", "Lena's last day's the 27th (27 March 2026)."]),
        (
            "Omas Haus ist verkauft, 285.000. Käufer ist eine Familie aus Krefeld.",
            ["Omas Haus ist verkauft, 285.000.", "Omas Haus: Käufer ist eine Familie aus Krefeld."],
        ),
        (
            "Hab bei der Stadtbibliothek angefangen. Chefin ist Frau Reinders.",
            ["Hab bei der Stadtbibliothek angefangen.", "Stadtbibliothek: Chefin ist Frau Reinders."],
        ),
        (
            "Wohnung in der Gartenstraße ist zugesagt. Kaution 2.400.",
            ["Wohnung in der Gartenstraße ist zugesagt.", "Wohnung in der Gartenstraße: Kaution 2.400."],
        ),
        (
            "Wir haben den Stromanbieter gewechselt. Abschlag 96 Euro.",
            ["Wir haben den Stromanbieter gewechselt.", "Stromanbieter: Abschlag 96 Euro."],
        ),
        ("Wir haben Tom getroffen. Adresse ist Hauptstraße 4.", ["Wir haben Tom getroffen.", "Adresse ist Hauptstraße 4."]),
        ("Ich war beim Zahnarzt. Rechnung kommt per Post.", ["Ich war beim Zahnarzt.", "Rechnung kommt per Post."]),
        ("Would I go again? No.", ["Would I go again? No."]),
        (
            "Mia ist jetzt in der 3b. Ihre Lehrerin heißt Frau Behrendt.",
            ["Mia ist jetzt in der 3b.", "Mia: Ihre Lehrerin heißt Frau Behrendt."],
        ),
        (
            "Moritz hat Nierenprobleme. Trockenfutter darf er nicht mehr bekommen.",
            ["Moritz hat Nierenprobleme.", "Moritz: Trockenfutter darf er nicht mehr bekommen."],
        ),
        (
            "porto war traumhaft. zuhause hab ich dann mit tim schluss gemacht",
            ["porto war traumhaft.", "zuhause hab ich dann mit tim schluss gemacht"],
        ),
        ("mama wird am 3. 60, ich back ihr ne torte", ["mama wird am 3. (3 April 2026) 60, ich back ihr ne torte"]),
        ("Zügeln geschafft! Wohnen jetzt in Seuzach", ["Zügeln geschafft!", "Wohnen jetzt in Seuzach"]),
        ("Is the boiler fixed? Yes! It cost 120.", ["Is the boiler fixed? Yes! It cost 120."]),
    ],
)
def test_each_memory_says_what_it_is_about(text: str, contents: list[str]) -> None:
    capture = Capture("0" * 26, SAID_AT, text, SAID_AT, source="user", trust="user", source_type="plain")
    proved = [prove(capture, part) for part in parts_of(capture)]
    assert [atom.content for each in proved for atom in atoms_of(capture, each, ordinal=0, seq=0)] == contents


@pytest.mark.parametrize(
    "text",
    [
        "Mate's cabin: shared with Zurab. Company pays on the first. Got August's today, the 19th of September.",
        "Activities board, Willow Wing. Bingo Tuesday, chair yoga Wednesday, then the donkey. Chaplain's retiring in May.",
        "Mum rang. Her knee is better. Rent is going up to 700.",
        "Cast off Friday, arm thin as a breadstick. Fell off the library ladder, that's the true version. Splint at night.",
        "Petra had the scan, it's twins. Due date moved to 9 January, next scan is on Tuesday. She was at work till Friday.",
    ],
)
def test_no_sentence_is_lost_below_what_it_is_about(text: str) -> None:
    capture = Capture("0" * 26, SAID_AT, text, SAID_AT, source="user", trust="user", source_type="plain")
    proved = [prove(capture, part) for part in parts_of(capture)]
    kept = [atom.source_span for each in proved for atom in atoms_of(capture, each, ordinal=0, seq=0)]
    said = {at for at, char in enumerate(text) if char.isalnum()}
    assert said <= {at for span in kept for at in range(span.start, span.end)}
