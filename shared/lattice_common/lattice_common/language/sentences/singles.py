"""One fact, one statement: what is said in one breath, cut into facts that can stand alone, each saying whom it is about.

A pronoun is put into the one name that it can stand for; words whose subject is left out get it from the clause before, or stand
below what the text is about, as below a heading ("Lorcan's place: Second floor, left."). Where neither is clear the words stay
with those before them, as they were said. The quote is always what was said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from lattice_common.domain.atom import Span
from lattice_common.language.glosses.lexicon import Glossed
from lattice_common.language.glosses.recognition import language_of as recognised
from lattice_common.language.names import names_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.coreference import (
    LONGEST,
    WOMEN_AND_MEN,
    Candidate,
    Sort,
    candidates,
    is_known_word,
    leaning,
    resolve_pronouns,
    sort_of,
    speaks_of_both,
)
from lattice_common.language.people.tie import names_given
from lattice_common.language.people.words import role_named
from lattice_common.language.pii.given_names import SMALL_NAMES
from lattice_common.language.sentences import belonging_german
from lattice_common.language.sentences.alone import WRITERS, is_of_the_writer, stands_alone
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
    has_verb,
    language_of,
    same_attribute,
    subject_of_clause,
)
from lattice_common.language.sentences.how_it_was import leaves_it_open, says_how_it_was
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, SMALL_TALK, STRETCHES, words_of
from lattice_common.language.sentences.news import without_begin
from lattice_common.language.sentences.split import is_ended, sentences
from lattice_common.language.sentences.statements import LONGEST_JOINED, Statement, is_yes_or_no
from lattice_common.language.sentences.values import further_values, prices, values
from lattice_common.language.sentences.verbs import ADVERBS, AUXILIARIES, BASE, ENGLISH, FINITE, ORDERS, PAST
from lattice_common.language.tables.english_words import DAYS
from lattice_common.language.tables.first_names import HE, SHE
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, any_of, people_by_role, short_weekdays

LONGEST_NOTE = 1500
"""Characters of a note in which what it is about at its beginning may still be meant."""

LONGEST_TOPIC = 60
LONGEST_LABEL = 3
"""Words of a label, in another language than English and German, that the sentences behind its own may be below, too: a
longer one is a sentence."""
MOST_OF_A_NAME = 2
"""Words of a name that German sentences speak of by a pronoun within them."""


def singled(
    text: str,
    start: int,
    found: Sequence[Statement],
    before: str,
    apart: Sequence[Span] = (),
    is_surely_not_so: Callable[[str], bool] = lambda _: False,
) -> list[Statement]:
    """Return the statements of a note that begins at `start`, as single facts. `before` are words that it leans on, of turns
    before; `apart` are stretches over which none is joined to another. Of two sentences one of which `is_surely_not_so` neither
    stays with the other ("Budget is 38k. Maybe a shower, maybe not."), for together they have one status."""
    out: list[Statement] = []
    note = _Note(text, start, found[-1].end if found else start, before)
    for statement in found:
        if statement.question or statement.end - start > LONGEST_NOTE:
            words = text[statement.start : statement.end]
            note.hear(words, words)
            out.append(statement)
            continue
        for single in note.singles(statement):
            if single.weak and out and _may_join(out[-1], single, apart) and not _differ(text, out[-1], single, is_surely_not_so):
                out[-1] = _joined(text, out[-1], single)
            else:
                out.append(replace(single, weak=False))
    return out[1:] if note.is_headed_by(out) else out


def _may_join(before: Statement, after: Statement, apart: Sequence[Span]) -> bool:
    if before.question or after.end - before.start > LONGEST_JOINED:
        return False
    return not any(before.end <= gap.start and gap.end <= after.start for gap in apart)


def _differ(text: str, before: Statement, after: Statement, is_surely_not_so: Callable[[str], bool]) -> bool:
    """Return whether these are two sentences of which one is so and the other one surely not; not where the second one
    only says that the first is not decided."""
    first, second = text[before.start : before.end], text[after.start : after.end]
    return is_ended(first) and not leaves_it_open(second) and is_surely_not_so(first) != is_surely_not_so(second)


def _joined(text: str, before: Statement, after: Statement) -> Statement:
    """Return words that cannot stand alone, with those before them."""
    if before.said is None and after.said is None:
        return replace(before, end=after.end)
    first, second = before.said or text[before.start : before.end], after.said or text[after.start : after.end]
    said = f"{first}{text[before.end : after.start]}{second}"
    return replace(before, end=after.end, said=said, about=tuple(dict.fromkeys((*before.about, *after.about))))


class _Said(NamedTuple):
    """What was said last, and last of what names what it is about."""

    last: str = ""
    naming: str = ""


class _Note:
    """What a note is about, as it is read."""

    def __init__(self, text: str, start: int, end: int, before: str) -> None:
        self._text = text
        self._start = start
        self._before = before
        self._topics: list[str] = []
        self._labelled = False
        self._headed = False
        """Whether what it is about stands in a heading of its own, without a verb: "Stall 44, Thursday market."."""
        self._person = _person_of(text[start : min(end, start + LONGEST_NOTE)])
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
        is_of_a_note = words_of(first)[-1:] and words_of(first)[-1] in _NOTES  # "Cholesterol 7.2." says something by itself
        return bool(is_of_a_note) and found[0].said is None and any(each.topic == first for each in found[1:])

    def singles(self, statement: Statement) -> Iterator[Statement]:
        """Yield the facts of a statement; `weak` are those that cannot stand alone."""
        asked = statement.asked
        for span in self._sentences(statement):
            if "\n\n" in self._text[max(span.start - 6, 0) : span.start]:
                self._topics, self._labelled, self._last, self._said = [], False, None, _Said()
                self._headed, self._person = False, None
            whole = self._told_in(span)
            label = _label_of(self._text[whole.start : whole.end])
            if label is None and (above := self._above_a_list(span)):
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

    def _sentences(self, statement: Statement) -> Iterator[Span]:
        """Yield the sentences of a statement, a question with the answer that the note gives itself."""
        asked: Span | None = None
        for span in sentences(self._text, statement.start, statement.end):
            if asked is not None and is_yes_or_no(self._text[span.start : span.end]):
                yield Span(asked.start, span.end)
                asked = None
                continue
            if asked is not None:
                yield asked
            asked = span if self._text[span.start : span.end].rstrip().endswith("?") else None
            if asked is None:
                yield span
        if asked is not None:
            yield asked

    def _told_in(self, sentence: Span) -> Span:
        """Return a sentence without the words that only announce it, and the question mark of these."""
        words = self._text[sentence.start : sentence.end]
        begin = without_begin(words)
        if not begin:
            return sentence
        return Span(sentence.start + begin, sentence.start + len(words.rstrip("?？ ")))

    def _clauses(self, whole: Span, label: str | None) -> Iterator[tuple[Clause, str | None]]:
        """Yield the clauses of a sentence, each value behind its label or behind what something is as one of its own, with what
        these stand below: "" for what stands by itself though it has no verb."""
        last = ""
        for at, clause in enumerate(_worth_parting(self._text, clauses(self._text, whole))):
            span = Span(clause.start, clause.end)
            before, last = last, self._text[clause.start : clause.end]
            if label is None and (attribute := same_attribute(before, last)) and not _is_somebodys(attribute):
                yield clause, attribute
                continue
            if label is None and (whose := self._owner_of(last, clause.start)):
                yield clause, whose
                continue
            if label and at and _label_of(self._text[clause.start : clause.end]) is None:
                yield clause, label
                continue
            if label is None and len(priced := prices(self._text, span)) > 1:
                yield from ((Clause(each.start, each.end), "") for each in priced)
                continue
            below = label or (None if clause.subject or is_only_somebodys(last) else _thing(last))
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
        return whose if whose and whose in self._text[self._start : start] else None  # nothing is said that does not stand there

    def _above_a_list(self, span: Span) -> str | None:
        """Return the line without a verb that an item stands below: "MEETING w/ Dalisay", above "- no dormer at the front"."""
        begun = self._text.rfind("\n\n", self._start, span.start)
        block = self._text[self._start if begun < 0 else begun + 2 : span.end]
        head, _, below = block.partition("\n")
        if not _ITEMS.fullmatch(below) or head.rstrip()[-1:] in (".", "!", "?") or _ITEMS.match(head):
            return None
        words = head.strip(" :#*")
        return words if 3 <= len(words) <= LONGEST_TOPIC and _telling(words) and not has_verb(words) else None

    def hear(self, words: str, said: str, *, named: bool = True) -> None:
        """Take note of what was said: who and what is spoken of, and what it is about; not `named` where that stands above it."""
        self._heard = f"{self._heard.rstrip(' .')}. {said}"[-LONGEST:].lstrip(". ")
        label = _label_of(words)
        is_part = belongs(words) or belonging_german.belongs(words)
        subject = None if is_part else _subject(words) or _said_to_be(words)  # of "Bill came to 120." nothing else is said
        is_foreign = self._language not in (None, "de")
        subject = None if subject and is_foreign and is_of_the_writer(subject) else subject
        heading = None if self._any or label or subject or is_foreign else _heading(words)
        topic = label or subject or heading or (None if self._any else _only_one_spoken_of(words))
        if topic is not label and _WANTS_OF_ME.search(words):
            topic = None  # what follows may be of either: "Dana wants me to lead it. Currently at 142k."
        first, self._any = not self._any, True
        self._last = label or subject or _owners(words) or self._last
        self._said = _Said(words, said if named and not is_part and not _leans(said) else self._said.naming)
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
        if words.startswith("[") or (not first and _is_unclear(said)):
            return replace(single, weak=True, said=None, about=())
        if not self._any or single.asked or about:
            return replace(single, said=said if said != words else None, about=about)
        goes_on = _GOES_ON.match(words.lstrip(">*- (")) is not None
        same_line = "\n" not in self._text[max(single.start - 2, 0) : single.start]
        if same_line and says_how_it_was(words):
            return replace(single, weak=True)
        leans = goes_on or _leans(words) or _did_something_to_it(words)
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
        back = _begins_with(words) in _TO_WHAT_WAS_SAID and self._stood
        topic = self._meant_in_german(words) or (only if only and not back and self._may_be(only, words) else None)
        self._stood = False
        if topic and not (set(words_of(topic)) & set(words_of(words)) - FUNCTION_WORDS):
            return self._about(topic, single, words)
        has_its_time = first and _WITH_A_TIME.match(words) is not None  # "dentist tues 9am"
        if leans or (same_line and _is_bare(words) and not has_its_time):
            return replace(single, weak=True)
        return self._below_its_head(replace(single, weak=False), words)

    def _stands_by_itself(self, words: str, *, first: bool) -> bool:
        """Return whether a clause, the first of its sentence or not, says whom or what it is of."""
        below = self._labelled or self._headed or self._person is not None
        if self._meant_in_german(words) is not None or (is_of_a_being(words) and self._speaks_of_one_being()):
            return False
        return (
            begins_with_day(words)
            or (first and _tells_by_itself(words) and not (self._last and _begins_with(words) == "due"))
            or (not _is_a_part(words) and _has_subject(words) if below else _has_subject(words) or _has_bare_subject(words))
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
        if not (self._labelled or self._headed) or len(self._topics) != 1 or not same_line or _label_of(words) is not None:
            return single
        topic = self._topics[0]
        first = _begins_with(words)
        if (
            begins_with_day(words)
            or (self._language not in (None, "de") and len(topic.split()) > LONGEST_LABEL)
            or not _DAYS.union(ENGLISH_WEEKDAYS).isdisjoint(words_of(topic))  # "Cast off Friday" is of that day
            or not _HOW_MEANT.isdisjoint(words_of(topic))
            or first in _ROLES | _POSSESSIVES | _OWN
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
            return len(topic.split()) <= (2 if is_known else LONGEST_LABEL) or (is_known and _is_read(words))
        word = _begins_with(words)
        if (self._headed or self._person) and word not in _BACK and _is_a_part(words) and is_known_word(word):
            return True
        people = [
            each.sorts
            for each in candidates(topic) or candidates(f"{topic} is here")
            if {"she", "he"} & each.sorts and not topic[each.at + len(each.words) :].startswith(("'s", "’s"))
        ]
        meant = {sort_of(match) for match in leaning(words)} & {"she", "he"}
        if meant & {sort_of(match) for match in leaning(topic)}:
            return False  # "her partner Luc" is not the one whose partner he is
        if meant and (_others_did(self._heard, topic, meant) or _says_of_another(self._said.last, topic, meant)):
            return False
        if meant and any({"she", "he"} <= sorts for sorts in people) and speaks_of_both(f"{self._heard} {words}"):
            return False  # who may be she or he is as likely the other one
        if people and (_AMOUNT.match(words) or not any(meant <= sorts for sorts in people)):
            return False  # nobody has a price
        return bool(people) if word in _OF_PEOPLE else word not in _BACK and _is_bare(words)

    def _named(self, words: str, start: int) -> tuple[str, tuple[str, ...]]:
        return _named(words, self._heard, f"{self._before} {self._text[self._start : start]}")


_SOMEBODYS_THING = lazy_regex(r"[A-ZÀ-Þ][\w-]*['’]s (?P<thing>[a-z][\w-]*(?: [a-z][\w-]*){0,2})$")
_ANOTHER_WITH_A_VALUE = lazy_regex(r"(?:[A-Z][a-z]+ )?(?P<name>[A-ZÀ-Þ][\w-]*):? [$€£]?\d")
"""Below "Priyanka's rating", what is said of somebody else: "Tomasz 1588" is no rating of hers."""
_ITEMS = lazy_regex(r"(?:[ \t]*(?:[-*•–]|\d{1,2}[.)])[ \t]+[^\n]*\n?)+")
_GOES_ON = lazy_regex(r"(?:that|which|who|whose|because|since|although|while|until|unless|than|as)\s")
"""In lower case: the rest of a sentence that a line break or a full stop cut."""
_UNCLEAR = lazy_regex(
    r"\b(?:the|a|an|[a-z]+)\s(?:one|ones)\b(?!\s+(?:of|day|morning|evening|night))|"
    r"\b(?:to|of|for|like|by|with|about|from) that\b|\bthat[.,!?]*$|"
    r"\bthere[.,!?]*$|\b(?:ihn|ihm|es|lo|la|le|ne|ci|en|y)[.,!?]*$",
    re.IGNORECASE,
)


def _is_unclear(words: str) -> bool:
    """Return whether a clause leaves open of whom or what it speaks: then it stays with the one before it."""
    return bool(leaning(words)) or _UNCLEAR.search(words) is not None


def _label_of(words: str) -> str | None:
    """Return the label before a colon: "Lorcan's place: Second floor"."""
    if bold := _BOLD.match(words):
        return bold["label"].strip(": ")
    label = _LABEL.match(words)
    if label is None or not _telling(label["label"]) or has_verb(label["label"]) or _HAS.search(label["label"]):
        return None
    said = words_of(label["label"])
    return label["label"] if said[0] not in _NO_LABELS and said[-1] not in ("one", "ones") else None


def _owner_in_german(words: str, before: str) -> str | None:
    return belonging_german.owner(words, before) if belonging_german.belongs(words) else None


def _subject(words: str) -> str | None:
    """Return the subject of a clause, where it is a name or a thing with its article: not its writer, nor a bare word."""
    topic = None if language_of(words) in _NO_TOPICS else subject_of_clause(words)
    if topic is None or len(topic) > LONGEST_TOPIC or not _telling(topic) or not _OWN.isdisjoint(words_of(topic)[:1]):
        return None
    if words_of(topic)[-1].endswith("'s") or not AUXILIARIES.isdisjoint(words_of(topic)):
        return None  # whose it is, not what: "Sid's would have passed, too"
    start = words.find(topic)
    named = any(name.start == start for name in names_of(words))
    return topic if named or _first_word(topic) in _ARTICLES else None


def _thing(words: str) -> str | None:
    """Return the subject of a clause with commas, where it begins it and is no person: "Flat in Tampere", "the accordion"."""
    subject = subject_of_clause(words) if "," in words else None
    if subject is None or not words.startswith(subject) or len(subject) > LONGEST_TOPIC or not _telling(subject):
        return None
    if _first_word(subject) in _SOMEBODY or any(word in _ROLES for word in words_of(subject)[-1:]) or belongs(f"{subject} is"):
        return None
    return None if any({"she", "he"} & each.sorts for each in candidates(f"{subject} is here", doubtful=False)) else subject


def _owners(words: str) -> str | None:
    """Return a subject that is somebody or something of the writer's: "My sister's dog"."""
    topic = subject_of_clause(words)
    if topic is None or not LONGEST_TOPIC >= len(topic) > len("my ") or not words.startswith(topic):
        return None
    return topic if _first_word(topic) in _POSSESSIVES and _telling(topic) else None


