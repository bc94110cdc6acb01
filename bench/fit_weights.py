"""Fits the weights of `recall/weights.json` on LoCoMo's conversations and a person's notes, and how sure they make recall on
these and on memories of a few statements.

    LATTICE_BENCH_DATA=… python -m bench.fit_weights [--cv] [--write] [--only-confidence] [--stores FOLDER]

Weights are those of a softmax over the candidates of each question: they maximise the mean log probability of each gold turn
(of any of its atoms) among all candidates. Every question weighs the same within its kind, and notes count `NOTES_WEIGHT` times
as much, for there are seven times as many questions about conversations. `--cv` leaves one conversation out at a time and
measures on it. A second set is fitted for searches without the dense leg. What cannot be learned here (no recall counts, notes
of one year only) keeps its prior.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import lattice_common.recall
import numpy as np
import numpy.typing as npt
from lattice_common import logs
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query
from lattice_common.domain.score import Weights
from lattice_common.recall.diversify import diversify, in_order
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.question import Search
from lattice_common.recall.score import SIGNALS, score, signals
from lattice_common.recall.weights import load_weights
from rich.progress import track

from bench.evidence import OWN_WORDS, Asked, Corpus, GoldOf, bench_model, evidence_recall, filled, locomo, memories, notes
from bench.fit_confidence import fit_confidence, kind_of

Floats = npt.NDArray[np.float64]

NOTES_WEIGHT = 4.0


@dataclass(frozen=True, slots=True)
class Mode:
    """One way of searching, with the signals that are fitted for it. Others were tried and came out near 0, with either sign:
    words of neighbours, share of names, and the session of a note (which lifts the sentences beside the one that answers)."""

    name: str
    meaning: bool
    fitted: tuple[str, ...]
    at_least: dict[str, float]


_NEVER_AGAINST = dict.fromkeys(("bm25", "window_talk", "session_talk", "speaker"), 0.0)
"""Finding more of what was asked for never counts against an atom, whatever a small sample says."""
_LITERAL = {"literal": 4.0}
"""What a question in the rare words of a note counts at least: paraphrases teach 2, which leaves the note behind a vaguer one of
a similar meaning; at 4 the keyword questions of the dev half are right, and talk is recalled as with 2 (8 costs it 0.4)."""
MODES = (
    Mode(
        "all",
        meaning=True,
        fitted=(
            "bm25", "bm25_talk", "literal", "dense", "dense_talk", "window_talk", "neighbour_meaning", "session_talk",
            "speaker", "period", "kind", "graph",
        ),
        at_least=_NEVER_AGAINST | _LITERAL | {"dense": 0.0, "neighbour_meaning": 0.0},
    ),
    Mode(
        "without meaning",
        meaning=False,
        fitted=("bm25", "bm25_talk", "literal", "window_talk", "session_talk", "speaker", "period", "kind", "graph"),
        at_least=_NEVER_AGAINST | _LITERAL | {"bm25": 0.5},
    ),
)  # fmt: skip
PRIORS = {
    "slot": 24.0, "exact": 40.0, "talk_order": 2.0, "judged": 0.5, "recency": 1.0, "confidence": 0.1, "importance": 0.2,
    "quality": 1.5, "question": -0.5,
    "not_so": -1.5, "who": 2.0,
}  # fmt: skip
"""Small on purpose: they decide between atoms that answer equally well. Recency at 1 lifts recall@10 of what was updated from 79
to 83 and costs nothing elsewhere; at 4 conversations lose a point. Quality is the owner's judgement, and
measured by `bench.feedback`. How often something was recalled has no weight: what is found would be found more and more.
A slot that was asked for by rule outweighs the words of the question and any difference in meaning (its z-scores reach 6), and
an exact identifier all else. What the trees count is measured by `bench.fit_talk_order`."""
SAME_TURN, SAME_TURN_WITH_TREES = -2.0, -12.0
"""Measured by hand: LoCoMo's recall@10 is 79.3 at 0, 80.4 at −1, 81.0 at −2 and 81.3 at −4 and beyond, where two facts of one
message would never be shown together. Beside trees, to which atoms of one turn look alike: see `bench.fit_talk_order`."""
SAME_CAPTURE = -4.0
"""More than what tells sentences about one thing apart, less than what tells them from others: −1 to −8 are the same on notes."""
L2 = 5e-3
STEPS = 150


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its candidates' signals, and for each gold id the places of its atoms among them."""

    corpus: str
    asked: Asked
    search: Search
    gold_of: tuple[str | None, ...]
    values: Floats
    gold: tuple[npt.NDArray[np.int64], ...]


