"""Which clause of a note stands by itself, and which is a fragment that leans on what was said before: one that has no subject
or no verb, begins with a pronoun, or goes on with the sentence before it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import candidates, leaning
from lattice_common.language.pii.given_names import SMALL_NAMES
from lattice_common.language.sentences.alone import WRITERS
from lattice_common.language.sentences.clauses import Clause, has_verb, language_of
from lattice_common.language.sentences.headings import leading_label
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, STRETCHES, first_word, has_content, opening_word, words_of
from lattice_common.language.sentences.subjects import ARTICLES, OWN, ROLES, definite_subject
from lattice_common.language.sentences.verbs import ADVERBS, BASE, FINITE, ORDERS, PAST
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, short_weekdays

OF_PEOPLE = vocabulary("he she his her him er sie il elle él ella lui lei sua suo")
"""Pronouns of a person."""
POINTING_BACK = OF_PEOPLE | vocabulary("it they them this that these those its their es")
"""Pronouns that point back to whom or what was spoken of before."""
TO_WHAT_WAS_SAID = vocabulary("it its that this they them their these those")
"""Those of them that may mean all that was said, and not its subject."""
GOES_ON = lazy_regex(r"(?:that|which|who|whose|because|since|although|while|until|unless|than|as)\s")
"""In lower case: the rest of a sentence that a line break or a full stop cut."""
_DENIES = lazy_regex(r"(?:does|is|has|was)n['’]t ", re.IGNORECASE)
"""Of a third person whose name is left out: "doesn't do weekends"; of themselves people say "didn't", "can't", "won't"."""
_UNCLEAR = lazy_regex(
    r"\b(?:the|a|an|[a-z]+)\s(?:one|ones)\b(?!\s+(?:of|day|morning|evening|night))|"
    r"\b(?:to|of|for|like|by|with|about|from) that\b|\bthat[.,!?]*$|"
    r"\bthere[.,!?]*$|\b(?:ihn|ihm|es|lo|la|le|ne|ci|en|y)[.,!?]*$",
    re.IGNORECASE,
)
_NO_PARTS = ROLES | SHE | HE | SMALL_NAMES | FUNCTION_WORDS | ARTICLES | BASE | ORDERS
"""What begins no clause about a part of what stands above it."""
_BARE_SUBJECT = lazy_regex(
    rf"(?!(?:{'|'.join(FINITE)})\b)[\w-]+(?:\s+[\w-]+){{0,2}}(?:\s+{ADVERBS}(?:{'|'.join(FINITE)}|{'|'.join(BASE)})\b|['’]s\s(?![\w-]+\s+(?:{'|'.join(FINITE)})\b))",
    re.IGNORECASE,
)
"""A thing without an article does or is something: "bins go out on Tuesday". Of what, only a label says for sure."""
_DID = lazy_regex(rf"(?P<who>[^\W\d_][\w-]*)(?:\s+[\w-]+)?\s+{ADVERBS}\w{{2,}}ed\b")
AMOUNT = lazy_regex(
    r"(?:(?:about|around|some|only|just|nearly|almost|roughly|etwa|rund|nur)\s+)?(?:[$€£]\s?\d[\d.,]*k?\b|\d[\d.,]*k?\s?(?:[$€£]|(?:dollars?|"
    r"bucks|euros?|eur|usd|gbp|quid|pounds?|cents?|pence|francs?|crowns?|kroner?|percent)\b))(?!\s*(?:is|are|was|were|will|would|must|ist|sind|war)\b)",
    re.IGNORECASE,
)
"""A price or a share at the beginning of a clause, unless it is its subject."""
_SETTLED = (
    "cut|raised|moved|cancelled|canceled|paid|signed|booked|sold|done|sorted|finished|sent|fixed|delivered|delayed|approved|rejected|"
    "confirmed|closed|ordered|postponed|agreed|extended|dropped|increased|reduced"
)
_WHEN = (
    rf"{any_of((*ENGLISH_WEEKDAYS, *(each for each in short_weekdays('en') if each not in ('sat', 'sun', 'wed'))))}|"
    r"tomorrow|tonight|\d{1,2}(?:[:.]\d\d)? ?[ap]m"
)
WITH_A_TIME = lazy_regex(rf"[a-z][\w'’-]*(?: [\w'’-]+){{0,2}} (?:on |at )?(?:{_WHEN})\b", re.IGNORECASE)
"""An appointment, as it is noted: "dentist tues 9am"."""
_TELLS = lazy_regex(
    r"(?:[A-ZÀ-Þ][\w'’-]+(?: (?:and|&) [A-ZÀ-Þ][\w'’-]+)? to (?!the\b|a\b|my\b|our\b|be\b)[a-z]{2,}\b"
    rf"|(?:[A-ZÀ-Þa-z][\w'’-]+ ){{1,2}}(?:{_SETTLED})\b"
    r"|(?i:back|off|away|home|due|out|in) (?:on |at |from |till |until )?(?:[A-Z][a-z]{2,}|\d|today|tomorrow|tonight|next|this))"
)
_DID_IT = lazy_regex(r"(?P<did>\w+)\s+(?:it|them|one)\b")
_DONE = PAST | {"had", "put", "let"}


def has_subject(words: str) -> bool:
    """Return whether a clause stands by itself: its writer, a name, or a thing with its article does or is something in it."""
    said = words_of(words)
    if not OWN.isdisjoint(said) or leading_label(words) is not None or definite_subject(words) is not None:
        return True
    if any({"she", "he"} & each.sorts and (each.at or each.words.split()[0].lower() in SHE | HE) for each in candidates(words)):
        return True
    first = first_word(words)
    return first in ARTICLES | WRITERS or _did(first) or _somebody_did(words)


def has_bare_subject(words: str) -> bool:
    """Return whether a thing without an article is the subject of a clause."""
    match = _BARE_SUBJECT.match(words.lstrip("( "))
    return match is not None and (not match[0].endswith("May") or has_verb(words))  # "Due in May" has none


def is_a_part(words: str) -> bool:
    """Return whether the subject of a clause is a thing without an article, which what it stands below explains: "Smoker's at
    Ludo's", below "Bees"; not somebody by name or role, nor what one is told to do."""
    first = opening_word(words)
    return has_bare_subject(words) and first not in _NO_PARTS and not _did(first)


