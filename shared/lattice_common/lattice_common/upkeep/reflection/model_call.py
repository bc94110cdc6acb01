"""A language model's words about several memories, and what of these may be remembered.

The answer is split into sentences, each with the memories that it cites, and every sentence is checked against these as those of
an answer are, and more strictly: a synthesis is kept, so it must use their words (`wording`). Unsupported sentences are left out;
what is left must say more than one memory does.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.recall import DoubtReason
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.language.claims.answers import CHANGE, ORDERS, PREFACE
from lattice_common.ports.language_model import Completion, Message, ModelRequest, Purpose
from lattice_common.recall.answer_check import cited_in, cited_sentences, doubts, without_citations
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.pack import LONGEST_ANSWER, SAFETY, SHARE_OF_ANSWER, shown
from lattice_common.recall.synthesize.streamed import Streamed
from lattice_common.upkeep.reflection.wording import unsaid

LONGEST = 800
"""Characters of a conclusion: three long sentences."""

LONGEST_SAID = 100_000
"""Characters of a model's answer that are read, its thinking included: far above any limit of an endpoint."""

LONGEST_STATEMENT = 600
"""Characters of a memory that is shown: a longer one is no statement but a text, and would take the room of ten."""

LAST = "Now write it: every sentence ends with its numbers, like [2][5]. Or write <<NO_INFO>>."
"""The last line, behind the memories: small models have forgotten by then how they were told to write."""

OF_MARKS = 12
"""Tokens that the marks of a memory cost at most, without its subject."""

BESIDE = 90
"""Tokens of the two fences, of a subject, of the last line, and of each message's overhead."""


_ADDRESS = re.compile(r"\[[:.]\]")
"""What addresses contain once they are defanged."""


_MARKUP = re.compile(r"[{}<>|`#\\]|\*")

_TOLD = re.compile(r"\w+(?:[.,:]\w+)*")


@dataclass(frozen=True, slots=True)
class Offer:
    """Memories that a model is shown, numbered from 1 in this order. `marks` are the annotations of each line, `subject` what the
    conclusion is about, `instead_of` earlier conclusions, and `about` a stable hash of the theme."""

    purpose: Purpose
    prompt: str
    atoms: tuple[Atom, ...]
    marks: tuple[Mapping[str, JsonValue], ...]
    subject: str = ""
    instead_of: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The accepted words of a model, without their citations, and the memories that they rest on; `joins` is the most memories
    that one sentence rests on."""

    content: str
    sources: tuple[Atom, ...]
    joins: int


def room_for(prompt_name: str, context_tokens: int) -> int:
    """Return the tokens that are left for memories in a context of so many."""
    system = _system(prompt_name, datetime(2000, 9, 20, tzinfo=UTC), "f" * 16)
    return int(context_tokens * SAFETY) - _max_tokens(context_tokens) - estimated_tokens(system) - BESIDE


def cost_of(atom: Atom) -> int:
    """Return the tokens of a memory as it is shown; more than any room for one that is longer than a statement."""
    return estimated_tokens(shown(99, atom)) + OF_MARKS if len(atom.content) <= LONGEST_STATEMENT else sys.maxsize


def fitting(groups: Iterable[Sequence[Atom]], room: int) -> Iterator[Sequence[Atom]]:
    """Yield the groups that fit, in order; one that is too large is skipped. Lazy."""
    for group in groups:
        if (cost := sum(map(cost_of, group))) <= room:
            room -= cost
            yield group


def request_for(offer: Offer, *, today: datetime, fence: str, context_tokens: int, timeout: float) -> ModelRequest:
    """Return the request to the model; the offer must fit into `room_for` it."""
    lines = [shown(n, atom, **mark) for n, (atom, mark) in enumerate(zip(offer.atoms, offer.marks, strict=True), start=1)]
    messages = (
        Message("system", _system(offer.prompt, today, fence)),
        Message("user", "\n".join((fence, *lines, fence, "", LAST))),
    )
    return ModelRequest(offer.purpose, messages, _max_tokens(context_tokens), timeout=timeout)


def _system(prompt_name: str, today: datetime, fence: str) -> str:
    day = f"{today:%A}, {today.day} {today:%B %Y} ({today:%Y-%m-%d})"
    return prompt(prompt_name, "lattice_common.upkeep.reflection.prompts", today=day, fence=fence)


def _max_tokens(context_tokens: int) -> int:
    return min(LONGEST_ANSWER, context_tokens // SHARE_OF_ANSWER)


def conclusion_in(
    said: Completion, offer: Offer, now: datetime, tolerated: frozenset[DoubtReason] = frozenset()
) -> Conclusion | None:
    """Return the sentences that their citations support, in the memories' words, except for doubts that are `tolerated`; None
    where there is none, or the model was cut off. What has no date of its own may be dated by the day it was said, as the prompt
    asks."""
    if said.finish != "stop" or len(said.text) > LONGEST_SAID:
        return None
    heard = Streamed(len(offer.atoms), ())
    heard.feed(said.text)
    heard.end()
    text = heard.shown.strip()
    if heard.no_info or not heard.order or len(text) > LONGEST:
        return None
    cited = [offer.atoms[number - 1] for number in heard.order]
    dated = [atom if atom.valid_from else replace(atom, valid_from=atom.observed_at) for atom in cited]
    doubted = {doubt.start for doubt in doubts(text, dated, {}, (), now) if doubt.reason not in tolerated}
    kept: list[str] = []
    sources: dict[str, Atom] = {}
    joins = 0
    for span in cited_sentences(text):
        sentence = text[span.start : span.end]
        numbers = sorted(number for number in cited_in(sentence) if 1 <= number <= len(cited))
        rests_on = [cited[number - 1] for number in numbers]
        said_plainly = _plain(without_citations(sentence))
        if span.start in doubted or not numbers or _presumes(said_plainly, rests_on):
            continue
        if "content" not in tolerated and unsaid(said_plainly, rests_on):
            continue
        kept.append(said_plainly)
        sources |= {atom.atom_id: atom for atom in rests_on}
        joins = max(joins, len(numbers))
    return Conclusion(" ".join(kept), _in_order(sources, offer.atoms), joins) if kept else None


def _plain(sentence: str) -> str:
    """Return a sentence without the list marks, emphasis and preface that small models add."""
    return " ".join(PREFACE.sub("", sentence.replace("**", "")).split())


def _presumes(sentence: str, rests_on: Sequence[Atom]) -> bool:
    """Return whether a sentence contains a link or an instruction that no memory has: that is no conclusion, wherever the model
    has it from. Or whether it reverses a change: "from 128 to 150" where 150 was said first."""
    said = " ".join(atom.content for atom in rests_on).lower()
    if any(mark[0] not in said for mark in _MARKUP.finditer(sentence)):
        return True  # JSON, HTML, a table: no sentence
    if _ADDRESS.search(sentence) or any(found[0].lower() not in said for found in ORDERS.finditer(sentence)):
        return True
    return any(_turned_round(change[1], change[2], rests_on) for change in CHANGE.finditer(sentence.lower()))


def _turned_round(first: str, then: str, rests_on: Sequence[Atom]) -> bool:
    words = [(atom.observed_at, set(_TOLD.findall(atom.content.lower()))) for atom in rests_on]
    before = [day for day, told in words if first in told and then not in told]
    after = [day for day, told in words if then in told and first not in told]
    return bool(before and after) and max(after) < min(before)


def _in_order(sources: Mapping[str, Atom], atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    return tuple(atom for atom in atoms if atom.atom_id in sources)