def _only_one_spoken_of(words: str) -> str | None:
    """Return the one person that the first words of a note speak of."""
    people = [each for each in candidates(words) if {"she", "he"} & each.sorts]
    if len(people) != 1 or people[0].words not in words or not _is_somebody(people[0], words):
        return None
    only = people[0]
    return None if words.startswith(only.words) and not _may_name(only.words, words) else only.words


_WANTS_OF_ME = lazy_regex(
    r"\b(?:wants?|wanted|asked|asks|told|tells|needs?|needed|expects?|expected|got|let|made) (?:me|us) ", re.IGNORECASE
)


def _may_name(first: str, words: str) -> bool:
    """Return whether a capitalised word that begins a note is a name: in English, where few are, and no other word of it."""
    if " " in first or first.lower() in _SOMEBODY | WOMEN_AND_MEN:
        return True
    return _is_english(words) and not is_known_word(first)


def _is_read(words: str) -> bool:
    """Return whether these words are in a language whose clauses are told apart: in others any sentence may stand by itself, and
    only a short one is surely of what stands above it."""
    return len(words.split()) < SENTENCE or language_of(words) is not None or _is_english(words)


SENTENCE = 4
"""Words from which on a note is likelier a sentence of its own."""


def _is_english(words: str) -> bool:
    """Return whether words are surely English: every fifth is one of its most frequent, or half of them stand in its lexicon."""
    said = [word.removesuffix("'s") for word in words_of(words) if not word[0].isdigit()]
    if language_of(words) is not None:
        return False
    return sum(word in ENGLISH for word in said) * 5 >= len(said) or sum(map(is_known_word, said)) * 2 >= len(said)


