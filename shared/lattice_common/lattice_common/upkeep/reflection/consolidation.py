"""Consolidation: what was said about one theme on several days, summed up in a memory of its own.

The owner's statements are the record and stay as they are; the synthesis is an additional memory, found beside them, and removed
when one of them changes. It is written anew when enough was said since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Derive, JsonValue
from lattice_common.domain.conclusion import is_conclusion, rests_on
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery
from lattice_common.upkeep.reflection.atoms import MOST_SOURCES
from lattice_common.upkeep.reflection.model_call import Conclusion, Offer, fitting

PROMPT = "consolidate.v1"

LEAST_STATEMENTS = 5
LEAST_DAYS = 3
"""Least statements on one theme, and days on which they were said, for a synthesis."""

LEAST_SUBJECTS = 3
"""Least of them with the theme as their subject: a word that only occurs in statements is no theme."""

LEAST_NEW = 3
"""Statements since a theme was last shown, from which it is shown again."""

LEAST_SOURCES = 3
"""Memories that a synthesis must rest on."""

SAME_THEME = 0.8
"""Share of a theme's statements that makes it the same as a more frequent one: "dog" and "Bruno" are summed up once."""

MOST_THEMES = 100
"""The themes with most statements, which are considered; each costs a search by one word."""

FOUND = 64
"""Statements found by a theme's word, the most relevant first; the newest of these are shown."""

_NOT_SUMMED_UP = frozenset(("question", "reminder", "recommendation"))


def themes(subjects: Mapping[str, int], least: int = LEAST_SUBJECTS) -> list[str]:
    """Return words that several subjects have in common, like `cello` in "cello", "cello lessons" and "my old cello"; the most
    frequent first, as tokens of the index. `subjects` counts the statements of each. About 10 µs for each of them."""
    found: Counter[str] = Counter()
    for subject, count in subjects.items():
        found.update(dict.fromkeys([word for word in analyze(subject) if len(word) > 1], count))
    return [word for word, count in sorted(found.items(), key=lambda each: (-each[1], each[0])) if count >= least]


def offers(
    catalogue: CatalogueReader, lexical: LexicalIndex, offered: Callable[[str], Collection[str] | None], room: int
) -> Iterator[Offer]:
    """Yield themes that are worth summing up, the most frequent first. `offered` returns the `mark`s of the statements that a
    theme was last shown with, if it was; `room` is how many tokens of statements a call may show. Raise `Unavailable`."""
    taken: list[set[str]] = []
    for theme in themes(catalogue.subjects())[:MOST_THEMES]:
        hits = lexical.search(LexicalQuery({"text": (theme,)}), FOUND)
        found = catalogue.get([hit.atom_id for hit in hits])
        known = sorted(found, key=lambda atom: (atom.observed_at, atom.seq), reverse=True)
        shown = fitting(((atom,) for atom in known if counts(atom)), room)
        statements = [atom for (atom,) in islice(shown, MOST_SOURCES)]
        ids = {atom.atom_id for atom in statements}
        if not _is_enough(statements) or any(is_mostly(ids, others) for others in taken):
            continue
        taken.append(ids)
        before = [
            atom
            for atom in known
            if atom.kind == "synthesis"
            and is_conclusion(atom)
            and (theme in analyze(atom.subject) or is_mostly(rests_on(atom), ids))
        ]
        if _is_news(statements, offered(theme), catalogue, summed_up=bool(before)):
            yield _offer(theme, statements[::-1], before)


def mark(atom: Atom) -> str:
    """Return an atom as it is now."""
    return f"{atom.atom_id}:{atom.content_hash[:16]}"


def synthesis(offer: Offer, found: Conclusion, extractor: str) -> Derive | None:
    """Return the command that stores a conclusion; None where it only repeats one memory, or rests on too few."""
    if found.joins < 2 or len(found.sources) < LEAST_SOURCES:
        return None
    sources: dict[str, JsonValue] = {atom.atom_id: atom.content_hash for atom in found.sources}
    return Derive("synthesis", found.content, offer.subject, sources, extractor, offer.instead_of)


def counts(atom: Atom) -> bool:
    """Return the owner's own lasting statements: what a document says is its author's to sum up."""
    return (
        atom.trust == "user"
        and atom.persistence != "ephemeral"
        and atom.kind not in _NOT_SUMMED_UP
        and not is_conclusion(atom)
        and not atom.archived
    )


def _is_enough(statements: Sequence[Atom]) -> bool:
    return len(statements) >= LEAST_STATEMENTS and len({atom.observed_at.date() for atom in statements}) >= LEAST_DAYS


def is_mostly(some: Collection[str], others: Collection[str]) -> bool:
    """Return whether most of some are among others: then a theme is a more frequent one under another word."""
    return sum(each in others for each in some) >= SAME_THEME * len(some)


def _is_news(statements: Sequence[Atom], offered: Collection[str] | None, catalogue: CatalogueReader, *, summed_up: bool) -> bool:
    if offered is None or sum(mark(atom) not in offered for atom in statements) >= LEAST_NEW:
        return True
    if summed_up:
        return False
    # What was concluded then went with a statement that changed; or it came to nothing, and nothing has changed since.
    known = catalogue.get([each.partition(":")[0] for each in offered])
    return not set(offered) <= {mark(atom) for atom in known if not atom.is_superseded}


def _offer(theme: str, statements: Sequence[Atom], before: Sequence[Atom]) -> Offer:
    """Return the statements of a theme as an offer to sum up; its subject is the plainest name of the theme among them."""
    named = [atom.subject for atom in statements if theme in analyze(atom.subject)]
    plainest = min(named, key=lambda name: (len(name), name)) if named else theme
    marks: list[Mapping[str, JsonValue]] = [{} for _ in statements]
    marks[0] = {"subject": plainest}
    replaced = tuple(atom.atom_id for atom in before)
    return Offer("consolidate", PROMPT, tuple(statements), tuple(marks), plainest, replaced, about=theme)
