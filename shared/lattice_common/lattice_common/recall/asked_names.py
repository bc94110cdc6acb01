"""The names in a question: whoever asks how much rent Keziah pays asks the documents that name her, which need not do so in every
row."""

from __future__ import annotations

import re
from functools import lru_cache

from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.text import analyze
from lattice_common.language.words import CAPITALISED_TIMES

_NAME = re.compile(r"(?<=[a-zß-ÿ,] )[^\W\d_a-zß-ÿ][\w'’]+")
_OWNS = ("'s", "’s")


@lru_cache(maxsize=64)
def asked_names(question: str) -> tuple[str, ...]:
    """Return the tokens of what has a capital within a question; months and days of the week are no names, which documents write
    as figures."""
    bare = [name.removesuffix(_OWNS[0]).removesuffix(_OWNS[1]) for name in _NAME.findall(question)]
    return tuple(token for name in bare if name.lower() not in CAPITALISED_TIMES for token in analyze(name))


def names_somebody(question: str) -> bool:
    """Return whether a capital says that it is a name: in German every noun has one."""
    return bool(asked_names(question)) and english_gloss(question) is None
