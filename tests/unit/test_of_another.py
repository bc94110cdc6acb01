"""What is said of somebody else than is asked about: only what is beyond doubt."""

from __future__ import annotations

import pytest
from lattice_common.language.questions.of_another import speaks_of_another


@pytest.mark.parametrize(
    ("question", "statement", "names"),
    [
        ("What's Kelechi's shoe size?", "my shoe size is 45", ()),
        ("What's my shoe size?", "Tom's shoe size is 45", ()),
        ("What's Dad's blood group?", "My blood group is 0", ()),
        ("When is my mum's birthday?", "My dad's birthday is 4 May", ()),
        ("When is Tom's birthday?", "Ana's birthday is 4 May", ()),
        ("When is my sister's birthday?", "Ana's birthday is 4 September", ("Lea",)),
        ("Who is my boss?", "Tom's boss is Ana", ()),
        ("Who is our landlady?", "the new boss is a woman called Filipa", ()),
        ("Who is our landlady?", "Chidi's fiancée is Amara", ()),
        ("Where do my parents live?", "nan's been moved to room 9", ()),
        ("Welche Schuhgröße hat Mareike?", "Ich habe Schuhgröße 43", ()),
        ("What is Saoirse allergic to?", "I'm allergic to penicillin", ()),
        ("What is the name of our dog?", "Mungo is our ginger cat", ()),
        ("What’s the name of my dentist?", "Kelechi's teacher is Senhora Pinto", ()),
    ],
)
def test_the_same_thing_of_another_holder_and_another_role_are_of_another(
    question: str, statement: str, names: tuple[str, ...]
) -> None:
    assert speaks_of_another(question, statement, names)


@pytest.mark.parametrize(
    ("question", "statement", "names"),
    [
        ("What's my shoe size?", "my shoe size is 45", ()),
        ("What's my shoe size?", "I take a 45", ()),
        ("What is the name of our dog?", "Mungo chewed the sofa", ()),
        ("What is the name of our dog?", "the puppy is called Mungo", ()),
        ("When is my mum's birthday?", "Mum's birthday is 4 September", ()),
        ("When is mum's birthday?", "My mother's birthday is 4 September", ()),
        ("When is my sister's birthday?", "Ana's birthday is 4 September", ()),
        ("When is my sister's birthday?", "Ana's birthday is 4 September", ("Ana",)),
        ("When is my wife's birthday?", "our birthday is 4 May", ()),
        ("When is Tom's birthday?", "Tom and I: our birthday is 4 May", ()),
        ("What colour is my car?", "Tom's car is red, mine is blue", ()),
        ("Who is our landlady?", "Our landlord is Tom", ()),
        ("Who is our landlady?", "Dona Celeste put the rent up", ()),
        ("Who is my partner?", "My wife is Ifeoma", ()),
        ("Who is my doctor?", "New GP: Dr Lin", ()),
        ("Where's my brother's flat?", "Moved into Ilya's flat", ("Ilya",)),
        ("Where do my parents live?", "mum and dad moved to a bungalow", ()),
        ("Where does nan live?", "nan's been moved to room 9", ()),
        ("Where does my brother live?", "Dad helped Ilya move to Graz", ()),
        ("What size shoes does Tom take?", "I bought him size 45 shoes", ()),
        ("Where did Tom and I meet?", "I met them in Berlin", ()),
        ("Welche Schuhgröße habe ich?", "Ich habe Schuhgröße 43", ()),
        ("Where does the key hang?", "I hang the key on the hook", ()),
        ("Who is Amara?", "Chidi's fiancée is Amara", ()),
        ("Where do we live?", "Dona Celeste put the rent up", ()),
    ],
)
def test_whatever_may_be_about_whom_is_asked_is_not(question: str, statement: str, names: tuple[str, ...]) -> None:
    assert not speaks_of_another(question, statement, names)
