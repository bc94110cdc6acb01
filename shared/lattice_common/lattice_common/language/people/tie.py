"""What one statement says about who is who: a name and a role, or two names of one. Rules over its words, no model.

Each form has an example beside it. A statement that only wishes, supposes or passes on says nothing here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.status import holds
from lattice_common.language.dates.mentions import resolve
from lattice_common.language.notes.linked import linked
from lattice_common.language.owner import learned_of_owner
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.people.aliases import aliases
from lattice_common.language.people.contact import is_contact, said_of
from lattice_common.language.people.phrases import OWNER, SOMEBODY, Phrase, phrases_of, spoken
from lattice_common.language.people.words import (
    ROLES_BY_NAME,
    Sentence,
    cut,
    is_name,
    key_of,
    kind_of,
    make_of,
    may_say_who,
    name_at,
    name_before,
    role_named,
    whole_of,
)
from lattice_common.language.slots import author_of
from lattice_common.language.slots.clause import without_speaker
from lattice_common.language.table import EntityKind
from lattice_common.language.vocabulary import vocabulary

How: TypeAlias = Literal["is", "was", "same", "apart", "named"]
LONGEST = 1_200
"""Characters of a content that are read."""
_SILENT = frozenset(("question", "goal", "recommendation", "insight", "synthesis"))
CORRECTION = "who"
"""The key of `Atom.metadata` that holds a correction by the owner: `{"same" | "apart": [name, other]}`."""
_AND = (",", "and", "und", "et", "y", "e")
_ENDING = lazy_regex(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_UNTIL_WORDS = 4
_WHERE_WORDS = 4
_WHERE = vocabulary("at from in near on bei aus von an in im am")
"""Begin the words for where somebody has a role: "my boss at Airbus is called Henk"."""
_THIS = vocabulary("this these dieses diese")
"""Words of "until the end of April" between a role and its "was"."""


@dataclass(frozen=True, slots=True)
class Tie:
    """`name` is (or was) `role` of `holder` (a path, see `phrases`); or with `same` and `apart`, it is or is not `other`: a name,
    or a path. With `named` a note links to it, or is called so, and `other` is what the note says that it is called as well.
    Names are as they are written. `word` is the role as it is written; `until` is when it ended, in seconds since 1970, where
    the statement says so."""

    name: str
    how: How
    holder: str = ""
    role: str = ""
    other: str = ""
    word: str = ""
    modifiers: tuple[str, ...] = ()
    until: float | None = None
    kind: EntityKind = "unknown"

    @property
    def key(self) -> str:
        """Return the name in the form in which it is compared."""
        return key_of(self.name)

    @property
    def path(self) -> str:
        """Return the role that it says of the name, as a path; "" where it says that two names are one or two."""
        return f"{self.holder}/{self.role}" if self.role else self.other if "/" in self.other else ""


def ties_by(atom: Atom) -> tuple[Tie, ...]:
    """Return what an atom says of who is who; most say nothing. A pure function of the atom."""
    correction = atom.metadata.get(CORRECTION)
    if isinstance(correction, dict):
        return tuple(_corrected(correction))
    if is_contact(atom):
        return tuple(_of_contact(atom)) if holds(atom.status) else ()
    noted = tuple(_noted(atom)) if atom.source_type == "markdown" else ()
    if atom.status == "quoted" and atom.kind not in _SILENT and (speaker := _SPEAKER.match(atom.content[:LONGEST])):
        return (*(_dated(tie, atom) for tie in _ties_of(speaker["who"], _author(atom))), *noted)
    if not _tells(atom):
        return noted
    found = _ties_of(_content(atom), _author(atom))
    if atom.status == "past":
        found = tuple(replace(tie, how="was") if tie.how == "is" else tie for tie in found)
    return (*(_dated(tie, atom) for tie in found), *noted)


_SPEAKER = lazy_regex(
    r"(?P<who>[^,.;:!?\n]{2,40}, (?:[A-Z]\w+\.? )?[^,.;:!?\n]{2,40}),? (?:says?|said|thinks?|thought|reckons?|told|wants?|"
    r"recommends?|sagt|sagte|meint|meinte|findet|glaubt|rät|dit|pense|dice|cree|dijo|crede|diz|acha|zegt|vindt|denkt|mówi|uważa)\b"
)
"""Who is said to have said something is so, though what they said need not be: "The paediatrician, Dr Low, thinks …"."""


def _noted(atom: Atom) -> Iterator[Tie]:
    """Yield the ties of "[[Harbour Club]]", where that is a name, and of a note's front matter: `aliases: [Inez]`. Those of
    somebody else's note make no two names of the owner's people one."""
    yield from (Tie(each, "named") for each in linked(atom.source_quote) if is_name(each))
    title, others = atom.metadata.get("title"), atom.metadata.get("aliases")
    if atom.trust == "user" and isinstance(title, str) and isinstance(others, list):
        name = _ENDING.sub("", title)
        for other in others:
            if isinstance(other, str) and "/" not in f"{name}{other}" and key_of(other) not in ("", key_of(name)):
                yield Tie(name, "named", other=other)


def names_given(words: str) -> tuple[str, ...]:
    """Return the names of those of whom a sentence says who they are, each once: Jana in "Sister Jana, Graz."."""
    return tuple(dict.fromkeys(tie.name for tie in _ties_of(words, OWNER) if tie.how == "is" and tie.role and tie.name in words))


def mentions_by(atom: Atom) -> tuple[str, ...]:
    """Return the phrases by which an atom names somebody by a role ("my brother", "Dana's terrier"), each once, beside the names
    of its ties."""
    if len(atom.content) > LONGEST or isinstance(atom.metadata.get(CORRECTION), dict):
        return ()
    return _mentions_of(_content(atom), _author(atom))


def mentioned(atom: Atom) -> tuple[str, ...]:
    """Return all that an atom mentions: the entities it was stored with, the names in its ties, and roles."""
    names = (name for tie in ties_by(atom) for name in (tie.name, tie.other) if name and "/" not in name)
    return tuple(dict.fromkeys((*atom.entities, *names, *mentions_by(atom))))


def _tells(atom: Atom) -> bool:
    return atom.kind not in _SILENT and holds(atom.status) and len(atom.content) <= LONGEST


def _author(atom: Atom) -> str | None:
    """Return whose "my" it is; None for a document with an unknown author."""
    author = author_of(atom)
    return author if author == OWNER or ":" not in author else None


def _content(atom: Atom) -> str:
    """Return the words of an atom, as the owner or a speaker would say them."""
    own = learned_of_owner(atom)
    return without_speaker(atom.content, atom.speaker) if own is None else own


def _corrected(correction: dict[str, JsonValue]) -> Iterator[Tie]:
    for how in ("same", "apart"):
        pair = correction.get(how)
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(each, str) for each in pair):
            other = str(pair[1])
            role = other.rpartition("/")[2] if "/" in other else ""
            yield Tie(str(pair[0]), "same" if how == "same" else "apart", other=other, kind=kind_of(role))


def _of_contact(atom: Atom) -> Iterator[Tie]:
    for name, other, holder, word, kind in said_of(atom.content):
        role = role_named(word) if word else None
        if other:
            yield Tie(name, "same", other=other)
        elif role is not None:
            yield Tie(name, "is", holder, role.name, word=word, kind=role.kind)
        else:
            yield Tie(name, "is", kind=kind)


def _dated(tie: Tie, atom: Atom) -> Tie:
    if tie.until is None:
        return tie
    ends = [each.valid_until or each.valid_from for each in resolve(atom.content, atom.observed_at)]
    known = [end for end in ends if end is not None]
    return replace(tie, until=(known[0] if known else atom.observed_at).timestamp())


@lru_cache(maxsize=1_024)
def _mentions_of(content: str, author: str | None) -> tuple[str, ...]:
    sentence = cut(content)
    if not may_say_who(sentence.words):
        return ()
    found = (shown_path(phrase.path) for phrase in spoken(phrases_of(sentence, author)) if phrase.holder != SOMEBODY)
    return tuple(dict.fromkeys(each for each in found if each))


def shown_path(path: str) -> str:
    """Return a path in words, the same for "my brother" and "mein Bruder": "my brother's wife" of `me/brother/wife`; "" for what
    may be anybody's."""
    holder, *roles = path.split("/")
    if holder in (SOMEBODY, "*", "") or not roles:
        return ""
    first = f"my {roles[0]}" if holder == OWNER else f"{holder.title()}'s {roles[0]}"
    return "'s ".join((first, *roles[1:])).replace("_", " ")


