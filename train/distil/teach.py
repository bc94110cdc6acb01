"""Ask teachers about every row: `python -m train.distil.teach FOLDER --seconds 370 --out build/taught.npz`.

FOLDER has `model.safetensors` and `vocab.txt` of all-mpnet-base-v2. Each teacher learns for as many seconds, one after the other;
what they give is averaged. Half an hour with an H100: seven minutes for the rows, as many for each teacher, and two in which it
reads them all.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from lattice_common.adapters.models.packaged_minilm import package_folder

from train.batches import Tokens
from train.distil.assembly import Held, Soft, best_device
from train.distil.course import TAUGHT, Course
from train.distil.descent import Pace
from train.distil.reader import Reader, logits
from train.distil.rows import tables, training_corpus
from train.distil.taught import write_taught
from train.distil.teacher import Teacher
from train.negatives import packaged_embedder

RATES = (6e-5, 1e-4)
"""Of each teacher; their seeds are 1, 2 and so on."""
BATCH = 256


def taught(reader: Reader, held: Mapping[str, Held], course: Course) -> dict[str, Soft]:
    """Train `reader`, and return what it then gives for every row, (rows, outputs)."""
    torch.manual_seed(course.seed)
    course.take(reader, held, [reader], reader.heads())
    return {part: logits(reader, each) for part, each in held.items()}


def mean_of(found: list[dict[str, Soft]]) -> dict[str, Soft]:
    return {part: np.mean([each[part].astype(np.float32) for each in found], axis=0).astype(np.float16) for part in found[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="of all-mpnet-base-v2: model.safetensors and vocab.txt")
    parser.add_argument("--seconds", type=float, default=370, help="for which each teacher learns")
    parser.add_argument("--rates", type=float, nargs="+", default=RATES, help="one teacher for each")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--model", type=Path, default=package_folder(), help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    missing = [name for name in ("model.safetensors", "vocab.txt") if not (given.folder / name).is_file()]
    if missing:
        parser.error(f"{given.folder} lacks {' and '.join(missing)}: name a folder with all-mpnet-base-v2 from Hugging Face")
    device = best_device()
    torch.backends.cuda.matmul.allow_tf32 = True
    rows = tables(Tokens(given.model), packaged_embedder(), training_corpus(), random.Random(3))
    held = {part: Held(table, device) for part, table in rows.items()}
    found = []
    for seed, rate in enumerate(given.rates, start=1):
        torch.manual_seed(seed)
        reader = Reader(Teacher(given.folder, given.model)).to(device)
        found.append(taught(reader, held, Course(TAUGHT, given.batch, Pace(given.seconds, rate), seed)))
    write_taught(given.out, rows, mean_of(found))


if __name__ == "__main__":
    main()
