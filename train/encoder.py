"""The packaged MiniLM as a PyTorch module, with three heads over it.

Two texts are read together ("[CLS] mark first [SEP] second [SEP]", types 0 and 1), one alone without the second part. `mark` is
one of BERT's unused tokens and says which head is asked. A pair's features are the first token's vector, the means over both
texts, their difference and their product, as in InferSent (Conneau et al. 2017); an utterance's are the first token's vector and
the mean.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn

from train.corpus import INTENTS, KINDS, RELATIONS, STATUSES

LAYERS, HEADS, WIDTH = 6, 12, 384
UNSEEN = -1e4
"""What a token gives to one that is not there."""


class Layer(nn.Module):
    """One layer of BERT: self-attention and feed-forward network, each added to its input and normalised."""

    def __init__(self, dropout: float, width: int = WIDTH, epsilon: float = 1e-12) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.norm_attended, self.norm_output = (nn.LayerNorm(width, eps=epsilon) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, mask: Tensor, offsets: Tensor | None = None) -> Tensor:
        """`hidden` (texts, tokens, width); `mask` (texts, 1, 1, tokens), true where there is one; `offsets` (1, HEADS, tokens,
        tokens), added to what each token gives to each other."""
        texts, tokens, width = hidden.shape

        def heads(values: Tensor) -> Tensor:
            return values.view(texts, tokens, HEADS, width // HEADS).transpose(1, 2)

        query, key, value = heads(self.query(hidden)), heads(self.key(hidden)), heads(self.value(hidden))
        mixed = attention(query, key, value, mask, offsets).transpose(1, 2).reshape(texts, tokens, width)
        attended = self.norm_attended(hidden + self.dropout(self.output(mixed)))
        normed: Tensor = self.norm_output(attended + self.dropout(self.narrow(nn.functional.gelu(self.wide(attended)))))
        return normed


def attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, offsets: Tensor | None) -> Tensor:
    """`query`, `key`, `value` and what is returned (texts, HEADS, tokens, width / HEADS); `mask` and `offsets` as in `Layer`."""
    if query.is_cuda:
        unseen = torch.zeros_like(mask, dtype=query.dtype).masked_fill(~mask, UNSEEN)
        added = unseen if offsets is None else unseen + offsets.to(query.dtype)
        return nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=added)
    # Written out: for rows this short, the backward pass of PyTorch's own function takes a quarter of all the time of two cores.
    weighed = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    if offsets is not None:
        weighed = weighed + offsets
    return weighed.masked_fill(~mask, UNSEEN).softmax(-1).to(value.dtype) @ value


class Judge(nn.Module):
    """The encoder and its heads. The word embeddings are the package's own and are never trained, so they need not be shipped."""

    def __init__(self, model_folder: Path, dropout: float = 0.1) -> None:
        super().__init__()
        weights = load_file(model_folder / "model.safetensors")
        self.words = nn.Embedding.from_pretrained(weights["embeddings.word_embeddings.weight"], freeze=True)
        self.positions = nn.Embedding.from_pretrained(weights["embeddings.position_embeddings.weight"], freeze=True)
        self.types = nn.Embedding.from_pretrained(weights["embeddings.token_type_embeddings.weight"], freeze=False)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        load_part(self.norm, weights, "embeddings.LayerNorm")
        self.dropout = nn.Dropout(dropout)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            for module, name in (
                (layer.query, "attention.self.query"),
                (layer.key, "attention.self.key"),
                (layer.value, "attention.self.value"),
                (layer.output, "attention.output.dense"),
                (layer.norm_attended, "attention.output.LayerNorm"),
                (layer.wide, "intermediate.dense"),
                (layer.narrow, "output.dense"),
                (layer.norm_output, "output.LayerNorm"),
            ):
                load_part(module, weights, f"encoder.layer.{number}.{name}")
        self.relation = new_head(5 * WIDTH, len(RELATIONS))
        self.answers = new_head(5 * WIDTH, 1)
        self.utterance = new_head(2 * WIDTH, len(INTENTS) + len(STATUSES) + len(KINDS))

    def encode(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """`ids`, `types`, `mask` (texts, tokens); returns (texts, tokens, width)."""
        where = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.dropout(self.norm(self.words(ids) + self.positions(where) + self.types(types)))
        seen = mask.bool()[:, None, None, :]
        for layer in self.layers:
            hidden = layer(hidden, seen)
        return hidden

    def pair_features(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(texts, 5 * width)."""
        return self.dropout(pair_pooled(self.encode(ids, types, mask).float(), types, mask))

    def text_features(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """(texts, 2 * width)."""
        return self.dropout(text_pooled(self.encode(ids, types, mask).float(), mask))


def pair_pooled(hidden: Tensor, types: Tensor, mask: Tensor) -> Tensor:
    """What the heads for two texts read of the last layer's tokens, (texts, 5 * width)."""
    first, second = _mean(hidden, mask * (1 - types)), _mean(hidden, mask * types)
    return torch.cat([hidden[:, 0], first, second, first - second, first * second], dim=1)


def text_pooled(hidden: Tensor, mask: Tensor) -> Tensor:
    """What the head for one text reads, (texts, 2 * width)."""
    return torch.cat([hidden[:, 0], _mean(hidden, mask)], dim=1)


def new_head(features: int, outputs: int) -> nn.Linear:
    """A linear map with small random weights."""
    head = nn.Linear(features, outputs)
    nn.init.normal_(head.weight, std=0.02)
    nn.init.zeros_(head.bias)
    return head


def _mean(hidden: Tensor, weights: Tensor) -> Tensor:
    shares = weights.float()[:, :, None]
    return (hidden * shares).sum(1) / shares.sum(1).clamp(min=1)


def load_part(module: nn.Module, weights: dict[str, Tensor], name: str) -> None:
    """Set weight and bias of a linear map or a normalisation to those of that name."""
    module.load_state_dict({part: weights[f"{name}.{part}"] for part in ("weight", "bias")})


def warmup_then_linear(step: int, steps: int, warmup: float = 0.06) -> float:
    """Share of the full learning rate at `step` of `steps`."""
    rise = math.ceil(steps * warmup)
    return (step + 1) / rise if step < rise else max(0.0, (steps - step) / max(1, steps - rise))
