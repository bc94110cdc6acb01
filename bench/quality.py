"""How well recall finds what answers: one table, through the product (accept, ingest, select), without a language model.

    LATTICE_BENCH_DATA=… python -m bench.quality [--stores FOLDER]

Evidence recall@k is the share of a question's gold turns (notes) that the first k atoms come from, averaged over questions. The
same stores are asked with the best read by the judge, as answers are made; as by a product without an embedding model; by each
leg alone, and by reciprocal rank fusion of both (k = 60; Cormack et al., SIGIR 2009), to compare. An answer is right when it
cites a gold turn (note), and when it says that it does not know what nothing answers; memories of a few statements
(`tests/data/abstention`) are asked for that only.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lattice_common import logs
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.composition import Embedded
from lattice_common.domain.recall import Query, Selection
from lattice_common.language.text import query_tokens
from lattice_common.ports.judge import Judge
from lattice_common.ports.lexical_index import LexicalQuery
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.weights import load_weights
from rich.console import Console
from rich.progress import track
from rich.table import Table

from bench.evidence import NEAR_MISS, OWN_WORDS, Asked, GoldOf, bench_model, evidence_recall, filled, locomo, memories, notes
from bench.fit_confidence import kind_of

LIMIT = 20
LEG_HITS = 200
RRF_K = 60
CATEGORIES = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop"}
WAYS = ("product", "judged", "no model", "BM25", "dense", "RRF")
SELECTING = WAYS[:3]
"""Ways that say how sure they are."""
TYPES = ("plain", "told", "keyword", "literal", "update", "history", "list")


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question, the gold ids of what each way found in order, what was selected, whether it was answered, and the gold ids of
    what the answer cites."""

    corpus: str
    asked: Asked
    found: dict[str, list[str | None]]
    selected: dict[str, Selection]
    answered: bool
    cited: frozenset[str | None]

    def recall(self, way: str, k: int) -> float:
        return evidence_recall(self.found[way], self.asked.gold, k)


def recall_over(product: Embedded, folder: Path, *, meaning: bool, judge: Judge | None = None) -> Recall:
    """Recall over the same stores, with or without the embedding model, answers with or without the judge; it counts nothing as
    recalled, for what was asked before would change what is found."""
    stores = product.stores
    dense, embedder = (stores.dense, stores.embedder) if meaning else (None, None)
    options, graph = RecallOptions(dense_seeds=meaning), EmbeddedGraph(folder)
    weights = load_weights()
    return Recall(stores.catalogue, stores.lexical, dense, embedder, graph, SystemClock(), options, weights, judge=judge)


def ask(product: Embedded, answering: Recall, words_only: Recall, corpus: str, asked: Asked, gold_of: GoldOf) -> Outcome:
    """One question, every way."""
    query = Query(asked.text, limit=LIMIT)
    selected = {
        "product": product.lattice.select(query),
        "judged": answering.select(replace(query, judged=True)),
        "no model": words_only.select(query),
    }
    legs = _legs(product, asked.text)
    found = {way: [gold_of(atom) for atom in product.lattice.atoms(ids[:LIMIT])] for way, ids in legs.items()}
    found |= {way: [gold_of(each.atom) for each in selection.atoms] for way, selection in selected.items()}
    answer = answering.answer(query)
    cited = frozenset(map(gold_of, product.lattice.atoms([each.atom_id for each in answer.citations])))
    return Outcome(corpus, asked, found, selected, answer.answered, cited)


def _legs(product: Embedded, text: str) -> dict[str, list[str]]:
    stores = product.stores
    assert stores.dense is not None
    assert stores.embedder is not None
    words = [hit.atom_id for hit in stores.lexical.search(LexicalQuery({"text": query_tokens(text)}), LEG_HITS)]
    meaning = [hit.atom_id for hit in stores.dense.search(stores.embedder.embed_query(text), LEG_HITS)]
    fused: dict[str, float] = {}
    for ranking in (words, meaning):
        for rank, atom_id in enumerate(ranking, start=1):
            fused[atom_id] = fused.get(atom_id, 0.0) + 1.0 / (RRF_K + rank)
    return {"BM25": words, "dense": meaning, "RRF": sorted(fused, key=lambda atom_id: -fused[atom_id])}


def auc(outcomes: Sequence[Outcome], way: str) -> float:
    """The chance that this way is surer of an answerable question than of an unanswerable one."""
    yes = [each.selected[way].confidence for each in outcomes if each.asked.answerable]
    no = [each.selected[way].confidence for each in outcomes if not each.asked.answerable]
    return statistics.fmean((a > b) + 0.5 * (a == b) for a in yes for b in no)


