"""The owner's names: from the settings, and from what they said ("My name is Ada Miller")."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.lexical_index import LexicalIndex, LexicalQuery

LOOKED_AT = 20
"""Atoms that are searched for a name, the plainest statements first."""

_NAME = r"(?P<name>[^\W\d_][\w'’.-]*(?: [^\W\d_a-z][\w'’.-]*){0,3})"
_SAID = re.compile(rf"^(?:[Mm]y (?:full |legal )?name is|I am called|I'm called|[Ii]ch hei(?:ß|ss)e) {_NAME}[.!]?$")


class OwnerNames:
    """Computed anew for each part of a document: about a millisecond."""

    def __init__(self, given: str, lexical: LexicalIndex, catalogue: CatalogueReader) -> None:
        self._given = tuple(name for each in given.split(",") if (name := each.strip()))
        self._lexical = lexical
        self._catalogue = catalogue

    def __call__(self) -> Sequence[str]:
        """Return the names, longer ones first; empty where none is known."""
        hits = self._lexical.search(LexicalQuery({"text": analyze("my name is called heiße")}), LOOKED_AT)
        atoms = self._catalogue.get([hit.atom_id for hit in hits])
        said = [
            found["name"].rstrip(".")
            for atom in atoms
            if atom.trust == "user" and not atom.is_superseded and (found := _SAID.match(atom.content)) is not None
        ]
        return sorted(dict.fromkeys([*self._given, *said]), key=len, reverse=True)
