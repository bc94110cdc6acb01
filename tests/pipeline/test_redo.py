"""What was decided once is carried out and not decided again, wherever the process died (docs/guarantees.md, G1 and G3).

A language model never says the same twice: were it asked again after a crash, a capture would leave some of one answer and some
of the other behind. The mutants at the end show that these tests would see it.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from lattice_common.adapters.files.journal import FileJournal
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.capture.request import IngestRequest
from lattice_common.ingest.pipeline import Ingest
from lattice_common.ports.language_model import ModelRequest

from tests.dying import Died, dying_at, left_by
from tests.pipeline.living import PATIENCE, atoms_of, say, send
from tests.pipeline.modelled import asked, memories, memory, open_modelled, texts

SAID = "Tom keeps two goats. Nora rows on Sundays. Ines has the key."
WAYS: tuple[Callable[[str], str], ...] = (
    lambda sentence: f"Noted: {sentence}",
    lambda sentence: f"It was said: {sentence}",
    lambda sentence: f"As told: {sentence}",
)


def whimsical() -> ScriptedModel:
    """Each answer is in other words, and one fact longer than the one before."""
    answers = count()

    def read(request: ModelRequest) -> str:
        if request.purpose not in ("extract", "repair") or request.schema is None:
            return json.dumps({"outdated": []})
        nth = next(answers)
        facts = [f"{each.strip().rstrip('.')}." for text in texts(asked(request)) for each in text.split(". ")]
        return memories(*(memory(WAYS[nth % 3](fact), fact) for fact in facts[: 1 + nth % 3]))

    return ScriptedModel(read)


def remembered_after_dying_at(root: Path, step: int) -> tuple[int, list[str]]:
    """The number of steps that were passed in the life that died, and what is remembered after the next one."""
    model = whimsical()
    with open_modelled(root, model) as store:
        capture_id = send(store, IngestRequest(text=SAID))
        with dying_at(step) as passed, contextlib.suppress(Died):
            while not store.ingest.next_part(capture_id):
                pass
        left = left_by(root, root.with_name(f"{root.name}-left"))
    with open_modelled(left, model) as again:
        again.start()
        if again.lattice.wait_for(capture_id, PATIENCE).state != "stored":
            return len(passed), []
        say(again, "ok")
        return len(passed), sorted(atom.content for atom in atoms_of(again).values())


def is_one_answer(contents: list[str]) -> bool:
    """Whether it is what the model said at one time, whole."""
    told = [content.partition(": ")[0] for content in contents]
    return (told[0], len(told)) in [("Noted", 1), ("It was said", 2), ("As told", 3)] and len(set(told)) == 1


def found_out(tmp_path: Path) -> tuple[int, list[str]] | None:
    """A step after which something else than one answer was remembered; looked for from the last one back."""
    steps, _ = remembered_after_dying_at(tmp_path / "counted", 0)
    assert steps > 10
    ends = ((step, remembered_after_dying_at(tmp_path / str(step), step)[1]) for step in range(steps, 0, -1))
    return next(((step, contents) for step, contents in ends if not contents or not is_one_answer(contents)), None)


@pytest.mark.slow
def test_a_capture_leaves_one_answer_behind_wherever_the_process_died(tmp_path: Path) -> None:
    assert found_out(tmp_path) is None


def without_the_plan(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(FileJournal, "read_plan", lambda *_: None)


def without_a_look_at_the_receipt(patch: pytest.MonkeyPatch) -> None:
    really = Ingest._open

    def unaware(self: Ingest, entry: str) -> object:
        with pytest.MonkeyPatch.context() as within:
            within.setattr(FileJournal, "receipt", lambda *_: None)
            return really(self, entry)

    patch.setattr(Ingest, "_open", unaware)


@pytest.mark.slow
@pytest.mark.parametrize("mutate", [without_the_plan, without_a_look_at_the_receipt])
def test_a_writer_that_decides_again_is_found_out(
    mutate: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate(monkeypatch)
    assert found_out(tmp_path) is not None
