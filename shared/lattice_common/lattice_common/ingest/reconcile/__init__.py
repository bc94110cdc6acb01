"""Reconcile: how new atoms meet what is known. Duplicates reinforce, newer values of a slot retire older ones, the rest is tied.

Guarantees, proved in `tests/pipeline/test_reconcile.py` and on the labelled pairs of `bench/reconcile.py`: nothing retires what a
more trusted source said, what was said later, or what another person said; every retirement has a reason and undoes exactly;
captures of hash duplicates and slot values give the same current atoms in whatever order they arrive.
"""

from lattice_common.ingest.reconcile.choice import Choose
from lattice_common.ingest.reconcile.judging import Boundaries, Judging
from lattice_common.ingest.reconcile.outcome import Duplicate, Reconciled, Thresholds
from lattice_common.ingest.reconcile.reconcile import reconcile

__all__ = ["Boundaries", "Choose", "Duplicate", "Judging", "Reconciled", "Thresholds", "reconcile"]
