"""How many tokens a text is for a language model, roughly: no tokenizer is at hand for a model we don't know."""

from __future__ import annotations

_BYTES_OF_A_TOKEN = 4
"""English is about four characters a token in the vocabularies in use. Letters of two and three bytes cost about as much more as
they have bytes, so bytes are counted: half a token for a Cyrillic letter, three quarters for a Chinese one. That is above what
recent vocabularies need for those, and so on the safe side of a limit."""


def estimated_tokens(text: str) -> int:
    """Tokens of a text, at least one for any that is not empty."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)
