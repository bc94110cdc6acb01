"""Words that only announce what is told: "Guess what, I got the job", "Did I tell you that Anna is pregnant?", "Can you remember
that I parked on level 3?".

Behind them stands a clause with its subject and its verb, which is what is told: who asks "did I tell you that …?" takes it to be
so, and what is known already is not kept twice. "Did I tell you where the key is?" asks.
"""

from __future__ import annotations

import re

from lattice_common.domain.atom import Span
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.clauses import subject_of_clause
from lattice_common.language.sentences.keep import ORDER
from lattice_common.language.tables.english_words import QUESTION_WORDS, SUBJECTS
from lattice_common.language.vocabulary import vocabulary

MOST_OF_SUBJECT = 4
"""Words of a subject; a longer one is likelier what is asked for: "did I tell you the name of the man who rang"."""

_CALLED_OUT = lazy_regex(
    r"(?:(?:oh|hey|hi|so|well|and|ok|okay)[, ]+)?(?:guess what|(?:do )?(?:you|ya) know what|know what)"
    r"(?:\s*[,:;!?.…]+|\s+[–—-])\s+(?=\S+\s+\S)",
    re.IGNORECASE,
)
_BEGUN = lazy_regex(
    r"(?:oh\b(?! (?:my|dear|god|no|well|man|yes|boy)\b)|(?:ah|btw|by the way|erm|um|hm+|anyways?)\b"
    r"|(?:ok|okay|right|alright|well|yeah|yes) (?:so|btw|and|also)\b|so yeah\b|(?:ok|okay|right|alright|well|so)(?=,))"
    r"(?:,?\s+(?:so|and|also|btw)\b)*(?:,\s*|\s+)(?=\S+\s+\S+\s+\S)",
    re.IGNORECASE,
)
"""How people begin to talk: "ok so mum's birthday is the 28th", "btw the code is 4471"."""
_TOLD = lazy_regex(
    r"(?:(?:oh|hey|hi|so|well|and|ok|okay)[, ]+)?(?:did|have|haven['’]t|didn['’]t) i (?:(?:ever|already|even) )?"
    r"(?:(?:tell|told) (?:you|ya)|mention(?:ed)?(?: to you)?)(?: (?:yet|already))?,? (?:that )?(?=\S+\s+\S)",
    re.IGNORECASE,
)
_ADDED = lazy_regex(
    r"(?:(?:oh|so|and|also|i)[, ]+)*(?:meant|forgot) to (?:say|mention|add|write|note),? (?:that )?(?=\S+\s+\S)", re.IGNORECASE
)
"""What was left out before: "Meant to say the jets were wrong"."""
_HAS_GOT = lazy_regex(
    r"(?:my |our |the )?[\w-]+(?: [\w-]+)?['’]s (?:got|had|been|gone|left|lost|sold|bought|passed|moved) ", re.IGNORECASE
)
"""A subject drawn together with "has": "Ben's got a puppy"."""
_THAT = lazy_regex(r"\bthat\s*$", re.IGNORECASE)
_NO_SUBJECTS = QUESTION_WORDS | vocabulary("if whether about anything something everything all any that")
_OPEN_CLAUSE = vocabulary("who which that what where when how")


def announced(text: str) -> int | None:
    """Return where what is told begins, behind an order to remember it, or words that only announce it; None where there are no
    such words, or where they ask for something."""
    asks = text.rstrip().endswith("?")
    if found := _CALLED_OUT.match(text):
        return None if asks else found.end()
    if (found := _TOLD.match(text) or _ADDED.match(text)) and is_told(text[found.end() :]):
        return found.end()
    found = ORDER.match(text)
    if found is None:
        return None
    return found.end() if not asks or (_THAT.search(found[0]) and is_told(text[found.end() :])) else None


def without_begin(text: str) -> int:
    """Return where what is told begins, behind words that only announce it, or with which people begin to talk; 0 where there are
    none."""
    begin = announced(text)
    if begin is None and (begun := _BEGUN.match(text)):
        begin = begun.end()
    return begin or 0


def told_in(text: str, sentence: Span) -> Span:
    """Return a sentence without the words that only announce it, and the question mark of these."""
    words = text[sentence.start : sentence.end]
    begin = without_begin(words)
    if not begin:
        return sentence
    return Span(sentence.start + begin, sentence.start + len(words.rstrip("?？ ")))


def is_told(words: str) -> bool:
    """Return whether words are one clause with its subject: "the flat is sold", not "the code we use" or "where it is"."""
    subject = subject_of_clause(words)
    if subject is None:
        return _HAS_GOT.match(words) is not None
    said = subject.lower().split()
    if len(said) > MOST_OF_SUBJECT or not _NO_SUBJECTS.isdisjoint(said[:1]) or not _OPEN_CLAUSE.isdisjoint(said):
        return False
    return SUBJECTS.isdisjoint(said[1:])
