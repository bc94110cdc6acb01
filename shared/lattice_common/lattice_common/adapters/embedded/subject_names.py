"""The names of subjects, found by names that are written nearly like them, at a cost that does not grow with their number."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

from rapidfuzz import process
from rapidfuzz.fuzz import token_sort_ratio

BEGINNING = 4
"""Letters of a word that two similar names share, of one word at least: `bench` and `benches`, `colour` and `color`."""

MOST_COMPARED = 200
"""Names of each beginning that are looked at."""


class SubjectNames:
    """Normalised names. Changed and asked by one thread."""

    def __init__(self, names: Iterable[str]) -> None:
        self._by_beginning: dict[str, dict[str, None]] = {}
        for name in names:
            self.add(name)

    def add(self, name: str) -> None:
        for beginning in _beginnings(name):
            self._by_beginning.setdefault(beginning, {})[name] = None

    def drop(self, name: str) -> None:
        for beginning in _beginnings(name):
            self._by_beginning.get(beginning, {}).pop(name, None)

    def similar(self, name: str, ratio: float, limit: int) -> list[str]:
        """Others with a token_sort_ratio of at least `ratio` (0 to 100), the most similar first. What differs in a number is
        another thing: flat 1 and flat 2."""
        alike = [self._by_beginning.get(each, {}) for each in _beginnings(name)]
        numbers = _numbers(name)
        others = {other: None for names in alike for other in islice(names, MOST_COMPARED)}
        compared = [other for other in others if other != name and _numbers(other) == numbers]
        found = process.extract(name, compared, scorer=token_sort_ratio, processor=None, score_cutoff=ratio, limit=limit)
        return [other for other, _, _ in found]


def _beginnings(name: str) -> list[str]:
    return sorted({word[:BEGINNING] for word in name.split()})


def _numbers(name: str) -> list[str]:
    return sorted(word for word in name.split() if any(letter.isdigit() for letter in word))