def examples(corpora: Sequence[Corpus], stores: Path | None, mode: Mode) -> tuple[list[Example], dict[str, Atom]]:
    """Every question's candidates, through the product's own stores, and all their atoms."""
    atoms: dict[str, Atom] = {}
    model, weights = bench_model(), load_weights()
    found: list[Example] = []
    for corpus in track(corpora, "filling stores, asking"):
        with filled(corpus, model, stores) as (product, folder):
            parts = product.stores
            graph = EmbeddedGraph(folder)
            options = RecallOptions(dense_seeds=mode.meaning)
            embedder = parts.embedder if mode.meaning else None
            recall = Recall(parts.catalogue, parts.lexical, parts.dense, embedder, graph, SystemClock(), options, weights)
            gold_of = GoldOf(product)
            own = {atom.atom_id: atom for atom in parts.catalogue.all()}
            atoms |= own
            ids = {atom_id: gold_of(atom) for atom_id, atom in own.items()}
            for asked in corpus.asked:
                search = recall.search(Query(asked.text, limit=20), until="expand")
                golds = [ids[search.columns.atom_ids[row]] for row in search.candidates.rows]
                places = [np.array([at for at, gold in enumerate(golds) if gold == each]) for each in sorted(asked.gold)]
                values = signals(search, weights)
                found.append(Example(corpus.name, asked, search, tuple(golds), values, tuple(x for x in places if len(x))))
    return found, atoms


def fit(chosen: Sequence[Example], mode: Mode) -> dict[str, float]:
    """Weights by name."""
    columns = [SIGNALS.index(name) for name in mode.fitted]
    used = [example for example in chosen if example.gold]
    rows = np.concatenate([example.values[:, columns] for example in used]).astype(np.float32)
    scale = rows.std(axis=0)
    scale[scale < 1e-9] = 1.0
    rows /= scale
    starts = np.cumsum([0] + [len(example.values) for example in used])
    question = np.repeat(np.arange(len(used)), np.diff(starts))
    place, goal, goal_question, goal_weight = [], [], [], []
    for at, example in enumerate(used):
        for atoms in example.gold:
            place += (starts[at] + atoms).tolist()
            goal += [len(goal_question)] * len(atoms)
            goal_question.append(at)
            goal_weight.append((NOTES_WEIGHT if example.corpus == "notes" else 1.0) / len(example.gold))
    least = np.array([mode.at_least.get(name, -np.inf) for name in mode.fitted]) * scale
    weights = _ascend(
        rows, least, starts, question, np.array(place), np.array(goal), np.array(goal_question), np.array(goal_weight)
    )
    return {name: float(weight) for name, weight in zip(mode.fitted, weights / scale, strict=True)}


