"""Fits the weights of `recall/weights.json` on LoCoMo's conversations and a person's notes together.

    LATTICE_BENCH_DATA=… python -m bench.fit_weights [--cv] [--write] [--stores FOLDER]

Weights are those of a softmax over the candidates of each question: they maximise the mean log probability of each gold turn
(of any of its atoms) among all candidates. Every question weighs the same within its kind, and notes count `NOTES_WEIGHT` times
as much, for there are seven times as many questions about conversations. `--cv` leaves one conversation out at a time and
measures on it. What cannot be learned here (no recall counts, all notes of one year) keeps its prior.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import lattice_common.recall
import numpy as np
import numpy.typing as npt
from lattice_common.adapters.embedded.graph import EmbeddedGraph
from lattice_common.adapters.system_clock import SystemClock
from lattice_common.domain.atom import Atom
from lattice_common.domain.recall import Query
from lattice_common.domain.score import Weights
from lattice_common.recall.confidence import SIGNS, confidence, signs
from lattice_common.recall.diversify import diversify, in_order
from lattice_common.recall.pipeline import Recall, RecallOptions
from lattice_common.recall.question import Search
from lattice_common.recall.score import SIGNALS, score, signals
from lattice_common.recall.weights import load_weights
from rich.progress import track

from bench.evidence import Asked, Corpus, GoldOf, bench_model, evidence_recall, filled, locomo, notes

Floats = npt.NDArray[np.float64]

NOTES_WEIGHT = 4.0
FITTED = (
    "words", "words_talk", "meaning", "meaning_talk", "window_talk", "neighbour_meaning", "session", "speaker",
    "period", "kind", "graph",
)  # fmt: skip
"""Signals that are fitted. Others were tried and came out near 0, with either sign: words of neighbours, share of names."""
AT_LEAST = {"words": 0.05, "meaning": 0.0, "window_talk": 0.0, "neighbour_meaning": 0.0, "session": 0.0, "speaker": 0.0}
"""Finding more of what was asked for never counts against an atom, whatever a small sample says; and a word that stands in few
notes (a policy number, say) has a z-score of 10 and more, which must count even where paraphrases taught otherwise."""
PRIORS = {"recency": 1.0, "confidence": 0.1, "importance": 0.2, "recalls": 0.05, "quality": 0.5, "question": -0.5}
"""Small on purpose: they decide between atoms that answer equally well. Recency at 1 lifts recall@10 of what was updated from 79
to 83 and costs nothing elsewhere; at 4 conversations lose a point. Quality is the owner's judgement: it counts most."""
SAME_TURN = -2.0
"""Measured by hand: LoCoMo's recall@10 is 79.3 at 0, 80.4 at −1, 81.0 at −2 and 81.3 at −4 and beyond, where two facts of one
message would never be shown together."""
L2 = 5e-3
STEPS = 150
TALK_SIGNS = ("talk",)
"""Signs that may count against an answer: the others say that something was found."""
LEAST_SIGN = {"coverage": 0.5, "words": 0.5}
"""What these count at least: a rare word found as it stands answers, though few questions here are asked so."""
FLOOR_KEEPS = 0.97
"""Share of answerable questions that stay above the floor."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question with its candidates' signals, and for each gold id the places of its atoms among them."""

    corpus: str
    asked: Asked
    search: Search
    gold_of: tuple[str | None, ...]
    values: Floats
    gold: tuple[npt.NDArray[np.int64], ...]


def examples(corpora: Sequence[Corpus], stores: Path | None) -> tuple[list[Example], dict[str, Atom]]:
    """Every question's candidates, through the product's own stores, and all their atoms."""
    atoms: dict[str, Atom] = {}
    model, weights = bench_model(), load_weights()
    found: list[Example] = []
    for corpus in track(corpora, "filling stores, asking"):
        with filled(corpus, model, stores) as (product, folder):
            parts = product.stores
            graph = EmbeddedGraph(folder)
            recall = Recall(
                parts.catalogue, parts.lexical, parts.dense, parts.embedder, graph, SystemClock(), RecallOptions(), weights
            )
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


def fit(chosen: Sequence[Example]) -> dict[str, float]:
    """Weights by name."""
    columns = [SIGNALS.index(name) for name in FITTED]
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
    weights = _ascend(
        rows, scale, starts, question, np.array(place), np.array(goal), np.array(goal_question), np.array(goal_weight)
    )
    return {name: float(weight) for name, weight in zip(FITTED, weights / scale, strict=True)}


