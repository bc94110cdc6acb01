"""Every call by which an operation changes the disk, cut by every fault: `python -m tests.crash.points` (`make crash`).

A process with everything loaded does each operation once and is watched at each call (`states.py`): what the folder holds then,
and with half of a write done, is what a kill there leaves, and what a cut of the power leaves follows from it. Many points leave
the same to the byte, with as much acknowledged: each such state is looked at once. A call that fails, and a torn copy,
need runs of their own, in forks that go on. What is looked at is the same: the store opens, what was acknowledged is there once,
doing it again ends where it ends undisturbed, the doctor finds nothing, and a rebuild gives the same state. The n-th call of one
run is now and then another one than that of the next (several threads write), so what was struck is told by the run that was.

`--share` takes a part of what is to be looked at, drawn by `--seed`, `--seconds` as much as there is time for, and says so where
that was not all; `--jobs` so many at once (as many as there are processors); `--only` one operation, `--what` one of the two
ways, `--at` and `--fault` a single point, struck in a run of its own. Exits with 1 where there are findings.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.crash import faults
from tests.crash.faults import KILLED, KILLS, Fault, applies
from tests.crash.states import States, told_undone

if TYPE_CHECKING:
    from tests.crash.operations import Operation

LIMIT_SECONDS = 300
"""That one point may take; what takes longer hangs."""


@dataclass(frozen=True, slots=True)
class Point:
    """A fault at the `at`-th call of an operation, counted from 1."""

    operation: str
    at: int
    fault: Fault


@dataclass(frozen=True, slots=True)
class Check:
    """What is to be looked at for all points that come to the same: a state that was kept, or else one point to be struck."""

    points: tuple[Point, ...]
    state: str = ""
    acknowledged: tuple[str, ...] = ()
    struck: str = ""


@dataclass(slots=True)
class Outcome:
    """What was struck, and what was found afterwards."""

    check: Check
    struck: str = ""
    findings: list[str] = field(default_factory=list)
    failure: str = ""
    """How what was struck failed, which is no finding."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a folder, to be looked at."""

    folder: Path
    acknowledged: tuple[str, ...]
    outcome: Outcome


