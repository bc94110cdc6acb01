"""Labelled pairs of statements (tests/data/reconcile), and what reconcile makes of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import yaml
from known_atoms import KnownAtoms, statement
from lattice_common.ingest.reconcile import Thresholds, reconcile
from lattice_common.ports.embedder import Vectors

DATA = Path(__file__).resolve().parent.parent / "data" / "reconcile"


def no_vectors(_: Sequence[str]) -> dict[str, Vectors]:
    return {}


START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HELD_OUT = 3
"""Every third pair of a list is held out."""


def fresh_pairs() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The pairs that no rule was made for."""
    for expected, rows in yaml.safe_load((DATA / "fresh.yaml").read_text(encoding="utf-8")).items():
        for row in rows:
            yield expected, row[0], row[1], row[2] if len(row) > 2 else {}


def life_pairs() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """The pairs from a year of one person's notes."""
    for expected, rows in yaml.safe_load((DATA / "life.yaml").read_text(encoding="utf-8")).items():
        for row in rows:
            yield expected, row[0], row[1], row[2] if len(row) > 2 else {}


def pairs(*, held_out: bool) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """(expected, old, new, options) of the labelled pairs."""
    lists = yaml.safe_load((DATA / "pairs.yaml").read_text(encoding="utf-8"))
    for expected, rows in lists.items():
        for number, row in enumerate(rows):
            if (number % HELD_OUT == HELD_OUT - 1) == held_out:
                yield expected, row[0], row[1], row[2] if len(row) > 2 else {}


def outcome(old: str, new: str, options: dict[str, Any]) -> str:
    """What becomes of `old` when `new` arrives: retire, duplicate, link or keep."""
    known = KnownAtoms()
    speaker, kind = options.get("speakers"), options.get("kind", "fact")
    first = statement(
        old, START, capture=1, speaker=options.get("old_speaker", speaker), trust=options.get("old_trust", "user"), kind=kind
    )
    second = statement(
        new,
        START + timedelta(days=options.get("days", 30)),
        capture=2,
        speaker=options.get("new_speaker", speaker),
        trust=options.get("new_trust", "user"),
        kind="question" if new.endswith("?") else kind,
    )
    if "phrase" in options:
        # A dated statement: what it tells of began `ago` days before it was said.
        since = second.observed_at - timedelta(days=options["ago"])
        second = replace(second, valid_from=since, valid_until=None, date_phrase=options["phrase"])
    if not options.get("days", 30):
        second = replace(second, observed_at=second.observed_at + timedelta(minutes=1))
    for atom in (first, second):
        decided = reconcile([atom], {}, known, no_vectors, Thresholds())
        known.take(decided)
    if decided.duplicates:
        return "duplicate"
    if any(atom.is_superseded for atom in known.atoms.values()):
        return "retire"
    return "link" if any(atom.relations for atom in known.atoms.values()) else "keep"