@lru_cache(maxsize=1_024)
def _ties_of(content: str, author: str | None) -> tuple[Tie, ...]:
    sentence = cut(content)
    if not may_say_who(sentence.words):
        return ()
    phrases = phrases_of(sentence, author)
    found: dict[tuple[str, str, str, str], Tie] = {}
    for number, phrase in enumerate(phrases):
        until = phrases[number + 1].start if number + 1 < len(phrases) else len(sentence.words)
        for tie in (*_of_phrase(sentence, phrase), *_named_later(sentence, phrase, until)):
            found.setdefault((tie.key, tie.how, tie.holder, tie.role), tie)
    for tie in (*_two_names(sentence), *_works(sentence, author), *_married(sentence, author)):
        found.setdefault((tie.key, tie.how, tie.holder, tie.role or tie.other), tie)
    taken = {at for phrase in phrases for at in range(phrase.start, phrase.end)}
    for name, other in aliases(sentence, taken):
        found.setdefault((key_of(name), "same", "", other), Tie(name, "same", other=other))
    return tuple(found.values())


def _of_phrase(sentence: Sentence, phrase: Phrase) -> Iterator[Tie]:
    if phrase.make:
        # "Our Skoda Octavia is due": a make is the name itself.
        begins = phrase.end - 1
        if phrase.holder not in (SOMEBODY, "*"):
            yield _tie(sentence, phrase, begins, name_at(sentence, begins) or phrase.end)
        return
    yield from _replaced(sentence, phrase)
    for begins, ends, how in (*_names_after(sentence, phrase), *_named_before(sentence, phrase)):
        yield _tie(sentence, phrase, begins, ends, how)


