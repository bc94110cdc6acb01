"""On texts with more than a thousand known pieces of personal data: what has a form never stays, and what has none seldom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.pii import Tally, stays, taken, tallied
from tests.data.pii.labelled import labelled
from tests.data.pii.plain import plain

pytestmark = pytest.mark.lengthy

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
    assert recall(tally["ADDRESS"]) >= 0.99
    assert recall(tally["PERSON"]) >= 0.99


def test_few_words_are_hidden_where_nothing_is_personal() -> None:
    for texts in (list(plain(1200)), list(labelled(1200))):
        words, hidden = taken(texts)
        assert words > 5000
        assert hidden / words <= 0.03


def test_words_of_other_things_are_counted_as_hidden_without_need() -> None:
    words, hidden = taken([each for each in labelled(30) if each.spans])
    everything, all_hidden = taken([replace(each, spans=()) for each in labelled(30)])
    assert (hidden, all_hidden > 0) == (0, True)
    assert words < everything


@pytest.mark.parametrize(
    ("redacted", "kind"),
    [
        ("She lives at 12 <PERSON_1_k3f9> Road, Leeds.", "ADDRESS"),
        ("She lives at <ADDRESS_1_k3f9>, Leeds.", "ADDRESS"),
        ("She lives at <ADDRESS_1_k3f9> 10115.", "ADDRESS"),
    ],
)
def test_an_address_of_which_a_part_is_left_counts_as_readable(redacted: str, kind: str) -> None:
    assert stays("12 Okonkwo Road, Leeds 10115", redacted, kind)
    assert not stays("12 Okonkwo Road, Leeds 10115", "She lives at <ADDRESS_1_k3f9>.", kind)


def test_other_texts_of_the_same_kind_leak_no_more() -> None:
    tally = tallied(labelled(600, seed=7))
    assert {kind: tally[kind].leaked for kind in CHECKED} == dict.fromkeys(CHECKED, ())


def recall(tally: Tally) -> float:
    return 1 - len(tally.leaked) / tally.total
