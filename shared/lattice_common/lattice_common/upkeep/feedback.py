"""The effects of verdicts: thumbs up, thumbs down, wrong.

A verdict changes the quality of the memories that an answer cited, `wrong` twice as much as `down`, and `wrong` lists them until
they are corrected. With a thumb up, memories that were shown and not cited lose a little. Each answer counts once: its last
verdict. A verdict is carried out as a change like any other, and can be undone. Nothing else changes quality.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from lattice_common.domain.atom import Atom
from lattice_common.domain.capture import JsonValue, RateAtoms
from lattice_common.domain.feedback import Verdict
from lattice_common.domain.receipt import AtomChange
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.ports.clock import Clock
from lattice_common.ports.line_log import LineLog
from lattice_common.upkeep.usage import moment_of

STEPS: Mapping[Verdict, float] = {"up": 0.1, "down": -0.1, "wrong": -0.2}
IGNORED = -0.05
"""The effect of a thumb up on memories that were shown, and not cited."""
LOWEST, HIGHEST = 0.1, 2.0
LOOKED_BACK = 5_000
"""Lines that are searched for an answer, or for what was called wrong."""


@dataclass(frozen=True, slots=True)
class ToCorrect:
    """A memory that was called wrong, and still says the same."""

    atom: Atom
    at: datetime
    trace_id: str | None


@dataclass(frozen=True, slots=True)
class Given:
    """The verdict that stands on an answer; an undo of `change_id` takes it back, where it changed something."""

    verdict: Verdict
    change_id: str | None


@dataclass(frozen=True, slots=True)
class FeedbackGiven:
    """The result of a verdict; `change_id` undoes it where it changed something."""

    verdict: Verdict
    atoms: tuple[Atom, ...]
    change_id: str | None


def rated(rating: RateAtoms, atoms: Sequence[Atom]) -> tuple[AtomChange, ...]:
    """Return the changes of a thumb: none for what is at its end already."""
    changes = []
    for atom in atoms:
        step = rating.steps.get(atom.atom_id, rating.step)
        moved = atom.quality_score + (step if isinstance(step, (int, float)) else rating.step)
        after = round(min(HIGHEST, max(LOWEST, moved)), 2)
        if after != atom.quality_score:
            changes.append(AtomChange(atom.atom_id, {"quality_score": atom.quality_score}, {"quality_score": after}))
    return tuple(changes)


def rating_of(
    log: LineLog, verdict: Verdict, atoms: Sequence[Atom], ignored: Sequence[Atom], trace_id: str | None
) -> RateAtoms | None:
    """Return the change of a verdict on an answer, given the earlier verdict on the same answer; None where there is none."""
    counted = _counted(log, trace_id, [*atoms, *ignored]) if trace_id else {}
    steps: dict[str, JsonValue] = {
        atom_id: round(whole - counted.get(atom_id, 0.0), 2) for atom_id, whole in _whole(verdict, atoms, ignored).items()
    }
    moving = {atom_id: step for atom_id, step in steps.items() if step}
    return RateAtoms(tuple(moving), STEPS[verdict], moving) if moving else None


def _whole(verdict: Verdict, atoms: Sequence[Atom], ignored: Sequence[Atom]) -> dict[str, float]:
    """Return how far a verdict moves each memory that an answer showed, whatever was said of the answer before."""
    beside = IGNORED if verdict == "up" else 0.0
    return {atom.atom_id: beside for atom in ignored} | {atom.atom_id: STEPS[verdict] for atom in atoms}


def _counted(log: LineLog, trace_id: str, atoms: Sequence[Atom]) -> dict[str, float]:
    """Return how much the last verdict on an answer changed each of its memories. One that was undone is ignored: then the
    memory's quality is what it was before it."""
    counted: dict[str, float] = {}
    for line in islice(log.newest(), LOOKED_BACK):
        before, said, whole = line.get("quality"), line.get("verdict"), line.get("steps")
        if line.get("trace_id") != trace_id or not line.get("change_id") or not isinstance(before, dict):
            continue
        for atom in atoms:
            if before.get(atom.atom_id, atom.quality_score) != atom.quality_score and atom.atom_id not in counted:
                moved = whole.get(atom.atom_id) if isinstance(whole, dict) else None
                counted[atom.atom_id] = moved if isinstance(moved, float) else STEPS[_verdict(said)]
    return counted


