"""What all of a note is about, as its beginning shows: a label before a colon, a heading without a verb, a line above a list, or
the one person of whom it tells."""

from __future__ import annotations

import re

from lattice_common.domain.atom import Span
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import WOMEN_AND_MEN, candidates, is_known_word, leaning, sort_of
from lattice_common.language.sentences.clauses import has_verb, language_of
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, SMALL_TALK, has_content, words_of
from lattice_common.language.sentences.pronouns import is_somebody
from lattice_common.language.sentences.split import sentences
from lattice_common.language.sentences.subjects import DAY_WORDS, LONGEST_TOPIC, OWN, SOMEBODY, STATES, definite_subject
from lattice_common.language.sentences.verbs import ENGLISH
from lattice_common.language.vocabulary import vocabulary

MOST_OF_HEADING = 4
"""Words of a sentence that only says what the others are about."""
FEWEST_OF_A_PERSON = 3
"""Sentences of a note that is about somebody."""
SENTENCE = 4
"""Words from which on a note is likelier a sentence of its own."""
_LABEL = lazy_regex(r"(?P<label>(?!(?:one|two|three)\b)[^\W\d_][^:\n.!?;]{1,50}?):\s+\S")
_BOLD = lazy_regex(r"\*\*(?P<label>[^*\n]{2,50})\*\*\s*(?:[–—:-]|\()")
"""The head of an item: "**Margot** – my manager. Hates phone calls"."""
_NO_LABELS = vocabulary("decided decision open update note notes nb ps reminder correction btw fyi todo to-do fwd re")
"""Before a colon, words that only say how the rest is meant: "Update: …"."""
_HAS = lazy_regex(
    r"\b(?:tengo|tenemos|hay|est(?:oy|amos)|somos|ho|abbiamo|siamo|j['’]ai|on a|nous avons|il y a|tenho|temos|heb|hebben|habe|"
    r"haben)\b",
    re.IGNORECASE,
)
"""In other languages, before a colon: "tenemos dos críos: Bruno, …" is no label."""
_WHERE_ONE_IS = vocabulary("home back here there off away out in at up down ill poorly fine well over round with")
"""Behind what may be a name, where or how somebody is."""
_NO_THINGS = vocabulary(
    "one day week weekend month night morning evening afternoon news note update question stuff thing things time all"
)
"""End words that only begin a note: "Quick one.", "Long day."."""
_NOTES = vocabulary("notes note log logs minutes list diary journal update updates report reports records memo noticeboard again")
"""What a note is, at the end of its heading."""
_HOW_MEANT = vocabulary(
    """rumour rumor rumours rumors gossip joke jokes dream dreams wish wishes wishlist plan plans idea ideas lie lies quote quotes
    maybe if"""
)
"""Heads that say how something is meant, and not of what it is: what else stands there may well be so."""
_NO_THING_ENDS = lazy_regex(r"(?:ed|ing|ly)$")
"""Of words that seldom begin the name of a thing: "Finally home."."""
_THINGS_IN_ING = vocabulary(
    """billing building wedding meeting training parking swimming heating housing evening morning planning gardening cooking
    painting running cycling climbing knitting sewing rowing reading fishing sailing bed shed family weekly monthly"""
)
"""Words that do all the same: "Wedding list."."""
_ITEMS = lazy_regex(r"(?:[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+[^\n]*\n?)+")


def leading_label(words: str) -> str | None:
    """Return the label before a colon: "Lorcan's place: Second floor"."""
    if bold := _BOLD.match(words):
        return bold["label"].strip(": ")
    label = _LABEL.match(words)
    if label is None or not has_content(label["label"]) or has_verb(label["label"]) or _HAS.search(label["label"]):
        return None
    said = words_of(label["label"])
    return label["label"] if said[0] not in _NO_LABELS and said[-1] not in ("one", "ones") else None


