"""A store whose owner lets a language model look over it in quiet hours, and what was told to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.adapters.memory.hashed_embedder import HashedEmbedder
from lattice_common.adapters.memory.scripted_model import ScriptedModel
from lattice_common.adapters.models.open_language_model import ModelsInUse
from lattice_common.composition import Embedded, Model, open_embedded
from lattice_common.domain.atom import Atom
from lattice_common.domain.conclusion import is_conclusion
from lattice_common.ports.language_model import ModelRequest
from lattice_common.settings import Settings
from living import PATIENCE, say

from tests.working import until

CELLO = {
    "2026-03-02": "The cello came from my aunt in Porto.",
    "2026-04-06": "The cello needs a new bow.",
    "2026-05-04": "The cello lessons with Elif are on Tuesdays.",
    "2026-06-01": "The cello was too loud for the neighbours.",
    "2026-09-07": "The cello was with me at the summer concert.",
}
SUMMED_UP = "The cello came from my aunt in Porto, and was with me at the summer concert [1][5]. It needs a new bow [2]."
QUIET = timedelta(minutes=6)


@dataclass
class CountedIdle:
    """A writer's step for idle time, and how often it was done."""

    step: Callable[[], bool]
    done: int = 0

    def __call__(self) -> bool:
        more = self.step()
        self.done += 1
        return more


def opened(root: Path, model: ScriptedModel | None, clock: FixedClock, **settings: Any) -> Embedded:
    """The product with a model that writes answers, and rules that read."""
    in_use = ModelsInUse(None, model, lambda: {"provider": "scripted", "available": True, "reason": None}, lambda: None)
    made = Settings(data_dir=root, embed_model="none", **{"consolidate": False, **settings})
    store = open_embedded(made, clock=clock, model=Model(HashedEmbedder()), models=in_use)
    store.writer.steps = replace(store.writer.steps, idle=CountedIdle(store.writer.steps.idle))
    store.start()
    return store


def tell(store: Embedded, said: Mapping[str, str] = CELLO) -> list[str]:
    """The ids of what was told, each on its day."""
    return [atom_id for day, words in said.items() for atom_id in say(store, words, observed_at=f"{day}T09:00:00+00:00").atom_ids]


def derived(store: Embedded) -> list[Atom]:
    """What was concluded, once the writer is done with it."""
    until("the writer to be done", lambda: not store.stores.worklog.open_ids())
    return [atom for atom in store.stores.catalogue.all() if is_conclusion(atom)]


def quiet(store: Embedded, clock: FixedClock) -> bool:
    """Time goes by, and the writer has nothing to do; false."""
    clock.advance(QUIET)
    store.writer.queue.touched([])
    return False


def asked(model: ScriptedModel) -> list[str]:
    return [request.purpose for request in model.requests]


def after(store: Embedded, clock: FixedClock, model: ScriptedModel, calls: int) -> None:
    """Quiet goes by until the model was asked so often, and what came of it is done."""

    def done() -> bool:
        quiet(store, clock)
        return model.calls >= calls

    until(f"{calls} calls", done)
    until("the writer to be done", lambda: not store.stores.worklog.open_ids() and store.writer.queue.caught_up(PATIENCE))


def looked(store: Embedded, clock: FixedClock, times: int = 3) -> None:
    """The writer was idle so many times, minutes apart, and has done what came of it."""
    lines, idle = store.stores.worklog, store.writer.steps.idle
    assert isinstance(idle, CountedIdle)

    def was_idle(before: int) -> bool:
        store.writer.queue.touched([])  # wakes it, if it waits
        return idle.done > before

    for _ in range(times):
        quiet(store, clock)
        say(store, "ok")  # tells nothing, and after it the writer is idle again
        until("the writer to be idle", partial(was_idle, idle.done))
        until("the writer to be done", lambda: not lines.open_ids() and store.writer.queue.caught_up(PATIENCE))


APART = {
    "2026-01-10": "The old garden bench has good old wood for something new.",
    "2026-05-10": "Tomas wants good old wood for the shelf that he builds.",
}
IDEA = "The good old wood of your bench could become the shelf that Tomas builds [1][2]."


def answering(request: ModelRequest) -> str:
    return IDEA if request.purpose == "connect" else SUMMED_UP
