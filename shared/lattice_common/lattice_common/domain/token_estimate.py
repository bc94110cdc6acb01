"""A rough estimate of a text's tokens for a language model: there is no tokenizer for an unknown model."""

from __future__ import annotations

import re

_BYTES_OF_A_TOKEN = 4
"""English has about four characters a token in current vocabularies. Letters of two and three bytes cost about proportionally
more, so bytes are counted: half a token for a Cyrillic letter, three quarters for a Chinese one. Recent vocabularies need less
for those, so the estimate is on the safe side of a limit."""


def estimated_tokens(text: str) -> int:
    """Return the estimated tokens of a text, at least one for any that is not empty."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_OF_A_TOKEN)


_WORD = re.compile(r"[^\W\d_]{2,}")
_WITHOUT_SPACES = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def fewest_tokens(text: str) -> int:
    """Return about the least tokens that any vocabulary needs: one for a word, half of one for a letter of a script without
    spaces. An endpoint that reports fewer has read less than it was given."""
    unspaced = len(_WITHOUT_SPACES.findall(text))
    return len(_WORD.findall(_WITHOUT_SPACES.sub(" ", text) if unspaced else text)) + unspaced // 2
