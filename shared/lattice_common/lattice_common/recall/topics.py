"""The journey of a day: what was asked and told, as branches by topic.

A turn belongs to the branch whose words it shares; the latest branch wins among equals. A question without a word of its own
("and before that?") continues its conversation. No model is called, and the same turns give the same branches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lattice_common.domain.chat import ChatTurn
from lattice_common.language.text import analyze, query_tokens

SHARED = 0.5
"""Share of the words of the shorter side: "where is the spare key?" and "who has the key?" share one of two."""
NAMED_BY = 3
"""Words of a question that name a topic where no subject does."""
LONGEST_TOPIC = 60
MOST_BRANCHES, MOST_TURNS = 200, 4
"""Of a day that are kept in memory to tell what a new turn belongs to; an owner says less in a day, programs may say more."""
OWNER = frozenset({"user", "the user", "i", "me"})
"""Subjects of nearly every memory: they separate nothing."""


@dataclass(slots=True)
class Branch:
    """Turns on one topic, oldest first; `tokens` are the words of its name, its questions and its subjects."""

    topic: str
    turns: list[ChatTurn] = field(default_factory=list)
    tokens: set[str] = field(default_factory=set)

    @property
    def questions(self) -> list[str]:
        """Return the questions of the branch, oldest first."""
        return [turn.question for turn in self.turns if not turn.told]


def branches(turns: Iterable[ChatTurn]) -> list[Branch]:
    """Return the branches of turns (oldest first), in the order of their first turns, since the day's journey last ended. A
    greeting is no topic."""
    found: list[Branch] = []
    for turn in turns:
        if turn.journey_ended:
            found.clear()
        if turn.question and not turn.left_nothing:
            add(turn, found)
    return found


def add(turn: ChatTurn, found: list[Branch]) -> Branch:
    """Put a turn to the branch that it belongs to, or to a new one at the end of `found`."""
    branch = _by_name(turn.query_topic, found) if turn.query_topic else _nearest(turn, found)
    if branch is None:
        branch = Branch(turn.query_topic or _name_of(turn))
        if (same := _by_name(branch.topic, found)) is not None:
            branch = same
        else:
            found.append(branch)
    branch.turns.append(turn)
    branch.tokens |= _tokens(turn)
    return branch


def bounded(found: list[Branch]) -> list[Branch]:
    """Return the branches that were talked of last, each with the last turns of the conversations that spoke of it last: enough
    to tell what a new turn belongs to, however much is said in a day."""
    for branch in found:
        if len(branch.turns) > MOST_TURNS:
            last: dict[str | None, ChatTurn] = {}
            for turn in reversed(branch.turns):
                last.setdefault(turn.session_id, turn)
            branch.turns = list(last.values())[:MOST_TURNS][::-1]
    if len(found) <= 2 * MOST_BRANCHES:
        return found
    latest = sorted(range(len(found)), key=lambda each: found[each].turns[-1].ts)[-MOST_BRANCHES:]
    return [found[each] for each in sorted(latest)]


def query_topic(turn: ChatTurn, earlier: Sequence[Branch]) -> str:
    """Return the topic of a turn, given those before it."""
    branch = _nearest(turn, earlier)
    return branch.topic if branch else _name_of(turn)


def _nearest(turn: ChatTurn, found: Sequence[Branch]) -> Branch | None:
    said = _tokens(turn) if turn.told else set(query_tokens(turn.reformulated_query or turn.question))
    latest_first = sorted(found, key=lambda each: each.turns[-1].ts, reverse=True)
    if not said and turn.session_id is not None:
        return next((each for each in latest_first if turn.session_id in {one.session_id for one in each.turns}), None)
    best: tuple[float, Branch] | None = None
    for branch in latest_first:
        smaller = min(len(said), len(branch.tokens))
        overlap = len(said & branch.tokens) / smaller if smaller else 0.0
        if overlap >= SHARED and (best is None or overlap > best[0]):
            best = overlap, branch
    return best[1] if best else None


def _by_name(topic: str, found: Sequence[Branch]) -> Branch | None:
    return next((branch for branch in found if branch.topic.casefold() == topic.casefold()), None)


def _name_of(turn: ChatTurn) -> str:
    """Return the first subject that the words speak of, else their own first words."""
    text = turn.reformulated_query or turn.question
    said = set(analyze(text))
    for subject in turn.subjects:
        if subject.casefold() not in OWNER and said & set(analyze(subject)):
            return subject[:LONGEST_TOPIC]
    telling = [word for word in text.split() if query_tokens(word)][:NAMED_BY]
    return " ".join(word.strip("?!.,:;\"'()") for word in telling)[:LONGEST_TOPIC] or text[:LONGEST_TOPIC].strip()


def _tokens(turn: ChatTurn) -> set[str]:
    """Return a question's words; of what was told, which may speak of many things, only what it is named by."""
    if turn.told:
        return set(analyze(turn.query_topic or _name_of(turn)))
    subjects = " ".join(subject for subject in turn.subjects[:1] if subject.casefold() not in OWNER)
    return {*query_tokens(turn.reformulated_query or turn.question), *analyze(subjects)}
