"""all-mpnet-base-v2 with the judge's heads: twelve layers twice as wide, which are too slow to be shipped.

MPNet (Song et al. 2020) is BERT with offsets of attention that depend on how far two tokens lie apart, and without types; the
types that the judge tells two texts apart by begin as zeros here. Its vocabulary is that of BERT under other numbers.
The weights: https://huggingface.co/sentence-transformers/all-mpnet-base-v2 (Apache-2.0), `model.safetensors` and `vocab.txt`.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from train.corpus import INTENTS, KINDS, RELATIONS, STATUSES
from train.encoder import Layer, load_part, new_head, pair_pooled, text_pooled

LAYERS, WIDTH, EPSILON = 12, 768, 1e-5
FIRST_POSITION = 2
"""Those before are of padding."""
BUCKETS, FARTHEST = 32, 128
"""Offsets of attention for each head, and the distance from which on all share one (`MPNetEncoder.relative_position_bucket`)."""

_NAMES = {
    "query": "attention.attn.q",
    "key": "attention.attn.k",
    "value": "attention.attn.v",
    "output": "attention.attn.o",
    "norm_attended": "attention.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm_output": "output.LayerNorm",
}
_SPECIAL = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}


class Teacher(nn.Module):
    """Reads what a `Judge` reads, by the same numbers; embeddings of words and positions are never trained."""

    def __init__(self, folder: Path, judge_folder: Path, dropout: float = 0.1) -> None:
        """`folder` has the weights, `judge_folder` the `vocab.txt` of the judge."""
        super().__init__()
        found = load_file(folder / "model.safetensors")
        weights = {name.removeprefix("mpnet."): values for name, values in found.items()}
        places = renumbered(judge_folder / "vocab.txt", folder / "vocab.txt")
        self.words = nn.Embedding.from_pretrained(weights["embeddings.word_embeddings.weight"][places], freeze=True)
        self.positions = nn.Embedding.from_pretrained(weights["embeddings.position_embeddings.weight"], freeze=True)
        self.types = nn.Embedding.from_pretrained(torch.zeros(2, WIDTH), freeze=False)
        self.distances = nn.Embedding.from_pretrained(weights["encoder.relative_attention_bias.weight"], freeze=False)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        load_part(self.norm, weights, "embeddings.LayerNorm")
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout, WIDTH, EPSILON) for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            for own, theirs in _NAMES.items():
                load_part(getattr(layer, own), weights, f"encoder.layer.{number}.{theirs}")
        self.relation = new_head(5 * WIDTH, len(RELATIONS))
        self.answers = new_head(5 * WIDTH, 1)
        self.utterance = new_head(2 * WIDTH, len(INTENTS) + len(STATUSES) + len(KINDS))

    def encode(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """`ids`, `types`, `mask` (texts, tokens); returns (texts, tokens, width)."""
        where = torch.arange(ids.shape[1], device=ids.device)
        hidden: Tensor = self.dropout(self.norm(self.words(ids) + self.positions(where + FIRST_POSITION) + self.types(types)))
        offsets = self.distances(bucket(where[None, :] - where[:, None])).permute(2, 0, 1)[None]
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, seen, offsets)
        return hidden

    def pair_features(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(texts, 5 * width)."""
        features: Tensor = self.dropout(pair_pooled(self.encode(ids, types, mask).float(), types, mask))
        return features

    def text_features(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(texts, 2 * width)."""
        features: Tensor = self.dropout(text_pooled(self.encode(ids, types, mask).float(), mask))
        return features


def bucket(distance: Tensor) -> Tensor:
    """Return which offset belongs to a `distance` in tokens, behind or before: near ones have their own, farther ones share."""
    half, near = BUCKETS // 2, BUCKETS // 4
    size = distance.abs()
    shared = near + (torch.log(size.clamp(min=1) / near) / math.log(FARTHEST / near) * (half - near)).long()
    return torch.where(distance > 0, half, 0) + torch.where(size < near, size, shared.clamp(max=half - 1))


def renumbered(ours: Path, theirs: Path) -> list[int]:
    """Return the place of each word of the vocabulary `ours` in that of `theirs`."""
    places = {word: place for place, word in enumerate(theirs.read_text(encoding="utf-8").split("\n"))}
    words = ours.read_text(encoding="utf-8").rstrip("\n").split("\n")
    unknown = places["[UNK]"]
    return [places.get(_SPECIAL.get(word, word), unknown) for word in words]
