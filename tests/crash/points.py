"""Every call by which an operation changes the disk, cut by every fault: `python -m tests.crash.points` (`make crash`).

A process with everything loaded records the calls of each operation, and then forks once for each point (a call and a fault) to
have it strike, and once more to look at what is left: the store opens, what was acknowledged is there once, doing it again ends
where it ends undisturbed, the doctor finds nothing, and a rebuild gives the same state. The n-th call of one run is now and then
another one than that of the next (several threads write), so what was struck is told by the run that was.

`--share` takes a part of the points, drawn by `--seed`, `--seconds` as many as there is time for; `--only` one operation,
`--at` and `--fault` a single point. Exits with 1 where there are findings.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.crash import faults
from tests.crash.faults import KILLED, KILLS, Fault, applies

LIMIT_SECONDS = 300
"""That one point may take; what takes longer hangs."""


@dataclass(frozen=True, slots=True)
class Point:
    """A fault at the `at`-th call of an operation, counted from 1."""

    operation: str
    at: int
    fault: Fault


@dataclass(slots=True)
class Outcome:
    """What was struck, and what was found afterwards."""

    point: Point
    struck: str = ""
    findings: list[str] = field(default_factory=list)


def in_child(work: Callable[[], Any], log: Path) -> tuple[int, Any]:
    """Do something in a fork of this process: its exit code (negative: the signal), and what it returned, as JSON."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.dup2(descriptor, 1)
        os.dup2(descriptor, 2)
        signal.alarm(LIMIT_SECONDS)
        code = 1
        try:
            told = json.dumps(work())
            with open(writing, "w") as out:  # noqa: PTH123 - a descriptor
                out.write(told)
            code = 0
        except BaseException:  # noqa: BLE001 - a fork must never go on as its parent; the log has it
            traceback.print_exc()
        finally:
            sys.stderr.flush()
            os._exit(code)
    os.close(writing)
    with open(reading) as answer:  # noqa: PTH123 - a descriptor
        told = answer.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), json.loads(told) if told else None