def _ascend(rows, scale, starts, question, place, goal, goal_question, goal_weight):  # type: ignore[no-untyped-def]  # arrays throughout
    """Adam (Kingma & Ba 2015) on the softmax likelihood; convex but for the choice among a turn's atoms."""
    weights = np.zeros(rows.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    least = np.array([AT_LEAST.get(name, -np.inf) for name in FITTED]) * scale
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
    return replace(weights, signals={**fitted, **PRIORS, "same_turn": SAME_TURN})


def fit_confidence(sure: Sequence[Example], seen: Sequence[dict[str, float]]) -> dict[str, float]:
    """Logistic regression of "is answerable" on the signs; both kinds of corpus, and both outcomes, weigh the same in all."""
    rows = np.array([[1.0, *(each.get(name, 0.0) for name in SIGNS)] for each in seen])
    truth = np.array([float(example.asked.answerable) for example in sure])
    group = np.array([2 * (example.corpus == "notes") + example.asked.answerable for example in sure])
    weight = 1.0 / np.bincount(group, minlength=4)[group]
    weight *= len(weight) / weight.sum()
    found = np.zeros(rows.shape[1])
    for _ in range(30):  # Newton's method: it has converged long before
        chance = 1.0 / (1.0 + np.exp(-rows @ found))
        gradient = rows.T @ (weight * (truth - chance)) - 0.5 * found
        curvature = (rows * (weight * chance * (1 - chance))[:, None]).T @ rows + 0.5 * np.eye(len(found))
        found += np.linalg.solve(curvature, gradient)
        found[1:] = np.where(
            np.isin(SIGNS, TALK_SIGNS), found[1:], np.maximum(found[1:], [LEAST_SIGN.get(name, 0.0) for name in SIGNS])
        )
    return dict(zip(("intercept", *SIGNS), found.tolist(), strict=True))


def logit(chance: float) -> float:
    return math.log(chance / (1 - chance))


def auc(confident: Floats, truth: npt.NDArray[np.bool_]) -> float:
    """The chance that an answerable question is more confident than an unanswerable one."""
    yes, no = confident[truth], confident[~truth]
    return float(((yes[:, None] > no).mean() + (yes[:, None] >= no).mean()) / 2)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cv", action="store_true", help="leave one conversation out at a time, and measure on it")
    parser.add_argument("--write", action="store_true", help="write weights.json")
    parser.add_argument("--stores", type=Path, help="keep the filled stores here")
    args = parser.parse_args()
    every, atoms = examples([notes(), *locomo()], args.stores)
    weights = load_weights()
    train = [example for example in every if example.asked.half != "held-out"]
    if args.cv:
        left_out = []
        for name in dict.fromkeys(example.corpus for example in every if example.corpus != "notes"):
            fitted = with_signals(weights, fit([example for example in train if example.corpus != name]))
            test = [example for example in every if example.corpus == name and example.asked.answerable]
            left_out.append(recalls(test, fitted, (10, 20)) * len(test))
            print(name, len(test), (left_out[-1] / len(test)).round(4))
        asked = sum(example.corpus != "notes" and example.asked.answerable for example in every)
        print("left out: recall@10, @20", (np.sum(left_out, axis=0) / asked).round(4))
    fitted = with_signals(weights, fit(train))
    print({name: round(weight, 3) for name, weight in fitted.signals.items()})
    talk = [example for example in every if example.corpus != "notes" and example.asked.answerable]
    print("fitted on: recall@10, @20", recalls(talk, fitted, (10, 20)).round(4))
    for half in ("dev", "held-out"):
        short = [example for example in every if example.asked.half == half and example.asked.answerable]
        print(f"notes {half}: recall@1, @5, @10", recalls(short, fitted, (1, 5, 10)).round(4))

    seen = [signs(finished(example, fitted, atoms)) for example in every]
    of_train = [at for at, example in enumerate(every) if example.asked.half != "held-out"]
    sureness = fit_confidence([every[at] for at in of_train], [seen[at] for at in of_train])
    fitted = replace(fitted, confidence=sureness)
    answerable = np.array([example.asked.answerable for example in every])
    of = {
        "LoCoMo": np.array([example.corpus != "notes" for example in every]),
        "notes dev": np.array([example.asked.half == "dev" for example in every]),
        "notes held-out": np.array([example.asked.half == "held-out" for example in every]),
    }
    searches = [finished(example, fitted, atoms) for example in every]
    confident = np.array([confidence(search, fitted) for search in searches])
    lowest = {name: float(np.quantile(confident[those & answerable], 1 - FLOOR_KEEPS)) for name, those in of.items()}
    # One floor for both: talk is moved until as many of its answerable questions stay above it as of the notes'.
    sureness["talk"] += float(logit(lowest["notes dev"]) - logit(lowest["LoCoMo"]))
    fitted = replace(fitted, confidence=sureness, floor=lowest["notes dev"])
    confident = np.array([confidence(search, fitted) for search in searches])
    for name, those in of.items():
        below = confident < fitted.floor
        print(
            f"{name}: AUC {auc(confident[those], answerable[those]):.3f}; the floor {fitted.floor:.3f} refuses "
            f"{below[those & answerable].mean():.3f} of the answerable, {below[those & ~answerable].mean():.3f} of the others"
        )
    if args.write:
        write(fitted)


def write(weights: Weights) -> None:
    """As the package's own `weights.json`."""
    content = {
        "comment": "Made by bench/fit_weights.py from LoCoMo's five development conversations and the dev half of bench/notes.",
        "signals": {name: round(value, 3) for name, value in weights.signals.items()},
        "confidence": {name: round(value, 3) for name, value in weights.confidence.items()},
        "floor": round(weights.floor, 3),
        "half_life_days": dict(weights.half_life_days),
    }
    Path(lattice_common.recall.__file__).with_name("weights.json").write_text(
        json.dumps(content, indent=2) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main()
