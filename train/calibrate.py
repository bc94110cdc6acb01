"""Temperatures and boundaries of a judge, found on dev with the product's own adapter: `judge.json`.

Temperatures divide the raw outputs so that the probabilities mean what they say (Guo et al. 2017). What one piece of news ends is
read from all that it was compared with (`adapters/models/ending.py`), fitted and bounded on whole memories, each shown whole and
in parts, so that a memory of three statements is known as well: from `certain` on at most 0.5 % of the news retires something
that it does not end, from `likely` on at most 7 % asks about it, from `perhaps` on at most 15 % comes before it. Half of that
news was written to mislead, and all of it is news: so statements as people note them down, which hardly ever end anything, are
fitted too. Boundaries are found on memories that this fit has not seen, in turns. Below `refuted` lie at most 2 % of the pairs
that do update, and there the judge overrules a rule.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import numpy.typing as npt
import torch
from lattice_common.adapters.models.ending import FEATURES, STANDING, features, read_ending, standing
from lattice_common.adapters.models.onnx_judge import DESCRIPTION, FOLDER, SECOND, STAGES, OnnxJudge
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.domain.judgement import Relatedness
from lattice_common.domain.status import may_settle
from lattice_common.ingest.extract.status import status_of_text
from lattice_common.ingest.reconcile.judging import MOST_JUDGED, SURE_ALONE
from lattice_common.language.claims.passing import is_passing

from bench.fit_talk_order import flat
from train.corpus import INTENTS, KINDS, RELATIONS, STATUSES, Pair, Split, Utterance, lives, memories, pairs, utterances

CERTAIN_WRONG, LIKELY_WRONG, PERHAPS_WRONG = 0.005, 0.07, 0.15
"""Shares of the news by which something may be retired, asked about, and preceded, that it does not end."""
PLAIN = 3
"""How much more than a piece of news a plain statement beside earlier ones weighs: there are a seventh as many."""
TURNS = 8
"""Parts of the memories; each is read by what was fitted on the others."""
DECAY = 1e-3
"""Weight of the squared weights in the fit."""
SHIFT_DECAY = 1e-2
"""Likewise, of what is added for each intent."""
NEVER_AGAINST = ("updates", "surer")
TREES: dict[str, Any] = {
    "objective": "binary", "learning_rate": 0.05, "num_leaves": 8, "min_data_in_leaf": 100, "lambda_l2": 5.0, "seed": 1,
    "deterministic": True, "verbose": -1,
}  # fmt: skip
ROUNDS = 150
REFUTED = 0.02
"""Share of the updates that lie below the boundary under which the judge overrules a rule."""
NEAREST = 12
"""Earlier statements of a memory, the nearest by the packaged vectors, beside which each of its statements is judged."""

PARTS = ("intent", "status", "kind")
WEIGHTS = np.linspace(0.0, 1.5, 16)
"""Of the n-grams beside the layers."""

CACHE = Path("build/models")

Logits = npt.NDArray[np.float64]


def relation_logits(judge: OnnxJudge, found: list[Pair]) -> Logits:
    return judge.raw("relation", [(pair.old, pair.new) for pair in found]).astype(np.float64)


def utterance_logits(judge: OnnxJudge, found: list[Utterance]) -> list[Logits]:
    """Of intent, status and kind: what the judge makes of the layers and the n-grams together."""
    texts, said = [each.text for each in found], judge.description
    return [
        (layers / said.temperatures[part] + said.ngrams[part] * ngrams + said.shifts[part]).astype(np.float64)
        for part, layers, ngrams in zip(PARTS, judge.of_layers(texts), judge.of_ngrams(texts), strict=True)
    ]


def mixture(layers: Logits, ngrams: Logits, truth: npt.NDArray[np.int64]) -> tuple[float, float]:
    """The temperature of the layers and the weight of the n-grams beside them, so that the likelihood of `truth` is greatest."""

    def loss(given: Logits) -> float:
        scaled = given - given.max(axis=1, keepdims=True)
        return float(-np.mean(scaled[np.arange(len(truth)), truth] - np.log(np.exp(scaled).sum(axis=1))))

    tried = [(float(divisor), float(weight)) for divisor in np.exp(np.linspace(np.log(0.4), np.log(6), 60)) for weight in WEIGHTS]
    divisor, weight = min(tried, key=lambda each: loss(layers / each[0] + each[1] * ngrams))
    return round(divisor, 3), round(weight, 3)


def shift(given: Logits, truth: npt.NDArray[np.int64]) -> list[float]:
    """What is added to each label's logit, so that the likelihood of `truth` is greatest: labels are not as frequent among what
    people type as in the training data."""
    logits, goals = torch.tensor(given), torch.tensor(truth)
    added = torch.zeros(given.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([added], max_iter=100)

    def loss() -> Any:
        optimizer.zero_grad()
        value = torch.nn.functional.cross_entropy(logits + added, goals) + SHIFT_DECAY * added.square().sum()
        value.backward()
        return value

    optimizer.step(loss)
    return [round(float(each), 3) for each in added.detach()]


def temperature(given: Logits, truth: npt.NDArray[np.int64]) -> float:
    """What logits (rows, labels) are divided by, so that the likelihood of `truth` is greatest."""

    def loss(divisor: float) -> float:
        scaled = given / divisor
        scaled = scaled - scaled.max(axis=1, keepdims=True)
        return float(-np.mean(scaled[np.arange(len(truth)), truth] - np.log(np.exp(scaled).sum(axis=1))))

    return round(float(min(np.exp(np.linspace(np.log(0.3), np.log(5), 120)), key=loss)), 3)


def softmax(given: Logits, divisor: float = 1.0) -> Logits:
    scaled = given / divisor
    powers = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    shares: Logits = powers / powers.sum(axis=1, keepdims=True)
    return shares


def calibrate(folder: Path = FOLDER) -> None:
    """Write `judge.json` for the layers in `folder`."""
    labels = {"relation": RELATIONS, "intent": INTENTS, "status": STATUSES, "kind": KINDS}
    unread = {"weights": [0.0] * len(FEATURES), "bias": 0.0, "typical": 0.0, "trees": []}
    content: dict[str, Any] = {
        "weights": weights_of(folder),
        "labels": labels, "temperatures": {}, "boundaries": {}, "ngrams": {}, "shifts": {}, "ending": unread,
    }  # fmt: skip
    _write(folder, content)
    judge = OnnxJudge(folder)
    found = pairs("dev")
    relation = relation_logits(judge, found)
    truth = np.array([pair.label for pair in found])
    content["temperatures"] = {"relation": temperature(relation, truth), "answers": answering_temperature(judge)}
    set_texts(judge, content)
    updates = softmax(relation, content["temperatures"]["relation"])[:, RELATIONS.index("updates")]
    own = updates[truth == RELATIONS.index("updates")]
    content["boundaries"] = {"certain": 1.0, "likely": 1.0, "perhaps": 1.0, "refuted": round(float(np.quantile(own, REFUTED)), 4)}
    _write(folder, content)
    judge = OnnxJudge(folder)
    news, plain = compared_news(judge, "dev"), compared_histories(judge, "dev")
    content["ending"] = fitted_ending([*news, *plain * PLAIN])
    given = in_turns(news, plain * PLAIN)
    for name, wrong in (("certain", CERTAIN_WRONG), ("likely", LIKELY_WRONG)):
        worst = [np.max(each.possible(name, scores)[~each.ended], initial=0.0) for each, scores in zip(news, given, strict=True)]
        content["boundaries"][name] = round(float(np.quantile(worst, 1 - wrong, method="higher")) + 5e-5, 4)
    likeliest = [0.0 if each.ended[scores.argmax()] else scores.max() for each, scores in zip(news, given, strict=True)]
    content["boundaries"]["perhaps"] = round(float(np.quantile(likeliest, 1 - PERHAPS_WRONG, method="higher")) + 5e-5, 4)
    _write(folder, content)


def weights_of(folder: Path) -> str:
    """Name what decides about statements."""
    names = dict.fromkeys((*STAGES["relation"], SECOND, *STAGES["utterance"]))
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()[:12]


def set_texts(judge: OnnxJudge, content: dict[str, Any]) -> None:
    """Set what the outputs for one text mean."""
    said = utterances("dev")
    told = [each for each in said if each.status >= 0]
    shifts = {part: [0.0] * len(content["labels"][part]) for part in PARTS}
    for number, (part, own) in enumerate(zip(PARTS, (said, told, told), strict=True)):
        words, goals = [each.text for each in own], np.array([getattr(each, part) for each in own])
        layers, ngrams = (of(words)[number].astype(np.float64) for of in (judge.of_layers, judge.of_ngrams))
        divisor, weight = mixture(layers, ngrams, goals)
        content["temperatures"][part], content["ngrams"][part] = divisor, weight
        if part == "intent":  # how often something is wished or joked, dev does not tell
            shifts[part] = shift(layers / divisor + weight * ngrams, goals)
    content["shifts"] = shifts


def calibrate_texts(folder: Path = FOLDER) -> None:
    """Write anew what `judge.json` says of one text, once `judge_texts.onnx` has changed; all else stays."""
    content = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
    set_texts(OnnxJudge(folder), content)
    _write(folder, {**content, "weights": weights_of(folder)})


@dataclass(frozen=True, slots=True)
class Compared:
    """One piece of news beside statements of its life: what the judge finds of each pair, the cosines, and which it ends.
    `only_asked`: it goes on for a day or a week, or is not said for true, so that it retires nothing by itself."""

    life: str
    only_asked: bool
    found: tuple[Relatedness, ...]
    alike: tuple[float, ...]
    ended: npt.NDArray[np.bool_]

    def possible(self, outcome: str, scores: Logits) -> Logits:
        """`scores`, but 0 for what the product does not do because of such news, whatever the scores are."""
        if outcome != "certain":
            return scores
        sure = np.array([not self.only_asked and each.updates >= SURE_ALONE for each in self.found])
        return np.where(sure, scores, 0.0)


def compared_news(judge: OnnxJudge, split: Split, *, parts: bool = True) -> list[Compared]:
    """Each piece of news beside all statements of its life and, with `parts`, beside what it concerns and a few others."""
    chance = random.Random(5)
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=CACHE, threads=2)
    assert embedder is not None
    rows: list[Compared] = []
    for life in lives(split):
        known, said = embedder.embed(list(life.statements)), embedder.embed([news.text for news in life.news])
        cosines = np.maximum(said @ known.T, judge.seeks(said, embedder.model_id)[0] @ known.T)
        found = judge.relations([(old, news.text) for news in life.news for old in life.statements])
        for number, news in enumerate(life.news):
            relations = found[number * len(life.statements) : (number + 1) * len(life.statements)]
            whole = list(range(len(life.statements)))
            concerned = [place for place in whole if news.label(place) != RELATIONS.index("unrelated")]
            others = [place for place in whole if place not in concerned]
            few = concerned + chance.sample(others, min(len(others), chance.randint(0 if concerned else 1, 8)))
            rows += [
                Compared(
                    life.id,
                    is_passing(news.text) or not may_settle(status_of_text(news.text, judge)),
                    tuple(relations[place] for place in shown),
                    tuple(float(cosines[number, place]) for place in shown),
                    np.array([place in news.updates for place in shown]),
                )
                for shown in ((whole, few) if parts else (whole,))
            ]
    return rows


def compared_histories(judge: OnnxJudge, split: Split) -> list[Compared]:
    """Each statement of a memory beside the earlier ones that are nearest to it. Of two that answer one question, one of which no
    longer holds, the newer may end the older or not, where not this is asked: such pairs are left out."""
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=CACHE, threads=2)
    assert embedder is not None
    rows: list[Compared] = []
    for memory in memories(split):
        names = sorted(memory.statements, key=lambda name: memory.statements[name][0])
        days, texts = zip(*(memory.statements[name] for name in names), strict=True)
        vectors = embedder.embed(list(texts))
        cosines = np.maximum(vectors @ vectors.T, judge.seeks(vectors, embedder.model_id)[0] @ vectors.T)
        replaced = {(old, new) for _, gold, stale, kind in memory.questions if kind == "current" for old in stale for new in gold}
        unknown = {(old, new) for _, gold, stale, _ in memory.questions for old in stale for new in gold} - replaced
        for number, (name, text) in enumerate(zip(names, texts, strict=True)):
            earlier = [place for place in range(number) if days[place] < days[number]]
            nearest = sorted(earlier, key=lambda place: -cosines[number, place])[:MOST_JUDGED]
            shown = [place for place in nearest if (names[place], name) not in unknown]
            if shown:
                rows.append(
                    Compared(
                        f"{memory.file} {memory.id}",
                        is_passing(text) or not may_settle(status_of_text(text, judge)),
                        tuple(judge.relations([(texts[place], text) for place in shown])),
                        tuple(float(cosines[number, place]) for place in shown),
                        np.array([(names[place], name) in replaced for place in shown]),
                    )
                )
    return rows


def fitted_ending(news: Sequence[Compared]) -> dict[str, Any]:
    """A logistic regression over `ending.features`, its weights for the features as they are, and trees boosted from it."""
    rows = np.concatenate([features(each.found, each.alike) for each in news])
    truth = torch.tensor(np.concatenate([each.ended for each in news]), dtype=torch.float64)
    middle, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-9
    given = torch.tensor((rows - middle) / spread)
    weights = torch.zeros(len(FEATURES) + 1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=300)

    def loss() -> Any:
        optimizer.zero_grad()
        value = torch.nn.functional.binary_cross_entropy_with_logits(given @ weights[:-1] + weights[-1], truth)
        value = value + DECAY * (weights[:-1] ** 2).sum()
        value.backward()
        return value

    optimizer.step(loss)
    *scaled, bias = weights.detach().numpy()
    unscaled = np.array(scaled) / spread
    best = [float(rows[:, 0].max()) for rows in (features(each.found, each.alike) for each in news if each.ended.any())]
    shift = float(bias - unscaled @ middle)
    stands = np.concatenate([standing(each.found, each.alike) for each in news])
    return {
        "weights": [round(float(weight), 5) for weight in unscaled],
        "bias": round(shift, 5),
        "typical": round(float(np.median(best)), 3),
        "trees": boosted(np.hstack([rows, stands]), truth.numpy(), rows @ unscaled + shift),
    }


def boosted(rows: Logits, truth: npt.NDArray[np.float64], known: Logits) -> list[dict[str, Any]]:
    """Trees that add to the logits `known` what those miss; being surer of a pair never counts against it."""
    order = [int(name in NEVER_AGAINST) for name in (*FEATURES, *STANDING)]
    data = lightgbm.Dataset(rows, truth, init_score=known)
    model = lightgbm.train({**TREES, "monotone_constraints": order}, data, ROUNDS)
    trees = [flat(each["tree_structure"]) for each in model.dump_model()["tree_info"]]
    return [asdict(tree) for tree in trees if tree.feature]


def in_turns(news: Sequence[Compared], beside: Sequence[Compared]) -> list[Logits]:
    """Return the probabilities of each piece of news by what was fitted on other memories, those of `beside` among them."""
    fitted = [*news, *beside]
    owners = {life: number % TURNS for number, life in enumerate(dict.fromkeys(each.life for each in fitted))}
    endings = [read_ending(fitted_ending([each for each in fitted if owners[each.life] != turn])) for turn in range(TURNS)]
    return [np.array(endings[owners[each.life]].probabilities(each.found, each.alike, whole=True)) for each in news]


def answering_temperature(judge: OnnxJudge) -> float:
    """On dev."""
    asked, answered, _, _ = answer_logits(judge, "dev")
    return temperature(np.stack([np.zeros_like(asked), asked], axis=1), answered)


def answer_logits(
    judge: OnnxJudge, split: Split
) -> tuple[Logits, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """For each question with each statement of its memory but those that no longer hold: the raw value, the truth,
    the number of the question, and whether it is answerable at all."""
    numbers: list[int] = []
    answerable: list[bool] = []
    number = -1
    given: list[float] = []
    truth: list[int] = []
    for memory in memories(split):
        asked = [(question, gold, stale) for question, gold, stale, _ in memory.questions]
        for question, gold, stale in [*asked, *((question, (), ()) for question in memory.unanswerable)]:
            number += 1
            names = [name for name in memory.statements if name not in stale]
            numbers += [number] * len(names)
            answerable += [bool(gold)] * len(names)
            raw = judge.raw("answers", [(question, memory.statements[name][1]) for name in names])
            given += raw[:, 0].tolist()
            truth += [int(name in gold) for name in names]
    return np.array(given), np.array(truth), np.array(numbers), np.array(answerable)


def _write(folder: Path, content: dict[str, Any]) -> None:
    """Each tree on a line of its own: the rest is for people to read."""
    trees = content["ending"]["trees"]
    text = json.dumps({**content, "ending": {**content["ending"], "trees": ["TREES"]}}, indent=1)
    lines = ",\n".join("   " + json.dumps(tree, separators=(",", ":")) for tree in trees)
    (folder / DESCRIPTION).write_text(text.replace('   "TREES"', lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    calibrate(parser.parse_args().folder)


if __name__ == "__main__":
    main()
