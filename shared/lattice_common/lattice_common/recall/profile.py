"""Who the owner is, as far as memory knows it now: lasting facts, and those of the last four weeks.

Both halves hold current statements only: not superseded, doubted by something newer, archived, over, wished or supposed; and of
two that fill one slot the later one. What documents say about the owner is included and marked. No language model, and no search:
a few columns, and one or two hundred memories that are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from lattice_common.domain.atom import Atom, Category
from lattice_common.domain.capture import AUTO_SAVE
from lattice_common.domain.decay import decayed, decayed_each
from lattice_common.domain.last_said import said_at
from lattice_common.domain.score import SECONDS_PER_DAY
from lattice_common.domain.status import NUMBERS, UNDECIDED
from lattice_common.domain.token_estimate import estimated_tokens
from lattice_common.language.slots import Claim, claims_by, contest
from lattice_common.ports.catalogue import CatalogueReader, Columns
from lattice_common.recall.in_review import in_review

ABOUT = ("fact", "preference", "habit", "goal", "belief", "decision", "instruction")
"""Kinds that say who somebody is, in this order."""
OF_LATE = (*ABOUT, "event", "reminder", "count")
"""Kinds that say what is going on."""
CATEGORIES: tuple[Category, ...] = ("fact", "preference", "instruction", "context")

STANDING = ("residence", "employer", "job", "status")
"""Slots of a person whose last value is lasting, though it was told as an event: "I moved to Lisbon"."""
SLOT_ATOMS = 8

WEEKS = timedelta(days=28)
"""What was said within this time is recent; older statements have held for long."""
CONFIDENT = 0.5
"""Least current confidence of a lasting fact. A statement of how things are that was told once keeps it for three and a half
years."""
READ = 2
"""Memories read for each that may be shown: some are doubted, or fill the slot of another."""
DOUBTS = 2_000
"""Pairs in review that are read, newest first."""
LASTING_SHARE = 2 / 3
"""Share of a budget of tokens for lasting facts; the other half gets what they leave."""
LINE_TOKENS = 8
"""Tokens of a line besides its words: a bullet, its date, whether it was stated."""

Origin: TypeAlias = Literal["stated", "learned"]
Mask: TypeAlias = npt.NDArray[np.bool_]
Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One current statement. `origin`: the owner said it, or a document says it of them. `since`: from when on it holds, as far
    as is known."""

    atom: Atom
    origin: Origin
    since: datetime
    confidence: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Two halves, each by category in the order of `CATEGORIES`; `left_out` counts lines that did not fit, `tokens` is the
    estimate for the rest."""

    lasting: Mapping[Category, Sequence[ProfileLine]]
    recent: Mapping[Category, Sequence[ProfileLine]]
    tokens: int
    left_out: int

    def by_kind(self) -> list[tuple[str, list[Atom]]]:
        """Return the lines of both halves under the kinds that say who somebody is."""
        lines = [line.atom for half in (self.lasting, self.recent) for of_category in half.values() for line in of_category]
        groups = [(kind, [atom for atom in lines if atom.kind == kind]) for kind in ABOUT]
        return [(kind, atoms) for kind, atoms in groups if atoms]


def profile(catalogue: CatalogueReader, now: datetime, *, limit: int, tokens: int | None = None) -> Profile:
    """Return at most `limit` lines of a category in each half, and no more than about `tokens` tokens of them in all, where that
    is given."""
    columns = catalogue.columns()
    rows = _current(columns, now)
    sure = _sure(columns, rows, now)
    worth = columns.importance[rows] * columns.quality[rows] * (0.5 + sure)
    old = columns.observed_at[rows] <= (now - WEEKS).timestamp()
    # A recent statement may be lasting, too, when it was confirmed: that is recorded in the memories themselves.
    pool = _best(columns, rows, worth, (sure >= CONFIDENT) & old, ABOUT, limit * READ)
    young = _best(columns, rows, worth, ~old, OF_LATE, limit * READ)
    filled = [atom.atom_id for slot in STANDING for atom in catalogue.with_slot(f"{slot}|me|", limit=SLOT_ATOMS)]
    shown = np.zeros(columns.count + 1, dtype=bool)
    shown[rows] = True
    places = (min(columns.row_of.get(atom_id, columns.count), columns.count) for atom_id in filled)
    holds = [row for row in places if shown[row]]
    doubted = {older for _, older in in_review(catalogue, now, DOUBTS)}
    found = catalogue.get([columns.atom_ids[row] for row in dict.fromkeys([*holds, *pool, *young])])
    lines = [_line(atom, now) for atom in _uncontested((atom for atom in found if atom.atom_id not in doubted), now)]
    lasting, recent = _grouped(lines, limit, _lasts(now)), _grouped(lines, limit, _is_of_late(now))
    return _within(lasting, recent, tokens)


def _current(columns: Columns, now: datetime) -> Rows:
    """Return the rows that are current, of the owner's own words or learned about them."""
    rows = np.arange(columns.count)
    over = columns.valid_until[rows] < now.timestamp()
    unsaid = np.isin(columns.status[rows], [NUMBERS[status] for status in UNDECIDED])
    was = (columns.status[rows] == NUMBERS["past"]) & np.isin(columns.kind[rows], _numbers(columns, ABOUT))
    there = columns.alive[rows] & ~columns.superseded[rows] & ~columns.archived[rows]
    held: Mask = there & ~over & ~unsaid & ~was & ((columns.trust[rows] == 0) | columns.learned[rows])
    return np.asarray(rows[held], dtype=np.int64)


