"""Role phrases: "my little brother", "Dana's terrier", "the landlord of Nele", "the Skoda", and whose each is.

A holder is written as a path: `me` is the owner, `dana` a name (`words.key_of`), `me/brother` whoever is the owner's brother, `?`
nobody that is said ("a terrier"), `*` anybody ("the terrier").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lattice_common.language.people.words import (
    ROLES_BY_NAME,
    Sentence,
    chain_of,
    cut,
    is_name_word,
    key_of,
    make_of,
    name_at,
    name_before,
    role_at,
)
from lattice_common.language.table import Role
from lattice_common.language.tables import TABLES
from lattice_common.language.text import STOP_WORDS

OWNER, SOMEBODY, ANYBODY = "me", "?", "*"
MOST_MODIFIERS = 2
"""Words between "my" and the role."""

HAS_WITHIN = 3
"""Words between "bought" and "a"."""


_TITLES = frozenset(("doctor", "nurse", "coach", "priest"))
"""Roles that stand before a name in other people's mouths, too: "Nurse Joy"."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words `[start, end)` of a sentence that name somebody by a role. `modifiers` are the words before it ("piano" of a piano
    teacher); `over` and `new` say that it has ended or begun. `bare`: without a word that says whose it is."""

    start: int
    end: int
    holder: str
    role: Role
    modifiers: tuple[str, ...] = ()
    over: bool = False
    new: bool = False
    bare: bool = False
    make: bool = False
    """Whether a make stands for the role: "our Skoda"."""
    word: str = ""
    """The role as it is written."""

    @property
    def path(self) -> str:
        """Return the path of the person, as holders are written."""
        return f"{self.holder}/{self.role.name}"


def phrases_of(sentence: Sentence, author: str | None) -> list[Phrase]:
    """Return the role phrases of a sentence, in order. `author` is the holder of what is "my", None where that is unknown."""
    found: list[Phrase] = []
    at = 0
    while at < len(sentence.words):
        phrase = _at(sentence, at, author, found[-1] if found else None)
        if phrase is None:
            at += 1
            continue
        found.append(phrase)
        at = phrase.end
    return found


def _at(sentence: Sentence, at: int, author: str | None, before: Phrase | None) -> Phrase | None:
    """Return the phrase whose role stands at a place."""
    met = role_at(sentence, at)
    make = make_of(sentence.low(at)) if met is None and sentence.words[at].text[:1].isupper() else None
    if make is not None:
        made = ROLES_BY_NAME.get(make)
        met = (made, at + 1) if made else None
    if met is None:
        return None
    role, end = met
    if role.kind == "animal" and (same := role_at(sentence, end)) and same[0].name in chain_of(role.name):
        end = same[1]  # "a whippet puppy" is one animal
    if role.kind != "person" and (following := role_at(sentence, end)) and following[0].kind == "person":
        return None  # "my piano teacher" is a teacher
    around = sentence.around
    first = at
    while at - first < MOST_MODIFIERS and _modifies(sentence, first - 1):
        first -= 1
    modifiers = [sentence.low(each) for each in range(first, at)]
    over = any(each in around.over for each in modifiers)
    new = any(each in around.new for each in modifiers)
    kept = tuple(each for each in modifiers if each not in around.over and each not in around.new)
    if author is None and sentence.low(first - 1) in around.mine:
        return None
    holder, start = _holder(sentence, first, author or "", before, role)
    end, after = _after(sentence, end, author) if holder in ("", ANYBODY, SOMEBODY) else (end, None)
    holder = after or holder
    opening = at - 1 if first == at and at and sentence.low(at - 1) in around.new else at  # "New dentist: Dr Roth"
    if holder == "" and author == OWNER and first == at and _notes_down(sentence, opening, end, role):
        holder, start, new = OWNER, opening, new or opening < at
    if holder == "":
        if first < at and not (make is None and role.kin):  # "next dentist" tells nothing of whose
            first, kept = at, ()
        start = first
    return Phrase(
        start, end, holder or (OWNER if role.kin and author == OWNER else SOMEBODY), role, kept, over, new,
        bare=holder == "", make=make is not None, word=sentence.said(at, met[1]),
    )  # fmt: skip


def _notes_down(sentence: Sentence, at: int, end: int, role: Role) -> bool:
    """Return whether a role opens a note about one's own: "Wife Denise, married 31 years", "Boss: Annemiek", "dog is Pickle"."""
    if role.kind not in ("person", "animal") or not sentence.opens(at) or sentence.low(at) in sentence.around.titles:
        return False
    behind = sentence.low(end)
    if name_at(sentence, end) > end:
        return role.name not in _TITLES
    named = behind in (":", "'s") or behind in sentence.around.is_
    return named and name_at(sentence, end + 1) > end + 1