def _heading(words: str) -> str | None:
    """Return what a note is about where its first sentence has no verb and only says that: "Kiln log.", "Stall 44, Thursday
    market."."""
    head = words.partition(",")[0].strip(" .#*")
    said = words_of(head)
    if not words.rstrip().endswith(".") or not 1 < len(said) <= MOST_OF_HEADING or not _telling(head) or has_verb(words):
        return None
    begins = said[0]
    if said[1] in _WHERE_ONE_IS and not is_known_word(begins):
        return None  # "Freya home for Easter." speaks of Freya
    if said[-1] in _NO_THINGS or (said[-1] in _STATES and said[-2].endswith("'s")):
        return None
    if begins in _DAYS | _NO_LABELS | FUNCTION_WORDS | SMALL_TALK or begins[0].isdigit():
        return None
    if _NO_THING_ENDS.search(begins) and begins not in _THINGS_IN_ING:
        return None
    return head if _OWN.isdisjoint(said) and _is_english(head) else None


_NO_TOPICS = ("nl", "pt")
"""Languages whose sentences about others stand by themselves as those about their writer do."""
_HAS = lazy_regex(
    r"\b(?:tengo|tenemos|hay|est(?:oy|amos)|somos|ho|abbiamo|siamo|j['’]ai|on a|nous avons|il y a|tenho|temos|heb|hebben|habe|"
    r"haben)\b",
    re.IGNORECASE,
)
"""In other languages, before a colon: "tenemos dos críos: Bruno, …" is no label."""
_WHERE_ONE_IS = vocabulary("home back here there off away out in at up down ill poorly fine well over round with")
_NOTES = vocabulary("notes note log logs minutes list diary journal update updates report reports records memo noticeboard again")
_NO_THINGS = vocabulary(
    "one day week weekend month night morning evening afternoon news note update question stuff thing things time all"
)
"""End words that only begin a note: "Quick one.", "Long day."."""
_STATES = vocabulary(
    """poorly ill sick worse better fine ok okay well pregnant engaged expecting married divorced single back home here there gone
    away off out in late early due ready done happy sad upset cross furious asleep awake alive dead retired livid thrilled gutted
    broken dying hopeless useless amazing great lovely brilliant cancelled finished closed open full empty stuck lost leaking"""
)
"""What somebody or something is said to be: "Shoulder's worse." tells of the shoulder, "Nan's hearing aids." only names them."""
_IN_A_STATE = lazy_regex(
    rf"(?:(?:my|our) )?(?P<what>[^\W\d_][\w-]*(?: [a-z][\w-]+)?)['’]s (?:so |not |really |still |now )?(?:{any_of(_STATES)})"
    r"(?=\W*$|[,.;!?]| (?:and|but|again|today|now|since|until|till|with|in|on|at|for|from)\b)",
    re.I,
)


