"""Sentences that follow one another without a mark between them, as people type and dictate on a phone: "my new manager is called
Farouk he started on Monday he used to be at Siemens". English only.

A noun may have a clause behind it without any word between ("the car he bought"), so that one ends only where no such clause can
follow: behind a name, a time, a number, a word like "ready" or "here", or an object; and where what stands before is a clause of
its own, that says nothing of what somebody says ("Tom said yesterday he would come").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lattice_common.domain.atom import Span
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import BASE, FINITE
from lattice_common.language.tables.english_words import OBJECTS, POSSESSIVES, SUBJECTS
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_MONTHS, ENGLISH_WEEKDAYS, number_words, ordinals

FEWEST, LONGEST = 8, 500
"""Words, and characters, of a sentence that is looked at."""
_PART = 3
"""Words of the shortest part."""
_MARKS = lazy_regex(r"[,;:()\[\]\"“”„«»|/=<>{}–—…!?\n\t]|\.(?:\s|$)|\s-\s")
_WORD = lazy_regex(r"\S+")
_TIMES = frozenset((*ENGLISH_WEEKDAYS, *ENGLISH_MONTHS)) | vocabulary(
    "today tomorrow yesterday tonight now again already yet ago anymore"
)
_UNITS = vocabulary("week weekend month year morning evening night summer winter spring autumn")
_WHICH = vocabulary("this next last")
_NUMBERS = frozenset((*number_words(1, 100), *ordinals(1, 31))) | vocabulary("hundred thousand")
_ENDING = vocabulary(
    """ready fine ok okay good great bad late early free sick ill better worse done gone broken stolen fixed closed open home
    here there up out off back too though yes no away soon well"""
)
_TELLING = vocabulary("tell told tells show shows showed ask asked promise promised remind reminded let make help give gave bet")
_SAYING = vocabulary(
    """said says say told tell tells think thinks thought hope hopes hoped know knows knew guess reckon reckons heard promised
    wish wishes mean means sure glad feel feels felt believe believes see saw"""
)
_SUBORDINATE = vocabulary(
    "when if because since after before while as although though until once whenever where what who how why that"
)
_WHEN = vocabulary("day year week month time moment minute summer winter morning night evening weekend first last")
_MAYBE = vocabulary("maybe perhaps hopefully probably")
_ADVERBS = vocabulary(
    "really also now still just never always only usually already even actually mostly then both all often sometimes"
)
_POINTING_BACK = vocabulary("it it's it'll its them one ones")
_NEAR = 5
"""What is said of "it" is found by the words before it only: "the crown has to be redone it's 640", "it is done I painted it"."""


def parts_of_run_on(text: str, span: Span) -> Iterator[Span]:
    """Yield the sentences of one without marks, in order; the whole where it is none. Linear."""
    if span.end - span.start > LONGEST or _MARKS.search(text, span.start, span.end):
        yield span
        return
    words = list(_WORD.finditer(text, span.start, span.end))
    low = [match[0].lower().replace("’", "'") for match in words]
    begin, first = span.start, 0
    for at in range(_PART, len(words) - _PART + 1) if len(words) >= FEWEST and text[span.end - 1] not in ".!?" else ():
        if at - first >= _PART and _may_follow(words, low, first, at) and _is_clause(low[first:at]):
            yield Span(begin, words[at - 1].end())
            begin, first = words[at].start(), at
    yield Span(begin, span.end)


def _may_follow(words: Sequence[re.Match[str]], low: Sequence[str], first: int, at: int) -> bool:
    """Return whether a word begins a clause that can't be one about the word before it."""
    word, before = low[at], low[at - 1]
    if not _POINTING_BACK.isdisjoint(low[at : at + _NEAR]):
        return False
    subject = word.partition("'")[0]
    is_ended = (
        not _is_noun(low, at) and (before in _TIMES or before in _NUMBERS or before[0].isdigit() or before in _ENDING)
    ) or (before in _UNITS and low[at - 2] in _WHICH)
    if word in _MAYBE:
        return is_ended
    if word in POSSESSIVES or word == "the":
        return is_ended and any(each in FINITE for each in low[at + 2 : at + 4])
    if subject not in SUBJECTS or not _has_verb(low, at, subject):
        return False
    is_object = before in OBJECTS and low[at - 2] not in _TELLING
    is_name = (
        words[at - 1][0][0].isupper()
        and at - 1 > first
        and before not in SUBJECTS
        and subject not in ("i", "we", "you")
        and not _is_noun(low, at)
    )
    return is_ended or is_object or is_name


def _is_noun(low: Sequence[str], at: int) -> bool:
    """Return whether the word before may be a noun with its article, behind which "he" begins a clause about it: "the BMW he
    bought", "the last two I have", "the Friday we met"."""
    for each in reversed(low[max(0, at - _NOUN_REACH) : at - 1]):
        if each in _NOUNS_BEGIN or each in _EACH:
            return True
        if each in FINITE or each in _TIMES or each in _PREPOSITIONS:
            return False
    return False


_NOUN_REACH = 4
_EACH = vocabulary("every each any")
_PREPOSITIONS = vocabulary("in on at to from with for of by until till since and or")


def _has_verb(low: Sequence[str], at: int, subject: str) -> bool:
    if "'" in low[at]:
        return True
    verb = next((each for each in low[at + 1 : at + 4] if each not in _ADVERBS), "")
    return verb in FINITE or verb.endswith("ed") or (subject in ("i", "we", "they", "you") and verb in BASE)


def _is_clause(words: Sequence[str]) -> bool:
    """Return whether words are a clause that goes on with nothing that somebody says, and waits for no other one."""
    if words[0] in _SUBORDINATE or (words[0] in ("the", "every", "each") and words[1] in _WHEN):
        return False
    verbs = [at for at, each in enumerate(words) if _is_finite(each, words[at - 1] if at else "")]
    if not verbs or any(_waits(words, at) for at in range(verbs[-1], len(words))):
        return False
    if len(verbs) == 1 and verbs[0] > 1 and words[verbs[0] - 1] in SUBJECTS and words[0] in _NOUNS_BEGIN:
        return False  # "the car he bought last year we never liked"
    return words[verbs[-1]] not in _SAYING or words[-1] in ("yes", "no")


def _waits(words: Sequence[str], at: int) -> bool:
    """Return whether a word begins a clause below another one: "because", and not "because of"."""
    return (words[at] in _SUBORDINATE or words[at] == "whether") and list(words[at + 1 : at + 2]) != ["of"]


_NOUNS_BEGIN = POSSESSIVES | {"the", "a", "an", "this", "that"}


def _is_finite(word: str, before: str) -> bool:
    if word in BASE:
        return before in SUBJECTS or before in _ADVERBS or word in _SAYING
    return word in FINITE or word in _SAYING or word.endswith(("ed", "'s", "'m", "'re", "'ll", "'ve", "n't"))
