"""Writes what the packaged model's 8-bit layers have to hold: `python -m bench.calibrate`.

The largest magnitude of each feature between BERT's linear layers, over texts that differ widely; none is from a data set that
quality is measured on. To be run again when the weights change.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from lattice_common.adapters.models import packaged_minilm
from lattice_common.adapters.models.bert_shape import BertShape
from lattice_common.adapters.models.calibrated_features import FILE, SITES, Largest, Site
from lattice_common.adapters.models.safetensors import Tensors, read_float32
from tokenizers import Tokenizer

Floats: TypeAlias = npt.NDArray[np.float32]

TEXTS = (
    "",
    "ok",
    "?!",
    "Yes, she did.",
    "I moved from Berlin to Lisbon in May 2024.",
    "My sister is allergic to peanuts, and her son can't stand the smell of them.",
    "On 3 March 2023, Caroline said that she had signed up for a pottery class with her kids.",
    "Melanie: Wow, that's so cool! I've been running further to de-stress, which has been great for my headspace.",
    "Tom asked: Which city do I live in now, and since when?",
    "Remind me to call Dr. Okafor at +351 912 345 678 about the appointment at 10:30 on Thursday.",
    "The rent is 1,250.50 EUR a month, due on the 3rd; IBAN PT50 0002 0123 1234 5678 9015 4.",
    "We decided to use PostgreSQL 16 instead of MySQL, because of its JSON support (see ADR-0007).",
    "def main() -> None:\n    print({key: value for key, value in os.environ.items() if key.startswith('X_')})",
    "https://example.org/a/b?c=d#e, mailto:someone@example.com, ~/notes/2024-05-01.md",
    "| quarter | revenue | cost |\n| --- | --- | --- |\n| Q1 2024 | 12.4 M | 9.1 M |\n| Q2 2024 | 13.0 M | 9.9 M |",
    "# Minutes\n\n- [x] budget approved (12 for, 1 against)\n- [ ] find a room for the summer party",
    "NEVER COMMIT WITHOUT RUNNING THE TESTS FIRST",
    "She prefers oat milk in her coffee, hates cilantro, and never eats before noon.",
    "Der Vertrag läuft am 31. Dezember aus, und die Kündigungsfrist beträgt drei Monate.",
    "J'ai grandi à Lyon ; ma mère y habite toujours, près du marché.",
    "Vivo en Sevilla desde hace diez años y trabajo en el puerto.",
    "Я живу в Лиссабоне уже два года.",
    "أعيش في لشبونة منذ عامين",
    "東京に住んでいます。毎朝六時に起きます。",
    "我妹妹对花生过敏。",
    "🙂🙂🎻 #happy <3",
    "naïve café, Zürich, Łódź, Đà Nẵng",
    "42",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z",
    "word " * 120,
    "The treaty, signed in 1648 after years of negotiation, ended the war; it redrew the borders of a dozen states, granted "
    "religious freedoms that had been denied for a century, and is often called the beginning of modern diplomacy.",
    "The meeting about the harbour extension was put off until the second Tuesday of October, since the survey of the sea bed, "
    "which nobody had asked for, found two wrecks and a cable that stands on no chart. Until then the dredger stays in port, at "
    "4,000 a day; the insurance pays from the eleventh day on, and the crew has been told to take its leave now.",
    "Photosynthesis converts light energy into chemical energy stored in glucose: 6 CO2 + 6 H2O -> C6H12O6 + 6 O2.",
    "Patient presents with intermittent chest pain (3/10), BP 142/91, HR 88, no known drug allergies; ECG unremarkable.",
    "The party of the first part shall indemnify and hold harmless the party of the second part against any and all claims.",
    "lol idk, mayb l8r? gonna b at joe's w/ the kids till 6ish",
    "What did the neighbours say about the noise last weekend, and did anybody call the landlord?",
    "He plays bass in a band called The Rust Belt; they rehearse on Wednesdays in a garage behind the old cinema.",
)


def largest_features(tensors: Tensors, shape: BertShape, token_ids: Iterable[list[int]]) -> Largest:
    """Over the tokens of all texts, each given as ids with its special tokens. Bounds are rounded up to two digits."""
    found: dict[tuple[int, Site], Floats] = {}
    for ids in token_ids:
        for place, features in _features(tensors, shape, ids):
            here = np.abs(features).max(axis=0)
            found[place] = np.maximum(found[place], here) if place in found else here
    return {place: _rounded(features) for place, features in found.items()}


def _features(tensors: Tensors, shape: BertShape, ids: list[int]) -> Iterable[tuple[tuple[int, Site], Floats]]:
    """BERT's forward pass over one text; what goes into its linear maps, each (tokens, features)."""

    def norm(values: Floats, name: str) -> Floats:
        centred = values - values.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + shape.epsilon)
        normed: Floats = scaled * tensors[f"{name}.weight"] + tensors[f"{name}.bias"]
        return normed

    def linear(values: Floats, name: str) -> Floats:
        product: Floats = values @ tensors[f"{name}.weight"].T + tensors[f"{name}.bias"]
        return product

    def by_head(values: Floats) -> Floats:
        return values.reshape(len(ids), shape.heads, -1).transpose(1, 0, 2)

    words, positions = (tensors[f"embeddings.{part}_embeddings.weight"] for part in ("word", "position"))
    first_type = tensors["embeddings.token_type_embeddings.weight"][0]
    hidden = norm(words[ids] + positions[: len(ids)] + first_type, "embeddings.LayerNorm")
    for layer in range(shape.layers):
        name = f"encoder.layer.{layer}"
        yield (layer, "hidden"), hidden
        query, key, value = (by_head(linear(hidden, f"{name}.attention.self.{part}")) for part in ("query", "key", "value"))
        likeness = query @ key.transpose(0, 2, 1) / np.sqrt(np.float32(query.shape[-1]))
        weights = np.exp(likeness - likeness.max(axis=-1, keepdims=True))
        context = (weights / weights.sum(axis=-1, keepdims=True) @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        yield (layer, "context"), context
        attended = norm(hidden + linear(context, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm")
        yield (layer, "attended"), attended
        active = _gelu(linear(attended, f"{name}.intermediate.dense"))
        yield (layer, "active"), active
        hidden = norm(attended + linear(active, f"{name}.output.dense"), f"{name}.output.LayerNorm")


def main() -> None:
    source = packaged_minilm.package_folder()
    tokenizer = Tokenizer.from_file(str(source / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(packaged_minilm.MAX_TOKENS)
    token_ids = [encoded.ids for encoded in tokenizer.encode_batch(list(TEXTS))]
    found = largest_features(read_float32(source / "model.safetensors"), packaged_minilm.SHAPE, token_ids)
    layers = [
        {site: [float(f"{value:.2g}") for value in found[layer, site]] for site in SITES}
        for layer in range(packaged_minilm.SHAPE.layers)
    ]
    FILE.write_text(json.dumps(layers, separators=(",", ":")).replace('],"', '],\n"') + "\n", encoding="utf-8")


def _gelu(values: Floats) -> Floats:
    """By the hyperbolic tangent, which is off by 0.0005 at most: near enough for a bound, and numpy has no error function."""
    active: Floats = values * np.float32(0.5) * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (values + 0.044715 * values**3)))
    return active


def _rounded(features: Floats) -> Floats:
    powers = 10.0 ** np.floor(np.log10(np.maximum(features, 1e-9)))
    rounded: Floats = (np.ceil(features / powers * 10) / 10 * powers).astype(np.float32)
    return rounded


if __name__ == "__main__":
    main()