@dataclass(slots=True)
class Recorded:
    """The calls that an operation makes when nobody disturbs it, by their kinds; what is to be looked at; and what was wrong."""

    name: str
    calls: list[str] = field(default_factory=list)
    checks: list[Check] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a watched process waited, and what is left when it ends there: by a kill, and by two kinds of power cut."""

    line: str
    acknowledged: tuple[str, ...]
    left: str
    cut: str = ""
    cut_data: str = ""

    @property
    def kind(self) -> str:
        return self.line.split(" ", 2)[1]


class Child:
    """A fork that does something; `end` waits for it."""

    def __init__(self, work: Callable[[], Any], log: Path) -> None:
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(self._reading)
            self._live(work, log, writing)
        os.close(writing)

    def end(self) -> tuple[int, Any]:
        """Return its exit code (negative: the signal), and what it returned, as JSON."""
        with open(self._reading) as answer:  # noqa: PTH123 - a descriptor
            told = answer.read()
        _, status = os.waitpid(self._process, 0)
        return os.waitstatus_to_exitcode(status), json.loads(told) if told else None

    @staticmethod
    def _live(work: Callable[[], Any], log: Path, writing: int) -> None:
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        signal.alarm(LIMIT_SECONDS)
        code = 1
        try:
            told = json.dumps(work())
            with open(writing, "w") as out:
                out.write(told)
            code = 0
        except BaseException:  # noqa: BLE001 - a fork must never go on as its parent; the log has it
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)


def in_child(work: Callable[[], Any], log: Path) -> tuple[int, Any]:
    """Do something in a fork of this process: its exit code (negative: the signal), and what it returned, as JSON."""
    return Child(work, log).end()


class Waits:
    """Where a fork waits that does something under watch, line by line: it goes on when the next line is asked for. `work` is
    given the descriptor to arm with; `code` is with what it ended."""

    def __init__(self, work: Callable[[int], Any], log: Path) -> None:
        self._work = work
        self._log = log
        self.code = 0

    def __iter__(self) -> Iterator[str]:
        reading, report = os.pipe()
        answers, answering = os.pipe()

        def watched() -> Any:
            os.close(reading)
            os.close(answering)
            faults.watch(answers)
            return self._work(report)

        child = Child(watched, self._log)
        os.close(report)
        os.close(answers)
        with open(reading) as lines:  # noqa: PTH123 - a descriptor
            for line in lines:
                yield line.strip()
                os.write(answering, b"1")
        os.close(answering)
        self.code, _ = child.end()


class Enumeration:
    """The points of all operations, in folders below `scratch`."""

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._states = States(scratch / "states")

    def record(self, name: str) -> Recorded:
        """Prepare an operation, do it undisturbed, and find out what is to be looked at."""
        operation, base = operation_of(name), self._base(name)
        recorded = Recorded(name)
        log = self._scratch / f"{name}.log"
        base.mkdir()
        code, _ = in_child(lambda: operation.prepare(base), log)
        if code:
            recorded.findings.append(f"{name} cannot be prepared: {tail(log)}")
            return recorded
        undisturbed = self.strike(Check((Point(name, 0, Fault.NONE),)))
        recorded.findings += undisturbed.findings
        shown, failure = self._watched(name)
        if failure:
            recorded.findings.append(failure)
            return recorded
        recorded.calls = [each.kind for each in shown if each.kind not in ("torn", "end")]
        recorded.checks = list(self._checks(name, shown))
        return recorded

    def _checks(self, name: str, shown: list[Shown]) -> Iterator[Check]:
        """What is to be looked at: each state with as much acknowledged once, and each point that needs a run of its own."""
        torn = {int(each.line.split(" ", 1)[0]): each for each in shown if each.kind == "torn"}
        waits = [each for each in shown if each.kind != "torn"]
        calls, end = waits[:-1], waits[-1]
        same: dict[tuple[str, tuple[str, ...]], list[tuple[Point, str]]] = {}
        for at, (each, after) in enumerate(zip(calls, waits[1:], strict=True), start=1):
            # A kill after a call leaves what a kill before the next one leaves: nothing changes the disk between them.
            ways = [(Fault.BEFORE, each, each.left), (Fault.AFTER, after, after.left)]
            ways += [(Fault.TORN, torn[at], torn[at].left)] if at in torn else []
            ways += [(Fault.CUT, each, each.cut), (Fault.CUT_DATA, each, each.cut_data)]
            for fault, whose, state in ways:
                same.setdefault((state, whose.acknowledged), []).append((Point(name, at, fault), each.line))
            for fault in (Fault.TORN, Fault.EIO, Fault.ENOSPC):
                if applies(fault, each.kind) and not (fault is Fault.TORN and at in torn):
                    yield Check((Point(name, at, fault),))
        for fault, state in ((Fault.CUT, end.cut), (Fault.CUT_DATA, end.cut_data)):
            same.setdefault((state, end.acknowledged), []).append((Point(name, len(calls) + 1, fault), end.line))
        for (state, acknowledged), points in same.items():
            yield Check(tuple(point for point, _ in points), state, acknowledged, points[0][1])

    def _watched(self, name: str) -> tuple[list[Shown], str]:
        """Do an operation in a fork that waits at each call: what was seen there, and how it failed."""
        shutil.rmtree(self._place(), ignore_errors=True)
        folder = self._begun(name, 0)
        work, noted, log = folder / "work", folder / "acknowledged", folder / "log"
        waits = Waits(lambda report: self._perform(Point(name, 0, Fault.NONE), folder, report), log)
        shown: list[Shown] = []
        for line in waits:
            state = self._states.read(work)
            acknowledged = tuple(noted.read_text().split())
            cuts = ["", ""]
            if line.split(" ", 2)[1] != "torn":
                undone = told_undone(folder / "beside")
                cuts = [self._states.keep(self._states.cut(state, undone, work, names_too=names)) for names in (True, False)]
            shown.append(Shown(line, acknowledged, self._states.keep(state), *cuts))
        return shown, f"{name}, watched, ended with {waits.code}: {tail(log)}" if waits.code else ""

    def looked_at(self, checks: list[Check], until: float) -> list[Outcome]:
        """Look at each of them that there is time for: strike where it must be, and look at what is left in one fork."""
        shutil.rmtree(self._place(), ignore_errors=True)
        left = []
        for number, check in enumerate(checks):
            if time.monotonic() < until:
                left.append(self._kept_state(check, number) if check.state else self._struck(check, number))
        self._look_at_all(left)
        return [each.outcome for each in left]

    def strike(self, check: Check) -> Outcome:
        """Have a fault strike, and look at what is left."""
        [outcome] = self.looked_at([check], math.inf)
        return outcome

    def _kept_state(self, check: Check, number: int) -> Left:
        folder = self._folder(number)
        self._states.write_out(check.state, folder / "work")
        return Left(folder, check.acknowledged, Outcome(check, check.struck))

    def _struck(self, check: Check, number: int) -> Left:
        [point] = check.points
        folder = self._begun(point.operation, number)
        noted, report, log = folder / "acknowledged", folder / "report", folder / "log"
        telling = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        code, failed = in_child(lambda: self._perform(point, folder, telling), log)
        os.close(telling)
        outcome = Outcome(check, report.read_text().strip(), failure=failed or "")
        if code not in (0, KILLED):
            outcome.findings.append(f"ended with {code}: {tail(log)}")
        if code == 0 and point.fault in KILLS and outcome.struck:
            outcome.findings.append("the fault did not end the process")
        return Left(folder, tuple(noted.read_text().split()), outcome)

    def _place(self) -> Path:
        """Where this process works."""
        return self._scratch / f"struck-{os.getpid()}"

    def _folder(self, number: int) -> Path:
        folder = self._place() / str(number)
        (folder / "beside").mkdir(parents=True)
        (folder / "acknowledged").touch()
        return folder

    def _begun(self, name: str, number: int) -> Path:
        """A folder as the operation begins with it, with room for what a power cut needs."""
        folder = self._folder(number)
        shutil.copytree(self._base(name), folder / "work")
        return folder

    def _look_at_all(self, left: list[Left]) -> None:
        """Add what is found. A fork looks at one after the other; where it ends within a look, another one goes on after it."""
        waiting = list(left)
        while waiting:
            told, log = self._place() / "looked", self._place() / "log"
            told.write_text("")
            code, _ = in_child(partial(self._look_at_each, tuple(waiting), told), log)
            found = [json.loads(line) for line in told.read_text().splitlines()]
            if len(found) < len(waiting):
                found.append([f"the look afterwards ended with {code}: {tail(log)}"])
            for each, findings in zip(waiting, found, strict=False):
                outcome = each.outcome
                outcome.findings += findings
                if outcome.findings and outcome.failure:
                    outcome.findings.append(f"it had failed with {outcome.failure}")
                shutil.rmtree(each.folder)
            waiting = waiting[len(found) :]

    def _look_at_each(self, left: Sequence[Left], told: Path) -> None:
        """In a fork."""
        with told.open("a") as out:
            for each in left:
                signal.alarm(LIMIT_SECONDS)
                out.write(
                    json.dumps(self._look(each.outcome.check.points[0], each.folder / "work", list(each.acknowledged))) + "\n"
                )
                out.flush()

    def _perform(self, point: Point, folder: Path, reporting: int) -> str | None:
        """In a fork. What fails is the operation's to say, as it would to whoever asked for it."""
        from lattice_common.errors import LatticeError

        work = folder / "work"
        noting = os.open(folder / "acknowledged", os.O_WRONLY | os.O_APPEND)
        faults.arm(work, folder / "beside", at=point.at, fault=point.fault, report=reporting)
        try:
            operation_of(point.operation).perform(work, lambda each: void(os.write(noting, f"{each}\n".encode())))
        except (LatticeError, OSError, AssertionError) as error:
            if point.fault not in (Fault.EIO, Fault.ENOSPC):
                raise
            return f"{type(error).__name__}: {error}"
        finally:
            faults.disarm()
        return None

    def _look(self, point: Point, work: Path, acknowledged: list[str]) -> list[str]:
        """In a fork."""
        from tests.crash import operations, stored

        name = point.operation
        findings = []
        if name == "backup":
            findings += stored.backups_lost(work / operations.BACKUPS, acknowledged, 2)
        elif name in ("capture", "commit", "supersede"):
            findings += stored.lost_of(work, acknowledged)
        elif acknowledged and name == "restore" and not (work / stored.DATA).exists():
            findings.append("what was restored is not there")
        again: list[str] = []
        operation_of(name).perform(work, again.append)
        if acknowledged and again and name in ("edit", "undo", "forget", "compaction", "backup", "restore"):
            findings.append("it was acknowledged, and had to be done again")
        if len(acknowledged) == len(again) and name in ("capture", "commit", "supersede") and acknowledged != again:
            findings.append(f"acknowledged as {acknowledged}, and sent again as {again}")
        if name == "backup":
            findings += stored.backups_lost(work / operations.BACKUPS, [], 2)
        seen = stored.look(work)
        if point.fault is Fault.NONE:
            self._kept(name).write_text(json.dumps(_plain(seen)))
        elif (wanted := json.loads(self._kept(name).read_text())) != (plain := json.loads(json.dumps(_plain(seen)))):
            findings.append(f"another end: {plain}, wanted {wanted}")
        findings += stored.doctor_finds(work)
        if stored.rebuilt_hash(work) != seen.state_hash:
            findings.append("a rebuild gives another state")
        return findings

    def _base(self, name: str) -> Path:
        return self._scratch / f"{name}.base"

    def _kept(self, name: str) -> Path:
        return self._scratch / f"{name}.wanted"