def _said_to_be(words: str) -> str | None:
    """Return whom or what a sentence only says to be somehow: "Anna" of "Anna's pregnant!"."""
    match = _IN_A_STATE.match(words)
    if match is None or not {*words_of(match["what"])}.isdisjoint(FUNCTION_WORDS | _POSSESSIVES):
        return None
    return match["what"]


MOST_OF_HEADING = 4
"""Words of a sentence that only says what the others are about."""
_NO_THING_ENDS = lazy_regex(r"(?:ed|ing|ly)$")
_THINGS_IN_ING = vocabulary(
    """billing building wedding meeting training parking swimming heating housing evening morning planning gardening cooking
    painting running cycling climbing knitting sewing rowing reading fishing sailing bed shed family weekly monthly"""
)


def _person_of(note: str) -> str | None:
    """Return whom all of a note is about: who is its first subject, is meant again, and is the only one that does anything in
    it, its writer included."""
    if not _OWN.isdisjoint(words_of(note)):
        return None
    said = [note[span.start : span.end] for span in sentences(note)]
    subject = _subject(said[0]) if len(said) >= FEWEST_OF_A_PERSON else None
    if subject is None or _label_of(said[0]) is not None:
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


_HOW_MEANT = vocabulary(
    """rumour rumor rumours rumors gossip joke jokes dream dreams wish wishes wishlist plan plans idea ideas lie lies quote quotes
    maybe if"""
)
"""Heads that say how something is meant, and not of what it is: what else stands there may well be so."""
FEWEST_OF_A_NOTE = 3
"""Sentences of a note of which one that stands by itself is of what the first one names: of two they may be of two things."""
FEWEST_OF_A_PERSON = 3
"""Sentences of a note that is about somebody."""


