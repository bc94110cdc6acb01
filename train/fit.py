"""Train the judge: `python -m train.fit --out build/judge.pt`. Half an hour on two cores; seeded.

Loss: cross-entropy for relation, intent, status and kind, binary cross-entropy for answers. Every head sees its own batches, in
one random order. The weights kept are those of the moving average over the steps, which smooths the last epochs.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import torch
from lattice_common.adapters.models.packaged_minilm import package_folder
from torch import Tensor, nn

from train.batches import Row, Tokens, batched, tensors
from train.beside import UNRELATED, UPDATES, beside_news, beside_questions, beside_statements
from train.corpus import (
    INTENTS,
    KINDS,
    SOME_TRUE_STATUS,
    STATUSES,
    TRUE_STATUSES,
    Life,
    Memory,
    Pair,
    Utterance,
    endings,
    lives,
    memories,
    pairs,
    questions_on_lives,
    utterances,
)
from train.descent import descend
from train.encoder import Judge
from train.negatives import OtherTopics, nearest_in_lives, nearest_statements, packaged_embedder
from train.shipped import load_shipped

Line = TypeVar("Line", Pair, Utterance, Memory, Life)

BATCH = 40
CHOICE = 0.5
"""Weight of the choice among what one piece of news or one question stands beside, next to each row by itself."""
NOT_UPDATES = -2.0
"""The target of a pair of which only that is known."""
UTTERANCE_WEIGHTS = (1.0, 0.7, 0.3)
"""Of intent, status and kind."""
IMPOSSIBLE = -1e4
"""Log odds of what is not chosen among."""
AVERAGE = 0.998
"""Of the moving average over the weights: the last 500 steps or so."""


def rows_of_pairs(tokens: Tokens, found: Sequence[Pair]) -> list[Row]:
    return [Row("relation", *tokens.of("relation", pair.old, pair.new), (float(pair.label),)) for pair in found]


def rows_of_utterances(tokens: Tokens, found: Sequence[Utterance]) -> list[Row]:
    return [
        Row("utterance", *tokens.of("utterance", each.text), (float(each.intent), float(each.status), float(each.kind)))
        for each in found
    ]


def rows_of_memories(
    tokens: Tokens,
    found: Sequence[Memory],
    nearest: dict[tuple[str, str], list[str]],
    chance: random.Random,
    *,
    close: int = 3,
    others: int = 2,
) -> list[Row]:
    """Each question with what answers it, and with as many that don't as teach something: `close` ones and a few at random."""
    rows: list[Row] = []
    for number, each in enumerate(beside_questions(found, nearest)):
        wrong = drawn(each.others, close, others, chance)
        for text, label in (*each.labelled, *((text, 0) for text in wrong)):
            rows.append(Row("answers", *tokens.of("answers", each.text, text), (float(label),), number))
    return rows


def drawn(found: Sequence[str], close: int, others: int, chance: random.Random) -> list[str]:
    """Return the first `close` and as many as `others` of the rest."""
    return [*found[:close], *chance.sample(found[close:], min(others, len(found[close:])))]


def rows_of_histories(
    tokens: Tokens, found: Sequence[Memory], nearest: dict[tuple[str, str], list[str]], chance: random.Random
) -> list[Row]:
    """What a memory says one after the other: a statement that replaced another updates it; of the earlier ones most like it, and
    of one at random, it is only known that it does not. In the product most of what is compared is of that sort."""
    rows: list[Row] = []
    for each in beside_statements(found, nearest):
        labelled = [*each.labelled, *((text, NOT_UPDATES) for text in drawn(each.others, 3, 1, chance))]
        rows += [Row("relation", *tokens.of("relation", old, each.text), (float(label),)) for old, label in labelled]
    return rows


def rows_of_other_topics(tokens: Tokens, found: Sequence[Pair], topics: OtherTopics, chance: random.Random) -> list[Row]:
    """Each update beside a near and any statement of other topics, half of all else beside a near one; drawn anew each time."""
    rows: list[Row] = []
    for pair in found:
        near, others = (1, 1) if pair.label == UPDATES else (int(chance.random() < 0.5), 0)
        rows += [
            Row("relation", *tokens.of("relation", old, pair.new), (float(UNRELATED),))
            for old in topics.beside(pair, near, others, chance)
        ]
    return rows


