"""What a note says of itself: its front matter, or the lines "Created: May 4, 2023" that Notion writes below a title.

A scanner of lines, not a parser of YAML: names with a value, or with a list of values, in `[a, b]` or a line each. What else
stands there is no property.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from lattice_common.language.patterns import lazy_regex

HEAD = 4000
"""Characters of a note in which its properties stand."""
MOST_VALUES, LONGEST_VALUE = 50, 100

CREATED = ("created", "date created", "created at", "created time", "created on", "creation date")
UPDATED = (
    "updated", "date updated", "updated at", "modified", "date modified", "last modified", "last edited", "last edited time",
)  # fmt: skip
_FILED = frozenset((*CREATED, *UPDATED, "created by", "last edited by", "updated by", "tags", "tag", "aliases", "alias"))
"""Properties that say where a note belongs and when it was written, and nothing to remember."""

_FRONT = lazy_regex(r"\A\ufeff?---[ \t]*\r?\n((?:(?!---|\.\.\.)[^\n]*\n){0,200})(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)")
_BELOW_TITLE = lazy_regex(
    r"\A\ufeff?(?:#{1,3} [^\n]*\n)?(?:[ \t]*\r?\n){0,3}((?:[^\W\d_][\w ()/-]{0,40}:[^\n]*(?:\n|\Z)){1,40})(?=[ \t]*\r?\n|\Z)"
)
_PROPERTY = lazy_regex(r"[\"']?([^\W\d_][\w ()/-]{0,40}?)[\"']?[ \t]*::?(?:[ \t]+(\S[^\n]*?))?[ \t]*\r?\Z")
_DOUBLED = lazy_regex(r"\A\ufeff?((?:(?:-[ \t]+)?[^\W\d_][\w. -]{0,40}::[^\n]*(?:\n|\Z)){1,40})")
"""Logseq's properties of a page, before its first block or in it."""
_LISTED = lazy_regex(r"[ \t]*-[ \t]+(\S[^\n]*?)[ \t]*\r?\Z")
_QUOTED = lazy_regex(r"([\"'])(.*)\1\Z")


def properties(text: str) -> Mapping[str, tuple[str, ...]]:
    """Return the properties of a note by their names, in small letters with spaces: `{"tags": ("boat", "sea")}`."""
    return _properties(text[:HEAD])


def below_title(text: str) -> tuple[int, int] | None:
    """Return where the lines of properties below a note's title stand: `[start, end)`; None where there are none, or they are
    front matter. They are known by one that no sentence has, such as "Tags:"."""
    found = _BELOW_TITLE.match(text[:HEAD])
    if found is None or not any(_name(line.partition(":")[0]) in _FILED for line in found[1].splitlines()):
        return None
    return found.span(1)


def after_front_matter(text: str) -> int:
    """Return where a note's words begin."""
    found = _FRONT.match(text[:HEAD])
    return found.end() if found else 0


def is_filed(name: str) -> bool:
    """Return whether a property says only where a note belongs and when it was written."""
    return _name(name) in _FILED


def filed_as(text: str) -> dict[str, list[str]]:
    """Return the tags and the other names of a note, as far as it has any: `{"tags": [...], "aliases": [...]}`."""
    known = properties(text)
    tags = (tag.strip("# []") for name in ("tags", "tag") for tag in known.get(name, ()))
    said = {
        "tags": [tag for tag in tags if tag],
        "aliases": [alias.strip("[] ") for name in ("aliases", "alias") for alias in known.get(name, ())],
    }
    return {name: list(dict.fromkeys(values)) for name, values in said.items() if values}


def _name(words: str) -> str:
    return " ".join(re.sub(r"[_-]", " ", words).split()).lower()


@lru_cache(maxsize=16)
def _properties(head: str) -> Mapping[str, tuple[str, ...]]:
    front = _FRONT.match(head)
    doubled = None if front else _DOUBLED.match(head)
    span = front.span(1) if front else doubled.span(1) if doubled else below_title(head)
    found: dict[str, tuple[str, ...]] = {}
    last = ""
    for line in head[span[0] : span[1]].splitlines() if span else ():
        if last and (listed := _LISTED.match(line)):
            found[last] = (*found[last], *_values(listed[1], alone=True))[:MOST_VALUES]
        elif named := _PROPERTY.match(line.removeprefix("- ") if doubled else line):
            last = _name(named[1])
            found[last] = _values(named[2] or "", alone=last not in ("tags", "tag", "aliases", "alias"))
    return {name: values for name, values in found.items() if values}


def _values(words: str, *, alone: bool) -> tuple[str, ...]:
    if words.startswith("[") and words.endswith("]") and not words.startswith("[["):
        parts = words[1:-1].split(",")
    else:
        parts = [words] if alone else words.split(",")
    bare = (_unquoted(part.strip()) for part in parts[:MOST_VALUES])
    return tuple(each for each in bare if each and len(each) <= LONGEST_VALUE)


def _unquoted(words: str) -> str:
    quoted = _QUOTED.match(words)
    return (quoted[2] if quoted else words).strip()
