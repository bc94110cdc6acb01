"""What is said of a part or value alone stands below whom or what it belongs to, where that is clear."""

from __future__ import annotations

import pytest
from lattice_common.language.sentences.belonging import belongs, owner


@pytest.mark.parametrize(
    ("before", "words", "whose"),
    [
        ("Theo handed in his notice", "last day is the 30th.", "Theo"),
        ("Petra had the scan.", "Due date moved to 9 January.", "Petra"),
        ("Supplier is Hobart", "contact there is a Mr Quill.", "Hobart"),
        ("Card reader switched from SumUp to Square.", "Fee is 1.75 percent.", "Square"),
        ("Wedding cake order for the Pattersons, three tiers", "Deposit 120 paid.", "Pattersons"),
        ("My bike got nicked from outside the library", "frame number was WX-88213.", "bike"),
        ("The new boiler is in.", "Warranty is 10 years.", "new boiler"),
        ("New oven arrives on the 17th.", "Supplier is Hobart", "oven"),
        ("Our new dentist is Dr Roth.", "Phone is 0114 555 0182", "Dr Roth"),
        ("We moved to Leeds in May.", "The rent is 900", "Leeds"),
        ("Dad's new flat is in Bramley.", "Rent is 700", "Dad's new flat"),
        ("Mum's carer is now Lorraine.", "Phone is 07700 900123.", "Mum's carer"),
        ("We got a puppy called Biscuit!", "Breed is a spaniel cross.", "puppy called Biscuit"),
        ("Signed the lease for the studio on Carver Lane.", "deposit was 975.", "studio on Carver Lane"),
        ("Ruby's school is now Fernhill High.", "Form tutor is Ms Okafor.", "Ruby's school"),
        ("Ruby has been diagnosed with coeliac disease.", "Consultant is Dr Blom", "Ruby"),
        ("I start at Orbit on Monday.", "Manager is Lena.", "Orbit"),
        ("Bought a second-hand cello for the lessons.", "Price was 640.", "second-hand cello"),
        ("Nan's hearing aids came.", "Battery lasts about a week, size 312.", "Nan's hearing aids"),
        ("The Skoda got a flat", "new tyre was 168.", "Skoda"),
        ("Biscuit ate a sock.", "Op cost 1,900.", "Biscuit"),
        ("Picked up the new car, a Skoda Enyaq.", "Lease is 412 a month.", "new car"),
        ("Dad's been diagnosed with Parkinson's.", "His neurologist is Dr Achterberg.", "Dad"),
        ("Sara's teaching Year 4 this term.", "Her last day is in July.", "Sara"),
        ("Lunch at Nando's.", "Bill was 54.", "Nando's"),
        ("Ana's moving to Porto.", "Her landlord is selling.", "Ana"),
        ("Jo's lost her phone", "new number is 07700 900888.", "Jo"),
        ("Swapped the Golf for an Ioniq.", "Range is 300 miles.", "Ioniq"),
        ("Ben's back from Kenya.", "Flight number was KQ100.", "Ben"),
        ("Bought a cello off Gumtree.", "Price was 640.", "cello"),
        ("Got a letter from HMRC.", "Reference number is 55/AB123.", "letter from HMRC"),
        ("Took Rex to the vet.", "Bill came to 120.", "Rex"),
        ("Cancelled the gym at Pulse.", "Last payment goes out on 1 November.", "gym at Pulse"),
    ],
)
def test_what_it_belongs_to_is_what_was_just_named(before: str, words: str, whose: str) -> None:
    assert owner(words, before) == whose


@pytest.mark.parametrize(
    ("before", "words"),
    [
        ("Handed in my notice.", "Last day is the 30th."),  # the writer's
        ("I met Theo today.", "Last day is the 30th."),  # of the job, not of him
        ("Had lunch with Tom.", "Password is tulip42."),
        ("Had lunch with Tom.", "Rent is 900."),
        ("Picked up the keys from Tom.", "Rent is due on the 1st."),
        ("Met the neighbours, Priya and Tom.", "Number is 34."),
        ("Meets Tuesdays at the lock", "coach is called Femi."),
        ("Priya is leaving.", "Budget is 40k."),
        ("Dad met Ana at work.", "Her boss is Lena."),
        ("Anna and Ben got married.", "Venue was Kew."),
        ("My salary is 42k.", "Rent is 900."),
        ("The council gave us plot 14.", "Fee is 40 a year."),
        ("My sister came by.", "Rent is 900."),
        ("I asked about the course.", "Price is 300."),
    ],
)
def test_what_belongs_to_nobody_named_stays_as_it_was_said(before: str, words: str) -> None:
    assert belongs(words)
    assert owner(words, before) is None


@pytest.mark.parametrize(
    "words",
    [
        "My last day is the 30th.",
        "Rent for the flat is 900.",
        "Our deposit was 1,350.",
        "Manager asked me to stay late.",
        "Delivery drivers leave it at number 9.",
        "The dog is called Bello.",
        "Phone Dad on Sunday.",
        "Price we paid was 300.",
        "Tom is 31.",
        "Mum is 70.",
    ],
)
def test_what_says_of_what_it_is_needs_no_owner(words: str) -> None:
    assert not belongs(words)
