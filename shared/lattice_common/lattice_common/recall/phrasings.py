"""A question in two further phrasings of a language model, where the owner wants that, searched beside the question itself.

Only answers use it: selecting calls no model. The model is called while the question itself is searched; its phrasings are
searched in parallel. A phrasing that adds a name or a number, or omits one, asks for something else, and is not searched. Their
results come behind those of the question's own words unless several agree: lists are fused by reciprocal rank (Cormack, Clarke
and Büttcher, SIGIR 2009).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from lattice_common.domain.recall import Selected
from lattice_common.language.forgotten_words import words_of
from lattice_common.language.glosses.gloss import english_gloss
from lattice_common.language.names import names_of
from lattice_common.ports.language_model import Message, ModelRequest
from lattice_common.recall.conversation import Say
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.marks import harmless

PHRASINGS = 2
SECONDS = 5.0
"""Limit of the call: an answer that is possible without it waits no longer."""
LONGEST = 300
"""Characters of a question that is rephrased; a longer one has enough words."""
RANK_CONSTANT = 60
"""The constant of the paper: how little the first places count more than those behind them."""
SHARE = 0.75
"""Weight of a phrasing beside the question itself: only both of them together outweigh it."""

_NUMBER = re.compile(r"\d+")


def phrasings(question: str, say: Say, fence: str) -> tuple[str, ...]:
    """Return at most `PHRASINGS` other phrasings of the question; empty where no model returns one that asks for the same.

    `say` asks a language model, where there is one; `fence` is a random word, which no question can contain.
    """
    if not 0 < len(question.strip()) <= LONGEST:
        return ()
    said = say(_request(question, fence))
    return () if said is None else tuple(_believed(said, question))[:PHRASINGS]


def fused(chosen: Sequence[Selected], phrased: Sequence[Sequence[Selected]], limit: int) -> tuple[Selected, ...]:
    """Return the question's own list, and those of its phrasings, as one of at most `limit`, by reciprocal rank."""
    if not phrased:
        return tuple(chosen)
    found: dict[str, Selected] = {}
    ranks: dict[str, float] = {}
    for counts, listed in ((1.0, chosen), *((SHARE, each) for each in phrased)):
        for place, each in enumerate(listed, start=1):
            found.setdefault(each.atom.atom_id, each)
            ranks[each.atom.atom_id] = ranks.get(each.atom.atom_id, 0.0) + counts / (RANK_CONSTANT + place)
    return tuple(sorted(found.values(), key=lambda each: -ranks[each.atom.atom_id]))[:limit]


def _request(question: str, fence: str) -> ModelRequest:
    return ModelRequest(
        "rewrite",
        (
            Message("system", prompt("phrasings.v1", fence=fence)),
            Message("user", f"{fence}\n{harmless(question)}\n{fence}"),
        ),
        max_tokens=200,
        schema_name="phrasings",
        schema={
            "type": "object",
            "properties": {"phrasings": {"type": "array", "items": {"type": "string"}, "maxItems": PHRASINGS}},
            "required": ["phrasings"],
            "additionalProperties": False,
        },
        timeout=SECONDS,
    )


def _believed(said: str, question: str) -> list[str]:
    """Return the distinct phrasings that ask for the same people and numbers."""
    try:
        answer = json.loads(said[said.index("{") : said.rindex("}") + 1])
    except ValueError:
        return []
    given = answer.get("phrasings") if isinstance(answer, dict) else None
    texts = [" ".join(each.split()) for each in given if isinstance(each, str)] if isinstance(given, list) else []
    once = {text.casefold(): text for text in texts if _asks_the_same(text, question)}
    once.pop(question.strip().casefold(), None)
    return list(once.values())


def _asks_the_same(text: str, question: str) -> bool:
    """Return whether a phrasing speaks of just whom and of what numbers the question does."""
    if not 0 < len(text) <= 2 * LONGEST or sorted(_NUMBER.findall(text)) != sorted(_NUMBER.findall(question)):
        return False
    asked, said = set(words_of(question)), set(words_of(text))
    return _names(question) <= said and _names(text) <= asked


def _names(text: str) -> set[str]:
    """Return the names in a question, in lower case; in other languages by the gloss, in which all else is in lower case."""
    gloss = english_gloss(text)
    english = gloss.text if gloss else text
    # Without a gloss, the capital of a first word is that of the sentence.
    unsure = gloss is None and not text.isascii()
    return {word for name in names_of(english) if not (unsure and name.initial) for word in words_of(name.word)}