class Enumeration:
    """The points of all operations, in folders below `scratch`."""

    def __init__(self, scratch: Path) -> None:
        from tests.crash.operations import OPERATIONS

        self._scratch = scratch
        self._operations = {each.name: each for each in OPERATIONS}
        self.calls: dict[str, list[str]] = {}
        """The kind of each call that an operation makes when nobody disturbs it."""
        self._wanted: dict[str, Any] = {}

    def record(self, name: str) -> list[str]:
        """Prepare an operation, and return what a fork of this process found wrong with doing it undisturbed."""
        operation, base = self._operations[name], self._base(name)
        log = self._scratch / f"{name}.log"
        base.mkdir()
        code, _ = in_child(lambda: operation.prepare(base), log)
        if code:
            return [f"{name} cannot be prepared: {tail(log)}"]
        outcome = self.strike(Point(name, 0, Fault.NONE))
        self.calls[name] = [line.split(" ", 2)[1] for line in outcome.struck.splitlines()]
        return outcome.findings

    def points(self, name: str) -> list[Point]:
        """Each call with each fault, and a cut of the power after the last one: some thousand calls later it has not come."""
        calls = self.calls.get(name, [])
        after = 10 * len(calls) + 1000
        return [
            *(Point(name, at, fault) for at, kind in enumerate(calls, start=1) for fault in Fault if applies(fault, kind)),
            *(Point(name, after, fault) for fault in (Fault.CUT, Fault.CUT_DATA)),
        ]

    def strike(self, point: Point) -> Outcome:
        """Have a fault strike, and look at what is left."""
        folder = self._scratch / "struck"
        shutil.rmtree(folder, ignore_errors=True)
        work, beside, log = folder / "work", folder / "beside", folder / "log"
        beside.mkdir(parents=True)
        shutil.copytree(self._base(point.operation), work)
        noted, report = folder / "acknowledged", folder / "report"
        noted.touch()
        code, failed = in_child(lambda: self._perform(point, work, beside, noted, report), log)
        outcome = Outcome(point, report.read_text().strip() if report.exists() else "")
        acknowledged = noted.read_text().split()
        if code not in (0, KILLED):
            outcome.findings.append(f"ended with {code}: {tail(log)}")
        if code == 0 and point.fault in KILLS and outcome.struck:
            outcome.findings.append("the fault did not end the process")
        code, told = in_child(lambda: self._look(point, work, acknowledged), log)
        outcome.findings += told if code == 0 else [f"the look afterwards ended with {code}: {tail(log)}"]
        if outcome.findings and failed:
            outcome.findings.append(f"it had failed with {failed}")
        return outcome

    def _perform(self, point: Point, work: Path, beside: Path, noted: Path, report: Path) -> str | None:
        """In a fork. What fails is the operation's to say, as it would to whoever asked for it."""
        from lattice_common.errors import LatticeError

        reporting = os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        noting = os.open(noted, os.O_WRONLY | os.O_APPEND)
        faults.arm(work, beside, at=point.at, fault=point.fault, report=reporting)
        try:
            self._operations[point.operation].perform(work, lambda each: void(os.write(noting, f"{each}\n".encode())))
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
        self._operations[name].perform(work, again.append)
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
    parser.add_argument("--seconds", type=float, help="of striking; the calls are counted first")
    parser.add_argument("--only", action="append")
    parser.add_argument("--at", type=int)
    parser.add_argument("--fault", choices=[each.name for each in Fault])
    parser.add_argument("--end", action="store_true", help="only cuts of the power after the last call")
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
    began = time.monotonic()
    warmed(scratch)
    enumeration = Enumeration(scratch)
    findings: list[str] = []
    points: list[Point] = []
    from tests.crash.operations import OPERATIONS

    for operation in OPERATIONS:
        if not chosen.only or operation.name in chosen.only:
            findings += [f"{operation.name}, undisturbed: {each}" for each in enumeration.record(operation.name)]
            points += enumeration.points(operation.name)
    there = len(points)
    random.Random(seed).shuffle(points)
    if chosen.end:
        points = [each for each in points if each.at > len(enumeration.calls[each.operation])]
    if chosen.at:
        points = [each for each in points if each.at == chosen.at]
    if chosen.fault:
        points = [each for each in points if each.fault.name == chosen.fault]
    points = points[: max(1, round(len(points) * chosen.share))]
    calls = {name: len(kinds) for name, kinds in enumeration.calls.items()}
    print(f"seed {seed}: {len(points)} of {there} points; calls of each operation: {calls}", flush=True)
    table: Counter[tuple[str, str]] = Counter()
    kinds: Counter[str] = Counter()
    striking = time.monotonic()
    for number, point in enumerate(points, start=1):
        if chosen.seconds and time.monotonic() - striking > chosen.seconds:
            break
        outcome = enumeration.strike(point)
        table[(point.operation, point.fault.name)] += 1
        kinds[outcome.struck.split(" ", 2)[1] if outcome.struck else "(not reached)"] += 1
        for each in outcome.findings:
            findings.append(f"{point.operation} {point.fault.name} at {outcome.struck or point.at}: {each}")
            print(f"FOUND {findings[-1]}", flush=True)
        if number % 100 == 0:
            print(f"{number} of {len(points)} after {time.monotonic() - began:.0f} s", flush=True)
    shown(table, kinds, findings, time.monotonic() - began)
    done = sum(table.values())
    return {"seed": seed, "points": done, "of": there, "by": {f"{o} {f}": n for (o, f), n in table.items()}, "findings": findings}


def shown(table: Counter[tuple[str, str]], kinds: Counter[str], findings: list[str], seconds: float) -> None:
    """Print points by operation and fault."""
    names = [each.name for each in Fault if each is not Fault.NONE]
    print(f"{'':<12}" + "".join(f"{each:>10}" for each in (*names, "all")))
    for operation in dict.fromkeys(each for each, _ in table):
        row = [table[(operation, each)] for each in names]
        print(f"{operation:<12}" + "".join(f"{each:>10}" for each in (*row, sum(row))))
    row = [sum(count for (_, fault), count in table.items() if fault == each) for each in names]
    print(f"{'all':<12}" + "".join(f"{each:>10}" for each in (*row, sum(row))))
    print(f"calls struck: {dict(kinds.most_common())}")
    print(f"{sum(table.values())} points in {seconds:.0f} s, {len(findings)} findings")


if __name__ == "__main__":
    sys.exit(main())
