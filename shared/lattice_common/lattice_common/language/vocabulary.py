"""Word lists of the rules, written as text: a list literal of two hundred words has two hundred lines."""

from __future__ import annotations


def vocabulary(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())
