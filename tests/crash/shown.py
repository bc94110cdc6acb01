"""Whether what a watched process is shown to leave is what it does leave when it ends there: `python -m tests.crash.shown`.

A few calls, always the same, are made once under watch, and then once for each call and each kind of end. Their times apart, both
must leave the same names, contents, modes and links.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tests.crash import faults
from tests.crash.faults import Fault, applies
from tests.crash.points import Waits, in_child
from tests.crash.states import State, States, told_undone

ENDS = (Fault.BEFORE, Fault.TORN, Fault.CUT, Fault.CUT_DATA)


def act(folder: Path) -> None:
    """Make, write, sync, rename, replace, link, move, cut short and remove, some of it synced and some not."""
    (folder / "kept").write_text("old words that were synced long ago")
    (folder / "kept.new").write_text("new words")
    _sync(folder / "kept.new")
    (folder / "kept.new").rename(folder / "kept")
    _sync(folder)
    with (folder / "log").open("ab") as log:
        for line in (b"first line\n", b"second line\n"):
            os.write(log.fileno(), line)
        os.fsync(log.fileno())
        os.write(log.fileno(), b"third line\n")
    made = folder / "made" / "deeper"
    made.mkdir(parents=True)
    (made / "a").write_text("a")
    (made / "b").hardlink_to(made / "a")
    (folder / "made").rename(folder / "moved")
    _sync(folder)
    (folder / "moved" / "deeper" / "a").rename(folder / "kept")
    descriptor = os.open(folder / "log", os.O_RDWR)
    os.pwrite(descriptor, b"THIRD", 12)
    os.ftruncate(descriptor, 15)
    os.close(descriptor)
    (folder / "there" / "gone").unlink()
    (folder / "there").rmdir()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


class Comparison:
    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        self._states = States(scratch / "states")

    def begin(self) -> tuple[Path, Path]:
        for each in ("work", "beside"):
            shutil.rmtree(self._scratch / each, ignore_errors=True)
            (self._scratch / each).mkdir()
        work = self._scratch / "work"
        (work / "there").mkdir()
        (work / "there" / "gone").write_text("to go")
        return work, self._scratch / "beside"

    def shown(self) -> tuple[list[str], dict[tuple[int, Fault], str]]:
        """Return the kinds of the calls, and what each end at each of them is shown to leave."""
        work, beside = self.begin()
        kinds, left = [], {}
        for line in Waits(lambda report: _acted(work, beside, report), self._scratch / "log"):
            number, kind = int(line.split()[0]), line.split()[1]
            state = self._states.read(work)
            if kind == "torn":
                left[(number, Fault.TORN)] = self._timeless(state)
                continue
            kinds.append(kind)
            left[(number, Fault.BEFORE)] = self._timeless(state)
            for fault in (Fault.CUT, Fault.CUT_DATA):
                cut = self._states.cut(state, told_undone(beside), work, names_too=fault is Fault.CUT)
                left[(number, fault)] = self._timeless(cut)
        return kinds[:-1], left

    def struck(self, at: int, fault: Fault) -> str:
        work, beside = self.begin()
        in_child(lambda: _acted(work, beside, -1, at, fault), self._scratch / "log")
        return self._timeless(self._states.read(work))

    def _timeless(self, state: State) -> str:
        return self._states.keep(State(state.names, state.folders, {i: replace(f, mtime_ns=0) for i, f in state.files.items()}))


def _acted(work: Path, beside: Path, report: int, at: int = 0, fault: Fault = Fault.NONE) -> None:
    faults.arm(work, beside, at=at, fault=fault, report=report)
    act(work)
    faults.disarm()


def compared(scratch: Path) -> dict[str, Any]:
    comparison = Comparison(scratch)
    kinds, shown = comparison.shown()
    wanted = [(at, fault) for at, kind in enumerate(kinds, start=1) for fault in ENDS if applies(fault, kind)]
    ends = [(len(kinds) + 1, Fault.CUT), (len(kinds) + 1, Fault.CUT_DATA)]
    findings = []
    for at, fault in (*wanted, *ends):
        if shown.get((at, fault)) != comparison.struck(at, fault):
            kind = kinds[at - 1] if at <= len(kinds) else "end"
            findings.append(f"{fault.name} at {at} ({kind}) leaves something else than was shown")
    return {"calls": kinds, "compared": len(wanted) + len(ends), "states": len(set(shown.values())), "findings": findings}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    faults.begin_again_with_faults(["-m", "tests.crash.shown", *(sys.argv[1:] if arguments is None else arguments)])
    with tempfile.TemporaryDirectory(prefix="lattice-shown-") as scratch:
        report = compared(Path(scratch))
    print(report)
    if chosen.json:
        chosen.json.write_text(json.dumps(report))
    return 1 if report["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