def _ascend(rows, least, starts, question, place, goal, goal_question, goal_weight):  # type: ignore[no-untyped-def]  # arrays throughout
    """Adam (Kingma & Ba 2015) on the softmax likelihood; convex but for the choice among a turn's atoms."""
    weights = np.zeros(rows.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    per_question = np.bincount(goal_question, goal_weight, minlength=len(starts) - 1)
    for step in range(1, STEPS + 1):
        scores = rows @ weights.astype(np.float32)
        raised = np.exp(scores - np.maximum.reduceat(scores, starts[:-1])[question])
        share = raised / np.add.reduceat(raised, starts[:-1])[question]
        of_goal = raised[place] / np.bincount(goal, raised[place])[goal]
        pull = -share * per_question[question]
        np.add.at(pull, place, of_goal * goal_weight[goal])
        gradient = 2 * L2 * weights - rows.T @ pull.astype(np.float32) / goal_weight.sum()
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        weights -= 0.1 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
        weights = np.maximum(weights, least)
    return weights


def with_signals(weights: Weights, fitted: dict[str, float]) -> Weights:
    same_turn = SAME_TURN if weights.trees is None else SAME_TURN_WITH_TREES
    return replace(weights, signals={**fitted, **PRIORS, "same_turn": same_turn, "same_capture": SAME_CAPTURE})


def finished(example: Example, weights: Weights, atoms: dict[str, Atom]) -> Search:
    """The example's search taken through the last stages."""
    ranked = score(example.search, weights)
    return diversify(ranked, _Kept(atoms), weights, recommendation_cap=5)  # type: ignore[arg-type]  # `get` is all it asks


@dataclass(frozen=True, slots=True)
class _Kept:
    """The atoms of a store that has been closed."""

    atoms: dict[str, Atom]

    def get(self, atom_ids: Sequence[str]) -> list[Atom]:
        return [self.atoms[each] for each in atom_ids]


def recalls(chosen: Sequence[Example], weights: Weights, ks: Sequence[int]) -> Floats:
    """Mean recall at each of `ks` over the answerable examples, as `diversify` orders the candidates (repetitions kept)."""
    rows = []
    for example in chosen:
        if example.asked.gold:
            ranked = score(example.search, weights).ranked
            order = [] if ranked is None else in_order(ranked, example.search.columns, weights)[: max(ks)]
            golds = [example.gold_of[at] for at in order]
            rows.append([evidence_recall(golds, example.asked.gold, k) for k in ks])
    return np.asarray(np.mean(rows, axis=0))


def fit_mode(mode: Mode, *, stores: Path | None, cross_validate: bool, only_confidence: bool) -> Weights:
    """Fits and prints one set of weights, and how sure they make it."""
    print(f"== {mode.name}")
    asked_all, atoms = examples([notes(), *memories(), *locomo()], stores, mode)
    weights = load_weights()
    # The memories of a few statements have nothing to teach about ranks.
    every = [example for example in asked_all if kind_of(example.corpus) != "few"]
    train = [example for example in every if example.asked.half != "held-out"]
    if cross_validate:
        left_out = []
        for name in dict.fromkeys(example.corpus for example in every if example.corpus != "notes"):
            fitted = with_signals(weights, fit([example for example in train if example.corpus != name], mode))
            test = [example for example in every if example.corpus == name and example.asked.answerable]
            left_out.append(recalls(test, fitted, (10, 20)) * len(test))
            print(name, len(test), (left_out[-1] / len(test)).round(4))
        asked = sum(example.corpus != "notes" and example.asked.answerable for example in every)
        print("left out: recall@10, @20", (np.sum(left_out, axis=0) / asked).round(4))
    known = weights if mode.meaning or weights.without_meaning is None else weights.without_meaning
    known = replace(known, sureness=None)  # fitted by bench/fit_answerable.py, on what this makes sure of
    fitted = known if only_confidence else with_signals(weights, fit(train, mode))
    print({name: round(weight, 3) for name, weight in fitted.signals.items()})
    talk = [example for example in every if example.corpus != "notes" and example.asked.answerable]
    print("fitted on: recall@10, @20", recalls(talk, fitted, (10, 20)).round(4))
    for half in ("dev", "held-out"):
        for name, words in (("other words", False), ("own words", True)):
            own = [
                example
                for example in every
                if example.asked.half == half and example.asked.gold and (example.asked.kind in OWN_WORDS) == words
            ]
            print(f"notes {half}, {name}: recall@1, @5, @10", recalls(own, fitted, (1, 5, 10)).round(4))
    searches = [finished(example, fitted, atoms) for example in asked_all]
    return fit_confidence([(example.corpus, example.asked) for example in asked_all], searches, fitted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cv", action="store_true", help="leave one conversation out at a time, and measure on it")
    parser.add_argument("--write", action="store_true", help="write weights.json")
    parser.add_argument("--only-confidence", action="store_true", help="keep what ranks, and fit how sure it is")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here")
    args = parser.parse_args()
    logs.configure("error", json=None)
    fitted = [fit_mode(mode, stores=args.stores, cross_validate=args.cv, only_confidence=args.only_confidence) for mode in MODES]
    if args.write:
        write(*fitted)


def write(weights: Weights, without_meaning: Weights) -> None:
    """As the package's own `weights.json`."""
    content = {
        "comment": "Made by bench/fit_weights.py from LoCoMo's five development conversations and the dev halves of bench/notes "
        "and tests/data/abstention.",
        **_shown(weights),
        "without_meaning": _shown(without_meaning),
        "half_life_days": dict(weights.half_life_days),
    }
    Path(lattice_common.recall.__file__).with_name("weights.json").write_text(
        json.dumps(content, indent=2) + "\n", encoding="utf-8"
    )


def _shown(weights: Weights) -> dict[str, object]:
    return {
        "signals": {name: round(value, 3) for name, value in weights.signals.items()},
        "confidence": {name: round(value, 3) for name, value in weights.confidence.items()},
        "floor": round(weights.floor, 3),
    }


if __name__ == "__main__":
    main()
