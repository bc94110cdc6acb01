"""Summing up without a language model: for a recurring theme, its three most important statements.

When statements on one theme were told in 3, 5, 10 or 20 episodes (a day's conversation each), the best three of them, word for
word, become a synthesis: one memory to look at instead of twenty. No model is called, and no word is new. It says nothing that
its statements do not, so a question finds those, and the synthesis only where a summary is asked for.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import Derive, JsonValue
from lattice_common.domain.conclusion import EXTRACTIVE, is_conclusion, is_extractive
from lattice_common.domain.decay import decayed
from lattice_common.domain.last_said import said_at
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery
from lattice_common.upkeep.reflection.consolidation import FOUND, MOST_THEMES, counts, is_mostly, mark, themes

LEVELS = (3, 5, 10, 20)
"""Episodes at which a theme is summed up, each time anew."""
LEAST_SUBJECTS = 2
"""Statements that have the theme for their subject; the others may only mention it."""
BEST = 3
LONGEST = 300
"""Characters of a statement that may be in a summary."""
MOST_AT_ONCE = 5
"""Syntheses that are made in one idle moment."""
PURPOSE = "extract"


@dataclass(frozen=True, slots=True)
class Extracted:
    """A theme's synthesis, and the line of the log that records it."""

    conclusion: Derive
    line: Mapping[str, JsonValue]


def extracted(
    catalogue: CatalogueReader, lexical: LexicalIndex, past: Mapping[str, tuple[int, Collection[str]]], now: datetime
) -> Iterator[Extracted]:
    """Yield what is to be summed up now, the most frequent themes first. `past` is what `made_before` returned. Raise
    `Unavailable`."""
    taken: list[set[str]] = []
    for theme in themes(catalogue.subjects(), LEAST_SUBJECTS)[:MOST_THEMES]:
        hits = lexical.search(LexicalQuery({"text": (theme,)}), FOUND)
        known = [atom for atom in catalogue.get([hit.atom_id for hit in hits]) if not atom.is_superseded]
        statements = [atom for atom in known if counts(atom) and len(atom.content) <= LONGEST and _is_of(theme, atom)]
        ids = {atom.atom_id for atom in statements}
        if not statements or any(is_mostly(ids, others) for others in taken):
            continue
        taken.append(ids)
        level = level_of(len({atom.episode_id for atom in statements}))
        if level is None or not _is_new(level, past.get(about(theme)), catalogue):
            continue
        before = [atom for atom in known if is_conclusion(atom) and is_extractive(atom) and theme in analyze(atom.subject)]
        yield _of(theme, level, best(statements, now), before, now)


def level_of(episodes: int) -> int | None:
    """Return the highest level that so many episodes reach."""
    return max((level for level in LEVELS if level <= episodes), default=None)


def best(statements: Sequence[Atom], now: datetime) -> list[Atom]:
    """Return the three most important statements, each of another episode while there are any, in the order in which they were
    told."""

    def weight(atom: Atom) -> float:
        sure = decayed(atom.confidence, atom.persistence, now - said_at(atom))
        return atom.importance * atom.quality_score * sure

    ranked = sorted(statements, key=lambda atom: (-weight(atom), -atom.observed_at.timestamp(), atom.atom_id))
    first: dict[str | None, Atom] = {}
    for atom in ranked:
        first.setdefault(atom.episode_id, atom)
    chosen = [*first.values(), *(atom for atom in ranked if atom not in first.values())][:BEST]
    return sorted(chosen, key=lambda atom: (atom.observed_at, atom.seq))


def made_before(newest_first: Iterator[Mapping[str, JsonValue]]) -> dict[str, tuple[int, frozenset[str]]]:
    """Return for each theme (its hash) the level at which it was summed up last, and the marks of its statements."""
    found: dict[str, tuple[int, frozenset[str]]] = {}
    for line in newest_first:
        level, offered = line.get("level"), line.get("offered")
        if line.get("purpose") == PURPOSE and isinstance(level, int) and isinstance(offered, list):
            found.setdefault(str(line.get("about")), (level, frozenset(map(str, offered))))
    return found


def about(theme: str) -> str:
    """Return a hash that stands for a theme: the word itself is the owner's."""
    return hashlib.sha256(theme.encode()).hexdigest()[:16]


def _is_of(theme: str, atom: Atom) -> bool:
    return theme in analyze(atom.subject) or theme in analyze(atom.content)


def _is_new(level: int, before: tuple[int, Collection[str]] | None, catalogue: CatalogueReader) -> bool:
    """Return whether the level is another one; or whether a statement has changed since, so that the synthesis was removed with
    it. What the owner deleted does not return at the same level."""
    if before is None or level > before[0]:
        return True
    known = catalogue.get([each.partition(":")[0] for each in before[1]])
    return not set(before[1]) <= {mark(atom) for atom in known if not atom.is_superseded}


def _of(theme: str, level: int, chosen: Sequence[Atom], before: Sequence[Atom], now: datetime) -> Extracted:
    named = [atom.subject for atom in chosen if theme in analyze(atom.subject)]
    subject = min(named, key=lambda name: (len(name), name)) if named else theme
    content = " ".join(_ended(atom.content) for atom in chosen)
    sources: dict[str, JsonValue] = {atom.atom_id: atom.content_hash for atom in chosen}
    conclusion = Derive("synthesis", content, subject, sources, f"{EXTRACTIVE}:{level}", tuple(atom.atom_id for atom in before))
    offered: list[JsonValue] = [mark(atom) for atom in chosen]
    line: dict[str, JsonValue] = {
        "ts": now.isoformat(),
        "purpose": PURPOSE,
        "outcome": "kept",
        "about": about(theme),
        "level": level,
        "offered": offered,
    }
    return Extracted(conclusion, line)


def _ended(content: str) -> str:
    """Return a statement as a sentence among others."""
    plain = " ".join(content.split())
    return plain if plain.endswith((".", "!", "?", "…", "”")) else f"{plain}."
