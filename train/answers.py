"""Fit what answers a question: `python -m train.answers --write`, an hour on one core.

The judge learns supersession, intent and answers over the same layers, and was made from statements of people alone. A line of a
document is shorter, stands below headings, beside near twins ("Net", "VAT", "Total"); a note has hardly a verb; and what is asked
in vain is as near as what answers. So the judge's last layers are fitted once more, as copies of their own, to the documents and
the memories of `train/data`, with a head for lines of documents (`lines`) and one for statements (`answers`). The layers below,
and all that the judge knows else, stay as they are: what they make of each row is reckoned once.

A question stands beside what it stands beside in the product, where one of them answers or none does: the loss is that of the
choice, with "none of them" beside them, and of each row by itself. `bench.fit_documents --write` and `bench.fit_answerable`
then fit anew what reads these. `--go-on --epochs 2 --rate 6e-5` begins with the shipped layers, for what is new in `train/data`;
`--weights build/answers.pt --write` fits nothing, and writes the layers and heads that `train.distil.learn` has made.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
import torch
from lattice_common.adapters.models.onnx_judge import ANSWERS, DESCRIPTION, GRAPH, OnnxJudge
from lattice_common.adapters.models.packaged_minilm import package_folder
from torch import Tensor, nn

from train.batches import Row, Tokens
from train.calibrate import answering_temperature
from train.corpus import Memory, Sheet, Split, memories, questions_on_lives, sheets
from train.encoder import Judge
from train.export import FOLDER, largest_features
from train.fit import choice_loss, groups_of, rows_of_memories
from train.negatives import nearest_statements, packaged_embedder
from train.shipped import load_shipped
from train.upper import Read, Upper, load_graph, logits, read, trained, write_graph

Head: TypeAlias = Literal["lines", "answers"]

OWN, OTHERS = 8, 3
"""Lines of its own document that stand beside a question, the nearest, and of all others."""
PLAIN = frozenset(f"memories-{author}" for author in ("K", "L", "M", "N", "O", "P", "R", "S", "T", "W", "X", "Z", "AA"))
"""As people note things down in the first weeks, asked for in their own words: all of these, and of the other questions..."""
SHARE = 0.25
"""... so many, other ones in each epoch."""
LINES_SHARE = 0.5
"""So many of the documents' questions, where the shipped weights are gone on from: the first epochs have all."""
BATCH, EPOCHS, RATE, AVERAGE = 72, 2, 1e-4, 0.99
SINGLE: dict[Head, float] = {"lines": 0.2, "answers": 0.5}
"""Weight of each row by itself, next to the choice."""


def answers_of(judge: Judge) -> Upper:
    """Both heads begin as what the judge knew of answers."""
    return Upper(judge, dict.fromkeys(SINGLE, judge.answers))


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


def rows_of_lines(tokens: Tokens, asked: Iterable[Asked]) -> list[Row]:
    return [
        Row("lines", *tokens.of("answers", each.question, line), (float(answers),), number)
        for number, each in enumerate(asked)
        for line, answers in zip(each.lines, each.answers, strict=True)
    ]


def rows_of_statements(tokens: Tokens, found: Sequence[Memory], chance: random.Random, close: int = 3) -> list[Row]:
    return rows_of_memories(tokens, found, nearest_statements(packaged_embedder(), found), chance, close=close)


def fit(model: Upper, epochs: Sequence[Read], *, rate: float = RATE) -> Upper:
    """Each epoch has rows of its own, of both heads."""

    def loss(given: Tensor, target: Tensor, rows: list[Row]) -> Tensor:
        head: Head = "lines" if rows[0].head == "lines" else "answers"
        single = nn.functional.binary_cross_entropy_with_logits(given[:, 0], target[:, 0])
        return choice_loss(given[:, 0], target[:, 0] > 0, groups_of(rows)) + SINGLE[head] * single

    return trained(model, epochs, loss, batch=BATCH, rate=rate, average=AVERAGE)


def write_temperature(folder: Path) -> None:
    """Set that of `answers` in `judge.json`, measured on dev."""
    text = (folder / DESCRIPTION).read_text(encoding="utf-8")
    before = json.loads(text)["temperatures"]["answers"]
    after = answering_temperature(OnnxJudge(folder))
    (folder / DESCRIPTION).write_text(text.replace(f'"answers": {before}', f'"answers": {after}'), encoding="utf-8")


