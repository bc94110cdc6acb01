"""On texts with more than a thousand known pieces of personal data: what has a form never stays, and what has none seldom."""

from __future__ import annotations

from bench.pii import Tally, tallied
from tests.data.pii.labelled import labelled

CHECKED = ("EMAIL", "PHONE", "IBAN", "CARD")


def test_no_address_number_or_account_of_a_thousand_stays_readable() -> None:
    tally = tallied(labelled(1200))
    assert sum(each.total for each in tally.values()) >= 1000
    assert {kind: tally[kind].leaked for kind in CHECKED} == dict.fromkeys(CHECKED, ())
    assert min(tally[kind].total for kind in CHECKED) >= 150


def test_names_addresses_and_secrets_are_mostly_found() -> None:
    tally = tallied(labelled(1200))
    assert recall(tally["SECRET"]) >= 0.99
    assert recall(tally["IP"]) >= 0.99
    assert recall(tally["ADDRESS"]) >= 0.9
    assert recall(tally["PERSON"]) >= 0.85


def test_other_texts_of_the_same_kind_leak_no_more() -> None:
    tally = tallied(labelled(600, seed=7))
    assert {kind: tally[kind].leaked for kind in CHECKED} == dict.fromkeys(CHECKED, ())


def recall(tally: Tally) -> float:
    return 1 - len(tally.leaked) / tally.total
