"""A hand deletes the file of a memory, and the power is cut just then: `python -m tests.crash.hands`.

While it is remembered, the plan is on disk, and is carried out again at the next start: what the hand deleted must not come with
it, and what else was told must. After the power was cut, before that start, nothing of the memory may stay in what is derived.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.crash import faults
from tests.crash.faults import KILLED, Fault
from tests.crash.points import in_child, tail

TOLD = "Zebulon owns 3 harmonicas. Zebulon lives in Quito."
DELETED, KEPT = "harmonicas", "Quito"
NEVER = 1_000_000
"""A call that does not come: the power is cut where the trial says so."""


def _remembered_deleted_and_cut(folder: Path, beside: Path) -> None:
    """In a fork, which the cut ends."""
    from lattice_common.adapters.files import durable
    from lattice_common.capture.request import IngestRequest

    from tests.crash.month_store import delete_by_hand
    from tests.crash.stored import DATA, opened
    from tests.pipeline.living import atom_saying, send

    def written(name: str) -> None:
        if name == "graph.append.before_manifest":
            raise KeyboardInterrupt  # files and catalogue have it, and it has no receipt

    with opened(folder) as store:
        faults.arm(folder, beside, at=NEVER, fault=Fault.CUT, report=-1)
        told = send(store, IngestRequest(text=TOLD))
        durable.set_failpoint(written)
        try:
            store.ingest.next_part(told)
        except KeyboardInterrupt:
            atom = atom_saying(store, DELETED)
            delete_by_hand(folder / DATA / store.stores.catalogue.marks([atom.atom_id])[atom.atom_id][0].path)
            faults.disarm()


def _remembered_and_cut(folder: Path, beside: Path) -> None:
    """In a fork, which the cut ends."""
    from tests.crash.stored import opened
    from tests.pipeline.living import say

    with opened(folder) as store:
        store.start()
        say(store, "My sister keeps two goats.")
        faults.arm(folder, beside, at=NEVER, fault=Fault.CUT, report=-1)
        say(store, TOLD)
        faults.disarm()


def _as_rebuilt(folder: Path) -> bool:
    from tests.crash.stored import look, rebuilt_hash

    return look(folder).state_hash == rebuilt_hash(folder)


def _held_afterwards(folder: Path) -> list[str]:
    from tests.crash.stored import come_to_rest, held, opened

    with opened(folder) as store:
        come_to_rest(store)
        return held(store)


def found_after(scratch: Path) -> list[str]:
    """What is wrong where the hand came after the power was cut."""
    from tests.crash.month_store import delete_by_hand

    folder, beside, log = scratch / "work", scratch / "beside", scratch / "log"
    folder.mkdir(parents=True)
    beside.mkdir()
    code, _ = in_child(lambda: _remembered_and_cut(folder, beside), log)
    if code != KILLED:
        return [f"the power was not cut, it ended with {code}: {tail(log)}"]
    for path in folder.rglob("atoms/**/*.md"):
        if DELETED in path.read_text():
            delete_by_hand(path)
    code, same = in_child(lambda: _as_rebuilt(folder), log)
    return [] if code == 0 and same else [f"what a hand deleted after a power cut is in what is derived ({code}): {tail(log)}"]


def found_in(scratch: Path) -> list[str]:
    """What is wrong where it came before."""
    folder, beside, log = scratch / "work", scratch / "beside", scratch / "log"
    folder.mkdir(parents=True)
    beside.mkdir()
    code, _ = in_child(lambda: _remembered_deleted_and_cut(folder, beside), log)
    if code != KILLED:
        return [f"the power was not cut, it ended with {code}: {tail(log)}"]
    code, held = in_child(lambda: _held_afterwards(folder), log)
    if code:
        return [f"the look afterwards ended with {code}: {tail(log)}"]
    found = [f"what a hand deleted is back: {each}" for each in held if DELETED in each]
    return found if any(KEPT in each for each in held) else [*found, f"{TOLD!r} was told, and {held} is remembered"]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    if why := faults.missing():
        print(f"Not run: {why}.")
        return 2
    faults.begin_again_with_faults(["-m", "tests.crash.hands", *(sys.argv[1:] if arguments is None else arguments)])
    with tempfile.TemporaryDirectory(prefix="lattice-hands-") as scratch:
        findings = [*found_in(Path(scratch) / "before"), *found_after(Path(scratch) / "after")]
    print("\n".join(findings) or "nothing found", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"findings": findings}))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