def _tie(sentence: Sentence, phrase: Phrase, begins: int, ends: int, how: How = "is") -> Tie:
    role, around = phrase.role, sentence.around
    over = how == "was" and any(word.low in around.until for word in sentence.words)  # "until April it was Dr. Roth"
    until = 0.0 if over else None
    return Tie(
        sentence.said(begins, ends), "was" if phrase.over else how, phrase.holder, role.name, "",
        "" if phrase.make else phrase.word, phrase.modifiers, until, role.kind,
    )  # fmt: skip


def _named_later(sentence: Sentence, phrase: Phrase, until: int) -> Iterator[Tie]:
    """Yield the ties of names that come further on, before the next role: "a kitten from the shelter, her name is Miso", "adopted
    a greyhound and named him Dash", "had the baby: a boy, Rafael". A name between them may be whose name it is, or who named."""
    around, low = sentence.around, sentence.low
    if phrase.make or phrase.role.kind not in ("person", "animal"):
        return
    for at in range(phrase.end, until):
        if name_at(sentence, at) > at and low(at - 1) not in around.at:
            return
        begins = at + _before_name(sentence, at, phrase)
        ends = name_at(sentence, begins)
        if at < begins < ends and sentence.low(ends) != "'s":
            yield _tie(sentence, phrase, begins, ends)
            return


def _before_name(sentence: Sentence, at: int, phrase: Phrase) -> int:
    """Return how many words from `at` lead to the name of the one spoken of: "her name is", "she is called", "named him",
    "a boy,"; 0 for others."""
    around, low, behind = sentence.around, sentence.low(at), sentence.low(at + 1)
    if low in around.theirs and behind in around.name:
        return 3 if sentence.low(at + 2) == "'s" or sentence.low(at + 2) in around.is_ | around.was else 0
    if low in around.they:
        verb = at + 1 + (behind == "'s" or behind in around.is_ - around.named)
        return verb + 1 - at if sentence.low(verb) in around.named else 0
    if low in around.gives:
        return 2 if behind in around.it else 0
    child = phrase.role.name == "child" and low in around.somebody
    return 2 if child and (behind == "," or behind in around.named) else 0