def _sure(columns: Columns, rows: Rows, now: datetime) -> npt.NDArray[np.float64]:
    age = (now.timestamp() - columns.observed_at[rows]) / SECONDS_PER_DAY
    return decayed_each(columns.confidence[rows].astype(np.float64), columns.persistence[rows], age)


def _best(
    columns: Columns, rows: Rows, worth: npt.NDArray[np.floating], among: Mask, kinds: Sequence[str], most: int
) -> list[int]:
    """Return rows of each kind, the most valuable first."""
    best: list[int] = []
    places = np.flatnonzero(among)
    kind = columns.kind[rows[places]]
    for number in _numbers(columns, kinds):
        of_kind = places[kind == number]
        if len(of_kind) > most:  # sorting all of 100,000 would take longer than all the rest
            of_kind = of_kind[np.argpartition(-worth[of_kind], most)[:most]]
        best += rows[of_kind[np.lexsort((-rows[of_kind], -worth[of_kind]))]].tolist()
    return best


def _numbers(columns: Columns, kinds: Sequence[str]) -> list[int]:
    return [columns.kinds[kind] for kind in kinds if kind in columns.kinds]


def _uncontested(atoms: Iterable[Atom], now: datetime) -> list[Atom]:
    """Return the atoms without those that another of them makes untrue, because it fills the same slot and was said later: a
    store may hold both where an earlier version did not see it. What the owner stated ranks above what was learned about them,
    and what they told above what a program saved of their sessions by itself. What is only going to hold contests nothing."""
    kept = list(atoms)
    order = sorted(kept, key=lambda atom: (_origin(atom) == "stated", not _saved_by_itself(atom), said_at(atom)), reverse=True)
    standing: dict[str, dict[Claim, None]] = {}
    gone: set[str] = set()
    for atom in order:
        claims = claims_by(atom)
        sought = [(claim, key) for claim in claims for key in claim.sought]
        if any(contest(newer, claim) == "retire" for claim, key in sought for newer in standing.get(key, ())):
            gone.add(atom.atom_id)
            continue
        for claim in claims if atom.valid_from is None or atom.valid_from <= now else ():
            for key in claim.keys:
                standing.setdefault(key, {})[claim] = None
    return [atom for atom in kept if atom.atom_id not in gone]


def _saved_by_itself(atom: Atom) -> bool:
    return atom.metadata.get("channel") == AUTO_SAVE


def _line(atom: Atom, now: datetime) -> ProfileLine:
    confidence = round(decayed(atom.confidence, atom.persistence, now - said_at(atom)), 3)
    started = atom.valid_from if atom.valid_from is not None and atom.valid_from <= now else atom.observed_at
    return ProfileLine(atom, _origin(atom), started, confidence)


def _origin(atom: Atom) -> Origin:
    return "stated" if atom.trust == "user" else "learned"


def _lasts(now: datetime) -> Callable[[ProfileLine], bool]:
    def lasts(line: ProfileLine) -> bool:
        atom = line.atom
        semantic = atom.tier == "semantic" or atom.memory_type != "episodic"
        confirmed = said_at(atom) > atom.observed_at or atom.quality_score > 1.0 or atom.extractor == "user"
        held = now - atom.observed_at >= WEEKS
        says_how_it_is = (atom.kind in ABOUT and semantic) or _is_standing(atom)
        return says_how_it_is and line.confidence >= CONFIDENT and (confirmed or held)

    return lasts


def _is_standing(atom: Atom) -> bool:
    claims = claims_by(atom)
    return any(claim.slot in STANDING and claim.holder == "me" and claim.current and not claim.denies for claim in claims)


def _is_of_late(now: datetime) -> Callable[[ProfileLine], bool]:
    lasts = _lasts(now)
    return lambda line: now - said_at(line.atom) < WEEKS and not lasts(line)


def _grouped(
    lines: Sequence[ProfileLine], limit: int, belongs: Callable[[ProfileLine], bool]
) -> dict[Category, list[ProfileLine]]:
    chosen = [line for line in lines if belongs(line)]
    groups = {category: [line for line in chosen if line.atom.category == category][:limit] for category in CATEGORIES}
    return {category: of_it for category, of_it in groups.items() if of_it}


def _within(lasting: dict[Category, list[ProfileLine]], recent: dict[Category, list[ProfileLine]], budget: int | None) -> Profile:
    """Return the halves cut to a budget: first each category's first line, then its second, and so on."""
    wanted = _tokens(recent)
    share = None if budget is None else max(int(budget * LASTING_SHARE), budget - wanted)
    kept = _fitting(lasting, share)
    rest = None if budget is None else budget - _tokens(kept)
    also = _fitting(recent, rest)
    left_out = _count(lasting) + _count(recent) - _count(kept) - _count(also)
    return Profile(kept, also, _tokens(kept) + _tokens(also), left_out)


def _fitting(groups: Mapping[Category, list[ProfileLine]], budget: int | None) -> dict[Category, list[ProfileLine]]:
    if budget is None:
        return dict(groups)
    kept: dict[Category, list[ProfileLine]] = {category: [] for category in groups}
    deepest = max((len(lines) for lines in groups.values()), default=0)
    for depth in range(deepest):
        for category, lines in groups.items():
            if depth < len(lines) and (cost := _cost(lines[depth])) <= budget:
                kept[category].append(lines[depth])
                budget -= cost
    return {category: lines for category, lines in kept.items() if lines}


def _cost(line: ProfileLine) -> int:
    return estimated_tokens(line.atom.content) + LINE_TOKENS


def _tokens(groups: Mapping[Category, Sequence[ProfileLine]]) -> int:
    return sum(_cost(line) for lines in groups.values() for line in lines)


def _count(groups: Mapping[Category, Sequence[ProfileLine]]) -> int:
    return sum(len(lines) for lines in groups.values())
