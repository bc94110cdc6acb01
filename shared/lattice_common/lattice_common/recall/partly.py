"""What a statement that was replaced still says: news about one thing in it leaves the rest as it was.

"Boat is a Carolina Skiff, named Second Wind, kept at slip 27." is replaced by "Marina moved us to slip 41.", and is all that
says what the boat is called. Nobody restates the rest of what they said, so a question about it is answered by the old statement,
with what replaced it beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.questions.asked_value import asked_value, says_age_of
from lattice_common.language.sentences.parts import parts_of_statement
from lattice_common.recall.answerable import UNLEARNT, named_in
from lattice_common.recall.question import Question
from lattice_common.recall.reading import Reading

LOOKED_AT = 3
"""Best statements that may have replaced what answers."""
SURE = 0.6
"""Chance by the judge from which the older statement answers."""
HARDLY = 0.2
"""Of the older one's chance, below which the newer does not answer; of how surely it ends any other part, below which it does not
end the part that does."""


def still_said(
    question: Question, reading: Reading, chosen: Sequence[Selected], replaced: Mapping[str, Atom]
) -> dict[str, Selected]:
    """Return, by the id of what replaced it, the statement that answers a question in a part that nothing replaced; `replaced`
    are the statements that the chosen ones superseded, by id. Reads some ten pairs for each, and nothing where none was
    replaced."""
    found: dict[str, Selected] = {}
    if question.history or question.as_of is not None or question.held_from is not None:
        return found
    for each in chosen[:LOOKED_AT]:
        olds = [replaced[old] for old in each.atom.supersedes if old in replaced]
        kept = next((old for old in olds if _is_still_said(question, reading, old, each.atom)), None)
        if kept is not None:
            found[each.atom.atom_id] = Selected(kept, each.score, each.signals, each.atom.atom_id, in_part=True)
    return found


def _is_still_said(question: Question, reading: Reading, old: Atom, new: Atom) -> bool:
    parts = parts_of_statement(old.content)
    if len(parts) < 2:
        return False
    if asked_value(question.text) in UNLEARNT:
        asked = [any(says_age_of(name, part) for name in named_in(question)) for part in parts]
        if not any(asked):
            return False
        answering = asked.index(True)
    else:
        whole, newer, *each = reading.alone(question.text, [old.content, new.content, *parts])
        if whole < SURE or newer >= HARDLY * whole:
            return False
        answering = each.index(max(each))
    ended = [found.updates for found in reading.relations([(part, new.content) for part in parts])]
    return ended[answering] < HARDLY * max(ended)
