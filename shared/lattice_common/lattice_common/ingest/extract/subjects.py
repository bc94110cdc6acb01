"""What a statement is about, in a few words: the key under which memories of one thing meet."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.ingest.extract.lexicon import FUNCTION_WORDS, SMALL_TALK, words_of

_I = (
    r"\b(?:i|we|i'm|i've|we're|we've|i'll|i'd)\b(?: (?:have|had|am|used to|just|also|now|currently|"
    r"still|recently|finally|will|really|never|don't))* ?"
)
_SLOTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("name", re.compile(r"\bmy (?:full |first |last )?name\b|\bi(?:'m| am) called\b|\bcall me\b")),
    ("birthday", re.compile(r"\bmy (?:birthday|date of birth)\b|\bi was born\b")),
    (
        "phone",
        re.compile(
            r"\bmy (?:new |old |work |mobile |home )?(?:phone|mobile|cell|telephone)(?: number)?\b|\bmy (?:new )?number is\b"
        ),
    ),
    ("e-mail", re.compile(r"\bmy (?:new |old |work |private )?e-?mail\b")),
    (
        "home",
        re.compile(
            rf"{_I}(?:live|lived|living|moved?|moving|relocat\w+|rent|bought a (?:house|flat|apartment))\b(?! (?:on from|"
            r"forward|past))|\bmy (?:new |old |home )?(?:address|home|flat|apartment)\b"
        ),
    ),
    (
        "work",
        re.compile(
            rf"{_I}(?:work(?:ed|ing)? (?:at|for|as|in)|joined .* as|got (?:a |the )?(?:new )?job|was (?:hired|"
            r"promoted|fired|laid off)|quit (?:my|the) job)\b|\bmy (?:new |old |current )?(?:job|employer|"
            r"boss|company|salary|profession)\b"
        ),
    ),
    (
        "diet",
        re.compile(
            rf"{_I}(?:am |'m )?(?:a )?(?:vegetarian|vegan|allergic|lactose|gluten)|\bi(?:'m| am) (?:a )?(?:vegetarian|"
            r"vegan|allergic)|\bmy (?:diet|allerg\w+)\b"
        ),
    ),
    (
        "relationship",
        re.compile(
            r"\bmy (?:wife|husband|spouse|fianc\w+|girlfriend|boyfriend|partner)\b|\bi(?:'m| am| got|'ve been|"
            r"'m) (?:married|engaged|single|divorced)\b"
        ),
    ),
)
_OWNED = re.compile(r"\b(?:my|our)\b ((?:[a-z][\w'-]* ){0,2}[a-z][\w'-]*)")
_PHRASE = re.compile(
    r"\b(?:a|an|the|some|this|that|his|her|their|its|your|new|any|of|for|about|at|in|with|on)\b ((?:[^\W\d_][\w'-]* ?){1,4})"
)
_BREAK = frozenset(
    """is are was were has have had be been went go goes got get gets make makes made take takes took give gave help helped
    helps keep works work worked live lives lived like love enjoy want wanted need start started starts feel felt think
    thought know said say says tell told come came use used find found try tried tries play plays played lot ago yesterday
    today tomorrow last next week month year recently time really need needs needed longer
    monday tuesday wednesday thursday friday saturday sunday january february april june july august september october november
    december""".split()
)


def subject_of(words: str, names: Sequence[str], *, speaker: str | None, headings: Sequence[str] = ()) -> str:
    """A slot of the speaker ("home", "Caroline's work"), else what the speaker owns, a name, a noun phrase,
    the heading or the speaker."""
    lowered = words.lower().replace("’", "'")
    for slot, pattern in _SLOTS:
        if pattern.search(lowered):
            return f"{speaker}'s {slot}" if speaker else slot
    owned = _OWNED.search(lowered)
    if owned and (phrase := _phrase(owned[1])):
        # In the case it was written in, where folding kept the length: "sister Anna".
        at = lowered.find(phrase, owned.start(1))
        return words[at : at + len(phrase)] if len(lowered) == len(words) and at >= 0 else phrase
    if names:
        return names[0]
    phrases = [phrase for match in _PHRASE.finditer(lowered) if (phrase := _phrase(match[1]))]
    if phrases:
        return max(phrases, key=len)
    if headings:
        return headings[-1][:80]
    content = [word for word in words_of(words) if word not in FUNCTION_WORDS and word not in SMALL_TALK and word not in _BREAK]
    if content:
        return max(content, key=len)[:80]
    return speaker or "me"


def _phrase(text: str) -> str:
    """The first words of `text` up to one that cannot belong to a noun phrase, at most three."""
    kept: list[str] = []
    for word in text.split():
        word = word.removesuffix("'s")
        if (
            word in FUNCTION_WORDS
            or word in _BREAK
            or (word in SMALL_TALK and not kept)
            or (word.endswith("ly") and len(word) > 4)
        ):
            if kept:
                break
            continue
        kept.append(word)
    return " ".join(kept[:3])
