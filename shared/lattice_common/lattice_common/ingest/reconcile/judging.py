"""The judge's verdict on a new statement and the known ones near it: certainly outdated, likely outdated, perhaps affected, or
none of these.

The rules of `supersession` are certain where they match; the judge knows the sentences that no rule covers. It is shown
statements found by meaning, by words and by subject, not only those with similar names of subjects, and nothing that trust, time,
authorship or status forbid.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Literal, TypeAlias

from lattice_common.domain.atom import Atom, is_ahead
from lattice_common.domain.judgement import Relatedness
from lattice_common.domain.replacement import replaced_by
from lattice_common.domain.status import may_settle, raises_doubt
from lattice_common.ingest.reconcile.ledger import Ledger
from lattice_common.ingest.reconcile.supersession import is_newer, rank
from lattice_common.ingest.reconcile.utterance import Utterance, utterances
from lattice_common.language.claims.as_said import as_news, as_said
from lattice_common.language.claims.correction import as_correction, corrects
from lattice_common.language.claims.happenings import both_happened, is_followed, is_over, says_that_it_came
from lattice_common.language.claims.instructed import is_instruction
from lattice_common.language.claims.lasting import is_lasting
from lattice_common.language.claims.other_value import has_another_value
from lattice_common.language.claims.passing import comes_back, is_passing
from lattice_common.language.claims.told_apart import are_told_apart, is_of_another_name
from lattice_common.language.claims.unaffected import leaves_as_it_was
from lattice_common.language.glosses.recognition import is_in_latin_letters
from lattice_common.language.patterns import lazy_regex
from lattice_common.language.slots import author_of
from lattice_common.ports.embedder import Vectors
from lattice_common.ports.judge import Judge

MOST_JUDGED = 24
"""Known statements that one new statement is compared with. Of 300 updates in other words told to a memory of 300 statements, the
old one was among the nearest 24 in 89 % (among 12: 82 %)."""

MOST_PAIRS, FEWEST_JUDGED = 240, 2
"""Pairs that are judged for one part, and the least number for each of its statements: a long text must not hold the writer up
for more than a second or two."""

MOST_ASKED = 2
"""Older statements, the likeliest ones, that the owner is asked about for one new statement."""

MOST_PRECEDED = 3
"""Older statements, the likeliest ones, that one new statement is merely ranked before."""

HINTS, SAID_AGAIN = 0.1, 0.5
"""Probability of `updates` that one statement of an utterance must have alone for the whole to count, and of `same` from which it
repeats the known one: two statements that have nothing to do with each other sound like news together."""

ALONE = 0.2
"""Probability of `updates` that a pair must have alone for its owner to be asked: "The roofer is called Castellano." stands out
beside two other trades (0.08)."""

SURE_ALONE = 0.7
"""Likewise, for the older statement to be retired: in a memory of statements that have nothing to do with each other "Ported my
number to O2" stands out beside "My PIN for the alarm is 4471." (0.58). Of 81 statements that news ended in twelve lives of dev,
and that were retired, the least sure had 0.76."""

LONGEST = 400
"""Characters of a statement that is judged; longer ones are passages."""

_NO_STATEMENTS = frozenset(("question", "recommendation", "insight", "synthesis"))
"""Kinds that say nothing about how things are, or were concluded by the product."""

Near: TypeAlias = Callable[[Atom, Vectors | None], Sequence[str]]
"""Returns the ids of known atoms that a new one may affect, the likeliest first."""


Likeness: TypeAlias = Callable[[Atom, Atom], float]
"""Returns the cosine by which `near` found one of two atoms for the other; 0 where words alone did."""


Verdict: TypeAlias = Literal["retire", "ask", "precede"]
"""`retire`: the older statement no longer holds; `ask`: its owner is asked whether it does; `precede`: it is merely ranked after
the newer one where both are found."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of `older` because of `newer`."""

    older: Atom
    newer: Atom
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Read:
    """A pair as the judge reads it. `found`: the two statements; `said`: these two, or `older` and all that was said with
    `newer`, whichever is surer; `ended`: the probability that `newer` ends `older`, beside all else that was compared; `passing`:
    the sentence that `newer` is of says that how it was comes back."""

    older: Atom
    newer: Atom
    found: Relatedness
    said: Relatedness
    ended: float = 0.0
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Boundaries:
    """Probabilities that a newer statement ends an older one: from `certain` on the older is retired, from `likely` on its owner
    is asked, from `perhaps` on the newer one is ranked first. Where the judge gives the pair alone less than `refuted`, it
    overrules a rule that would retire the older one."""

    certain: float
    likely: float
    perhaps: float = 1.0
    refuted: float = 0.0


