"""Fit the encoder of questions: `python -m train.questions [--without NAME …] [--out FILE]`, some ten minutes.

A question and what answers it are seldom alike, and the packaged encoder was made for texts that are. So questions get an encoder
of their own: the packaged layers, each linear map with a low-rank change (LoRA; Hu et al. 2021), fitted so that a question's
vector lies nearer to the statements that answer it than to all others of the same memory (softmax over cosines; with several
pieces of evidence the mean over these). Statements keep the packaged encoder, so nothing that is stored changes. A few
statements of each memory are asked for by their own words, so that keywords still find what they stand in.

Fitted on the memories of `train/data` that are not held out, on talks, chats and questions there, and on LoCoMo's development
conversations where LATTICE_BENCH_DATA names them. `--without` leaves stores out: what is fitted on what the encoder finds
(`bench.fit_talk_order`) must not see it find what it was trained on.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from lattice_common import logs
from lattice_common.adapters.models.calibrated_features import SITES
from lattice_common.adapters.models.packaged_minilm import package_folder
from lattice_common.adapters.models.question_encoder import FILE, PARTS
from lattice_common.language.glosses.gloss import in_english
from lattice_common.language.sentences.split import sentences
from tokenizers import Tokenizer
from torch import Tensor, nn

from bench.evidence import Corpus, GoldOf, bench_model, filled, lives, locomo
from train.batches import Row
from train.corpus import DATA, TEST
from train.corpus import lives as told_lives
from train.encoder import Judge, Layer, warmup_then_linear
from train.export import largest_features

RANK, RATE, DECAY, SHARPNESS = 16, 5e-4, 0.01, 20.0
EPOCHS, BATCH, OWN_WORDS = 3, 32, 4
LONGEST = 128
AUTHORS = "ABCF"
"""Whose memories are learned; D chooses, E is only ever printed."""
STORES = Path("build/question-stores")
_LINEAR = ("query", "key", "value", "output", "wide", "narrow")
"""A layer's linear maps, in the order of `PARTS`."""


@dataclass(frozen=True, slots=True)
class Pool:
    """One memory: its statements, and questions with the numbers of the statements that are each piece of evidence."""

    name: str
    statements: tuple[str, ...]
    questions: tuple[tuple[str, tuple[tuple[int, ...], ...]], ...]


