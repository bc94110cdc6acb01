"""Of two statements of which the newer may have made the older untrue, the newer comes first, whatever its words.

They are joined by `may_update` until their owner says whether the older one still holds. One that was found only by its older
statement is brought in before it: who asks where somebody lives finds "Finally unpacked the last box here in York." by "I live
in Leeds.". The older one follows after the first five, for those are what an answer is made of. Joined by `updates` alone it
is too unsure that the older one is touched to say so; there the order is all, only that of the very best, and none where the
newer one surely does not answer. What likely no longer holds beside something newer that was found with it (`recall.latest`)
follows after the first five, unmarked. What was said in one go with something that ended comes behind what ended that, where
the question names it (`recall.said_with`). What is only going to hold comes behind what it will replace, until its day, and
leaves that where it is. Questions about how it was turn that round: the older one comes before the newer. For those about a
time what was told and happened after it comes before nothing; and if it is over, what held then comes before what has replaced
it since.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeAlias

import numpy as np

from lattice_common.domain.atom import Atom, is_ahead
from lattice_common.domain.recall import Selected
from lattice_common.domain.score import Regression
from lattice_common.language.claims.happenings import has_happened
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.questions.asked_period import AskedPeriod
from lattice_common.language.questions.shape import asks_how_it_was
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.latest import outdated
from lattice_common.recall.question import Search
from lattice_common.recall.reading import log_odds_of
from lattice_common.recall.said_with import ended_beside
from lattice_common.recall.visibility import is_visible

LOOKED_AT = 8
"""Best atoms of which it is asked whether something newer puts them in doubt: a look-up in an index each."""

FIRST = 5
"""Places that no doubted atom takes while there are others."""

PRECEDED = 1
"""Best atoms that something newer comes before which only perhaps touches them. With three, a life of 340 questions lost a point
of evidence among ten (`bench.current`); with one, nothing."""

LESS_SURELY = 3.0
"""Log-odds of the judge by which what merely comes before a statement may answer less surely than that. Of author D's questions
13 of 24 answers stood behind something that does not answer: nine of these by more than this, and one of five that no longer
holds (`bench.current`)."""


def newer_first(search: Search, catalogue: CatalogueReader, latest: Regression | None = None) -> Search:
    """Reorder `chosen`, keeping its length, and say of each doubted one by which atom it may be outdated."""
    if not search.chosen:
        return search
    if search.question.history:
        return replace(search, chosen=_as_it_was(search.chosen))
    period = search.question.period
    if period is not None and search.question.held_from is not None:
        return replace(search, chosen=_as_it_was(search.chosen, since=period.last))
    chosen = {each.atom.atom_id: each for each in search.chosen}
    moment = _moment(search)
    doubts, preceding, ahead = _newer(search, chosen, catalogue, moment)
    doubts = _not_of_what_happened(doubts, chosen, search)
    preceding = _that_may_answer(preceding, chosen, search)
    beside = ended_beside(search, catalogue, doubts)
    shown = {atom.atom_id for atom in seen(search, list(beside.values()))}
    preceding = {**{told: newer for told, newer in beside.items() if newer.atom_id in shown}, **preceding}
    found = [(newer, older) for older, newer in outdated(search, latest).items() if not _came_later(newer, period)]
    holding = _in_force(found, chosen, moment)
    replaced = {older: newer for newer, older in holding if older not in doubts}
    coming = _coming([*ahead, *(tie for tie in found if tie not in holding)], doubts)
    if not doubts and not preceding and not replaced and not coming:
        return search
    order = _placed(search.chosen, doubts, (doubts, replaced, preceding), coming)
    return replace(search, chosen=_behind_the_first(order, {*doubts, *replaced}, len(search.chosen)))


def _placed(
    best: Sequence[Selected],
    doubts: Mapping[str, Atom],
    first: Sequence[Mapping[str, Atom]],
    coming: Mapping[str, Sequence[Atom]],
) -> list[Selected]:
    """Return the best, each behind what comes `first` of it and before what is `coming` in its place."""
    known = {each.atom.atom_id: each for each in best}
    holders = {later.atom_id: holding for holding, each in coming.items() for later in each}
    newer_ones = {newer.atom_id: newer for newer in doubts.values()}
    order: list[Selected] = []
    placed: set[str] = set()

    def place(each: Selected, after: str | None = None) -> None:
        if each.atom.atom_id in placed:
            return
        placed.add(each.atom.atom_id)
        for newer in (ties.get(each.atom.atom_id) for ties in first):
            if newer is not None:
                place(known.get(newer.atom_id) or Selected(newer, each.score, each.signals))
        doubt = doubts.get(each.atom.atom_id)
        order.append(replace(each, outdated_by=doubt.atom_id if doubt else None, after=after))
        for later in coming.get(each.atom.atom_id, ()):
            place(known.get(later.atom_id) or Selected(later, each.score, each.signals), each.atom.atom_id)

    for each in best:
        if (holding := holders.get(each.atom.atom_id)) is not None:
            place(known.get(holding) or Selected(newer_ones[holding], each.score, each.signals))
        place(each)
    return order


def _not_of_what_happened(doubts: Mapping[str, Atom], chosen: Mapping[str, Selected], search: Search) -> dict[str, Atom]:
    """Return the doubts but those of what happened once, where that is asked for, as far as the judge sees: who asks what the
    cello cost is not told first for how much it was sold."""
    text = search.question.text
    if search.reading is None or not asks_how_it_was(in_english(text).lower()):
        return dict(doubts)
    found = {}
    for older_id, newer in doubts.items():
        older = chosen[older_id].atom.content
        if has_happened(older):
            told, since = search.reading.answers(text, [older, newer.content])
            if told >= since:
                continue
        found[older_id] = newer
    return found


def _that_may_answer(preceding: Mapping[str, Atom], chosen: Mapping[str, Selected], search: Search) -> dict[str, Atom]:
    """Return, of what merely comes before a statement, what is not far from answering as surely, or was found, too, where the
    judge does not read: "Told Siddiqui only." says nothing of who heads the governors, though it was told after "Chair is now Mrs
    Siddiqui"."""
    if search.reading is None:
        return {older: newer for older, newer in preceding.items() if newer.atom_id in chosen}
    found = {}
    for older_id, newer in preceding.items():
        older, later = log_odds_of(search.reading.answers(search.question.text, [chosen[older_id].atom.content, newer.content]))
        if later > older - LESS_SURELY:
            found[older_id] = newer
    return found


