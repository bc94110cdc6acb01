"""When a mail was sent, which is no day of what it is about."""

from __future__ import annotations

import re

from lattice_common.language.patterns import lazy_regex

_SENT_ON = lazy_regex(
    r"(?:date|sent|datum|gesendet|envoyé|fecha): \w.{0,30}\d{1,2}:\d\d(?::\d\d)?(?: [+-]\d{4})?\W*\Z", re.IGNORECASE
)
_ASKED = lazy_regex(
    r"\b(?:e-?mail|mail|message|wr[oi]te|written|sent|send|repl(?:y|ied)|answer(?:ed)?|book(?:ed)?|order(?:ed)?|confirm(?:ed)?|"
    r"dated|geschrieben|geschickt|gebucht|bestellt|écrit|envoyé|escribi\w+|envi\w+)\b",
    re.IGNORECASE,
)


def says_when_sent(words: str) -> bool:
    """Return whether this is the line of a mail's head that says when it was sent: "Date: 8 November 2026, 19:22 +0000"."""
    return _SENT_ON.match(words) is not None


def asks_when_sent(question: str) -> bool:
    """Return whether a question may ask for that: it speaks of a mail, of writing, booking or ordering."""
    return _ASKED.search(question) is not None
