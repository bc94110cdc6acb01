"""How well recall finds what was said in other languages than English, with glosses and without: `python -m bench.languages`.

Through the product (accept, ingest, select), without a language model: the small memories of `train/data` that are in another
language (monolingual: the question is in the same; mixed: asked in English), and `bench/crossed`, one store in nine languages
whose questions are in another than what answers them. Recall@k is the share of a question's statements among the first k that
were found. `--held-out` asks the other half of the crossed questions, which nothing was chosen by.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lattice_common import logs
from lattice_common.capture.request import CaptureMetadata, IngestRequest
from lattice_common.domain.recall import Query
from lattice_common.ingest import index_documents
from lattice_common.language.glosses import gloss
from rich.console import Console
from rich.table import Table

from bench.evidence import Asked, Corpus, GoldOf, bench_model, evidence_recall, filled

MEMORIES = Path(__file__).parents[1] / "train" / "data"
CROSSED = Path(__file__).parent / "crossed" / "crossed.json"
KS = (1, 5, 10)
LIMIT = 30
"""Atoms asked for: some statements become several, and ten statements are counted."""


@dataclass(frozen=True, slots=True)
class Found:
    """What one question found: recall at each of `KS`."""

    group: str
    recalls: tuple[float, ...]


def corpora(half: str) -> Iterator[tuple[str, Corpus]]:
    """Each with the name of the row it is counted in."""
    for path in sorted(MEMORIES.glob("memories-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            if item["lang"] != "en":
                told = tuple(_told(each["id"], each["text"], each["date"]) for each in item["statements"])
                asked = tuple(Asked(each["q"], frozenset(each["gold"]), each["kind"]) for each in item["questions"])
                yield item["lang"], Corpus(item["id"], told, asked)
    item = json.loads(CROSSED.read_text(encoding="utf-8"))
    told = tuple(_told(each["id"], each["text"], "2025-05-05") for each in item["statements"])
    asked = tuple(
        Asked(each["question"], frozenset(each["gold"]), "crossed", each["half"])
        for each in item["questions"]
        if each["half"] == half
    )
    yield f"crossed, {half}", Corpus("crossed", told, asked)


def _told(source_id: str, text: str, day: str) -> IngestRequest:
    metadata = CaptureMetadata(source_id=source_id, observed_at=f"{day}T18:00:00Z")
    return IngestRequest(text=text, priority="bulk", metadata=metadata)


@contextmanager
def without_glosses() -> Iterator[None]:
    """No language is recognised within."""
    recognised = gloss.language_of
    gloss.language_of = lambda _: None  # type: ignore[assignment]  # as if every text were in English
    index_documents.forget_texts()
    try:
        yield
    finally:
        gloss.language_of = recognised
        index_documents.forget_texts()


def measured(half: str) -> list[Found]:
    """Each question asked of the store of its own."""
    model = bench_model()
    found: list[Found] = []
    for group, corpus in corpora(half):
        with filled(corpus, model) as (product, _):
            gold_of = GoldOf(product)
            for asked in corpus.asked:
                chosen = product.lattice.select(Query(asked.text, limit=LIMIT)).atoms
                ids = list(dict.fromkeys(gold_of(each.atom) for each in chosen))
                found.append(Found(group, tuple(evidence_recall(ids, asked.gold, k) for k in KS)))
    return found


def table(plain: Sequence[Found], glossed: Sequence[Found]) -> Table:
    """Side by side, by language."""
    heads = [f"@{k} {way}" for k in KS for way in ("without", "glosses")]
    shown = Table("questions", "n", *heads, title="recall, %")
    groups = list(dict.fromkeys(each.group for each in plain))
    monolingual = [group for group in groups if group != "mixed" and not group.startswith("crossed")]
    for name, members in [*((group, [group]) for group in groups), ("monolingual", monolingual)]:
        cells = [_mean(found, members, at) for at in range(len(KS)) for found in (plain, glossed)]
        shown.add_row(name, str(sum(each.group in members for each in plain)), *cells)
    return shown


def _mean(found: Sequence[Found], groups: Sequence[str], at: int) -> str:
    return f"{100 * statistics.fmean(each.recalls[at] for each in found if each.group in groups):.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="the half of the crossed questions that nothing was chosen by")
    half = "held-out" if parser.parse_args().held_out else "dev"
    logs.configure("error", json=None)
    with without_glosses():
        plain = measured(half)
    Console(width=120).print(table(plain, measured(half)))


if __name__ == "__main__":
    main()
