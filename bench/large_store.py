"""A store too large to be told in an hour: `python -m bench.large_store FOLDER [--atoms 1000000]`.

Journal and memories of `bench.synthetic`'s life are written as files, one memory a sentence, as ingest would leave them but for
the fsyncs and for what only the judge says; then the product makes everything else of them (`rebuild`), and `bench.store_speed`
measures it in a process of its own. Vectors are sums of hashed words, as in `bench.speed`; questions use the model. What a memory
says of its subject and names is told from capitals, and nothing retires anything. A store that was made before is measured again.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import timedelta
from pathlib import Path

from lattice_common import logs
from lattice_common.adapters.files import frontmatter
from lattice_common.adapters.files.atom_files import usual_place
from lattice_common.adapters.files.journal_codec import encode, encode_entry
from lattice_common.adapters.files.journal_days import folder_of
from lattice_common.adapters.memory.clock import FixedClock
from lattice_common.capture.accept import accept
from lattice_common.composition import Model, load_model, open_embedded
from lattice_common.domain.atom import Atom, Relation, Span, atom_id_for, content_hash, normalize_subject, normalized_content_hash
from lattice_common.domain.capture import Capture
from lattice_common.domain.receipt import Receipt
from lattice_common.settings import Settings

from bench.speed import HashedBeyond, Report, measured, report_store
from bench.store_speed import resident_mb
from bench.synthetic import FIRST_DAY, Life

DAYS = 900
"""Over which the memories are spread, so that folders of months are as large as in a long life."""
SENTENCE = re.compile(r"[^ ][^.?!]*[.?!]")
NAME = re.compile(r"(?<!^)\b[A-Z]\w+(?: [A-Z]\w+)*")
EXTENDED = 2
"""Earlier memories of its subject that one extends: 1.6 on average in a store that was told."""


def captures(count: int) -> Iterator[tuple[Capture, int]]:
    """Captures of so many days that there are `count` sentences, each with the number of its first sentence."""
    life, clock, said = Life(seed=11), FixedClock(FIRST_DAY), 0
    a_day = max(60, count // DAYS)
    while said < count:
        until = min(count, said + a_day)
        while said < until:
            day = (clock.now() - FIRST_DAY).days
            for request in (life.conversation(day), *(life.note(day) for _ in range(5))):
                capture = accept(request, clock, max_bytes=1_000_000)
                yield capture, said
                said += sum(1 for _ in sentences(capture))
        clock.advance(timedelta(days=1))


def sentences(capture: Capture) -> Iterator[tuple[int, int]]:
    """Where each sentence stands."""
    stretches = [(turn.start, turn.end) for turn in capture.turns] or [(0, len(capture.text))]
    for start, end in stretches:
        yield from (found.span() for found in SENTENCE.finditer(capture.text, start, end))


def atoms(capture: Capture, first: int, newest: dict[str, deque[str]]) -> Iterator[Atom]:
    """A memory for each sentence. `newest` has the last memories of each subject."""
    for number, (start, end) in enumerate(sentences(capture)):
        quote = capture.text[start:end]
        names = tuple(dict.fromkeys(NAME.findall(quote)))
        subject = names[0] if names else quote.split()[0]
        before = newest.setdefault(normalize_subject(subject), deque(maxlen=EXTENDED))
        turn = next((each for each in capture.turns if each.start <= start < each.end), None)
        content = f"{turn.speaker}: {quote}" if turn else quote
        atom_id = atom_id_for(capture.capture_id, number)
        yield Atom(
            atom_id=atom_id,
            content=content,
            kind="event",
            subject=subject,
            entities=names,
            capture_id=capture.capture_id,
            source_quote=quote,
            source_span=Span(start, end),
            segment_id=f"{capture.capture_id}-0",
            source_type=capture.source_type or "plain",
            session_id=capture.session_id,
            observed_at=(turn.observed_at if turn else None) or capture.observed_at,
            ingested_at=capture.received_at,
            metadata={"speaker": turn.speaker} if turn else {},
            memory_type="episodic",
            relations=tuple(Relation("extends", other) for other in before),
            content_hash=content_hash(content),
            normalized_content_hash=normalized_content_hash(content),
            seq=first + number + 1,
        )
        before.append(atom_id)


def write(folder: Path, told: Iterable[tuple[Capture, int]]) -> None:
    """Journal and memories, as files, of captures with the number of their first sentence each."""
    newest: dict[str, deque[str]] = {}
    shown = 0
    for capture, first in told:
        made = list(atoms(capture, first, newest))
        day = Path(folder_of(folder / "journal", capture.capture_id))
        day.mkdir(mode=0o700, parents=True, exist_ok=True)
        ids = tuple(atom.atom_id for atom in made)
        receipt = Receipt(capture.capture_id, "stored", capture.received_at, ids, len(ids), seq=first + len(ids))
        (day / f"{capture.capture_id}.json").write_bytes(encode_entry(capture))
        (day / f"{capture.capture_id}.receipt.json").write_bytes(encode(receipt))
        month = folder / Path(usual_place(ids[0])).parent
        month.mkdir(mode=0o700, parents=True, exist_ok=True)
        for atom in made:
            (month / f"{atom.atom_id}.md").write_bytes(frontmatter.dump(atom))
        if first // 50_000 > shown:
            shown = first // 50_000
            print(f"{first:,} written", file=sys.stderr, flush=True)


def made(folder: Path, count: int) -> dict[str, float]:
    """Write the store and make everything derived; how long both took, and the most memory that this needed."""
    model = load_model(Settings())
    assert model.embedder is not None
    start = time.perf_counter()
    write(folder, captures(count))
    written = time.perf_counter()
    with open_embedded(Settings(data_dir=folder), model=Model(HashedBeyond(model.embedder))) as product:
        steps = Steps()
        product.rebuild(steps.show)
        return {
            "written_s": written - start,
            "rebuilt_s": time.perf_counter() - written,
            "rebuilt_cpu_s": time.process_time(),
            "rebuilt_mb": max(resident_mb(), steps.most_mb),
        }


class Steps:
    """Shows how far it is, and watches the memory meanwhile."""

    def __init__(self) -> None:
        self.most_mb = 0.0
        self._shown = 0.0

    def show(self, step: str, done: int, of: int) -> None:
        self.most_mb = max(self.most_mb, resident_mb())
        if time.monotonic() > self._shown + 10:
            self._shown = time.monotonic()
            print(f"{step}: {done:,} of {of:,}, {self.most_mb:,.0f} MB", file=sys.stderr, flush=True)


def disk_mb(folder: Path) -> dict[str, float]:
    """What each folder of the store takes."""
    return {
        each.name: sum(path.lstat().st_blocks for path in (each, *each.rglob("*"))) * 512 / 1e6
        for each in sorted(folder.iterdir())
        if each.is_dir()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the store is, or is to be made")
    parser.add_argument("--atoms", type=int, default=1_000_000)
    arguments = parser.parse_args()
    logs.configure("error", json=None)
    folder: Path = arguments.folder
    told = folder / "large_store.json"
    if not told.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        told.write_text(json.dumps(made(folder, arguments.atoms)), encoding="utf-8")
    values = json.loads(told.read_text(encoding="utf-8"))
    report = Report()
    report_store(report, arguments.atoms, measured(folder), "vectors of hashed words")
    report.row("written", values["written_s"], "s", None, "journal and memories, as files without fsyncs")
    report.row("rebuild", values["rebuilt_s"], "s", None, f"all that is derived; up to {values['rebuilt_mb']:,.0f} MB")
    report.row(
        "disk", sum(disk_mb(folder).values()), "MB", None, ", ".join(f"{k} {v:,.0f}" for k, v in disk_mb(folder).items() if v > 1)
    )
    report.print()


if __name__ == "__main__":
    main()