@dataclass(frozen=True, slots=True)
class Judging:
    """The judge, its boundaries, and the function that finds what it is shown."""

    judge: Judge
    boundaries: Boundaries
    near: Near
    likeness: Likeness

    def shown(self, atom: Atom, others: Sequence[Atom]) -> list[tuple[Atom, Atom]]:
        """Return (older, newer) for each of `others` that may be judged beside `atom`; empty for a statement that may not."""
        pairs = [(other, atom) if is_newer(atom, other) else (atom, other) for other in others]
        return [(older, newer) for older, newer in pairs if may_outdate(newer, older)][:MOST_JUDGED]

    def read(self, beside: Mapping[str, Sequence[tuple[Atom, Atom]]], atoms: Sequence[Atom]) -> list[Read]:
        """Return what the judge makes of the pairs (older, newer) shown for each of `atoms`, by id: in one call, and one more for
        each utterance that hints at ending something."""
        pairs = [pair for shown in beside.values() for pair in shown]
        if not pairs:
            return []
        found = self.judge.relations([(as_said(older), as_news(newer)) for older, newer in pairs])
        rows = [Read(older, newer, each, each) for (older, newer), each in zip(pairs, found, strict=True)]
        own = {atom.atom_id for atom in atoms}
        by_newer: dict[str, list[Read]] = {}
        for row in rows:
            by_newer.setdefault(row.newer.atom_id, []).append(row)
        read: list[Read] = []
        for utterance in utterances(atoms):
            of_statements = [row for atom in utterance.atoms for row in by_newer.pop(atom.atom_id, ())]
            read += self._read_whole(utterance, of_statements)
        for newer_id, alone in by_newer.items():
            alike = [self.likeness(row.newer, row.older) for row in alone]
            ended = self.judge.ends([row.found for row in alone], alike, whole=newer_id in own)
            read += [replace(row, ended=each) for row, each in zip(alone, ended, strict=True)]
        return read

    def _read_whole(self, utterance: Utterance, rows: Sequence[Read]) -> list[Read]:
        """Return the rows of an utterance's statements, where one of each older statement, the likeliest, is read as if all that
        was said had been said by it, and the others end nothing."""
        by_older: dict[str, list[Read]] = {}
        for row in rows:
            by_older.setdefault(row.older.atom_id, []).append(row)
        olders = sorted(by_older.values(), key=lambda group: -max(row.found.updates for row in group))[:MOST_JUDGED]
        if not olders:
            return []
        said = self._said(utterance, olders)
        best = [max(group, key=lambda row: (may_settle(row.newer.status), row.found.updates)) for group in olders]
        surest = [max((*whole, *(row.found for row in group)), key=_updates) for group, whole in zip(olders, said, strict=True)]
        alike = [max(self.likeness(row.newer, row.older) for row in group) for group in olders]
        ended = self.judge.ends(surest, alike)
        chosen = {id(row) for row in best}
        passing = [each for each in utterance.sentences if comes_back(each)]
        read = [
            replace(row, said=found, ended=p, passing=any(row.newer.source_quote in each for each in passing))
            for row, found, p in zip(best, surest, ended, strict=True)
        ]
        return read + [row for row in rows if id(row) not in chosen]

    def _said(self, utterance: Utterance, olders: Sequence[Sequence[Read]]) -> list[list[Relatedness]]:
        """Return how the words of the utterance read beside each older statement: a sentence of several statements as it was
        said, and all that was said where one of its statements hints at the older one."""
        texts = [(set(map(id, olders)), as_correction(sentence)) for sentence in utterance.sentences]
        if (whole := utterance.said) not in utterance.sentences:
            texts.append(({id(group) for group in olders if _is_hinted_at(group)}, as_correction(whole)))
        places = [place for place, group in enumerate(olders) for beside, _ in texts if id(group) in beside]
        pairs = [(as_said(group[0].older), text) for group in olders for beside, text in texts if id(group) in beside]
        read: list[list[Relatedness]] = [[] for _ in olders]
        for place, found in zip(places, self.judge.relations(pairs) if pairs else (), strict=True):
            read[place].append(found)
        return read

    def is_of_one_topic(self, one: Atom, other: Atom) -> bool:
        """Return whether two known statements speak of the same thing, as what one piece of news ends does."""
        (found,) = self.judge.relations([(as_said(one), as_said(other))])
        return found.is_of_one_topic

    def refuted(self, pairs: Sequence[tuple[Atom, Atom]]) -> list[tuple[Atom, Atom]]:
        """Return the pairs (newer, older) of which the judge is sure that the newer leaves the older as it is."""
        pairs = [pair for pair in pairs if _is_read(*pair)]
        if not pairs:
            return []
        found = self.judge.relations([(as_said(older), as_news(newer)) for newer, older in pairs])
        return [pair for pair, relatedness in zip(pairs, found, strict=True) if relatedness.updates < self.boundaries.refuted]


