"""How much knowing who is who adds to recall: `python -m bench.who [--lives] [--control] [--cost] [--show]`.

Questions that name somebody by another name or role than the statement that answers them ("When does my brother land?"; "Ilya
lands at 18:40"), on two authored lives in `bench/who_is_who`, each alone and with the notes of `bench/notes` in the same store:
*dev* was looked at while the rules were written, *held-out* is only printed. The same store is asked without the register, and
with it. As a control, the small memories in `train/data` (each a store of its own), whose questions mostly need none. `--cost`
asks one store of some 1,000 statements, both lives among memories, several times, in turns without and with the register.
`--show` lists what is missed (dev only).
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_common import logs
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.composition import Embedded, Model
from lattice_common.domain.recall import Query
from lattice_common.language.people import Register
from lattice_common.ports.catalogue import CatalogueReader
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.weights import load_weights

from bench.evidence import Asked, Corpus, GoldOf, bench_model, evidence_recall, filled, notes
from train.corpus import Memory, memories

LIVES = Path(__file__).parent / "who_is_who"
KS = (1, 5, 10)
COST_STATEMENTS = 1_000
COST_ROUNDS = 6
KEY = "who/"
"""Begins the source ids of what was told of a life, beside the notes."""


class WithoutRegister:
    """A catalogue whose register is empty."""

    def __init__(self, catalogue: CatalogueReader) -> None:
        self._catalogue = catalogue

    def register(self) -> Register:
        return Register()

    def __getattr__(self, name: str) -> object:
        return getattr(self._catalogue, name)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Recall at each of `KS`, and the milliseconds of one question, without the register and with it."""

    asked: Asked
    recall: tuple[tuple[float, ...], tuple[float, ...]]
    took: tuple[float, float]
    widened: bool


def lives() -> Iterator[Corpus]:
    """Each life alone, and in one store with the notes."""
    for half in ("dev", "held-out"):
        content = json.loads((LIVES / f"{half}.json").read_text(encoding="utf-8"))
        told = tuple(_told(KEY + each["id"], each["text"], each["date"]) for each in content["statements"])
        asked = tuple(
            Asked(each["q"], frozenset(KEY + gold for gold in each["gold"]), "who", half) for each in content["questions"]
        )
        yield Corpus(half, told, asked)
        yield Corpus(f"{half}, among the notes", (*notes().told, *told), asked)


def control() -> Iterator[Corpus]:
    """The memories that the judge is trained on, in all splits."""
    for split in ("train", "dev", "test"):
        yield from (_memory(each) for each in memories(split))


def _memory(memory: Memory) -> Corpus:
    told = tuple(_told(name, text, day) for name, (day, text) in memory.statements.items())
    asked = tuple(Asked(text, frozenset(gold), kind, memory.lang) for text, gold, _, kind in memory.questions if gold)
    return Corpus(memory.id, told, asked)


def _told(source_id: str, text: str, day: str) -> IngestRequest:
    metadata = CaptureMetadata(source_id=source_id, observed_at=f"{day}T18:00:00Z")
    return IngestRequest(text=text, priority="bulk", metadata=metadata)


def recalls(product: Embedded, folder: Path) -> tuple[Recall, Recall]:
    """Recall over the same store, without the register and with it."""
    stores = product.stores

    def over(catalogue: CatalogueReader) -> Recall:
        graph = EmbeddedGraph(folder)
        return Recall(
            catalogue, stores.lexical, stores.dense, stores.embedder, graph, SystemClock(), RecallOptions(), load_weights()
        )

    return over(WithoutRegister(stores.catalogue)), over(stores.catalogue)  # type: ignore[arg-type]  # it passes on the rest


def measured(corpus: Corpus, model: Model, *, show: bool = False) -> list[Outcome]:
    """All questions of a corpus, both ways, in turns."""
    outcomes: list[Outcome] = []
    with filled(corpus, model) as (product, folder):
        gold_of = GoldOf(product)
        both = recalls(product, folder)
        for asked in corpus.asked:
            recall, took = [], []
            for each in both:
                each.select(Query(asked.text, limit=10))
                started = time.perf_counter()
                found = each.select(Query(asked.text, limit=10))
                took.append((time.perf_counter() - started) * 1000)
                sources = [gold_of(one.atom) for one in found.atoms]
                recall.append(tuple(evidence_recall(sources, asked.gold, k) for k in KS))
            outcomes.append(Outcome(asked, (recall[0], recall[1]), (took[0], took[1]), bool(found.meant)))
            if show and recall[1][1] < 1:
                print(f"  missed: {asked.text}  {[(each.asked, each.names) for each in found.meant]} {recall}")
                print("    ", [one.atom.content[:60] for one in found.atoms[:5]])
    return outcomes


