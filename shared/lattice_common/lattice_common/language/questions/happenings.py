"""Happenings that one sentence names and another one tells ("the wedding", "we got married"), and what began something that goes
on: "How long have I been married?" asks for the time since the wedding.

The words are data (`happenings.json`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict

from lattice_common.language.patterns import lazy_regex


class _Happening(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sought: str
    named: str
    told: str


class _State(BaseModel):
    model_config = ConfigDict(extra="forbid")

    state: str
    begun: str


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    happenings: list[_Happening]
    states: list[_State]


_TABLE = _Table.model_validate_json(
    files("lattice_common.language.questions").joinpath("happenings.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True)
class Happening:
    """`sought`: words to look for beside those of a question; `named` and `told` find the noun and the verb in small letters."""

    sought: str
    named: re.Pattern[str]
    told: re.Pattern[str]

    def without(self, lowered: str) -> str:
        """Return a text without the words for it."""
        return self.told.sub(" ", self.named.sub(" ", lowered))


IS_OVER = lazy_regex(
    r"\b(?:died|dead|passed away|put down|sold|ended|over|gave up|gave away|quit|left|no longer)\b", re.IGNORECASE
)
"""Words of what goes on no longer."""

HAPPENINGS = tuple(
    Happening(each.sought, lazy_regex(rf"\b(?:{each.named})\b"), lazy_regex(rf"\b(?:{each.told})\b"))
    for each in _TABLE.happenings
)
_WHO = r"(?:i|we|you|he|she|they|it|(?:my|our|the) [\w'-]+|[\w'-]+(?: and (?:i|[\w'-]+))?)"
_STATES = tuple(
    (lazy_regex(rf"{_WHO} (?:(?:now|already) )?(?:{each.state})\b ?(?P<what>.*)", re.IGNORECASE), each.begun)
    for each in _TABLE.states
)
_POINTS = lazy_regex(r"(?:here|there|this|that|it|now|\W)*", re.IGNORECASE)


@lru_cache(maxsize=256)
def happenings_in(text: str) -> tuple[Happening, ...]:
    """Return the happenings that a part of a question names or tells."""
    lowered = text.lower()
    return tuple(each for each in HAPPENINGS if each.named.search(lowered) or each.told.search(lowered))


def begun(state: str) -> str | None:
    """Return what began what goes on ("I been married" of "How long have I been married?": "the wedding"); None where that is not
    known, or the question only points at it ("lived here")."""
    for pattern, told in _STATES:
        match = pattern.fullmatch(state.strip())
        if match is None:
            continue
        what = match["what"].strip()
        if what and _POINTS.fullmatch(what):
            return None
        return told.format(what=what).strip() if what or "{what}" not in told or told.startswith("the ") else None
    return None
