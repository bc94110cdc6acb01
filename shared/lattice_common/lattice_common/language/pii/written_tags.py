"""Tags of redaction as models write them: `<PERSON_1_k3f9>`, and what becomes of it in careless hands.

Models change the case of letters, leave out brackets or the letters at the end, put blanks or backslashes in, and endpoints
escape the brackets (`\\u003c`, `&lt;`). The letters drawn for the call make a tag sure, however it is written; without them it is
one only if no text of the call has the like.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import get_args

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.span import PiiKind

KINDS: tuple[str, ...] = get_args(PiiKind)
LONGEST = 64
"""Characters of a tag, however it is written."""

_KIND = "|".join(KINDS)
_BETWEEN = r"[ _\\-]{0,4}"
_NUMBER = r"[0-9]{1,5}"
_OPEN = r"(?:<|&lt;|\\u003c|\[)"
_CLOSE = r"(?:>|&gt;|\\u003e|\])"
_BARE = rf"(?P<plain_kind>{_KIND})_(?P<plain_number>{_NUMBER})(?![A-Za-z0-9_])"
_LIKE = lazy_regex(rf"(?:{_KIND})_{_NUMBER}", re.IGNORECASE)


def _beginnings(word: str) -> str:
    """Return a pattern of everything that a word may begin with, itself included."""
    pattern = ""
    for letter in reversed(word):
        pattern = f"(?:{re.escape(letter)}{pattern})?" if pattern else f"{re.escape(letter)}?"
    return pattern


_HALF_OPEN = rf"&{_beginnings('lt')}|\\{_beginnings('u003')}"
_HALF_CLOSE = rf" ?(?:&{_beginnings('gt')}|\\{_beginnings('u003')})?"
_HALF_KIND = "|".join(dict.fromkeys(kind[:length] for kind in KINDS for length in range(len(kind), 0, -1)))
_REST = rf"(?:{_KIND})(?:{_BETWEEN}(?:{_NUMBER}(?:{_BETWEEN}(?:[a-z0-9]{{1,4}}{_HALF_CLOSE})?|{_HALF_CLOSE}))?)?"
_BEGUN = lazy_regex(
    rf"(?:{_HALF_OPEN}|{_OPEN} ?(?:{_REST}|{_HALF_KIND})?|(?<![A-Za-z0-9_])(?:{_REST}|{_HALF_KIND}))\Z", re.IGNORECASE
)


def begun_at(text: str, before: str = "") -> int:
    """Return where something begins at the end of `text` that may become a tag; the length of `text` where nothing does. `before`
    is the letter before the text."""
    whole = before + text
    found = _BEGUN.search(whole, max(len(before), len(whole) - LONGEST))
    return (found.start() if found else len(whole)) - len(before)


class WrittenTags:
    """The tags of a call with the letters `suffix`, in which `texts` were sent."""

    def __init__(self, suffix: str, texts: Iterable[str]) -> None:
        self._taken = {like.upper() for text in texts for like in _LIKE.findall(text)}
        self._pattern = lazy_regex(
            rf"(?:(?P<open>{_OPEN} ?)|(?<![A-Za-z0-9_]))"
            rf"(?:(?P<kind>(?i:{_KIND})){_BETWEEN}(?P<number>{_NUMBER}){_BETWEEN}(?i:{re.escape(suffix)})|{_BARE})"
            rf"(?(open)(?: ?{_CLOSE})?)"
        )
        self._suffix = suffix

    def replaced(self, text: str, values: Mapping[str, str]) -> str:
        """Return every tag in `text` with its value from `values`, by tag; what is none stays."""

        def value_of(match: re.Match[str]) -> str:
            kind, number = match["kind"] or match["plain_kind"], match["number"] or match["plain_number"]
            name = f"{kind.upper()}_{int(number)}"
            if match["plain_kind"] and name in self._taken:
                return match[0]
            return values.get(f"<{name}_{self._suffix}>", match[0])

        return self._pattern.sub(value_of, text)
