"""The names of subjects, found by names that are written nearly like them, at a cost that does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rapidfuzz import process
from rapidfuzz.fuzz import ratio as ratio_of

from lattice_common.domain.atom import numbers_in

BEGINNING = 4
"""Letters of a word that two similar names share, of one word at least: `bench` and `benches`, `colour` and `color`."""

MOST_COMPARED = 200
"""Names of each beginning that are looked at."""


class SubjectNames:
    """Normalised names. Changed and asked by one thread. Asking costs some 0.1 ms: every new memory asks."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_beginning: dict[str, dict[str, str]] = {}
        """Name → its words in order, so that they are not sorted again for each comparison."""
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        in_order = _in_order(name)
        for beginning in _beginnings(name):
            self._by_beginning.setdefault(beginning, {})[name] = in_order

    def drop(self, name: str) -> None:
        for beginning in _beginnings(name):
            self._by_beginning.get(beginning, {}).pop(name, None)

    def similar(self, name: str, ratio: float, limit: int) -> list[str]:
        """Return others with a token_sort_ratio of at least `ratio` (0 to 100), the most similar first. What differs in a number
        is another thing: flat 1 and flat 2."""
        others: dict[str, str] = {}
        for beginning in _beginnings(name):
            others.update(islice(self._by_beginning.get(beginning, {}).items(), MOST_COMPARED))
        others.pop(name, None)
        # The ratio of the words in order is the token_sort_ratio.
        found = process.extract(_in_order(name), others, scorer=ratio_of, processor=None, score_cutoff=ratio, limit=None)
        numbers = numbers_in(name)
        return list(islice((other for _, _, other in found if numbers_in(other) == numbers), limit))


def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))


def _beginnings(name: str) -> list[str]:
    return sorted({word[:BEGINNING] for word in name.split()})