class Adapted(nn.Module):
    """A linear map and the low-rank change that is fitted."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.linear = linear
        self.down = nn.Parameter(torch.randn(RANK, linear.in_features) / linear.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(linear.out_features, RANK))

    def forward(self, values: Tensor) -> Tensor:
        changed: Tensor = self.linear(values) + nn.functional.linear(nn.functional.linear(values, self.down), self.up)
        return changed


class Encoder:
    """The packaged sentence encoder."""

    def __init__(self) -> None:
        self.layers = Judge(package_folder(), dropout=0.0)
        self._tokenizer = Tokenizer.from_file(str(package_folder() / "tokenizer.json"))
        self._tokenizer.enable_truncation(LONGEST)
        self._tokenizer.no_padding()

    def adapted(self) -> list[nn.Parameter]:
        """Add a change to each linear map, and return what is to be fitted."""
        for parameter in self.layers.parameters():
            parameter.requires_grad_(False)
        found = []
        for layer in self.layers.layers:
            for name in _LINEAR:
                map_ = Adapted(getattr(layer, name))
                setattr(layer, name, map_)
                found += [map_.down, map_.up]
        return found

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [each.ids for each in self._tokenizer.encode_batch([in_english(text) for text in texts])]

    def __call__(self, texts: Sequence[str]) -> Tensor:
        """Return unit vectors, (texts, width)."""
        found = self.tokens(texts)
        ids = torch.zeros(len(found), max(map(len, found)), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, each in enumerate(found):
            ids[row, : len(each)], mask[row, : len(each)] = torch.tensor(each), 1
        hidden = self.layers.encode(ids, torch.zeros_like(ids), mask)
        shares = mask[:, :, None].float()
        return nn.functional.normalize((hidden * shares).sum(1), dim=-1)

    @torch.no_grad()
    def all(self, texts: Sequence[str]) -> Tensor:
        """Many texts, those of like lengths together."""
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        found = torch.zeros(len(texts), 384)
        for start in range(0, len(order), 64):
            places = order[start : start + 64]
            found[places] = self([texts[place] for place in places])
        return found


def told(corpus: Corpus, stores: Path) -> Pool:
    """What the product keeps of a corpus."""
    with filled(corpus, bench_model(), stores) as (product, _):
        gold_of = GoldOf(product)
        atoms = list(product.stores.catalogue.all())
        places: dict[str, list[int]] = {}
        for place, atom in enumerate(atoms):
            places.setdefault(gold_of(atom) or "", []).append(place)
    found = []
    for asked in corpus.asked:
        evidence = tuple(tuple(places[gold]) for gold in sorted(asked.gold) if gold in places)
        if evidence:
            found.append((asked.text, evidence))
    return Pool(corpus.name, tuple(atom.content for atom in atoms), tuple(found))


def written(kind: str) -> Iterator[Pool]:
    """The talks or chats of `train/data`, each a memory: what was said by whom, sentence by sentence. Replies of an assistant are
    left out, as the product keeps them as passages."""
    for line in _lines(kind):
        statements: list[str] = []
        places: dict[str, tuple[int, ...]] = {}
        for turn in line["statements"]:
            if turn["speaker"] == "assistant":
                continue
            before = "" if turn["speaker"] == "user" else f"{turn['speaker']}: "
            own = [before + turn["text"][span.start : span.end] for span in sentences(turn["text"])]
            places[turn["id"]] = tuple(range(len(statements), len(statements) + len(own)))
            statements += own
        questions = []
        for each in line["questions"]:
            evidence = tuple(places[gold] for gold in each["gold"] if gold in places)
            if evidence:
                questions.append((each["q"], evidence))
        yield Pool(line["id"], tuple(statements), tuple(questions))


def asked_of_lives() -> Iterator[Pool]:
    """Questions on the lives that are learned, ten lives to a memory."""
    statements = {life.id: life.statements for life in told_lives("train")}
    lines = [line for line in _lines("questions") if line["life"] in statements]
    for start in range(0, len(lines), 10):
        kept: list[str] = []
        questions = []
        for line in lines[start : start + 10]:
            first = len(kept)
            kept += statements[line["life"]]
            questions += [(each["q"], tuple((first + place,) for place in each["gold"])) for each in line["questions"]]
        yield Pool(f"lives-{start}", tuple(kept), tuple(questions))


def _lines(kind: str) -> Iterator[dict[str, Any]]:
    for path in sorted(DATA.glob(f"{kind}-*.jsonl")):
        if path.stem not in TEST:
            yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


def evidence_loss(scores: Tensor, evidence: Sequence[tuple[tuple[int, ...], ...]]) -> Tensor:
    """`scores` (questions, statements): minus the log share that each piece of evidence gets, by any of its statements."""
    whole = torch.logsumexp(scores, 1)
    own = []
    for row, pieces in enumerate(evidence):
        own.append(torch.stack([torch.logsumexp(scores[row, list(each)], 0) for each in pieces]).mean())
    return (whole - torch.stack(own)).mean()


def fit(encoder: Encoder, pools: Sequence[Pool], vectors: dict[str, Tensor], epochs: int) -> Iterator[int]:
    """Yield the number of each epoch after it."""
    parameters = encoder.adapted()
    optimizer = torch.optim.AdamW(parameters, lr=RATE, weight_decay=DECAY)
    chance = np.random.default_rng(0)
    steps, step = epochs * sum(-(-len(pool.questions) // BATCH) for pool in pools), 0
    for epoch in range(epochs):
        batches = []
        for pool in pools:
            order = chance.permutation(len(pool.questions))
            batches += [(pool, order[start : start + BATCH]) for start in range(0, len(order), BATCH)]
        chance.shuffle(batches)  # type: ignore[arg-type]
        for pool, order in batches:
            chosen = [pool.questions[place] for place in order]
            chosen += [(pool.statements[place], ((int(place),),)) for place in chance.choice(len(pool.statements), OWN_WORDS)]
            for group in optimizer.param_groups:
                group["lr"] = RATE * warmup_then_linear(step, steps)
            step += 1
            scores = SHARPNESS * encoder([text for text, _ in chosen]) @ vectors[pool.name].T
            loss = evidence_loss(scores, [evidence for _, evidence in chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        yield epoch


def found_among(encoder: Encoder, pool: Pool, vectors: Tensor) -> str:
    """Evidence recall in percent at 1, 5, 10 and 20, by the vectors alone."""
    order = (encoder.all([text for text, _ in pool.questions]) @ vectors.T).argsort(dim=1, descending=True).numpy()
    shown = []
    for most in (1, 5, 10, 20):
        shares = [
            float(np.mean([bool(set(each) & set(best[:most].tolist())) for each in evidence]))
            for best, (_, evidence) in zip(order, pool.questions, strict=True)
        ]
        shown.append(f"{100 * float(np.mean(shares)):.1f}")
    return " / ".join(shown)


def export(encoder: Encoder, questions: Sequence[str], without: Sequence[str], path: Path) -> None:
    """As `question_encoder` reads it; `without` is for `bench.evidence`."""
    content: dict[str, np.ndarray[Any, Any]] = {"without": np.array(without, dtype=str)} if without else {}
    with torch.no_grad():
        for number, layer in enumerate(encoder.layers.layers):
            for name, part in zip(_LINEAR, PARTS, strict=True):
                map_ = getattr(layer, name)
                content[f"{number}.{part}.down"] = map_.down.detach().numpy().astype(np.float16)
                content[f"{number}.{part}.up"] = map_.up.detach().numpy().astype(np.float16)
                map_.linear.weight += map_.up.half().float() @ map_.down.half().float()
                setattr(layer, name, map_.linear)
            assert isinstance(layer, Layer)
    rows = [Row("questions", ids, [0] * len(ids), (0.0,)) for ids in encoder.tokens(questions)]
    for (number, site), values in largest_features(encoder.layers, rows).items():
        assert site in SITES
        content[f"{number}.{site}"] = values.astype(np.float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(path, **content)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--without", nargs="*", default=(), help="names of stores that are not learned, and printed")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--stores", type=Path, default=STORES)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    logs.configure("error", json=None)
    talk = locomo() if os.environ.get("LATTICE_BENCH_DATA") else []
    pools = [told(corpus, given.stores) for corpus in (*talk, *(lives(author)[1] for author in AUTHORS))]
    pools += [*written("talks"), *written("chats"), *asked_of_lives()]
    held = [told(lives(author)[1], given.stores) for author in "DE"] + [pool for pool in pools if pool.name in given.without]
    pools = [pool for pool in pools if pool.name not in given.without]
    encoder = Encoder()
    vectors = {pool.name: encoder.all(pool.statements) for pool in (*pools, *held)}
    print(
        f"{sum(len(pool.questions) for pool in pools):,} questions on {sum(len(pool.statements) for pool in pools):,} statements"
    )
    for pool in held:
        print(f"{pool.name} as packaged: {found_among(encoder, pool, vectors[pool.name])}")
    started = time.monotonic()
    for epoch in fit(encoder, pools, vectors, given.epochs):
        for pool in held:
            shown = found_among(encoder, pool, vectors[pool.name])
            print(f"epoch {epoch + 1}, {time.monotonic() - started:.0f} s, {pool.name}: {shown}", flush=True)
    export(encoder, [text for pool in pools for text, _ in pool.questions], given.without, given.out)


if __name__ == "__main__":
    main()
