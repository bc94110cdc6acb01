"""Fit what one text says, and how a part of it is meant: `python -m train.texts --write`, half an hour on two cores.

The judge learned intent, status and kind from what people type, mostly without a full stop, and from statements that end with
one and are all true: so it took the full stop itself for a sign that something is so, and of what is wished, supposed, quoted or
joked in a text half was stated as fact. The last layers are fitted once more, as copies of their own, to the same utterances with
a full stop and without one by chance; to statements likewise; to parts of notes and texts, each beside the paragraph before it;
and to utterances that are put beside others, where only the quoted one's meaning is asked for. The layers below, and all that
the judge knows else, stay as they are.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import torch
from lattice_common.adapters.models.onnx_judge import FOLDER, GRAPH, TEXTS
from lattice_common.adapters.models.packaged_minilm import package_folder
from lattice_common.domain.atom import Span
from lattice_common.domain.capture import Capture
from lattice_common.domain.judgement import is_whole
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate, Segment
from lattice_common.ingest.extract.around import Around
from lattice_common.ingest.extract.extractor import by_rules
from lattice_common.ingest.extract.status import shown_beside
from lattice_common.ingest.segment import segment
from lattice_common.language.facts.status_rules import CUES
from lattice_common.language.sentences.pieces import pieces
from torch import Tensor

from train.batches import Row, Tokens
from train.calibrate import calibrate_texts
from train.corpus import (
    INTENTS,
    KINDS,
    SOME_TRUE_STATUS,
    STATUSES,
    Split,
    Utterance,
    endings,
    lives,
    meant,
    memories,
    texts,
    utterances,
)
from train.encoder import WIDTH, Judge, new_head
from train.export import COPIED_FOR_TEXTS, largest_features
from train.fit import utterance_loss, utterance_parts
from train.shipped import load_shipped
from train.upper import Read, Upper, logits, read, trained, write_graph

BATCH, EPOCHS, RATE, AVERAGE = 48, 3, 1e-4, 0.995
DOTTED = {"tell": 0.5, "ask": 0.03, "do": 0.2}
"""How often a text that ends without a mark gets a full stop, by intent: what is told often ends with one, a question hardly."""
UNDOTTED = 0.5
"""How often a full stop is left out."""
STATEMENTS, TELLING, COMPOSED = 4000, 1000, 3000
"""In each epoch: plain statements, those of them that are said to tell, and utterances beside others."""
COVERED, SLIGHT = 0.6, 8
"""The share of a stretch that quotes must make up to say how it is meant, and letters of a quote that say nothing of it."""
JOINTS = (". ", ". ", ". ", ", ", ", ", "; ", " - ", " and ", ", but ")
SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
TELL = INTENTS.index("tell")
NOT_SO = [STATUSES.index(name) for name in ("wish", "hypothetical", "quoted", "joke", "rejected")]
TRUE = [STATUSES.index(name) for name in ("asserted", "past", "plan", "rhetorical")]


@dataclass(frozen=True, slots=True)
class Part:
    """A quote, what it stands in, and the labels of an utterance."""

    around: str
    quote: str
    labels: tuple[float, float, float]


def with_or_without_stop(text: str, intent: int, chance: random.Random) -> str:
    """Return the text with or without a full stop, by chance: it says little about what is told, and something of whether."""
    if text.endswith(".") and not text.endswith(".."):
        return text[:-1] if chance.random() < UNDOTTED else text
    if text[-1:].isalnum() and text.isascii() and chance.random() < DOTTED[INTENTS[max(intent, 0)]]:
        return text + "."
    return text


def row_of(tokens: Tokens, part: Part) -> Row:
    if is_whole(part.around, part.quote):
        return Row("utterance", *tokens.of("utterance", part.around), part.labels)
    return Row("utterance", *tokens.of("utterance", part.around, part.quote), part.labels)


def labels_of(said: Utterance) -> tuple[float, float, float]:
    return float(said.intent), float(said.status), float(said.kind)


def plain_statements(split: Split) -> list[Utterance]:
    """Statements of memories and lives in which no word could change how they are meant."""
    found = [(text, each.lang, each.file) for each in lives(split) for text in each.statements]
    found += [(text, each.lang, each.file) for each in memories(split) for _, text in each.statements.values()]
    said = [Utterance(text, TELL, SOME_TRUE_STATUS, -1, lang, file) for text, lang, file in dict.fromkeys(found)]
    return [each for each in said if not CUES.search(each.text)]


def composed(found: Sequence[Utterance], count: int, chance: random.Random) -> list[Part]:
    """Return told texts, each beside one or two others of its language."""
    by_language: dict[str, list[Utterance]] = {}
    for each in found:
        if len(each.text) < 200 and "\n" not in each.text:
            by_language.setdefault(each.lang, []).append(each)
    whole = [each for own in by_language.values() if len(own) > 9 for each in own]
    parts = []
    for each in chance.sample(whole, min(count, len(whole))):
        others = chance.sample(by_language[each.lang], chance.choice((1, 1, 2)))
        said = [each, *(other for other in others if other.text != each.text)]
        chance.shuffle(said)
        quotes = [one.text.rstrip(". ") if not one.text.endswith("...") else one.text for one in said]
        around = quotes[0]
        for quote in quotes[1:]:
            joint = chance.choice(JOINTS)
            around += (" " if around[-1:] in "?!" and joint.startswith((".", ",", ";")) else joint) + quote
        if chance.random() < 0.6 and around[-1:].isalnum():
            around += "."
        quote = quotes[said.index(each)]
        parts.append(Part(around, quote, (-1.0, float(each.status), float(each.kind))))
    return parts


def of_texts(found: Sequence[dict[str, Any]]) -> list[Part]:
    """Return the facts of texts as the product shows them to the judge."""
    return [
        part
        for line in found
        if line["source_type"] in ("plain", "markdown")
        for part in shown(line["text"], [(fact["quote"], fact["status"], fact["kind"]) for fact in line["facts"]])
    ]


def of_meant(found: Sequence[tuple[str, str, tuple[tuple[str, int], ...]]]) -> list[Part]:
    """Likewise, of what `corpus.meant` gives."""
    return [part for _, text, parts in found for part in shown(text, [(words, STATUSES[status], "") for words, status in parts])]


def shown(text: str, said: Sequence[tuple[str, str, str]]) -> list[Part]:
    """Return the quotes of a text, and the statements that the product finds in it with their pieces as far as the quotes say how
    these are meant, each with what the product shows around it. `said`: quotes, their statuses and kinds."""
    capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID, text, SAID)
    around, parts = Around(), []
    segments = list(segment(capture))
    quoted: list[tuple[Span, tuple[float, float, float]]] = []
    for words, status, kind in said:
        if (span := locate(words, text)) is not None:
            labels = (-1.0, float(STATUSES.index(status)), float(KINDS.index(kind)) if kind in KINDS else -1.0)
            quoted.append((span, labels))
    found = dict(quoted)
    for span in read_spans(capture, segments):
        if span not in found and (meant := labels_over(text, span, quoted)) is not None:
            found[span] = meant
    for span, labels in found.items():
        piece = next((each for each in segments if each.start <= span.start < each.end), None)
        if piece is not None:
            quote = text[span.start : span.end]
            candidate = Candidate(quote, quote, "fact", "", "0", span.start, span.end)
            parts.append(Part(*shown_beside(around.beside(capture, piece, candidate), quote), labels))
    return list(dict.fromkeys(parts))


def read_spans(capture: Capture, segments: Sequence[Segment]) -> list[Span]:
    """Return the statements that the rules read in a text, and their pieces."""
    read = [
        Span(each.start, each.end)
        for piece in segments
        for each in by_rules(capture, piece)
        if each.start is not None and each.end is not None
    ]
    return [span for whole in read for span in (whole, *pieces(capture.text, whole))]


def labels_over(
    text: str, span: Span, quoted: Sequence[tuple[Span, tuple[float, float, float]]]
) -> tuple[float, float, float] | None:
    """Return the labels of what is quoted of a stretch: of the longest quote in it, if all quotes in it agree on whether it is
    so, and make up most of it."""
    inside = [
        (min(each.end, span.end) - max(each.start, span.start), labels)
        for each, labels in quoted
        if min(each.end, span.end) > max(each.start, span.start)
    ]
    told = sum(letters for letters, _ in inside)
    if not inside or told < COVERED * len(text[span.start : span.end].rstrip(" .,;:!")):
        return None
    if len({int(labels[1]) in NOT_SO for letters, labels in inside if letters > SLIGHT}) > 1:
        return None
    _, status, _ = max(inside, key=lambda each: each[0])[1]
    return -1.0, status, -1.0


def learned(tokens: Tokens, chance: random.Random, whole: Sequence[Part]) -> list[Row]:
    """Return the rows of one epoch."""
    said = [*utterances("train"), *endings("train")]
    plain = plain_statements("train")
    rows: list[Row] = []
    for each in said:
        text = with_or_without_stop(each.text, each.intent, chance)
        rows.append(row_of(tokens, Part(text, text, labels_of(each))))
    for place, each in enumerate(chance.sample(plain, STATEMENTS)):
        text = with_or_without_stop(each.text, TELL, chance)
        labels = labels_of(each if place < TELLING else replace(each, intent=-1))
        rows.append(row_of(tokens, Part(text, text, labels)))
    told = [each for each in said if each.status >= 0]
    mixed = [*told, *chance.sample(plain, len(told) // 2)]
    rows += [row_of(tokens, part) for part in composed(mixed, COMPOSED, chance)]
    return rows + [row_of(tokens, part) for part in whole]


def texts_of(judge: Judge) -> Upper:
    """Begins with what the judge knows of texts alone; of the text around a part it knows nothing yet."""
    head = new_head(5 * WIDTH, judge.utterance.out_features)
    with torch.no_grad():
        head.weight.zero_()
        head.weight[:, : 2 * WIDTH] = judge.utterance.weight
        head.bias.copy_(judge.utterance.bias)
    return Upper(judge, {"utterance": head}, COPIED_FOR_TEXTS)


def fit(model: Upper, epochs: Sequence[Read], *, rate: float = RATE) -> Upper:
    def loss(given: Tensor, target: Tensor, _rows: list[Row]) -> Tensor:
        return utterance_loss(given, target)

    return trained(model, epochs, loss, batch=BATCH, rate=rate, average=AVERAGE)


def measure(model: Upper, found: Read, name: str) -> None:
    """Print how many intents and statuses are right, how much of what is not so is taken for true, and the reverse."""
    intent, status, _ = (part.numpy() for part in utterance_parts(torch.tensor(logits(model, "utterance", found))))
    target = np.array([row.target for row in found.rows])
    powers = np.exp(status - status.max(axis=1, keepdims=True))
    true = (powers / powers.sum(axis=1, keepdims=True))[:, TRUE].sum(axis=1)
    asked, told = target[:, 0] >= 0, target[:, 1] >= 0
    not_so = np.isin(target[:, 1], NOT_SO)
    so = np.isin(target[:, 1], [*TRUE, SOME_TRUE_STATUS])
    shares = [np.mean(true[not_so] >= np.quantile(true[so], given)) for given in (0.01, 0.02, 0.05, 0.1)] if so.any() else []
    print(
        f"{name}: {len(target)} intent {np.mean(intent.argmax(axis=1)[asked] == target[asked, 0]):.3f}"
        f" status {np.mean(status.argmax(axis=1)[told] == target[told, 1]):.3f};"
        f" from 0.3: not so taken for true {np.mean(true[not_so] >= 0.3):.3f}, true for not so {np.mean(true[so] < 0.3):.3f};"
        f" taken where 1, 2, 5, 10 % of the true are lost: {' '.join(f'{each:.3f}' for each in shares)}",
        flush=True,
    )


def held_out(judge: Judge, tokens: Tokens, whole: Sequence[Part]) -> dict[str, Read]:
    said = utterances("dev")
    dotted = [replace(each, text=each.text + ".") if each.text.isascii() and each.text[-1:].isalnum() else each for each in said]
    plain = [replace(each, kind=-1) for each in plain_statements("dev")][:1500]
    parts = {
        "utterances, dev": [Part(each.text, each.text, labels_of(each)) for each in said],
        "with full stops": [Part(each.text, each.text, labels_of(each)) for each in dotted],
        "statements": [Part(each.text, each.text, labels_of(each)) for each in plain],
        "without full stops": [Part(text, text, labels_of(each)) for each in plain for text in [each.text.rstrip(".")]],
        "notes, dev": of_meant(meant("dev")),
        "texts, dev": of_texts(texts("dev")),
        "left out": list(whole),
    }
    return {name: read(judge, [row_of(tokens, part) for part in own], COPIED_FOR_TEXTS) for name, own in parts.items() if own}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, help="weights to write as well")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--without", type=int, default=0, help="leave out every n-th text, and measure on these")
    parser.add_argument("--weights", type=Path, help="layers and a head that are fitted already, to be written as they are")
    parser.add_argument("--write", action="store_true", help=f"write {TEXTS} into the product")
    given = parser.parse_args()
    tokens, judge = Tokens(package_folder()), Judge(package_folder())
    load_shipped(judge, FOLDER / GRAPH)
    judge.eval()
    told, mixed = texts("train"), meant("train")
    leave = given.without or len(told) + len(mixed)
    left_out = [*of_texts(told[1::leave]), *of_meant(mixed[1::leave])] if given.without else []
    own = [each for each in [*of_texts(told), *of_meant(mixed)] if each not in left_out]
    shown = held_out(judge, tokens, left_out)
    model = texts_of(judge)
    model.eval()
    for name, found in shown.items():
        measure(model, found, f"{name}, before")
    chance = random.Random(11)
    if given.weights:
        model.load_state_dict(torch.load(given.weights))
        seen = learned(tokens, chance, own)
    else:
        turns = [read(judge, learned(tokens, chance, own), COPIED_FOR_TEXTS) for _ in range(given.epochs)]
        seen = list(turns[0].rows)
        fit(model, turns, rate=given.rate)
    model.eval()
    for name, found in shown.items():
        measure(model, found, f"{name}, after")
    if given.out:
        torch.save(model.state_dict(), given.out)
    if given.write:
        write_graph(model, judge, largest_features(judge, seen[::24]), FOLDER / TEXTS, COPIED_FOR_TEXTS)
        calibrate_texts()


if __name__ == "__main__":
    main()
