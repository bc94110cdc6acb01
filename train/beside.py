"""What each text of the training data stands beside: what is labelled, and all else, of which a few are drawn to teach as well.

`train.fit` draws anew in each epoch; `train.distil.rows` draws once, more of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from train.corpus import RELATIONS, Life, Memory

UPDATES = RELATIONS.index("updates")
UNRELATED = RELATIONS.index("unrelated")


@dataclass(frozen=True, slots=True)
class Beside:
    """A question or something said, the statements whose label is known, and `others`, the most like it first."""

    text: str
    labelled: tuple[tuple[str, int], ...]
    others: tuple[str, ...]


def beside_questions(found: Sequence[Memory], nearest: dict[tuple[str, str], list[str]]) -> Iterator[Beside]:
    """Yield each question with what answers it, labelled 1, and what does not.

    What no longer holds is left out: it does speak of what is asked, and which of two holds is for others to know.
    """
    for memory in found:
        asked = [(question, gold, stale) for question, gold, stale, _ in memory.questions]
        for question, gold, stale in [*asked, *((question, (), ()) for question in memory.unanswerable)]:
            wrong = [name for name in nearest[memory.id, question] if name not in gold and name not in stale]
            said = memory.statements
            yield Beside(question, tuple((said[name][1], 1) for name in gold), tuple(said[name][1] for name in wrong))


def beside_statements(found: Sequence[Memory], nearest: dict[tuple[str, str], list[str]]) -> Iterator[Beside]:
    """Yield each statement of a memory with the earlier ones that it replaced, and those that it has nothing to do with."""
    for memory in found:
        replaced = {(old, new) for _, gold, stale, kind in memory.questions if kind == "current" for old in stale for new in gold}
        touched = {(old, new) for _, gold, stale, _ in memory.questions for old in stale for new in gold}
        for name, (said, text) in memory.statements.items():
            earlier = [other for other in nearest[memory.id, text] if memory.statements[other][0] < said]
            yield Beside(
                text,
                tuple((memory.statements[other][1], UPDATES) for other in earlier if (other, name) in replaced),
                tuple(memory.statements[other][1] for other in earlier if (other, name) not in touched),
            )


def beside_news(found: Sequence[Life], nearest: dict[tuple[str, str], list[int]]) -> Iterator[Beside]:
    """Yield each piece of news with the statements of its life that it concerns, and those that it is unrelated to."""
    for life in found:
        for news in life.news:
            concerned = (*news.updates, *news.touches, *news.same)
            others = [place for place in nearest[life.id, news.text] if news.label(place) == UNRELATED]
            yield Beside(
                news.text,
                tuple((life.statements[place], news.label(place)) for place in concerned),
                tuple(life.statements[place] for place in others),
            )
