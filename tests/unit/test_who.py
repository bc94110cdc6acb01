"""Who is who, read from single statements, and what all of them say together."""

from __future__ import annotations

import itertools
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from lattice_common.domain.atom import Atom, Span
from lattice_common.domain.judgement import Status
from lattice_common.language.people import Register, ties_by
from lattice_common.language.people.phrases import path_of
from lattice_common.language.people.spelling import Spellings
from lattice_common.language.people.tie import mentions_by, ties_from, ties_text
from lattice_common.language.people.words import without_article

DAY = 86_400.0


def atom(content: str, day: int = 1, *, status: Status = "asserted", **fields: object) -> Atom:
    said = datetime(2025, 1, 1, tzinfo=UTC).replace(month=(day - 1) // 28 + 1, day=(day - 1) % 28 + 1)
    made = Atom(f"atom{day}", content, "fact", "", "capture", content, Span(0, len(content)), said, said, status=status)
    return replace(made, **fields)  # type: ignore[arg-type]  # fields of an atom


def told(content: str, **fields: object) -> list[str]:
    """Each tie as `name how path`."""
    found = ties_by(atom(content, **fields))  # type: ignore[arg-type]  # fields of an atom
    return [f"{tie.name} {tie.how} {tie.other or f'{tie.holder}/{tie.role}'}" for tie in found]


@pytest.mark.parametrize(
    ("content", "ties"),
    [
        ("Waffles, Dana's terrier, ate my shoe.", ["Waffles is dana/terrier"]),
        ("My brother Ilya lands on Friday.", ["Ilya is me/brother"]),
        ("Ilya is my brother.", ["Ilya is me/brother"]),
        ("Ilya (my brother) called.", ["Ilya is me/brother"]),
        ("Dr. Roth, dentist, tel. 030 1234", ["Dr. Roth is ?/dentist"]),
        ("Our dentist is now Dr. Adeyemi.", ["Dr. Adeyemi is me/dentist"]),
        ("New dentist: Dr Adeyemi, round the corner.", ["Dr Adeyemi is me/dentist"]),
        ("New GP is Dr Lim.", ["Dr Lim is me/doctor"]),
        ("Switched to a new vet, Dr Pascoe.", ["Dr Pascoe is me/vet"]),
        ("My boss at Airbus is called Henk.", ["Henk is me/boss"]),
        ("Mein Chef bei Bosch heißt Uwe.", ["Uwe is me/boss"]),
        ("Our neighbour at number 12 is Mrs Pym.", ["Mrs Pym is me/neighbour"]),
        ("Kai's teacher this year is Frau Lohse.", ["Frau Lohse is kai/teacher"]),
        ("My best mate Will runs a bike shop.", ["Will is me/friend"]),
        ("We chose Adeyemi as our dentist.", ["Adeyemi is me/dentist"]),
        ("grandpa (Walter) turns 80 in May", ["Walter is me/grandfather"]),
        ("Uncle Bob sold his boat.", ["Bob is me/uncle"]),
        ("Our Skoda Octavia passed the inspection.", ["Skoda Octavia is me/car"]),
        ("I bought a Skoda Octavia.", ["Skoda Octavia is me/car"]),
        ("Our car is a Skoda.", ["Skoda is me/car"]),
        ("Nele's landlord, Mr. Kovac, raised the rent.", ["Mr. Kovac is nele/landlord"]),
        ("The landlord of Nele is called Kovac.", ["Kovac is nele/landlord"]),
        ("My brother's wife Tanja is pregnant.", ["Tanja is me/brother/wife"]),
        ("Dana and her terrier Waffles came by.", ["Waffles is dana/terrier"]),
        ("We adopted a cat called Miso.", ["Miso is me/cat"]),
        ("Dana adopted a beagle called Rex.", ["Rex is dana/beagle"]),
        ("My piano teacher is Mrs. Lindqvist.", ["Mrs. Lindqvist is me/teacher"]),
        ("My sons Tim and Leo play chess.", ["Tim is me/son", "Leo is me/son"]),
        ("My old boss Petra left the company.", ["Petra was me/boss"]),
        ("We switched dentists from Dr. Roth to Dr. Adeyemi.", ["Dr. Roth was me/dentist", "Dr. Adeyemi is me/dentist"]),
        ("The user's brother Ilya lives in Riga.", ["Ilya is me/brother"]),
        ("My brother in Trondheim is a vet.", []),
        ("My aunt in York is Rosa's godmother.", []),
        ("My boss at Airbus is Dutch.", []),
        ("I work at Siemens.", ["Siemens is me/employer"]),
        ("Picked up a whippet puppy! Her name's Biscuit and she is two.", ["Biscuit is me/greyhound"]),
        ("Wir haben einen Kater geholt, er heißt Momo.", ["Momo is me/cat"]),
        ("My brother has a dog now, he's called Otto.", ["Otto is ?/dog"]),
        ("We got a kitten from the shelter, her name is Miso.", ["Miso is me/cat"]),
        ("We adopted a greyhound and named him Dash.", ["Dash is me/greyhound"]),
        ("Got a hamster for Ada. She called it Nugget.", ["Nugget is me/hamster"]),
        ("Paloma had the baby early: a boy, Rafael, 2.9 kilos.", ["Rafael is paloma/child"]),
        ("The landlord is a Mr Adeyemi.", ["Mr Adeyemi is */landlord"]),
        ("Unsere Hautärztin, Dr. Mansouri, hat eine Salbe verschrieben.", ["Dr. Mansouri is me/dermatologist"]),
        ("My best friend from uni, Sanne, lives in Ghent.", ["Sanne is me/friend"]),
        ("My bank is ING.", ["ING is me/bank"]),
        ("My phone is OK.", []),
        ("Met my new manager today, Leila Haddad.", ["Leila Haddad is me/boss"]),
        ("The plumber, a chap called Geoff, wants 80 an hour.", ["Geoff is */plumber"]),
        ("My physio is someone called Aoife.", ["Aoife is me/physiotherapist"]),
        ("Mum's partner is called Derek.", ["Derek is me/mother/partner"]),
        ("My twin brother, Kit, moved to Oslo.", ["Kit is me/brother"]),
        ("We have two cats, Miso and Pickle.", ["Miso is me/cat", "Pickle is me/cat"]),
        ("We have two kids: Ada (7) and Otto (4).", ["Ada is me/child", "Otto is me/child"]),
        ("I married Ifeoma in 2015.", ["Ifeoma is me/partner"]),
        ("We got a kitten for Ada, her name is Miso.", ["Miso is me/cat"]),
        ("My sister came from Leeds, Bath and York.", []),
        ("I took the dog to the vet today, Friday.", []),
        ("Tom married Ifeoma in 2015.", []),
        ("The boy called Ada.", []),
        ("Katharina (Kathi) moved to Bern.", ["Katharina same Kathi"]),
        ("Everyone calls Alexander Sasha.", ["Alexander same Sasha"]),
        ("We call Ilya Ilyusha, even at work.", ["Ilya same Ilyusha"]),
        ("Mum calls Katharina Kathi.", ["Katharina same Kathi"]),
        ("Dana called Robert Bob.", ["Robert same Bob"]),
        ("Ilya, called Ilyusha, plays the cello.", ["Ilya same Ilyusha"]),
        ("Katharina is called Kathi.", ["Katharina same Kathi"]),
        ("Kathi is short for Katharina.", ["Kathi same Katharina"]),
        ("We call the summer house Moominhouse.", ["Moominhouse same summer house"]),
        ("GTD stands for getting things done.", ["GTD same getting things done"]),
        ("The homeowners association (HA) met on Monday.", ["HA same homeowners association"]),
        ("Our HA (homeowners association) met on Monday.", ["HA same homeowners association"]),
        ("We called the police station on Monday.", []),
        ("NATO means a lot to him.", []),
        ("Mein Bruder Ilya landet am Freitag.", ["Ilya is me/brother"]),
        ("Danas Terrier heißt Waffles.", ["Waffles is dana/terrier"]),
        ("Meine Frau Anna hat Geburtstag.", ["Anna is me/wife"]),
        ("Mon frère Paul arrive demain.", ["Paul is me/brother"]),
        ("Mi hermana Lucía vive en Burgos.", ["Lucía is me/sister"]),
        ("Mio fratello Paolo arriva domani.", ["Paolo is me/brother"]),
        ("Wife Denise, married 31 years", ["Denise is me/wife"]),
        ("Son Brandon's at FSU.", ["Brandon is me/son"]),
        ("Boss: Annemiek de Wit.", ["Annemiek de Wit is me/boss"]),
        ("roommate is Luis Arce, he's from El Paso", ["Luis Arce is me/flatmate"]),
        ("dog is Pickle, staffy cross, 4 years old", ["Pickle is me/dog"]),
        ("Our kids: Aoife is 11", ["Aoife is me/child"]),
        ("Our kids are Aoife (11) and Cian (8).", ["Aoife is me/child", "Cian is me/child"]),
    ],
)
def test_a_statement_says_who_somebody_is(content: str, ties: list[str]) -> None:
    assert told(content) == ties


@pytest.mark.parametrize(
    "content",
    [
        "My brother is Dutch.",
        "When I told my sister, Dana laughed.",
        "My wife and I went to Rome.",
        "My friend from Riga called.",
        "My sister Monday lessons",
        "Frau Müller rief an.",
        "Nurse Joy called.",
        "Landlord called on Monday.",
        "The nurse: Monday is fine.",
        "Riga (Latvia) is cold.",
        "Buy milk, bread, eggs.",
        "I need to call Paul Weber about the gold box before 14 January.",
        "Call Paul Weber.",
        "Please call Paul Weber.",
        "We called Paul Weber.",
        "We call Anna Hoffmann on Sundays.",
        "On Mondays we call Anna Hoffmann.",
        "I am called Paul Weber.",
        "The street is called Abbey Road.",
        "Dana calls Paul Weber.",
        "Anna called Ben yesterday.",
    ],
)
def test_other_statements_say_nothing_of_who_is_who(content: str) -> None:
    assert told(content) == []


def test_what_is_only_wished_or_passed_on_makes_nobody_anybody() -> None:
    assert told("Dr. Adeyemi is our new dentist.", status="wished") == []
    assert told("Dr. Adeyemi is our new dentist.", status="quoted") == []
    assert told("Dr. Roth is our dentist.", status="past") == ["Dr. Roth was me/dentist"]


def test_who_says_something_is_who_they_are_whatever_they_say() -> None:
    assert told("Our paediatrician, Dr Low, thinks he is fine.", status="quoted") == ["Dr Low is me/pediatrician"]
    assert told("Der Kinderarzt, Dr. Weber, meint, Jonas wächst gut.", status="quoted") == ["Dr. Weber is */pediatrician"]
    assert told("Ilya says our new dentist is Dr Adeyemi.", status="quoted") == []


def test_what_is_mine_in_a_conversation_is_the_speakers() -> None:
    assert told("My sister Petra won.", metadata={"speaker": "Dana"}) == ["Petra is dana/sister"]


def test_what_is_mine_in_a_document_is_nobodys_that_is_known() -> None:
    assert told("My brother Ilya wrote this. Dana's terrier Waffles bit him.", trust="document") == ["Waffles is dana/terrier"]


def test_an_atom_mentions_roles_in_the_same_words_in_every_language() -> None:
    assert mentions_by(atom("My brother's wife called.")) == ("my brother", "my brother's wife")
    assert mentions_by(atom("Mein Bruder kommt morgen.")) == ("my brother",)


def test_ties_are_read_back_as_they_were_kept() -> None:
    ties = ties_by(atom("Our dentist until April was Dr. Roth.", 40))
    assert ties_from(ties_text(ties)) == ties
    assert ties[0].until is not None


def register(*contents: str) -> Register:
    made = Register()
    for day, content in enumerate(contents, start=1):
        made.put(f"atom{day}", day * DAY, ties_by(atom(content, day)))
    made.publish()
    return made


def current(_atom_id: str) -> None:
    return None


def held(made: Register, path: str, day: float | None = None) -> list[str]:
    return [entity.name for entity in made.holders(path, current, None if day is None else day * DAY)]


DENTISTS = ("Our dentist is Dr. Roth.", "I saw Roth.", "Our new dentist is Dr. Adeyemi.")


def test_of_what_there_is_one_at_a_time_the_next_ends_the_one_before() -> None:
    made = register(*DENTISTS)
    assert held(made, "me/dentist", 10) == ["Dr. Adeyemi"]
    assert held(made, "me/dentist", 2) == ["Dr. Roth"]
    assert held(made, "me/dentist") == ["Dr. Adeyemi", "Dr. Roth"]
    roth = made.entity("Roth", current)
    assert roth is not None
    assert [(role.phrase, role.since, role.until, role.proofs) for role in roth.roles] == [
        ("my dentist", DAY, 3 * DAY, ("atom1",))
    ]


def test_brothers_are_brothers_at_the_same_time() -> None:
    made = register("My brother Ilya called.", "My brother Pavel called.")
    assert sorted(held(made, "me/brother", 10)) == ["Ilya", "Pavel"]


def test_what_is_a_terrier_is_a_dog_and_a_pet() -> None:
    made = register("Waffles, Dana's terrier, barks.")
    assert held(made, "dana/dog") == held(made, "*/pet") == held(made, "dana/terrier") == ["Waffles"]
    assert held(made, "dana/cat") == held(made, "nele/dog") == []


def test_roles_follow_roles_through_names_and_the_other_way_round() -> None:
    made = register(
        "My brother Ilya called.", "Ilya's wife is called Tanja.", "My sister's landlord is Mr. Kovac.", "My sister Ada."
    )
    assert held(made, "me/brother/wife") == ["Tanja"]
    assert held(made, "ada/landlord") == ["Mr. Kovac"]


def test_a_gym_of_which_nobody_says_whose_it_is_is_the_owners() -> None:
    made = register("I go to the gym Iron Temple.", "The plumber, a chap called Geoff, wants 80 an hour.")
    assert held(made, "me/gym") == ["Iron Temple"]
    assert held(made, "dana/gym") == held(made, "me/plumber") == []
    assert held(register("I go to the gym Iron Temple.", "Dana's gym is called Fit Barn."), "me/gym") == ["Iron Temple"]
    assert held(register("I go to the gym Iron Temple.", "Our gym is called Fit Barn."), "me/gym") == ["Fit Barn"]


def test_a_thing_is_known_by_its_name_with_an_article() -> None:
    assert [without_article(each) for each in ("the Skoda", "Our Skoda", "der Skoda", "The", "Skoda Octavia")] == [
        "Skoda", "Skoda", "Skoda", "The", "Skoda Octavia",
    ]  # fmt: skip


def test_whoever_has_something_is_somebody() -> None:
    made = register("Waffles, Dana's terrier, barks.")
    assert [(each.name, each.kind) for each in made.entities(current)] == [("Dana", "person"), ("Waffles", "animal")]


def test_a_part_of_a_name_is_the_whole_where_only_one_has_it() -> None:
    one = register("My brother Ilya Petrov called.", "Ilya is my brother.")
    assert one.keys_of("ilya") == ("ilya", "ilya petrov")
    another = register("My brother Ilya Petrov called.", "My boss Ilya complained.")
    assert another.keys_of("ilya") == ("ilya",)
    two = register("My brother Ilya Petrov called.", "My friend Ilya Smirnov called.", "My boss Ilya complained.")
    assert two.keys_of("ilya") == ("ilya",)


def test_mr_and_mrs_of_one_surname_are_two() -> None:
    one = register("Nele's landlord is Mr. Kovac.", "Kovac is Nele's landlord.")
    assert one.keys_of("kovac") == ("kovac", "mr kovac")
    two = register("Nele's landlord is Mr. Kovac.", "My teacher is Mrs. Kovac.")
    assert two.keys_of("mr kovac") == ("mr kovac",)


def test_a_short_name_of_the_language_finds_the_whole() -> None:
    assert "robert" in register("My uncle Robert called.").keys_of("bob")


def test_a_misspelt_name_is_one_letter_away_and_begins_alike() -> None:
    made = Spellings()
    for name in ("ilya", "annelies", "mr kovac"):
        made.add(name)
    assert made.near("ilja") == ["ilya"]
    assert made.near("anneleis") == ["annelies"]
    assert made.near("kovak") == ["mr kovac"]
    assert made.near("lya") == made.near("olya") == made.near("annalisa") == []
    made.drop("ilya")
    assert made.near("ilja") == []


def test_what_is_taken_away_is_forgotten_whole() -> None:
    made = register("My brother Ilya Petrov called.", "Katharina (Kathi) sings.")
    made.remove("atom1")
    made.put("atom2", DAY, ())
    made.publish()
    assert list(made.all()) == []
    assert made.entities(current) == []
    assert not made.knows("petrov")
    assert made.spelt_like("petrow") == []


def test_the_order_in_which_statements_come_makes_no_difference() -> None:
    contents = (*DENTISTS, "Katharina (Kathi) is my sister.", "My sister Kathi Braun sings.")
    expected = register(*contents).entities(current)
    for order in itertools.permutations(range(len(contents))):
        made = Register()
        for place in order:
            made.put(f"atom{place + 1}", (place + 1) * DAY, ties_by(atom(contents[place], place + 1)))
        assert made.entities(current) == expected


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("my brother", "me/brother"), ("grandpa", "me/grandfather"), ("Dana's terrier", "dana/terrier"),
        ("my brother's wife", "me/brother/wife"), ("the terrier", "*/terrier"), ("Ilya", None), ("a dentist", None),
    ],
)  # fmt: skip
def test_a_role_is_told_from_a_name(words: str, path: str | None) -> None:
    assert path_of(words) == path
