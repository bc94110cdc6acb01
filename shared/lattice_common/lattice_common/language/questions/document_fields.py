"""What a question asks for of a paper, and what a line of one tells, where both call it differently: a policy that "runs out" has
a "period of insurance to 17 April", "Mehrwertsteuer" is "zzgl. 19 % MwSt.", and how much is "paid out" is the "net pay".

The phrases are data (`document_fields.json`). Nothing is refused for them alone: they are one feature among others of which line
answers (`recall.document_lines`).
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict

Side: TypeAlias = Literal["asked", "said"]

LOOKED_AT = 600
"""Characters that are read."""


class _Field(BaseModel):
    model_config = ConfigDict(extra="forbid")

    asked: list[str]
    said: list[str]


class _Fields(BaseModel):
    model_config = ConfigDict(extra="forbid")

    comment: str
    fields: dict[str, _Field]


@cache
def _patterns(side: Side) -> dict[str, re.Pattern[str]]:
    """Return for each field one pattern of all its phrases, read once."""
    told = files("lattice_common.language.questions").joinpath("document_fields.json").read_text(encoding="utf-8")
    fields = _Fields.model_validate_json(told).fields
    return {name: re.compile("|".join(map(_phrase, getattr(field, side))), re.IGNORECASE) for name, field in fields.items()}


def _phrase(phrase: str) -> str:
    """Return the pattern of a phrase: a * alone stands for up to six words, one behind a word for its ending."""
    words = [r"(?:[\w'’-]+ ){0,6}?" if word == "*" else re.escape(word).replace(r"\*", r"\w*") + " " for word in phrase.split()]
    return rf"(?<!\w){''.join(words).rstrip()}(?!\w)"


@lru_cache(maxsize=2_048)
def fields_in(text: str, side: Side) -> frozenset[str]:
    """Return the field that a question asks for (`asked`), the first of the data that has a phrase of it, or the fields that a
    line tells (`said`). Linear in the text."""
    words = " ".join(text[:LOOKED_AT].split())
    found = (name for name, pattern in _patterns(side).items() if pattern.search(words))
    return frozenset(islice(found, 1) if side == "asked" else found)


def tells_of(question: str, line: str) -> float:
    """Return 1 where a line tells a field that the question asks for, −1 where it asks for one and the line tells none of those,
    0 where it asks for none."""
    asked = fields_in(question, "asked")
    if not asked:
        return 0.0
    return 1.0 if asked & fields_in(line, "said") else -1.0
