"""How well it is told how things are meant, with the judge and by rules alone: `python -m bench.status FOLDER`.

FOLDER holds the training data (`utterances-*.jsonl`, `texts-*.jsonl`, `meant-*.jsonl`); files of the letters in `TEST` are read
last and only reported. An utterance counts as stated as a fact where something wished, supposed, quoted, joked or rejected gets
a status that answers speak of as true; `judge .` is the same with a full stop where there was no mark. Of texts and notes `rules`
and `judge` are asked about the very words that the authors marked; `product` takes the whole text in as the product does, and
looks at every statement stored that holds half of such words or more: something not so counts as stated where one of them is
taken for true, and something asserted as kept where one is. Facts of an assistant's turns are left out: they are kept by whom
they are from.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lattice_common.domain.capture import Capture
from lattice_common.domain.judgement import STATUSES, Status
from lattice_common.domain.quote import locate
from lattice_common.domain.segment import Candidate
from lattice_common.domain.status import holds
from lattice_common.errors import Unavailable
from lattice_common.ingest.extract.status import status_of_text, with_status
from lattice_common.ingest.parts import parts_of
from lattice_common.ingest.prove import prove
from lattice_common.ingest.segment import segment
from lattice_common.ports.judge import Judge

from bench.texts import captured

TEST = ("meant-T", "texts-B", "texts-C", "texts-E", "texts-G", "utterances-D", "utterances-M")
NAMES: dict[str, Status] = {name: name for name in STATUSES} | {
    "plan": "planned", "wish": "wished", "hypothetical": "supposed", "joke": "joked", "rhetorical": "asserted",
}  # fmt: skip
"""Statuses as the product has them, by their names in the training data."""
HALF = 0.5
"""Of the letters of what an author marked, to be held by a statement."""
OF = ("utterances", "texts", "meant")
NOT_SO: frozenset[Status] = frozenset(("wished", "supposed", "quoted", "joked", "rejected"))
SAID = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Read:
    """What is right, and what was made of it."""

    text: str
    right: Status
    found: Status


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--judge", type=Path, help="the folder of judge.onnx; without it that of the product")
    parser.add_argument("--show", action="store_true", help="print what was wrong, of files that are no test")
    options = parser.parse_args()
    judge = judge_in(options.judge)
    files = sorted((path for kind in OF for path in options.folder.glob(f"{kind}-*.jsonl")), key=_order)
    print(f"{'file':<14} {'by':<8} {'not so, as facts':>18} {'asserted kept':>15} {'exact':>7} {'ms each':>8}")
    for path in files:
        alone = path.name.startswith("utterances")
        for name, by in (("rules", None), ("judge", judge), ("judge .", judge), ("product", judge)):
            if (name != "rules" and by is None) or (name == "judge ." and not alone) or (name == "product" and alone):
                continue
            begun = time.perf_counter()
            if name == "product":
                read = list(_stored(path, by))
            else:
                read = list(_utterances(path, by, stop=name == "judge .") if alone else _parts(path, by))
            took = (time.perf_counter() - begun) * 1000 / max(len(read), 1)
            _report(path.stem, name, read, took, show=options.show and path.stem not in TEST)


def judge_in(folder: Path | None) -> Judge | None:
    try:
        from lattice_common.adapters.models.onnx_judge import FOLDER, OnnxJudge

        return OnnxJudge(folder or FOLDER)
    except Unavailable as error:
        print(f"rules only: {error}")
        return None


def _order(path: Path) -> tuple[bool, str]:
    return path.stem in TEST, path.name


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def _utterances(path: Path, judge: Judge | None, *, stop: bool) -> Iterator[Read]:
    for line in _lines(path):
        if line["intent"] == "tell" and line["status"]:
            right = NAMES[line["status"]]
            text = line["text"] + ("." if stop and line["text"][-1].isalnum() else "")
            yield Read(text, right, status_of_text(text, judge))


def _parts(path: Path, judge: Judge | None) -> Iterator[Read]:
    """The parts of texts and of notes."""
    for line in _lines(path):
        if line.get("source_type", "plain") not in ("plain", "markdown"):
            continue
        capture = Capture("01jd5k0000abcdefghjkmnpqrs", SAID, line["text"], SAID, source_type=line.get("source_type", "plain"))
        pieces = list(segment(capture))
        found = [(piece, tuple(_candidates(line, piece.start, piece.end, capture))) for piece in pieces]
        for piece, candidates in with_status(capture, found, judge):
            for each in candidates:
                right = NAMES[str(each.metadata["right"])]
                yield Read(f"{each.quote} || {piece.text}", right, each.status or "asserted")


def _stored(path: Path, judge: Judge | None) -> Iterator[Read]:
    """What becomes of the parts of texts and notes that are taken in whole."""
    for line in _lines(path):
        if line.get("source_type", "plain") not in ("plain", "markdown"):
            continue
        capture = captured({"source_type": "plain", **line})
        stored = [
            each
            for part in parts_of(capture)
            for _, found in prove(capture, part, judge=judge).grounded
            for each in found
            if each.start is not None and each.end is not None
        ]
        for piece in _candidates(line, 0, len(capture.text), capture):
            right = NAMES[str(piece.metadata["right"])]
            holding = [each.status or "asserted" for each in stored if _shared(each, piece) >= HALF * len(piece.quote)]
            taken: Status = "rejected" if right not in NOT_SO else right  # what is nowhere is stated nowhere
            found = next(filter(holds, holding), holding[0] if holding else taken)
            yield Read(f"{piece.quote} << {[each.quote for each in stored if _shared(each, piece)]}", right, found)


def _shared(one: Candidate, other: Candidate) -> int:
    return min(one.end or 0, other.end or 0) - max(one.start or 0, other.start or 0)


def _candidates(line: dict[str, Any], low: int, high: int, capture: Capture) -> Iterator[Candidate]:
    facts = [(fact["quote"], fact["content"], fact["kind"], fact["status"]) for fact in line.get("facts", ())]
    for quote, content, kind, status in [*facts, *((quote, quote, "fact", status) for quote, status in line.get("parts", ()))]:
        span = locate(quote, capture.text)
        if span is not None and low <= span.start < high:
            words = capture.text[span.start : span.end]
            yield Candidate(content, words, kind, "", "0", span.start, span.end, metadata={"right": status})


def _report(name: str, by: str, read: list[Read], took: float, *, show: bool) -> None:
    not_so = [each for each in read if each.right in NOT_SO]
    stated = [each for each in not_so if holds(each.found)]
    asserted = [each for each in read if each.right == "asserted"]
    kept = [each for each in asserted if holds(each.found)]
    exact = sum(each.right == each.found for each in read)
    print(
        f"{name:<14} {by:<8} {len(stated):>9} of {len(not_so):>5} {len(kept):>6} of {len(asserted):>5}"
        f" {exact / max(len(read), 1):>7.1%} {took:>8.2f}"
    )
    if show:
        for each in [*stated, *(each for each in asserted if not holds(each.found))]:
            print(f"    {each.right} -> {each.found}: {each.text[:160]!r}")
        print("   ", Counter((each.right, each.found) for each in read if each.right != each.found).most_common(12))


if __name__ == "__main__":
    main()
