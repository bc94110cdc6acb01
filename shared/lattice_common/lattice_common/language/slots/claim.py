"""A slot: a property of a subject that has one value at a time, and what happens when two claims fill it.

`Claim` is what a sentence says about a slot; `contest` decides what a newer claim does to an older one. Pure: reconcile weighs
who said it, when, and how far that is trusted. The rule behind all rules: when unsure, `link`, never `retire`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal["retire", "link", "agree", "none"]
Stems: TypeAlias = frozenset[str]
NOTHING: Stems = frozenset()

MAX_KEYS = 6
"""Keys under which one claim is found; further words of a longer value do not help to tell it from others."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a sentence says about one slot.

    `holder` is whose slot it is (an author, or the name of a person; "" never matches), `about` the thing it concerns (the stems
    of "wifi password"; empty for a slot of the person), `value` the stems of the value and `was` those of the value that it says
    has ended. `shown` is the value in the sentence's own words.
    """

    slot: str
    holder: str
    about: Stems = NOTHING
    value: Stems = NOTHING
    was: Stems = NOTHING
    shown: str = ""
    facet: str = ""
    """Claims of different facets (a time and a day, a town and a country) do not compete for the slot."""
    denies: bool = False
    """It says that the value has ended (or, without a value, that the slot is empty now)."""
    current: bool = True
    """It says how things are, so that it can end one day."""
    decisive: bool = False
    """It may retire what differs from it."""
    change: bool = False
    """It says itself that something changed (now, moved, no longer, instead, …)."""
    year: int | None = None
    """The year of its date, where the sentence gives one."""
    long_ago: bool = False
    """It happened months or years before it was said."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the keys under which competing claims find it."""
        match self.slot:
            case "does" if not self.denies:
                stems = ("", *sorted(self.value)[: MAX_KEYS - 1])
                return tuple(f"does+|{self.holder}|{_joined(self.about)}|{stem}" for stem in stems)
            case "does":
                return (f"does-|{self.holder}|{_joined(self.about)}",)
            case "has":
                return (f"has{'-' if self.denies else '+'}|{self.holder}|{self.facet}",)
            case "prefers":
                return tuple(f"prefers|{self.holder}|{stem}" for stem in sorted(self.value | self.was)[:MAX_KEYS])
            case "taste":
                return (f"taste|{self.holder}|{self.facet}",)
            case _:
                return (f"{self.slot}|{self.holder}|{_joined(self.about)}",)

    @property
    def sought(self) -> tuple[str, ...]:
        """Return the keys of claims that it may compete with. Equal keys are necessary, not sufficient."""
        match self.slot:
            case "does" if not self.denies:
                return (f"does-|{self.holder}|{_joined(self.about)}",)
            case "does":
                rarest = max(self.value, key=lambda stem: (len(stem), stem), default="")
                return (f"does+|{self.holder}|{_joined(self.about)}|{rarest}",)
            case "has":
                return (f"has{'+' if self.denies else '-'}|{self.holder}|{self.facet}",)
            case _:
                return self.keys


_ONE_OF_MANY = frozenset(("has", "does", "taste"))
"""Slots with many values at once: each value ends only when that is said about it."""

_NEEDS_CHANGE = frozenset(("job", "car", "schedule", "hours", "status", "keeper", "count", "person"))
"""Slots in which two values may both be right: one retires the other only where the sentence says that something changed."""


def contest(new: Claim, old: Claim) -> Verdict:
    """Return what `new`, said later, does to `old`: `retire` it, `link` to it (they concern each other, but both may be right),
    `agree`, or `none`."""
    if new.slot != old.slot or not new.holder or new.holder != old.holder or new.about != old.about or not old.current:
        return "none"
    over = bool(new.was) and _touches(new.was, old.value)
    if new.facet and old.facet and new.facet != old.facet and not over:
        return "link" if new.slot == "residence" and not _touches(new.value, old.value) else "none"
    if new.slot == "prefers":
        return _contest_preference(new, old)
    if new.slot in _ONE_OF_MANY:
        return _contest_one_of_many(new, old)
    if new.denies or old.denies:
        return _contest_denial(new, old)
    if _touches(new.value, old.value) and not over:
        return "agree"
    if not new.current:
        return "none"
    if not new.decisive or (new.slot in _NEEDS_CHANGE and not (new.change or over)):
        return "link"
    # "Moved from Lyon to Nice" tells of Paris too, since a person lives in one town; what "the 3rd, not the 1st" tells of the
    # 2nd is less sure.
    if new.was and not over and new.slot not in ("residence", "employer"):
        return "link"
    return "retire"


def _contest_denial(new: Claim, old: Claim) -> Verdict:
    if new.denies and old.denies:
        return "agree"
    if not new.decisive:
        return "none"
    if old.denies:
        return "retire" if not old.value or _touches(new.value, old.value) else "none"
    return "retire" if not new.value or _touches(new.value, old.value) else "none"


def _contest_one_of_many(new: Claim, old: Claim) -> Verdict:
    """Return what `new` does to `old` in a slot of many values. The old one ends when the new one denies no less than it says:
    "no longer eat meat" ends "eat meat on Sundays", but "no longer eat meat on Mondays" does not end "eat meat"."""
    if new.denies == old.denies:
        return "agree" if new.value == old.value else "none"
    if not new.decisive:
        return "none"
    # "I don't have a dog with me" denies less than "I no longer have a dog"; for tastes the later statement counts.
    if new.value == old.value:
        return "retire" if new.change or new.slot == "taste" else "link"
    if new.denies and new.value <= old.value:
        return "retire" if new.change else "link"
    return "none"


def _contest_preference(new: Claim, old: Claim) -> Verdict:
    if _touches(new.value, old.value):
        return "agree"
    turned = bool(new.was) and _touches(new.was, old.value) and (not old.was or _touches(new.value, old.was))
    if turned and new.decisive:
        return "retire"
    return "link" if turned or (old.was and _touches(new.value, old.was)) else "none"


def _touches(one: Stems, other: Stems) -> bool:
    return bool(one) and bool(other) and (one <= other or other <= one)


def _joined(stems: Stems) -> str:
    return " ".join(sorted(stems))
