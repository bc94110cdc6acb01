"""What a statement is about, in a few words: the key under which memories of one thing meet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.language.cued import Cued, cues_in
from lattice_common.language.facts.topics import label_of, thing_of, unspaced_thing
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.clauses import subject_of_clause
from lattice_common.language.sentences.lexicon import FUNCTION_WORDS, SMALL_TALK, elliptic, words_of
from lattice_common.language.sentences.verbs import PAST, PRESENT
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import ENGLISH_WEEKDAYS, UNMISTAKABLE_MONTHS, weekdays

_I = (
    r"\b(?:i|we|i'm|i've|we're|we've|i'll|i'd)\b(?: (?:have|had|am|used to|just|also|now|currently|"
    r"still|recently|finally|will|really|never|don't))* ?"
)
SLOTS: tuple[tuple[str, Cued], ...] = (
    (
        "name",
        Cued(lazy_regex(r"\bmy (?:full |first |last )?name\b|\bi(?:'m| am) called\b|\bcall me\b"), ("name", "called", "call")),
    ),
    ("weight", Cued(lazy_regex(r"\bi weigh(?:ed)?\b|\bmy weight\b"), ("weigh", "weighed", "weight"))),
    ("birthday", Cued(lazy_regex(r"\bmy (?:birthday|date of birth)\b|\bi was born\b"), ("birthday", "birth", "born"))),
    (
        "phone",
        Cued(
            lazy_regex(
                r"\bmy (?:new |old |work |mobile |home )?(?:phone|mobile|cell|telephone)(?: number)?\b|\bmy (?:new )?number is\b|"
                r"^(?:my )?new (?:phone |mobile |cell )?(?:number|phone|mobile) ?:"
            ),
            ("phone", "mobile", "cell", "telephone", "number"),
        ),
    ),
    ("e-mail", Cued(lazy_regex(r"\bmy (?:new |old |work |private )?e-?mail\b"), ("email", "mail"))),
    (
        "home",
        Cued(
            lazy_regex(
                rf"{_I}(?:live|lived|living|moved?|moving|relocat\w+|rent|bought a (?:house|flat|apartment))\b(?! (?:on from|"
                r"forward|past))|\bmy (?:new |old |home )?(?:address|home|flat|apartment)\b|"
                r"^new address\b|\b(?:ich wohne|wir wohnen)\b"
            ),
            ("i", "we", "my", "address", "ich", "wir"),
        ),
    ),
    (
        "work",
        Cued(
            lazy_regex(
                rf"{_I}(?:work(?:ed|ing)? (?:at|for|as|in)|joined .* as|got (?:a |the )?(?:new )?job|was (?:hired|"
                r"promoted|fired|laid off)|quit (?:my|the) job)\b|\bmy (?:new |old |current )?(?:job|employer|"
                r"boss|company|salary|profession)\b"
            ),
            ("i", "we", "job", "employer", "boss", "company", "salary", "profession"),
        ),
    ),
    (
        "diet",
        Cued(
            lazy_regex(
                rf"{_I}(?:am |'m )?(?:a )?(?:vegetarian|vegan|allergic|lactose|gluten)|\bi(?:'m| am) (?:a )?(?:vegetarian|"
                r"vegan|allergic)|\bmy (?:diet|allerg\w+)\b"
            ),
            ("i", "we", "my"),
        ),
    ),
    (
        "relationship",
        Cued(
            lazy_regex(
                r"\bmy (?:wife|husband|spouse|fianc\w+|girlfriend|boyfriend|partner)\b|\bi(?:'m| am| got|'ve been) "
                r"(?:married|engaged|single|divorced)\b"
            ),
            ("my", "i"),
        ),
    ),
)
_OWNED = lazy_regex(r"\b(?:my|our)\b ((?:[a-z][\w'-]* ){0,2}[a-z][\w'-]*)")
_DONE = lazy_regex(r"\b(?:i|we) (?:go|went|am going|often go|love|like|enjoy) ([a-z]{3,}ing)\b")
_OBJECT = lazy_regex(
    r"\b(?:(?:switched|changed|went over) (?:to|from)|prefer|like|love|hate|enjoy|"
    r"remind me to \w+|call|ring|text|learn(?:ing)?(?: to)?|visit|parked (?:on|at|in)|pay)\s+"
    r"((?:[^\W\d_][\w'-]* ?){1,3})"
)
_PHRASE = lazy_regex(
    r"\b(?:a|an|the|some|this|that|his|her|their|its|your|new|any|"
    r"(?:of|for|about|at|in|with|on)\b(?! \w{3,}ing (?:a|an|the|some|his|her|their|any)\b))\b "
    r"((?:[^\W\d_][\w'-]* ?){1,4})"
)
_BREAK = vocabulary(
    """is are was were has have had be been went go goes got get gets make makes made take takes took give gave help helped
    helps keep works work worked live lives lived like love enjoy want wanted need start started starts feel felt think
    thought know said say says tell told come came use used find found try tried tries play plays played lot ago yesterday
    today tomorrow last next week month year recently time really needs needed longer back anymore every each once twice
    switched changed"""
).union(ENGLISH_WEEKDAYS, UNMISTAKABLE_MONTHS, (f"{day}s" for day in weekdays("en")))

_DID = (PAST - vocabulary("bit felt found hurt lay left led lent rose saw shot stuck")) | {"died"}
"""Forms of verbs that end a noun phrase: "my mother died", "new permit came"; without those that are other words as well."""
_ADDED = lazy_regex(r" \([^()]*\)")
_ANNOUNCED = lazy_regex(
    r"(?:(?:it )?turns out(?: that)?|apparently|honestly|god|oh|well|anyway|finally),?\s+(?=\S+\s+\S)", re.IGNORECASE
)
_MANNER = vocabulary(
    """badly poorly quiet quietly well better worse worst fine deaf busy late early loud slow fast getting going having
    being thinking doing making taking selling buying rang phoned called alone away home again already soon"""
)
"""What says how somebody is or does something, and names no thing by itself."""
_LONGEST_NOUN_IN_ED = 4
"""Letters: seed and shed are things."""
_LONGEST_NOUN_IN_LY = 6
"""Letters: family, Italy and fly are things, briefly and recently are how something is done."""


def subject_of(words: str, names: Sequence[str], *, speaker: str | None, headings: Sequence[str] = ()) -> str:
    """Return a slot of the speaker ("home", "Caroline's work"), else what the speaker owns, the label of a note, what its
    sentence speaks of, a name, a noun phrase, who does something, the heading or the speaker."""
    words = _ANNOUNCED.sub("", words, count=1) if _ANNOUNCED.match(words) else words
    lowered = words.lower().replace("’", "'")
    whole = lowered if speaker else elliptic(lowered)
    said = cues_in(whole)
    for slot, rule in SLOTS:
        if rule.found(whole, said):
            return f"{speaker}'s {slot}" if speaker else slot
    owned = _OWNED.search(lowered)
    if owned and (phrase := _phrase(owned[1])):
        # In the case it was written in, where folding kept the length: "sister Anna".
        at = lowered.find(phrase, owned.start(1))
        return words[at : at + len(phrase)] if len(lowered) == len(words) and at >= 0 else phrase
    if not speaker and (thing := _thing(words)):
        return thing
    if not speaker and (done := _DONE.search(lowered)):
        return done[1]
    if names:
        return names[0]
    if not speaker and (wanted := _OBJECT.search(lowered)) and (phrase := _phrase(wanted[1])):
        return phrase
    phrases = [phrase for match in _PHRASE.finditer(lowered) if (phrase := _phrase(match[1]))]
    if phrases:
        longest = max(phrases, key=len)
        at = lowered.find(longest)
        return words[at : at + len(longest)] if len(lowered) == len(words) and at >= 0 else longest
    if not speaker and (doer := _doer(words)):
        return doer
    if headings:
        return headings[-1][:80]
    content = [
        word
        for word in words_of(_ADDED.sub("", words))
        if word not in FUNCTION_WORDS and word not in SMALL_TALK and word not in _BREAK
    ]
    told = [word for word in content if not any(char.isdigit() for char in word)] or content
    told = [word for word in told if word not in _MANNER]
    told = [word for word in told if not (word.endswith("ly") and len(word) > _LONGEST_NOUN_IN_LY)] or told
    told = [word for at, word in enumerate(told) if not _does(told, at)]
    if told:
        return max(told, key=len)[:80]
    return speaker or "me"


def _thing(words: str) -> str | None:
    """Return the label or the thing that a note of one's own begins with, in the case it was written in."""
    for found in (label_of(words), thing_of(words)):
        if found:
            kept = found.split()
            while kept and (kept[0].lower() in FUNCTION_WORDS or kept[0].lower() in ("new", "old", "current", "actually", "btw")):
                kept = kept[1:]
            kept = kept[: next((at for at, word in enumerate(kept) if at and _is_verb(word.lower())), None)]
            if kept and not all(word.lower() in FUNCTION_WORDS or word.lower() in SMALL_TALK for word in kept):
                return " ".join(kept)[:80]
    return unspaced_thing(words)