def _verdict(said: JsonValue) -> Verdict:
    return next((name for name in STEPS if name == said), "down")


def judge(
    log: LineLog,
    clock: Clock,
    verdict: Verdict,
    atoms: Sequence[Atom],
    ignored: Sequence[Atom],
    trace_id: str | None,
    change_id: str | None,
) -> None:
    """Write a verdict down. Raise `Unavailable` (507) when the disk takes no line."""
    log.append(
        [
            {
                "ts": clock.now().isoformat(),
                "trace_id": trace_id,
                "atom_ids": [atom.atom_id for atom in atoms],
                "verdict": verdict,
                "change_id": change_id,
                "quality": {atom.atom_id: atom.quality_score for atom in (*ignored, *atoms)},
                "steps": dict(_whole(verdict, atoms, ignored)),
                "hashes": {atom.atom_id: atom.content_hash for atom in atoms},
            }
        ]
    )


def given(log: LineLog, trace_ids: Collection[str], since: datetime) -> dict[str, Given]:
    """Return the verdicts that stand on answers, by their traces; `since` is when the first of these was given."""
    undone: set[str] = set()
    found: dict[str, Given] = {}
    for line in islice(log.newest(), LOOKED_BACK):
        moment, trace_id, change_id = moment_of(line), line.get("trace_id"), line.get("change_id")
        if moment is not None and moment < since:
            break
        if isinstance(line.get("undone"), str):
            undone.add(str(line["undone"]))
        elif isinstance(trace_id, str) and trace_id in trace_ids and line.get("verdict") in STEPS and change_id not in undone:
            found.setdefault(trace_id, Given(_verdict(line["verdict"]), change_id if isinstance(change_id, str) else None))
    return found


def cited_by(usage: LineLog, trace_id: str) -> list[str]:
    """Return the memories that an answer cited; empty when it is not known any more."""
    return _noted(usage, trace_id, "atom_ids")


def shown_beside(usage: LineLog, trace_id: str) -> list[str]:
    """Return the memories that an answer showed and did not cite; empty when it is not known any more."""
    return _noted(usage, trace_id, "beside")


def _noted(usage: LineLog, trace_id: str, name: str) -> list[str]:
    for line in islice(usage.newest(), LOOKED_BACK):
        if line.get("trace_id") == trace_id:
            found = line.get(name)
            return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []
    return []


def to_correct(log: LineLog, catalogue: CatalogueReader, limit: int) -> list[ToCorrect]:
    """Return memories that were called wrong and are unchanged, newest first. What was edited, superseded or deleted since counts
    as corrected, and a verdict that was undone as none."""
    wrong: dict[str, list[tuple[datetime, Mapping[str, JsonValue]]]] = {}
    for line in islice(log.newest(), LOOKED_BACK):
        hashes, moment = line.get("hashes"), moment_of(line)
        if line.get("verdict") == "wrong" and isinstance(hashes, dict) and moment:
            for atom_id in hashes:
                wrong.setdefault(atom_id, []).append((moment, line))
    found = []
    for atom in catalogue.get(list(wrong)):
        standing = ((moment, line.get("trace_id")) for moment, line in wrong[atom.atom_id] if _stands(line, atom))
        for moment, trace_id in islice(standing, 1):
            found.append(ToCorrect(atom, moment, trace_id if isinstance(trace_id, str) else None))
    return sorted(found, key=lambda each: each.at, reverse=True)[:limit]


def _stands(line: Mapping[str, JsonValue], atom: Atom) -> bool:
    """Return whether a memory still says what was called wrong, by a verdict that was not undone: then its quality would be no
    lower than it was before, unless that is as low as it can be."""
    hashes, before = line.get("hashes"), line.get("quality")
    said = hashes.get(atom.atom_id) if isinstance(hashes, dict) else None
    quality = before.get(atom.atom_id) if isinstance(before, dict) else None
    lowered = not isinstance(quality, (int, float)) or quality == LOWEST or atom.quality_score < quality
    return said == atom.content_hash and not atom.is_superseded and lowered