def _is_hinted_at(group: Sequence[Read]) -> bool:
    """Return whether one of an utterance's statements hints at ending an older one, and none repeats it: then the whole counts,
    where it is surer."""
    alone = [row.found for row in group]
    return max(map(_updates, alone)) >= HINTS and max(found.same for found in alone) < SAID_AGAIN


def _updates(found: Relatedness) -> float:
    return found.updates


def _is_read(newer: Atom, older: Atom) -> bool:
    return is_in_latin_letters(newer.content) and is_in_latin_letters(older.content)


def may_outdate(newer: Atom, older: Atom) -> bool:
    """Return whether `newer` is in a position to say that `older` no longer holds, in letters that the judge reads."""
    if newer.capture_id == older.capture_id or older.is_superseded or newer.is_superseded:
        return False  # statements of one turn are meant to stand side by side
    if newer.trust not in ("user", "assistant") or rank(newer) > rank(older):
        return False
    if author_of(newer) != author_of(older) or not is_newer(newer, older):
        return False
    if newer.kind in _NO_STATEMENTS or older.kind in _NO_STATEMENTS:
        return False
    if not _is_read(newer, older) or are_told_apart(newer.content, older.content):
        return False
    if leaves_as_it_was(newer.content, older.content) or _was_over_long_before(newer, older):
        return False
    if both_happened(as_said(newer), as_said(older)) or _is_next_event(newer, older) or _came_true(newer, older):
        return False
    return len(newer.content) <= LONGEST and len(older.content) <= LONGEST


LONG_BEFORE = timedelta(days=365)


def _was_over_long_before(newer: Atom, older: Atom) -> bool:
    """Return whether what is told was over a year before the older statement was made, which knew of it: "The choir was founded
    in 1926" does not end "The choir is led by Gareth Lloyd"."""
    if newer.kind != "event" or newer.valid_from is None or _GOES_ON_FROM.match(newer.date_phrase or ""):
        return False
    return newer.valid_from < older.observed_at - LONG_BEFORE


_GOES_ON_FROM = lazy_regex(r"(?:since|from|starting|seit|ab|depuis|desde|dal?|od|sinds)\b", re.IGNORECASE)


def _has_gone_by(newer: Atom, older: Atom) -> bool:
    """Return whether the older one is an event whose day had come when the newer was told: nobody needs to be asked whether
    "Freya home till the 12th" still holds in June. What only began on that day may go on."""
    end = older.valid_until or older.valid_from
    if older.kind != "event" or end is None or _GOES_ON_FROM.match(older.date_phrase or ""):
        return False
    return end + timedelta(days=1) <= newer.observed_at


def _came_true(newer: Atom, older: Atom) -> bool:
    """Return whether the older one was to come when it was told, its day has come, and the newer only says so."""
    day = older.valid_from
    if day is None or not older.observed_at < day <= newer.observed_at:
        return False
    return says_that_it_came(as_said(newer), as_said(older))


def _is_next_event(newer: Atom, older: Atom) -> bool:
    """Return whether both are events, and the older one was over when it was told: another date is that of another."""
    over = older.valid_from is not None and older.valid_from < older.observed_at
    return over and newer.kind == older.kind == "event" and is_followed(as_said(newer), as_said(older))


