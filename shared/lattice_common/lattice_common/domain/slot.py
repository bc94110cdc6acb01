"""A slot: something of a subject that has one value at a time, and what happens when two claims fill it.

`Claim` is what a sentence says of a slot; `contest` says what a newer claim does to an older one. Pure: who said it, when, and how
far that is trusted is for reconcile to weigh. The rule behind all rules: when unsure, `link`, never `retire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["retire", "link", "agree", "none"]
Stems: TypeAlias = frozenset[str]
NOTHING: Stems = frozenset()

MAX_KEYS = 6
"""Keys under which one claim is found; the words of a longer value beyond that do not help to tell it from others."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says of one slot.

    `holder` is whose slot it is (an author, or the name of a person; "" never matches), `about` the thing it is of (the stems of
    "wifi password"; empty for a slot of the person), `value` the stems of the value and `was` those of the value it says to be
    over. `shown` and `shown_was` are the same in the sentence's own words.
    """

    slot: str
    holder: str
    about: Stems = NOTHING
    value: Stems = NOTHING
    was: Stems = NOTHING
    shown: str = ""
    shown_was: str = ""
    facet: str = ""
    """Claims of different facets (a time and a day) don't touch each other."""
    denies: bool = False
    """It says that the value is over (or, with no value, that the slot is empty now)."""
    current: bool = True
    """It says how things are, so that it can be over one day."""
    decisive: bool = False
    """It may retire what differs from it."""
    change: bool = False
    """It says itself that something changed (now, moved, no longer, instead, …)."""
    year: int | None = None
    """The year it is dated to, where the sentence names one."""
    long_ago: bool = False
    """It happened months or years before it was said."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Under which the claims it may contest are found. Equal keys are needed, not enough."""
        if self.slot in _BY_VALUE:
            return tuple(f"{self.slot}|{self.holder}|{stem}" for stem in sorted(self.value | self.was)[:MAX_KEYS])
        return (f"{self.slot}|{self.holder}|{' '.join(sorted(self.about))}",)


_BY_VALUE = frozenset(("has", "does", "taste", "prefers"))
"""Slots with many values at once: each value stands by itself, and is over only when that is said of it."""

_NEEDS_CHANGE = frozenset(("job", "car", "schedule", "status", "keeper", "count"))
"""Slots in which two values may both be right: one retires the other only where the sentence says that something changed."""


def contest(new: Claim, old: Claim) -> Verdict:
    """What `new`, said later, does to `old`: `retire` it, `link` to it (they touch, but both may be right), `agree`, or `none`."""
    if new.slot != old.slot or not new.holder or new.holder != old.holder or new.about != old.about:
        return "none"
    if not old.current or (new.facet and old.facet and new.facet != old.facet):
        return "none"
    if new.slot == "prefers":
        return _contest_preference(new, old)
    if new.slot in _BY_VALUE:
        return _contest_one_of_many(new, old)
    if new.denies:
        return _contest_denial(new, old)
    if old.denies:
        return _decided(new) if new.decisive and _touches(new.value, old.value) else "none"
    if _touches(new.value, old.value) and not (new.was and _touches(new.was, old.value)):
        return "agree"
    if not new.current:
        return "none"
    if not new.decisive:
        return "link"
    if new.was and not _touches(new.was, old.value) and new.slot not in ("residence", "employer"):
        return "link"
    if new.slot in _NEEDS_CHANGE and not (new.change or new.was):
        return "link"
    return "retire"


def _decided(claim: Claim) -> Verdict:
    return "retire" if claim.decisive else "link"


def _contest_denial(new: Claim, old: Claim) -> Verdict:
    if old.denies:
        return "agree"
    if not new.decisive:
        return "none"
    return "retire" if not new.value or new.value <= old.value or (old.value and old.value <= new.value) else "none"


def _contest_one_of_many(new: Claim, old: Claim) -> Verdict:
    """The old one is over when the new one says so of no more than it: "no longer eat meat" of "eat meat on Sundays", but not
    "no longer eat meat on Mondays" of "eat meat"."""
    if new.denies == old.denies:
        return "agree" if new.value == old.value else "none"
    if not new.value or not new.decisive:
        return "none"
    if new.value <= old.value if new.denies else new.value == old.value:
        return "retire" if new.change or new.value == old.value else "link"
    return "none"


def _contest_preference(new: Claim, old: Claim) -> Verdict:
    if _touches(new.value, old.value):
        return "agree"
    turned = new.was and _touches(new.was, old.value) and (not old.was or _touches(new.value, old.was))
    if turned and new.decisive:
        return "retire"
    return "link" if turned or (old.was and _touches(new.value, old.was)) else "none"


def _touches(one: Stems, other: Stems) -> bool:
    return bool(one) and bool(other) and (one <= other or other <= one)