def rows_of_lives(
    tokens: Tokens, found: Sequence[Life], nearest: dict[tuple[str, str], list[int]], chance: random.Random
) -> list[Row]:
    """Each piece of news beside what it concerns, the other statement most like it and one more, drawn anew each time: what a
    memory looks like in which something new is said."""
    rows: list[Row] = []
    for number, each in enumerate(beside_news(found, nearest)):
        labelled = [*each.labelled, *((text, UNRELATED) for text in drawn(each.others, 1, 1, chance))]
        rows += [Row("news", *tokens.of("relation", old, each.text), (float(label),), number) for old, label in labelled]
    return rows


def relation_loss(given: Tensor, target: Tensor) -> Tensor:
    """Cross-entropy; of rows that are only known not to update, the probability of that."""
    known = target >= 0
    logs = nn.functional.log_softmax(given, dim=1)
    labelled = nn.functional.cross_entropy(given[known], target[known].long(), label_smoothing=0.05, reduction="sum")
    others = torch.cat([logs[~known, :UPDATES], logs[~known, UPDATES + 1 :]], dim=1).logsumexp(dim=1)
    return (labelled - others.sum()) / len(target)


def choice_loss(scores: Tensor, right: Tensor, groups: Tensor) -> Tensor:
    """How little of the choice within each group falls on what is right: `scores` (rows,) are log odds, and "none of them" stands
    beside them with 0. So that a row is judged beside the others, as it is read in the product. `right` and `groups` (rows,)."""
    numbers, places = groups.unique(return_inverse=True)
    scores = scores.float()
    answered = torch.zeros_like(numbers, dtype=torch.bool).index_put((places[right],), right.new_ones(()))
    none = scores.new_zeros(len(numbers))
    every = torch.cat([places, torch.arange(len(numbers), device=places.device)])
    chosen = torch.cat([scores.masked_fill(~right, IMPOSSIBLE), none.masked_fill(answered, IMPOSSIBLE)])
    whole = _logsumexp(torch.cat([scores, none]), every, len(numbers))
    return (whole - _logsumexp(chosen, every, len(numbers))).mean()


def _logsumexp(values: Tensor, places: Tensor, count: int) -> Tensor:
    """Return the logarithm of the sum of the powers of those at each of `count` places, (count,)."""
    largest = values.detach().new_full((count,), IMPOSSIBLE).scatter_reduce(0, places, values.detach(), "amax")
    powers = (values - largest[places]).exp()
    return largest + powers.new_zeros(count).index_add(0, places, powers).log()


def update_odds(given: Tensor) -> Tensor:
    """Return the log odds that an old statement is updated, (rows,), of what the head for relations gives, (rows, RELATIONS)."""
    others = torch.cat([given[:, :UPDATES], given[:, UPDATES + 1 :]], dim=1).logsumexp(1)
    return given[:, UPDATES] - others


def utterance_parts(given: Tensor) -> tuple[Tensor, ...]:
    """Return what the head for utterances gives of intent, status and kind."""
    return torch.split(given, [len(INTENTS), len(STATUSES), len(KINDS)], dim=1)


def groups_of(batch: Sequence[Row]) -> Tensor:
    """(rows,)."""
    return torch.tensor([row.group for row in batch])


def loss_of(judge: Judge, batch: list[Row]) -> Tensor:
    ids, types, mask, target = tensors(batch)
    match batch[0].head:
        case "relation":
            return relation_loss(judge.relation(judge.pair_features(ids, types, mask)), target[:, 0])
        case "news":
            given = judge.relation(judge.pair_features(ids, types, mask))
            chosen = choice_loss(update_odds(given), target[:, 0] == UPDATES, groups_of(batch))
            return relation_loss(given, target[:, 0]) + CHOICE * chosen
        case "answers":
            answering = judge.answers(judge.pair_features(ids, types, mask))
            single = nn.functional.binary_cross_entropy_with_logits(answering, target)
            return single + CHOICE * choice_loss(answering[:, 0], target[:, 0] > 0, groups_of(batch))
        case _:
            return utterance_loss(judge.utterance(judge.text_features(ids, types, mask)), target)


def utterance_loss(given: Tensor, target: Tensor) -> Tensor:
    """`target` (rows, 3): intent, status and kind, as `label_loss` takes them."""
    parts = zip(UTTERANCE_WEIGHTS, utterance_parts(given), target.T, strict=True)
    return torch.stack([weight * label_loss(part, goal.long()) for weight, part, goal in parts]).sum()


