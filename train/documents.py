"""Fit which line of a document answers: `python -m train.documents --write`, half an hour on one core.

The judge reads statements of people; a line of a document is shorter, stands below headings, beside near twins ("Net", "VAT",
"Total"), and is asked for in other words. So the judge's last layers and its head for answers are fitted once more, as copies of
their own, to the documents of `train/data`; the layers below, and all that the judge knows of statements, stay as they are.

A question stands beside lines of its own document and of others, as in the product, where one of them answers or none does: the
loss is that of the choice, with "none of them" beside them. `bench.fit_documents --write` then fits anew what reads them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from lattice_common.adapters.models.bert_graph import GraphDraft, encoder_layer
from lattice_common.adapters.models.calibrated_features import Largest
from lattice_common.adapters.models.onnx_judge import LINES
from lattice_common.adapters.models.packaged_minilm import package_folder
from onnx import TensorProto, save_model
from torch import Tensor, nn

from train.batches import Row, Tokens, batched, tensors
from train.corpus import Sheet, Split, sheets
from train.descent import descend
from train.encoder import WIDTH, Judge, pair_pooled
from train.export import (
    COPIED,
    FOLDER,
    POOLED_BY,
    SHAPE,
    add_head,
    info,
    largest_features,
    model_of,
    named_tensors,
    pooled,
)
from train.fit import choice_loss
from train.negatives import packaged_embedder
from train.shipped import load_shipped

OWN, OTHERS = 9, 4
"""Lines of its own document that stand beside a question, the nearest, and of all others."""
BATCH = 72
EPOCHS, RATE, SINGLE, AVERAGE = 3, 1e-4, 0.2, 0.99


class Lines(nn.Module):
    """The judge's last layers and a head, over what the layers below them made of a row."""

    def __init__(self, judge: Judge, layers: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(list(judge.layers)[len(judge.layers) - layers :])
        self.answers = judge.answers
        self.dropout = judge.dropout

    def forward(self, hidden: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """`hidden` (rows, tokens, width); returns log odds, (rows,)."""
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, seen)
        given: Tensor = self.answers(self.dropout(pair_pooled(hidden.float(), types, mask)))[:, 0]
        return given


@torch.no_grad()
def below(judge: Judge, rows: Sequence[Row], layers: int) -> list[Tensor]:
    """What the layers that stay make of each row, (tokens, width) in half precision."""
    found: list[Tensor] = [torch.empty(0)] * len(rows)
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        ids, types, mask, _ = tensors([rows[place] for place in places])
        where = torch.arange(ids.shape[1])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = judge.norm(judge.words(ids) + judge.positions(where) + judge.types(types))
            for layer in list(judge.layers)[: len(judge.layers) - layers]:
                hidden = layer(hidden, mask.bool()[:, None, None, :])
        for at, place in enumerate(places):
            found[place] = hidden[at, : len(rows[place].ids)].half().clone()
    return found


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and the lines beside it; which of them answer."""

    question: str
    lines: tuple[str, ...]
    answers: tuple[bool, ...]


def asked_of(found: Sequence[Sheet], own: int = OWN, others: int = OTHERS) -> list[Asked]:
    """Every question of the documents, beside the nearest lines of its own and of all other documents."""
    texts = [[sheet.shown(place) for place in range(len(sheet.lines))] for sheet in found]
    flat = [text for each in texts for text in each]
    of = np.repeat(np.arange(len(found)), [len(each) for each in texts])
    embedder = packaged_embedder()
    vectors = embedder.embed(flat)
    asked = []
    for number, sheet in enumerate(found):
        questions = [*sheet.asked, *((question, ()) for question in sheet.none)]
        scores = embedder.embed([question for question, _ in questions]) @ vectors.T
        first = int(np.flatnonzero(of == number)[0])
        for (question, gold), row in zip(questions, scores, strict=True):
            inside = sorted(range(len(texts[number])), key=lambda place: -row[first + place])
            chosen = list(dict.fromkeys([*gold, *inside[:own]]))
            outside = np.where(of == number, -2.0, row).argsort()[::-1][:others]
            lines = [texts[number][place] for place in chosen] + [flat[place] for place in outside]
            asked.append(Asked(question, tuple(lines), tuple(place in gold for place in chosen) + (False,) * len(outside)))
    return asked


def rows_of(tokens: Tokens, asked: Iterable[Asked]) -> list[Row]:
    return [
        Row("answers", *tokens.of("answers", each.question, line), (float(answers),), number)
        for number, each in enumerate(asked)
        for line, answers in zip(each.lines, each.answers, strict=True)
    ]


def _padded(hidden: Sequence[Tensor]) -> Tensor:
    whole = torch.zeros(len(hidden), max(len(each) for each in hidden), WIDTH)
    for place, each in enumerate(hidden):
        whole[place, : len(each)] = each
    return whole


def fit(model: Lines, rows: Sequence[Row], hidden: Sequence[Tensor], *, epochs: int, rate: float, seed: int = 1) -> Lines:
    chance = random.Random(seed)
    torch.manual_seed(seed)
    known = {id(row): each for row, each in zip(rows, hidden, strict=True)}
    batches = [batch for _ in range(epochs) for batch in batched(rows, BATCH, chance)]

    def loss_of(batch: list[Row]) -> Tensor:
        _, types, mask, target = tensors(batch)
        given = model(_padded([known[id(row)] for row in batch]), types, mask).float()
        single = nn.functional.binary_cross_entropy_with_logits(given, target[:, 0])
        return choice_loss(given, target[:, 0] > 0, batch) + SINGLE * single

    layers, heads = model.layers.parameters(), model.answers.parameters()
    return descend(model, batches, loss_of, layers=layers, heads=heads, rate=rate, heads_faster=3, average=AVERAGE)


@torch.no_grad()
def log_odds(model: Lines, rows: Sequence[Row], hidden: Sequence[Tensor]) -> np.ndarray:
    given = np.zeros(len(rows))
    order = sorted(range(len(rows)), key=lambda place: len(rows[place].ids))
    for start in range(0, len(order), 64):
        places = order[start : start + 64]
        _, types, mask, _ = tensors([rows[place] for place in places])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            given[places] = model(_padded([hidden[place] for place in places]), types, mask).float().numpy()
    return given


def write_lines(judge: Judge, largest: Largest, path: Path, layers: int = COPIED) -> None:
    """Inputs: what the layers below made of the tokens, by the name it has in `judge.onnx`; `token_counts` and `pooling` as
    there. Output: `answers`, log odds (texts, 1)."""
    graph = GraphDraft(None)
    weights = named_tensors(judge)
    first = SHAPE.layers - layers
    hidden = f"layer{first - 1}_output"
    inputs = [info(hidden, TensorProto.FLOAT, "texts", "tokens", WIDTH), *POOLED_BY]
    for layer in range(first, SHAPE.layers):
        hidden = encoder_layer(graph, weights, SHAPE, layer, hidden, largest)
    pair, _ = pooled(graph, hidden)
    add_head(graph, "answers", judge.answers, pair)
    save_model(model_of(graph, inputs, [info("answers", TensorProto.FLOAT, "texts", 1)]), path)


def measure(odds: np.ndarray, asked: Sequence[Asked], *, name: str) -> None:
    """Print how often the likeliest line is right, and right, wrong and vain answers by the chance beside "none of them"."""
    at, found = 0, []
    for each in asked:
        own = odds[at : at + len(each.lines)]
        at += len(each.lines)
        powers = np.exp(np.clip(own, -30, 30))
        best = int(own.argmax())
        found.append((any(each.answers), each.answers[best], float(powers[best] / (1 + powers.sum()))))
    some = [each for each in found if each[0]]
    none = [each for each in found if not each[0]]
    print(f"{name}: first {np.mean([each[1] for each in some]):.3f} of {len(some)}")
    for boundary in (0.2, 0.3, 0.4, 0.5, 0.6):
        right = np.mean([each[1] and each[2] >= boundary for each in some])
        wrong = np.mean([not each[1] and each[2] >= boundary for each in some])
        vain = np.mean([each[2] >= boundary for each in none]) if none else 0.0
        print(f"  from {boundary}: right {right:.3f} wrong {wrong:.3f} vain {vain:.3f}")


def of_split(split: Split) -> list[Asked]:
    return asked_of(list(sheets(split)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="weights to write as well")
    parser.add_argument("--layers", type=int, default=COPIED)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--write", action="store_true", help=f"write {LINES} into the product")
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    given = parser.parse_args()
    tokens = Tokens(given.model)
    judge = Judge(given.model)
    load_shipped(judge, FOLDER / "judge.onnx")
    judge.eval()
    learned, held = of_split("train"), of_split("dev")
    rows, shown = rows_of(tokens, learned), rows_of(tokens, held)
    hidden, beside = below(judge, rows, given.layers), below(judge, shown, given.layers)
    model = Lines(judge, given.layers).eval()
    measure(log_odds(model, shown, beside), held, name="before")
    fit(model, rows, hidden, epochs=given.epochs, rate=given.rate)
    measure(log_odds(model, shown, beside), held, name="after")
    if given.out:
        torch.save(judge.state_dict(), given.out)
    if given.write:
        write_lines(judge, largest_features(judge, rows[::12]), FOLDER / LINES, given.layers)


if __name__ == "__main__":
    main()