def operation_of(name: str) -> Operation:
    from tests.crash.operations import OPERATIONS

    [operation] = (each for each in OPERATIONS if each.name == name)
    return operation


def void(_: object) -> None:
    """Nothing is made of what a call returned."""


def _plain(seen: Any) -> list[object]:
    """In JSON, without what differs from run to run."""
    return [
        sorted([content, old, count] for (content, old), count in seen.atoms.items()),
        sorted([content, count] for content, count in seen.trash.items()),
        sorted([kind, count] for kind, count in seen.entries.items()),
    ]


def tail(log: Path) -> str:
    """The end of a log, for a report."""
    return " | ".join(log.read_text(errors="replace").splitlines()[-12:]) if log.exists() else ""


def warmed(scratch: Path) -> None:
    """Load what a first capture loads, so that forks have it."""
    import logging

    import structlog

    from tests.crash.operations import lived_in
    from tests.crash.stored import doctor_finds

    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    lived_in(scratch / "warm")
    doctor_finds(scratch / "warm")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--seconds", type=float, help="of looking; the calls are watched first")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--only", action="append")
    parser.add_argument("--what", choices=["states", "runs"], help="only what was kept, or only what needs a run of its own")
    parser.add_argument("--at", type=int)
    parser.add_argument("--fault", choices=[each.name for each in Fault])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    if why := faults.missing():
        print(f"Not run: {why}.")
        return 2
    faults.begin_again_with_faults(["-m", "tests.crash.points", *(sys.argv[1:] if arguments is None else arguments)])
    seed = chosen.seed if chosen.seed is not None else random.SystemRandom().randrange(1_000_000)
    with tempfile.TemporaryDirectory(prefix="lattice-crash-") as scratch:
        report = enumerated(Path(scratch), chosen, seed)
    if chosen.json:
        chosen.json.write_text(json.dumps(report))
    return 1 if report["findings"] else 0


