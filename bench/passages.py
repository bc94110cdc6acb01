"""Questions about documents: `python -m bench.passages [--part dev|held] [--show] [--atoms]`.

Sixteen documents of the kinds that people keep (contracts, invoices, manuals, minutes, mails, reports), written for this, with
72 questions about them, 16 that nothing in them answers, and sixteen statements of an owner with a question each, which
documents must not crowd out. The half `held` is never tuned on: `--show` names single questions of `dev` only.

In one table: the fact among the first five results with passages, without them, and by BM25 alone over 600-character chunks of
the same text; answers with the fact, answers without it, and "I don't know"; what the owner said among the first three.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from lattice_common import logs
from lattice_common.adapters.memory.lexical_index import MemoryLexicalIndex
from lattice_common.capture.request import FileMetadata, IngestRequest
from lattice_common.composition import Embedded, load_model, open_embedded
from lattice_common.domain.passage import is_passage
from lattice_common.domain.recall import Query
from lattice_common.language.text import analyze, query_tokens
from lattice_common.ports.lexical_index import FilterFields, LexicalDocument, LexicalQuery
from lattice_common.settings import Settings
from rich.console import Console
from rich.table import Table

from tests.data.documents import lines, pdf

DATA = Path(__file__).parent / "passages"
FIRST = 5
TOLD_FIRST = 3
CHUNK = 600
PATIENCE = 300.0
ROWS_OF_PAGE = 48
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Counts:
    """Of one part. `times` are seconds of each select."""

    asked: int = 0
    found: int = 0
    found_without: int = 0
    found_by_chunks: int = 0
    right: int = 0
    wrong: int = 0
    unknown: int = 0
    none_asked: int = 0
    none_answered: int = 0
    told: int = 0
    told_asked: int = 0
    times: list[float] = field(default_factory=list)


def documents(part: str) -> Iterator[tuple[str, str]]:
    """(name, text) of each."""
    for piece in (DATA / f"{part}.md").read_text(encoding="utf-8").split("=== ")[1:]:
        name, _, text = piece.partition("\n")
        yield name.strip(), text.strip() + "\n"


def as_file(name: str, text: str) -> bytes:
    """The document as it would come: a PDF with pages, or its text."""
    if not name.endswith(".pdf"):
        return text.encode()
    wrapped = [line for each in text.splitlines() for line in (textwrap.wrap(each.lstrip("# "), 95) or [""])]
    pages = [wrapped[at : at + ROWS_OF_PAGE] for at in range(0, len(wrapped), ROWS_OF_PAGE)]
    return pdf(*(lines(*page, size=10, top=760) for page in pages))


def chunks_of(texts: Sequence[str]) -> Callable[[str], list[str]]:
    """BM25 over pieces of 600 characters: what a question finds, best first."""
    index, pieces = MemoryLexicalIndex(), [text[at : at + CHUNK] for text in texts for at in range(0, len(text), CHUNK)]
    fields = FilterFields("fact", EPOCH)
    index.upsert([LexicalDocument(str(n), "", 1, {"text": analyze(each), "window": []}, fields) for n, each in enumerate(pieces)])
    index.commit()

    def search(question: str) -> list[str]:
        hits = index.search(LexicalQuery({"text": query_tokens(question)}), FIRST)
        return [pieces[int(hit.atom_id)] for hit in hits]

    return search


def holds(texts: Sequence[str], fact: str) -> bool:
    """Whether a fact stands in one of the texts, however its lines are broken."""
    wanted = " ".join(fact.lower().split())
    return any(wanted in " ".join(text.lower().split()) for text in texts)


def shown(store: Embedded, question: str, counts: Counts | None = None, limit: int = FIRST) -> list[str]:
    """What the first results say, with what a result says of its file."""
    started = time.perf_counter()
    found = store.lattice.select(Query(question, limit=limit)).atoms
    if counts is not None:
        counts.times.append(time.perf_counter() - started)
    return [f"{each.atom.content} {each.atom.metadata.get('file', '')}" for each in found]


def fill(store: Embedded, texts: Sequence[tuple[str, str]], told: Sequence[Sequence[str]]) -> None:
    """Tell and give everything, and wait for the vectors."""
    captures = [store.lattice.accept(IngestRequest(text=said)).status.capture_id for said, _ in told]
    for name, text in texts:
        with store.lattice.receiving() as incoming:
            incoming.write(as_file(name, text))
            captures.append(store.lattice.accept_file(incoming, name, FileMetadata()).status.capture_id)
    for each in captures:
        if store.lattice.wait_for(each, PATIENCE).receipt is None:
            raise SystemExit(f"{each} was not finished.")
    shelf = store.stores.shelf
    while shelf is not None and shelf.pending:
        time.sleep(0.05)  # the writer makes them in quiet moments, and tells nobody


def measured(part: str, console: Console, *, show: bool, atoms: bool) -> Counts:
    asked = json.loads((DATA / "questions.json").read_text(encoding="utf-8"))
    texts, counts = list(documents(part)), Counts()
    by_chunks = chunks_of([text for _, text in texts])
    with (
        tempfile.TemporaryDirectory() as folder,
        open_embedded(Settings(data_dir=Path(folder)), model=load_model(Settings())) as store,
    ):
        store.start()
        fill(store, texts, asked["told"])
        if atoms:
            learned = [atom for atom in store.stores.catalogue.all() if atom.trust != "user"]
            for atom in learned:
                console.print(f"[dim]{atom.kind}[/] {atom.content}", highlight=False)
            console.print(f"{len(learned)} memories of {len(texts)} documents")
        for question, fact in asked[part]:
            _ask(store, question, fact, by_chunks, counts, console if show and part == "dev" else None)
        for question in asked[f"{part}-none"]:
            answer = store.lattice.answer(Query(question))
            counts.none_asked += 1
            counts.none_answered += answer.answered
            if show and part == "dev" and answer.answered:
                console.print(f"[red]answered[/] {question}: {answer.answer}", highlight=False)
        for said, question in asked["told"]:
            counts.told_asked += 1
            there = holds(shown(store, question, limit=TOLD_FIRST), said.rstrip("."))
            counts.told += there
            if show and part == "dev" and not there:
                console.print(f"[red]crowded out[/] {question}", highlight=False)
        without = store.lattice._recall
        without._passages = None
        counts.found_without = sum(holds(shown(store, question), fact) for question, fact in asked[part])
    return counts


def _ask(
    store: Embedded, question: str, fact: str, by_chunks: Callable[[str], list[str]], counts: Counts, show: Console | None
) -> None:
    results = shown(store, question, counts)
    answer = store.lattice.answer(Query(question))
    there, told = holds(results, fact), holds([answer.answer], fact)
    counts.asked += 1
    counts.found += there
    counts.found_by_chunks += holds(by_chunks(question), fact)
    counts.right += answer.answered and told
    counts.wrong += answer.answered and not told
    counts.unknown += not answer.answered
    if show is not None and not (there and told and answer.answered):
        kinds = "".join(
            "p" if is_passage(each.atom) else "m" for each in store.lattice.select(Query(question, limit=FIRST)).atoms
        )
        mark = "found" if there else "[red]not found[/]"
        show.print(f"{mark} {kinds} {question} → {answer.answer}", highlight=False)


def report(console: Console, counts: dict[str, Counts]) -> None:
    table = Table("", *counts, title="Questions about documents")

    def row(name: str, of: Callable[[Counts], str]) -> None:
        table.add_row(name, *(of(each) for each in counts.values()))

    def percent(part: int, whole: int) -> str:
        return f"{100 * part / max(whole, 1):.0f} %"

    row("questions", lambda each: str(each.asked))
    row(f"the fact among the first {FIRST}", lambda each: percent(each.found, each.asked))
    row("… without passages", lambda each: percent(each.found_without, each.asked))
    row(f"… BM25 over chunks of {CHUNK}", lambda each: percent(each.found_by_chunks, each.asked))
    row("answers with the fact", lambda each: percent(each.right, each.asked))
    row("answers without it", lambda each: percent(each.wrong, each.asked))
    row("I don't know", lambda each: percent(each.unknown, each.asked))
    row("answered though nothing answers", lambda each: f"{each.none_answered} of {each.none_asked}")
    row(f"what the owner said among the first {TOLD_FIRST}", lambda each: f"{each.told} of {each.told_asked}")
    row("select, median", lambda each: f"{1000 * sorted(each.times)[len(each.times) // 2]:.1f} ms")
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=("dev", "held"), help="only this half")
    parser.add_argument("--show", action="store_true", help="the questions of `dev` that go wrong")
    parser.add_argument("--atoms", action="store_true", help="what was learned of the documents")
    args = parser.parse_args()
    logs.configure("error", json=None)
    console = Console(width=200)
    parts = [args.part] if args.part else ["dev", "held"]
    report(console, {part: measured(part, console, show=args.show, atoms=args.atoms) for part in parts})


if __name__ == "__main__":
    main()
