"""The slots that an atom fills: what reconcile compares, and the keys by which a catalogue finds it.

The sentences are read by rules, the same for atoms of every extractor: `people` for what people say about themselves and others
(where they live, work, …), `things` for what they say about things (passwords, prices, appointments, …).
"""

from __future__ import annotations

from functools import lru_cache

from lattice_common.domain.atom import Atom, normalize_subject
from lattice_common.domain.status import holds
from lattice_common.language.owner import learned_of_owner
from lattice_common.language.slots.claim import Claim
from lattice_common.language.slots.clause import clauses, without_speaker
from lattice_common.language.slots.habits import habit_claims
from lattice_common.language.slots.keepers import keeper_claims
from lattice_common.language.slots.people import person_claims
from lattice_common.language.slots.things import thing_claims

_OWNER_NAMES = frozenset(("user", "me", "i", "you", "myself"))
_NO_CLAIMS = frozenset(("question", "goal", "recommendation", "reminder", "insight", "synthesis"))
_LONGEST = 400
"""Characters of a content that is read for slots: a sentence; longer ones are passages, where a match is more often wrong."""


def author_of(atom: Atom) -> str:
    """Return whose "I" and whose "the rent" it is: the speaker's, the owner's (`me`), or the source's. Documents without a named
    source are each their own: the rent in one is unrelated to that in another."""
    speaker = normalize_subject(atom.speaker or "")
    if speaker and speaker not in _OWNER_NAMES:
        return speaker
    if atom.trust == "user":
        return "me"
    source = atom.source_id or (atom.metadata.get("title") or atom.capture_id if atom.trust in ("document", "web") else "")
    return f"{atom.trust}:{normalize_subject(str(source))}"


def claims_by(atom: Atom) -> tuple[Claim, ...]:
    """Return the claims of an atom; empty for questions, goals and the like, for wishes and rumours, and for rows of tables:
    "Number: 7" belongs to what the row is about."""
    if atom.kind in _NO_CLAIMS or not holds(atom.status) or len(atom.content) > _LONGEST or _is_row(atom):
        return ()
    if (own := learned_of_owner(atom)) is not None:
        # A document about the owner fills the owner's slots: it may agree with what they said, or not.
        return claims_of(own, "me")
    return claims_of(without_speaker(atom.content, atom.speaker), author_of(atom))


def _is_row(atom: Atom) -> bool:
    """Return whether the content is a row with the names of its columns; "Phone: 0170 …", a label with its value, counts as a
    sentence."""
    head = atom.metadata.get("lead_in")
    return isinstance(head, str) and "|" in head and "|" in atom.source_quote and "; " in atom.content


def slot_keys(atom: Atom) -> tuple[str, ...]:
    """Return the distinct keys under which atoms that may compete for the same slots are found; usually none to six."""
    return tuple(dict.fromkeys(key for claim in claims_by(atom) for key in claim.keys))


def sought_keys(atom: Atom) -> tuple[str, ...]:
    """Return the keys to look under for atoms that it may contest, or that may contest it."""
    return tuple(dict.fromkeys(key for claim in claims_by(atom) for key in claim.sought))


@lru_cache(maxsize=1_024)
def claims_of(content: str, author: str) -> tuple[Claim, ...]:
    """Return the claims of a statement by `author` ("me", or a normalised name)."""
    found: list[Claim] = []
    for clause in clauses(content):
        found += person_claims(clause, author)
        found += habit_claims(clause, author)
        found += thing_claims(clause, author)
        found += keeper_claims(clause, author)
    return tuple(found)