def _coming(ahead: Iterable[tuple[Atom, str]], doubts: Mapping[str, Atom]) -> dict[str, list[Atom]]:
    """Return, by the id of what holds, what is going to take its place: also of what may have outdated that meanwhile."""
    coming: dict[str, list[Atom]] = {}
    for newer, older in sorted(ahead, key=lambda tie: tie[0].observed_at):
        holding = doubts[older].atom_id if older in doubts else older
        if newer.atom_id != holding and newer not in coming.get(holding, ()):
            coming.setdefault(holding, []).append(newer)
    return coming


def _moment(search: Search) -> datetime | None:
    """Return the time of which a question asks what holds: now, or a later time that it names; None where it asks for plans."""
    question = search.question
    if "planned" in question.statuses:
        return None
    times = [search.now if question.as_of is None else question.as_of]
    if question.period is not None:
        times += [time for time in (question.period.first, question.period.last) if math.isfinite(time)]
    return datetime.fromtimestamp(max(times), tz=UTC)


def _as_it_was(best: Sequence[Selected], *, since: float = -math.inf) -> tuple[Selected, ...]:
    """Return the best with what held once before what has replaced it, or may have, since then (in seconds since 1970)."""
    chosen = {each.atom.atom_id: each for each in best}
    order: dict[str, Selected] = {}
    for each in best:
        if max(each.atom.observed_at, each.atom.valid_from or each.atom.observed_at).timestamp() >= since:
            for older in (*each.atom.supersedes, *each.atom.may_update):
                if older in chosen:
                    order.setdefault(older, chosen[older])
        order.setdefault(each.atom.atom_id, each)
    return tuple(order.values())


