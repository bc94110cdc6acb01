"""Temperatures and boundaries of a judge, found on dev with the product's own adapter: `judge.json`.

Temperatures divide the raw outputs so that the probabilities mean what they say (Guo et al. 2017). Boundaries are on the
probability of `updates`: above `certain`, at most 0.5 % of the dev pairs that do not update are retired, and at most 0.05 % of
statements of different topics; above `likely`, at most 8 % of the dev pairs that do not update are asked about, and at most
0.2 % of statements of different topics that are alike; above `distant`, at most 0.4 % of those that are not; below `refuted` lie
at most 2 % of those that do update, and there the judge overrules a rule.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from lattice_common.adapters.models.onnx_judge import FOLDER, LEAST_ALIKE, OnnxJudge
from lattice_common.adapters.models.open_embedder import open_embedder
from lattice_common.domain.passing import is_passing
from lattice_common.ingest.reconcile.judging import ALIKE

from train.corpus import INTENTS, KINDS, RELATIONS, STATUSES, Pair, Split, Utterance, memories, pairs, utterances

CERTAIN_WRONG, LIKELY_WRONG = 0.005, 0.08
"""Shares of the pairs of one topic that do not update which may be retired, and asked about."""
CERTAIN_BESIDE = 0.0005
"""Share of other topics' statements that may be retired. Each new statement is compared with up to 24 of them."""
NEAR_BESIDE, DISTANT_BESIDE, HISTORY_BESIDE = 0.002, 0.004, 0.0035
"""Shares that may be asked about: of other topics' statements, those that are alike and those that are not, and of the nearest
earlier statements of a memory."""
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
        (layers / said.temperatures[part] + said.ngrams[part] * ngrams).astype(np.float64)
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
    """Write `judge.json` for the `judge.onnx` in `folder`."""
    labels = {"relation": RELATIONS, "intent": INTENTS, "status": STATUSES, "kind": KINDS}
    content: dict[str, Any] = {"labels": labels, "temperatures": {}, "boundaries": {}, "ngrams": {}}
    _write(folder, content)
    judge = OnnxJudge(folder)
    found, said = pairs("dev"), utterances("dev")
    relation = relation_logits(judge, found)
    truth = np.array([pair.label for pair in found])
    told = [each for each in said if each.status >= 0]
    mixed = {}
    for number, (part, own) in enumerate(zip(PARTS, (said, told, told), strict=True)):
        words, goals = [each.text for each in own], np.array([getattr(each, part) for each in own])
        mixed[part] = mixture(judge.of_layers(words)[number], judge.of_ngrams(words)[number], goals)
    asked, answered, _, _ = answer_logits(judge, "dev")
    content["temperatures"] = {
        "relation": temperature(relation, truth),
        "answers": temperature(np.stack([np.zeros_like(asked), asked], axis=1), answered),
        **{part: divisor for part, (divisor, _) in mixed.items()},
    }
    content["ngrams"] = {part: weight for part, (_, weight) in mixed.items()}
    updates = softmax(relation, content["temperatures"]["relation"])[:, RELATIONS.index("updates")]
    others, own = updates[truth != RELATIONS.index("updates")], updates[truth == RELATIONS.index("updates")]
    passing = np.array([is_passing(pair.new) for pair in found])[truth != RELATIONS.index("updates")]
    _write(folder, content)
    judge = OnnxJudge(folder)
    history = history_pairs(judge, "dev")[0]
    across, alike = cross_pairs(judge, "dev")
    certain = max(
        # What is said to be only for a while retires nothing, whatever the judge says.
        np.quantile(np.where(passing, 0.0, others), 1 - CERTAIN_WRONG, method="higher"),
        np.quantile(np.concatenate([history, across]), 1 - CERTAIN_BESIDE, method="higher"),
    )
    likely = max(
        np.quantile(others, 1 - LIKELY_WRONG, method="higher"),
        np.quantile(history, 1 - HISTORY_BESIDE, method="higher"),
        np.quantile(np.where(alike >= ALIKE, across, 0.0), 1 - NEAR_BESIDE, method="higher"),
    )
    far = np.where((alike >= LEAST_ALIKE) & (alike < ALIKE), across, 0.0)
    distant = max(likely, np.quantile(far, 1 - DISTANT_BESIDE, method="higher"))
    boundaries = {"certain": certain, "likely": likely, "distant": distant, "refuted": np.quantile(own, REFUTED)}
    content["boundaries"] = {name: round(float(value), 4) for name, value in boundaries.items()}
    _write(folder, content)


