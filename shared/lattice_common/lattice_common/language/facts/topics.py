"""What a note names first: its label ("midwife: …"), or the thing its sentence speaks of ("The gas meter is behind …")."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.tables.english_words import (
    ANYBODY,
    AROUND_CLAUSES,
    POINTING,
    POSSESSIVES,
    QUANTITIES,
    QUESTION_WORDS,
    SUBJECTS,
)
from lattice_common.language.vocabulary import vocabulary

_ARTICLE = r"(?:(?:the|our|this|an?|der|die|das|ein|eine|mein|meine|unser|unsere)\s+)?"
_VERB = (
    r"(?:is|are|was|were|isn't|aren't|has|have|hasn't|had|needs?|costs?|runs?|ends?|starts?|begins?|opens?|closes?|expires?|leaves?|"
    r"arrives?|goes|go|meets?|moved|changed|must|should|will|won't|can|can't|doesn't|don't|lives?|works?|weighs?|plays?|speaks?|loves?|"
    r"likes?|hates?|turned|repaired|renewed|cancelled|canceled|booked|broke|belongs?|contains?|lies|hangs|stands|comes?|takes|uses|"
    r"leaks?|makes?|said|says|told|ist|sind|war|hat|hatte|heißt|kostet|wohnt|kommt|liegt|muss|braucht|läuft|gehört)"
)
_SENTENCE = lazy_regex(
    rf"^{_ARTICLE}(?P<thing>(?:[\w&/’'.-]+\s+){{0,3}}?[\w&/’'-]+)(?:\s+(?:of|for|on|in|at|from|to|with|von|für|im|am)\s[^.,;:!?()]{{1,40}}?)?"
    rf"(?:\s*\([^()]{{1,40}}\))?(?:\s+(?:now|also|still|usually|always|never|just|only|really|finally))*\s+{_VERB}\b",
    re.IGNORECASE,
)
_LABEL = lazy_regex(r"^(?P<label>[^\W\d_][\w’' -]{1,40}?)(?: no\.?)?:\s+\S")
_NUMBERED = lazy_regex(r"^(?P<label>(?:[^\W\d_][\w’'-]* ){0,3}(?:number|code|pin|size|plate|id|no))\.?:? [\w-]*\d", re.IGNORECASE)
_KEPT = lazy_regex(r"^[\w-]+ (?:has|have) the (?P<thing>[\w-]+(?: [\w-]+)?)(?: now)?[.!]*$")
_OWNER = lazy_regex(r"^(?:the |our )?(?P<owner>[\w-]{2,}(?: [A-Z][\w-]+)?)[’']s\s", re.IGNORECASE)
_NO_LABELS = vocabulary(
    """decided decision open update note notes nb ps reminder remember correction btw fyi tip warning idea question answer
    todo to-do goal from von who what when where why how entscheidung offen notiz erinnerung"""
)
_NO_THINGS = (
    (SUBJECTS | POSSESSIVES | POINTING | QUESTION_WORDS | AROUND_CLAUSES | QUANTITIES | ANYBODY)
    | vocabulary(
        """i'm i've we're her one every many nothing something everything not no yes let tonight now then last next ich
        wir er sie es du ihr das dies heute gestern morgen hier dort thanks sorry want wants need needs gotta got have
        had try please just still also remember remind call buy going will can"""
    )
) - {"anyone", "such", "whom", "whose"}
_TIME = lazy_regex(
    r"^(?:明日|今日|昨日|明後日|今週|来週|先週|今月|来月|今年|来年|去年|私|僕|俺|わたし)(?:の?[月火水木金土日]曜日?)?[はに]?[、,]?"
)
_ASIDE = lazy_regex(r" \([^()]*\)")
_TOPIC = lazy_regex(r"^(?P<thing>[^\s。、，,!?！？はがをに]{1,12})(?:は|が|を|に)")


def label_of(words: str) -> str | None:
    """Return the label before a colon or a number, where it is one (not "decided: …"); its owner where that is said."""
    numbered = _NUMBERED.match(words)
    match = numbered or _LABEL.match(words)
    if match is None or len(match["label"].split()) > 4:
        return None
    first = match["label"].lower().split()[0]
    if first in _NO_LABELS or (numbered and first in _NO_THINGS):
        return None
    owner = _OWNER.match(words)
    if owner and owner.end() <= match.end("label") and _owns(owner["owner"]):
        return owner["owner"]
    return match["label"].removesuffix(" no")


def thing_of(words: str) -> str | None:
    """Return what the first sentence speaks of: its owner where that is said ("Miso's vet" is filed under Miso)."""
    if kept := _KEPT.match(words):
        return kept["thing"]
    if match := _SENTENCE.match(words):
        thing = match["thing"]
        first = thing.split()[0].lower().replace("’", "'")
        last = thing.split()[-1].lower()
        if first not in _NO_THINGS and last not in _NO_THINGS and not any(char.isdigit() for char in first):
            owner = _OWNER.match(words)
            return owner["owner"] if owner and first.rstrip("s").rstrip("'") != "it" and _owns(owner["owner"]) else thing
    return None


def _owns(owner: str) -> bool:
    return owner.split()[0].lower() not in _NO_THINGS and owner.lower() not in ("let", "year", "day", "week", "month", "there")


def unspaced_thing(words: str) -> str | None:
    """Return the topic of a sentence written without spaces (Japanese)."""
    bare = _TIME.sub("", _ASIDE.sub("", words))
    match = _TOPIC.match(bare)
    return match["thing"] if match else None