def enumerated(scratch: Path, chosen: argparse.Namespace, seed: int) -> dict[str, Any]:
    """Watch the operations, look at what was chosen of what they leave, and report."""
    from tests.crash.operations import OPERATIONS

    began = time.monotonic()
    warmed(scratch)
    enumeration = Enumeration(scratch)
    names = [each.name for each in OPERATIONS if not chosen.only or each.name in chosen.only]
    # Its processes are forks of this one, made before it has a thread: what is loaded is loaded in each of them.
    with ProcessPoolExecutor(chosen.jobs, mp_context=get_context("fork")) as pool:
        recorded = list(pool.map(enumeration.record, names))
        figures = Figures([f"{each.name}, undisturbed: {found}" for each in recorded for found in each.findings])
        checks = [check for each in recorded for check in each.checks]
        there = sum(len(each.points) for each in checks)
        random.Random(seed).shuffle(checks)
        if chosen.what:
            checks = [each for each in checks if bool(each.state) == (chosen.what == "states")]
        wanted = singled_out(checks, chosen) if chosen.at or chosen.fault else checks
        wanted = wanted[: max(1, round(len(wanted) * chosen.share))]
        calls = {each.name: len(each.calls) for each in recorded}
        print(f"seed {seed}: {there} points come to {len(checks)} states and runs; calls of each operation: {calls}", flush=True)
        print(f"{len(wanted)} of them are looked at; watched in {time.monotonic() - began:.0f} s", flush=True)
        striking = time.monotonic()
        for outcomes in pool.map(enumeration.looked_at, batches(wanted), [striking + (chosen.seconds or math.inf)] * len(wanted)):
            for outcome in outcomes:
                figures.count(outcome)
            figures.progress(len(wanted), time.monotonic() - began)
    figures.show(time.monotonic() - began)
    if figures.looked < len(wanted):
        print(
            f"CUT SHORT: {figures.looked} of the {len(wanted)} that were wanted were looked at in {chosen.seconds:.0f} s",
            flush=True,
        )
    return {
        "seed": seed,
        "points": sum(figures.table.values()),
        "of": there,
        "looked": figures.looked,
        "wanted": len(wanted),
        "by": {f"{operation} {fault}": count for (operation, fault), count in figures.table.items()},
        "findings": figures.findings,
    }


