"""Fit once more what answers a question: `python -m train.answers --write`, a quarter of an hour on one core.

Most questions of the training data are in other words than what answers them, so the judge came to doubt words in common: "What
is Wendy's bakery called?" beside "Daughter Wendy runs a bakery in Bend called Flour Street." had a chance of 0.001. So a second
head for answers, `tells`, a linear map over the layers as they are, learns from memories as people note things down in the first
weeks, with questions in their own words and near misses as near (`PLAIN`), beside a part of all other questions. It starts from
`answers`, which stays: that doubts better, and says whether anything answers at all.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from lattice_common.adapters.models.onnx_judge import DESCRIPTION, GRAPH, OnnxJudge
from lattice_common.adapters.models.packaged_minilm import package_folder
from torch import Tensor, nn

from train.batches import Row, Tokens, tensors
from train.calibrate import answering_temperature
from train.corpus import Memory, memories, questions_on_lives
from train.encoder import WIDTH, Judge
from train.export import FOLDER
from train.fit import CHOICE, choice_loss, rows_of_memories
from train.negatives import nearest_statements, packaged_embedder
from train.shipped import load_shipped

PLAIN = frozenset(f"memories-{author}" for author in "KLMNOP")
OTHERS = 2_600
"""Questions of all other files that are learned beside them."""
EPOCHS, RATE, DECAY, DROPOUT, AT_ONCE = 4, 1e-3, 1e-2, 0.1, 24


@dataclass(frozen=True, slots=True)
class Read:
    """What the layers make of each row (rows, 5 * width), and what the head makes of that (rows,)."""

    rows: Sequence[Row]
    features: Tensor
    given: Tensor


def learned(chance: random.Random) -> list[Memory]:
    """Return the plain memories, and others until there are `OTHERS` questions on them."""
    found = memories("train")
    plain = [each for each in found if each.file in PLAIN]
    others = [*(each for each in found if each.file not in PLAIN), *questions_on_lives("train")]
    chance.shuffle(others)
    counts = np.cumsum([len(each.questions) + len(each.unanswerable) for each in others])
    return [*plain, *others[: int(np.searchsorted(counts, OTHERS)) + 1]]


@torch.no_grad()
def read(judge: Judge, rows: Sequence[Row]) -> Read:
    features = torch.zeros(len(rows), 5 * WIDTH)
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        ids, types, mask, _ = tensors([rows[place] for place in places])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            features[places] = judge.pair_features(ids, types, mask).float()
    return Read(rows, features, judge.answers(features)[:, 0])


def fitted(found: Read, seed: int = 1) -> tuple[Tensor, float]:
    """Return what is added to the head: weights (5 * width,), and to its bias."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    mean, spread = found.features.mean(0), found.features.std(0) + 1e-4
    features, target = (found.features - mean) / spread, torch.tensor([row.target[0] for row in found.rows])
    added = nn.Linear(5 * WIDTH, 1)
    nn.init.zeros_(added.weight)
    nn.init.zeros_(added.bias)
    dropout = nn.Dropout(DROPOUT)
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(found.rows):
        groups.setdefault(row.group, []).append(place)
    questions = list(groups.values())
    optimizer = torch.optim.AdamW(added.parameters(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, EPOCHS * len(questions) // AT_ONCE)
    for _ in range(EPOCHS):
        chance.shuffle(questions)
        for start in range(0, len(questions), AT_ONCE):
            places = [place for question in questions[start : start + AT_ONCE] for place in question]
            odds = found.given[places] + added(dropout(features[places]))[:, 0]
            single = nn.functional.binary_cross_entropy_with_logits(odds, target[places])
            loss = single + CHOICE * choice_loss(odds, target[places] > 0, [found.rows[place] for place in places])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    weights = (added.weight[0] / spread).detach()
    return weights, float(added.bias.detach()[0] - weights @ mean)


def write(weights: Tensor, bias: float, folder: Path = FOLDER) -> None:
    """Make `tells` in `judge.onnx` what `answers` is and this more, and set its temperature in `judge.json` anew."""
    model = onnx.load(str(folder / GRAPH))
    known = {each.name: each for each in model.graph.initializer}
    for part, more in (("weight", weights.numpy()[:, np.newaxis]), ("bias", np.array([bias]))):
        former = onnx.numpy_helper.to_array(known[f"answers_{part}"])
        own = onnx.numpy_helper.from_array(former + more.astype(np.float32), f"tells_{part}")
        known[own.name].CopyFrom(own)
    onnx.save_model(model, str(folder / GRAPH))
    text = (folder / DESCRIPTION).read_text(encoding="utf-8")
    before = json.loads(text)["temperatures"]["tells"]
    after = answering_temperature(OnnxJudge(folder), "tells")
    (folder / DESCRIPTION).write_text(text.replace(f'"tells": {before}', f'"tells": {after}'), encoding="utf-8")


def measure(found: Read, odds: Tensor, name: str) -> None:
    """Print how often the right statement comes first, and how well near misses are told from questions with an answer."""
    own: dict[int, list[int]] = {}
    for place, row in enumerate(found.rows):
        own.setdefault(row.group, []).append(place)
    answers = {number: [found.rows[place].target[0] > 0 for place in places] for number, places in own.items()}
    best = {number: float(odds[places].max()) for number, places in own.items()}
    some = [number for number in own if any(answers[number])]
    none = [number for number in own if not any(answers[number])]
    first = np.mean([answers[number][int(odds[own[number]].argmax())] for number in some])
    sure, vain = np.array([best[number] for number in some]), np.array([best[number] for number in none])
    refused = ", ".join(f"{np.mean(vain < np.quantile(sure, share)):.3f} at {share:.0%}" for share in (0.03, 0.05, 0.1))
    area = np.mean(sure[:, np.newaxis] > vain)
    print(f"{name}: right first {first:.3f} of {len(some)}; of {len(none)} near misses AUC {area:.3f}, refused {refused}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"write `tells` into {GRAPH}")
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    given = parser.parse_args()
    tokens, judge, embedder = Tokens(given.model), Judge(given.model), packaged_embedder()
    load_shipped(judge, FOLDER / GRAPH)
    judge.eval()
    chance = random.Random(11)

    def rows_of(found: list[Memory]) -> list[Row]:
        return rows_of_memories(tokens, found, nearest_statements(embedder, found), chance)

    found = read(judge, rows_of(learned(chance)))
    weights, bias = fitted(found)
    held = {author: [each for each in memories("dev") if each.file == f"memories-{author}"] for author in "DHI"}
    for author, own in held.items():
        shown = read(judge, rows_of(own))
        measure(shown, shown.given, f"memories {author}, before")
        measure(shown, shown.given + shown.features @ weights + bias, f"memories {author}, after")
    if given.write:
        write(weights, bias)


if __name__ == "__main__":
    main()
