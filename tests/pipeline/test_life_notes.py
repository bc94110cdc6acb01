"""What is remembered of a year of one person's notes: what each is filed under, its dates, and what has been replaced."""

from __future__ import annotations

import functools
from datetime import UTC, date, datetime
from typing import Any

import pytest
from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Capture
from life import atoms_of, lived, notes

SAID_AT = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)


@functools.cache
def year() -> list[tuple[dict[str, Any], list[Atom]]]:
    """Each note with what is remembered of it; read where it is asked about, for every worker collects this file."""
    return list(lived())


def day(moment: datetime | None) -> date | None:
    return moment.date() if moment else None


@pytest.mark.parametrize("number", range(len(notes())), ids=[f"{row['at']:%m-%d} {row['note'][:40]}" for row in notes()])
def test_a_note_is_filed_dated_and_replaced_as_its_writer_would(number: int) -> None:
    row, atoms = year()[number]
    by_id = {atom.atom_id: atom for _, others in year() for atom in others}
    assert len(atoms) == len(row["atoms"]), [atom.content for atom in atoms]
    for wanted, atom in zip(row["atoms"], atoms, strict=True):
        assert wanted.get("has", "") in atom.source_quote
        assert (atom.subject, atom.kind) == (wanted["subject"], wanted["kind"])
        assert (day(atom.valid_from), day(atom.valid_until)) == (wanted["from"], wanted.get("until"))
        assert (by_id[atom.superseded_by].content if atom.superseded_by else None) == wanted.get("over")


def test_the_year_is_long_enough_to_tell() -> None:
    assert len(notes()) >= 150
    assert sum("over" in atom for row in notes() for atom in row["atoms"]) >= 15


def test_what_an_assistant_says_in_a_pasted_conversation_is_not_the_owners_word() -> None:
    pasted = (
        "User: I sail a Laser on Wannsee.\n"
        'Assistant: I recommend "The Shipping News" by Annie Proulx.\n'
        "User: I live in Kiel.\n"
        "Assistant: You could visit Laboe."
    )
    atoms = atoms_of(Capture("0" * 26, SAID_AT, pasted, SAID_AT))
    assert {(atom.source_quote.split()[0], atom.source, atom.trust) for atom in atoms} == {
        ("I", "user", "user"),
        ("I", "assistant", "assistant"),
        ("You", "assistant", "assistant"),
    }
    assert [atom.trust for atom in atoms if "live in Kiel" in atom.content] == ["user"]


def test_of_an_email_the_envelope_greeting_signature_and_quotation_are_no_facts() -> None:
    letter = (
        "From: Karim Haddad <karim@bosch.example>\nTo: me\nSubject: Re: Your first day\nDate: Fri, 20 Mar 2026 14:02:11 +0100\n\n"
        "Hi,\n\nplease come to building 4 at 8:30.\n\nOn 19 Mar 2026, you wrote:\n> I will bring a goat.\n\n"
        "Best regards,\nKarim\n\n--\nHead of Test Systems\n"
    )
    said = [atom.content for atom in atoms_of(Capture("0" * 26, SAID_AT, letter, SAID_AT))]
    assert said == ["From: Karim Haddad <karim@bosch.example>", "Your first day: please come to building 4 at 8:30."]


def test_a_greeting_by_a_short_name_is_small_talk() -> None:
    talk = "Caroline: Hey Mel!\nMelanie: I adopted a dog.\nCaroline: Wow, Mel!\nMelanie: Thanks, Caroline!"
    said = [atom.content for atom in atoms_of(Capture("0" * 26, SAID_AT, talk, SAID_AT))]
    assert said == ["Melanie: I adopted a dog."]