def _behind_the_first(order: Sequence[Selected], doubts: Collection[str], limit: int) -> tuple[Selected, ...]:
    """Return the best `limit`, with the doubted ones behind the first others; none of those falls out for it."""
    doubted = [each for each in order[:limit] if each.atom.atom_id in doubts]
    others = [each for each in order if each.atom.atom_id not in doubts][: limit - len(doubted)]
    return (*others[:FIRST], *doubted, *others[FIRST:])


def doubted_among(given: Sequence[Selected]) -> tuple[Selected, ...]:
    """Return atoms that were chosen by hand, in their order, each with the newer one among them that may have made it untrue."""
    doubts = {target: each.atom.atom_id for each in given if not each.atom.is_superseded for target in each.atom.may_update}
    return tuple(replace(each, outdated_by=doubts.get(each.atom.atom_id)) for each in given)


Ties: TypeAlias = list[tuple[Atom, str]]
"""Newer atoms, each with the id of an older one."""


def _newer(
    search: Search, chosen: Mapping[str, Selected], catalogue: CatalogueReader, moment: datetime | None
) -> tuple[dict[str, Atom], dict[str, Atom], Ties]:
    """Return atom → the newest one that puts it in doubt, atom → the newest one that merely comes before it, and those that only
    will put one in doubt, seen from `moment`, among what the question may see."""
    best = [each.atom.atom_id for each in search.chosen[:LOOKED_AT] if not each.atom.is_superseded]
    around = dict.fromkeys(newer for atom_id in best for newer in catalogue.referrers(atom_id) if newer not in chosen)
    newer = [*(each.atom for each in chosen.values()), *seen(search, catalogue.get(list(around)))]
    newer = [atom for atom in newer if not atom.is_superseded and not _came_later(atom, search.question.period)]
    doubts = [(atom, target) for atom in newer for target in atom.may_update if target in chosen]
    weaker = [(atom, target) for atom in newer for target in atom.updates if target in best[:PRECEDED]]
    holding = _in_force(doubts, chosen, moment)
    return _newest(holding), _newest(_in_force(weaker, chosen, moment)), [tie for tie in doubts if tie not in holding]


def _in_force(ties: Ties, chosen: Mapping[str, Selected], moment: datetime | None) -> Ties:
    """Return the ties of which the newer holds at a time, and is not only going to; all where plans are asked for."""
    return [(newer, older) for newer, older in ties if moment is None or not is_ahead(newer, chosen[older].atom, moment)]


def _came_later(atom: Atom, period: AskedPeriod | None) -> bool:
    """Return whether it was told, and happened, after the time that is asked about."""
    if period is None:
        return False
    moment = min(atom.observed_at, atom.valid_from or atom.observed_at)
    return moment.timestamp() >= period.last


def _newest(ties: Iterable[tuple[Atom, str]]) -> dict[str, Atom]:
    """Return target → the newest of the atoms that are tied to it."""
    found: dict[str, Atom] = {}
    for newer, target in ties:
        if target not in found or newer.observed_at > found[target].observed_at:
            found[target] = newer
    return found


def seen(search: Search, atoms: Sequence[Atom]) -> list[Atom]:
    """Return those of the atoms that a question may see."""
    rows = np.array([search.columns.row_of.get(atom.atom_id, search.count) for atom in atoms], dtype=np.int64)
    there = rows < search.count
    may_see = np.zeros(len(rows), dtype=bool)
    may_see[there] = is_visible(search.question, search.columns, rows[there])
    sources = search.question.query.filter.source_id
    return [atom for atom, visible in zip(atoms, may_see, strict=True) if visible and (not sources or atom.source_id in sources)]
