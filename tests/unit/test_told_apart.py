"""What is said of one of several things of a kind makes nothing untrue that was said of another."""

from __future__ import annotations

import pytest
from lattice_common.language.claims.told_apart import are_told_apart, is_of_another_name


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Locker 107: tiles", "Locker 104: lamps"),
        ("Shelf number 5 carries seeds.", "Shelf number 4 carries lamps."),
        ("Shelf #5 carries seeds.", "Shelf no. 4 holds lamps."),
        ("Hive 8 has 10 frames.", "Hive 6 has 8 frames."),
        ("Bus 14 leaves at 8:25.", "Bus 12 leaves at 8:10."),
        ("Flat 3C belongs to the Hahns.", "Flat 3B belongs to Mrs Okafor."),
        ("The gate B2 is for Oslo.", "The gate A4 is for Lisbon."),
        ("Die Wohnung 5 gehört Meier.", "Die Wohnung 4 gehört Schulz."),
        ("Room 12 is painted red.", "Room 9 is painted blue."),
        ("The parcel 8812 for Ana was sent on Monday.", "The parcel 8733 for Ana was sent in May."),
        ("Order KT-70211 is paid.", "Order KT-70198 is open."),
        ("2025: 2950 kWh", "2024: 3100 kWh"),
        ("May: 21 euros gas", "April: 28 euros gas"),
        ("May 2026: 21 euros", "May 2025: 28 euros"),
        ("Thursday (3 December 2026): pilates", "Monday (30 November 2026): gym"),
        ("Donnerstag: Chor", "Montag: Sport"),
        ("Dinner: dumplings", "Lunch: soup"),
        ("Abendessen: Suppe", "Frühstück: Brei"),
        ("Right rack: Merlot", "Left rack: Rioja"),
        ("The bottom drawer has string.", "The top drawer has batteries."),
    ],
)
def test_two_things_of_a_kind_are_told_apart_by_their_numbers(newer: str, older: str) -> None:
    assert are_told_apart(newer, older)


@pytest.mark.parametrize(
    ("newer", "older"),
    [
        ("Locker 104: tiles", "Locker 104: lamps"),  # the same one
        ("Shelf 5 carries seeds.", "Box 4 carries lamps."),  # of another kind
        ("Room 12 is my office.", "Room 9 is my office."),  # the same said of another
        ("Bus 14 takes me to work now.", "Bus 12 stops at the school."),  # so now
        ("I moved to room 12.", "I am in room 9."),  # a number that is told, not one that names
        ("My rent is 950 euros.", "My rent is 890 euros."),
        ("Rent 950 euros monthly", "Rent 890 euros weekly"),
        ("Weight 82 kilos this morning", "Weight 81 kilos after the run"),
        ("I have 4 kids and a dog.", "I have 3 kids."),
        ("The code is 4471.", "The code is 9926#."),
        ("Gate 4471#", "Gate 9926#"),
        ("Mia is in year 9.", "Mia is in year 8."),
        ("Wednesday is a day off.", "Friday is a day off."),
        ("Flat 7 is where I live.", "Flat 3 is my home."),  # of whoever tells it
        ("Room 12 belongs to us.", "Room 9 is our office."),
        ("Version 5 is installed on the NAS.", "Version 4 runs on the NAS."),  # one follows upon another
        ("Year 10 starts for Leo in September.", "Year 9 is hard for Leo."),
        ("Thursday: gym", "Monday: gym"),
        ("Monday: swimming", "Monday: gym"),
        ("The left drawer has string.", "The top drawer has batteries."),  # perhaps the same one
    ],
)
def test_a_number_that_is_told_names_nothing(newer: str, older: str) -> None:
    assert not are_told_apart(newer, older)


@pytest.mark.parametrize(
    ("newer", "first", "other", "another"),
    [
        (
            "Freya moved up to stage 1, now Sundays at 9.",
            "Swimming lessons: Freya ducklings Saturdays 10:15",
            "Swimming lessons: Leo stage 4 Saturdays 9:30",
            True,
        ),
        ("Ada starts school in May.", "Ada goes to Poppies nursery.", "Ben goes to Poppies nursery.", True),
        ("Ada and Ben left Poppies.", "Ada goes to Poppies nursery.", "Ben goes to Poppies nursery.", False),  # names both
        ("Tunde takes over the ward.", "Pauline runs the ward.", "Marcus does the rota.", False),  # about neither
        ("We're under Dr Brandt now.", "Our GP is Dr Farooqi.", "Our dentist is Dr Lowe.", False),
    ],
)
def test_news_of_somebody_by_name_says_nothing_of_somebody_else(newer: str, first: str, other: str, another: bool) -> None:
    assert is_of_another_name(newer, first, other) is another