def cross_pairs(judge: OnnxJudge, split: Split) -> tuple[Logits, Logits]:
    """Each update beside the old statements of its author's other topics, one update a topic: probabilities of `updates`, and the
    cosines, turned or not, by which one finds the other."""
    found = [pair for pair in pairs(split) if pair.label == RELATIONS.index("updates")]
    one_each = {(pair.file, pair.lang, pair.old): pair for pair in found}
    rows = [
        (other.old, pair.new)
        for pair in one_each.values()
        for other in one_each.values()
        if (pair.file, pair.lang) == (other.file, other.lang) and pair.old != other.old
    ]
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=CACHE, threads=2)
    assert embedder is not None
    olds, news = ({text: place for place, text in enumerate(dict.fromkeys(side))} for side in zip(*rows, strict=True))
    known, said = embedder.embed(list(olds)), embedder.embed(list(news))
    cosines = np.maximum(said @ known.T, judge.seeks(said, embedder.model_id)[0] @ known.T)
    given = softmax(judge.raw("relation", rows).astype(np.float64), judge.description.temperatures["relation"])
    updates: Logits = given[:, RELATIONS.index("updates")]
    return updates, np.array([cosines[news[new], olds[old]] for old, new in rows], dtype=np.float64)


def history_pairs(judge: OnnxJudge, split: Split) -> tuple[Logits, Logits]:
    """Probabilities of `updates` within memories: of near statements that both hold, and of those that replaced one another."""
    known = memories(split)
    embedder = open_embedder("all-MiniLM-L6-v2", cache_dir=CACHE, threads=2)
    assert embedder is not None
    rows: list[tuple[str, str]] = []
    replaced: list[bool] = []
    for memory in known:
        stale = {(old, new) for _, gold, olds, kind in memory.questions for old in olds for new in gold if kind == "current"}
        touched = {(old, new) for _, gold, olds, _ in memory.questions for old in olds for new in gold}
        names = list(memory.statements)
        vectors = dict(zip(names, embedder.embed([memory.statements[name][1] for name in names]), strict=True))
        for name in names:
            earlier = [other for other in names if memory.statements[other][0] < memory.statements[name][0]]
            nearest = sorted(earlier, key=lambda other: -float(vectors[other] @ vectors[name]))[:NEAREST]
            for other in earlier:
                if (other, name) in stale or (other in nearest and (other, name) not in touched):
                    rows.append((memory.statements[other][1], memory.statements[name][1]))
                    replaced.append((other, name) in stale)
    given = softmax(judge.raw("relation", rows).astype(np.float64), judge.description.temperatures["relation"])
    updates, truth = given[:, RELATIONS.index("updates")], np.array(replaced)
    return updates[~truth], updates[truth]


def answer_logits(
    judge: OnnxJudge, split: Split
) -> tuple[Logits, npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
    """For each question with each statement of its memory but those that no longer hold: the raw value of `answers`, the truth,
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
            given += judge.raw("answers", [(question, memory.statements[name][1]) for name in names])[:, 0].tolist()
            truth += [int(name in gold) for name in names]
    return np.array(given), np.array(truth), np.array(numbers), np.array(answerable)


def _write(folder: Path, content: dict[str, Any]) -> None:
    (folder / "judge.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    calibrate(parser.parse_args().folder)


if __name__ == "__main__":
    main()
