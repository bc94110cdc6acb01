"""What many ask for in one moment goes together: the engines commit once for all of it, and it ends as if each had gone alone."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from lattice_common.adapters.memory.scripted_judge import ScriptedJudge
from lattice_common.capture.request import IngestRequest
from lattice_common.composition import Embedded
from lattice_common.domain.atom import Atom, etag_of
from lattice_common.domain.capture import Action, Command, DeleteAtom, DeleteAtoms, EditAtom, PreferAtom, RateAtoms, UndoChange
from lattice_common.domain.judgement import UtteranceReading
from lattice_common.ingest.group import JUDGED_LATER
from lattice_common.ingest.pace import Pace
from lattice_common.ports.atoms import FileMark

from tests.dying import Died, dying_at
from tests.pipeline.living import PATIENCE, atoms_of, current, finished, live, open_store, say, send, started
from tests.pipeline.test_feedback import CERTAIN, LEEDS, THEN, YORK
from tests.pipeline.test_writer import POISON, Choking
from tests.working import until

JUDGED_AT_ONCE = Pace().judged_at_once
THINGS = (
    "anvil", "bellows", "candle", "drum", "easel", "flute", "grater", "hammer", "inkwell", "jug", "kettle", "ladder", "mallet",
    "nutcracker", "oar", "pulley", "quilt", "ruler", "sieve", "trowel",
)  # fmt: skip


def ask(store: Embedded, action: Action) -> str:
    """A command in the journal, and the doorbell rung, without waiting for it."""
    command = Command(store.stores.clock.new_id(), store.stores.clock.now(), action)
    store.stores.worklog.append(command)
    store.writer.queue.ring(command.command_id, "interactive")
    return command.command_id


def tell(store: Embedded, *texts: str) -> list[str]:
    return [send(store, IngestRequest(text=text)) for text in texts]


def lived(root: Path) -> list[str]:
    """Some life; ids of current atoms."""
    with started(root) as store:
        live(store, 4)
        for n in range(6):
            say(store, f"Neighbour {n} is called Ada{n}.")
        return [atom.atom_id for atom in store.stores.catalogue.all() if not atom.is_superseded]


def asked_for(store: Embedded, atoms: Sequence[str]) -> list[str]:
    """Captures and commands that touch each other's atoms in many ways, in the journal and not begun."""
    seen = etag_of(atoms_of(store)[atoms[5]])
    ids = tell(store, "My sister lives in Turin.", "Bruno keeps two goats.")
    ids.append(ask(store, DeleteAtom(atoms[0])))
    ids.append(ask(store, DeleteAtom(atoms[0])))
    ids.append(ask(store, EditAtom(atoms[1], {"content": "Gunnar keeps a crocodile.", "subject": "Gunnar"})))
    ids.append(ask(store, EditAtom(atoms[2], {"subject": "Gunnar"})))
    ids += tell(store, "I live in Ghent.", "Gunnar keeps a crocodile.", "I moved from Ghent to Krakow.")
    ids.append(ask(store, DeleteAtoms((atoms[3], atoms[1]))))
    ids.append(ask(store, RateAtoms((atoms[4], atoms[5]), 0.1)))
    ids.append(ask(store, EditAtom(atoms[5], {"importance": 0.9}, seen)))
    ids.append(ask(store, PreferAtom(atoms[6], atoms[7])))
    ids.append(ask(store, UndoChange(ids[2])))
    ids.append(ask(store, DeleteAtom(atoms[8])))
    return [*ids, *tell(store, "The keys are under the third flowerpot.")]


