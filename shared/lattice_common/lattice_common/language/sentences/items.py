"""Items of a list that are facts by themselves, however short: "Band: The Kettles", "paid the roofer 1,150". What names a thing
only ("two stoves") says something together with the others."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import PAST
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of

_SAYS = lazy_regex(r"\w: \S|\s(?:is|are|was|were|has|have|ist|sind|war|hat)\s", re.IGNORECASE)
_THINGS_TOO = vocabulary("left lost found kept lay laid shot spent held hung hurt led fed broke bit frozen made")
"""Pasts that as often begin the name of a thing: "lost keys", "left shoe"."""
_REGULAR = vocabulary(
    """called booked cancelled canceled ordered signed moved started finished visited walked fixed watched played returned emailed
    texted renewed changed replaced joined asked tried talked phoned messaged collected dropped"""
)
_DID = lazy_regex(rf"\s*(?:[-*+•]|\d+[.)])?\s*(?:{any_of((PAST - _THINGS_TOO) | _REGULAR)})\s+\S+\s+\S", re.IGNORECASE)
_HAS_A_VALUE = lazy_regex(r"\s*(?:[-*+•]|\d+[.)])?\s*[^\W\d_]+['’]s (?:[^\W\d_]+ ){1,3}\S*\d", re.IGNORECASE)
"""Somebody's number: "Jo's new number 07700 900777"."""


def is_a_fact(item: str) -> bool:
    """Return whether an item, its mark included, says something of something, or what somebody did."""
    return any(each.match(item) for each in (_DID, _HAS_A_VALUE)) or _SAYS.search(item) is not None