def _is_somebodys(attribute: str) -> bool:
    """Return whether somebody or an animal is called so, whose number would be an age: "My brother is 31, Freya is 26"."""
    role = role_named(words_of(attribute)[-1])
    return role is not None and role.kind in ("person", "animal")


def _first_word(words: str) -> str:
    """Return "" where there is none: "____" and "❦" are topics of somebody's clause."""
    return next(iter(words_of(words)), "")


def _begins_with(words: str) -> str:
    """Return the first word, without what is drawn together with it: "it" of "it's"."""
    return _first_word(words.lstrip("( ")).partition("'")[0]


def _telling(words: str) -> bool:
    return any(word not in FUNCTION_WORDS and word not in SMALL_TALK for word in words_of(words))


_BARE_SUBJECT = lazy_regex(
    rf"(?!(?:{'|'.join(FINITE)})\b)[\w-]+(?:\s+[\w-]+){{0,2}}(?:\s+{ADVERBS}(?:{'|'.join(FINITE)}|{'|'.join(BASE)})\b|['’]s\s(?![\w-]+\s+(?:{'|'.join(FINITE)})\b))",
    re.IGNORECASE,
)
"""A thing without an article does or is something: "bins go out on Tuesday". Of what, only a label says for sure."""


def _has_bare_subject(words: str) -> bool:
    match = _BARE_SUBJECT.match(words.lstrip("( "))
    return match is not None and (not match[0].endswith("May") or has_verb(words))  # "Due in May" has none


