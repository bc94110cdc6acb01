"""Shortened English words are read in full; what only looks like one stays as it is."""

from __future__ import annotations

import pytest
from lattice_common.ingest.index_documents import gloss_tokens
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.glosses.shorthand import spelled_out


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("provider is zuna, acct no ZN-558201", "provider is zuna, account number ZN-558201"),
        ("Frame no: WBK77120", "Frame number: WBK77120"),
        ("dad's op went fine, no driving for 6 wks", "dad's operation went fine, no driving for 6 weeks"),
        ("van booked w/ shiftit, 140 quid", "van booked with shiftit, 140 pounds"),
        ("Ref. 4471, exp 04/29", "reference. 4471, expires 04/29"),
        ("Appt moved bc dr haas is off", "Appointment moved because dr haas is off"),
    ],
)
def test_what_is_shortened_is_read_in_full(typed: str, read: str) -> None:
    assert spelled_out(typed).lower() == read.lower()
    assert in_english(typed) == spelled_out(typed)


@pytest.mark.parametrize(
    "text",
    [
        "Reg is my uncle",
        "there's no 5G here",
        "an op-ed",
        "see db.example.com",
        "bc/ad",
        "mail op@example.com",
        "we have no 4 bedroom flats",
    ],
)
def test_what_only_looks_so_stays(text: str) -> None:
    assert spelled_out(text) is text


def test_a_memory_is_found_by_the_words_in_full() -> None:
    assert gloss_tokens("provider is zuna, acct no ZN-558201") == ["account", "number"]
    assert gloss_tokens("the account is closed") == []
