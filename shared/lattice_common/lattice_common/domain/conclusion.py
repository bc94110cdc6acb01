"""Conclusions of the product itself from several memories: a synthesis sums some up, an insight connects two.

A conclusion is no source of facts: what is told is never taken for a repetition of it. It is valid while each memory that it
rests on exists, is current, and says what it said; and it is the owner's own statement once they have changed its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom, content_hash
from lattice_common.domain.capture import JsonValue

ConclusionKind: TypeAlias = Literal["synthesis", "insight"]

KINDS: tuple[ConclusionKind, ...] = ("synthesis", "insight")

RESTS_ON = "rests_on"
"""Metadata key: the ids of the memories that it was made of, with the content hash that each of them had."""

EXTRACTIVE = "extractive"
"""The extractor of a synthesis made of statements in their own words, followed by the number of episodes behind a colon."""

EXTRACTIVE_QUALITY = 1.5

MADE_AS = "made_as"
"""Metadata key: the content hash that it was made with."""


def conclusion_metadata(content: str, sources: Iterable[Atom]) -> dict[str, JsonValue]:
    """Return the metadata of what was made of these."""
    return {RESTS_ON: {atom.atom_id: atom.content_hash for atom in sources}, MADE_AS: content_hash(content)}


def is_conclusion(atom: Atom) -> bool:
    """Return whether the product made it, and nobody has changed its words since."""
    return atom.kind in KINDS and bool(atom.content_hash) and atom.metadata.get(MADE_AS) == atom.content_hash


def is_extractive(atom: Atom) -> bool:
    """Return whether a synthesis has no words but those of the statements that it was made of."""
    return atom.kind == "synthesis" and atom.extractor.startswith(f"{EXTRACTIVE}:")


def rests_on(atom: Atom) -> Mapping[str, str]:
    """Return the content hash of each memory that an atom rests on, by id; empty for what is no conclusion."""
    named = atom.metadata.get(RESTS_ON) if is_conclusion(atom) else None
    return {each: str(words) for each, words in named.items()} if isinstance(named, dict) else {}


def unchanged(atom: Atom, there: Sequence[Atom]) -> bool:
    """Return whether all that it rests on is among those that are there, and says what it said."""
    words = {each.atom_id: each.content_hash for each in there}
    return all(words.get(atom_id) == hash_then for atom_id, hash_then in rests_on(atom).items())