def _is_a_part(words: str) -> bool:
    """Return whether its subject is a thing without an article, which what it stands below explains: "Smoker's at Ludo's", below
    "Bees"; not somebody by name or role, nor what one is told to do."""
    first = _begins_with(words)
    return _has_bare_subject(words) and first not in _NO_PARTS and not _did(first)


_POSSESSIVES = vocabulary("my our mein meine unser unsere mi mis mon ma mes mio mia")
_ARTICLES = _POSSESSIVES | vocabulary("the his her their der die das el la los las le les il lo i gli")
_ADDRESSED = lazy_regex(
    r"(?:^|[.!?]\s+)(?:(?i:hey|hi|hello|thanks|thank you|wow|yes|yeah|no|oh|ok|okay|sure|sorry|bye|dear|aww?|woo\w*|definitely|"
    r"no problem|way to go|i totally agree|congrats)[\w' ]{0,16},?\s+)?\x00(?=[!?,.])|,\s+\x00(?=[!?.])"
)
"""Where somebody is spoken to ("Thanks, Maria!"), with a zero for the name: what follows is not about them."""
_DAYS = frozenset(f"{day}{ending}" for day in DAYS | {"tonight"} for ending in ("", "'s")) | {"last", "next"}
_LABEL = lazy_regex(r"(?P<label>(?!(?:one|two|three)\b)[^\W\d_][^:\n.!?;]{1,50}?):\s+\S")
_BOLD = lazy_regex(r"\*\*(?P<label>[^*\n]{2,50})\*\*\s*(?:[–—:-]|\()")
"""The head of an item: "**Margot** – my manager. Hates phone calls"."""
_NO_LABELS = vocabulary("decided decision open update note notes nb ps reminder correction btw fyi todo to-do fwd re")