def heading_of(words: str) -> str | None:
    """Return what a note is about where its first sentence has no verb and only says that: "Kiln log.", "Stall 44, Thursday
    market."."""
    head = words.partition(",")[0].strip(" .#*")
    said = words_of(head)
    if not words.rstrip().endswith(".") or not 1 < len(said) <= MOST_OF_HEADING or not has_content(head) or has_verb(words):
        return None
    begins = said[0]
    if said[1] in _WHERE_ONE_IS and not is_known_word(begins):
        return None  # "Freya home for Easter." speaks of Freya
    if said[-1] in _NO_THINGS or (said[-1] in STATES and said[-2].endswith("'s")):
        return None
    if begins in DAY_WORDS | _NO_LABELS | FUNCTION_WORDS | SMALL_TALK or begins[0].isdigit():
        return None
    if _NO_THING_ENDS.search(begins) and begins not in _THINGS_IN_ING:
        return None
    return head if OWN.isdisjoint(said) and _is_english(head) else None


def names_its_note(heading: str) -> bool:
    """Return whether a heading ends with what only its note is: "Kiln log"; "Cholesterol 7.2." says something by itself."""
    return not _NOTES.isdisjoint(words_of(heading)[-1:])


def says_how_meant(heading: str) -> bool:
    """Return whether a heading says how what stands below it is meant: "Rumours", "Wishlist"."""
    return not _HOW_MEANT.isdisjoint(words_of(heading))


def line_above_list(text: str, start: int, item: Span) -> str | None:
    """Return the line without a verb that an item of a note, which begins at `start`, stands below: "MEETING w/ Dalisay", above
    "- no dormer at the front"."""
    begun = text.rfind("\n\n", start, item.start)
    block = text[start if begun < 0 else begun + 2 : item.end]
    head, _, below = block.partition("\n")
    if not _ITEMS.fullmatch(below) or head.rstrip()[-1:] in (".", "!", "?") or _ITEMS.match(head):
        return None
    words = head.strip(" :#*")
    return words if 3 <= len(words) <= LONGEST_TOPIC and has_content(words) and not has_verb(words) else None


def person_of(note: str) -> str | None:
    """Return whom all of a note is about: who is its first subject, is meant again, and is the only one that does anything in
    it, its writer included."""
    if not OWN.isdisjoint(words_of(note)):
        return None
    said = [note[span.start : span.end] for span in sentences(note)]
    subject = definite_subject(said[0]) if len(said) >= FEWEST_OF_A_PERSON else None
    if subject is None or leading_label(said[0]) is not None:
        return None
    people = [each for each in candidates(f"{subject} is here") if {"she", "he"} & each.sorts and not each.thing]
    if len(people) != 1 or len(people[0].words) != len(subject):
        return None
    sorts = people[0].sorts & {"she", "he"}
    others = [each for words in said[1:] for each in candidates(words) if each.at == 0 and {"she", "he"} & each.sorts]
    if any(each.words.lower() not in subject.lower() for each in others):
        return None
    meant = [{sort_of(match) for match in leaning(words)} & {"she", "he"} for words in said[1:]]
    again = any(meant) or any(subject in words for words in said[1:])
    return subject if again and all(each <= sorts for each in meant) else None


def only_one_spoken_of(words: str) -> str | None:
    """Return the one person that the first words of a note speak of."""
    people = [each for each in candidates(words) if {"she", "he"} & each.sorts]
    if len(people) != 1 or people[0].words not in words or not is_somebody(people[0], words):
        return None
    only = people[0]
    return None if words.startswith(only.words) and not _may_name(only.words, words) else only.words


def _may_name(first: str, words: str) -> bool:
    """Return whether a capitalised word that begins a note is a name: in English, where few are, and no other word of it."""
    if " " in first or first.lower() in SOMEBODY | WOMEN_AND_MEN:
        return True
    return _is_english(words) and not is_known_word(first)


def is_read(words: str) -> bool:
    """Return whether these words are in a language whose clauses are told apart: in others any sentence may stand by itself, and
    only a short one is surely of what stands above it."""
    return len(words.split()) < SENTENCE or language_of(words) is not None or _is_english(words)


def _is_english(words: str) -> bool:
    """Return whether words are surely English: every fifth is one of its most frequent, or half of them stand in its lexicon."""
    said = [word.removesuffix("'s") for word in words_of(words) if not word[0].isdigit()]
    if language_of(words) is not None:
        return False
    return sum(word in ENGLISH for word in said) * 5 >= len(said) or sum(map(is_known_word, said)) * 2 >= len(said)