def label_loss(given: Tensor, goal: Tensor) -> Tensor:
    """Return the mean cross-entropy over rows with a label (`goal` from 0 on), or with SOME_TRUE_STATUS: then of the probability
    of TRUE_STATUSES together; 0 where no row has one."""
    logs = nn.functional.log_softmax(given, dim=1)
    known, some = goal >= 0, goal == SOME_TRUE_STATUS
    if not (known | some).any():
        return given.sum() * 0
    together = logs[some][:, list(TRUE_STATUSES)].logsumexp(dim=1) if some.any() else logs[some].sum(dim=1)
    return -(logs[known].gather(1, goal[known, None]).sum() + together.sum()) / (known | some).sum()


@dataclass(frozen=True, slots=True)
class Part:
    """What is learned of the training data: all of the files `fresh`, and `share` of the lines of all others (0 to 1)."""

    fresh: frozenset[str] = frozenset()
    share: float = 1.0

    def of(self, lines: Iterable[Line], chance: random.Random) -> list[Line]:
        return [line for line in lines if line.file in self.fresh or chance.random() < self.share]


def fit(
    judge: Judge,
    tokens: Tokens,
    *,
    epochs: dict[str, int],
    rate: float,
    seed: int,
    part: Part = Part(),
    say: bool = True,
) -> Judge:
    chance = random.Random(seed)
    torch.manual_seed(seed)
    embedder = packaged_embedder()
    known = part.of(memories("train"), chance)
    asked = [*known, *part.of(questions_on_lives("train"), chance)]
    nearest = nearest_statements(embedder, asked)
    paired = part.of(pairs("train"), chance)
    topics = OtherTopics(embedder, paired)
    lived = part.of(lives("train"), chance)
    near_news = nearest_in_lives(embedder, lived)
    steady = {
        "relation": rows_of_pairs(tokens, paired),
        "utterance": rows_of_utterances(tokens, part.of([*utterances("train"), *endings("train")], chance)),
    }
    turns: list[list[Row]] = []
    for turn in range(max(epochs.values())):
        rows = [row for head, own in steady.items() if turn < epochs.get(head, 0) for row in own]
        if turn < epochs.get("answers", 0):
            rows += rows_of_memories(tokens, asked, nearest, chance)
        if turn < epochs.get("relation", 0):
            rows += rows_of_lives(tokens, lived, near_news, chance)
        if turn < epochs.get("topics", 0):
            rows += rows_of_other_topics(tokens, paired, topics, chance)
        if turn < (epochs.get("relation", 0) + 1) // 2:
            rows += rows_of_histories(tokens, known, nearest, chance)
        turns.append(rows)
    batches = [batch for rows in turns for batch in batched(rows, BATCH, chance)]
    heads = [
        parameter for name, parameter in judge.named_parameters() if name.split(".")[0] in ("relation", "answers", "utterance")
    ]
    others = [
        parameter
        for name, parameter in judge.named_parameters()
        if parameter.requires_grad and name.split(".")[0] not in ("relation", "answers", "utterance")
    ]

    def loss(batch: list[Row]) -> Tensor:
        return loss_of(judge, batch)

    return descend(judge, batches, loss, layers=others, heads=heads, rate=rate, heads_faster=5, average=AVERAGE, say=say)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--relation", type=int, default=6)
    parser.add_argument("--answers", type=int, default=3)
    parser.add_argument("--utterance", type=int, default=6)
    parser.add_argument("--topics", type=int, default=0, help="epochs in which news stands beside other topics")
    parser.add_argument("--start", type=Path, help="weights to go on from: a file of this command, or a judge.onnx")
    parser.add_argument("--rate", type=float, default=8e-5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", nargs="*", default=[], help="files of train/data that are learned whole, by their stems")
    parser.add_argument("--share", type=float, default=1.0, help="share of the lines of all other files")
    given = parser.parse_args()
    tokens = Tokens(given.model)
    epochs = {
        "relation": given.relation, "answers": given.answers, "utterance": given.utterance, "topics": given.topics,
    }  # fmt: skip
    judge = Judge(given.model)
    if given.start and given.start.suffix == ".onnx":
        load_shipped(judge, given.start)
    elif given.start:
        judge.load_state_dict(torch.load(given.start))
    judge = fit(
        judge,
        tokens,
        epochs={head: turns for head, turns in epochs.items() if turns},
        rate=given.rate,
        seed=given.seed,
        part=Part(frozenset(given.fresh), given.share),
    )
    given.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(judge.state_dict(), given.out)


if __name__ == "__main__":
    main()