def decide(read: Iterable[Read], judging: Judging) -> Iterator[Decision]:
    """Yield what pairs come to, the surest first: of two newer statements that outdate one, the surer is named.

    What is only going to hold, or only wished, supposed, joked or said by others, retires nothing, and of the latter nothing is
    asked; what takes back something that it does not name, and what would surely end an
    allergy or the like, is asked about; what corrects a word of the older statement in so many words needs no judge. One
    piece of news ends one thing, however often that was said: beside the surest, only what is of its topic, or was said in
    one go with it, is retired or asked about. Before what is not likely enough for that, and of its topic, it is merely ranked.
    """
    surest: dict[str, Atom] = {}
    given: Counter[tuple[str, Verdict]] = Counter()
    done: set[str] = set()
    for row in sorted(read, key=lambda row: -row.ended):
        older, newer = row.older, row.newer
        if older.is_superseded and _is_likely(row, judging):
            surest.setdefault(newer.atom_id, older)  # by a rule, a moment ago
        if older.is_superseded or newer.is_superseded or older.atom_id in done or newer.atom_id in done:
            continue
        verdict = _verdict(row, judging)
        if verdict in ("retire", "ask"):
            first = surest.setdefault(newer.atom_id, older)
            if first is not older and not _ends_both(first, row, judging):
                verdict = "precede"
        if verdict == "retire":
            done.add(older.atom_id)
        if verdict == "ask" and given[newer.atom_id, verdict] == MOST_ASKED:
            verdict = "precede"
        if verdict is not None and (verdict != "precede" or given[newer.atom_id, verdict] < MOST_PRECEDED):
            given[newer.atom_id, verdict] += 1
            yield Decision(older, newer, verdict)


def _is_likely(row: Read, judging: Judging) -> bool:
    """Return whether the owner may be asked about the pair: what hardly ever ends takes as much as retiring another does."""
    boundaries = judging.boundaries
    boundary = boundaries.certain if _hardly_ends(row) else boundaries.likely
    return row.ended >= boundary and row.said.updates >= ALONE


def _hardly_ends(row: Read) -> bool:
    return is_lasting(row.older.content) or is_over(as_said(row.older), as_said(row.newer))


def _verdict(row: Read, judging: Judging) -> Verdict | None:
    """Return what a pair comes to by itself."""
    older, newer = row.older, row.newer
    sure = row.ended >= judging.boundaries.certain and row.said.updates >= SURE_ALONE
    retires = not (row.passing or is_passing(newer.content)) and as_news(newer) == as_said(newer) and not _hardly_ends(row)
    holds = may_settle(newer.status) and not is_ahead(newer, older, newer.observed_at)
    if holds and ((sure and retires) or corrects(newer.content, older.content)):
        return "retire"
    in_doubt = raises_doubt(newer.status) or (newer.status == "quoted" and is_instruction(newer.content))
    likely = (_is_likely(row, judging) and not _has_gone_by(newer, older)) or has_another_value(as_said(newer), as_said(older))
    if likely and in_doubt and raises_doubt(older.status):
        return "ask"
    return "precede" if row.ended >= judging.boundaries.perhaps and row.said.is_of_one_topic else None


def _ends_both(first: Atom, row: Read, judging: Judging) -> bool:
    """Return whether the news that ends `first` may end another statement with it: one of the same thing, or of the same
    saying, or one that it corrects in so many words; not one about somebody else than it and `first` name."""
    other = row.older
    if is_of_another_name(row.newer.content, first.content, other.content):
        return False
    of_one_saying = first.capture_id == other.capture_id and first.segment_id == other.segment_id
    return of_one_saying or corrects(row.newer.content, other.content) or judging.is_of_one_topic(first, other)


def settle_judged(atom: Atom, read: Sequence[Read], judging: Judging, ledger: Ledger) -> list[tuple[Atom, Atom]]:
    """Retire what is certainly outdated, relate what is perhaps affected, and return the pairs (newer, older) that are likely
    outdated. `atom` is one of both in each pair."""
    now = [replace(row, older=ledger.now(row.older), newer=ledger.now(row.newer)) for row in read]
    likely: list[tuple[Atom, Atom]] = []
    for each in decide(now, judging):
        older, newer = ledger.now(each.older), ledger.now(each.newer)
        if each.verdict == "retire":
            ledger.hold_true(newer)
            ledger.supersede(older, ledger.now(newer), replaced_by(newer.content))
        elif each.verdict == "ask" and ledger.is_new(atom):
            likely.append((newer, older))
        elif each.verdict == "precede":
            ledger.precede(newer, older)
    return likely