def _named(words: str, heard: str, told: str) -> tuple[str, tuple[str, ...]]:
    """Return `words` with "she" and "he" in names, and those names; none where it is not clear who is meant, or where a name does
    not stand in what was `told`."""
    if not heard.strip():
        return words, ()
    sorts: set[Sort] = {"she", "he"}
    if _IT_DOES.match(words) and _subject(heard) and len({match[0].lower() for match in _NOUN.finditer(heard)}) == 1:
        sorts.add("it")
    found = resolve_pronouns(words, (heard,), sorts)
    if found.text == words:
        return words, ()
    names = [each for each in candidates(heard) if found.text.count(each.words) > words.count(each.words)]
    if not names or any(each.words.lower() not in told.lower() or not _is_somebody(each, heard) for each in names):
        return words, ()
    said = found.text[0].upper() + found.text[1:] if words[0].isupper() else found.text
    return said, tuple(each.words for each in names)


_IT_DOES = lazy_regex(r"it\s(?!\w+s\s(?:like|that|to)\b)", re.IGNORECASE)
"""Said of the subject before: "The boiler is from 2016. It leaks."."""
_NOUN = lazy_regex(
    r"\b(?:an?|the|my|our|his|her|their|its|this|that|these|some|any|new|[A-Z]\w+['’]s)\s+[\w-]+|\b\d+\s+[a-z]{3,}", re.IGNORECASE
)
"""Things spoken of: where there are two, "it" is not clear."""


def _others_did(heard: str, topic: str, meant: Set[Sort]) -> bool:
    """Return whether in what was heard somebody other than the `topic` begins a sentence, of whom such a pronoun may speak."""
    others = (
        each
        for each in candidates(heard)
        if meant & each.sorts and each.words.lower() not in topic.lower() and not any(map(str.isdigit, each.words))
    )
    return any(not heard[: each.at].strip() or heard[: each.at].rstrip()[-1:] in (".", "!", "?", ";", ":") for each in others)


_SAYS = lazy_regex(r"\b(?:says?|said|thinks?|thought|reckons|told|wants|wanted)\b", re.IGNORECASE)


def _says_of_another(said_last: str, topic: str, meant: Set[Sort]) -> bool:
    """Return whether the `topic` said something of another one of whom such a pronoun may speak: "Hargreave says Biscuit needs to
    lose 3 kilos. He was 31."."""
    if topic not in said_last or _SAYS.search(said_last) is None:
        return False
    return any(meant & each.sorts and each.words not in topic for each in candidates(said_last))


def _is_somebody(name: Candidate, heard: str) -> bool:
    """Return whether a name is surely somebody's: a given name, a role, or who does or has something in what was heard."""
    first = name.words.split()[0]
    if _ADDRESSED.search(re.sub(rf"\b{re.escape(name.words)}\b", "\0", heard)) or first.lower() in _DAYS:
        return False
    if name.thing or "it" in name.sorts or first.lower() in _CALLED or not first[0].isupper() or " " in name.words:
        return True
    somebody = (
        rf"(?:^|[.!?;:]\s+|\b(?i:with|and|called|named|by|ask|asked|met|told|gave|owe[sd]?|taught|booked|lent|paid|rang|visited|helped|married|hired|texted|"
        rf"emailed|invited|thanked|tell|give|ring|call|text|pay|see|let|help|sack|hire|miss)\s+){re.escape(first)}\b|\b{re.escape(first)}['’]s\b"
    )
    called = re.search(rf"([\w-]+)\s+{re.escape(first)}\b", heard)
    return re.search(somebody, heard) is not None or (called is not None and called[1].lower() in _ROLES)


def _worth_parting(text: str, found: Sequence[Clause]) -> list[Clause]:
    """Return the clauses, those without a word that says something joined to the one before."""
    kept: list[Clause] = []
    for clause in found:
        last = kept[-1] if kept else None
        joins = not _telling(text[clause.start : clause.end])
        if last and (joins or not (last.subject or _telling(text[last.start : last.end]))):
            kept[-1] = replace(last, end=clause.end)
        else:
            kept.append(clause)
    return kept


_OF_PEOPLE = vocabulary("he she his her him er sie il elle él ella lui lei sua suo")
_BACK = _OF_PEOPLE | vocabulary("it they them this that these those its their es")
_TO_WHAT_WAS_SAID = vocabulary("it its that this they them their these those")
_OWN = vocabulary("i im ive i'm i've i'd i'll we we're we've we'd we'll my our me us you you're you've you'll you'd your")


_DENIES = lazy_regex(r"(?:does|is|has|was)n['’]t ", re.IGNORECASE)
"""Of a third person whose name is left out: "doesn't do weekends"; of themselves people say "didn't", "can't", "won't"."""


def _leans(words: str) -> bool:
    first = _begins_with(words)
    if _DENIES.match(words):
        return True
    if not STRETCHES.isdisjoint(words_of(words)[1:2]):
        return False
    return first in _BACK and not (first == "il" and language_of(words) == "it")


