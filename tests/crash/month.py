"""A month of a memory, simulated: `python -m tests.crash.month [--seed N] [--days 30]` (`make month`).

Each day has some sessions of the product, each in a process of its own: told, changed, edited by hand, forgotten, asked; under a
clock that is right, or wrong by up to years in either direction; with the language model there or away; cut short by a kill at
any call that changes the disk, by the power, by a full disk or a disk that fails. Hands change files while nothing runs.

Each night the store is looked at: it opens, the doctor finds nothing, every thing that was told is where it must be and once, in
the words that it was given last; what was said last of the owner's home holds; what was forgotten is in no byte of any file and
of any backup; there is a backup of the day. After the last day a backup is restored, and a rebuild gives the same state.

The seed is printed first. Threads run as they like, so a seed gives nearly the same month again, not surely.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from lattice_common.adapters.steady_time import CAUGHT_UP_WITHIN

from tests.crash import faults
from tests.crash.faults import KILLED, Fault
from tests.crash.month_life import Action, Life, State
from tests.crash.points import in_child, tail, warmed

CLOCKS = tuple(
    timedelta(**{unit: sign * count})
    for unit, counts in (("seconds", (30,)), ("hours", (1, 20)), ("days", (1, 3, 40, 400)))
    for count in counts
    for sign in (1, -1)
)
COLD_START = timedelta(days=-57 * 365)
"""A machine without a battery shows 1970."""
BEFORE_RELEASE = timedelta(days=100)
"""A clock that is put back further shows a time before this version was there, and is not followed."""
WRONG_CLOCK, MODEL_AWAY, FAULTY, LET_DIE, UNWAITED = 0.25, 0.3, 0.55, 0.1, 0.3
"""How often each happens in a session; the last, how often what is told is not waited for."""
LAST_CALL = 700
"""Of a session at which a fault strikes, the calls counted from its start; a session makes some hundreds."""
FULL_FOR = (1, 6, 60, 400)
"""Calls that need room and find none, one after the other."""
DIED = 9


@dataclass(frozen=True, slots=True)
class Session:
    """What one process does, and what it is done to."""

    number: int
    day: float
    wrong: timedelta
    model_away: bool
    fault: Fault
    at: int
    times: int
    dies: bool
    actions: tuple[Action, ...]
    unwaited: frozenset[int]


@dataclass(slots=True)
class Month:
    """A store that is lived in, in a folder below `scratch`."""

    scratch: Path
    chance: random.Random
    life: Life
    moments: list[tuple[float, float]] = field(default_factory=list)
    events: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    verbose: bool = False
    sessions: int = 0
    days: int = 0
    _was_ahead: bool = False
    """The clock, at the session before. Two starts in a row with a clock that is ahead and goes on empty the trash: how old what
    lies there is, nothing else tells."""

    @property
    def folder(self) -> Path:
        return self.scratch / "month"

    def live(self, days: int, ends: float | None = None) -> None:
        """Ends early where something is wrong (what comes after would only follow from it), and at a time where one is given."""
        self.folder.mkdir()
        for day in range(days):
            if ends is not None and time.monotonic() > ends:
                break
            self.days += 1
            for part in range(self.chance.choice((1, 2, 2, 3))):
                self._hand(day + part / 4)
                self._session(self._drawn(day + part / 4))
            self._look(day + 0.8)
            if self.findings:
                return
        self._end(self.days)

    def _drawn(self, day: float) -> Session:
        chance = self.chance
        wrong = chance.choice((*CLOCKS, COLD_START)) if chance.random() < WRONG_CLOCK else timedelta()
        if wrong > timedelta() and self._was_ahead:
            wrong = timedelta()
        self._was_ahead = wrong > timedelta()
        fault = chance.choice([each for each in Fault if each is not Fault.NONE]) if chance.random() < FAULTY else Fault.NONE
        actions = self.life.draw(chance.randrange(1, 8), day)
        if CAUGHT_UP_WITHIN < -wrong < BEFORE_RELEASE:
            # Such a clock is followed: what is told by it comes before what was told last.
            actions = [each for each in actions if each.kind != "move"]
        times = chance.choice(FULL_FOR) if fault is Fault.ENOSPC else 1
        self.sessions += 1
        return Session(
            self.sessions, day, wrong, chance.random() < MODEL_AWAY, fault, chance.randrange(1, LAST_CALL), times,
            chance.random() < LET_DIE, tuple(actions),
            frozenset(number for number in range(len(actions)) if chance.random() < UNWAITED),
        )  # fmt: skip

    def _machine(self, day: float, wrong: timedelta = timedelta()) -> Any:
        from tests.crash.month_store import Machine

        self.moments.append((time.time(), day))
        return Machine(day, wrong, tuple(self.moments))

    def _session(self, session: Session) -> None:
        machine, beside = self._machine(session.day, session.wrong), self.scratch / "beside"
        notes, report, log = self.scratch / "notes", self.scratch / "report", self.scratch / "log"
        shutil.rmtree(beside, ignore_errors=True)
        beside.mkdir()
        log.unlink(missing_ok=True)
        notes.write_bytes(b"")
        report.write_bytes(b"")
        code, _ = in_child(lambda: self._live_through(session, machine, beside, notes, report), log)
        struck = report.read_text().strip()
        self._told(session, [json.loads(line) for line in notes.read_text().splitlines()])
        self.life.clock_was_ahead |= session.wrong > timedelta()
        self.events["sessions"] += 1
        self.events["with a wrong clock"] += bool(session.wrong)
        self.events["with the model away"] += session.model_away
        if struck:
            self.events[session.fault.name] += 1
        if code in (DIED, KILLED):
            self.events["killed"] += 1
        elif code:
            self.findings.append(f"session {session.number} ended with {code}: {tail(log)}")
        if self.verbose:
            done = ", ".join(f"{each.kind} {each.token}" for each in session.actions)
            print(f"  day {session.day}: {session.fault.name} {struck}, clock {session.wrong}, ended {code}: {done}", flush=True)

    def _live_through(self, session: Session, machine: Any, beside: Path, notes: Path, report: Path) -> None:
        """In a fork."""
        from tests.crash.month_store import lived

        noting, reporting = (os.open(each, os.O_WRONLY | os.O_APPEND) for each in (notes, report))
        if session.fault is not Fault.NONE:
            faults.arm(self.folder, beside, at=session.at, fault=session.fault, report=reporting, times=session.times)
        try:
            lived(
                self.folder, machine, session.actions, lambda told: void(os.write(noting, json.dumps(told).encode() + b"\n")),
                model_away=session.model_away, unwaited=session.unwaited, dies=session.dies,
            )  # fmt: skip
        except faults_may_raise():
            if session.fault not in (Fault.EIO, Fault.ENOSPC):
                raise

    def _told(self, session: Session, notes: Sequence[dict[str, Any]]) -> None:
        """Take what the session noted."""
        for note in notes:
            action = session.actions[note["number"]]
            match note["is"]:
                case "begun":
                    self.life.began(action)
                case "done":
                    self.life.done(action, note["change"], session.day)
                case _:
                    self.life.refused(action)
                    if session.fault not in (Fault.EIO, Fault.ENOSPC):
                        self.findings.append(f"session {session.number}: {action} was refused: {note['why']}")

    def _hand(self, day: float) -> None:
        """What a hand does while nothing runs."""
        from tests.crash.month_store import laid_on

        action = self.life.hand()
        if action is not None and laid_on(self.folder, action):
            self.life.began(action)
            self.life.done(action, "", day)
            self.events["hands on a closed store"] += 1

    def _look(self, day: float) -> None:
        from tests.crash.month_store import looked_at

        machine = self._machine(day)
        code, told = in_child(lambda: looked_at(self.folder, machine, self.life), self.scratch / "log")
        if code:
            self.findings.append(f"the look on day {day} ended with {code}: {tail(self.scratch / 'log')}")
            return
        self.findings += [f"day {day}: {each}" for each in told["findings"]]
        for token, state in told["states"].items():
            self.life.seen(token, State(*state))
        if self.verbose:
            print(f"day {day}: {told['atoms']} memories, {told['moves']} moves, {told['findings']}", flush=True)

    def _end(self, days: int) -> None:
        from tests.crash.month_store import rebuilt_hash, restored

        machine, log = self._machine(days), self.scratch / "log"
        code, found = in_child(lambda: restored(self.folder, machine), log)
        self.findings += found if code == 0 else [f"a backup ended with {code}: {tail(log)}"]
        code, rebuilt = in_child(lambda: rebuilt_hash(self.folder, machine), log)
        if code or rebuilt["before"] != rebuilt["after"]:
            self.findings.append(f"a rebuild ended with {code}, {rebuilt}: {tail(log) if code else ''}")


def void(_: object) -> None:
    """Nothing."""


def faults_may_raise() -> tuple[type[BaseException], ...]:
    from lattice_common.errors import LatticeError

    return (LatticeError, OSError, AssertionError)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--months", type=int, default=1, help="one after the other, with the seeds that follow")
    parser.add_argument("--seconds", type=float, help="after which no other day begins")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--keep", type=Path, help="leave the folder here")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args(arguments)
    if why := faults.missing():
        print(f"Not run: {why}.")
        return 2
    faults.begin_again_with_faults(["-m", "tests.crash.month", *(sys.argv[1:] if arguments is None else arguments)])
    first = given.seed if given.seed is not None else random.SystemRandom().randrange(1_000_000)
    findings: list[str] = []
    reports = []
    with tempfile.TemporaryDirectory(prefix="lattice-month-") as scratch:
        warmed(Path(scratch))
        for seed in range(first, first + given.months):
            print(f"seed {seed}", flush=True)
            began = time.monotonic()
            chance = random.Random(seed)
            place = (given.keep or Path(scratch)) / f"{seed}"
            place.mkdir(parents=True)
            month = Month(place, chance, Life(chance), verbose=given.verbose)
            month.live(given.days, began + given.seconds if given.seconds else None)
            findings += [f"seed {seed}: {each}" for each in month.findings]
            print("\n".join(f"FOUND seed {seed}: {each}" for each in month.findings) or "nothing found", flush=True)
            print(
                f"{month.days} days in {time.monotonic() - began:.0f} s: {dict(month.events)}, {dict(month.life.counts)}",
                flush=True,
            )
            reports.append({"seed": seed, "days": month.days, "events": dict(month.events), "done": dict(month.life.counts)})
    if given.json:
        given.json.write_text(json.dumps({"months": reports, "findings": findings}))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
