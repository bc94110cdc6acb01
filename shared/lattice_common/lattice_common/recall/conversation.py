"""Follow-up questions, made self-contained from the turns before them.

Rules recognise references to the conversation (pronouns, "and in June?", "why?") and complete them where the last turn leaves one
choice; else a language model, where there is one, is asked once, and believed only if it kept the question's words and added none
but the conversation's. What stays unclear is asked as it was said: a wrong rewriting is worse than none. A question that can
stand alone begins a new topic. Measured by `bench/conversation.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lattice_common.domain.recall import Exchange
from lattice_common.language.people.coreference import leaning, resolve_pronouns
from lattice_common.language.questions.ellipsis import completed, fragment_of
from lattice_common.language.questions.follow_up import LONGEST_FOLLOW_UP, refers_back
from lattice_common.language.text import analyze
from lattice_common.ports.language_model import Message, ModelRequest
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.marks import harmless

Say: TypeAlias = Callable[[ModelRequest], str | None]
"""Asks a language model; returns None where there is none, or it does not answer."""

TURNS = 6
"""Earlier turns that are used: follow-ups of follow-ups."""
SHORTEST_WHOLE = 3
"""Least words of a complete question with a verb."""
LONGEST_SAID = 600
"""Characters of one turn that a model is shown."""
SECONDS = 5.0
"""Limit of the call: a question that could be asked as it is does not wait longer to be understood better."""

_MARKS = re.compile(r"\s?\[\d{1,3}\]")
_UNKNOWN = re.compile(r"^I don[’']t know\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """A question in its conversation: whether it refers to it, and its self-contained form, where that is clear."""

    leans: bool
    text: str | None = None


def self_contained(question: str, history: Sequence[Exchange], say: Say = lambda _: None, fence: str = "") -> str | None:
    """Return the question with its references resolved, or None where it can stand alone, or they are unclear.

    `say` asks a language model, where there is one; `fence` is a random word for that, which no turn can contain.
    """
    if not history or not 0 < len(question.strip()) <= LONGEST_FOLLOW_UP:
        return None
    turns = resolved_turns(history[-TURNS:])
    read = reading(question, turns[-1])
    if hangs(turns):
        read = Reading(read.leans)  # the turn before was not understood: a completion from it would be useless
    if read.text or not read.leans:
        return read.text
    said = say(_request(question, turns, fence))
    return _believed(said, question, turns) if said is not None else None


def resolved_turns(history: Sequence[Exchange]) -> list[Exchange]:
    """Return the turns with their own follow-ups put into words."""
    turns: list[Exchange] = []
    for exchange in history:
        text = None
        if turns and len(exchange.question) <= LONGEST_FOLLOW_UP and not exchange.told and not hangs(turns):
            text = reading(exchange.question, turns[-1]).text
        answer = "" if _UNKNOWN.match(exchange.answer) else _MARKS.sub("", exchange.answer)
        turns.append(Exchange(text or exchange.question, answer, exchange.told))
    return turns


def hangs(turns: Sequence[Exchange]) -> bool:
    """Return whether the last of resolved turns still leans on what was before it."""
    last = turns[-1]
    return (
        len(turns) > 1 and not last.told and len(last.question) <= LONGEST_FOLLOW_UP and reading(last.question, turns[-2]).leans
    )


def reading(question: str, last: Exchange) -> Reading:
    """Read a question by rules, given only the turn before it."""
    words = " ".join(question.split())
    if fragment := fragment_of(words):
        inner = resolve_pronouns(fragment.words, (last.question, last.answer))
        text = completed(fragment, inner.text, last) if inner.clear else None
        if text is None and inner.clear and inner.text != fragment.words and "'s " in inner.text:
            text = f"What is {inner.text}?"  # whose it is says enough
        return Reading(True, text)
    if refers_back(words):
        return Reading(True)
    if not leaning(words):
        return Reading(False)
    found = resolve_pronouns(words, (last.question, last.answer))
    # "Why there?" has no verb that a name could go with.
    whole = len(words.split()) >= SHORTEST_WHOLE
    return Reading(True, found.text if whole and found.clear and found.text != words else None)


def _request(question: str, turns: Sequence[Exchange], fence: str) -> ModelRequest:
    lines = [_line(turn) for turn in turns[-3:]]
    return ModelRequest(
        "rewrite",
        (
            Message("system", prompt("rewrite.v1", fence=fence)),
            Message("user", "\n".join([fence, *lines, fence, "", f"Last question: {harmless(question)}"])),
        ),
        max_tokens=200,
        schema_name="rewriting",
        schema={
            "type": "object",
            "properties": {"depends": {"type": "boolean"}, "question": {"type": "string"}},
            "required": ["depends", "question"],
            "additionalProperties": False,
        },
        timeout=SECONDS,
    )


def _line(turn: Exchange) -> str:
    shown = {"told" if turn.told else "question": harmless(turn.question)[:LONGEST_SAID]}
    if turn.answer:
        shown["answer"] = harmless(turn.answer)[:LONGEST_SAID]
    return json.dumps(shown, ensure_ascii=False)


def _believed(said: str, question: str, turns: Sequence[Exchange]) -> str | None:
    """Return the model's rewriting, if it keeps what was asked and adds nothing but words of the conversation."""
    try:
        answer = json.loads(said[said.index("{") : said.rindex("}") + 1])
    except ValueError:
        return None
    if not isinstance(answer, dict) or answer.get("depends") is not True or not isinstance(answer.get("question"), str):
        return None
    text = " ".join(str(answer["question"]).split())
    if not text or text == question or len(text) > len(question) + LONGEST_FOLLOW_UP:
        return None
    asked, written = set(analyze(question)), set(analyze(text))
    known = {token for turn in turns for token in analyze(f"{turn.question}\n{turn.answer}")}
    return text if asked <= written and written - asked <= known and written - asked else None
