"""How an utterance is meant, by the runs of characters and words in it: one linear map over hashed n-grams, in 8 bits.

The judge's own vocabulary is English. Runs of characters know the endings, question words and marks of any language that the
training data holds ("kiedy", "mısın", "¿"), so both readings are added up. `train/ngrams.py` makes the file.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lattice_common.errors import Unavailable

FILE = "judge_ngrams.npz"
BUCKETS = 1 << 17
_LONGEST = 240
"""Characters that are read, half of them from the end: an utterance shows at its ends how it is meant."""
_RUNS = range(1, 6)
_KEPT_WORDS = 4_096
_WORD = re.compile(r"\w+|[^\w\s]")

Floats = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.int64]


def buckets_of(text: str) -> Numbers:
    """Return the numbers of the n-grams of `text`, each once, in rising order; below `BUCKETS`."""
    read = text.strip().lower()
    if len(read) > _LONGEST:
        read = f"{read[: _LONGEST // 2]} {read[-_LONGEST // 2 :]}"
    words = _WORD.findall(read)
    found = set(map(_bucket, _of_words(words))).union(*map(_of_characters, words))
    return np.array(sorted(found), dtype=np.int64)


def _bucket(gram: str) -> int:
    return zlib.crc32(gram.encode("utf-8", "replace")) % BUCKETS


@lru_cache(_KEPT_WORDS)
def _of_characters(word: str) -> frozenset[int]:
    """Return the numbers of the runs of characters in a word: most of all n-grams, and few words of a text are new."""
    padded = f" {word} "
    return frozenset(_bucket(f"c{padded[at : at + size]}") for size in _RUNS for at in range(len(padded) - size + 1))


def _of_words(words: Sequence[str]) -> Iterator[str]:
    for size in (1, 2, 3):
        for at in range(len(words) - size + 1):
            yield "w" + " ".join(words[at : at + size])
    for size in (1, 2, 3):
        yield "^" + " ".join(words[:size])
        yield "$" + " ".join(words[-size:])
    if words:
        yield f"e{words[0]} {words[-1]}"


class NgramReading:
    """`weights` (BUCKETS, outputs) as 8-bit numbers times `scale` (outputs,), and `bias` (outputs,)."""

    def __init__(self, path: Path) -> None:
        """Raise `Unavailable` when the file cannot be read."""
        try:
            with np.load(path, allow_pickle=False) as content:
                self._weights, self._scale, self._bias = content["weights"], content["scale"], content["bias"]
        except (OSError, ValueError, KeyError) as error:
            raise Unavailable(f"The judge's file {path} cannot be read ({error}). Install Lattice again.") from error

    def raw(self, texts: Sequence[str]) -> Floats:
        """Return (texts, outputs). Takes some 0.1 ms a text."""
        given = np.zeros((len(texts), len(self._bias)), dtype=np.float32)
        for place, text in enumerate(texts):
            found = buckets_of(text)
            given[place] = self._weights[found].sum(axis=0, dtype=np.int64) / np.sqrt(max(1, len(found)))
        summed: Floats = given * self._scale + self._bias
        return summed