def cost(model: Model) -> str:
    """Milliseconds of a question over one store of `COST_STATEMENTS`: of each question the median of `COST_ROUNDS`, and of these
    p50 and p95, without the register and with it."""
    own = [each for each in lives() if "," not in each.name]
    told = [request for each in own for request in each.told]
    asked = [one for each in own for one in each.asked]
    for memory in control():
        if len(told) >= COST_STATEMENTS:
            break
        told += memory.told
        asked += memory.asked
    by_need: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    with filled(Corpus("cost", tuple(told[:COST_STATEMENTS]), ()), model) as (product, folder):
        both = recalls(product, folder)
        for each in asked:
            took: tuple[list[float], list[float]] = ([], [])
            for turn in range(COST_ROUNDS):
                for way in (0, 1) if turn % 2 else (1, 0):
                    started = time.perf_counter()
                    found = both[way].select(Query(each.text, limit=10))
                    took[way].append((time.perf_counter() - started) * 1000)
                    if way:
                        widened = bool(found.meant)
            by_need[widened].append((statistics.median(took[0]), statistics.median(took[1])))
    return "\n".join(
        f"cost, {name}: {len(pairs)} questions, {_times(pairs)}"
        for name, pairs in (("widened", by_need[True]), ("not widened", by_need[False]))
    )


def _times(pairs: Sequence[tuple[float, float]]) -> str:
    shown = []
    for label, share in (("p50", 0.5), ("p95", 0.95)):
        before, after = (sorted(pair[way] for pair in pairs)[int(len(pairs) * share)] for way in (0, 1))
        shown.append(f"{label} {before:.2f} → {after:.2f} ms")
    return ", ".join(shown)


def line(name: str, outcomes: Sequence[Outcome]) -> str:
    """One line of the table."""
    cells = []
    for at, k in enumerate(KS):
        before, after = (100 * statistics.fmean(each.recall[way][at] for each in outcomes) for way in (0, 1))
        cells.append(f"@{k} {before:5.1f} → {after:5.1f}")
    p95 = [sorted(each.took[way] for each in outcomes)[int(len(outcomes) * 0.95)] for way in (0, 1)]
    widened = statistics.fmean(each.widened for each in outcomes)
    worse = sum(each.recall[1][1] < each.recall[0][1] for each in outcomes)
    better = sum(each.recall[1][1] > each.recall[0][1] for each in outcomes)
    return (
        f"{name}: {len(outcomes)} questions, {'   '.join(cells)}   (@5: {better} better, {worse} worse; {widened:.0%} widened; "
        f"p95 {p95[0]:.1f} → {p95[1]:.1f} ms)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lives", action="store_true", help="only the lives")
    parser.add_argument("--dev", action="store_true", help="only the half that may be looked at")
    parser.add_argument("--control", action="store_true", help="only the control")
    parser.add_argument("--cost", action="store_true", help="only the milliseconds")
    parser.add_argument("--every", type=int, default=1, help="every so many memories of the control")
    parser.add_argument("--show", action="store_true", help="list what is missed of dev")
    given = parser.parse_args()
    logs.configure("error", json=None)
    model = replace(bench_model(), judge=None)
    if given.cost:
        print(cost(model))
        return
    if not given.control:
        for corpus in lives():
            if not (given.dev and corpus.name.startswith("held")):
                print(line(corpus.name, measured(corpus, model, show=given.show and corpus.name.startswith("dev"))), flush=True)
    if not (given.lives or given.dev):
        outcomes = [each for corpus in list(control())[:: given.every] for each in measured(corpus, model)]
        print(line("control", outcomes))
        print(line("control, of these in English", [each for each in outcomes if each.asked.half == "en"]))
        print(line("control, widened", [each for each in outcomes if each.widened]))


if __name__ == "__main__":
    main()
