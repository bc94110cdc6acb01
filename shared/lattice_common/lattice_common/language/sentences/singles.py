"""One fact, one statement: what is said in one breath, cut into facts that can stand alone, each saying whom it is about.

A pronoun is put into the one name that it can stand for; words whose subject is left out get it from the clause before, or stand
below what the text is about, as below a heading ("Lorcan's place: Second floor, left."). Where neither is clear the words stay
with those before them, as they were said. The quote is always what was said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from lattice_common.domain.atom import Span
from lattice_common.language.sentences.discourse import LONGEST_NOTE, Discourse
from lattice_common.language.sentences.how_it_was import leaves_it_open
from lattice_common.language.sentences.split import is_ended
from lattice_common.language.sentences.statements import LONGEST_JOINED, Statement


def singled(
    text: str,
    start: int,
    found: Sequence[Statement],
    before: str,
    apart: Sequence[Span] = (),
    is_surely_not_so: Callable[[str], bool] = lambda _: False,
) -> list[Statement]:
    """Return the statements of a note that begins at `start`, as single facts. `before` are words that it leans on, of turns
    before; `apart` are stretches over which none is joined to another. Of two sentences one of which `is_surely_not_so` neither
    stays with the other ("Budget is 38k. Maybe a shower, maybe not."), for together they have one status."""
    out: list[Statement] = []
    note = Discourse(text, start, found[-1].end if found else start, before)
    for statement in found:
        if statement.question or statement.end - start > LONGEST_NOTE:
            words = text[statement.start : statement.end]
            note.hear(words, words)
            out.append(statement)
            continue
        for single in note.singles(statement):
            if single.weak and out and _may_join(out[-1], single, apart) and not _differ(text, out[-1], single, is_surely_not_so):
                out[-1] = _joined(text, out[-1], single)
            else:
                out.append(replace(single, weak=False))
    return out[1:] if note.is_headed_by(out) else out


def _may_join(before: Statement, after: Statement, apart: Sequence[Span]) -> bool:
    if before.question or after.end - before.start > LONGEST_JOINED:
        return False
    return not any(before.end <= gap.start and gap.end <= after.start for gap in apart)


def _differ(text: str, before: Statement, after: Statement, is_surely_not_so: Callable[[str], bool]) -> bool:
    """Return whether these are two sentences of which one is so and the other one surely not; not where the second one
    only says that the first is not decided."""
    first, second = text[before.start : before.end], text[after.start : after.end]
    return is_ended(first) and not leaves_it_open(second) and is_surely_not_so(first) != is_surely_not_so(second)


def _joined(text: str, before: Statement, after: Statement) -> Statement:
    """Return words that cannot stand alone, with those before them."""
    if before.said is None and after.said is None:
        return replace(before, end=after.end)
    first, second = before.said or text[before.start : before.end], after.said or text[after.start : after.end]
    said = f"{first}{text[before.end : after.start]}{second}"
    return replace(before, end=after.end, said=said, about=tuple(dict.fromkeys((*before.about, *after.about))))
