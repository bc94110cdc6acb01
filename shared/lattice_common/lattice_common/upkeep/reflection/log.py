"""What a language model was shown for reflection, kept in `logs/reflections.jsonl`: ids and hashes, no words.

So nothing is asked twice, and what the owner took back does not return. Losing the log costs a few calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

from lattice_common.domain.capture import JsonValue
from lattice_common.upkeep.reflection.consolidation import mark
from lattice_common.upkeep.reflection.extractive import PURPOSE, about
from lattice_common.upkeep.reflection.model_call import Offer
from lattice_common.upkeep.reflection.serendipity import Pair, pairs_of
from lattice_common.upkeep.usage import moment_of

ReflectionOutcome: TypeAlias = Literal["kept", "nothing"]

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ReflectionHistory:
    """`calls` in the last 24 hours; when a model last looked for connections, and which pairs it was ever shown; the marks of the
    statements that each theme was last shown with."""

    calls: int
    last_connected: datetime | None
    pairs: frozenset[Pair]
    statements: Mapping[str, frozenset[str]]

    def of_theme(self, word: str) -> frozenset[str] | None:
        """Return the marks of a theme's statements; None for a theme that was never shown."""
        return self.statements.get(about(word))


def history_of(newest_first: Iterable[Mapping[str, JsonValue]], now: datetime) -> ReflectionHistory:
    """Return the history in the lines of the log."""
    calls = 0
    last_connected: datetime | None = None
    pairs: set[Pair] = set()
    statements: dict[str, frozenset[str]] = {}
    for line in newest_first:
        moment, offered = moment_of(line), line.get("offered")
        if moment is None or line.get("purpose") == PURPOSE:
            continue  # what is summed up without a model costs no call
        calls += abs(now - moment) < DAY  # a clock may have been wrong
        if not isinstance(offered, list):
            continue  # no answer: it is asked again
        if line.get("purpose") == "connect":
            last_connected = last_connected or min(moment, now)
            pairs |= {frozenset(map(str, pair)) for pair in offered if isinstance(pair, list)}
        else:
            statements.setdefault(str(line.get("about")), frozenset(map(str, offered)))
    return ReflectionHistory(calls, last_connected, frozenset(pairs), statements)


def line_of(offer: Offer, outcome: ReflectionOutcome, now: datetime) -> dict[str, JsonValue]:
    """Return the line for an offer that was made."""
    line: dict[str, JsonValue] = {"ts": now.isoformat(), "purpose": offer.purpose, "outcome": outcome}
    if offer.purpose == "connect":
        pairs: list[JsonValue] = [[*sorted(pair)] for pair in pairs_of(offer)]
        return line | {"offered": pairs}
    return line | {"about": about(offer.about), "offered": [mark(atom) for atom in offer.atoms]}


def failed(offer: Offer, now: datetime) -> dict[str, JsonValue]:
    """Return the line for an offer that nobody answered: it may have cost something all the same."""
    return {"ts": now.isoformat(), "purpose": offer.purpose, "outcome": "failed"}
