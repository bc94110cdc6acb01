"""What the model is shown: the selected memories as JSON data between two random lines, within its context."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue
from lattice_common.domain.passage import is_passage, passage_of
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.ports.language_model import Message, Tool
from lattice_common.recall.prompts import prompt
from lattice_common.recall.synthesize.marks import harmless
from lattice_common.recall.tools import TOOLS

PROMPT = "answer.v2"
LONGEST_ANSWER = 2048
"""Tokens. Four sentences have about 150, a long list 500; models that think before they answer need the rest, and are cut off
where it is not enough."""
SHARE_OF_ANSWER = 4
"""The answer gets at most this fraction (1/n) of a small context."""
SAFETY = 0.85
"""Share of the context that is used: tokens are only estimated, and each message costs a few more."""
QUESTION_SHARE = 4
"""A pasted page is a question too; it gets at most this fraction (1/n) of the room."""
TOOLS_COST = 180
"""Tokens of the two tools' descriptions."""
ROOM_FOR_TOOLS = 2048
"""A smaller context is used for memories only."""
SHORTEST = 200
"""Least characters of a memory that are shown when there is no room for all of it."""


@dataclass(frozen=True, slots=True)
class Pack:
    """Memories in the order of their numbers, from 1, and the messages that show them. `max_tokens` are left for the answer;
    `tools` are offered where there is room for them."""

    atoms: tuple[Atom, ...]
    messages: tuple[Message, ...]
    max_tokens: int
    tools: tuple[Tool, ...]


def packed(
    question: str,
    chosen: Sequence[Atom],
    replaced: Mapping[str, Atom],
    *,
    today: datetime,
    fence: str,
    context_tokens: int,
    outdated_by: Mapping[str, str] | None = None,
) -> Pack | None:
    """Return a pack of as many memories, best first, as fit; None where not a single one does.

    `fence` is a random word that no memory can contain. `replaced` are the atoms that the chosen ones superseded; `outdated_by`
    names for some the newer atom that may have made them untrue.
    """
    max_tokens = min(LONGEST_ANSWER, context_tokens // SHARE_OF_ANSWER)
    system = prompt(PROMPT, today=f"{today:%A}, {today.day} {today:%B %Y} ({today:%Y-%m-%d})", fence=fence)
    room = int(context_tokens * SAFETY) - max_tokens - estimated_tokens(system) - 2 * estimated_tokens(fence)
    tools = TOOLS if context_tokens >= ROOM_FOR_TOOLS else ()
    room -= TOOLS_COST if tools else 0
    asked = _cut(harmless(question), room // QUESTION_SHARE)
    room -= estimated_tokens(asked) + 20
    numbers = {atom.atom_id: n for n, atom in enumerate(chosen, start=1)}
    doubted = {atom_id: numbers[newer] for atom_id, newer in (outdated_by or {}).items() if newer in numbers}
    lines: list[str] = []
    for n, atom in enumerate(chosen, start=1):
        line = _line(n, atom, replaced, numbers, doubted)
        if (cost := estimated_tokens(line) + 1) > room:
            if not lines and room > SHORTEST // 2:
                short = _cut(atom.content, room - 100)
                lines.append(_line(n, replace(atom, content=short, supersedes=()), replaced, numbers, doubted))
            break
        lines.append(line)
        room -= cost
    if not lines:
        return None
    memories = "\n".join(lines)
    user = f"{fence}\n{memories}\n{fence}\n\nQuestion: {asked}"
    return Pack(tuple(chosen[: len(lines)]), (Message("system", system), Message("user", user)), max_tokens, tools)


def shown(n: int, atom: Atom, **more: JsonValue) -> str:
    """Return one memory as a line of JSON."""
    return json.dumps(_fields(n, atom) | more, ensure_ascii=False)


def _line(n: int, atom: Atom, replaced: Mapping[str, Atom], numbers: Mapping[str, int], doubted: Mapping[str, int]) -> str:
    line = _fields(n, atom)
    if atom.atom_id in doubted:
        line["may_be_outdated_by"] = doubted[atom.atom_id]
    if atom.is_superseded:
        line["replaced_by"] = numbers.get(atom.superseded_by or "", "something newer")
    before = [replaced[old] for old in atom.supersedes if old in replaced]
    if before:
        until = _day(atom.valid_from or atom.observed_at)
        line["replaces"] = [{"content": harmless(old.content), "until": until} for old in before[:3]]
    return json.dumps(line, ensure_ascii=False)


def _fields(n: int, atom: Atom) -> dict[str, JsonValue]:
    line: dict[str, JsonValue] = {"n": n, "content": harmless(atom.content), "said": _day(atom.observed_at)}
    if atom.valid_from:
        line["happened"] = _day(atom.valid_from)
    if atom.valid_until:
        line["until"] = _day(atom.valid_until)
    if atom.speaker:
        line["by"] = harmless(atom.speaker)
    line["trust"] = atom.trust
    if is_passage(atom):
        line["passage_of"] = harmless(passage_of(atom))
    if atom.status != "asserted":
        line["status"] = atom.status
    return line


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _cut(text: str, tokens: int) -> str:
    """Return the beginning of a text, of about this many tokens at most."""
    if estimated_tokens(text) <= tokens:
        return text
    return text.encode()[: max(tokens, 0) * 4].decode("utf-8", "ignore").rstrip() + " …"
