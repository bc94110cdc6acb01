"""Text with emphasis, as Telegram takes it: entities beside the words, so that nothing anybody said is ever read as markup.

Telegram counts in UTF-16 units, and takes 4,096 of them in a message. Longer texts are split: after a paragraph, else a sentence,
else a word; never inside an entity or an address, unless that alone is longer than a message.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["bold", "italic", "code", "pre", "expandable_blockquote"]

LIMIT = 4096
"""UTF-16 units of one message (core.telegram.org/bots/api, sendMessage)."""
MOST_SPANS = 100
"""Entities of one message; Telegram leaves out those after them (core.telegram.org/api/entities)."""

_ADDRESS = re.compile(
    r"[a-z][a-z0-9+.-]*://\S+"
    r"|(?<![\w@.-])(?:[\w-]+\.)+(?:[^\W\d_]{2,}|xn--[a-z0-9-]+)(?![\w-])(?:[:/?#]\S*)?"
    r"|(?<![\w@.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w.-])(?:[:/?#]\S*)?"
    r"|(?<![\w@/])@[a-z]\w{3,}"
    r"|(?<!\S)/[a-z]\w*",
    re.IGNORECASE,
)
"""All that Telegram makes a link of: addresses, also bare ones, names of its users, commands. Of `file.txt` too, which is shown
as code then, and no worse for it."""
_ENDS = (
    re.compile(r"\n\s*\n+"),
    re.compile(r"[.!?…][\"'”’)\]]*(?:\s*\[\d+\])*\s+|[。！？]+|\n"),
    re.compile(r"\s+"),
)
"""Where a text is split, best first."""


@dataclass(frozen=True, slots=True)
class Span:
    """Emphasis from character `start` to `end`."""

    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Rich:
    """Text and its emphasis; spans lie within the text, and do not overlap."""

    text: str
    spans: tuple[Span, ...] = ()

    def __add__(self, other: Rich | str) -> Rich:
        more = other if isinstance(other, Rich) else Rich(other)
        at = len(self.text)
        return Rich(self.text + more.text, self.spans + tuple(Span(s.start + at, s.end + at, s.kind) for s in more.spans))

    def __bool__(self) -> bool:
        return bool(self.text.strip())


def marked(text: str, kind: Kind) -> Rich:
    """Return all of it emphasised."""
    return Rich(text, (Span(0, len(text), kind),) if text else ())


def joined(parts: Iterable[Rich], between: str = "\n") -> Rich:
    whole = Rich("")
    for number, part in enumerate(parts):
        whole = whole + (between if number else "") + part
    return whole


def defanged(text: str) -> Rich:
    """Return the text with every address as code, which no client turns into a link: anybody may have written what is
    remembered."""
    return Rich(text, tuple(Span(found.start(), found.end(), "code") for found in _ADDRESS.finditer(text)))


def apart(text: str) -> str:
    """Return the text with every address broken up, for places where it cannot be code: within other emphasis."""
    return _ADDRESS.sub(lambda found: _apart(found.group()), text)


def units(text: str) -> int:
    """Return its length in UTF-16."""
    return len(text) + sum(ord(char) > 0xFFFF for char in text)


def split(rich: Rich, limit: int = LIMIT) -> list[Rich]:
    """Return pieces of at most `limit` (≥ 2) units which together are the whole text; those of nothing but white space are left
    out."""
    addresses = [Span(found.start(), found.end(), "code") for found in _ADDRESS.finditer(rich.text)]
    whole = [each for each in addresses if not any(span.start < each.end and each.start < span.end for span in rich.spans)]
    closed = sorted([*rich.spans, *whole], key=lambda span: span.start)
    pieces = list[Rich]()
    start = 0
    for end in _cuts(rich.text, closed, [span.start for span in rich.spans], limit):
        spans = (Span(max(s.start, start) - start, min(s.end, end) - start, s.kind) for s in rich.spans)
        pieces.append(Rich(rich.text[start:end], tuple(span for span in spans if span.start < span.end)))
        start = end
    return [piece for piece in pieces if piece]


def shortened(rich: Rich, limit: int = LIMIT) -> Rich:
    """Return its first piece, with a sign that it goes on where it does."""
    pieces = split(rich, limit - 2)
    return pieces[0] + " …" if len(pieces) > 1 else rich


def _cuts(text: str, closed: list[Span], starts: list[int], limit: int) -> Iterator[int]:
    start = 0
    while start < len(text):
        too_many = [each for each in starts if each >= start][MOST_SPANS:]
        most = min(_reach(text, start, limit), too_many[0] if too_many else len(text))
        start = most if most == len(text) else _cut(text, closed, start, most)
        yield start


def _reach(text: str, start: int, limit: int) -> int:
    """Return the farthest end of a piece from `start`."""
    used, end = 0, start
    while end < len(text) and (used := used + (2 if ord(text[end]) > 0xFFFF else 1)) <= limit:
        end += 1
    return end


def _cut(text: str, closed: list[Span], start: int, most: int) -> int:
    def is_open(at: int) -> bool:
        return not any(span.start < at < span.end for span in closed)

    least = start + (most - start) // 3  # a piece of a few words reads worse than one that ends within a paragraph
    for pattern in _ENDS:
        ends = [found.end() for found in pattern.finditer(text, start, most) if found.end() > least]
        if found := next((end for end in reversed(ends) if is_open(end)), None):
            return found
    # In front of what is not to be cut; but what stands at the very start is longer than a message, and is cut: after a line.
    end = most
    while before := [span.start for span in closed if start < span.start < end < span.end]:
        end = min(before)
    line = text.rfind("\n", least, most) + 1
    within = [span for span in closed if span.start < line < span.end]
    return line if end == most and line and all(span.start <= start for span in within) else end


def _apart(address: str) -> str:
    """Return an address that people can read and no program opens."""
    if address[0] in "@/":
        return f"{address[0]} {address[1:]}"
    return address.replace("://", "[:]//").replace(".", "[.]")
