"""The pieces of a statement that may be meant in different ways: its sentences, and what commas, semicolons, dashes, brackets and
words such as "but" and "and" set apart in them.

They are cut by form alone, far more often than facts are (`clauses`): whether a cut is worth anything is the judge's to say.
"""

from __future__ import annotations

import re

from lattice_common.domain.atom import Span
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.clauses import DROPPED, ENCLOSED, has_verb, is_condition_of
from lattice_common.language.sentences.how_it_was import says_how_it_was
from lattice_common.language.sentences.split import sentences
from lattice_common.language.sentences.statements import is_yes_or_no

SHORTEST = 3
"""Words of a piece within a sentence, at least: "I think" says nothing by itself."""

_SAID_SO = "".join(rf"(?<!\\b{word})" for word in ("said", "say", "says", "think", "thought", "hope", "guess", "even", "not"))
_JOINT = lazy_regex(
    r"\s*;\s+|(?:,|\s+[-–—]{1,2})?\s+(?:but|and|aber|und|pero|y|mais|et|ma|e|mas|maar|ale|ama|ve)\s+|\s+[-–—]{1,2}\s+|,\s+|\s+(?=\()"
    rf"|{_SAID_SO}\s+(?=(?:so|because|weil|porque|parce que|car|perché|want|omdat|bo|çünkü)\s)",
)
"""A word that only sets off is left out, one that gives a reason or a consequence begins its piece."""
_ADDS = lazy_regex(r",?\s+(?:and|und|y|et|e|en|i|ve)\s+")
"""Behind it stands a further thing, unless a verb does: "a bus pass and a pair of shoes"."""
_A_THING = lazy_regex(r"(?:an?|the|my|our|his|her|some|two|three|\d+|eine?n?|der|die|das|une?|un|una|een|het) ", re.IGNORECASE)
_ATTRIBUTE = lazy_regex(r"\b(?:an?|the|of|my|our|some|two|few)\s+(?:\w+ly\s+)?\w+ed\s+(?=\w)", re.IGNORECASE)
"""A participle that is no verb: "of knackered Vans"."""
_LEANS = lazy_regex(
    r"(?:who|which|that|whose|where|wer|der|die|das|qui|que|che|dat|który|która|które)\b"
    r"|[A-ZÀ-Þ][\w.'’-]*(?: [A-ZÀ-Þ][\w.'’-]*){0,3}, (?=[a-zà-þ])"
)
"""What begins so belongs to the words before it where the sentence goes on with these ("her landlord, Mr Quist, has found one");
at the end of one it is a piece."""
_GOES_ON = lazy_regex(r",\s|\s[-–—]{1,2}\s")
_REPORTS = lazy_regex(
    r"\b(?:says|said|reckons|thinks|claims|swears|insists|sagte?|meinte?|erzählte?|behauptete?|glaubt|schreibt|schwört|dit|jure|affirme|"
    r"prétend|raconte|dice|dijo|jura|asegura|cuenta|giura|sostiene|racconta|diz|disse|garante|zegt|zei|beweert|mówi|twierdzi)\s*$",
    re.IGNORECASE,
)
"""Who only says something says nothing by that: "Die Chefin (Frau Brandl) meint, …"."""


def pieces(text: str, span: Span) -> list[Span]:
    """Return the pieces of a statement, in order; all of it where it has only one. What only says how something was is of one
    piece with that, and what is too short for a piece with what precedes it. Linear in its length."""
    found: list[Span] = []
    for sentence in sentences(text, span.start, span.end):
        start, leaning = sentence.start, False
        last = max((each.start() for each in _GOES_ON.finditer(text, sentence.start, sentence.end)), default=-1)
        enclosed = [match.span() for match in ENCLOSED.finditer(text, sentence.start, sentence.end)]
        joints = [
            each
            for each in _JOINT.finditer(text, sentence.start, sentence.end)
            if not any(low < each.start() < high for low, high in enclosed)
        ]
        for at, joint in enumerate(joints):
            closing, leaning = leaning, joint.end() <= last and _LEANS.match(text, joint.end(), sentence.end) is not None
            if joint.start() < start or leaning or closing or _STAYS.match(text, joint.end(), sentence.end):
                continue
            if _REPORTS.search(text, start, joint.start()):
                continue
            if is_condition_of(text[start : joint.start()], text[joint.end() : sentence.end]):
                continue
            behind = joints[at + 1] if at + 1 < len(joints) else None
            ends = behind.start() if behind and joint.end() <= behind.start() else sentence.end
            if behind and ends < sentence.end and _is_short_value(text[joint.end() : ends]):
                continue
            if (
                _ADDS.fullmatch(joint[0])
                and _A_THING.match(text, joint.end(), ends)
                and not has_verb(_ATTRIBUTE.sub("", text[joint.end() : ends]))
            ):
                continue
            if _is_long(text[start : joint.start()]) and _is_long(text[joint.end() : sentence.end]):
                found.append(Span(start, joint.start()))
                start = joint.end()
        if found and start == sentence.start and _belongs_to(text[found[-1].start : found[-1].end], text[start : sentence.end]):
            start = found.pop().start
        found.append(Span(start, sentence.end))
    return found


def _belongs_to(before: str, words: str) -> bool:
    return says_how_it_was(words) or (before.endswith("?") and is_yes_or_no(words))


_NAME = r"(?:(?-i:[A-ZÀ-Þ])[\w.&’'-]*|&|\d[\w.,]*)"
_STAYS = lazy_regex(
    r"\((?:the|an?|my|our|his|her) [\w'’-]+(?: [\w'’-]+){0,3}\)|or\s|so (?:himself|herself|myself|themselves)\b"
    rf"|\({_NAME}(?:,? {_NAME})*\)|{DROPPED}",
    re.IGNORECASE,
)
"""What belongs to the words before it: what brackets call it otherwise ("the Rioja from Aldi (the Baron de Ley)", "that green
(Farrow & Ball, Calke)"), another choice ("She's gone vegan, or says she has"), or that it was dropped, which alone says
nothing."""


def _is_short_value(words: str) -> bool:
    """Return whether something with a figure is too short for a piece: the "£189" of "Car serviced, £189, they said …"."""
    return not _is_long(words) and any(map(str.isdigit, words))


def _is_long(words: str) -> bool:
    return len(words.split(maxsplit=SHORTEST - 1)) >= SHORTEST
