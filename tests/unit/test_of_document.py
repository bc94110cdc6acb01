"""A line is read with what the question names and its document says elsewhere."""

from __future__ import annotations

from lattice_common.language.text import analyze
from lattice_common.recall.of_document import below_names, below_words

STATEMENT = frozenset(analyze("Northgate Bank statement for Miss Tamsin Okoro, account, card, October, balance"))
IBAN = "IBAN GB61 NGAT 4061"


def test_a_line_is_read_below_the_names_that_its_document_has_elsewhere() -> None:
    assert below_names("What is the IBAN of Tamsin's account?", IBAN, STATEMENT) == f"Tamsin: {IBAN}"
    assert below_words("What is the IBAN of Tamsin's account?", IBAN, STATEMENT) == f"Tamsin, account: {IBAN}"


def test_what_a_line_says_itself_is_not_said_twice() -> None:
    line = f"Tamsin Okoro: {IBAN}"
    assert below_names("What is the IBAN of Tamsin's account?", line, STATEMENT) == line


def test_a_document_that_does_not_name_somebody_lends_no_name() -> None:
    assert below_words("What is the IBAN of Gareth?", IBAN, STATEMENT) == IBAN


def test_months_and_the_word_that_asks_are_no_names() -> None:
    assert below_names("Balance of the account in October?", IBAN, STATEMENT) == IBAN
    assert below_words("Balance at the end of October?", IBAN, STATEMENT) == IBAN
