"""What the product concluded itself from several memories: a synthesis sums some up, an insight sees two together.

It is no source of facts: what is told is never taken for a repetition of it. It holds while each memory that it rests on is
there, current, and says what it said; and it is the owner's own statement once they have changed its words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom, content_hash
from lattice_common.domain.capture import JsonValue

DerivedKind: TypeAlias = Literal["synthesis", "insight"]

KINDS: tuple[DerivedKind, ...] = ("synthesis", "insight")

RESTS_ON = "rests_on"
"""In the metadata: the ids of the memories that it was made of, and the content hash that each of them had."""

EXTRACTIVE = "extractive"
"""The extractor of a synthesis that is made of statements as they stand, with the number of episodes behind a colon."""

EXTRACTIVE_QUALITY = 1.5

MADE_AS = "made_as"
"""In the metadata: the content hash that it was made with."""


def derivation(content: str, sources: Iterable[Atom]) -> dict[str, JsonValue]:
    """Return the metadata of what was made of these."""
    return {RESTS_ON: {atom.atom_id: atom.content_hash for atom in sources}, MADE_AS: content_hash(content)}


def is_derived(atom: Atom) -> bool:
    """Return whether the product made it, and nobody has changed its words since."""
    return atom.kind in KINDS and bool(atom.content_hash) and atom.metadata.get(MADE_AS) == atom.content_hash


def is_extractive(atom: Atom) -> bool:
    """Return whether a synthesis has no words but those of the statements that it was made of."""
    return atom.kind == "synthesis" and atom.extractor.startswith(f"{EXTRACTIVE}:")


def rests_on(atom: Atom) -> Mapping[str, str]:
    """Memory → the content hash that it had; empty for what is not derived."""
    named = atom.metadata.get(RESTS_ON) if is_derived(atom) else None
    return {each: str(words) for each, words in named.items()} if isinstance(named, dict) else {}


def unchanged(atom: Atom, there: Sequence[Atom]) -> bool:
    """Return whether all that it rests on is among those that are there, and says what it said."""
    words = {each.atom_id: each.content_hash for each in there}
    return all(words.get(atom_id) == hash_then for atom_id, hash_then in rests_on(atom).items())
