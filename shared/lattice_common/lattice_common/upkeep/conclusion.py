"""Several memories, a language model's words about them, and what of these may be remembered.

What the model says is taken apart into sentences, each with the memories that it cites, and every sentence is checked against
these as those of an answer are. What is not borne out is left out; what is left must say more than one memory does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.recall import DoubtReason
from lattice_common.domain.tokens import estimated_tokens
from lattice_common.ports.language_model import Completion, Message, ModelRequest, Purpose
from lattice_common.recall.answer_check import cited_in, cited_sentences, doubts, without_citations
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.pack import LONGEST_ANSWER, SAFETY, SHARE_OF_ANSWER, shown
from lattice_common.recall.synthesize.streamed import Streamed

LONGEST = 800
"""Characters of a conclusion: three long sentences."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Memories that a model is shown, in the order of their numbers, from 1. `marks` are what each line says beside the memory,
    `subject` what the conclusion is about, `instead_of` what was concluded before, and `about` a word that stays the same."""

    purpose: Purpose
    prompt: str
    atoms: tuple[Atom, ...]
    marks: tuple[Mapping[str, JsonValue], ...]
    subject: str = ""
    instead_of: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Concluded:
    """What is left of a model's words, without their citations, and the memories that it rests on; `joins` is the most memories
    that one sentence rests on."""

    content: str
    sources: tuple[Atom, ...]
    joins: int


def request_for(offer: Offer, *, today: datetime, fence: str, context_tokens: int, timeout: float) -> ModelRequest | None:
    """None where the model's context has no room for all of it."""
    day = f"{today:%A}, {today.day} {today:%B %Y} ({today:%Y-%m-%d})"
    system = prompt(offer.prompt, "lattice_common.upkeep.prompts", today=day, fence=fence)
    lines = [shown(n, atom, **mark) for n, (atom, mark) in enumerate(zip(offer.atoms, offer.marks, strict=True), start=1)]
    user = "\n".join((fence, *lines, fence))
    max_tokens = min(LONGEST_ANSWER, context_tokens // SHARE_OF_ANSWER)
    if estimated_tokens(system) + estimated_tokens(user) + max_tokens > int(context_tokens * SAFETY):
        return None
    return ModelRequest(offer.purpose, (Message("system", system), Message("user", user)), max_tokens, timeout=timeout)


def concluded(said: Completion, offer: Offer, now: datetime, tolerated: frozenset[DoubtReason] = frozenset()) -> Concluded | None:
    """The sentences that are borne out by what they cite, but for doubts that are `tolerated`; None where there is none, or the
    model did not come to an end."""
    if said.finish != "stop":
        return None
    heard = Streamed(len(offer.atoms), ())
    heard.feed(said.text)
    heard.end()
    text = heard.shown.strip()
    if heard.no_info or not heard.order or len(text) > LONGEST:
        return None
    cited = [offer.atoms[number - 1] for number in heard.order]
    doubted = {doubt.start for doubt in doubts(text, cited, {}, (), now) if doubt.reason not in tolerated}
    kept: list[str] = []
    sources: dict[str, Atom] = {}
    joins = 0
    for span in cited_sentences(text):
        sentence = text[span.start : span.end]
        numbers = sorted(number for number in cited_in(sentence) if 1 <= number <= len(cited))
        if span.start in doubted or not numbers:
            continue
        kept.append(without_citations(sentence))
        sources |= {atom.atom_id: atom for atom in (cited[number - 1] for number in numbers)}
        joins = max(joins, len(numbers))
    return Concluded(" ".join(kept), _in_order(sources, offer.atoms), joins) if kept else None


def _in_order(sources: Mapping[str, Atom], atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    return tuple(atom for atom in atoms if atom.atom_id in sources)
