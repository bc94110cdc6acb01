"""Confidence halves with time at the rate of its persistence, and never falls below what a citation needs."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from lattice_common.domain.atom import Atom, Persistence, Span, content_hash, normalized_content_hash
from lattice_common.domain.decay import CITABLE, HALF_LIFE_DAYS, decayed, decayed_each, is_faded

TOLD = datetime(2024, 1, 1, tzinfo=UTC)
KINDS: tuple[Persistence, ...] = ("ephemeral", "short_term", "long_term")


def told(persistence: Persistence, confidence: float) -> Atom:
    return Atom(
        atom_id="01hk0000000000000000000000",
        content="x",
        kind="fact",
        subject="",
        capture_id="01hk0000000000000000000000",
        source_quote="x",
        source_span=Span(0, 1),
        observed_at=TOLD,
        ingested_at=TOLD,
        content_hash=content_hash("x"),
        normalized_content_hash=normalized_content_hash("x"),
        persistence=persistence,
        confidence=confidence,
    )


@pytest.mark.parametrize("persistence", KINDS)
def test_after_one_half_life_it_is_half_and_after_many_it_can_still_be_cited(persistence: Persistence) -> None:
    half = timedelta(days=HALF_LIFE_DAYS[persistence])
    assert decayed(0.8, persistence, timedelta(0)) == 0.8
    assert decayed(0.8, persistence, -half) == 0.8, "what is dated to come is as of now"
    assert decayed(0.8, persistence, half) == pytest.approx(0.4)
    assert decayed(0.8, persistence, 20 * half) == CITABLE
    assert decayed(0.1, persistence, 20 * half) == 0.1, "less than that it was before"


def test_of_many_it_is_the_same_as_of_each() -> None:
    ages = np.array([0.0, 100.0, 400.0, 4000.0])
    for number, persistence in enumerate(KINDS):
        many = decayed_each(np.full(4, 0.8), np.full(4, number, dtype=np.int8), ages)
        assert many.tolist() == pytest.approx([decayed(0.8, persistence, timedelta(days=float(age))) for age in ages])


@pytest.mark.parametrize(
    ("persistence", "confidence", "days", "recalled", "faded"),
    [
        ("long_term", 0.8, 400, None, False),
        ("long_term", 0.29, 89, None, False),
        ("long_term", 0.29, 91, None, True),
        ("long_term", 0.29, 400, 350, False),
        ("ephemeral", 0.99, 269, None, False),
        ("ephemeral", 0.99, 271, None, True),
        ("ephemeral", 0.99, 271, 100, False),
    ],
)
def test_what_is_faint_or_of_its_day_and_unused_for_long_has_faded(
    persistence: Persistence, confidence: float, days: int, recalled: int | None, faded: bool
) -> None:
    atom = told(persistence, confidence)
    if recalled is not None:
        atom = replace(atom, last_recalled_at=TOLD + timedelta(days=recalled))
    assert is_faded(atom, TOLD + timedelta(days=days)) is faded
