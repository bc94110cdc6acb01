"""What an assistant notes of its user is read as the user would say it."""

from __future__ import annotations

import pytest
from lattice_common.language.first_person import in_first_person
from lattice_common.language.questions.of_another import speaks_of_another


@pytest.mark.parametrize(
    ("noted", "said"),
    [
        ("User's name is Ada Brandl.", "My name is Ada Brandl."),
        ("The user's daughter Mia was born in May.", "My daughter Mia was born in May."),
        ("User switched from pnpm to bun.", "I switched from pnpm to bun."),
        ("The user is freelancing now.", "I am freelancing now."),
        ("User has a peanut allergy.", "I have a peanut allergy."),
        ("User no longer works at Paystack.", "I no longer work at Paystack."),
        ("The user doesn't eat meat.", "I don't eat meat."),
        ("User isn't on Facebook.", "I am not on Facebook."),
        ("User carries a key and teaches yoga.", "I carry a key and teaches yoga."),
        ("User currently lives in Leeds.", "I currently live in Leeds."),
        ("User codes in Rust.", "I code in Rust."),
        ("User plans to move to Rome.", "I plan to move to Rome."),
        ("The user focuses on Rust.", "I focus on Rust."),
        ("user is allergic to nuts", "I am allergic to nuts"),
        ("What is User's name?", "What is my name?"),
        ("The user's moving to Lisbon.", "I'm moving to Lisbon."),
        ("Tom gave the user a book, and the user kept it.", "Tom gave me a book, and I kept it."),
        ("What is the user's name?", "What is my name?"),
        ("Where does the user live?", "Where do I live?"),
        ("Is the user married?", "Am I married?"),
        ("What did the user buy?", "What did I buy?"),
        ("How old is the user?", "How old am I?"),
    ],
)
def test_the_user_is_the_one_who_speaks(noted: str, said: str) -> None:
    assert in_first_person(noted) == said


@pytest.mark.parametrize(
    "text",
    [
        "User settings are stored in Redis.",
        "User stories live in Jira.",
        "Users like the new page.",
        "The user interface is slow.",
        "The user account was locked.",
        "Is user data encrypted?",
        "Does user registration need an email?",
        "The end user's data stays here.",
        "Every user gets a token.",
        "A user complained about the login.",
        "The username is ada.",
        "User: Ada",
        "I live in Leeds.",
        "",
    ],
)
def test_what_is_about_no_user_stays(text: str) -> None:
    assert in_first_person(text) == text


def test_what_is_noted_of_the_user_speaks_of_who_asks() -> None:
    assert not speaks_of_another("What is my name?", "User's name is Ada Brandl.")
    assert speaks_of_another("What is my shoe size?", "Tom's shoe size is 45.")