def _has_subject(words: str) -> bool:
    """Return whether it stands by itself: its writer, a name, or a thing with its article does or is something in it."""
    said = words_of(words)
    if not _OWN.isdisjoint(said) or _label_of(words) is not None or _subject(words) is not None:
        return True
    if any({"she", "he"} & each.sorts and (each.at or each.words.split()[0].lower() in SHE | HE) for each in candidates(words)):
        return True
    first = _first_word(words)
    return first in _ARTICLES | WRITERS or _did(first) or _somebody_did(words)


def _did(word: str) -> bool:
    """Return whether a note that begins with this word says what its writer did: "Cancelled the gym"."""
    return word in PAST or (word.endswith("ed") and len(word) > 4)


_DID = lazy_regex(rf"(?P<who>[^\W\d_][\w-]*)(?:\s+[\w-]+)?\s+{ADVERBS}\w{{2,}}ed\b")
_ROLES = people_by_role(one=True) | people_by_role()
_SOMEBODY = _ROLES | SHE | HE | {"user"}
_CALLED = SHE | HE | WOMEN_AND_MEN
_NO_PARTS = _ROLES | SHE | HE | SMALL_NAMES | FUNCTION_WORDS | _ARTICLES | BASE | ORDERS


def _somebody_did(words: str) -> bool:
    """Return whether it begins with somebody who did something: "Dad died in 2015." """
    did = _DID.match(words)
    return did is not None and (did["who"].lower() in _ROLES or any(name.start == 0 for name in names_of(words)))


_AMOUNT = lazy_regex(
    r"(?:(?:about|around|some|only|just|nearly|almost|roughly|etwa|rund|nur)\s+)?(?:[$€£]\s?\d[\d.,]*k?\b|\d[\d.,]*k?\s?(?:[$€£]|(?:dollars?|"
    r"bucks|euros?|eur|usd|gbp|quid|pounds?|cents?|pence|francs?|crowns?|kroner?|percent)\b))(?!\s*(?:is|are|was|were|will|would|must|ist|sind|war)\b)",
    re.IGNORECASE,
)


def _is_bare(words: str) -> bool:
    """Return whether words say something of what was spoken of before: they have no verb, or begin with what it costs ("1900
    dollars, so there's 6300 left")."""
    return not has_verb(words) or _AMOUNT.match(words) is not None


_SETTLED = (
    "cut|raised|moved|cancelled|canceled|paid|signed|booked|sold|done|sorted|finished|sent|fixed|delivered|delayed|approved|rejected|"
    "confirmed|closed|ordered|postponed|agreed|extended|dropped|increased|reduced"
)
_WHEN = (
    rf"{any_of((*ENGLISH_WEEKDAYS, *(each for each in short_weekdays('en') if each not in ('sat', 'sun', 'wed'))))}|"
    r"tomorrow|tonight|\d{1,2}(?:[:.]\d\d)? ?[ap]m"
)
_WITH_A_TIME = lazy_regex(rf"[a-z][\w'’-]*(?: [\w'’-]+){{0,2}} (?:on |at )?(?:{_WHEN})\b", re.IGNORECASE)
_TELLS = lazy_regex(
    r"(?:[A-ZÀ-Þ][\w'’-]+(?: (?:and|&) [A-ZÀ-Þ][\w'’-]+)? to (?!the\b|a\b|my\b|our\b|be\b)[a-z]{2,}\b"
    rf"|(?:[A-ZÀ-Þa-z][\w'’-]+ ){{1,2}}(?:{_SETTLED})\b"
    r"|(?i:back|off|away|home|due|out|in) (?:on |at |from |till |until )?(?:[A-Z][a-z]{2,}|\d|today|tomorrow|tonight|next|this))"
)


def _tells_by_itself(words: str) -> bool:
    """Return whether a sentence without a finite verb says something of its own: "Dev to send the deck.", "Budget cut to 40k.",
    "Back Thursday on the late one."."""
    return _TELLS.match(words.lstrip("( ")) is not None and not leaning(words)


_DID_IT = lazy_regex(r"(?P<did>\w+)\s+(?:it|them|one)\b")
_DONE = PAST | {"had", "put", "let"}


def _did_something_to_it(words: str) -> bool:
    """Return whether the writer did something to what was spoken of before: "Had it since 2009." """
    found = _DID_IT.match(words)
    return found is not None and (found["did"].lower() in _DONE or found["did"].endswith("ed"))