def batches(checks: list[Check], size: int = 10) -> list[list[Check]]:
    return [checks[at : at + size] for at in range(0, len(checks), size)]


def singled_out(checks: list[Check], chosen: argparse.Namespace) -> list[Check]:
    """The points that were named, each struck in a run of its own."""
    points = [point for check in checks for point in check.points]
    return [
        Check((point,))
        for point in points
        if (not chosen.at or point.at == chosen.at) and (not chosen.fault or point.fault.name == chosen.fault)
    ]


class Figures:
    """What was looked at and found, counted and printed."""

    def __init__(self, findings: list[str]) -> None:
        self.findings: list[str] = []
        self.table: Counter[tuple[str, str]] = Counter()
        self.looked = 0
        self._states = 0
        self._kinds: Counter[str] = Counter()
        for each in findings:
            self._found(each)

    def count(self, outcome: Outcome) -> None:
        self.looked += 1
        self._states += bool(outcome.check.state)
        for point in outcome.check.points:
            self.table[(point.operation, point.fault.name)] += 1
        self._kinds[outcome.struck.split(" ", 2)[1] if outcome.struck else "(not reached)"] += 1
        point, more = outcome.check.points[0], len(outcome.check.points) - 1
        same = f" (and {more} points that leave the same)" if more else ""
        for each in outcome.findings:
            self._found(f"{point.operation} {point.fault.name} at {outcome.struck or point.at}{same}: {each}")

    def _found(self, finding: str) -> None:
        self.findings.append(finding)
        print(f"FOUND {finding}", flush=True)

    def progress(self, wanted: int, seconds: float) -> None:
        if self.looked % 500 == 0:
            print(f"{self.looked} of {wanted} after {seconds:.0f} s", flush=True)

    def show(self, seconds: float) -> None:
        """Print points by operation and fault."""
        names = [each.name for each in Fault if each is not Fault.NONE]
        print(f"{'':<12}" + "".join(f"{each:>10}" for each in (*names, "all")))
        for operation in dict.fromkeys(each for each, _ in self.table):
            row = [self.table[(operation, each)] for each in names]
            print(f"{operation:<12}" + "".join(f"{each:>10}" for each in (*row, sum(row))))
        row = [sum(count for (_, fault), count in self.table.items() if fault == each) for each in names]
        print(f"{'all':<12}" + "".join(f"{each:>10}" for each in (*row, sum(row))))
        print(f"calls before or at which it was looked: {dict(self._kinds.most_common())}")
        points = sum(self.table.values())
        runs = self.looked - self._states
        print(f"{points - runs} points left {self._states} different states; {runs} more had a run of their own")
        print(f"{points} points in {seconds:.0f} s, {len(self.findings)} findings")


if __name__ == "__main__":
    sys.exit(main())
