"""A hand deletes the file of a memory while it is being remembered, and then the power is cut: `python -m tests.crash.hands`.

The plan is on disk, and is carried out again at the next start. What the hand deleted must not come with it, and what else was
told must.
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


def _held_afterwards(folder: Path) -> list[str]:
    from tests.crash.stored import come_to_rest, held, opened

    with opened(folder) as store:
        come_to_rest(store)
        return held(store)


def found_in(scratch: Path) -> list[str]:
    """What is wrong after the power was cut."""
    folder, beside, log = scratch / "work", scratch / "beside", scratch / "log"
    folder.mkdir()
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
        findings = found_in(Path(scratch))
    print("\n".join(findings) or "nothing found", flush=True)
    if given.json:
        given.json.write_text(json.dumps({"findings": findings}))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
