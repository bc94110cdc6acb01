"""What people leave out when they type English on a phone: "i cant, im in leeds" is read as "I can't, I'm in leeds".

Everything that reads English knows it as it is written: who speaks, what is denied, whom "shes" means. The quote of a memory
stays as it was typed.
"""

from __future__ import annotations

import re

from lattice_common.language.glosses.recognition import language_of
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.vocabulary import vocabulary
from lattice_common.language.words import any_of

_DRAWN_TOGETHER = (
    ("n't", "do does did is are was were have has had would could should must need ai ca wo"),
    ("'ve", "I you we they"),
    ("'re", "you they"),
    ("'ll", "you they it that"),
    ("'s", "he she that what who where how there here"),
)
_ALWAYS = {
    f"{word}{ending}".replace("'", "").lower(): f"{word}{ending}" for ending, words in _DRAWN_TOGETHER for word in words.split()
}
_PATTERN = lazy_regex(
    rf"\b(?P<always>{any_of(_ALWAYS)})\b"
    r"|(?<![\w.'’-])(?P<me>i)(?=['’](?:m|d|ll|ve)\b|\s+(?!(?:be|is|in|of|to|or|ii|iii|and ii)\b)[a-z]|\s*$|[!?])"
    r"|\b(?P<its>its)\b(?= (?:an?|the|my|our|his|her|their|your|not|been|just|still|now|called|gone|too|so|very|really|only|all|"
    r"on|in|at|for|from|out|off|closed|open|broken|fixed|due|going|getting)\b)"
    r"|(?P<begins>^|[.,;:!?(]\s*|\b(?:and|but|so|no|ok|yes|now|tho|though|that|when|if|well|sure|because|cos)\s)(?P<clause>im\b"
    r"|were\b(?= (?:in|on|at|not|going|moving|getting|having|staying|still|now|off|back|doing|thinking|both|all|using|with|"
    r"expecting|engaged|married|vegan|vegetarian)\b)"
    r"|id\b(?= (?:love|like|rather|prefer|say|be|have|need|never|go|give)\b)"
    r"|ill\b(?= (?:be|go|do|get|call|ring|try|have|take|bring|need|see|send|pay|ask|let|start|never|always|also)\b))",
    re.IGNORECASE,
)
_CLAUSE = {"im": "I'm", "were": "we're", "id": "I'd", "ill": "I'll"}


_I_AM = lazy_regex(
    r"im (?:an?|the|not|so|just|still|on|off|out|from|with|vegan|veg\w+|allergic|left|right|married|single|\w+ing|\d)\b",
    re.IGNORECASE,
)
"""Which is no German: "im" is a word of that, too."""


_CUES = {spelled for word in (*_ALWAYS, *_CLAUSE, "its") for spelled in (word, word.capitalize(), word.upper())} | {"i"}
"""Words of which one stands in every text that lacks something: most have none, and are not searched."""
_WORD = lazy_regex(r"[A-Za-z]+")
_LONGEST_WORD = 12
_LAST_WORD = lazy_regex(r"[A-Za-z]+ \Z")
_NUMBERED = vocabulary(
    "let for clause part section phase type class volume item index variable step option annex chapter book act grade stage"
)
"""Words that "i" is a number or a name of something behind."""


def respelled(text: str) -> str:
    """Return an English text with its apostrophes and its "I"; any other one as it is. Linear."""
    if _CUES.isdisjoint(_WORD.findall(text)) or _PATTERN.search(text) is None:
        return text
    if _I_AM.match(text) is None and language_of(_PATTERN.sub(_other_words, text)) is not None:
        return text
    return _PATTERN.sub(_meant, text)


def _other_words(match: re.Match[str]) -> str:
    """Return nothing of what only English has so, though other languages have words of the same letters: "dont", "hes"."""
    return " " if match["always"] else match[0]


def _meant(match: re.Match[str]) -> str:
    if match["me"]:
        before = _LAST_WORD.search(match.string, max(0, match.start() - _LONGEST_WORD), match.start())
        return match[0] if before and before[0].strip().lower() in _NUMBERED else "I"
    word = match["always"] or match["its"] or match["clause"]
    said = "it's" if match["its"] else (_ALWAYS if match["always"] else _CLAUSE)[word.lower()]
    return f"{match['begins'] or ''}{said[0].upper() + said[1:] if word[0].isupper() else said}"