def test_deletions_of_many_at_once_share_one_commit_of_the_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    atoms = lived(tmp_path)
    with open_store(tmp_path) as store:
        ids = [ask(store, DeleteAtom(atom_id)) for atom_id in atoms[-6:]]
        commits = 0
        really = store.stores.lexical.commit

        def counted() -> None:
            nonlocal commits
            commits += 1
            really()

        monkeypatch.setattr(store.stores.lexical, "commit", counted)
        assert store.ingest.together(ids) == []
        assert commits == 1
        assert all(finished(store, each).trashed == (atom_id,) for each, atom_id in zip(ids, atoms[-6:], strict=True))
        assert not atoms_of(store).keys() & set(atoms[-6:])


def test_what_goes_together_ends_as_if_each_had_gone_alone(tmp_path: Path) -> None:
    atoms = lived(tmp_path / "together")
    with open_store(tmp_path / "together") as store:
        ids = asked_for(store, atoms)
    shutil.copytree(tmp_path / "together", tmp_path / "alone")
    ends = []
    for name, most in (("together", 64), ("alone", 1)):
        with started(tmp_path / name, pace=Pace(together=most)) as store:
            receipts = [finished(store, each) for each in ids]
            said = [(each.state, each.atom_ids, each.trashed, each.changes, each.reason, each.attempts) for each in receipts]
            ends.append((said, store.state_hash()))
    assert ends[0] == ends[1]
    with open_store(tmp_path / "together") as store:
        store.rebuild(lambda *_: None)
        assert store.state_hash() == ends[1][1]


@pytest.mark.slow
def test_a_group_ends_the_same_wherever_the_process_died(tmp_path: Path) -> None:
    atoms = lived(tmp_path / "life")
    with open_store(tmp_path / "life") as store:
        ids = asked_for(store, atoms)

    def after_dying_at(step: int) -> tuple[int, str]:
        root = Path(shutil.copytree(tmp_path / "life", tmp_path / f"died-{step}"))
        with open_store(root) as store, dying_at(step) as passed, contextlib.suppress(Died):
            left = ids
            while left:
                left = store.ingest.together(left)
        with started(root) as store:
            assert {finished(store, each).state for each in ids} <= {"stored", "duplicate", "rejected"}
            return len(passed), store.state_hash()

    steps, right = after_dying_at(0)
    assert steps > 40
    assert {after_dying_at(step)[1] for step in range(1, steps, 7)} == {right}


def test_what_failed_together_is_tried_alone_and_only_the_one_at_fault_is_dead(tmp_path: Path) -> None:
    with open_store(tmp_path, embedder=Choking()) as store:
        ids = tell(store, "My sister lives in Turin.", f"Grandfather kept {POISON} in 3 jars.", "My brother lives in Oslo.")
        store.start()
        assert [finished(store, each).state for each in ids] == ["stored", "dead", "stored"]


@pytest.mark.parametrize("more", [0, 1])
def test_where_very_many_are_told_in_one_moment_all_are_judged_a_little_later(tmp_path: Path, more: int) -> None:
    judge = ScriptedJudge({(LEEDS, YORK): CERTAIN})
    with started(tmp_path, judge=judge) as store:
        say(store, LEEDS, observed_at=THEN)
    with open_store(tmp_path, judge=judge, pace=Pace(judged_seconds=PATIENCE)) as store:
        ids = tell(store, *(f"Neighbour {n} is called Ada{n}." for n in range(JUDGED_AT_ONCE - 1 + more)), YORK)
        store.start()
        notes = [JUDGED_LATER in finished(store, each).notes for each in ids]
        assert notes == [bool(more)] * (JUDGED_AT_ONCE + more)
        until("the judge to have looked at all", lambda: LEEDS not in current(store), PATIENCE)


def test_where_judging_takes_long_no_more_is_judged_before_the_receipts(tmp_path: Path) -> None:
    """On a busy machine the first of many still is, and the others a little later."""
    with open_store(tmp_path, judge=ScriptedJudge({}), pace=Pace(judged_seconds=1e-9)) as store:
        ids = tell(store, *(f"Neighbour {n} is called Ada{n}." for n in range(4)))
        store.start()
        assert [JUDGED_LATER in finished(store, each).notes for each in ids] == [False, True, True, True]


