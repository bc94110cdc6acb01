"""Who is who: which names, short names and roles belong to one person, animal, place, organisation or thing.

`words` cuts a sentence, `phrases` reads whose what somebody is ("Dana's terrier"), `tie` what a statement says of names and
roles, and `register` holds what all statements say together.
"""

from lattice_common.language.people.register import Entity, Held, Register, RoleHeld
from lattice_common.language.people.tie import Tie, mentions_by, ties_by

__all__ = ["Entity", "Held", "Register", "RoleHeld", "Tie", "mentions_by", "ties_by"]
