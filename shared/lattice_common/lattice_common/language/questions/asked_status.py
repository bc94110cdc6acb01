"""Whether a question asks for statements that are not simply asserted: wishes, plans, hearsay, jokes, dropped ideas."""

from __future__ import annotations

import re

from lattice_common.domain.judgement import Status
from lattice_common.language.patterns import lazy_regex

_ASKED: tuple[tuple[tuple[Status, ...], re.Pattern[str], str], ...] = (
    (("wished",), lazy_regex(r"\b(?:wish\w*|would (?:i|we|he|she|they) (?:\w+ )?(?:like|love)|want\w*|dream\w*|bucket list|would like|like to have|"
                             r"long(?:ing)? for|hop(?:e|ing) for|wünsche?\w*|souhaits?|deseos?|desideri\w*)\b"), "What would I like to see once?"),
    (("planned",), lazy_regex(r"\b(?:plan|plans|planned|planning|going to|intend\w*|intention\w*|vor(?:haben)?|geplant)\b"), "What are my plans for May?"),
    (("supposed", "planned", "wished"), lazy_regex(r"\b(?:what if|in case|thinking (?:of|about)|would (?:happen|i do|we do))\b"),
     "What was I thinking of doing if we get the flat?"),
    (("quoted",), lazy_regex(r"\b(?:said|say|says|told|tell me (?:about )?what|claim\w*|according to|think|thinks|reckon\w*|recommend\w*|suggest\w*|advi[sc]e\w*|"
                             r"heard|hear|rumou?r\w*|opinion|promise\w*|meint|gesagt|dit|dijo|detto)\b"), "What did Kasia say about the bakery?"),
    (("joked",), lazy_regex(r"\b(?:jok\w+|funny|witz\w*|blague\w*|kidding)\b"), "What did I joke about?"),
    (("rejected",), lazy_regex(r"\b(?:consider\w*|reject\w*|decide(?:d)? against|not (?:buy|take|choose|go)|didn't (?:i|we)|turn(?:ed)? down|almost|nearly|"
                               r"drop(?:ped)?|instead|alternatives?|ruled out|why (?:did )?n[o']t)\b"), "What did I consider and drop?"),
    (("uncertain",), lazy_regex(r"\b(?:not sure|unsure|uncertain|guess\w*|maybe|probably|might)\b"), "What am I not sure about?"),
    (("past",), lazy_regex(r"\b(?:used to|formerly|previously|before|back then|no longer|former|früher)\b"), "Where did I use to swim?"),
)  # fmt: skip
"""Statuses, the words of a question that ask for them, and an example."""


def asked_statuses(question: str) -> tuple[Status, ...]:
    """Return the statuses that a question in lower case asks for besides what is asserted; empty for a question of fact."""
    found = [status for statuses, pattern, _ in _ASKED if pattern.search(question) for status in statuses]
    return tuple(dict.fromkeys(found))