def _called_somebody(sentence: Sentence, at: int) -> int:
    """Return where the name begins in "a chap called Geoff" and "someone named Aoife"; 0 for other words."""
    around = sentence.around
    at += sentence.low(at) in around.a
    at += sentence.low(at) in around.new | around.lately
    return at + 2 if sentence.low(at) in around.somebody and sentence.low(at + 1) in around.named else 0


def _names_after(sentence: Sentence, phrase: Phrase) -> Iterator[tuple[int, int, How]]:
    end, around = phrase.end, sentence.around
    if not phrase.bare:
        # "my new manager today, Leila", "my best friend from uni, Sanne, …"
        lately = end + (sentence.low(end) in around.lately)
        lately += 2 if sentence.low(end) == "from" and not sentence.ends(end + 1) and name_at(sentence, end + 1) == end + 1 else 0
        end = lately if sentence.low(lately) == "," else end
        begins = _called_somebody(sentence, end + (sentence.low(end) == ","))
        if begins and (ends := name_at(sentence, begins)) > begins:  # "the plumber, a chap called Geoff"
            yield begins, ends, "is"
            return
    ends = name_at(sentence, end)
    if ends > end:  # "my brother Ilya", "my sons Tim and Leo"
        if not phrase.bare or phrase.role.kin or sentence.words[phrase.start].text[0].islower():
            yield end, ends, "is"
            yield from _further(sentence, phrase, ends)
        return
    low = sentence.low(end)
    if low in (",", ":", "–", "—", "(") and not (phrase.bare and low == ","):
        ends = name_at(sentence, end + 1)
        closed = sentence.low(ends) == ")" if low == "(" else sentence.ends(ends)
        closed = closed or (phrase.role.several and sentence.low(ends) in _AND)
        closed = closed or (low == ":" and (sentence.low(ends) == "," or sentence.low(ends) in sentence.around.is_))
        # "my sister, Dana, …", "our dentist: Dr. Roth", "grandpa (Walter)", "two cats, Miso and Pickle"
        if ends > end + 1 and closed:
            yield end + 1, ends, "is"
            yield from _further(sentence, phrase, ends)
        return
    if low in around.named:  # "a cat called Miso"
        ends = name_at(sentence, end + 1)
        if ends > end + 1:
            yield end + 1, ends, "is"
        if low not in around.is_:
            return
    if phrase.bare and not phrase.role.kin:
        return
    yield from _copula(sentence, phrase)


def _further(sentence: Sentence, phrase: Phrase, at: int) -> Iterator[tuple[int, int, How]]:
    while phrase.role.several:
        if sentence.low(at) == "(" and sentence.low(at + 2) == ")":  # "Ada (7) and Otto (4)"
            at += 3
        if sentence.low(at) not in _AND:
            return
        ends = name_at(sentence, at + 1)
        if ends == at + 1:
            return
        yield at + 1, ends, "is"
        at = ends