def _modifies(sentence: Sentence, at: int) -> bool:
    """Return whether the word at a place says which brother or teacher: "little", "piano"."""
    low = sentence.low(at)
    around = sentence.around
    return (
        at >= 0
        and low[:1].isalpha()
        and sentence.words[at].text[0].islower()
        and low not in STOP_WORDS
        and low not in around.mine | around.the | around.a | around.theirs | around.of | around.is_ | around.was | around.common
        and not low.endswith("ing")
        and ((met := role_at(sentence, at)) is None or met[0].kind != "person")
    )


def _holder(sentence: Sentence, first: int, author: str, before: Phrase | None, role: Role) -> tuple[str, int]:
    """Return whose it is, by the word before the role and its modifiers, and where the phrase begins; "" where nothing says
    so."""
    low, around = sentence.low(first - 1), sentence.around
    if low in around.mine:
        return author, first - 1
    if low == "'s" or low == "'":
        if before is not None and before.end == first - 1 and (not before.bare or before.role.kin):
            return before.path, before.start
        if sentence.low(first - 2) == "user":
            return OWNER, first - 2
        begins = name_before(sentence, first - 1)
        if begins < first - 1:
            return key_of(sentence.said(begins, first - 1)), begins
        return "", first
    if sentence.language == "de" and first >= 1 and low.endswith("s") and is_name_word(sentence, sentence.words[first - 1]):
        return low[:-1], first - 1
    if low in around.theirs:
        names = _names_before(sentence, first - 1)
        return (names[0], first - 1) if len(names) == 1 else ("", first)
    if low in around.the:  # "Paloma had the baby"
        return (_who_has(sentence, first - 1, author) if role.name == "child" else None) or ANYBODY, first - 1
    if low in around.a or (role.several and low in TABLES[sentence.language].numbers):  # "we have two cats"
        return _who_has(sentence, first - 1, author) or SOMEBODY, first - 1
    return "", first


def _who_has(sentence: Sentence, at: int, author: str) -> str | None:
    """Return who bought, adopted or has what "a" introduces: "Dana adopted a terrier", "Bought a Skoda"."""
    around = sentence.around
    has = next((each for each in range(at - 1, at - 1 - HAS_WITHIN, -1) if sentence.low(each) in around.has), None)
    if has is None:
        return None
    begins = name_before(sentence, has)
    if begins < has:
        return key_of(sentence.said(begins, has))
    own = sentence.opens(has) or not around.i.isdisjoint(sentence.low(each) for each in (has - 1, has - 2, has - 3))
    return (author or None) if own else None


def _after(sentence: Sentence, end: int, author: str | None) -> tuple[int, str | None]:
    """Return whose it is by what follows: "the landlord of Nele", "a friend of mine"."""
    if sentence.low(end) not in sentence.around.of:
        return end, None
    begins = end + 2 if sentence.low(end + 1) == "'" else end + 1
    if sentence.low(begins) == "mine":
        return begins + 1, author
    stops = name_at(sentence, begins)
    if stops > begins:
        return stops, key_of(sentence.said(begins, stops))
    return end, None


def _names_before(sentence: Sentence, at: int) -> list[str]:
    """Return the names that stand before a place, each once."""
    found: dict[str, None] = {}
    each = 0
    while each < at:
        stops = name_at(sentence, each)
        if each < stops <= at:
            found[key_of(sentence.said(each, stops))] = None
            each = stops
        else:
            each += 1
    return list(found)


def path_of(words: str) -> str | None:
    """Return who is meant by a role as the owner says it: `me/brother` of "my brother" and of "grandpa"; None for a name."""
    sentence = cut(words)
    found = phrases_of(sentence, OWNER)
    whole = found and found[-1].end == len(sentence.words) and found[-1].start == 0 and not found[-1].make
    if not whole or found[-1].holder == SOMEBODY:
        return None
    return found[-1].path


def spoken(phrases: list[Phrase]) -> Iterator[Phrase]:
    """Return those that say whose: "brother" alone is anybody's."""
    return (each for each in phrases if not each.bare)
