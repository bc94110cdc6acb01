"""What a note is about by the name of its file: programs that keep a folder of notes show the name as the title, and many notes
begin below it without a heading of their own."""

# ruff: noqa: SIM905 - lists of quoted words read worse

from __future__ import annotations

import re
from datetime import UTC, datetime

from lattice_common.language.dates.mentions import resolve
from lattice_common.language.dates.notes import day_in_name
from lattice_common.language.notes.properties import HEAD, after_front_matter, properties
from lattice_common.language.patterns import lazy_regex

_ENDING = lazy_regex(r"\.(?:md|markdown)\Z", re.IGNORECASE)
_HEADED = lazy_regex(r"\s*(?:#[ \t]+\S|\S[^\n]*\n=+[ \t]*(?:\n|\Z))")
_NUMBERED = lazy_regex(r"[\s_(-]+\d{1,4}\)?\Z")
_WORD = lazy_regex(r"[^\W\d_]{2}")
LONGEST_NAME = 120
"""Characters of a name that is one; what is longer is the note's first sentence, put there by its program."""

_OF_NO_MATTER = frozenset(
    " ".join(name.split())
    for name in """untitled, untitled note, unnamed, new note, note, unbenannt, ohne titel, neue notiz, notiz, sans titre,
    nouvelle note, sin título, sin titulo, nueva nota, nota, senza titolo, senza nome, nuova nota, sem título, sem titulo,
    nova nota, naamloos, nieuwe notitie, notitie,
    notes, readme, index, inbox, journal, diary, log, scratch, scratchpad, misc, daily note, contents, home, start, notizen,
    tagebuch, sonstiges, verschiedenes, carnet, divers, notas, diario, varios, appunti, varie, diário, notities, dagboek,
    diversen""".split(",")
)
"""Names that say nothing of what is in a note."""


def without_number(name: str) -> str:
    """Return a name without the number that a program put behind it: "Untitled-3", "Notes (2)"."""
    return _NUMBERED.sub("", name)


def title_by_name(name: str, text: str) -> str | None:
    """Return what a file of notes is about by its name; None for one that has a heading of its own, that is called by a day, or
    whose name says nothing of it. A title among the properties goes before the name."""
    stem = _ENDING.sub("", re.split(r"[/\\]", name)[-1])
    body = text[after_front_matter(text) :]
    if stem == name or _HEADED.match(body[:HEAD]):
        return None
    title = " ".join((properties(text).get("title") or (stem.replace("_", " "),))[0].split())
    bare = without_number(title).lower()
    if bare in _OF_NO_MATTER or len(title) > LONGEST_NAME or not _WORD.search(title):
        return None
    return None if day_in_name(stem) or _is_date(title) else title


def _is_date(title: str) -> bool:
    """Return whether a name says when, and nothing else: "November 2026", "15 November 2026"."""
    rest = title
    for mention in resolve(title, datetime(2000, 1, 1, tzinfo=UTC)):
        rest = rest.replace(mention.phrase, "")
    return not _WORD.search(rest)
