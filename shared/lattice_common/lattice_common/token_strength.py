"""Whether a token that somebody chose can be guessed; those that Lattice makes are 256 random bits."""

from __future__ import annotations

import itertools
import secrets

from lattice_common.errors import NotConfigured

SHORTEST = 16
FEWEST_CHARACTERS = 8
"""Different ones: 32 times the same letter is long, and is the first thing that is guessed."""

FEWEST_SURPRISES = 12
"""Characters that do not follow from those before them; of 16 random ones about 15 are."""

BEYOND_GUESSING = 32
"""Characters from which a token of the owner's own choice is not protected by counting tries, as those that are made here: nobody
can then lock the owner out by guessing from the same address."""

PLACEHOLDERS = ("changeme", "change-me", "change_me", "secret", "password", "token", "example", "placeholder")
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop")
_NEXT_KEYS = frozenset(pair for row in _ROWS for keys in (row, row[::-1]) for pair in itertools.pairwise(keys))
_STEPS = (-1, 0, 1)


def checked(setting: str, token: str | None) -> str | None:
    """Return the token as it was given. Raise `NotConfigured`, with a line to use instead, for one that is easily guessed."""
    if token is None or not is_guessable(token):
        return token
    line = f"{setting}={secrets.token_urlsafe(32)}"
    raise NotConfigured(f"{setting} is a placeholder, or easily guessed. Put this into .env: {line}", env_line=line)


def is_guessable(token: str) -> bool:
    """Return whether a token is easily guessed: short, few different characters, a word that stands in examples, a row of keys or
    digits, or the same again and again."""
    plain = token.lower()
    if len(token) < SHORTEST or len(set(token)) < FEWEST_CHARACTERS or any(word in plain for word in PLACEHOLDERS):
        return True
    return surprises(plain) < FEWEST_SURPRISES


def surprises(plain: str) -> int:
    """Return how many characters are neither a step from the one before (`4` after `3`, `w` after `q`) nor part of a
    repetition."""
    period = (plain + plain).find(plain, 1)  # the length of what is repeated; all of it where nothing is
    once = plain[:period]
    return sum(1 for before, after in zip(f"\0{once}", once, strict=False) if not _follows(before, after))


def _follows(before: str, after: str) -> bool:
    return ord(after) - ord(before) in _STEPS or (before, after) in _NEXT_KEYS or (before, after) in {("9", "0"), ("0", "9")}