@pytest.mark.parametrize("quiet_seconds", [3600.0, 0.05])
def test_the_writer_turns_to_its_own_work_a_moment_after_many_waited_and_not_between_them(
    tmp_path: Path, quiet_seconds: float
) -> None:
    """A piece of it takes a third of a second, which each of fifty clients would wait for between any two of its requests."""
    with open_store(tmp_path, pace=Pace(quiet_seconds=quiet_seconds)) as store:
        turns = threading.Event()
        really = store.writer.steps.idle

        def noted() -> bool:
            turns.set()
            return really()

        store.writer.steps = replace(store.writer.steps, idle=noted)
        ids = tell(store, *(f"Neighbour {n} is called Ada{n}." for n in range(4)))
        store.start()
        assert all(finished(store, each).state == "stored" for each in ids)
        if quiet_seconds > PATIENCE:
            say(store, "My sister lives in Turin.")
            assert not turns.is_set()
        else:
            assert turns.wait(PATIENCE)


class Counting(ScriptedJudge):
    """Remembers how many texts it was asked for each time."""

    def __init__(self) -> None:
        super().__init__({})
        self.counted: list[int] = []

    def meant(self, parts: Sequence[tuple[str, str]]) -> list[UtteranceReading]:
        self.counted.append(len(parts))
        return super().meant(parts)


def test_how_all_is_meant_that_many_tell_in_one_moment_is_asked_at_once(tmp_path: Path) -> None:
    judge = Counting()
    with open_store(tmp_path, judge=judge) as store:
        ids = tell(store, *(f"Neighbour {n} keeps {n + 2} goats in the yard." for n in range(20)))
        left = store.ingest.together(ids)
        assert left == []
        assert all(finished(store, each).state == "stored" for each in ids)
    assert len(judge.counted) == 1
    assert judge.counted[0] >= 20


def test_memories_of_many_told_at_once_are_written_with_one_fsync_of_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What only adds waits for the others: to write each before the next is decided took most of the time of fifty clients."""
    with started(tmp_path) as store:
        say(store, "My sister lives in Turin.")
    with open_store(tmp_path) as store:
        ids = tell(store, *(f"The {thing} is in the cellar beside shelf {n}." for n, thing in enumerate(THINGS)))
        written: list[int] = []
        really = store.stores.atoms.put

        def counted(atoms: Sequence[Atom]) -> list[FileMark]:
            written.append(len(atoms))
            return really(atoms)

        monkeypatch.setattr(store.stores.atoms, "put", counted)
        assert store.ingest.together(ids) == []
        assert len(written) == 1
        assert sum(written) == len(THINGS) == sum(len(finished(store, each).atom_ids) for each in ids)


def test_what_is_told_at_once_meets_what_was_told_just_before_it(tmp_path: Path) -> None:
    """Repetitions, corrections and names spelt nearly alike, among so many that their files are written together."""
    texts = [f"The {thing} is in the cellar beside shelf {n}." for n, thing in enumerate(THINGS)]
    texts += [
        texts[-1],
        "I live in Ghent.",
        "I moved from Ghent to Krakow.",
        "Gunnar keeps bees.",
        "Gunnar keeps bees.",
        texts[9],
    ]
    ends = []
    for name, most in (("together", 64), ("alone", 1)):
        with open_store(tmp_path / name, pace=Pace(together=most, judged_at_once=0)) as store:
            ids = tell(store, *texts)
            store.start()
            receipts = [finished(store, each) for each in ids]
            kept = sorted((atom.content, atom.is_superseded, len(atom.supersedes)) for atom in store.stores.catalogue.all())
            ends.append(([(each.state, each.atoms_new, each.atoms_updated) for each in receipts], kept))
    assert ends[0] == ends[1]
    assert [state for state, _, _ in ends[0][0]].count("duplicate") == 3
