"""What a note is about, as it is read: who and what is spoken of, and below what the words stand that do not say so themselves.

Words whose subject is left out get it from the clause before, or stand below what the text is about, as below a heading:
"Lorcan's place: Second floor, left.". Where neither is clear they are weak: they stay with those before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from lattice_common.domain.atom import Span
from lattice_common.language.glosses.lexicon import Glossed
from lattice_common.language.glosses.recognition import language_of as recognised
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import LONGEST, candidates, is_known_word, leaning, sort_of, speaks_of_both
from lattice_common.language.people.tie import names_given
from lattice_common.language.people.words import role_named
from lattice_common.language.sentences import belonging_german
from lattice_common.language.sentences.alone import is_of_the_writer, stands_alone
from lattice_common.language.sentences.alone_german import begins_with_theirs, is_of_its_writer, meant_within
from lattice_common.language.sentences.belonging import (
    belongs,
    is_an_animal,
    is_of_a_being,
    is_only_somebodys,
    is_there,
    only_name,
    owner,
)
from lattice_common.language.sentences.clauses import (
    Clause,
    begins_with_day,
    clauses,
    goes_on_about_another,
    is_of_theirs,
    same_attribute,
    subject_of_clause,
)
from lattice_common.language.sentences.fragments import (
    AMOUNT,
    GOES_ON,
    OF_PEOPLE,
    POINTING_BACK,
    TO_WHAT_WAS_SAID,
    WITH_A_TIME,
    did_something_to_it,
    has_bare_subject,
    has_subject,
    is_a_part,
    is_bare,
    is_unclear,
    points_back,
    tells_by_itself,
    worth_parting,
)
from lattice_common.language.sentences.headings import (
    heading_of,
    is_read,
    leading_label,
    line_above_list,
    names_its_note,
    only_one_spoken_of,
    person_of,
    says_how_meant,
)
from lattice_common.language.sentences.how_it_was import says_how_it_was
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, opening_word, words_of
from lattice_common.language.sentences.news import told_in
from lattice_common.language.sentences.pronouns import name_pronouns, others_did, says_of_another
from lattice_common.language.sentences.split import sentences
from lattice_common.language.sentences.statements import Statement, sentences_with_answers
from lattice_common.language.sentences.subjects import (
    DAY_WORDS,
    LONGEST_TOPIC,
    OWN,
    POSSESSIVES,
    ROLES,
    SOMEBODY,
    definite_subject,
    said_to_be,
    thing_with_values,
    writers_subject,
)
from lattice_common.language.sentences.values import further_values, prices, values
from lattice_common.language.words import ENGLISH_WEEKDAYS

LONGEST_NOTE = 1500
"""Characters of a note in which what it is about at its beginning may still be meant."""
LONGEST_LABEL = 3
"""Words of a label, in another language than English and German, that the sentences behind its own may be below, too: a
longer one is a sentence."""
MOST_OF_A_NAME = 2
"""Words of a name that German sentences speak of by a pronoun within them."""
FEWEST_OF_A_NOTE = 3
"""Sentences of a note of which one that stands by itself is of what the first one names: of two they may be of two things."""
_WANTS_OF_ME = lazy_regex(
    r"\b(?:wants?|wanted|asked|asks|told|tells|needs?|needed|expects?|expected|got|let|made) (?:me|us) ", re.IGNORECASE
)
"""Somebody of whom, and the writer of whom, what follows may be."""
_SOMEBODYS_THING = lazy_regex(r"[A-ZÀ-Þ][\w-]*['’]s (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*){0,2})$")
_ANOTHER_WITH_A_VALUE = lazy_regex(r"(?:[A-Z][a-z]+ )?(?P<name>[A-ZÀ-Þ][\w-]*):? [$€£]?\d")
"""Below "Priyanka's rating", what is said of somebody else: "Tomasz 1588" is no rating of hers."""


class _Said(NamedTuple):
    """What was said last, and last of what names what it is about."""

    last: str = ""
    naming: str = ""


class Discourse:
    """What a note is about, as it is read: from its words between `start` and `end`, and from those `before` it."""

    def __init__(self, text: str, start: int, end: int, before: str) -> None:
        self._text = text
        self._start = start
        self._before = before
        self._topics: list[str] = []
        self._labelled = False
        self._headed = False
        """Whether what it is about stands in a heading of its own, without a verb: "Stall 44, Thursday market."."""
        self._person = person_of(text[start : min(end, start + LONGEST_NOTE)])
        self._last: str | None = None
        self._said = _Said()
        self._heard = before[-LONGEST:]
        self._any = False
        self._stood = False
        """Whether the sentence before stands by itself, though the note is about something else."""

    @property
    def _language(self) -> Glossed | None:
        return recognised(self._text[self._start : self._start + LONGEST_NOTE])

    def is_headed_by(self, found: Sequence[Statement]) -> bool:
        """Return whether the first statement is a heading alone, below which another one stands: these say its words, too."""
        if not self._headed or len(found) < 2:
            return False
        first = self._text[found[0].start : found[0].end].strip(" .#*")
        return names_its_note(first) and found[0].said is None and any(each.topic == first for each in found[1:])

    def singles(self, statement: Statement) -> Iterator[Statement]:
        """Yield the facts of a statement; `weak` are those that cannot stand alone."""
        asked = statement.asked
        for span in sentences_with_answers(self._text, statement):
            if "\n\n" in self._text[max(span.start - 6, 0) : span.start]:
                self._topics, self._labelled, self._last, self._said = [], False, None, _Said()
                self._headed, self._person = False, None
            whole = told_in(self._text, span)
            label = leading_label(self._text[whole.start : whole.end])
            if label is None and (above := line_above_list(self._text, self._start, span)):
                yield self._under(above, replace(statement, start=whole.start, end=whole.end, sentences=1, asked=asked))
                asked = None
                continue
            for at, (clause, topic) in enumerate(self._clauses(whole, label)):
                piece = replace(statement, start=clause.start, end=clause.end, sentences=1, asked=asked)
                stands = piece if topic is not None else self._single(piece, clause.subject, first=at == 0)
                single = self._under(topic, piece) if topic else stands
                asked = None
                words = self._text[clause.start : clause.end]
                self.hear(words, single.said or words, named=single.topic is None)
                yield single

    def _clauses(self, whole: Span, label: str | None) -> Iterator[tuple[Clause, str | None]]:
        """Yield the clauses of a sentence, each value behind its label or behind what something is as one of its own, with what
        these stand below: "" for what stands by itself though it has no verb."""
        last = ""
        for at, clause in enumerate(worth_parting(self._text, clauses(self._text, whole))):
            span = Span(clause.start, clause.end)
            before, last = last, self._text[clause.start : clause.end]
            if label is None and (attribute := same_attribute(before, last)) and not _is_somebodys(attribute):
                yield clause, attribute
                continue
            if label is None and (whose := self._owner_of(last, clause.start)):
                yield clause, whose
                continue
            if label and at and leading_label(self._text[clause.start : clause.end]) is None:
                yield clause, label
                continue
            if label is None and len(priced := prices(self._text, span)) > 1:
                yield from ((Clause(each.start, each.end), "") for each in priced)
                continue
            below = label or (None if clause.subject or is_only_somebodys(last) else thing_with_values(last))
            if below is None:
                yield clause, None
                continue
            first, *further = values(self._text, span) if label else further_values(self._text, span)
            yield replace(clause, end=first.end), None
            yield from ((Clause(each.start, each.end), below) for each in further)

    def _owner_of(self, words: str, start: int) -> str | None:
        """Return what a clause that only names a part or value belongs to; None of another line, and where it is not clear."""
        same_line = "\n" not in self._text[max(start - 2, 0) : start]
        before = self._said.last if is_there(words) else self._said.naming
        if not before or not same_line or self._labelled or self._headed:
            return None  # what stands below a label or heading is about that
        whose = owner(words, before) if belongs(words) else _owner_in_german(words, before)
        if whose is None and is_of_theirs(words):
            whose = _somebody_in(before)
        return whose if whose and whose in self._text[self._start : start] else None  # nothing is said that does not stand there

    def hear(self, words: str, said: str, *, named: bool = True) -> None:
        """Take note of what was said: who and what is spoken of, and what it is about; not `named` where that stands above it."""
        self._heard = f"{self._heard.rstrip(' .')}. {said}"[-LONGEST:].lstrip(". ")
        label = leading_label(words)
        is_part = belongs(words) or belonging_german.belongs(words)
        subject = None if is_part else definite_subject(words) or said_to_be(words)  # of "Bill came to 120." nothing else is said
        is_foreign = self._language not in (None, "de")
        subject = None if subject and is_foreign and is_of_the_writer(subject) else subject
        heading = None if self._any or label or subject or is_foreign else heading_of(words)
        is_own = is_foreign and any(map(is_of_the_writer, words_of(words)))  # "ciao, sono Luca": the rest is not of a Luca
        topic = label or subject or heading or (None if self._any or is_own else only_one_spoken_of(words))
        if topic is not label and _WANTS_OF_ME.search(words):
            topic = None  # what follows may be of either: "Dana wants me to lead it. Currently at 142k."
        first, self._any = not self._any, True
        self._last = label or subject or writers_subject(words) or self._last
        self._said = _Said(words, said if named and not is_part and not points_back(said) else self._said.naming)
        if self._headed or (self._labelled and label is None):
            return  # what stands below a label or heading is about that
        self._headed = heading is not None
        if topic and topic.lower() not in {each.lower() for each in self._topics}:
            self._topics.append(topic)
            self._labelled = self._labelled or (first and label is not None)

    def _under(self, label: str, piece: Statement) -> Statement:
        """Return a further clause of what stands behind a label."""
        words = self._text[piece.start : piece.end]
        said, about = self._named(words, piece.start)
        if said != words and label in about:
            return replace(piece, said=said, about=about)  # "Ana's landlord is selling" says whose
        return replace(piece, said=said if said != words else None, topic=label, about=(*about, label))

    def _single(self, single: Statement, subject: str | None, *, first: bool) -> Statement:
        words = self._text[single.start : single.end]
        whole = f"{subject} {words}" if subject else words
        said, about = self._named(whole, single.start)
        if subject and not about:
            about = (subject,)
        if words.startswith("[") or (not first and is_unclear(said)):
            return replace(single, weak=True, said=None, about=())
        if not self._any or single.asked or about:
            return replace(single, said=said if said != words else None, about=about)
        goes_on = GOES_ON.match(words.lstrip(">*- (")) is not None
        same_line = "\n" not in self._text[max(single.start - 2, 0) : single.start]
        if same_line and says_how_it_was(words):
            return replace(single, weak=True)
        leans = goes_on or points_back(words) or did_something_to_it(words)
        if not leans and (self._stands_by_itself(words, first=first) or self._is_another_sentence(words)):
            self._stood = True
            return self._below_its_head(single, words)
        if not leans and goes_on_about_another(words, self._heard):
            given = names_given(self._said.last)
            if len(given) == 1 and given[0] not in (self._last or ""):
                self._last = given[0]
            if self._last is None and same_line:
                self._last = only_name(self._said.naming)
            if self._last:
                return replace(single, topic=self._last, about=(self._last,))
        # Of two things that a note is about, neither is clearly meant.
        only = (self._person or (self._topics[0] if len(self._topics) == 1 else None)) if not goes_on else None
        back = opening_word(words) in TO_WHAT_WAS_SAID and self._stood
        topic = self._meant_in_german(words) or (only if only and not back and self._may_be(only, words) else None)
        self._stood = False
        if topic and not (set(words_of(topic)) & set(words_of(words)) - FUNCTION_WORDS):
            return self._about(topic, single, words)
        has_its_time = first and WITH_A_TIME.match(words) is not None  # "dentist tues 9am"
        if leans or (same_line and is_bare(words) and not has_its_time):
            return replace(single, weak=True)
        return self._below_its_head(replace(single, weak=False), words)

    def _stands_by_itself(self, words: str, *, first: bool) -> bool:
        """Return whether a clause, the first of its sentence or not, says whom or what it is of."""
        below = self._labelled or self._headed or self._person is not None
        if self._meant_in_german(words) is not None or (is_of_a_being(words) and self._speaks_of_one_being()):
            return False
        return (
            begins_with_day(words)
            or (first and tells_by_itself(words) and not (self._last and opening_word(words) == "due"))
            or (not is_a_part(words) and has_subject(words) if below else has_subject(words) or has_bare_subject(words))
            or (self._language == "de" and is_of_its_writer(words))
        )

    def _speaks_of_one_being(self) -> bool:
        topic = self._topics[0] if len(self._topics) == 1 else None
        return topic is not None and (
            is_an_animal(topic) or any({"she", "he"} & each.sorts for each in candidates(f"{topic} is"))
        )

    def _meant_in_german(self, words: str) -> str | None:
        """Return the one person or animal that a note is about, where a German sentence without a name speaks of them by a
        pronoun: "Außerdem ist sie gegen Nüsse allergisch"."""
        if self._language != "de" or self._labelled or self._headed or len(self._topics) != 1 or is_of_its_writer(words):
            return None
        topic, meant = self._topics[0], meant_within(words)
        if meant is None or len(topic.split()) > MOST_OF_A_NAME:
            return None
        if not begins_with_theirs(words) and any(name.start for name in names_of(words)):
            return None
        people = [each.sorts for each in candidates(f"{topic} is here") if not each.thing]
        return topic if len(people) == 1 and meant in people[0] else None

    def _below_its_head(self, single: Statement, words: str) -> Statement:
        """Return a sentence that stands by itself below what all of its note is about: "Stall 44: Ozlem does the olives."; not
        one of another line, of the writer and their family, or that names it."""
        same_line = "\n" not in self._text[max(single.start - 2, 0) : single.start]
        if not (self._labelled or self._headed) or len(self._topics) != 1 or not same_line or leading_label(words) is not None:
            return single
        topic = self._topics[0]
        first = opening_word(words)
        if (
            begins_with_day(words)
            or (self._language not in (None, "de") and len(topic.split()) > LONGEST_LABEL)
            or not DAY_WORDS.union(ENGLISH_WEEKDAYS).isdisjoint(words_of(topic))  # "Cast off Friday" is of that day
            or says_how_meant(topic)
            or first in ROLES | POSSESSIVES | OWN
            or set(words_of(topic)) & set(words_of(words)) - FUNCTION_WORDS
        ):
            return single
        before = self._text[self._text.rfind("\n", self._start, single.start) + 1 : single.start]
        after = self._text[single.end : single.end + LONGEST_TOPIC].partition("\n")[0].strip()
        of_it = belongs(words) or after or len(sentences(before)) >= FEWEST_OF_A_NOTE - 1
        return self._about(topic, single, words) if of_it else single

    def _is_another_sentence(self, words: str) -> bool:
        """Return whether words in another language than English and German stand by themselves."""
        if self._language in (None, "de") or self._labelled:
            return False
        return stands_alone(words, self._language) and not goes_on_about_another(words, self._heard)

    def _about(self, topic: str, single: Statement, words: str) -> Statement:
        whose, another = _SOMEBODYS_THING.match(topic), _ANOTHER_WITH_A_VALUE.match(words)
        if whose and another and not is_known_word(another["name"]):
            topic = whose["thing"]
        return replace(single, topic=topic, about=(topic,))

    def _may_be(self, topic: str, words: str) -> bool:
        """Return whether these words may be said of this: behind a label, all; else "she" of a person, and what has no verb at
        all. "Cheques in his name" is not said of a woman."""
        if self._labelled:
            is_known = self._language in (None, "de")
            return len(topic.split()) <= (2 if is_known else LONGEST_LABEL) or (is_known and is_read(words))
        word = opening_word(words)
        if (self._headed or self._person) and word not in POINTING_BACK and is_a_part(words) and is_known_word(word):
            return True
        people = [
            each.sorts
            for each in candidates(topic) or candidates(f"{topic} is here")
            if {"she", "he"} & each.sorts and not topic[each.at + len(each.words) :].startswith(("'s", "’s"))
        ]
        meant = {sort_of(match) for match in leaning(words)} & {"she", "he"}
        if meant & {sort_of(match) for match in leaning(topic)}:
            return False  # "her partner Luc" is not the one whose partner he is
        if meant and (others_did(self._heard, topic, meant) or says_of_another(self._said.last, topic, meant)):
            return False
        if meant and any({"she", "he"} <= sorts for sorts in people) and speaks_of_both(f"{self._heard} {words}"):
            return False  # who may be she or he is as likely the other one
        if people and (AMOUNT.match(words) or not any(meant <= sorts for sorts in people)):
            return False  # nobody has a price
        return bool(people) if word in OF_PEOPLE else word not in POINTING_BACK and is_bare(words)

    def _named(self, words: str, start: int) -> tuple[str, tuple[str, ...]]:
        return name_pronouns(words, self._heard, f"{self._before} {self._text[self._start : start]}")


def _owner_in_german(words: str, before: str) -> str | None:
    return belonging_german.owner(words, before) if belonging_german.belongs(words) else None


def _somebody_in(before: str) -> str | None:
    """Return whom a clause in another language than English is about, where its subject is somebody: "der Papa"."""
    subject = subject_of_clause(before)
    if subject is None or any(map(is_of_the_writer, words_of(subject))):
        return None
    is_somebody = any(word in SOMEBODY or role_named(word) is not None for word in words_of(subject))
    return subject if is_somebody else None


def _is_somebodys(attribute: str) -> bool:
    """Return whether somebody or an animal is called so, whose number would be an age: "My brother is 31, Freya is 26"."""
    role = role_named(words_of(attribute)[-1])
    return role is not None and role.kind in ("person", "animal")