def measure(odds: np.ndarray, rows: Sequence[Row], name: str) -> None:
    """Print how often what is likeliest is right; right, wrong and vain answers by the chance beside "none of them"; and how well
    near misses are told from questions that something answers."""
    groups: dict[int, list[int]] = {}
    for place, row in enumerate(rows):
        groups.setdefault(row.group, []).append(place)
    some: list[tuple[bool, float, float]] = []
    none: list[tuple[bool, float, float]] = []
    for places in groups.values():
        answers = [rows[place].target[0] > 0 for place in places]
        powers = np.exp(np.clip(odds[places], -30, 30))
        best = int(powers.argmax())
        (some if any(answers) else none).append(
            (answers[best], float(powers[best] / (1 + powers.sum())), float(odds[places].max()))
        )
    sure, vain = np.array([each[2] for each in some]), np.array([each[2] for each in none])
    refused = ", ".join(f"{np.mean(vain < np.quantile(sure, share)):.3f} at {share:.0%}" for share in (0.03, 0.05, 0.1))
    area = np.mean(sure[:, np.newaxis] > vain)
    print(f"{name}: right first {np.mean([each[0] for each in some]):.3f} of {len(some)}")
    print(f"  of {len(none)} near misses AUC {area:.3f}, refused {refused} of the others")
    for boundary in (0.3, 0.4, 0.5):
        right, wrong = (np.mean([each[0] is said and each[1] >= boundary for each in some]) for said in (True, False))
        print(
            f"  from {boundary}: right {right:.3f} wrong {wrong:.3f} vain {np.mean([each[1] >= boundary for each in none]):.3f}"
        )


def held_out(judge: Judge, tokens: Tokens, split: Split) -> dict[str, tuple[Head, Read]]:
    """Return what is shown of a split, by name."""
    own: dict[str, list[Memory]] = {}
    for each in memories(split):
        own.setdefault(each.file, []).append(each)
    rows: dict[str, list[Row]] = {name: rows_of_statements(tokens, found, random.Random(5)) for name, found in own.items()}
    rows[f"documents, {split}"] = rows_of_lines(tokens, asked_of(list(sheets(split))))
    return {name: ("lines" if each[0].head == "lines" else "answers", read(judge, each)) for name, each in rows.items()}


def learned(judge: Judge, tokens: Tokens, epochs: int, share_of_lines: float = 1.0) -> list[Read]:
    """Return what is read in each epoch."""
    chance = random.Random(11)
    asked = asked_of(list(sheets("train")))
    of_lines = read(judge, rows_of_lines(tokens, chance.sample(asked, round(len(asked) * share_of_lines))))
    found = [*memories("train"), *questions_on_lives("train")]
    plain = [each for each in found if each.file in PLAIN]
    others = [each for each in found if each.file not in PLAIN]
    of_plain = read(judge, rows_of_statements(tokens, plain, chance, close=5))
    turns = []
    for turn in range(epochs):
        if not turn % round(1 / SHARE):
            chance.shuffle(others)
        size = round(len(others) * SHARE)
        start = turn % round(1 / SHARE) * size
        beside = read(judge, _numbered(rows_of_statements(tokens, others[start : start + size], chance), 1_000_000))
        turns.append(of_lines + of_plain + beside)
    return turns


def calibration_rows(tokens: Tokens) -> list[Row]:
    """Return the lines and the plain statements that are learned from."""
    plain = [each for each in [*memories("train"), *questions_on_lives("train")] if each.file in PLAIN]
    return rows_of_lines(tokens, asked_of(list(sheets("train")))) + rows_of_statements(tokens, plain, random.Random(11), close=5)


def _numbered(rows: Sequence[Row], from_number: int) -> list[Row]:
    return [replace(row, group=from_number + row.group) for row in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="weights to write as well")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--go-on", action="store_true", help=f"from the shipped {ANSWERS}, with new files in train/data")
    parser.add_argument("--weights", type=Path, help="layers and heads that are fitted already, to be written as they are")
    parser.add_argument("--write", action="store_true", help=f"write {ANSWERS} into the product")
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    given = parser.parse_args()
    tokens, judge = Tokens(given.model), Judge(given.model)
    load_shipped(judge, FOLDER / GRAPH)
    judge.eval()
    shown = held_out(judge, tokens, "dev") | held_out(judge, tokens, "test")
    model = answers_of(judge)
    if given.weights:
        model.load_state_dict(torch.load(given.weights))
        seen: Sequence[Row] = calibration_rows(tokens)
    else:
        turns = learned(judge, tokens, given.epochs, LINES_SHARE if given.go_on else 1.0)
        seen = turns[0].rows
        if given.go_on:
            load_graph(model, FOLDER / ANSWERS)
        model.eval()
        measure_all(model, shown, "before")
        fit(model, turns, rate=given.rate)
    model.eval()
    measure_all(model, shown, "after")
    if given.out:
        torch.save({"judge": judge.state_dict(), "answers": model.state_dict()}, given.out)
    if given.write:
        write_graph(model, judge, largest_features(judge, seen[::24]), FOLDER / ANSWERS)
        write_temperature(FOLDER)


def measure_all(model: Upper, shown: dict[str, tuple[Head, Read]], when: str) -> None:
    for name, (head, found) in shown.items():
        measure(logits(model, head, found)[:, 0], found.rows, f"{name}, {when}")


if __name__ == "__main__":
    main()
