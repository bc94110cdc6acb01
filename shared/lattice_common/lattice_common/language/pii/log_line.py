"""What may be in a line of a log: no key, password, token or cookie, and no query of an address.

The product's own log calls contain no secrets; this covers what libraries say about requests that failed.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit, urlunsplit

from lattice_common.language.patterns import lazy_regex
from lattice_common.language.pii.secrets import secrets, telling_urls

HIDDEN = "[hidden]"

_HEADER = lazy_regex(
    r"\b(?P<name>(?:proxy-)?authorization|(?:set-)?cookie)(?P<is>['\"]?\s*[:=]\s*['\"]?)[^'\"\r\n]+", re.IGNORECASE
)
_OURS = lazy_regex(r"\blattice_[\w-]{20,}|\b(?:__Host-)?lattice_session=[^\s;'\"]+")
_BOT = lazy_regex(r"\d{5,}(?::|%3A)[\w-]{20,}")
"""A Telegram token: part of every address of the Bot API, and so of a library's message when one cannot be reached."""
_QUERY = lazy_regex(r"\?[\w.%-]+=[^\s\"'<>]*")


def shown_address(url: str) -> str:
    """Return an address that may be shown: without user name, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def without_secrets(text: str) -> str:
    """Return `text` with `[hidden]` in place of each secret."""
    text = _HEADER.sub(rf"\g<name>\g<is>{HIDDEN}", text)
    pieces, at = [], 0
    for span in sorted([*telling_urls(text), *secrets(text)], key=lambda each: each.start):
        if span.end > at:
            pieces += [text[at : span.start], HIDDEN] if span.start >= at else []
            at = span.end
    text = "".join([*pieces, text[at:]])
    for pattern in (_OURS, _BOT):
        text = pattern.sub(HIDDEN, text)
    return _QUERY.sub(f"?{HIDDEN}", text)
