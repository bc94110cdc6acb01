"""The marks that mean something in an answer: citations, the sentinel for not knowing, and addresses on the web.

What somebody said may hold all of them, and must not become any of them: `harmless` is how memories are shown to a model, and
`defang` is how addresses are shown that nobody but a document, or the model, brought up.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from lattice_common.domain.visible import visible

NO_INFO = re.compile(
    r"<<\s{0,3}NO[_ -]?INFO\s{0,3}>>|<\s{0,3}NO[_-]INFO\s{0,3}>|(?-i:\bNO_INFO\b)(?=.)", re.IGNORECASE | re.DOTALL
)
"""The sentinel as it was asked for, and as models remember it. The bare word needs something behind it: more of it may come."""
_NUMBERED = r"(?:(?i:n|no|mem|memory|memories|source|sources|ref)\.?\s?[=:#]?\s?|#)?"
_AND = r"\s?(?:[,;&–-]|\band\b)\s?"
CITATION = re.compile(
    rf"(\s{{0,8}})(?:\[\^?|【)\s?{_NUMBERED}(\d{{1,3}}(?:{_AND}{_NUMBERED}\d{{1,3}}){{0,20}})\s?(?:†[^】\]\n]{{0,40}})?[\]】]"
)
"""`[1]`, `[1, 2]`, `[2-4]`, and the forms that some models prefer: `[^1]`, `【1】`, `[n=1]`, `[Memory 1]`."""

_URL = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"”»]+"
    r"|(?<![\w/])//[\w-]+(?:\.[\w-]+)+[^\s<>\"”»]*"
    r"|\b(?:mailto|javascript|data|tel):[^\s<>\"”»]+"
    r"|\bwww\.[^\s<>\"”»]+"
    r"|(?<![\w/.@-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?::\d+)?/[^\s<>\"”»]*",
    re.IGNORECASE,
)
_MAY_BE_URL = re.compile(r"[:/]\S|www\.", re.IGNORECASE)
_SCHEME = re.compile(r"([a-z][a-z0-9+-]*):", re.IGNORECASE)
_AFTER_URL = ".,;:!?)]}'*_`"
_TRUE_MARK = str.maketrans({"[": "［", "]": "］"})


def harmless(text: str) -> str:
    """Return `text` on one line, without what nobody sees, and with nothing in it that could be taken for a mark of ours or of a
    model's own conversation format (`<|…|>`). People still read the same."""
    cleaned = " ".join(visible(text).split())
    cleaned = CITATION.sub(lambda match: match[0].translate(_TRUE_MARK), cleaned)
    return (
        cleaned.replace("<<", "‹‹")
        .replace(">>", "››")
        .replace("<|", "‹|")
        .replace("|>", "|›")
        .replace("【", "［")
        .replace("】", "］")
        .replace("NO_INFO", "NO INFO")
    )


def urls_in(text: str) -> set[str]:
    """Return the addresses in a text, without the punctuation behind them."""
    return {match[0].rstrip(_AFTER_URL) for match in _URL.finditer(text)} if _MAY_BE_URL.search(text) else set()


def defang(text: str, allowed: Collection[str] = ()) -> str:
    """Return `text` with every address that is not `allowed` written so that nothing makes a link of it:
    `https[:]//evil[.]example`."""
    return _URL.sub(lambda match: _defused(match[0], allowed), text) if _MAY_BE_URL.search(text) else text


def _defused(found: str, allowed: Collection[str]) -> str:
    url = found.rstrip(_AFTER_URL)
    if url in allowed:
        return found
    scheme = _SCHEME.match(url)
    rest = url[scheme.end() :] if scheme else url
    slashes = "//" if rest.startswith("//") else ""
    host, slash, path = rest.removeprefix("//").partition("/")
    named = f"{scheme[1]}[:]" if scheme else ""
    return f"{named}{slashes}{host.replace('.', '[.]')}{slash}{path}{found[len(url) :]}"


def numbers_in(match: re.Match[str], most: int) -> list[int]:
    """Return the numbers of a `CITATION`, ranges written out, each once; those outside 1…`most` are left out."""
    found: dict[int, None] = {}
    for part in re.split(r"[,;&]|and", match[2]):
        first, *last = (int(number) for number in re.findall(r"\d+", part))
        for number in range(max(first, 1), min(last[-1] if last else first, most) + 1):
            found[number] = None
    return list(found)
