"""What basic-memory writes of somebody or something in a note of its own: observations, `- [job] Works as a nurse #work (since
2024)`, and relations, `- married_to [[Ben Roe]]`. Each is said of the note's title.
"""

from __future__ import annotations

from dataclasses import dataclass

from lattice_common.language.notes.properties import properties
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.sentences.verbs import FINITE

_OBSERVATION = lazy_regex(r"[ \t]*[-*+][ \t]+\[(?![ xX]\])(?P<category>[^\[\]\n]{1,60})\][ \t]+(?=\S)")
_RELATION = lazy_regex(r"[ \t]*[-*+][ \t]+(?=[^\W\d][\w -]{0,60}[ \t]+\[\[[^\[\]\n]{1,200}\]\][^\[\]\n]{0,200}(?:\n|\Z))")
_TARGET = lazy_regex(r"([^\W\d][\w -]{0,60}?)[ \t]+(\[\[.*)", 0)
_TAGS_BEHIND = lazy_regex(r"(?:[ \t]+#[\w/-]{1,60})+(?=[ \t]*(?:\([^()\n]*\)[ \t]*)?\Z)")


@dataclass(frozen=True, slots=True)
class Observation:
    """Where the words of a line begin, and under what it is filed; `category` is "" for a relation."""

    start: int
    category: str


def title_in(text: str) -> str | None:
    """Return what a note of basic-memory is about: its title; None for any other note."""
    known = properties(text)
    return known["title"][0] if "permalink" in known and "title" in known else None


def observation_at(text: str, start: int, end: int) -> Observation | None:
    """Return what the line that begins at `start` observes or relates; None for any other."""
    if found := _OBSERVATION.match(text, start, end):
        return Observation(found.end(), found["category"].strip())
    if found := _RELATION.match(text, start, end):
        return Observation(found.end(), "")
    return None


def said_of(title: str, words: str) -> str:
    """Return the words of an observation or a relation as a statement: "Anna: works as a nurse", "Anna married to [[Ben]]"."""
    if related := _TARGET.fullmatch(words.strip()):
        return f"{title} {related[1].replace('_', ' ')} {related[2]}"
    bare = _TAGS_BEHIND.sub("", words.strip())
    first, _, rest = bare.partition(" ")
    return f"{title}: {first.lower() if first.lower() in FINITE else first} {rest}".rstrip()