def _doer(words: str) -> str | None:
    """Return who does or is something by the first words, where that is a name or a word like one: "Kim rang"."""
    doer = subject_of_clause(words)
    if doer is None or not doer[0].isupper() or doer.split()[0].lower() in FUNCTION_WORDS | SMALL_TALK | _BREAK:
        return None
    return " ".join(doer.split()[:3])


def _does(words: Sequence[str], at: int) -> bool:
    """Return whether a word is a verb by its form and its place: at the beginning, or before another ("car passed MOT"); "dead
    tired" is none."""
    return (_is_verb(words[at]) and (at == 0 or at < len(words) - 1)) or (at == 0 and words[at] in PRESENT)


def _is_verb(word: str) -> bool:
    return word in _DID or word.endswith("n't") or (word.endswith("ed") and len(word) > _LONGEST_NOUN_IN_ED)


def _phrase(text: str) -> str:
    """Return the first words of `text` up to one that cannot belong to a noun phrase, at most three."""
    kept: list[str] = []
    for word in text.split():
        owner, word = word.endswith("'s"), word.removesuffix("'s")
        if (
            word in FUNCTION_WORDS
            or word in _BREAK
            or (word in SMALL_TALK and not kept)
            or (word.endswith("ly") and len(word) > 4)
        ):
            if kept:
                break
            continue
        if kept and _is_verb(word):
            break
        kept.append(word)
        if owner:
            # What is the plumber's is filed under the plumber.
            break
    return " ".join(kept[:3])
