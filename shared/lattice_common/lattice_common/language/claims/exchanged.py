"""A sentence of a memory with one word exchanged is not supported by it: "You prefer light roast" agrees with "I prefer dark
roast" except for the word that matters.

Detected only where nothing else of the claim is new, and both words are in the same position between the same words, as a choice
among things (an adjective, what is liked, played, drunk). Other verbs, and synonyms, are paraphrases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.split import sentences
from lattice_common.language.text import analyze
from lattice_common.language.vocabulary import vocabulary

LEAST_ALIKE = 4
"""Letters in which two forms of one word begin alike."""

_WORD = lazy_regex(r"[^\W_]+(?:['’-][^\W_]+)*")
_SKIPPED = vocabulary(
    "now currently still already today really actually also always usually never just then again too first not each every"
)
_DOERS = vocabulary(
    "i you he she it we they i'm i've i'd you're you've he's she's it's we're we've they're they've have has had do does did "
    "will would can could may might must should to used"
)
"""Words before a verb: what follows is an action, not a choice."""
_COPULAS = vocabulary("is are was were isn't aren't wasn't weren't has have had")

_SAME: tuple[frozenset[str], ...] = tuple(
    frozenset(each.split())
    for each in (
        "big large huge great",
        "small little tiny short",
        "used secondhand second-hand pre-owned",
        "new recent latest",
        "older elder big eldest oldest",
        "younger little youngest",
        "old former previous earlier",
        "nearby close near next",
        "kids children",
        "mum mom mother mama",
        "dad father papa",
        "gp doctor physician",
        "flat apartment",
        "house home place",
        "job work position role",
        "boss manager supervisor",
        "shop store",
        "car vehicle",
        "bike bicycle",
        "phone mobile cellphone",
        "film movie",
        "holiday vacation trip",
        "fee price cost charge",
        "quick fast rapid",
        "tasty delicious good nice",
        "afraid scared",
        "happy glad pleased",
        "ill sick unwell",
        "begin start",
        "end finish",
    )
)
"""Synonyms that answers exchange; the lists need not be complete: a missing one costs a doubt."""


@dataclass(frozen=True, slots=True)
class _Word:
    raw: str
    stem: str
    before: str
    after: str


def exchanged(claim: str, content: str, context: str) -> str | None:
    """Return the one word of an English claim that stands where its source has another; None where there is none."""
    ours = _telling(claim)
    said = {stem for text in (content, context) for stem in analyze(text)}
    beginnings = {stem[:LEAST_ALIKE] for stem in said if len(stem) >= LEAST_ALIKE}
    new = [at for at, word in enumerate(ours) if word.stem not in said and word.stem[:LEAST_ALIKE] not in beginnings]
    if len(new) != 1 or not _is_chosen(word := ours[new[0]]):
        return None
    known = {each.stem for each in ours}
    for span in sentences(content):
        theirs = _telling(content[span.start : span.end])
        for at, other in enumerate(theirs):
            if other.stem not in known and _is_chosen(other) and _same_place(ours, new[0], theirs, at) and not _same(word, other):
                return word.raw
    return None


def _telling(text: str) -> list[_Word]:
    """Return the words that say something, each with the raw words beside it."""
    raw = _WORD.findall(text.replace("’", "'"))
    found: list[_Word] = []
    for at, word in enumerate(raw):
        stems = analyze(word)
        if not stems or word.lower() in _SKIPPED:
            continue
        before = raw[at - 1] if at else ""
        after = raw[at + 1] if at + 1 < len(raw) else ""
        found.append(_Word(word, stems[0], before, after))
    return found


def _is_chosen(word: _Word) -> bool:
    """Return whether a word is neither a verb nor a name nor the subject of a sentence."""
    doer = word.before.lower() in _DOERS or word.before[:1].isupper()
    # "The spare key" begins with a capital as well.
    if doer and word.before.lower() in ("the", "a", "an", "my", "your", "our", "his", "her", "their"):
        doer = False
    named = word.raw[:1].isupper() or any(letter.isdigit() for letter in word.raw)
    return bool(word.before) and not doer and not named and word.after.lower() not in _COPULAS


def _same_place(ours: Sequence[_Word], here: int, theirs: Sequence[_Word], there: int) -> bool:
    beside = [(_stem_at(ours, here + step), _stem_at(theirs, there + step)) for step in (-1, 1)]
    return all(one == other for one, other in beside) and any(one for one, _ in beside)


def _stem_at(words: Sequence[_Word], at: int) -> str:
    return words[at].stem if 0 <= at < len(words) else ""


def _same(word: _Word, other: _Word) -> bool:
    return any(word.raw.lower() in same and other.raw.lower() in same for same in _SAME)
