"""What words are meant for, and what can be requested: values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom
from lattice_common.domain.judgement import UtteranceIntent

Intent: TypeAlias = UtteranceIntent
"""`tell`: remember it; `ask`: answer it; `do`: carry it out."""


@dataclass(frozen=True, slots=True)
class IntentReading:
    """`sure` is 0 to 1; `by` says who decided: certain rules, the judge, guessing rules, or a language model."""

    intent: Intent
    sure: float
    by: Literal["rules", "judge", "guess", "model"]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo what was told or changed last."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Move to the trash what is remembered `about` something."""

    about: str


@dataclass(frozen=True, slots=True)
class Export:
    """Export all memories as a file."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Say what can be told, asked and requested."""


@dataclass(frozen=True, slots=True)
class Report:
    """Say how much is remembered, and the status."""


Order: TypeAlias = TakeBack | Forget | Export | Explain | Report
"""What can be requested; a closed list."""

OrderName: TypeAlias = Literal["undo", "forget", "export", "help", "status", "unclear"]


@dataclass(frozen=True, slots=True)
class OrderOutcome:
    """The outcome of a request. `confirm`: nothing was done yet, `token` carries it out, and `atoms` (of `found` in all) are what
    would go; `unclear`: it was not understood, and may be told or asked instead. `change_id` undoes what was done, `href` is
    where to download what was requested."""

    action: OrderName
    state: Literal["done", "confirm", "unclear"]
    message: str
    atoms: tuple[Atom, ...] = ()
    found: int = 0
    token: str | None = None
    change_id: str | None = None
    href: str | None = None
