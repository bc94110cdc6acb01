"""Make the judge of what was taught: `python -m train.distil.learn build/taught.npz --out build/judge.pt`.

The whole judge learns first. Copies of its last layers then learn what answers a question, for themselves (`train.answers`), and
its own last layers go on with what is compared and said, of which there is little beside all else; the layers below are the same
for both. Ten minutes with an H100. `train.export` and `train.answers --weights` write what the product reads.
"""

from __future__ import annotations

import argparse
import copy
from collections.abc import Mapping
from pathlib import Path

import torch
from lattice_common.adapters.models.packaged_minilm import package_folder
from torch import Tensor, nn

from train.answers import SINGLE
from train.distil.assembly import Batch, Held, best_device
from train.distil.course import ANSWERED, GONE_ON, LEARNED, Course
from train.distil.descent import Pace, descend_in_time
from train.distil.reader import Reader
from train.distil.taught import read_taught
from train.encoder import Judge
from train.export import COPIED
from train.upper import Upper, lower

SEED = 3
SOFT_SHARE = 0.8
"""Weight of what teachers gave, next to the labels."""
GONE_ON_SHARES = {"relation": 0.5, "news": 0.7, "utterance": 0.3}
"""Likewise, by head, where the last layers go on: what the judge cannot have of its teachers it has of the labels."""
RATE, ANSWERS_RATE, GONE_ON_RATE = 5e-4, 4e-4, 1.2e-4
BATCH, ANSWERS_BATCH, GONE_ON_BATCH = 768, 384, 48
GONE_ON_FASTER = 3.0
GONE_ON_TURNS = 1.5
"""As many as two cores take twelve minutes for."""


def answers_of(reader: Reader, held: Mapping[str, Held], course: Course) -> Upper:
    """Return trained copies of the last layers of a judge, and of its heads for statements and for lines."""
    judge = judge_of(reader)
    known: dict[str, nn.Linear] = {"answers": judge.answers, "lines": reader.lines}
    upper = Upper(copy.deepcopy(judge), {name: known[name] for name in SINGLE})

    def loss_of(batch: Batch) -> Tensor:
        below = lower(judge, batch.ids, batch.types, batch.mask)
        return course.loss(batch, upper(batch.head, below, batch.types, batch.mask))

    heads = list(upper.heads.values())
    descend_in_time(upper, course.epochs(held), loss_of, course.pace, learning=[upper], heads=heads)
    return upper


def go_on(reader: Reader, held: Mapping[str, Held], course: Course) -> None:
    """Train the last layers of the judge, and its heads for what is compared and said."""
    judge = judge_of(reader)
    heads: list[nn.Module] = [judge.relation, judge.utterance]
    course.take(reader, held, [*list(judge.layers)[-COPIED:], *heads], heads)


def judge_of(reader: Reader) -> Judge:
    assert isinstance(reader.encoder, Judge)
    return reader.encoder


def write_weights(model: nn.Module, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save({name: values.cpu() for name, values in model.state_dict().items()}, path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("taught", type=Path, help="what train.distil.teach wrote")
    parser.add_argument("--out", type=Path, required=True, help="weights of the judge; answers.pt is written beside them")
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--seconds", type=float, default=440, help="for which the judge learns")
    parser.add_argument("--answers-seconds", type=float, default=70, help="likewise, the copies of its last layers")
    parser.add_argument("--last-seconds", type=float, default=720, help="and its own last layers, at most")
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    device = best_device()
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.manual_seed(given.seed)
    tables, soft = read_taught(given.taught)
    held = {part: Held(table, device, soft[part]) for part, table in tables.items()}
    reader = Reader(Judge(given.model)).to(device)
    Course(LEARNED, BATCH, Pace(given.seconds, RATE), given.seed, SOFT_SHARE).take(reader, held, [reader], reader.heads())
    answers = Course(ANSWERED, ANSWERS_BATCH, Pace(given.answers_seconds, ANSWERS_RATE), given.seed, SOFT_SHARE)
    write_weights(answers_of(reader, held, answers), given.out.with_name("answers.pt"))
    last = Pace(given.last_seconds, GONE_ON_RATE, GONE_ON_FASTER, GONE_ON_TURNS)
    go_on(reader, held, Course(GONE_ON, GONE_ON_BATCH, last, given.seed, soft_shares=GONE_ON_SHARES))
    write_weights(judge_of(reader), given.out)


if __name__ == "__main__":
    main()
