"""Whether a statement is about another one of a few than a question asks about."""

import pytest
from lattice_common.language.questions.of_the_other_one import speaks_of_the_other_one


@pytest.mark.parametrize(
    ("question", "statement"),
    [
        ("Is my right wrist numb too?", "Wrist is numb on the left again."),
        ("When did Dad have his first bypass?", "Dad's second bypass is on 3 May."),
        ("Which is the 2nd password?", "The first password is Heron."),
        ("Who won gold for Best Interview?", "We got bronze for Best Interview."),
        ("What do I have for lunch on Mondays?", "On Mondays I have porridge for breakfast."),
        ("Which tablet do I take in the evening?", "I take the white tablet in the morning."),
        ("Was hab ich am rechten Knie?", "Das linke Knie tut wieder weh."),
        ("¿Cuándo es la primera cita con el fisio?", "La segunda cita con el fisio es el 4 de mayo."),
    ],
)
def test_another_one_of_the_same_does_not_answer(question: str, statement: str) -> None:
    assert speaks_of_the_other_one(question, statement)


@pytest.mark.parametrize(
    ("question", "statement", "why"),
    [
        ("When is the second dose?", "First dose 4 May, second dose 25 May.", "it names the one that is asked about as well"),
        ("Where is my right glove?", "I left the glove at work.", "left is a verb"),
        ("What is right now on the left shelf?", "The left shelf holds paint.", "right now is no side"),
        ("Am I right that Tom left?", "Tom left on Monday.", "no side has a thing"),
        ("Who came first in the race?", "Second place for Zoe in the race.", "another thing is the second"),
        ("Who is second in command?", "Olaf is the first mate.", "a mate is no command"),
        ("What do we have for dinner?", "Lasagne tonight.", "no other meal is named"),
    ],
)
def test_what_may_be_meant_is_not_said_to_be_another(question: str, statement: str, why: str) -> None:
    assert not speaks_of_the_other_one(question, statement), why
