"""Tell or ask, where the rules are not sure: one short question to a language model."""

from __future__ import annotations

import json

from lattice_common.ports.language_model import Message, ModelRequest
from lattice_common.recall.conversation import Say
from lattice_common.recall.intent import Intent, intent_of, is_sure
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.marks import harmless

SECONDS = 2.0
"""Longer than this nobody waits to see what the box will do; the rules' guess is taken then."""
LONGEST_ASKED = 500


def intended(text: str, say: Say, fence: str) -> Intent:
    """By rules; what these are unsure of, by the language model that `say` asks, where there is one. `fence` is a random word."""
    guess = intent_of(text)
    if is_sure(text):
        return guess
    request = ModelRequest(
        "intent",
        (
            Message("system", prompt("intent.v1", fence=fence)),
            Message("user", f"{fence}\n{harmless(text[:LONGEST_ASKED])}\n{fence}"),
        ),
        max_tokens=20,
        schema_name="intent",
        schema={
            "type": "object",
            "properties": {"intent": {"type": "string", "enum": ["tell", "ask"]}},
            "required": ["intent"],
            "additionalProperties": False,
        },
        timeout=SECONDS,
    )
    said = say(request)
    return guess if said is None else _read(said) or guess


def _read(said: str) -> Intent | None:
    try:
        answer = json.loads(said)
    except ValueError:
        answer = said.strip(" .\"'`").lower()
    word = answer.get("intent") if isinstance(answer, dict) else answer
    return "tell" if word == "tell" else "ask" if word == "ask" else None
