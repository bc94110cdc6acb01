"""How many tokens a text is for a language model, roughly: no tokenizer is at hand for a model we don't know."""

from __future__ import annotations

import re

_BYTES_OF_A_TOKEN = 4
"""English is about four characters a token in the vocabularies in use. Letters of two and three bytes cost about as much more as
they have bytes, so bytes are counted: half a token for a Cyrillic letter, three quarters for a Chinese one. That is above what
recent vocabularies need for those, and so on the safe side of a limit."""


def estimated_tokens(text: str) -> int:
    """Return tokens of a text, at least one for any that is not empty."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)


_WORD = re.compile(r"[^\W\d_]{2,}")
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def fewest_tokens(text: str) -> int:
    """Return what no vocabulary can go below, near enough: one for a word, half of one for a letter of a script without spaces.
    An endpoint that says it read fewer has read less than it was given."""
    unspaced = len(_WITHOUT_SPACES.findall(text))
    return len(_WORD.findall(_WITHOUT_SPACES.sub(" ", text) if unspaced else text)) + unspaced // 2
