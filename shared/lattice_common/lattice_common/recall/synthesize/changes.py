"""What changed, and when: a statement beside the one that has replaced it, or may have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from lattice_common.domain.atom import Atom, changed_on
from lattice_common.domain.recall import Selected
from lattice_common.language.answer_words import say
from lattice_common.language.claims.of_a_kind import of_a_kind
from lattice_common.language.dates.mentions import in_words, resolve, written
from lattice_common.language.glosses.recognition import language_of

LESS_LIKELY = 0.25
"""Of the chance that an older statement answers, below which what may have outdated it is told behind it: of 67 pairs that the
questions of author D found together that is so of 5 of 35 where the newer one answers, and of 15 of 32 where it does not (below a
tenth: of 3 and 10)."""
AS_WELL = 0.5
"""Of the chance that an older statement answers of which something is still so, from which on what replaced the rest is told
first in another language than English: there the judge is less sure which part of a statement answers."""
HARDLY = 0.1
"""Of the chance of the statement that the judge finds likeliest, from which on others are told beside it."""
UNNAMED_DAY = ("month", "season", "year")
"""How exact a date is said to be that names no day."""


def day_of_change(newer: Atom, older: Atom) -> str:
    """Return in words from when on one statement holds in the place of another: the month or the year where it names no day."""
    moment = changed_on(newer, older)
    return known_time(newer, moment) if moment == newer.valid_from else in_words(moment)


def known_time(atom: Atom, moment: datetime) -> str:
    """Return the day of a moment; where a statement names only a month, a season or a year, that one."""
    if atom.valid_from is None:
        return in_words(moment)
    said = (each for each in resolve(atom.content, atom.observed_at) if each.valid_from == atom.valid_from)
    return next((written(each) for each in said if each.precision in UNNAMED_DAY), in_words(moment))


def says(content: str, time: str) -> bool:
    """Return whether a statement names a time itself."""
    return all(part in content for part in time.split())


def newer_beside_older(
    told: Sequence[Selected], chosen: Sequence[Selected], chances: Mapping[str, float], *, of_a_time: bool = False
) -> list[Selected]:
    """Return what is told, with what may be outdated always beside what may have outdated it, never alone: behind it, or before
    it where only the older one answers. Of several that one may have outdated the newest comes first. What is only going to hold
    is told behind what holds, which a question of a time (`of_a_time`) is told only where it answers as well."""
    by_id = {selected.atom.atom_id: selected for selected in chosen}
    alone = {each.outdated_by: each for each in reversed(told) if _alone_answers(each, by_id, chances)}
    coming: dict[str, list[Selected]] = {}
    holding = {
        each.atom.atom_id: found for each in chosen if each.after and (found := _holding(each, chosen, chances, of_a_time))
    }
    for each in chosen:
        if each.atom.atom_id in holding:
            coming.setdefault(holding[each.atom.atom_id].atom.atom_id, []).append(each)
    ordered: dict[str, Selected] = {}
    for selected in told:
        older = alone.get(selected.atom.atom_id, holding.get(selected.atom.atom_id, selected))
        newer = by_id.get(older.outdated_by or "")
        pair = (newer, older) if newer else (older,)
        for each in reversed(pair) if _alone_answers(older, by_id, chances) else pair:
            ordered.setdefault(each.atom.atom_id, each)
        for later in (later for each in pair for later in coming.get(each.atom.atom_id, ())):
            ordered.setdefault(later.atom.atom_id, later)
        ordered.setdefault(selected.atom.atom_id, selected)
    return _newest_first(sorted(ordered.values(), key=lambda each: each.atom.atom_id in holding))


def _newest_first(told: list[Selected]) -> list[Selected]:
    places: dict[str, list[int]] = {}
    for place, each in enumerate(told):
        if each.outdated_by:
            places.setdefault(each.outdated_by, []).append(place)
    ordered = list(told)
    for at in places.values():
        newest = sorted((told[place] for place in at), key=lambda each: each.atom.observed_at, reverse=True)
        for place, each in zip(at, newest, strict=True):
            ordered[place] = each
    return ordered


def _alone_answers(selected: Selected, by_id: Mapping[str, Selected], chances: Mapping[str, float]) -> bool:
    """Return whether a statement answers and what replaced it, or may have, does not: it is about something else in it. Of two
    that hold a value of one kind the newer one answers."""
    older, newer = chances.get(selected.atom.atom_id), chances.get(selected.outdated_by or "")
    if older is None or newer is None:
        return selected.in_part
    instead = by_id.get(selected.outdated_by or "")
    if selected.in_part:
        return newer < AS_WELL * older or instead is None or language_of(instead.atom.content) is None
    return newer < LESS_LIKELY * older and not (instead and of_a_kind(selected.atom.content, instead.atom.content))


def _holding(later: Selected, chosen: Sequence[Selected], chances: Mapping[str, float], of_a_time: bool) -> Selected | None:
    """Return what holds until something's day, or may have been outdated by that: rather what answers as it does, as far as is
    known, and for a question of a time nothing else."""
    enough = HARDLY * chances.get(later.atom.atom_id, 0.0)
    holding = [each for each in chosen if later.after in (each.atom.atom_id, each.outdated_by)]
    holding.sort(key=lambda each: each.outdated_by == later.after)
    answering = [each for each in holding if chances.get(each.atom.atom_id, 1.0) >= enough]
    return next(iter(answering if answering or of_a_time else holding), None)


def _from_then(question: str, newer: Atom, day: str) -> str:
    if says(newer.content, day):
        return ""
    return say(question, "planned" if newer.valid_from is None else "from", day)


def leads_of(question: str, told: Sequence[Selected], chances: Mapping[str, float]) -> dict[str, str]:
    """Return, by id, the beginnings of sentences where one has replaced a part of another, or where it is uncertain whether it
    ended it: both are told, in the language of the question. One that names the time of the change itself needs no other."""
    leads: dict[str, str] = {}
    by_id = {selected.atom.atom_id: selected for selected in told}
    for each in told:
        holding, newer = by_id.get(each.after or ""), by_id.get(each.outdated_by or "")
        if holding is not None:
            leads[each.atom.atom_id] = _from_then(question, each.atom, day_of_change(each.atom, holding.atom))
        if newer is None:
            continue
        day = day_of_change(newer.atom, each.atom)
        if not _alone_answers(each, by_id, chances):
            since = "" if says(newer.atom.content, day) else say(question, "since", day)
            before = say(question, "before in part" if each.in_part else "before")
            leads |= {newer.atom.atom_id: since, each.atom.atom_id: before}
        elif newer.atom.atom_id not in leads:
            leads[newer.atom.atom_id] = say(question, "in part" if each.in_part else "perhaps", day)
    return leads
