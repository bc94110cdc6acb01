"""Which of two atoms of one slot is current: by time, trust and what they claim."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import AUTO_SAVE, Trust
from lattice_common.domain.last_said import said_at
from lattice_common.domain.replacement import reason_of
from lattice_common.language.slots import Claim, author_of, claims_by, contest

RANK: dict[Trust, int] = {"user": 0, "assistant": 1, "document": 2, "web": 3}
"""Rank of each trust; a lower one is more trusted."""


def rank(atom: Atom) -> tuple[int, bool]:
    """Return the authority of an atom, lower is higher: by trust, and the owner's own telling before what a program saved of
    their words."""
    return RANK[atom.trust], atom.trust == "user" and atom.metadata.get("channel") == AUTO_SAVE


EVENT_SLACK = timedelta(days=2)
"""An event that is said to have happened longer than this before the older statement was made does not retire it: both were known
then."""

MOVE_SLACK = timedelta(days=100)
"""For a move or a new job, the statement made last counts even where it happened up to this long before the older one was made:
"I live in Berlin" is often written from habit or taken from an old form, "I moved to Lisbon in May" never is. An earlier one may
have been followed by another move, so both are kept."""

APPOINTMENT_REACH = timedelta(days=14)
"""Two dates of one appointment that were said further apart than this are more likely two appointments."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """`retire` the older atom, or `link` the newer to it; `oppose` where only trust keeps the newer from retiring it. `reason` is
    for people."""

    verdict: Literal["retire", "link", "oppose"]
    reason: str


def rule(newer: Atom, older: Atom) -> Ruling | None:
    """Return what `newer` does to `older`; None when they do not concern each other. Does not check which was said later."""
    if _of_one_document(newer, older):
        return None
    linked: Ruling | None = None
    for claim in claims_by(newer):
        for old in claims_by(older):
            verdict = contest(claim, old)
            if verdict == "none" or verdict == "agree":
                continue
            if verdict == "retire" and _may_retire(newer, claim, older, old) and not _of_two_documents(newer, older):
                return Ruling("retire", _reason(newer, claim, old))
            if (
                verdict == "retire"
                and rank(newer) > rank(older)
                and _may_retire(replace(newer, trust=older.trust, metadata=older.metadata), claim, older, old)
            ):
                return Ruling("oppose", "")
            linked = Ruling("link", "")
    return linked


def _of_one_document(one: Atom, other: Atom) -> bool:
    """Return whether both come from one text by somebody else. What follows there is another clause, person or row: of 19
    statements that a later one of the same file superseded, none was outdated."""
    return one.capture_id == other.capture_id and one.trust in _FOREIGN


def _of_two_documents(one: Atom, other: Atom) -> bool:
    """Return whether both come from documents of different authors: nobody said that one outdates the other, so both stay, for
    the owner to decide."""
    return _FOREIGN.issuperset((one.trust, other.trust)) and author_of(one) != author_of(other)


_FOREIGN: frozenset[Trust] = frozenset(("document", "web"))


def is_newer(one: Atom, other: Atom) -> bool:
    """Return whether `one` was last said after `other` was; within one capture the order of speaking decides."""
    if one.capture_id == other.capture_id and said_at(one) == said_at(other):
        return one.source_span.start > other.source_span.start
    return said_at(one) > said_at(other)


def _may_retire(newer: Atom, claim: Claim, older: Atom, old: Claim) -> bool:
    if rank(newer) > rank(older):
        return False
    since = newer.valid_until or newer.valid_from if claim.slot != "schedule" else None
    moved = claim.slot in ("residence", "employer") and claim.change
    if since is not None and since < older.observed_at - (MOVE_SLACK if moved else EVENT_SLACK) and newer.date_phrase:
        return False
    if claim.year is not None and claim.year < older.observed_at.year and claim.slot != "schedule":
        return False
    if claim.long_ago and (since is None or (since < older.observed_at and not moved)):
        return False
    if claim.slot == "schedule" and not claim.was:
        return _is_standing(newer, claim, older, old) or _same_occasion(newer, older)
    return True


def _is_standing(newer: Atom, claim: Claim, older: Atom, old: Claim) -> bool:
    """Return whether both are about something that recurs: due on a day of every month, or at a time of no particular day."""
    if claim.facet == "date" and old.facet == "date":
        return all(stem.isdigit() for stem in claim.value | old.value)
    return (
        claim.facet == "time" == old.facet
        and newer.valid_from is None
        and older.valid_from is None
        and bool(_NOW.search(newer.content))
    )


_NOW = re.compile(r"\b(?:now|from now on|as of|these days)\b", re.IGNORECASE)


def _same_occasion(newer: Atom, older: Atom) -> bool:
    past = older.valid_until or older.valid_from
    if past is not None and past < newer.observed_at - timedelta(days=1):
        return False
    return newer.observed_at - older.observed_at <= APPOINTMENT_REACH


def _reason(newer: Atom, claim: Claim, old: Claim) -> str:
    slot = " ".join([*sorted(claim.about), claim.slot]) if claim.about else claim.slot
    if claim.denies:
        return reason_of(newer.content, slot, old.shown or claim.shown, None)
    return reason_of(newer.content, slot, old.shown, claim.shown)
