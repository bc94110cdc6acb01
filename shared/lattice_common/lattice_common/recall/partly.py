"""What a statement that was replaced still says: news about one thing in it leaves the rest as it was.

"Boat is a Carolina Skiff, named Second Wind, kept at slip 27." is replaced by "Marina moved us to slip 41.", and is all that
says what the boat is called. Nobody restates the rest of what they said, so a question about it is answered by the old statement,
with what replaced it beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Selected
from lattice_common.language.names import names_of
from lattice_common.language.questions.answer_type import answer_type, holds
from lattice_common.language.questions.asked_person import asked_person
from lattice_common.language.questions.asked_value import asked_value, holds_value, says_age_of
from lattice_common.language.sentences.parts import parts_of_statement
from lattice_common.language.text import analyze
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.answerable import READ, named_in
from lattice_common.recall.currency import seen
from lattice_common.recall.from_passage import PLAIN_VALUES
from lattice_common.recall.question import Question, Search
from lattice_common.recall.reading import Reading

LOOKED_AT = 4
"""Replaced statements, the best that were found, that are read."""
SURE = 0.15
"""Chance by the judge from which the older statement answers, where the part that does is not what was replaced."""
LESS = 0.5
"""Of its chance, below which no current statement may be surer to answer."""
ENDED = 0.6
"""Of how surely the newer statement ends any part, from which on it ends the one that answers, too."""


def with_still_said(
    search: Search, chosen: tuple[Selected, ...], catalogue: CatalogueReader
) -> tuple[tuple[Selected, ...], frozenset[str]]:
    """Return what was chosen with the statement first that answers in a part that nothing replaced, and what replaced it behind
    it; and the ids of such. Nothing is looked up where nothing of what was found was replaced; else some ten pairs are read for
    each."""
    question, reading = search.question, search.reading
    retired = [search.columns.atom_ids[row] for row in search.retired[:LOOKED_AT]]
    if reading is None or not retired or search.introducing or _says_age(question, chosen):
        return chosen, frozenset()
    followed = catalogue.successors(retired)
    atoms = {atom.atom_id: atom for atom in catalogue.get([*retired, *followed.values()])}
    pairs = [(atoms[old], atoms[new]) for old, new in followed.items() if old in atoms and new in atoms]
    pairs = [(old, new) for old, new in pairs if not new.is_superseded and seen(search, [new]) and _was_seen(search, old)]
    best = max((each.score for each in chosen), default=0.0)
    current = [each.atom for each in chosen[:LOOKED_AT]]
    sure = reading.alone(question.text, [each.content for each in current])
    known_sure = {each.atom_id: chance for each, chance in zip(current, sure, strict=True)}
    for old, new in pairs:
        if _is_still_said(question, reading, old, new, known_sure):
            known = next((each for each in chosen if each.atom.atom_id == new.atom_id), Selected(new, best))
            first = (Selected(old, best, outdated_by=new.atom_id, in_part=True), known)
            ids = {old.atom_id, new.atom_id}
            return (*first, *(each for each in chosen if each.atom.atom_id not in ids)), frozenset((old.atom_id,))
    return chosen, frozenset()


def _was_seen(search: Search, old: Atom) -> bool:
    """Return whether the question may see a statement but for its being replaced."""
    query = replace(search.question.query, include_superseded=True)
    return bool(seen(replace(search, question=replace(search.question, query=query)), [old]))


def _says_age(question: Question, chosen: Sequence[Selected]) -> bool:
    asked = asked_value(question.text) == "age"
    return asked and any(_tells_of(question, None, each.atom.content) for each in chosen[:READ])


def _is_still_said(question: Question, reading: Reading, old: Atom, new: Atom, current: Mapping[str, float]) -> bool:
    """Return whether the old statement answers, far surer than any of `current` (chance by id), in a part that the new one does
    not end."""
    parts = parts_of_statement(old.content)
    answering = _answering(question, reading, old, new, parts, current) if len(parts) > 1 else None
    if answering is None:
        return False
    ended = [found.updates for found in reading.relations([(part, new.content) for part in parts])]
    return ended[answering] < ENDED * max(ended)


def _answering(
    question: Question, reading: Reading, old: Atom, new: Atom, parts: Sequence[str], current: Mapping[str, float]
) -> int | None:
    """Return the place of the part that answers; None where the statement does not."""
    whom = asked_person(question.text)
    if whom is not None or asked_value(question.text) == "age":
        told = [_tells_of(question, whom, part) for part in parts]
        if any(told) or whom is None:
            return told.index(True) if any(told) else None
    named = _named(question.text)
    if _has_the_value(question, new, named) or _names_another(question, new) or not named <= set(analyze(old.content)):
        return None
    whole, *each = reading.alone(question.text, [old.content, *parts])
    enough = LESS * whole
    if whole < SURE or any(chance >= enough for known, chance in current.items() if known != new.atom_id):
        return None
    if current.get(new.atom_id, 0.0) < enough:
        return each.index(max(each))
    if (_named(old.content) & _named(new.content)) - named or (named and current[new.atom_id] >= whole):
        return None  # it speaks of the same thing, and answers: "Axa was too dear, so the car's with Aviva now."
    # News of a thing sounds like an answer to whatever is asked about it: "printer moved to .45" to "toner for the printer".
    unsaid = set(question.tokens) - named - set(analyze(new.content))
    worded = [place for place, part in enumerate(parts) if unsaid & set(analyze(part))]
    return max(worded, key=each.__getitem__, default=None)


def _named(text: str) -> set[str]:
    return {token for name in names_of(text) for token in analyze(name.word)}


def _has_the_value(question: Question, new: Atom, named: Set[str]) -> bool:
    """Return whether the newer statement has a value of the kind that is asked for, of what is asked about: "They changed the
    alarm: 3304#" to "What is the alarm code?"."""
    value = asked_value(question.text)
    if value not in PLAIN_VALUES or not holds_value(new.content, value, question.text):
        return False
    return not (set(question.tokens) - named).isdisjoint(analyze(new.content))


def _names_another(question: Question, new: Atom) -> bool:
    """Return whether a question asks when or how much, and the newer statement names a time or a number."""
    kind = answer_type(question.text)
    return kind in ("time", "number") and holds(new, kind, question.text, question.tokens)


def _tells_of(question: Question, whom: str | None, part: str) -> bool:
    """Return whether a part tells who somebody is, or how old whom the question names."""
    if whom is not None:
        return set(analyze(whom)) <= set(analyze(part)) and len(analyze(part)) > len(analyze(whom))
    return any(says_age_of(name, part) for name in named_in(question))