def _copula(sentence: Sentence, phrase: Phrase) -> Iterator[tuple[int, int, How]]:
    """Yield the ties of forms such as "Our dentist is now Dr. Adeyemi", "Nele's landlord's name is Kovac", "our dentist until
    April was Dr. Roth"."""
    around, at = sentence.around, phrase.end
    if sentence.low(at) == "'s" and sentence.low(at + 1) == "name":
        at += 2
    if sentence.low(at) in _WHERE | _THIS:
        at = _behind_where(sentence, at)
    elif sentence.low(at) in around.until | {"since", "from", "seit"}:
        at = next((each for each in range(at + 1, at + 2 + _UNTIL_WORDS) if sentence.low(each) in around.is_ | around.was), at)
    low = sentence.low(at)
    how: How = "was" if low in around.was else "is"
    if low not in around.is_ and low not in around.was and low != "'s":
        return
    at += 1
    while sentence.low(at) in around.between or sentence.low(at) in around.named:
        at += 1
    if (begins := _called_somebody(sentence, at)) > 0:  # "my physio is someone called Aoife"
        at = begins
    else:  # "our car is a Skoda", "the landlord is a Mr Adeyemi"
        titled = sentence.low(at + 1) in around.titles
        at += sentence.low(at) in around.a and (titled or make_of(sentence.low(at + 1)) is not None)
    ends = name_at(sentence, at)
    # "My bank is ING", but not "my phone is OK" or "my shift is PM".
    short = ends == at + 1 and sentence.words[at].text.isupper() and phrase.role.kind != "organisation"
    if ends > at and sentence.low(ends) not in around.of | {"'s"} and not short:
        yield at, ends, how
        if sentence.low(ends) in (*_AND[1:], "("):
            yield from _further(sentence, phrase, ends)


def _behind_where(sentence: Sentence, at: int) -> int:
    """Return where the verb stands behind the words for where or when somebody has a role; `at` where none does."""
    verbs = sentence.around.is_ | sentence.around.was | sentence.around.named
    for each in range(at + 2, at + 2 + _WHERE_WORDS):
        if sentence.low(each) in verbs:
            return each
        if not sentence.low(each)[:1].isalnum():
            return at
    return at


def _named_before(sentence: Sentence, phrase: Phrase) -> Iterator[tuple[int, int, How]]:
    around, at = sentence.around, phrase.start - 1
    low = sentence.low(at)
    if low == "(" and sentence.ends(phrase.end):  # "Ilya (my brother)"
        yield from _name_ending(sentence, at, "is")
    elif low in (",", "–", "—") and sentence.ends(phrase.end):  # "Waffles, Dana's terrier, …", "Dr. Roth, dentist"
        begins = name_before(sentence, at)
        alone = begins == 0 or sentence.opens(begins)
        titled = sentence.low(begins + 1) == "."
        if begins < at and (not phrase.bare or titled or (alone and sentence.ends(phrase.end))):
            yield begins, at, "is"
    elif low in around.as_:  # "We chose Adeyemi as our dentist"
        yield from _name_ending(sentence, at, "is")
    elif not phrase.bare or low in around.is_:
        while at > 0 and (sentence.low(at) in around.between or sentence.low(at) in around.over):
            at -= 1
        low = sentence.low(at)
        if low in around.is_ or low in around.was or low == "'s":  # "Ilya is my brother", "Rex is a terrier"
            yield from _name_ending(sentence, at, "was" if low in around.was else "is")


def _name_ending(sentence: Sentence, end: int, how: How) -> Iterator[tuple[int, int, How]]:
    begins = name_before(sentence, end)
    if begins < end and sentence.low(begins - 1) not in _WHERE | {"'s", "and"}:
        yield begins, end, how


def _replaced(sentence: Sentence, phrase: Phrase) -> Iterator[Tie]:
    """Yield the ties of "We switched dentists from Roth to Adeyemi"; without a word that says whose, they are the owner's."""
    if sentence.low(phrase.end) not in ("from", "von"):
        return
    ends = name_at(sentence, phrase.end + 1)
    if ends == phrase.end + 1 or sentence.low(ends) not in ("to", "zu"):
        return
    last = name_at(sentence, ends + 1)
    if last == ends + 1:
        return
    whose = replace(phrase, holder=OWNER) if phrase.bare else phrase
    yield replace(_tie(sentence, whose, phrase.end + 1, ends, "was"), until=0.0)
    yield replace(_tie(sentence, whose, ends + 1, last), until=None)


