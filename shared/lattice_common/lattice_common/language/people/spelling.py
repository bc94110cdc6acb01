"""Names one letter away, found by the words that are left when one letter is removed from each (symmetric deletion), so that a
look-up costs the length of the word and not the number of names."""

from __future__ import annotations

from collections.abc import Iterator

SHORTEST = 4
"""Letters of a word that may be misspelt: too many names are one letter away from a shorter one."""


class Spellings:
    """Changed by one thread at a time; read by any, because lists are replaced, never changed."""

    def __init__(self) -> None:
        self._left: dict[str, tuple[str, ...]] = {}

    def add(self, name: str) -> None:
        """Add a name; each of its words is found by itself."""
        for word in _words(name):
            for left in _lefts(word):
                self._left[left] = (*self._left.get(left, ()), name)

    def drop(self, name: str) -> None:
        """Undo `add`."""
        for word in _words(name):
            for left in _lefts(word):
                kept = list(self._left.get(left, ()))
                kept.remove(name)
                if kept:
                    self._left[left] = tuple(kept)
                else:
                    del self._left[left]

    def near(self, word: str) -> list[str]:
        """Return names with a word one letter away: one more, one less, another one, or two swapped. They begin alike."""
        if len(word) < SHORTEST:
            return []
        near = dict.fromkeys(name for left in _lefts(word) for name in self._left.get(left, ()))
        return [name for name in near if any(_is_near(word, each) for each in _words(name))]


def _words(name: str) -> Iterator[str]:
    return (word for word in dict.fromkeys(name.split()) if len(word) >= SHORTEST)


def _lefts(word: str) -> Iterator[str]:
    yield word
    yield from dict.fromkeys(word[:at] + word[at + 1 :] for at in range(len(word)) if word[:at] + word[at + 1 :] != word)


def _is_near(one: str, other: str) -> bool:
    """Return whether one letter makes the difference (Damerau-Levenshtein distance 1)."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    at = next((each for each in range(min(len(one), len(other))) if one[each] != other[each]), min(len(one), len(other)))
    if at == 0 and {one[:2], other[:2]} != {one[:2], one[1::-1]}:
        return False
    tails = one[at:], other[at:]
    if len(one) == len(other):
        return tails[0][1:] == tails[1][1:] or (tails[0][2:] == tails[1][2:] and tails[0][:2] == tails[1][1::-1])
    return tails[0][1:] == tails[1] if len(one) > len(other) else tails[0] == tails[1][1:]