def _did(word: str) -> bool:
    """Return whether a note that begins with this word says what its writer did: "Cancelled the gym"."""
    return word in PAST or (word.endswith("ed") and len(word) > 4)


def _somebody_did(words: str) -> bool:
    """Return whether a clause begins with somebody who did something: "Dad died in 2015." """
    did = _DID.match(words)
    return did is not None and (did["who"].lower() in ROLES or any(name.start == 0 for name in names_of(words)))


def tells_by_itself(words: str) -> bool:
    """Return whether a sentence without a finite verb says something of its own: "Dev to send the deck.", "Budget cut to 40k.",
    "Back Thursday on the late one."."""
    return _TELLS.match(words.lstrip("( ")) is not None and not leaning(words)


def is_bare(words: str) -> bool:
    """Return whether words say something of what was spoken of before: they have no verb, or begin with what it costs ("1900
    dollars, so there's 6300 left")."""
    return not has_verb(words) or AMOUNT.match(words) is not None


def points_back(words: str) -> bool:
    """Return whether a clause begins with a pronoun of what was spoken of before, or denies something of whom it does not
    name; not with "this morning", which says when."""
    first = opening_word(words)
    if _DENIES.match(words):
        return True
    if not STRETCHES.isdisjoint(words_of(words)[1:2]):
        return False
    return first in POINTING_BACK and not (first == "il" and language_of(words) == "it")


def did_something_to_it(words: str) -> bool:
    """Return whether the writer did something to what was spoken of before: "Had it since 2009." """
    found = _DID_IT.match(words)
    return found is not None and (found["did"].lower() in _DONE or found["did"].endswith("ed"))


def is_unclear(words: str) -> bool:
    """Return whether a clause leaves open of whom or what it speaks: then it stays with the one before it."""
    return bool(leaning(words)) or _UNCLEAR.search(words) is not None


def worth_parting(text: str, found: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of a sentence, those without a word that says something joined to the one before."""
    kept: list[Clause] = []
    for clause in found:
        last = kept[-1] if kept else None
        joins = not has_content(text[clause.start : clause.end])
        if last and (joins or not (last.subject or has_content(text[last.start : last.end]))):
            kept[-1] = replace(last, end=clause.end)
        else:
            kept.append(clause)
    return kept
