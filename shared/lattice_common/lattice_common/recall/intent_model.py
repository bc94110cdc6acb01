"""The intent of words, tell, ask or do: by what is certain, then by the judge; without one by rules, or by a language model where
these are unsure."""

from __future__ import annotations

import json

from lattice_common.domain.intent import Intent, IntentReading
from lattice_common.language.intents.commands import order_in
from lattice_common.language.intents.intent import certain_intent, intent_of, is_sure
from lattice_common.language.intents.of_product import raised
from lattice_common.ports.judge import Judge
from lattice_common.ports.language_model import Message, ModelRequest
from lattice_common.recall.conversation import Say
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.marks import harmless

SECONDS = 2.0
"""Limit of the call: nobody waits longer to see what the box will do, and the rules' guess is taken."""
LONGEST_ASKED = 500
LONGEST_JUDGED = 1000
"""Characters that the judge is shown: it reads some 500 of them, and a longer text is a note or a document."""
SURE_TO_DO = 0.6
"""The judge's probability from which words are a request even though no rule can read them: the answer says so, and nothing is
kept unless the owner says so."""
GUESSED, UNSURE = 0.9, 0.6
"""Reliability of the rules' guess, and of an unsure one: the share that is right on the dev files (`python -m bench.intent`)."""


def intended(text: str, say: Say, fence: str, judge: Judge | None = None) -> IntentReading:
    """Return the intent of words. `say` asks a language model, where there is one; `fence` is a random word."""
    certain = certain_intent(text)
    if certain is not None:
        return IntentReading(certain, 1.0, "rules")
    if judge is not None and len(text) <= LONGEST_JUDGED:
        return _judged(text, judge)
    guess = intent_of(text)
    if is_sure(text):
        return IntentReading(guess, GUESSED, "guess")
    said = say(_request(text, fence))
    read = None if said is None else _read(said)
    return IntentReading(guess, UNSURE, "guess") if read is None else IntentReading(read, GUESSED, "model")


def _judged(text: str, judge: Judge) -> IntentReading:
    """Return the likeliest intent; a request only where it can be carried out, or is beyond doubt: what is told must not be
    lost. What speaks of the product itself is likelier a request."""
    shares = dict(judge.utterances([text])[0].intent)
    shares["do"] = raised(shares["do"], text)
    if shares["do"] < SURE_TO_DO and order_in(text, meant=True) is None:
        del shares["do"]
    best = max(shares, key=lambda name: shares[name])
    return IntentReading(best, shares[best] / sum(shares.values()), "judge")


def _request(text: str, fence: str) -> ModelRequest:
    return ModelRequest(
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


def _read(said: str) -> Intent | None:
    try:
        answer = json.loads(said)
    except ValueError:
        answer = said.strip(" .\"'`").lower()
    word = answer.get("intent") if isinstance(answer, dict) else answer
    return "tell" if word == "tell" else "ask" if word == "ask" else None
