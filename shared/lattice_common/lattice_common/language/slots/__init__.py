"""Slots: what a sentence claims of somebody or something, one value at a time, and what a newer claim does to an older one.

`of_atom` reads an atom's sentences into claims: `clause` says how each is meant, `holder` whose slot it is, and one file for each
kind of slot knows its ways of saying it (`people`, `contacts`, `keepers`, `things`, `habits`). `claim` has what they all return.
"""

from lattice_common.language.slots.claim import Claim, contest
from lattice_common.language.slots.of_atom import author_of, claims_by, claims_of, slot_keys, sought_keys

__all__ = ["Claim", "author_of", "claims_by", "claims_of", "contest", "slot_keys", "sought_keys"]