def _two_names(sentence: Sentence) -> Iterator[Tie]:
    """Yield the ties of "Katharina (Kathi)", "Kathi, short for Katharina", "we call Ilya Ilyusha"."""
    around, at = sentence.around, 0
    while at < len(sentence.words):
        ends = name_at(sentence, at)
        if ends == at:
            at += 1
            continue
        first = sentence.said(at, ends)
        if ends == at + 2 and _is_called(sentence, at, ends):  # "we call Ilya Ilyusha"
            yield Tie(sentence.said(at, at + 1), "same", other=sentence.said(at + 1, ends))
        beside = sentence.low(at - 1) in around.of | _WHERE  # "my boss at Airbus, called Henk"
        second = None if beside else _second_name(sentence, ends, first)
        if second is not None:
            yield Tie(first, "same", other=second)
        at = ends


def _is_called(sentence: Sentence, at: int, ends: int) -> bool:
    """Return whether the two words from `at` are a name and what somebody is called by it: a whole statement with nothing but who
    calls so before the verb. Else they are one name, of somebody who is telephoned: "I need to call Paul Weber about it"."""
    verb, who = sentence.low(at - 1), at - 2
    if verb not in sentence.around.calls or who < 0 or not sentence.opens(who) or not sentence.ends(ends):
        return False
    first, other = sentence.low(at), sentence.low(at + 1)
    if _alike(first, other) or whole_of(other) == first:
        return True
    return sentence.low(who) in sentence.around.callers and verb not in sentence.around.named  # "We called Paul Weber."


def _alike(name: str, other: str) -> bool:
    return name[:2].lower() == other[:2].lower()


def _second_name(sentence: Sentence, at: int, first: str) -> str | None:
    around = sentence.around
    if sentence.low(at) == "(":
        ends = name_at(sentence, at + 1)
        other = sentence.said(at + 1, ends)
        alike = _alike(first, other) and " " not in other
        return other if ends > at + 1 and sentence.low(ends) == ")" and alike else None
    beside = at
    at += sentence.low(at) in (",", "(")
    at += sentence.low(at) in around.is_
    if at == beside and sentence.low(at) in around.calls:
        return None  # "Anna called Ben yesterday."
    for length in (3, 2, 1):
        if " ".join(sentence.low(at + each) for each in range(length)) in around.also:
            begins = at + length + (sentence.low(at + length) == '"')
            ends = name_at(sentence, begins)
            return sentence.said(begins, ends) if ends > begins else None
    return None


def _works(sentence: Sentence, author: str | None) -> Iterator[Tie]:
    """Yield the ties of "I work at Siemens", "Dana works for Bosch"."""
    around = sentence.around
    for at in range(len(sentence.words) - 2):
        if sentence.low(at) in around.works and sentence.low(at + 1) in around.at:
            ends = name_at(sentence, at + 2)
            own = sentence.low(at - 1) in ("i", "ich") or sentence.low(at - 2) in ("i", "ich")
            begins = name_before(sentence, at)
            holder = author if own else key_of(sentence.said(begins, at)) if begins < at else None
            if ends > at + 2 and holder:
                employer = ROLES_BY_NAME["employer"]
                yield Tie(
                    sentence.said(at + 2, ends), "is", holder, employer.name, "", "", (), None,
                    kind_of(employer.name),
                )  # fmt: skip


def _married(sentence: Sentence, author: str | None) -> Iterator[Tie]:
    """Yield the tie of "I married Ifeoma in 2015"."""
    partner = ROLES_BY_NAME["partner"]
    for at in range(1, len(sentence.words) - 1):
        if author and sentence.low(at) in sentence.around.marries and sentence.low(at - 1) in sentence.around.i:
            ends = name_at(sentence, at + 1)
            if ends > at + 1:
                yield Tie(sentence.said(at + 1, ends), "is", author, partner.name, kind=partner.kind)


def ties_text(ties: tuple[Tie, ...]) -> str:
    """Return ties as JSON."""
    return json.dumps([astuple(tie) for tie in ties], ensure_ascii=False, separators=(",", ":"))


def ties_from(text: str) -> tuple[Tie, ...]:
    """Return the ties that `ties_text` wrote."""
    return tuple(
        Tie(name, how, holder, role, other, word, tuple(modifiers), until, kind)
        for name, how, holder, role, other, word, modifiers, until, kind in json.loads(text)
    )