def table(outcomes: Sequence[Outcome]) -> Table:
    """What was found."""
    shown = Table("questions", "n", "k", *WAYS, title="evidence recall, % (one store per conversation; notes in one)")
    talk = [each for each in outcomes if kind_of(each.corpus) == "LoCoMo"]
    short = [each for each in outcomes if each.corpus == "notes"]
    for category, name in CATEGORIES.items():
        _row(shown, f"LoCoMo {category} {name}", talk, lambda each, category=category: each.asked.kind == category, (10, 20))
    _row(shown, "LoCoMo 1-4", talk, lambda each: each.asked.answerable, (10, 20), last=True)
    for half in ("dev", "held-out"):
        for name, own in (("other words", False), ("own words", True)):
            _row(
                shown,
                f"notes {half}, {name}",
                short,
                lambda each, half=half, own=own: each.asked.half == half and (each.asked.kind in OWN_WORDS) == own,
                (1, 5, 10),
                last=True,
            )
    for kind in TYPES:
        _row(shown, f"notes {kind}", short, lambda each, kind=kind: each.asked.kind == kind, (1, 10))
    return shown


def _row(
    shown: Table,
    name: str,
    outcomes: Sequence[Outcome],
    belongs: Callable[[Outcome], bool],
    ks: Sequence[int],
    *,
    last: bool = False,
) -> None:
    members = [each for each in outcomes if each.asked.gold and belongs(each)]
    for k in ks:
        cells = [f"{100 * statistics.fmean(each.recall(way, k) for each in members):.1f}" for way in WAYS]
        shown.add_row(name, str(len(members)), str(k), *cells, end_section=last and k == ks[-1])


def abstention(outcomes: Sequence[Outcome], name: str, way: str) -> str:
    """How well confidence tells answerable questions from others, and what the floor does."""
    kept = statistics.fmean(each.selected[way].answerable for each in outcomes if each.asked.answerable)
    refused = statistics.fmean(not each.selected[way].answerable for each in outcomes if not each.asked.answerable)
    return (
        f"{name}, {way}: abstention AUC {auc(outcomes, way):.3f}; "
        f"answers {kept:.1%} of the answerable, refuses {refused:.1%} of the rest"
    )


def answers(outcomes: Sequence[Outcome], name: str) -> str:
    """What came of asking, without a language model."""
    known = [each for each in outcomes if each.asked.answerable]
    right = statistics.fmean(each.answered and not each.asked.gold.isdisjoint(each.cited) for each in known)
    others = [each for each in outcomes if not each.asked.answerable]
    answered = statistics.fmean(each.answered for each in known)
    shown = f"{name}: of {len(known)} answerable {answered:.1%} answered, {right:.1%} right; of {len(others)} others "
    shown += f"{_refused(others)} refused"
    near = [each for each in others if each.asked.kind == NEAR_MISS]
    far = [each for each in others if each.asked.kind != NEAR_MISS]
    return f"{shown} (near misses {_refused(near)}, something else {_refused(far)})" if near else shown


def _refused(outcomes: Sequence[Outcome]) -> str:
    return f"{statistics.fmean(not each.answered for each in outcomes):.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=Path, help="keep the filled stores here for the next time")
    args = parser.parse_args()
    logs.configure("error", json=None)
    model = bench_model()
    outcomes: list[Outcome] = []
    for corpus in track([notes(), *memories(), *locomo()], "telling and asking", transient=True):
        with filled(corpus, model, args.stores) as (product, folder):
            gold_of = GoldOf(product)
            answering, words_only = (
                recall_over(product, folder, meaning=meaning, judge=model.judge) for meaning in (True, False)
            )
            outcomes += [ask(product, answering, words_only, corpus.name, asked, gold_of) for asked in corpus.asked]
    console = Console(width=130)
    console.print(table(outcomes))
    groups = {"LoCoMo": [each for each in outcomes if kind_of(each.corpus) == "LoCoMo"]}
    for kind in ("notes", "few"):
        for half in ("dev", "held-out"):
            groups[f"{kind} {half}"] = [each for each in outcomes if kind_of(each.corpus) == kind and each.asked.half == half]
    for way in SELECTING:
        for name, members in groups.items():
            console.print(abstention(members, name, way))
    for name, members in groups.items():
        console.print(answers(members, name))
    for way, name in (("product", "select"), ("judged", "select with the judge")):
        took = sorted(each.selected[way].took_ms for each in outcomes if kind_of(each.corpus) != "few")
        console.print(f"{name}: median {statistics.median(took):.1f} ms, p95 {took[int(len(took) * 0.95)]:.1f} ms")


if __name__ == "__main__":
    main()
