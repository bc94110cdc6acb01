"""A value where a value was asked for, with what it was: "1,050 euros a month [1]; 890 euros until 10 September 2026 [2]".

Not the sentences that say so, but only where nothing of them is lost: all their other words are in the question already.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lattice_common.domain.atom import Atom
from lattice_common.language.answer_words import say
from lattice_common.language.people.addressed import addressed
from lattice_common.language.questions.answer_type import answer_type
from lattice_common.language.slots import Claim, claims_by
from lattice_common.language.text import analyze
from lattice_common.recall.question import Question
from lattice_common.recall.synthesize.changes import day_of_change

_WHAT_IS = re.compile(r"^(?:and |so )?what(?: is|['’]s|s| are| do (?:i|we) pay)\b", re.IGNORECASE)
_WHO = re.compile(r"^(?:and |so )?who\b", re.IGNORECASE)
_EACH = re.compile(r"\s(?:an?|per|each|every)\s(?:hour|night|day|week|month|quarter|year)\b", re.IGNORECASE)
_NOTHING_MORE = frozenset(analyze("now currently cost costs live lives move moved work works pay paid"))
"""Words that say no more than the question does."""
_OF_A_THING = frozenset(("attribute", "phone"))
_OF_A_PERSON = frozenset(("residence", "employer"))
_SOMEBODY = frozenset(("keeper", "person"))
"""Whose value is somebody: who has the key, who the dentist is."""


@dataclass(frozen=True, slots=True)
class ValueAsked:
    """A value, and what it was before, each with the id of the statement that says so."""

    said: tuple[tuple[str, str], ...]

    def cited(self, numbers: Mapping[str, int]) -> str:
        """Return the words, each with the number of its statement."""
        return "; ".join(f"{words} [{numbers[atom_id]}]" for words, atom_id in self.said)


def value_asked(question: Question, atom: Atom, replaced: Mapping[str, Atom]) -> ValueAsked | None:
    """Return the value, and what it was before; None where the sentence is to be said as it is."""
    if question.history or question.shape == "temporal" or atom.is_superseded:
        return None
    for claim in claims_by(atom):
        if not claim.denies and claim.current and _is_asked(question, claim) and (value := _value(question, atom, claim)):
            before = {old: _until(question, atom, replaced[old], claim) for old in atom.supersedes if old in replaced}
            known = tuple((words, old) for old, words in before.items() if words is not None)
            return ValueAsked(((value, atom.atom_id), *known)) if len(known) == len(before) else None
    return None


def _is_asked(question: Question, claim: Claim) -> bool:
    if claim.slot in _OF_A_PERSON:
        return not set(claim.keys).isdisjoint(question.slots)
    if claim.slot in _SOMEBODY:
        return bool(_WHO.match(question.text.strip())) and bool(claim.about) and claim.about <= _tokens(question.text)
    asked = answer_type(question.text) == "number" or _WHAT_IS.match(question.text.strip())
    return bool(asked) and claim.slot in _OF_A_THING and bool(claim.about) and claim.about - {"price"} <= _tokens(question.text)


def _value(question: Question, atom: Atom, claim: Claim) -> str | None:
    """Return the words of the value in the sentence, as they are said to its owner, with how often it is due; None where the
    sentence says more than was asked."""
    at = atom.content.find(claim.shown) if claim.shown else -1
    if at < 0:
        return None
    end = at + len(claim.shown)
    each = _EACH.match(atom.content, end)
    end = each.end() if each else end
    rest = _tokens(f"{atom.content[:at]} {atom.content[end:]}") - _tokens(question.text) - _NOTHING_MORE - claim.was
    return addressed(atom, atom.content[at:end]) if not rest else None


def _until(question: Question, atom: Atom, old: Atom, claim: Claim) -> str | None:
    """Return the earlier value, in its own words, and until when; None where the old atom has no value of the same thing."""
    was = next((each for each in claims_by(old) if each.slot == claim.slot and each.about == claim.about and each.shown), None)
    return say(question.text, "value until", addressed(old, was.shown), day_of_change(atom, old)) if was else None


def _tokens(text: str) -> set[str]:
    return set(analyze(text))
